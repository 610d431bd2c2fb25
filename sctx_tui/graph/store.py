"""The index: `.ctx/index.db`, SQLite in WAL mode. All SQL of the project stands in the modules `store*.py`.

    with Store.open(root) as store:            # NoIndex when there is none; `create=True` makes it
        record = store_records.file(store, "src/a.py")
        with store.transaction():              # several writes, one commit; waits for other writers
            store_notes.add_danger(store, "*", "never block the loop", source="person")

A reader never waits. A Store may be shared by threads. Paths in an index are data of the repository: check
that one is inside the root before opening it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import quote

from sctx_tui.graph import store_schema as schema

DIRECTORY = ".ctx"
FILE = "index.db"
# What we, or SQLite for us, may open in the directory.
_FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", ".gitignore")
BUSY_SECONDS = 30.0

Row = tuple[Any, ...]
T = TypeVar("T")


class StoreError(Exception):
    """The index can't do what was asked; the message says what to do about it."""


class NoIndex(StoreError):
    """There is no index yet."""


class DamagedIndex(StoreError):
    """The file is not a sound database (any more); `store_recovery.set_aside` mends that."""


def index_path(root: str) -> str:
    """Where the index of the project at `root` lies."""
    return os.path.join(root, DIRECTORY, FILE)


class Store:
    """An open index."""

    def __init__(self, connection: sqlite3.Connection, path: str, *, read_only: bool = False) -> None:
        self.connection = connection
        self.path = path  # "" in memory
        self.read_only = read_only
        self._inode = _inode(path)
        self._lock = threading.RLock()  # held while a transaction lasts
        self._use = threading.RLock()  # held while a statement runs: closing under it would crash
        self._depth = 0
        self._kept: dict[str, Any] = {}
        self._kept_for: tuple[int, int, int] | None = None

    @classmethod
    def open(cls, root: str, *, create: bool = False) -> Store:
        """Open the index of `root`, read-only where it can't be written.

        Raises NoIndex when there is none and `create` is false, DamagedIndex when it isn't a sound database
        with our tables (`store_recovery.set_aside` saves the texts in it), StoreError otherwise.
        """
        path = index_path(root)
        _check_place(root)
        if create:
            _make_directory(root)
        elif not os.path.isfile(path):
            raise NoIndex(f"no index at {path}; run `ctx init`")
        return cls._prepared(*_connect(path, create=create), path)

    @classmethod
    def make(cls, path: str) -> Store:
        """A new index in a file of any name; a process that dies may leave half of it. Raises StoreError."""
        return cls._prepared(*_connect(path, create=True), path)

    @classmethod
    def in_memory(cls) -> Store:
        """An empty index that nobody else sees and nothing keeps."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        return cls._prepared(_configured(connection), False, "")

    @classmethod
    def _prepared(cls, connection: sqlite3.Connection, read_only: bool, path: str) -> Store:
        store = cls(connection, path, read_only=read_only)
        try:
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    def shrink(self) -> None:
        """Give back the memory of pages that were read: what comes next needs it more."""
        self.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        """Close the file, when no other thread is in the middle of a statement; what was committed stays."""
        with self._use:
            self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Statements: for the modules store*.py only.

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Every row that a query answers."""
        with self._errors():
            return self.connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first row, or None."""
        with self._errors():
            found: Row | None = self.connection.execute(sql, parameters).fetchone()
            return found

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first column of the first row, or None."""
        found = self.row(sql, parameters)
        return found[0] if found else None

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement that changes something."""
        with self._errors():
            return self.connection.execute(sql, parameters)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""
        with self._errors():
            self.connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, one writer at a time; inside another transaction it is part of that one."""
        with self._lock:
            if self._depth:
                yield
                return
            if self.read_only:
                raise StoreError(f"{self.path} can't be written; check the permissions of its folder")
            self.follow()
            self.execute("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._depth = 0

    def _roll_back(self) -> None:
        try:
            self.connection.execute("ROLLBACK")
        except sqlite3.Error:
            return  # SQLite has done it already: after a full disk, for instance

    def follow(self) -> bool:
        """Open the index anew when another process has replaced the file since; whether it had."""
        if not self.path or _inode(self.path) == self._inode:
            return False
        if not os.path.isfile(self.path):
            raise NoIndex(f"{self.path} is gone; run `ctx init`")
        with self._use:
            self.connection.close()
            inode = _inode(self.path)
            self.connection, self.read_only = _connect(self.path, create=False)
            self._prepare()
            self._inode = inode  # not of one that can't be used: the next call has to say so again
        return True

    def version(self) -> int:
        """A number that differs when another connection has committed a change since the last call."""
        return int(self.value("PRAGMA data_version"))

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gave when it was first wanted, until anybody changes the index."""
        state = (id(self.connection), self.version(), self.connection.total_changes)
        if state != self._kept_for:
            self._kept.clear()
            self._kept_for = state
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    def meta(self, key: str) -> str | None:
        """One fact about the index as a whole."""
        found: str | None = self.value("SELECT value FROM meta WHERE key = ?", (key,))
        return found

    def set_meta(self, key: str, value: str | None) -> None:
        """Record such a fact; None forgets it."""
        if value is None:
            self.execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _prepare(self) -> None:
        """Make the tables of a new file; refuse one of another version."""
        self.execute("BEGIN")  # both as of one moment: another process may be making the tables
        version = self.value("PRAGMA user_version")
        found = self.rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        self.execute("COMMIT")
        if version > schema.SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} was made by a newer version of this program; upgrade, or move it away"
            )
        if not found and not self.read_only:
            with self._errors():
                self.connection.executescript(_creation())
        elif version != schema.SCHEMA_VERSION or not schema.is_ours(found):
            raise DamagedIndex(f"{self.path} was made by another version or another program")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            with self._use:
                yield
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path or "the index in memory") from error
        except UnicodeEncodeError as error:
            raise StoreError(f"{error.object!r} isn't UTF-8: the index holds nothing of that kind") from error


def _creation() -> str:
    """A script that two processes may run at once: the second finds everything there."""
    return "\n".join(
        (
            "BEGIN IMMEDIATE;",
            schema.WRITTEN_TABLES,
            schema.DERIVED_TABLES,
            f"PRAGMA user_version = {schema.SCHEMA_VERSION};",
            "COMMIT;",
        )
    )


def _check_place(root: str) -> None:
    """A repository may bring a `.ctx` that points elsewhere: nothing is read or written through it."""
    directory = os.path.join(root, DIRECTORY)
    for path in (directory, *(os.path.join(directory, name) for name in _FILES)):
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            continue  # SQLite's own files come and go
        if stat.S_ISLNK(mode):
            raise StoreError(f"{path} is a symbolic link; remove it, the index must lie inside the project")
        if not (stat.S_ISDIR(mode) if path == directory else stat.S_ISREG(mode)):
            raise StoreError(f"{path} is something else than an index; remove it and run `ctx init`")


def _make_directory(root: str) -> None:
    directory = os.path.join(root, DIRECTORY)
    try:
        os.makedirs(directory, exist_ok=True)
        with suppress(FileExistsError), open(os.path.join(directory, ".gitignore"), "x") as file:
            file.write("# The index is made from the code: never commit it.\n*\n")
    except OSError as error:
        raise StoreError(f"can't create {directory}: {error.strerror}") from error


def _connect(path: str, *, create: bool) -> tuple[sqlite3.Connection, bool]:
    """A connection and whether it is read-only."""
    modes = ("rwc" if create else "rw", "ro", "ro&immutable=1")
    failure: sqlite3.Error | None = None
    for mode in modes[:1] if create else modes:
        try:
            connection = sqlite3.connect(
                f"file:{quote(path)}?mode={mode}",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
        except sqlite3.Error as error:
            failure = error
            continue
        try:
            return _configured(connection, writable=mode.startswith("rw")), not mode.startswith("rw")
        except sqlite3.Error as error:
            connection.close()
            failure = error
            if _is_damage(error):
                break
    assert failure is not None
    raise _explained(failure, path) from failure


def _configured(connection: sqlite3.Connection, *, writable: bool = True) -> sqlite3.Connection:
    if writable:
        _switch_to_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32768")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the first look at the file itself
    return connection


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """WAL for good; SQLite itself doesn't wait when several processes ask this of a new file at once."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _explained(error: sqlite3.Error, path: str) -> StoreError:
    """An SQLite error in the words of somebody who has to do something about it."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if _is_damage(error):
        return DamagedIndex(f"{path} is damaged ({error})")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path}: the disk is full; free some space and run `ctx sync`")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(f"{path} can't be opened for writing; check the permissions of its folder")
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(
            f"{path}: another process has been writing for {BUSY_SECONDS:.0f} seconds; try again"
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"{path}: the disk failed ({error}); is it full?")
    return StoreError(f"{path}: {error}")


def _inode(path: str) -> tuple[int, int] | None:
    if not path:
        return None
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
