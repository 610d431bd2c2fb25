"""What the indexer writes: parsed files, renames, deletions. Callers hold a transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sctx_tui.graph import seal
from sctx_tui.graph import store_schema as schema
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_edges import bounds
from sctx_tui.graph.store_links import show_links
from sctx_tui.graph.taint import Standing, Version
from sctx_tui.graph.worker import PARSED_COLUMNS

_FACTS = b"facts"


class Known(NamedTuple):
    """What the index remembers of a file, to see whether it has changed."""

    stat: str | None
    content_hash: str | None
    language: str


class FileRow(NamedTuple):
    """A file's new row; columns that are not here keep what they have."""

    path: str
    language: str
    problem: str | None
    system: str
    purpose: str | None
    summary: str | None
    danger: str | None
    last_change: str | None
    exports: str
    semantic_hash: str | None
    content_hash: str | None
    stat: str | None
    lines: int
    size: int
    confidence: float
    is_stale: bool
    described_hash: str | None


class Text(NamedTuple):
    """What somebody wrote about a file or a function."""

    value: str
    about: str | None  # semantic hash of its subject then
    source: str  # person, agent, model; git


class FileState(NamedTuple):
    """A file's row as far as its new version depends on it."""

    content_hash: str | None
    semantic_hash: str | None
    standing: Standing


def known_files(store: Store) -> dict[str, Known]:
    """Every file of the index."""
    rows = store.rows("SELECT path, stat, content_hash, language FROM files")
    return {path: Known(*rest) for path, *rest in rows}


def known_file(store: Store, path: str) -> Known | None:
    """One of them, or None."""
    row = store.row("SELECT stat, content_hash, language FROM files WHERE path = ?", (path,))
    return Known(*row) if row else None


def file_count(store: Store) -> int:
    """How many files the index has."""
    return int(store.value("SELECT count(*) FROM files"))


def is_loaded(store: Store) -> bool:
    """Whether the first load is over: then the full-text index follows every change by itself."""
    return bool(store.value("SELECT 1 FROM sqlite_master WHERE name = 'files_text_update'"))


def finish_load(store: Store) -> None:
    """Make what the first load did without: indexes, and the full-text index with its triggers."""
    if not is_loaded(store):
        rebuild_texts(store)
        for statement in schema.statements(schema.INDEXES):
            store.execute(statement)


def rebuild_texts(store: Store) -> None:
    """Make the full-text index anew from the rows."""
    for table in ("functions_text", "files_text"):
        store.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")


def file_states(store: Store, paths: Collection[str]) -> dict[str, FileState]:
    """The state of those of `paths` that the index knows."""
    rows = store.rows(
        "SELECT path, content_hash, semantic_hash, described_hash, confidence, is_stale FROM files"
        " WHERE path IN (SELECT value FROM json_each(?))",
        (json.dumps(list(paths)),),
    )
    return {
        path: FileState(content, semantic, Standing(described, confidence, bool(stale)))
        for path, content, semantic, described, confidence, stale in rows
    }


def versions(store: Store, path: str) -> list[tuple[Version, Standing]]:
    """The functions of a file as they are indexed, in source order."""
    rows = store.rows(
        "SELECT id, kind, signature, semantic_hash, body_hash, described_hash, confidence, is_stale"
        " FROM functions WHERE file = ? ORDER BY number",
        (path,),
    )
    return [(Version(*row[:5]), Standing(row[5], row[6], bool(row[7]))) for row in rows]


def texts(store: Store, path: str) -> dict[str, dict[str, Text]]:
    """What was written about a file and its functions: target -> field -> text."""
    rows = store.rows(
        "SELECT target, field, value, semantic_hash, source FROM written WHERE kind = 'file' AND target = ?"
        " UNION ALL SELECT target, field, value, semantic_hash, source FROM written"
        " WHERE kind = 'function' AND target >= ? AND target < ?",
        (path, *bounds(path)),
    )
    found: dict[str, dict[str, Text]] = {}
    for target, field, *text in rows:
        found.setdefault(target, {})[field] = Text(*text)
    return found


def has_texts(store: Store) -> bool:
    """Whether anybody wrote anything about a file or function."""
    return bool(store.value("SELECT 1 FROM written WHERE kind IN ('file', 'function') LIMIT 1"))


