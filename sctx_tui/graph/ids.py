"""Ids of symbols as the index has them: `path::Class.method`, `path::<module>` for a file's own code."""

from __future__ import annotations

from sctx_tui.graph.facts import FileFacts, public_symbol, symbol_ids

MODULE = "<module>"


def file_of(symbol_id: str) -> str:
    """The path in an id; of a plain path, itself."""
    return symbol_id.partition("::")[0]


def base_of(symbol_id: str) -> str:
    """The id without its `#2`: what all of the same name share."""
    base, mark, number = symbol_id.rpartition("#")
    return base if mark and number.isdigit() else symbol_id


def public_ids(path: str, facts: FileFacts) -> list[str]:
    """The id that stands for each symbol of a file, by index: a lambda has that of the symbol around it."""
    ids = symbol_ids(path, facts)
    return [ids[public_symbol(facts, index)] for index in range(len(ids))]
