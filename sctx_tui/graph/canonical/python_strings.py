"""Python's string literals as the values that they stand for.

A literal becomes its value (bytes are told by a NUL, which no source holds), so quotes, prefixes and escapes
may be spelt as one likes; adjacent literals are joined. An f-string becomes chunks of text with ``{code}``
between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import BACKSLASH, OPAQUE, TEXT, TEXT_END, Edit, lifted, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

LITERAL = re.compile(
    rb"(\x01[^\x02]*\x02"
    rb'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    rb'|"[^"\\\n]*+(?:\\(?:\r\n|.)[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\(?:\r\n|.)[^'\\\n]*+)*+'"
    rb"|\#[^\n]*)",
    re.DOTALL,
)
_HASH, _RETURN = b"#\r"
_SUBSTITUTE = 0x1A
_B, _F, _R, _T = b"bfrt"
_LETTERS = b"rRbBuUfFtT"
_PREFIX = re.compile(rb"(?<![A-Za-z0-9_\x80-\xff])[rRbBuUfFtT]{1,2}\Z")
_ESCAPE = re.compile(
    rb"\\(?:(\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]*)\})"
)
_BYTES_ESCAPE = re.compile(rb"\\(?:(\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2}))")
_SIMPLE = {
    b"\\": b"\\", b"'": b"'", b'"': b'"', b"a": b"\a", b"b": b"\b",
    b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v",
}  # fmt: skip


def lift_literals(text: bytes) -> tuple[bytes, list[bytes]]:
    """Takes comments and literals out of Python code that ``string_edits`` has been through."""
    tokens = LITERAL.split(text)
    payloads = []
    for index in range(1, len(tokens), 2):
        token = tokens[index]
        first = token[0]
        if first == _HASH:
            tokens[index] = b""
            continue
        tokens[index] = OPAQUE
        before = tokens[index - 1]
        if first == 1:
            value = lifted(token)
        elif (
            token[1] != first  # neither empty nor in three quotes
            and BACKSLASH not in token
            and not (before and before[-1] in _LETTERS)
        ):
            value = token[1:-1]
        elif before and before[-1] in _LETTERS and (found := _PREFIX.search(before, max(0, len(before) - 3))):
            tokens[index - 1] = before[: found.start()]
            prefix = found.group().lower()
            value = _value(prefix, token)
            if _F in prefix or _T in prefix:
                tokens[index] = TEXT + (OPAQUE if value else b"") + TEXT_END
                if not value:
                    continue
        else:
            value = _value(b"", token)
        payloads.append(value)
    return b"".join(tokens), payloads


def string_edits(
    source: bytes, joined: Iterable[Node], templates: Iterable[Node], done: set[int]
) -> list[Edit]:
    """Edits for runs of adjacent literals and f-strings with code in them that don't begin in ``done``."""
    edits: list[Edit] = []
    done = set(done)
    for run in joined:
        if run.start_byte not in done:
            parts = [part for part in run.named_children if part.type == "string"]
            done.update([part.start_byte for part in parts])
            edits += _literal(source, parts)
    for node in templates:
        if node.start_byte not in done:
            done.add(node.start_byte)
            edits += _literal(source, [node])
    return edits


def is_text(source: bytes, node: Node) -> bool:
    """Whether the node is a literal, or a run of them, that is neither bytes nor an f-string."""
    parts = (
        [node] if node.type == "string" else [part for part in node.named_children if part.type == "string"]
    )
    return not any(set(_prefix(source, part)) & set(b"bft") for part in parts)


def _prefix(source: bytes, node: Node) -> bytes:
    opening = node.children[0]
    return source[opening.start_byte : opening.end_byte].rstrip(b"\"'").lower()


def _literal(source: bytes, parts: list[Node]) -> list[Edit]:
    """One literal: the run of ``parts``."""
    prefixes = [_prefix(source, part) for part in parts]
    kinds = b"".join(prefixes)
    if _F not in kinds and _T not in kinds:
        values = [_plain(source, part, prefix) for part, prefix in zip(parts, prefixes, strict=True)]
        value = (b"\0b" if _B in kinds else b"") + b"".join(values)
        return [(parts[0].start_byte, parts[-1].end_byte, opaque(value))]
    template = _Template(source, parts[0].start_byte, b"t" + TEXT if _T in kinds else TEXT)
    for part, prefix in zip(parts, prefixes, strict=True):
        if _F in prefix or _T in prefix:
            opening, *pieces, closing = part.children
            template.add(pieces, opening.end_byte, closing.start_byte, is_raw=_R in prefix)
        else:
            template.value += _plain(source, part, prefix)
    template.flush(parts[-1].end_byte, TEXT_END)
    return template.edits


