"""JavaScript, TypeScript and JSX: equal streams for what prettier, whatever its options, prints alike.

Every statement and class member gets its semicolon; redundant parentheses, trailing commas and empty
statements go; names need no quotes; ``x => y`` is ``(x) => y``, ``new A`` is ``new A()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.ecmascript_literals import (
    LITERAL,
    QUOTES,
    SPACE,
    SPACERS,
    attribute_edits,
    meaning,
    name_edits,
    numbers,
    regex_edits,
    template_edits,
    text_edits,
)
from sctx_tui.graph.canonical.ecmascript_parentheses import has_bracketed_call, parentheses, type_parentheses
from sctx_tui.graph.canonical.stream import Edit, Locate, Spans, Stream

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = {
    "javascript": stream.patterns("ecmascript.scm", "javascript.scm", "jsx.scm"),
    "typescript": stream.patterns("ecmascript.scm", "typescript.scm")
    + "(type_assertion (parenthesized_expression)) @operation",
    "tsx": stream.patterns("ecmascript.scm", "typescript.scm", "jsx.scm"),
}

_FUSING = (b"+ +", b"- -", b"! =")  # would read as `++a`, `--a` and `a != b`
_FUSED = ((b"+++", b"++\x05+"), (b"---", b"--\x05-"))  # `a++ + b` may be written without the space

_BLOCKS = ("program", "statement_block", "switch_case", "switch_default")
_SEMICOLON = ord(";")
_BREAK = rb")(?:[ \t]|/\*(?:[^*\n]|\*(?!/))*\*/)*+(?://|/\*|[\r\n])"
_RESTRICTED = {word: re.compile(b"(" + word + _BREAK) for word in (b"return", b"yield")}
_RESTRICTED_TYPES = ("return_statement", "yield_expression")
_LINE_COMMENT = re.compile(rb"//[^\r\n]*")
_USE = re.compile(rb"use (?<=['\"]use )")
# a line break behind `let` ends nothing, though the parser thinks so
_LET = re.compile(rb"(?<![A-Za-z0-9_$.\x80-\xff])let;(?=[A-Za-z0-9_$\x80-\xff])")
_EMPTY = re.compile(rb"\{(?:" + SPACE + rb")*+\}")
_TRAILING_COMMA = re.compile(rb",\](?<![\[,],\])")  # `[,]` and `[a,,]` have holes


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The canonical stream of code without syntax errors; what ``locate`` finds is marked."""
    found = stream.captures(root, language, PATTERNS[language])
    spans = locate(found)
    text = stream.splice(source, _edits(source, root, found, spans), spans)
    text, payloads = stream.lift(text, LITERAL, meaning, QUOTES)
    if not text.isascii():
        text = text.replace(b"\xc2\xa0", b" ").replace(b"\xef\xbb\xbf", b" ")
    text = stream.squeeze(numbers(text), _FUSING)
    for run, apart in _FUSED:
        text = text.replace(run, apart)
    text = text.replace(b",)", b")").replace(b",}", b"}").replace(b",>", b">")
    if b"let;" in text:
        text = _LET.sub(b"let ", text)
    return Stream(_TRAILING_COMMA.sub(b"]", text), payloads, spans)


def _edits(source: bytes, root: Node, found: stream.Found, spans: Spans) -> list[Edit]:
    """All deviations in structure of ``source`` from its canonical spelling."""
    result = name_edits(source, found("key"))
    result += attribute_edits(source, found("attribute"))
    result += template_edits(source, found("template"))
    result += regex_edits(source, found("regex"))
    references = [node for node in found("reference") if (parent := node.parent) and parent.type != "string"]
    result += text_edits(source, [*found("text"), *references], _spacers(source, root))
    if b"</" in source:
        result += [(start, end, b"") for start, end in _empty_expressions(source, root)]
    result += [(start, start, b"#") for start in _directives(source, root)]
    for node in [*found("comment"), *found("nothing")]:
        result.append((node.start_byte, node.end_byte, b" "))
    for node in found("empty"):
        if (parent := node.parent) and parent.type in _BLOCKS:
            result.append((node.start_byte, node.end_byte, b" "))
    _terminators(source, found("end"), spans, result)
    result += [(end, end, b";") for end in [node.end_byte for node in found("member")]]
    for node in found("parameter"):
        start, end = node.byte_range
        result += ((start, start, b"("), (end, end, b")"))
    bare = [node.end_byte for node in found("new")]
    for node in found("constructor"):
        if has_bracketed_call(node):  # `new (a()).b()` is `new (a().b)()`
            start, end = node.byte_range
            closing = b")"
            if end in bare:
                bare.remove(end)
                closing = b")()"
            result += ((start, start, b"("), (end, end, closing))
    result += [(end, end, b"()") for end in bare]
    parentheses(source, found, _broken_off(source, root, result), result)
    type_parentheses(source, found("parenthesized_type"), found("type_operation"), result)
    return result


