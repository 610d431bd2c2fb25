"""Literals of JavaScript and TypeScript: text, names, templates, regular expressions, numbers, JSX text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import BACKSLASH, JOINED, NEWLINE, Edit, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

LITERAL = re.compile(
    rb"(\x01[^\x02]*\x02"
    rb'|"[^"\\\n]*+(?:\\(?:\r\n|.)[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\(?:\r\n|.)[^'\\\n]*+)*+'"
    rb"|//[^\r\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)",
    re.DOTALL,
)
QUOTES = b"'\""
SPACE = rb"\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/"
_DIRECTIVE = re.compile(rb"\A///\s*<(?:reference|amd-)[^>\n]*>|@jsx\w*\s+[\w.$@/-]+")
_ESCAPE = re.compile(rb"\\(?:(\r?\n|\r|\xe2\x80[\xa8\xa9])|([^0-9bfnrtvxu\\])|.)", re.DOTALL)
_NAME = re.compile(rb"(?:[A-Za-z_$][A-Za-z0-9_$]*|(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{0,4}[1-9])?)\Z")
_AMPERSAND, _BRACE = b"&{"
SPACERS = (b'{" "}', b"{' '}")
_JSX_SPACES = b" \t\r\n\0"
_NUMBER = re.compile(
    rb"[0-9](?:(?:(?<![A-Za-z0-9_$.\x80-\xff][0-9])|(?<=\.\.\.[0-9]))(?=[0-9]*[._eExXoObBn]|0)"
    rb"|(?<=\.\.\.\.[0-9])|(?<=[^A-Za-z0-9_$.\x80-\xff]\.[0-9]))"
    rb"(?:(?<=0)[xXoObB][0-9a-fA-F_]+n?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?n?)"
)


def meaning(token: bytes) -> bytes | None:
    """The value of a string, None for a comment; but comments that the compiler obeys count."""
    if token[0] in QUOTES:
        return _ESCAPE.sub(_unescaped, token[1:-1])
    directive = _DIRECTIVE.search(token) if b"@jsx" in token or token.startswith(b"///") else None
    return directive.group() if directive else None


def _unescaped(match: re.Match[bytes]) -> bytes:
    r"""``\'`` and other needless escapes are the character itself; a line continuation is nothing."""
    continuation, needless = match.groups()
    return b"" if continuation else needless or match.group()


def name_edits(source: bytes, strings: Iterable[Node]) -> list[Edit]:
    """Strings that stand where a plain name could, and are one."""
    edits: list[Edit] = []
    for node in strings:
        start, end = node.byte_range
        text = source[start + 1 : end - 1]
        if text == b"new" and (parent := node.parent) and parent.type == "method_signature":
            continue  # `new()` is a constructor
        if _NAME.match(text) or (not text.isascii() and text.decode("utf-8", "replace").isidentifier()):
            edits.append((start, end, text))
    return edits


def attribute_edits(source: bytes, attributes: Iterable[Node]) -> list[Edit]:
    """JSX attribute strings: line ends but no escapes, and quotes may be written as entities."""
    edits: list[Edit] = []
    for node in attributes:
        start, end = node.byte_range
        text = source[start + 1 : end - 1]
        if _AMPERSAND in text or BACKSLASH in text or NEWLINE in text:
            text = text.replace(b"\r\n", b"\n").replace(b"&quot;", b'"').replace(b"&apos;", b"'")
            edits.append((start, end, opaque(text)))
    return edits


def template_edits(source: bytes, templates: Iterable[Node]) -> list[Edit]:
    """Template literals: the text between substitutions as it is, since a tag may see it raw."""
    edits: list[Edit] = []
    for node in templates:
        start, end = node.byte_range
        position, mark = start + 1, b"`"
        for child in node.children:
            if child.type in ("template_substitution", "template_type"):
                edits.append(_chunk(source, position, child.start_byte, mark))
                position, mark = child.end_byte, b""
        edits.append(_chunk(source, position, end - 1, mark))
        if mark:
            edits[-1] = (start, end, edits[-1][2] + b"`")
    return edits


def _chunk(source: bytes, start: int, end: int, mark: bytes) -> Edit:
    text = source[start:end].replace(b"\r\n", b"\n")
    return start - len(mark), end, mark + opaque(text) if text else mark


def regex_edits(source: bytes, nodes: Iterable[Node]) -> list[Edit]:
    """Regular expressions; the order of flags says nothing."""
    edits: list[Edit] = []
    for node in nodes:
        start, end = node.byte_range
        pattern, _, flags = source[start:end].rpartition(b"/")
        edits.append((start, end, opaque(pattern + b"/" + bytes(sorted(flags)))))
    return edits


def text_edits(source: bytes, texts: Iterable[Node], spacers: Sequence[tuple[int, int]]) -> list[Edit]:
    """Text between JSX tags, with white space as the renderer sees it.

    A line break beside a tag is layout, other white space is one space. ``spacers`` are the ranges of
    expressions that stand for a space: ``{" "}``.
    """
    pieces = [node.byte_range for node in texts]
    pieces += spacers
    pieces.sort()
    edits: list[Edit] = []
    begin = position = -1
    for start, end in pieces:
        if start != position and not source[position:start].isspace():
            if position >= 0:
                edits.append((begin, position, _text(source[begin:position])))
            begin = start
        position = end
    if position >= 0:
        edits.append((begin, position, _text(source[begin:position])))
    return edits


def _text(run: bytes) -> bytes:
    """One run of text and spacers, which become NULs."""
    for spacer in SPACERS if _BRACE in run else ():
        run = run.replace(spacer, b"\0")
    if NEWLINE not in run and 0 not in run:
        words = b" ".join(run.split())
        before = b" " if run[0] in _JSX_SPACES else b""
        after = b" " if run[-1] in _JSX_SPACES else b""
        return opaque(before + words + after if words else b" ")
    inner = run.strip(_JSX_SPACES)
    if inner:
        words = b" ".join(inner.replace(b"\0", b" ").split())
        text = _edge(run[: run.index(inner)]) + words + _edge(run[len(run.rstrip(_JSX_SPACES)) :])
    else:
        text = _edge(run)
    return opaque(text) if text else b""


def _edge(space: bytes) -> bytes:
    return b" " if 0 in space or (space and NEWLINE not in space) else b""


def numbers(code: bytes) -> bytes:
    """All numbers in code without literals, by their value."""
    code = _NUMBER.sub(_number, code)
    return code.replace(b"." + JOINED, b"") if JOINED in code else code


def _number(match: re.Match[bytes]) -> bytes:
    text = match.group().lower().replace(b"_", b"")
    dots = match.string[max(0, match.start() - 4) : match.start()]
    joined = b""
    if dots.endswith(b".") and (dots == b"...." or not dots.endswith(b"...")):  # three spread something
        text, joined = b"0." + text, JOINED
    suffix = b"n" if text.endswith(b"n") else b""
    text = text.removesuffix(b"n")
    try:
        if text[:2] in (b"0x", b"0o", b"0b"):
            return str(int(text, 0)).encode() + suffix
        if text.isdigit():
            return text + suffix
        value = repr(float(text))
    except ValueError:  # more digits than Python reads
        return match.group()
    number = value.removesuffix(".0").encode()
    if (
        match.string[match.end() : match.end() + 1] == b"."
    ):  # `1..toFixed()`, which may be written `(1).toFixed()` as well
        return joined + b"(" + number + b")"
    return joined + number
