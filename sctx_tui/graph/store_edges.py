"""Calls between functions, links between files: reading."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from sctx_tui.graph.store import Row, Store

USED_BY_CAP = 15  # paths kept in files.used_by; the count beside it is exact


class Call(NamedTuple):
    """A call; an ambiguous one comes once for each candidate."""

    caller: str
    callee: str
    line: int  # in the caller's file
    ambiguous: bool
    candidates: tuple[str, ...]


class Link(NamedTuple):
    """A file that imports another, or calls into it."""

    source: str
    target: str
    import_line: int  # 0: calls only


def bounds(path: str) -> tuple[str, str]:
    """The ids of a file's functions are those from the first to before the second text."""
    return f"{path}::", f"{path}:;"


def _call(row: Row) -> Call:
    caller, callee, line, ambiguous, candidates = row
    return Call(caller, callee, line, bool(ambiguous), tuple(json.loads(candidates)) if candidates else ())


def callers(store: Store, ids: Collection[str]) -> list[Call]:
    """The calls to any of `ids`, by caller and line; calls for which one of them is only a candidate, too."""
    wanted = json.dumps(list(ids))
    rows = store.rows(
        "SELECT caller_id, callee_id, line, is_ambiguous, candidates FROM call_graph"
        " WHERE callee_id IN (SELECT value FROM json_each(?))"
        " UNION SELECT g.caller_id, c.callee_id, g.line, g.is_ambiguous, g.candidates"
        " FROM call_candidates c JOIN call_graph g ON g.number = c.call"
        " WHERE c.callee_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 3, 2",
        (wanted, wanted),
    )
    return [_call(row) for row in rows]


def callees(store: Store, ids: Collection[str]) -> list[Call]:
    """The calls that any of `ids` makes, by caller and line; ambiguous ones once for each candidate."""
    rows = store.rows(
        "SELECT caller_id, callee_id, line, is_ambiguous, candidates FROM call_graph"
        " WHERE caller_id IN (SELECT value FROM json_each(?)) ORDER BY caller_id, line, callee_id",
        (json.dumps(list(ids)),),
    )
    found: list[Call] = []
    for row in rows:
        call = _call(row)
        ends = dict.fromkeys(([call.callee] if call.callee else []) + list(call.candidates))
        found.extend(call._replace(callee=end) for end in ends)
    return found


def fan_in(store: Store, ids: Collection[str]) -> dict[str, int]:
    """How many functions certainly call each of `ids`; those that none calls are left out."""
    rows = store.rows(
        "SELECT callee_id, count(DISTINCT caller_id) FROM call_graph"
        " WHERE callee_id IN (SELECT value FROM json_each(?)) GROUP BY callee_id",
        (json.dumps(list(ids)),),
    )
    return dict(rows)


def imports(store: Store, path: str) -> list[Link]:
    """The files that `path` imports, by path."""
    rows = store.rows(
        "SELECT source, target, import_line FROM file_links"
        " WHERE source = ? AND import_line > 0 ORDER BY target",
        (path,),
    )
    return [Link(*row) for row in rows]


def dependents(store: Store, path: str) -> list[Link]:
    """The files that import `path`, by path."""
    rows = store.rows(
        "SELECT source, target, import_line FROM file_links"
        " WHERE target = ? AND import_line > 0 ORDER BY source",
        (path,),
    )
    return [Link(*row) for row in rows]


def links_from(store: Store, paths: Collection[str]) -> dict[str, list[tuple[str, float]]]:
    """For each of `paths`, the files that it imports or calls into, with the weight of the link."""
    return _links(
        store,
        "SELECT source, target, weight FROM file_links"
        " WHERE source IN (SELECT value FROM json_each(?)) ORDER BY source, target",
        paths,
    )


def links_to(store: Store, paths: Collection[str]) -> dict[str, list[tuple[str, float]]]:
    """For each of `paths`, the files that import it or call into it, with the weight of the link."""
    return _links(
        store,
        "SELECT target, source, weight FROM file_links"
        " WHERE target IN (SELECT value FROM json_each(?)) ORDER BY target, source",
        paths,
    )


def _links(store: Store, sql: str, paths: Collection[str]) -> dict[str, list[tuple[str, float]]]:
    found: dict[str, list[tuple[str, float]]] = {}
    for path, other, weight in store.rows(sql, (json.dumps(list(paths)),)):
        found.setdefault(path, []).append((other, weight))
    return found


def all_links(store: Store) -> list[tuple[str, str, float]]:
    """Every link: source, target, weight."""
    return [(s, t, w) for s, t, w in store.rows("SELECT source, target, weight FROM file_links")]