def put_files(store: Store, rows: Iterable[FileRow]) -> None:
    """Insert or replace files; what says how far a file is accepted, imported and so on stays."""
    columns = FileRow._fields
    updates = ", ".join(f"{column} = excluded.{column}" for column in columns if column != "path")
    store.execute_many(
        f"INSERT INTO files ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        f" ON CONFLICT (path) DO UPDATE SET {updates}",
        rows,
    )


def touch_files(store: Store, rows: Iterable[tuple[str | None, str]]) -> None:
    """Remember (stat, path) of files whose content is what it was."""
    store.execute_many("UPDATE files SET stat = ? WHERE path = ?", rows)


FUNCTION_COLUMNS = ("file", *PARSED_COLUMNS, "danger", "described_hash", "confidence", "is_stale")


def put_functions(store: Store, rows: Iterable[Sequence[Any]]) -> None:
    """Insert functions, as FUNCTION_COLUMNS; those of the same files were dropped before."""
    store.execute_many(
        f"INSERT INTO functions ({', '.join(FUNCTION_COLUMNS)})"
        f" VALUES ({', '.join('?' * len(FUNCTION_COLUMNS))})",
        rows,
    )


def drop_functions(store: Store, paths: Iterable[str]) -> None:
    """Delete the functions of files, and nothing that hangs on them."""
    store.execute_many("DELETE FROM functions WHERE file = ?", ((path,) for path in paths))


def put_facts(store: Store, rows: Iterable[tuple[str, bytes]]) -> None:
    """Keep what the linker needs of files."""
    key = seal.key()
    store.execute_many(
        "INSERT OR REPLACE INTO facts (path, data) VALUES (?, ?)",
        ((path, seal.sealed(data, key, _FACTS)) for path, data in rows),
    )


def drop_facts(store: Store, paths: Iterable[str]) -> None:
    """Forget what the linker needed of files that are no longer parsed."""
    store.execute_many("DELETE FROM facts WHERE path = ?", ((path,) for path in paths))


def facts(store: Store, path: str) -> bytes | None:
    """What the linker needs of a file, as the worker packed it; None where no run of this user did."""
    found: bytes | None = store.value("SELECT data FROM facts WHERE path = ?", (path,))
    return None if found is None else seal.opened(found, seal.key(), _FACTS)


def all_facts(store: Store, *, without: Collection[str] = ()) -> Iterator[tuple[str, bytes | None]]:
    """The same for every file that has any, but for some; one at a time, by path."""
    paths = [path for (path,) in store.rows("SELECT path FROM facts ORDER BY path") if path not in without]
    for path in paths:
        yield path, facts(store, path)


def forget_strangers(store: Store) -> None:
    """Drop calls and links by what the index doesn't have, which an index of somebody else's may hold."""
    store.execute("DELETE FROM call_graph WHERE caller_id NOT IN (SELECT id FROM functions)")
    for end in ("source", "target"):
        store.execute(f"DELETE FROM file_links WHERE {end} NOT IN (SELECT path FROM files)")


def delete_files(store: Store, paths: Iterable[str]) -> None:
    """Delete files with functions, facts and calls. What was written about them waits for their return."""
    linked: set[str] = set()
    for path in paths:
        linked.update(_linked(store, path))
        store.execute("DELETE FROM call_graph WHERE caller_id >= ? AND caller_id < ?", bounds(path))
        store.execute("DELETE FROM file_links WHERE source = ? OR target = ?", (path, path))
        store.execute("DELETE FROM files WHERE path = ?", (path,))
    show_links(store, linked)


def _linked(store: Store, path: str) -> list[str]:
    rows = store.rows(
        "SELECT target FROM file_links WHERE source = ? UNION SELECT source FROM file_links WHERE target = ?",
        (path, path),
    )
    return [other for (other,) in rows]


