"""Calls between functions, links between files: reading."""

from __future__ import annotations

import json
from collections.abc import Collection
from sys import intern
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


class Sites(NamedTuple):
    """The first call between each two functions, by (far end, near end)."""

    certain: dict[tuple[str, str], int]  # its line, in the caller's file
    possible: dict[
        tuple[str, str], tuple[int, str]
    ]  # where none is certain: the line and `candidates` as kept


def sites_to(store: Store, ids: Collection[str]) -> Sites:
    """Where others call any of `ids`, or perhaps do; calls among `ids` are left out."""
    return _sites(
        store,
        "SELECT caller_id, callee_id, line FROM call_graph"
        " WHERE callee_id IN (SELECT value FROM json_each(?))",
        "SELECT g.caller_id, c.callee_id, g.line, g.candidates"
        " FROM call_candidates c JOIN call_graph g ON g.number = c.call"
        " WHERE c.callee_id IN (SELECT value FROM json_each(?))",
        ids,
    )


def sites_from(store: Store, ids: Collection[str]) -> Sites:
    """Where any of `ids` call others, or perhaps do; calls among `ids` are left out."""
    return _sites(
        store,
        "SELECT callee_id, caller_id, line FROM call_graph"
        " WHERE caller_id IN (SELECT value FROM json_each(?)) AND callee_id IS NOT NULL",
        "SELECT c.callee_id, g.caller_id, g.line, g.candidates"
        " FROM call_graph g JOIN call_candidates c ON c.call = g.number"
        " WHERE g.caller_id IN (SELECT value FROM json_each(?)) AND g.is_ambiguous",
        ids,
    )


def _sites(store: Store, certain: str, possible: str, ids: Collection[str]) -> Sites:
    wanted, inside = (json.dumps(list(ids)),), frozenset(ids)
    found = Sites({}, {})
    lines = found.certain
    for far, near, line in store.rows(certain, wanted):
        if far not in inside:
            pair = far, near
            if lines.get(pair, line) >= line:
                lines[pair] = line
    for far, near, line, candidates in store.rows(possible, wanted):
        pair = far, near
        if far not in inside and pair not in lines:
            found.possible[pair] = min(found.possible.get(pair, (line, candidates)), (line, candidates))
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
        found.setdefault(path, []).append((intern(other), weight))  # each path comes many times
    return found


def linked(store: Store) -> list[str]:
    """The files with a link from or to another."""
    return [
        path for (path,) in store.rows("SELECT source FROM file_links UNION SELECT target FROM file_links")
    ]
