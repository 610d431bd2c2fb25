"""What the linker found, into the index: calls, links between files. Callers hold a transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from sctx_tui.graph.ids import file_of
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_edges import USED_BY_CAP, bounds


class CallRow(NamedTuple):
    """A call as it is stored; `callee` is None where only `candidates` are known."""

    caller: str
    callee: str | None
    line: int
    candidates: tuple[str, ...] = ()


def put_calls(store: Store, calls: Mapping[str, Sequence[CallRow]]) -> set[str]:
    """Make the calls of each file (by path) these; the files whose calls were others before."""
    changed: set[str] = set()
    number = store.value("SELECT coalesce(max(number), 0) FROM call_graph")
    fresh = number == 0
    rows: list[tuple[Any, ...]] = []
    candidates: list[tuple[str, int]] = []
    for path, of_file in calls.items():
        wanted = sorted({_row(call) for call in of_file}, key=_order)
        if not fresh:
            if wanted == _calls_of(store, path):
                continue
            store.execute("DELETE FROM call_graph WHERE caller_id >= ? AND caller_id < ?", bounds(path))
        changed.add(path)
        for row in wanted:
            number += 1
            rows.append((number, *row))
            if row[4]:
                candidates.extend((callee, number) for callee in json.loads(row[4]))
    store.execute_many("INSERT INTO call_graph VALUES (?, ?, ?, ?, ?, ?)", rows)
    store.execute_many("INSERT OR IGNORE INTO call_candidates VALUES (?, ?)", candidates)
    return changed


def _row(call: CallRow) -> tuple[Any, ...]:
    listed = json.dumps(call.candidates, ensure_ascii=False) if call.candidates else None
    return call.caller, call.callee, call.line, int(bool(call.candidates)), listed


def _order(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[0], row[2], row[1] or "", row[4] or ""


def _calls_of(store: Store, path: str) -> list[tuple[Any, ...]]:
    rows = store.rows(
        "SELECT caller_id, callee_id, line, is_ambiguous, candidates FROM call_graph"
        " WHERE caller_id >= ? AND caller_id < ?",
        bounds(path),
    )
    return sorted(rows, key=_order)


def put_links(
    store: Store, imports: Mapping[str, Mapping[str, int]], calls: Mapping[str, Sequence[CallRow]]
) -> None:
    """Make the links of each file these: imports (path -> imported path -> line), calls into other files."""
    touched: set[str] = set()
    for path in imports.keys() | calls.keys():
        wanted = _links(path, imports.get(path, {}), calls.get(path, ()))
        known = {
            target: (line, weight)
            for target, line, weight in store.rows(
                "SELECT target, import_line, weight FROM file_links WHERE source = ?", (path,)
            )
        }
        if wanted == known:
            continue
        touched.update(
            known.keys() ^ wanted.keys(), (t for t in known.keys() & wanted.keys() if known[t] != wanted[t])
        )
        store.execute("DELETE FROM file_links WHERE source = ?", (path,))
        store.execute_many(
            "INSERT INTO file_links VALUES (?, ?, ?, ?)",
            ((path, target, *link) for target, link in wanted.items()),
        )
        imported = sorted(target for target, (line, _) in wanted.items() if line)
        store.execute(
            "UPDATE files SET imports = ? WHERE path = ?", (json.dumps(imported, ensure_ascii=False), path)
        )
    count_dependents(store, touched)


def _links(path: str, imports: Mapping[str, int], calls: Iterable[CallRow]) -> dict[str, tuple[int, float]]:
    """Target -> (line of the import or 0, weight): an import weighs as much as a call, n calls as sqrt(n)."""
    counts: dict[str, int] = {}
    for call in calls:
        if call.callee is not None:
            target = file_of(call.callee)
            counts[target] = counts.get(target, 0) + 1
    targets = (imports.keys() | counts.keys()) - {path}
    return {
        target: (imports.get(target, 0), bool(target in imports) + sqrt(counts.get(target, 0)))
        for target in targets
    }


def count_dependents(store: Store, paths: Collection[str]) -> None:
    """Make `used_by` and its count say which files import each of `paths`."""
    if not paths:
        return
    rows = store.rows(
        "SELECT target, source FROM file_links WHERE import_line > 0"
        " AND target IN (SELECT value FROM json_each(?)) ORDER BY target, source",
        (json.dumps(list(paths)),),
    )
    dependents: dict[str, list[str]] = {path: [] for path in paths}
    for target, source in rows:
        dependents[target].append(source)
    store.execute_many(
        "UPDATE files SET used_by = ?, used_by_count = ? WHERE path = ?",
        (
            (json.dumps(sources[:USED_BY_CAP], ensure_ascii=False), len(sources), path)
            for path, sources in dependents.items()
        ),
    )


def drop_targets(store: Store, paths: Iterable[str]) -> list[str]:
    """Files that linked to any of `paths`, or had a call into it, before those files go."""
    rows = store.rows(
        "SELECT DISTINCT source FROM file_links WHERE target IN (SELECT value FROM json_each(?))",
        (json.dumps(list(paths)),),
    )
    return [source for (source,) in rows]


def mark_linked(store: Store) -> None:
    """Every file's calls are what `call_graph` says."""
    store.execute("UPDATE files SET is_linked = 1 WHERE is_linked = 0")


def unlinked(store: Store) -> list[str]:
    """Files whose calls may be others than `call_graph` says."""
    return [path for (path,) in store.rows("SELECT path FROM files WHERE is_linked = 0 AND language <> ''")]


def clear_moved(store: Store) -> None:
    """Withdraw the taints of callers that still reach a function where its file has moved to."""
    store.execute(
        "DELETE FROM taints WHERE reason = 'moved' AND EXISTS"
        " (SELECT 1 FROM call_graph WHERE caller_id = function_id AND callee_id = source_id)"
    )