def move_file(store: Store, old: str, new: str) -> None:
    """Give a file another path, everywhere: rows, ids, edges, texts, scopes, taints."""
    store.execute("UPDATE files SET path = ?, stat = NULL WHERE path = ?", (new, old))
    for table, column in (
        ("functions", "id"),
        ("call_graph", "caller_id"),
        ("call_graph", "callee_id"),
        ("call_candidates", "callee_id"),
        ("taints", "function_id"),
        ("taints", "source_id"),
        ("functions", "taint_source"),
        ("dangers", "scope"),
        ("decisions", "scope"),
    ):
        store.execute(
            f"UPDATE OR REPLACE {table} SET {column} = ? || substr({column}, ?)"
            f" WHERE {column} >= ? AND {column} < ?",
            (new, len(old) + 1, *bounds(old)),
        )
    store.execute(
        "UPDATE OR REPLACE written SET target = ? || substr(target, ?)"
        " WHERE kind = 'function' AND target >= ? AND target < ?",
        (new, len(old) + 1, *bounds(old)),
    )
    store.execute("UPDATE OR REPLACE written SET target = ? WHERE kind = 'file' AND target = ?", (new, old))
    store.execute("UPDATE OR REPLACE file_links SET source = ? WHERE source = ?", (new, old))
    store.execute("UPDATE OR REPLACE file_links SET target = ? WHERE target = ?", (new, old))
    for table, column in (("dangers", "scope"), ("decisions", "scope"), ("changes", "file")):
        store.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, old))
    store.execute(
        "UPDATE session_log SET files_touched ="
        " (SELECT json_group_array(iif(value = ?, ?, value)) FROM json_each(files_touched))"
        " WHERE json_valid(files_touched)"
        " AND EXISTS (SELECT 1 FROM json_each(files_touched) WHERE value = ?)",
        (old, new, old),
    )
    show_links(store, [new, *_linked(store, new)])


def move_folder(store: Store, old: str, new: str) -> None:
    """Let what is said of a folder, and of patterns below it, follow it; its files have moved before."""
    store.execute(
        "UPDATE OR REPLACE written SET target = ? WHERE kind = 'directory' AND target = ?", (new, old)
    )
    for table in ("dangers", "decisions"):
        store.execute(
            f"UPDATE {table} SET scope = ? || substr(scope, ?) WHERE scope IN (?, ?)"
            " OR (scope >= ? AND scope < ? AND scope GLOB '*[[*?{]*')",
            (new, len(old) + 1, old, f"{old}/", f"{old}/", f"{old}0"),
        )


def move_functions(store: Store, moves: Mapping[str, str]) -> None:
    """Let what hangs on functions follow them to other ids (old -> new), swaps included. Not their rows."""
    pairs = [(new, old) for old, new in moves.items() if new != old]
    for table, column, kind in (
        ("written", "target", " AND kind = 'function'"),
        ("taints", "function_id", ""),
        ("taints", "source_id", ""),
        ("call_graph", "caller_id", ""),
        ("call_graph", "callee_id", ""),
        ("dangers", "scope", ""),
        ("decisions", "scope", ""),
    ):
        # By way of a name that no id can have, or `a -> b, b -> a` would end as two of one.
        store.execute_many(
            f"UPDATE OR REPLACE {table} SET {column} = char(0) || ? WHERE {column} = ?{kind}", pairs
        )
        store.execute_many(
            f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {column} = char(0) || ?{kind}",
            ((new, new) for new, _ in pairs),
        )


def put_systems(store: Store, systems: Mapping[str, str]) -> None:
    """Set the system of files (by path), but where somebody wrote another."""
    store.execute_many(
        "UPDATE files SET system = ? WHERE path = ? AND system <> ? AND NOT EXISTS"
        " (SELECT 1 FROM written WHERE kind = 'file' AND target = path AND field = 'system')",
        ((system, path, system) for path, system in systems.items()),
    )


def put_directories(store: Store, counts: Mapping[str, int]) -> None:
    """Make the folders these, with their numbers of files; purposes stay."""
    known: dict[str, int] = dict(store.rows("SELECT path, file_count FROM directories"))
    store.execute_many(
        "DELETE FROM directories WHERE path = ?", ((path,) for path in known.keys() - counts.keys())
    )
    store.execute_many(
        "INSERT INTO directories (path, parent, file_count, purpose) VALUES (?, ?, ?,"
        " (SELECT value FROM written WHERE kind = 'directory' AND target = ? AND field = 'purpose'))"
        " ON CONFLICT (path) DO UPDATE SET file_count = excluded.file_count",
        (
            (path, path.rpartition("/")[0] if path else None, count, path)
            for path, count in counts.items()
            if known.get(path) != count
        ),
    )
