"""What people and agents wrote: descriptions, dangers, decisions, the session log, changes.

Every function that writes opens a transaction of its own, or joins the caller's. `source` says who wrote:
"person", "agent" or "model"; "git" for changes taken from commits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sctx_tui.graph import store_taint
from sctx_tui.graph.store import Store

FIELDS = {
    "file": ("purpose", "summary", "danger", "last_change", "system"),
    "function": ("summary", "summary_long", "danger", "mutates"),
    "directory": ("purpose",),
}
TABLES = {"file": ("files", "path"), "function": ("functions", "id"), "directory": ("directories", "path")}
SESSION_KEPT = 10
CHANGES_KEPT = 20  # for each file


@dataclass(frozen=True, slots=True)
class Danger:
    """An invariant that holds for a scope: `*`, a path, a folder, a glob or a function id."""

    id: int
    scope: str
    description: str
    reason: str | None
    source: str
    created_at: str  # UTC, ISO 8601


@dataclass(frozen=True, slots=True)
class Decision:
    """A design choice that holds for a scope, with what was rejected."""

    id: int
    scope: str
    decision: str
    alternatives: tuple[str, ...]
    reason: str | None
    source: str
    created_at: str


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """What an agent did ("log") or is about to do ("plan")."""

    id: int
    kind: str
    entry: str
    files_touched: tuple[str, ...]
    source: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a file in a sentence; `commit_id` where it came from a commit."""

    file: str
    summary: str
    source: str
    commit_id: str | None
    created_at: str


def now() -> str:
    """The time as the index stores it: UTC, ISO 8601, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def describe(store: Store, kind: str, target: str, fields: Mapping[str, str], *, source: str) -> bool:
    """Write texts about a file, function or directory; whether the index knows the target.

    `mutates` is a JSON array; an empty text removes its field. The row counts as described now: not stale,
    with confidence 1. A function's taint is cleared unless a model wrote: that is no second look at a call.
    KeyError: a field that this kind doesn't have.
    """
    table, key = TABLES[kind]
    unknown = set(fields) - set(FIELDS[kind])
    if unknown:
        raise KeyError(f"a {kind} has no {', '.join(sorted(unknown))}")
    with store.transaction():
        known = store.row(f"SELECT 1 FROM {table} WHERE {key} = ?", (target,))
        if not known:
            return False
        about = _subject(store, kind, target)
        for field, value in fields.items():
            _write(store, (kind, target, field), value, source, about)
        if kind != "directory":
            _mark_described(store, kind, target)
        if kind == "function" and source != "model":
            store_taint.clear(store, target)
        return True


def _subject(store: Store, kind: str, target: str) -> str | None:
    """What a text is about: a semantic hash; of a directory its number of files."""
    table, key = TABLES[kind]
    column = "file_count" if kind == "directory" else "semantic_hash"
    found = store.value(f"SELECT {column} FROM {table} WHERE {key} = ?", (target,))
    return None if found is None else str(found)


def _write(store: Store, key: tuple[str, str, str], value: str, source: str, hashed: str | None) -> None:
    kind, target, field = key
    table, column = TABLES[kind]
    if value:
        store.execute(
            "INSERT OR REPLACE INTO written VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*key, value, source, hashed, now()),
        )
        store.execute(f"UPDATE {table} SET {field} = ? WHERE {column} = ?", (value, target))
    else:
        store.execute("DELETE FROM written WHERE kind = ? AND target = ? AND field = ?", key)
        empty = {"mutates": "[]", "system": ""}.get(field)
        store.execute(f"UPDATE {table} SET {field} = ? WHERE {column} = ?", (empty, target))


def _mark_described(store: Store, kind: str, target: str) -> None:
    table, key = TABLES[kind]
    store.execute(
        f"UPDATE {table} SET described_hash = semantic_hash, is_stale = 0, confidence = 1.0 WHERE {key} = ?",
        (target,),
    )
    if kind == "file":
        accept(store, target)
    elif not store.value(
        "SELECT count(*) FROM functions WHERE is_stale AND file = (SELECT file FROM functions WHERE id = ?)",
        (target,),
    ):
        # Every function of the file is described: so is what a commit of it would hold.
        store.execute(
            "UPDATE files SET accepted_hash = semantic_hash"
            " WHERE path = (SELECT file FROM functions WHERE id = ?)",
            (target,),
        )


def accept(store: Store, path: str, staged_hash: str | None = None) -> None:
    """Let a commit have the file as it is indexed, and as it is staged where that differs."""
    store.execute(
        "UPDATE files SET accepted_hash = semantic_hash, staged_hash = ? WHERE path = ?", (staged_hash, path)
    )


def written(store: Store, kind: str, target: str) -> dict[str, tuple[str, str]]:
    """What was written about a target: field -> (text, source)."""
    rows = store.rows(
        "SELECT field, value, source FROM written WHERE kind = ? AND target = ?", (kind, target)
    )
    return {field: (value, source) for field, value, source in rows}


def add_danger(store: Store, scope: str, description: str, *, reason: str | None = None, source: str) -> int:
    """Record a danger; its id. The same text for the same scope is recorded once."""
    with store.transaction():
        known = store.value(
            "SELECT id FROM dangers WHERE scope = ? AND description = ?", (scope, description)
        )
        if known is not None:
            return int(known)
        cursor = store.execute(
            "INSERT INTO dangers (scope, description, reason, source, created_at) VALUES (?, ?, ?, ?, ?)",
            (scope, description, reason, source, now()),
        )
        return int(cursor.lastrowid or 0)


def add_decision(
    store: Store,
    scope: str,
    decision: str,
    *,
    alternatives: Sequence[str] = (),
    reason: str | None = None,
    source: str,
) -> int:
    """Record a decision; its id. The same text for the same scope is recorded once."""
    with store.transaction():
        known = store.value("SELECT id FROM decisions WHERE scope = ? AND decision = ?", (scope, decision))
        if known is not None:
            return int(known)
        cursor = store.execute(
            "INSERT INTO decisions (scope, decision, alternatives, reason, source, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (scope, decision, json.dumps(list(alternatives), ensure_ascii=False), reason, source, now()),
        )
        return int(cursor.lastrowid or 0)


def dangers(store: Store) -> list[Danger]:
    """Every danger, oldest first."""
    rows = store.rows("SELECT id, scope, description, reason, source, created_at FROM dangers ORDER BY id")
    return [Danger(*row) for row in rows]


def described_dangers(store: Store) -> list[tuple[str, str, str]]:
    """(file or function, text, source) of every danger that was written at one, by target."""
    rows = store.rows("SELECT target, value, source FROM written WHERE field = 'danger' ORDER BY target")
    return [(target, text, source) for target, text, source in rows]


def decisions(store: Store) -> list[Decision]:
    """Every decision of the index, oldest first."""
    rows = store.rows(
        "SELECT id, scope, decision, alternatives, reason, source, created_at FROM decisions ORDER BY id"
    )
    return [Decision(i, s, d, tuple(json.loads(a)), *rest) for i, s, d, a, *rest in rows]


def remove_danger(store: Store, danger_id: int) -> bool:
    """Forget a danger; whether there was one."""
    with store.transaction():
        return store.execute("DELETE FROM dangers WHERE id = ?", (danger_id,)).rowcount > 0


def remove_decision(store: Store, decision_id: int) -> bool:
    """Forget a decision; whether there was one."""
    with store.transaction():
        return store.execute("DELETE FROM decisions WHERE id = ?", (decision_id,)).rowcount > 0


def log_session(
    store: Store, entry: str, *, kind: str = "log", files_touched: Sequence[str] = (), source: str
) -> int:
    """Add to the session log, of which the last 10 entries are kept; the entry's id."""
    with store.transaction():
        cursor = store.execute(
            "INSERT INTO session_log (kind, entry, files_touched, source, created_at) VALUES (?, ?, ?, ?, ?)",
            (kind, entry, json.dumps(list(files_touched), ensure_ascii=False), source, now()),
        )
        store.execute(
            "DELETE FROM session_log WHERE id NOT IN (SELECT id FROM session_log ORDER BY id DESC LIMIT ?)",
            (SESSION_KEPT,),
        )
        return int(cursor.lastrowid or 0)


