"""Semantic hashes of a file and of each of its symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import END, NAME, START, FileFacts, public_symbol
from sctx_tui.graph.fingerprint import file_hash, located_fingerprints
from sctx_tui.graph.symbol_spans import Place, Span, line_spans, node_spans

if TYPE_CHECKING:
    from tree_sitter import Tree

    from sctx_tui.graph.canonical.stream import Found

Hashes = tuple[str | None, str | None]


def symbol_hashes(source: bytes, language: str, tree: Tree, facts: FileFacts) -> tuple[str, list[Hashes]]:
    """The file's hash, and by symbol that of the whole of it and that of its body, whatever its name.

    A module's hash is the file's, and it has no body; symbols that don't stand for themselves, or
    in code that is a string, have neither.
    """
    symbols = facts["symbols"]
    own = [index for index in range(1, len(symbols)) if public_symbol(facts, index) == index]
    places = [Place(row[START], row[END], row[NAME]) for row in symbols]
    known = own
    are_nodes = not tree.root_node.has_error

    def locate(found: Found) -> Sequence[Span]:
        nonlocal are_nodes, known
        if found("definition"):
            known, spans = node_spans(source, language, found, places, own)
        else:  # code with errors, or a language known by name only
            known = own
            spans, found_nodes = line_spans(source, tree, [places[index] for index in own])
            are_nodes = are_nodes and found_nodes
        return spans

    whole, parts = located_fingerprints(source, language, locate, tree)
    if not are_nodes:
        # marks at odd places may come between what belongs together, and `ctx validate` hashes without any
        whole = file_hash(source, language, tree)
    hashes: list[Hashes] = [(None, None)] * len(symbols)
    hashes[0] = (whole, None)
    for position, index in enumerate(known):
        hashes[index] = (parts[2 * position], parts[2 * position + 1])
    return whole, hashes
