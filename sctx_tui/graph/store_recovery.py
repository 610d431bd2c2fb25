"""An index that can't be used: what people and agents wrote is saved from it, and a new one takes its place.

The old file stays beside the new one, under another name. Derived tables of the new index are empty: the next
sync fills them.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import NamedTuple

from sctx_tui.graph import store_schema as schema
from sctx_tui.graph.lock import indexing
from sctx_tui.graph.store import DamagedIndex, NoIndex, Row, Store, StoreError, index_path

KEPT = 3  # unusable indexes; older ones are deleted
_COMPANIONS = ("", "-wal", "-shm")
_UNUSABLE = re.compile(r"index\.db\.unusable-\d{8}T\d{6}[.\d]*Z")
# Texts of an index without a table `written`: by an early version, or the program that ours succeeds.
_FOREIGN = (
    ("file", "files", "path", ("purpose", "summary", "danger", "last_change")),
    ("function", "functions", "id", ("summary", "summary_long", "danger")),
)


class Rescue(NamedTuple):
    """What became of an index that could not be used."""

    problem: str
    moved_to: str  # path of the old file
    saved: int  # texts, dangers, decisions, log entries, changes and taints that were carried over

    def __str__(self) -> str:
        saved = f"moved to {self.moved_to} (the last {KEPT} such files are kept), {self.saved} notes saved"
        return f"{self.problem}; {saved}; run `ctx sync` to fill it again"


def open_or_recover(
    root: str, *, create: bool = False, thorough: bool = False
) -> tuple[Store, Rescue | None]:
    """Open the index of `root`; one that can't be used is replaced first. Raises NoIndex, StoreError.

    `thorough`: look for damage everywhere, which takes about as long as reading the file.
    """
    try:
        store = Store.open(root, create=create)
        problem = damage(store) if thorough and not store.read_only else ""
        if not problem:
            return store, None
        store.close()
    except DamagedIndex as error:
        problem = str(error)
    rescue = set_aside(root, problem)
    return Store.open(root, create=create), rescue


def set_aside(root: str, problem: str) -> Rescue | None:
    """Put a new index in the place of one that can't be used; None when another process has done it."""
    path = index_path(root)
    with indexing(root):
        if _is_sound(root):
            return None
        fresh = f"{path}.new"
        _remove(fresh)
        try:
            saved = _carry_over(path, fresh, root)
            moved_to = _free_name(path)
            for companion in _COMPANIONS:
                with suppress(FileNotFoundError):
                    os.replace(path + companion, moved_to + companion)
            os.replace(fresh, path)
        except OSError as error:
            raise StoreError(f"{path} can't be replaced: {error.strerror}") from error
        _remove_old(os.path.dirname(path))
        return Rescue(problem, moved_to, saved)


def _is_sound(root: str) -> bool:
    try:
        with Store.open(root) as store:
            return not damage(store)
    except (DamagedIndex, NoIndex):
        return False


def damage(store: Store) -> str:
    """What is wrong with an open index, "" for nothing; it is read from end to end."""
    from sctx_tui.graph import store_index

    try:
        (found,), *_ = store.rows("PRAGMA integrity_check(1)")
        with store.transaction():  # SQLite itself doesn't compare the full-text index with the rows
            for table in ("functions_text", "files_text") if store_index.is_loaded(store) else ():
                store.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
    except DamagedIndex as error:
        return str(error)
    return "" if found == "ok" else f"{store.path} is damaged ({found})"


def _free_name(path: str) -> str:
    return f"{path}.unusable-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"


def _remove_old(directory: str) -> None:
    """Delete all but the newest of the indexes that were moved aside."""
    for name in sorted(filter(_UNUSABLE.fullmatch, os.listdir(directory)))[:-KEPT]:
        with suppress(OSError):
            _remove(os.path.join(directory, name))


def _remove(path: str) -> None:
    for companion in _COMPANIONS:
        with suppress(FileNotFoundError):
            os.remove(path + companion)


def _carry_over(old: str, new: str, root: str) -> int:
    """Make a new database at `new` with every written row of `old` that can still be read; their number."""
    with Store.make(new) as store, store.transaction():
        try:
            source = sqlite3.connect(old)
        except sqlite3.Error:
            return 0
        with closing(source):
            saved = sum(_copy(source, store, table) for table in schema.WRITTEN)
            saved += _foreign_texts(source, store)
            if saved:
                _follow_renames(source, store, root)
        return saved


def _follow_renames(source: sqlite3.Connection, store: Store, root: str) -> None:
    """Let texts follow the files that moved since the old index: the new one will not know that they did."""
    from sctx_tui.graph import changes, store_index
    from sctx_tui.listing import listed_files

    columns = _columns(source, "files")
    if not {"path", "content_hash"} <= set(columns):
        return
    rows = _readable(source, "SELECT path, content_hash FROM files", "path")
    known = {path: store_index.Known(None, content, "") for path, content in rows}
    listed = [path for path in listed_files(root) if os.path.lexists(os.path.join(root, path))]
    appeared, gone = set(listed) - set(known), set(known) - set(listed)
    head = None
    if _columns(source, "meta"):
        query = "SELECT value FROM meta WHERE key = 'indexed_head'"
        head = next((value for (value,) in _readable(source, query, "key")), None)
    moved = changes.renames(root, appeared, sorted(gone), known, head)
    for before, after in moved.items():
        store_index.move_file(store, before, after)
    for before, after in changes.moved_folders(moved).items():
        if not any(path.startswith(f"{before}/") for path in listed) and not any(
            path.startswith(f"{after}/") for path in known
        ):
            store_index.move_folder(store, before, after)


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    try:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    except sqlite3.Error:
        return []


def _copy(source: sqlite3.Connection, store: Store, table: str) -> int:
    known = set(_columns(source, table))
    columns = [name for name in _columns(store.connection, table) if name in known]
    if not columns:
        return 0
    names = ", ".join(columns)
    before = store.connection.total_changes
    marks = ", ".join("?" * len(columns))
    for row in _readable(source, f"SELECT {names} FROM {table}", columns[0]):
        with suppress(StoreError):  # a row that breaks a rule of the new table
            store.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", row)
    return store.connection.total_changes - before


def _readable(source: sqlite3.Connection, query: str, first_column: str) -> Iterator[Row]:
    """The rows before a damaged page, and those behind it."""
    for order in ("", f" ORDER BY {first_column} DESC"):
        try:
            yield from source.execute(query + order)
        except sqlite3.Error:
            continue
        return


def _foreign_texts(source: sqlite3.Connection, store: Store) -> int:
    if _columns(source, "written"):
        return 0
    saved = 0
    for kind, table, key, fields in _FOREIGN:
        known = set(_columns(source, table))
        for field in fields if key in known else ():
            if field not in known:
                continue
            query = f"SELECT {key}, {field} FROM {table} WHERE {field} IS NOT NULL AND {field} <> ''"
            for target, text in _readable(source, query, key):
                store.execute(
                    "INSERT OR IGNORE INTO written (kind, target, field, value, source, written_at)"
                    " VALUES (?, ?, ?, ?, 'agent', datetime('now'))",
                    (kind, target, field, text),
                )
                saved += 1
    return saved