def session(store: Store, limit: int = 3) -> list[SessionEntry]:
    """The last entries of the session log, newest first."""
    rows = store.rows(
        "SELECT id, kind, entry, files_touched, source, created_at FROM session_log ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [SessionEntry(i, k, e, tuple(json.loads(f)), *rest) for i, k, e, f, *rest in rows]


def log_changes(
    store: Store, changes: Sequence[tuple[str, str]], *, source: str, commit_id: str | None = None
) -> None:
    """Record (file, sentence) pairs and make each the file's last change; the last 20 a file are kept."""
    with store.transaction():
        time = now()
        for file, summary in changes:
            if commit_id is not None:  # the same commit again: an amended message, a hook that ran twice
                store.execute("DELETE FROM changes WHERE file = ? AND commit_id = ?", (file, commit_id))
            store.execute(
                "INSERT INTO changes (file, summary, source, commit_id, created_at) VALUES (?, ?, ?, ?, ?)",
                (file, summary, source, commit_id, time),
            )
            store.execute(
                "DELETE FROM changes WHERE file = ? AND id NOT IN"
                " (SELECT id FROM changes WHERE file = ? ORDER BY id DESC LIMIT ?)",
                (file, file, CHANGES_KEPT),
            )
            _write(store, ("file", file, "last_change"), summary, source, _subject(store, "file", file))


def forget_commit(store: Store, commit_id: str | None) -> None:
    """Drop the changes that a commit made which another has taken the place of."""
    with store.transaction():
        store.execute("DELETE FROM changes WHERE commit_id = ?", (commit_id,))


def changes(store: Store, file: str, limit: int = CHANGES_KEPT) -> list[Change]:
    """The last changes of a file, newest first."""
    rows = store.rows(
        "SELECT file, summary, source, commit_id, created_at FROM changes"
        " WHERE file = ? ORDER BY id DESC LIMIT ?",
        (file, limit),
    )
    return [Change(*row) for row in rows]