class _Template:
    """Collects the chunks of an f-string; literal text between two replacement fields is one chunk."""

    def __init__(self, source: bytes, start: int, opening: bytes) -> None:
        self.source = source
        self.start = start  # where the text that is not yet flushed begins
        self.value = b""
        self.opening = opening
        self.edits: list[Edit] = []

    def flush(self, end: int, closing: bytes = b"") -> None:
        """Ends the chunk at the offset ``end``."""
        chunk = opaque(self.value) if self.value else b""
        self.edits.append((self.start, end, self.opening + chunk + closing))
        self.value = self.opening = b""

    def add(self, pieces: list[Node], start: int, end: int, *, is_raw: bool) -> None:
        """Text and replacement fields of one f-string, which lie between two offsets."""
        for piece in pieces:
            if piece.type in ("interpolation", "format_expression"):
                self._text(start, piece.start_byte, is_raw)
                self._field(piece, is_raw)
                start = piece.end_byte
        self._text(start, end, is_raw)

    def _text(self, start: int, end: int, is_raw: bool) -> None:
        self.value += _unescaped(_unbraced(self.source[start:end]), is_raw=is_raw)

    def _field(self, field: Node, is_raw: bool) -> None:
        children = field.children
        by_type = {child.type: child for child in children}
        conversion, spec, equals = (
            by_type.get(name) for name in ("type_conversion", "format_specifier", "=")
        )
        if equals is not None:  # f"{x = }" is the text "x = " and the value's repr
            after = children[children.index(equals) + 1]
            self.value += self.source[field.start_byte + 1 : after.start_byte]
            shown = b"" if conversion or spec else b"!r"
            self.flush(field.start_byte)
            self.edits.append((equals.start_byte, equals.end_byte, shown))
        else:
            self.flush(field.start_byte)
        if spec is not None:
            colon, *pieces = spec.children
            self.start = colon.end_byte
            self.add(pieces, colon.end_byte, spec.end_byte, is_raw=is_raw)
            self.flush(spec.end_byte)
        self.start = field.end_byte


def _plain(source: bytes, node: Node, prefix: bytes) -> bytes:
    """The value of a literal that is no f-string; bytes are not marked."""
    value = _value(prefix, source[node.start_byte + len(prefix) : node.end_byte])
    return value.removeprefix(b"\0b") if _B in prefix else value


def _value(prefix: bytes, token: bytes) -> bytes:
    """What a literal without replacement fields stands for; ``token`` begins with its quote."""
    quote = token[:1]
    text = token[3:-3] if token[1:2] == quote and len(token) >= 6 and token[2:3] == quote else token[1:-1]
    if not prefix:
        return _unescaped(text) if BACKSLASH in text or _RETURN in text else text
    if _B in prefix:
        return b"\0b" + _unescaped(text, is_raw=_R in prefix, escapes=_BYTES_ESCAPE)
    if _F in prefix or _T in prefix:
        text = _unbraced(text)
    return _unescaped(text, is_raw=_R in prefix)


def _unbraced(text: bytes) -> bytes:
    return text.replace(b"{{", b"{").replace(b"}}", b"}")


def _unescaped(text: bytes, *, is_raw: bool = False, escapes: re.Pattern[bytes] = _ESCAPE) -> bytes:
    text = text.replace(b"\r\n", b"\n")
    if is_raw or BACKSLASH not in text:
        return text
    return escapes.sub(_escaped if escapes is _ESCAPE else _escaped_byte, text)


def _escaped(match: re.Match[bytes]) -> bytes:
    newline, simple, octal, *codes, name = match.groups()
    if simple:
        return _SIMPLE[simple]
    if newline:
        return b""
    if name is not None:
        try:
            return unicodedata.lookup(name.decode("ascii", "replace")).encode()
        except KeyError:
            return match.group()
    code = int(octal, 8) if octal else int(next(filter(None, codes)), 16)
    if code == _SUBSTITUTE:  # begins what stands for a control character as it is
        return b"\x1a1a"
    return chr(code).encode("utf-8", "surrogatepass") if code < 0x110000 else match.group()


def _escaped_byte(match: re.Match[bytes]) -> bytes:
    newline, simple, octal, code = match.groups()
    if newline:
        return b""
    if simple:
        return _SIMPLE[simple]
    number = int(octal, 8) & 255 if octal else int(code, 16)
    return b"\x1a1a" if number == _SUBSTITUTE else bytes([number])
