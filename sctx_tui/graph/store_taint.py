"""The taint queue: functions that have to be looked at again because something they call has changed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sctx_tui.graph.store import Store
from sctx_tui.graph.store_edges import bounds


class Taint(NamedTuple):
    """One reason to look at a function again, as it is written to the queue."""

    function: str  # id
    source: str  # id of what changed
    reason: str  # signature, removed, renamed, moved, marked
    is_candidate: bool
    signature_before: str | None


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One reason to look at a function again, as it is read from the queue."""

    function: str
    source: str
    reason: str
    is_candidate: bool
    priority: float  # 1 + fan-in; below 1 for candidates
    signature_before: str | None
    created_at: str  # UTC, ISO 8601


def add(store: Store, taints: Iterable[Taint], time: str) -> None:
    """Queue taints and flag their functions. A source that taints again keeps its first signature."""
    rows = [(*taint, time) for taint in taints]
    store.execute_many(
        "INSERT INTO taints (function_id, source_id, reason, is_candidate, signature_before, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " reason = CASE reason WHEN 'marked' THEN reason ELSE excluded.reason END,"
        " is_candidate = min(is_candidate, excluded.is_candidate)",
        rows,
    )
    refresh(store, {row[0] for row in rows})


def clear(store: Store, function: str) -> bool:
    """Take a function out of the queue, whatever its sources; whether it was there."""
    with store.transaction():
        removed = store.execute("DELETE FROM taints WHERE function_id = ?", (function,)).rowcount
        refresh(store, (function,))
        return removed > 0


def sources_in(store: Store, path: str) -> set[str]:
    """Functions of a file, there or gone, that caused taints."""
    rows = store.rows(
        "SELECT DISTINCT source_id FROM taints WHERE source_id >= ? AND source_id < ?", bounds(path)
    )
    return {source for (source,) in rows}


def clear_restored(store: Store, signatures: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Withdraw what these sources (id, signature) caused where the signature is again what it was before.

    Returns the (function, source) pairs that are withdrawn.
    """
    withdrawn: set[tuple[str, str]] = set()
    for source, signature in signatures:
        restored = "source_id = ? AND signature_before = ? AND reason <> 'marked'"
        found = store.rows(f"SELECT function_id FROM taints WHERE {restored}", (source, signature))
        withdrawn.update((function, source) for (function,) in found)
        store.execute(f"DELETE FROM taints WHERE {restored}", (source, signature))
    refresh(store, {function for function, _ in withdrawn})
    return withdrawn


def refresh_file(store: Store, path: str) -> None:
    """Make the flags in a file say what the queue says, after its functions were written anew."""
    rows = store.rows(
        "SELECT DISTINCT function_id FROM taints WHERE function_id >= ? AND function_id < ?", bounds(path)
    )
    refresh(store, [function for (function,) in rows])


def refresh_all(store: Store) -> None:
    """Make every priority and flag say what the queue says, flags without an entry in it too."""
    flagged = "SELECT function_id FROM taints UNION SELECT id FROM functions WHERE is_tainted"
    refresh(store, [function for (function,) in store.rows(flagged)])


def refresh(store: Store, functions: Collection[str]) -> None:
    """Make priorities, and the flags in `functions`, say what the queue says."""
    if not functions:
        return
    ids = json.dumps(list(functions))
    store.execute(
        # A candidate's x/(x + 1) stays below every certain caller's 1 + fan-in.
        "UPDATE taints SET priority = (SELECT CASE WHEN is_candidate THEN n / (n + 1.0) ELSE n + 1 END FROM"
        " (SELECT count(DISTINCT caller_id) AS n FROM call_graph WHERE callee_id = function_id))"
        " WHERE function_id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    store.execute(
        "UPDATE functions SET taint_source = (SELECT source_id FROM taints WHERE function_id = id"
        " ORDER BY is_candidate, created_at, source_id LIMIT 1),"
        " is_tainted = EXISTS (SELECT 1 FROM taints WHERE function_id = id)"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (ids,),
    )


def drop_missing(store: Store) -> None:
    """Forget taints of functions that are gone."""
    store.execute("DELETE FROM taints WHERE function_id NOT IN (SELECT id FROM functions)")


def queue(store: Store, file: str | None = None) -> list[QueueEntry]:
    """The queue, most depended-on first; of one file only when `file` is given."""
    where = "WHERE function_id IN (SELECT id FROM functions WHERE file = ?)" if file is not None else ""
    rows = store.rows(
        "SELECT function_id, source_id, reason, is_candidate, priority, signature_before, created_at"
        f" FROM taints {where} ORDER BY is_candidate, priority DESC, function_id, source_id",
        (file,) if file is not None else (),
    )
    return [QueueEntry(f, s, r, bool(c), *rest) for f, s, r, c, *rest in rows]