def _spacers(source: bytes, root: Node) -> list[tuple[int, int]]:
    """Where a space stands between tags as an expression with a string."""
    spacers = []
    for spelling in SPACERS:
        start = source.find(spelling)
        while start >= 0:
            end = start + len(spelling)
            node = root.descendant_for_byte_range(start, end)
            if node is not None and node.type == "jsx_expression" and node.byte_range == (start, end):
                parent = node.parent
                spacers += [(start, end)] if parent and parent.type != "jsx_attribute" else []
            start = source.find(spelling, end)
    return spacers


def _empty_expressions(source: bytes, root: Node) -> list[tuple[int, int]]:
    """Where comments stand between tags, ``{/* why */}``: no child for the renderer."""
    found = []
    for match in _EMPTY.finditer(source):
        node = root.descendant_for_byte_range(*match.span())
        if node is not None and node.type == "jsx_expression" and node.byte_range == match.span():
            found.append(match.span())
    return found


def _terminators(source: bytes, statements: list[Node], spans: Spans, result: list[Edit]) -> None:
    """Semicolons that were left to the parser; such a statement may reach behind its last comment."""
    commented = {match.end() for match in _LINE_COMMENT.finditer(source)}
    ends = [node.end_byte for node in statements]
    for end in ends:
        if source[end - 1] != _SEMICOLON:
            result.append((end, end, b";"))
            if end in commented:
                result.append((end, end, b"\n"))
    result += [(end, end, b"\n") for end in commented.intersection([end for _, end in spans])]
    if not commented.isdisjoint(ends):
        for node, end in zip(statements, ends, strict=True):
            if source[end - 1] == _SEMICOLON and end in commented and node.children[-1].type != ";":
                result += ((end, end, b"\n"), (end, end, b";"))


def _broken_off(source: bytes, root: Node, result: list[Edit]) -> list[int]:
    """A line break after ``return`` ends the statement, not for the parser; gives where the rest begins."""
    starts = []
    for word, pattern in _RESTRICTED.items():
        for broken in pattern.finditer(source) if word in source else ():
            keyword = root.descendant_for_byte_range(broken.start(), broken.start() + 1)
            statement = keyword.parent if keyword is not None and not keyword.is_named else None
            rest = [child for child in statement.named_children if not child.is_extra] if statement else []
            if rest and statement is not None and statement.type in _RESTRICTED_TYPES:
                result.append((broken.end(1), broken.end(1), b";"))
                starts += [child.start_byte for child in rest]
    return starts


def _directives(source: bytes, root: Node) -> list[int]:
    """Where strings such as ``"use strict"`` stand in the prologue of a file or function."""
    starts: list[int] = []
    prologues: dict[int, set[int]] = {}
    for match in _USE.finditer(source):
        quote = root.descendant_for_byte_range(match.start() - 1, match.start())
        string = quote.parent if quote else None
        statement = string.parent if string and string.type == "string" else None
        block = statement.parent if statement and statement.type == "expression_statement" else None
        if statement is None or block is None:
            continue
        if block.id not in prologues:
            prologues[block.id] = _prologue(block)
        if statement.start_byte in prologues[block.id]:
            starts.append(statement.start_byte)
    return starts


def _prologue(block: Node) -> set[int]:
    """Where the strings begin that open a file or the body of a function."""
    owner = block.parent
    if block.type not in ("program", "statement_block") or (
        owner is not None and not any(owner.child_by_field_name(name) for name in ("parameters", "parameter"))
    ):
        return set()
    starts = set()
    for node in block.named_children:
        if node.type == "expression_statement" and node.named_children[0].type == "string":
            starts.add(node.start_byte)
        elif not node.is_extra:
            break
    return starts
