"""From the lines of a symbol to the bytes of its syntax node, and of that node's body.

The nodes that define something come out of the query that every file is searched with anyway; a symbol is the
one on its lines. What belongs to it and stands in front is part of it: decorators, attributes, directives,
``export const f =``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from sctx_tui.graph.canonical.stream import Found

Span = tuple[int, int]
"""A range of bytes."""


class Place(NamedTuple):
    """The lines that a symbol takes, 1-based and inclusive, and its name."""

    first: int
    last: int
    name: str


_START = attrgetter("start_byte")
_BODIES = {"type_spec": "type", "type_alias_declaration": "value"}
_WRAPPED = ("declaration", "definition", "value")
_VALUES = ("arrow_function", "function_expression", "generator_function", "class")
_HELD = ("parenthesized_expression", "as_expression", "satisfies_expression")
_HOLDERS = {
    "variable_declarator": "name",
    "pair": "key",
    "assignment_expression": "left",
    "field_definition": "property",
    "public_field_definition": "name",
}
_WORDS = re.compile(rb"(?<![A-Za-z0-9_$.\x80-\xff])(?:export\s+(?:default\s+)?)?(?:declare\s+)?\Z")
_DECLARED = re.compile(rb"(?<![A-Za-z0-9_$.\x80-\xff])(?:export\s+(?:declare\s+)?)?(?:const|let|var)\s+\Z")
_LAST_LETTERS = (b"t", b"r", b"e")  # of those words
_FARTHEST = 60  # bytes that they may take
_SPACE = rb"(?:\s|//[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+"
_BETWEEN = re.compile(_SPACE)
_BETWEEN_LINES = re.compile(rb"(?:\s|#[^\n]*)*+")
_COMMA = re.compile(_SPACE + rb",")
_GO_DIRECTIVE = re.compile(rb"\n//(?:go:|export )[^\n]*")


def node_spans(
    source: bytes, language: str, found: Found, symbols: Sequence[Place], wanted: Sequence[int]
) -> tuple[list[int], list[Span]]:
    """Those of the wanted symbols that have a node; of each, the bytes that it takes and those of its body.

    ``found`` has what the language's query captured. Functions in code that is a string have no node.
    """
    named = {node.start_byte for node in found("named")}  # Go's types that have a name are symbols with it
    definitions = [node for node in found("definition") if node.start_byte not in named]
    nodes = _of_symbols(source, definitions, symbols)
    known = [index for index in wanted if index in nodes]
    before = _before(source, language, found)
    spans: list[Span] = []
    for index in known:
        node = nodes[index]
        start, end = own = node.byte_range
        if language not in ("python", "go", "rust"):
            start, end = _held(source, node, start, end)
        while start in before:
            start = before[start]
        body = node.child_by_field_name(_BODIES.get(node.type, "body"))
        spans += ((start, end), body.byte_range if body is not None else own)
    return known, spans


def _of_symbols(source: bytes, nodes: list[Node], symbols: Sequence[Place]) -> dict[int, Node]:
    """The node of each symbol: the one on its lines; of several, the one of its name, else by their order."""
    on_lines: dict[tuple[int, int], list[Node]] = {}
    for node in nodes:
        on_lines.setdefault((node.start_point[0] + 1, node.end_point[0] + 1), []).append(node)
    sharing: dict[tuple[int, int], list[int]] = {}
    for index, (first, last, _) in enumerate(symbols):
        if index and (first, last) in on_lines:
            sharing.setdefault((first, last), []).append(index)
    result: dict[int, Node] = {}
    for lines, indexes in sharing.items():
        candidates = on_lines[lines]
        if len(candidates) > 1 or len(indexes) > 1:
            candidates.sort(key=_START)
            for index in indexes:
                named = next(
                    (node for node in candidates if _name(source, node) == symbols[index].name), None
                )
                if named is not None:
                    result[index] = named
                    candidates.remove(named)
            indexes = [index for index in indexes if index not in result]
        if candidates:  # what was read twice has one node
            candidates += candidates[-1:] * (len(indexes) - len(candidates))
        result.update(zip(indexes, candidates, strict=False))
    return result


def _name(source: bytes, node: Node) -> str:
    """What a definition is called, by itself or by what holds it; the empty string if by nothing."""
    name = node.child_by_field_name("name")
    if name is None and node.type in _VALUES:
        holder = _holder(node)
        name = holder.child_by_field_name(_HOLDERS[holder.type]) if holder is not None else None
    text = source[name.start_byte : name.end_byte] if name is not None else b""
    return text.decode("utf-8", "replace").rpartition(".")[2].strip("'\"")


def _holder(value: Node) -> Node | None:
    """The declarator, pair, field or assignment that gives a function or class its name."""
    parent = value.parent
    while parent is not None and parent.type in _HELD:
        parent = parent.parent
    if parent is None or parent.type not in _HOLDERS or parent.start_byte == value.start_byte:
        return None
    return parent


def _held(source: bytes, node: Node, start: int, end: int) -> Span:
    """With ``f =``, ``f:`` and the words of a declaration in front."""
    words = _WORDS
    if node.type in _VALUES:
        holder = _holder(node)
        if holder is not None:
            start, end = holder.byte_range
            words = _DECLARED
            if holder.type != "variable_declarator" or _COMMA.match(source, end):
                return start, end
    before = source[max(0, start - _FARTHEST) : start]
    if before.rstrip()[-1:] in _LAST_LETTERS:
        found = words.search(before)
        start -= len(found.group()) if found else 0
    return start, end


def _before(source: bytes, language: str, found: Found) -> dict[int, int]:
    """Decorators, attributes and directives that stand in front of something: from its start to theirs."""
    if language == "go":
        ranges = [(match.start() + 1, match.end()) for match in _GO_DIRECTIVE.finditer(source)]
    else:
        ranges = [node.byte_range for node in found("attribute" if language == "rust" else "decorator")]
    between = _BETWEEN_LINES if language == "python" else _BETWEEN
    starts = {}
    for start, end in ranges:
        after = between.match(source, end)
        starts[after.end() if after else end] = start
    return starts


def line_spans(source: bytes, tree: Tree, symbols: Sequence[Place]) -> tuple[list[Span], bool]:
    """The same for any language, by lines alone, and whether all ranges are those of nodes.

    Where several nodes share the lines, as in minified code, the range is that of the lines. A symbol without
    a body of its own, such as an alias, is its body.
    """
    # How long the lines before each line are, without their breaks.
    lengths = list(accumulate(map(len, source.split(b"\n")), initial=0))
    last = len(lengths) - 2
    spans: list[Span] = []
    are_nodes = True
    for first, final, _ in symbols:
        row, after = min(first - 1, last), min(final, last + 1)
        start = lengths[row] + row
        end = min(lengths[after] + after, len(source))
        text = source[start:end]
        start += len(text) - len(text.lstrip())
        end = max(start, end - (len(text) - len(text.rstrip(b" \t\r\n,;"))))
        node = tree.root_node.descendant_for_byte_range(start, max(start, end - 1))
        if node is not None and node.start_byte >= start and node.end_point.row < final:
            spans += (node.byte_range, _body(node))
        else:
            spans += ((start, end), (start, end))
            are_nodes = False
    return spans, are_nodes


def _body(node: Node) -> Span:
    inner: Node | None = node
    while inner is not None:
        body = inner.child_by_field_name("body")
        if body is not None:
            return body.byte_range
        inner = next(filter(None, map(inner.child_by_field_name, _WRAPPED)), None)
    return node.byte_range
