"""Semantic hashes of a file and of each of its symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import END, START, FileFacts, public_symbol
from sctx_tui.graph.fingerprint import file_hash, fingerprints
from sctx_tui.graph.symbol_spans import symbol_spans

if TYPE_CHECKING:
    from tree_sitter import Tree

Hashes = tuple[str | None, str | None]


def symbol_hashes(source: bytes, language: str, tree: Tree, facts: FileFacts) -> tuple[str, list[Hashes]]:
    """The file's hash, and by symbol that of the whole of it and that of its body, whatever its name.

    A module's hash is the file's, and it has no body; symbols that don't stand for themselves have neither.
    """
    symbols = facts["symbols"]
    own = [index for index in range(1, len(symbols)) if public_symbol(facts, index) == index]
    spans, are_nodes = symbol_spans(
        source, tree, [(symbols[index][START], symbols[index][END]) for index in own]
    )
    whole, parts = fingerprints(source, language, [span for pair in spans for span in pair], tree)
    if not are_nodes or tree.root_node.has_error:
        # marks at odd places may come between what belongs together, and `ctx validate` hashes without any
        whole = file_hash(source, language, tree)
    hashes: list[Hashes] = [(None, None)] * len(symbols)
    hashes[0] = (whole, None)
    for position, index in enumerate(own):
        hashes[index] = (parts[2 * position], parts[2 * position + 1])
    return whole, hashes
