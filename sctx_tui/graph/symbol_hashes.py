"""Semantic hashes of a file and of its symbols: the extractor's lines and the parser's nodes together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import END, KIND, START, FileFacts
from sctx_tui.graph.fingerprint import Span, fingerprints

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

# Fields that lead from a definition to the node that has the body: `const f = () => {}`, `export function f`.
_TOWARDS_BODY = ("body", "value", "right", "declaration", "definition", "declarator")
_DEEPEST = 5  # steps on that way


def symbol_hashes(
    source: bytes, language: str, tree: Tree, facts: FileFacts
) -> tuple[str, list[tuple[str | None, str | None]]]:
    """The file's hash, and for each symbol that of all of it and that of its body (None where it has none).

    A renamed function keeps the hash of its body. A module's hash is the file's.
    """
    lines = source.split(b"\n")
    spans: list[Span] = []
    places: list[tuple[int | None, int | None]] = []
    for row in facts["symbols"]:
        if row[KIND] in ("module", "lambda", "namespace"):
            places.append((None, None))
            continue
        node = _node(tree, lines, row[START], row[END])
        body = _body(node)
        spans.append((node.start_byte, node.end_byte))
        place = len(spans) - 1
        if body is not None and body.end_byte > body.start_byte:
            spans.append((body.start_byte, body.end_byte))
        places.append((place, len(spans) - 1 if len(spans) - 1 > place else None))
    whole, parts = fingerprints(source, language, spans, tree)
    hashes: list[tuple[str | None, str | None]] = [
        (None if of_all is None else parts[of_all], None if of_body is None else parts[of_body])
        for of_all, of_body in places
    ]
    if hashes:
        hashes[0] = (whole, None)
    return whole, hashes


def _node(tree: Tree, lines: Sequence[bytes], start: int, end: int) -> Node:
    """The smallest node that holds everything on these lines (1-based, inclusive)."""
    first, last = lines[start - 1 : start] or [b""], lines[end - 1 : end] or [b""]
    begin = (start - 1, len(first[0]) - len(first[0].lstrip()))
    finish = (end - 1, len(last[0].rstrip()))
    return tree.root_node.descendant_for_point_range(begin, finish) or tree.root_node


def _body(node: Node) -> Node | None:
    for _ in range(_DEEPEST):
        body = node.child_by_field_name("body")
        if body is not None:
            return body
        inner = next(
            (n for field in _TOWARDS_BODY if (n := node.child_by_field_name(field)) is not None), None
        )
        if inner is None:
            inner = next((child for child in node.named_children if child.child_count), None)
        if inner is None:
            return None
        node = inner
    return None
