"""Edits after which nothing has to be linked again: what the linker reads is the same, if on other lines.

Comments, docstrings and layout are such edits. Lines pass through the linker without being looked at, so that
an edge that was found before can follow its call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sctx_tui.graph.facts import DOC, END, MUTATES, SIGNATURE, START, FileFacts
from sctx_tui.graph.ids import base_of, public_ids

# Records with a line, which is their second item.
_CALLS = ("calls", "reads", "writes")
# What a symbol says to people, not to the linker.
_FOR_PEOPLE = frozenset((START, END, SIGNATURE, DOC, MUTATES))

CallLines = dict[tuple[str, int], int]  # (id of the caller, line before) -> line now
ImportLines = dict[int, int]


def moved_lines(path: str, old: FileFacts, new: FileFacts) -> tuple[CallLines, ImportLines] | None:
    """Where the calls and imports of a file stand now; None where the linker may come to another answer."""
    if _without_lines(old) != _without_lines(new):
        return None
    ids = public_ids(path, new)
    if any(base_of(own) != own for own in ids):
        return None  # duplicates may have changed places
    calls = _map(
        ((ids[before[0]], before[1]), after[1])
        for kind in _CALLS
        for before, after in zip(_rows(old, kind), _rows(new, kind), strict=True)
    )
    imports = _map((a[1], b[1]) for a, b in zip(old["imports"], new["imports"], strict=True))
    return None if calls is None or imports is None else (calls, imports)


def _rows(facts: FileFacts, kind: str) -> Sequence[Any]:
    rows: Sequence[Any] = facts[kind]  # type: ignore[literal-required]
    return rows


def _without_lines(facts: FileFacts) -> dict[str, Any]:
    """The facts as the linker sees them."""
    found: dict[str, Any] = dict(facts)
    found["symbols"] = [
        tuple(item for index, item in enumerate(row) if index not in _FOR_PEOPLE) for row in facts["symbols"]
    ]
    found["imports"] = [(row[0], *row[2:]) for row in facts["imports"]]
    for kind in _CALLS:
        found[kind] = [(row[0], *row[2:]) for row in _rows(facts, kind)]
    return found


def _map(pairs: Iterable[tuple[Any, int]]) -> dict[Any, int] | None:
    """The pairs as a dict; None when what stood on one line stands on two now."""
    found: dict[Any, int] = {}
    for before, after in pairs:
        if found.setdefault(before, after) != after:
            return None
    return found
