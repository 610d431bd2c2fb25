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


def calls_of(store: Store, path: str) -> list[CallRow]:
    """The calls that a file makes."""
    return [
        CallRow(caller, callee, line, tuple(json.loads(listed)) if listed else ())
        for caller, callee, line, _, listed in _calls_of(store, path)
    ]


def import_lines(store: Store, path: str) -> list[tuple[str, int]]:
    """The files that a file imports, each with the line where it does."""
    rows = store.rows(
        "SELECT target, import_line FROM file_links WHERE source = ? AND import_line > 0", (path,)
    )
    return [(target, line) for target, line in rows]


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
        touched.update((path,), known.keys() | wanted.keys())
        store.execute("DELETE FROM file_links WHERE source = ?", (path,))
        store.execute_many(
            "INSERT INTO file_links VALUES (?, ?, ?, ?)",
            ((path, target, *link) for target, link in wanted.items()),
        )
    show_links(store, touched)


def _links(path: str, imports: Mapping[str, int], calls: Iterable[CallRow]) -> dict[str, tuple[int, float]]:
    """Target -> (line of the import or 0, weight): an import weighs as much as a call, n calls as sqrt(n).

    Calls of one function from one line of another count once, as they are kept.
    """
    counts: dict[str, int] = {}
    for call in dict.fromkeys(calls):
        if call.callee is not None:
            target = file_of(call.callee)
            counts[target] = counts.get(target, 0) + 1
    targets = (imports.keys() | counts.keys()) - {path}
    return {
        target: (imports.get(target, 0), bool(target in imports) + sqrt(counts.get(target, 0)))
        for target in targets
    }


def show_links(store: Store, paths: Collection[str]) -> None:
    """Make `imports`, `used_by` and its count in the rows of these files say what `file_links` says."""
    if not paths:
        return
    wanted = json.dumps(list(paths))
    rows = store.rows(
        "SELECT source, target FROM file_links WHERE import_line > 0"
        " AND source IN (SELECT value FROM json_each(?))"
        " UNION SELECT source, target FROM file_links WHERE import_line > 0"
        " AND target IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (wanted, wanted),
    )
    imports: dict[str, list[str]] = {path: [] for path in paths}
    dependents: dict[str, list[str]] = {path: [] for path in paths}
    for source, target in rows:
        if source in imports:
            imports[source].append(target)
        if target in dependents:
            dependents[target].append(source)
    store.execute_many(
        "UPDATE files SET imports = ?, used_by = ?, used_by_count = ? WHERE path = ?",
        (
            (_array(imports[path]), _array(dependents[path][:USED_BY_CAP]), len(dependents[path]), path)
            for path in paths
        ),
    )


def _array(paths: Sequence[str]) -> str:
    return json.dumps(paths, ensure_ascii=False)


def clear_moved(store: Store) -> None:
    """Withdraw the taints of callers that still reach a function where its file has moved to."""
    store.execute(
        "DELETE FROM taints WHERE reason = 'moved' AND EXISTS"
        " (SELECT 1 FROM call_graph WHERE caller_id = function_id AND callee_id = source_id)"
    )
