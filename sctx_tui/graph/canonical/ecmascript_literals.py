"""Literals of JavaScript and TypeScript: text, names, templates, regular expressions, numbers, JSX text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import JOINED, Edit, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

LITERAL = re.compile(
    rb"(\x01[^\x02]*\x02"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|//[^\r\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)",
    re.DOTALL,
)
_QUOTES = b"'\""
_DIRECTIVE = re.compile(rb"\A///\s*<(?:reference|amd-)[^>\n]*>|@jsx\w*\s+[\w.$@/-]+")
_ESCAPE = re.compile(rb"\\(?:(\r?\n|\r|\xe2\x80[\xa8\xa9])|([^0-9bfnrtvxu\\])|.)", re.DOTALL)
_NAME = re.compile(rb"(?:[A-Za-z_$][A-Za-z0-9_$]*|0|[1-9][0-9]{0,14})\Z")
_QUOTE_ENTITY = re.compile(rb"&quot;|&apos;")
_JSX_SPACE = re.compile(rb"[ \t\r\n\0]+")
_NUMBER = re.compile(
    rb"[0-9](?:(?:(?<![A-Za-z0-9_$.\x80-\xff][0-9])|(?<=\.\.\.[0-9]))(?=[0-9]*[._eExXoObBn]|0)"
    rb"|(?<=\.\.\.\.[0-9])|(?<=[^A-Za-z0-9_$.\x80-\xff]\.[0-9]))"
    rb"(?:(?<=0)[xXoObB][0-9a-fA-F_]+n?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?n?)"
)


def meaning(token: bytes) -> bytes | None:
    """The value of a string, None for a comment; but comments that the compiler obeys count."""
    if token[0] in _QUOTES:
        return _ESCAPE.sub(_unescaped, token[1:-1]) if b"\\" in token else token[1:-1]
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
        if _NAME.match(text):
            edits.append((start, end, text))
    return edits


def attribute_edits(source: bytes, attributes: Iterable[Node]) -> list[Edit]:
    """JSX attribute strings: no escapes, but quotes may be written as entities."""
    edits: list[Edit] = []
    for node in attributes:
        start, end = node.byte_range
        text = _QUOTE_ENTITY.sub(
            lambda found: b'"' if found.group() == b"&quot;" else b"'", source[start + 1 : end - 1]
        )
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


def element_edits(source: bytes, elements: Iterable[Node]) -> list[Edit]:
    """Text between JSX tags, with white space as the renderer sees it.

    A line break beside a tag is layout, any other white space is one space; ``{" "}`` is a space.
    """
    edits: list[Edit] = []
    for element in elements:
        run: list[Node] = []
        for child in element.children:
            kind = child.type
            if kind in ("jsx_text", "html_character_reference") or (
                kind == "jsx_expression" and source[child.start_byte : child.end_byte] in (b'{" "}', b"{' '}")
            ):
                run.append(child)
            elif run:
                edits += _text_run(source, run)
                run = []
    return edits


def _text_run(source: bytes, run: list[Node]) -> list[Edit]:
    start, end = run[0].start_byte, run[-1].end_byte
    pieces = [
        b"\0" if node.type == "jsx_expression" else source[node.start_byte : node.end_byte] for node in run
    ]
    text = b"".join(pieces)
    inner = text.strip(b" \t\r\n\0")
    if inner:
        before, _, after = text.partition(inner)
        words = _JSX_SPACE.sub(b" ", inner)
        text = _edge(before) + words + _edge(after)
    else:
        text = _edge(text)
    return [(start, end, opaque(text) if text else b"")]


def _edge(space: bytes) -> bytes:
    return b" " if b"\0" in space or (space and b"\n" not in space) else b""


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
