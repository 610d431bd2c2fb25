"""Ids of symbols: `path::Class.method`, `path::<module>` for a file's own code, `#2` for a second one."""

from __future__ import annotations

from sctx_tui.graph.facts import KIND, QUALNAME, FileFacts, public_symbol

MODULE = "<module>"


def file_of(symbol_id: str) -> str:
    """The path in an id; of a plain path, itself."""
    return symbol_id.partition("::")[0]


def base_of(symbol_id: str) -> str:
    """The id without its `#2`: what all of the same name share."""
    base, mark, number = symbol_id.rpartition("#")
    return base if mark and number.isdigit() else symbol_id


def public_ids(path: str, facts: FileFacts) -> list[str]:
    """The id of each symbol of a file, by index; a lambda has that of the named symbol around it.

    A type that shares its name with something that runs (TypeScript) is the second one, wherever it stands.
    """
    symbols = facts["symbols"]
    seen: dict[str, int] = {}
    ids = [""] * len(symbols)
    for index in sorted(range(len(symbols)), key=lambda index: symbols[index][KIND] == "interface"):
        row = symbols[index]
        if row[KIND] == "lambda":
            continue
        name = row[QUALNAME] if index else MODULE
        count = seen[name] = seen.get(name, 0) + 1
        ids[index] = f"{path}::{name}" if count == 1 else f"{path}::{name}#{count}"
    return [own or ids[public_symbol(facts, index)] for index, own in enumerate(ids)]
