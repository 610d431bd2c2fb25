"""From the lines of a symbol to the bytes of its syntax node, and of that node's body."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

Span = tuple[int, int]
"""A range of bytes."""

_WRAPPED = ("declaration", "definition", "value")


def symbol_spans(
    source: bytes, tree: Tree, lines: Sequence[tuple[int, int]]
) -> tuple[list[tuple[Span, Span]], bool]:
    """For each pair of first and last line (1-based, inclusive): the bytes of the symbol and of its body.

    Where several nodes share the lines, as in minified code, the range is that of the lines, and the second
    result is False: not all ranges are those of nodes. A symbol without a body of its own, such as an alias,
    is its body.
    """
    # How long the lines before each line are, without their breaks.
    lengths = list(accumulate(map(len, source.split(b"\n")), initial=0))
    last = len(lengths) - 2
    spans = []
    are_nodes = True
    for first, final in lines:
        row, after = min(first - 1, last), min(final, last + 1)
        start = lengths[row] + row
        end = min(lengths[after] + after, len(source))
        text = source[start:end]
        start += len(text) - len(text.lstrip())
        end = max(start, end - (len(text) - len(text.rstrip(b" \t\r\n,;"))))
        node = tree.root_node.descendant_for_byte_range(start, max(start, end - 1))
        if node is not None and node.start_byte >= start and node.end_point.row < final:
            spans.append((node.byte_range, _body(node)))
        else:
            spans.append(((start, end), (start, end)))
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
