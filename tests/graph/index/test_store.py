"""The file itself: opening, sharing, damage, other versions, and places where it can't be written."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.graph import store_notes, store_records
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import DamagedIndex, NoIndex, Store, StoreError, index_path

from .written import NOTES, notes, write_notes


def test_there_is_none_until_it_is_made(tmp_path):
    with pytest.raises(NoIndex, match="run `ctx init`"):
        Store.open(str(tmp_path))
    assert not (tmp_path / ".ctx").exists()
    Store.open(str(tmp_path), create=True).close()
    Store.open(str(tmp_path)).close()


def test_git_ignores_it(indexed):
    assert indexed.git("status", "--porcelain", "--untracked-files=all").split() == [
        "??",
        "a.py",
        "??",
        "b.py",
    ]


def test_it_is_in_wal_mode_and_sound(indexed):
    assert indexed.rows("PRAGMA journal_mode") == ["wal"]
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]
    assert indexed.rows("PRAGMA foreign_key_check") == []


@pytest.mark.parametrize(
    ("table", "columns"),
    {
        "files": "path system purpose exports imports used_by used_by_count summary danger last_change"
        " semantic_hash content_hash confidence is_stale",
        "functions": "id file class_name name signature summary summary_long mutates danger is_tainted"
        " taint_source",
        "call_graph": "caller_id callee_id line is_ambiguous candidates",
        "dangers": "scope",
        "changes": "file",
        "session_log": "files_touched",
        "decisions": "scope decision alternatives reason",
        "directories": "path file_count purpose",
    }.items(),
)
def test_tables_and_columns_are_those_of_the_document(indexed, table, columns):
    assert set(columns.split()) <= {row[1] for row in indexed.rows(f"PRAGMA table_info({table})")}


def test_a_transaction_is_all_or_nothing(indexed):
    with indexed.store() as store:
        with pytest.raises(ZeroDivisionError), store.transaction():
            store_notes.add_danger(store, "*", "one", source="person")
            raise ZeroDivisionError
        assert store_notes.dangers(store) == []


def test_readers_do_not_wait_for_a_writer_and_see_what_is_committed(indexed):
    with indexed.store() as writer, indexed.store() as reader:
        with writer.transaction():
            store_notes.add_danger(writer, "*", "one", source="person")
            assert store_notes.dangers(reader) == []
        assert len(store_notes.dangers(reader)) == 1


def test_eight_writers_and_eight_readers(indexed):
    errors: list[BaseException] = []
    stop = threading.Event()

    def guarded(action: Callable[[Store], None]) -> None:
        try:
            with indexed.store() as store:
                action(store)
        except BaseException as error:
            errors.append(error)

    def write(number: int) -> Callable[[Store], None]:
        def action(store: Store) -> None:
            for turn in range(10):
                store_notes.add_danger(store, "*", f"{number}.{turn}", source="person")
                store_notes.describe(
                    store, "function", "a.py::f", {"summary": f"{number}.{turn}"}, source="agent"
                )
                store_notes.log_session(store, f"{number}.{turn}", source="agent")

        return action

    def read(store: Store) -> None:
        while not stop.is_set():
            assert store_records.function(store, "a.py::f") is not None
            assert len(store_notes.session(store, 100)) <= 10
            store_notes.dangers(store)

    writers = [threading.Thread(target=guarded, args=(write(number),)) for number in range(8)]
    readers = [threading.Thread(target=guarded, args=(read,)) for _ in range(8)]
    for thread in (*writers, *readers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert errors == []
    with indexed.store() as store:
        assert len(store_notes.dangers(store)) == 80
        assert len(store_notes.session(store, 100)) == 10
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]


def test_a_store_may_be_shared_by_threads(indexed):
    with indexed.store() as store:
        numbers: list[int] = []
        threads = [
            threading.Thread(
                target=lambda n=n: numbers.append(store_notes.add_danger(store, "*", str(n), source="person"))
            )
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(numbers)) == 8


def test_a_replaced_file_is_followed(indexed, project):
    with indexed.store() as store:
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (project.root / ".ctx" / name).rename(project.root / f"{name}.away")
        with indexed.store(create=True) as other:
            store_notes.add_danger(other, "*", "in the new one", source="person")
        assert store.follow()
        assert len(store_notes.dangers(store)) == 1
        assert not store.follow()


def test_a_file_that_came_instead_and_is_no_index_is_refused_each_time(indexed, project):
    with indexed.store() as store:
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (project.root / ".ctx" / name).rename(project.root / f"{name}.away")
        with closing(sqlite3.connect(index_path(str(project.root)))) as other:
            other.execute("CREATE TABLE something (x)")
        for _ in range(2):
            with pytest.raises(DamagedIndex):
                store.follow()


def test_a_trigger_that_came_with_the_repository_never_runs(indexed):
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("CREATE TRIGGER evil AFTER INSERT ON dangers BEGIN DELETE FROM decisions; END")
        connection.commit()
    with pytest.raises(DamagedIndex):
        Store.open(str(indexed.root))


def test_an_index_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project/.ctx").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="symbolic link"):
        Store.open(str(tmp_path / "project"), create=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_is_said_and_nothing_is_lost(indexed):
    write_notes(indexed)
    indexed.write({f"new{n}.py": f"def function_number_{n}(): pass\n" * 50 for n in range(20)})
    with indexed.store() as store:
        pages = store.value("PRAGMA page_count")
        store.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="the disk is full"):
            list(sync(store, str(indexed.root)))
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]
    assert notes(indexed) == NOTES
    indexed.sync()
    assert indexed.rows("SELECT count(*) FROM files") == [22]


def test_a_failing_write_is_said_and_nothing_is_lost(indexed):
    """The system refuses to write on, in the middle of a file (as quotas do)."""
    write_notes(indexed)

    def sync_with_limit() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, 64 << 10))
        indexed.write({f"new{n}.py": f"def function_number_{n}(): pass\n" * 80 for n in range(20)})
        try:
            indexed.sync()
        except StoreError as error:
            return str(error)
        return "no error"

    assert "disk" in in_child(sync_with_limit)
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]
    assert notes(indexed) == NOTES


@pytest.fixture
def locked_project() -> Iterator[Path]:
    """An index in a folder that nobody may write to."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    root = folder / "project"
    root.mkdir()
    (root / "a.py").write_text("def f(): pass\n")
    with Store.open(str(root), create=True) as store:
        list(sync(store, str(root)))
        store_notes.add_danger(store, "*", "one", source="person")
    paths = [root / ".ctx", root]
    for path in (root / ".ctx").iterdir():
        path.chmod(0o444)
    for path in paths:
        path.chmod(0o555)
    yield root
    for path in reversed(paths):
        path.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_repository_can_be_read(locked_project):
    def read() -> str:
        with Store.open(str(locked_project)) as store:
            found = [danger.description for danger in store_notes.dangers(store)]
            try:
                store_notes.add_danger(store, "*", "two", source="person")
            except StoreError as error:
                return f"{found} {error}"
        return "could write"

    assert "['one']" in in_child(read, as_nobody=True)
    assert "can't be written; check the permissions" in in_child(read, as_nobody=True)


def test_no_index_can_be_made_where_nothing_can_be_written(locked_project):
    def create() -> str:
        try:
            Store.open(str(locked_project / "sub"), create=True)
        except StoreError as error:
            return str(error)
        return "could write"

    assert "can't create" in in_child(create, as_nobody=True)


def in_child(action: Callable[[], str], *, as_nobody: bool = False) -> str:
    """What `action` returns in a process of its own, which may have fewer rights than this one."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if as_nobody and os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            os.write(write_end, action().encode())
        except BaseException as error:
            os.write(write_end, f"unexpected {error!r}".encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as file:
        answer = file.read().decode()
    os.waitpid(child, 0)
    return answer


def test_files_of_the_index_are_ordinary(indexed):
    for path in (indexed.root / ".ctx").iterdir():
        assert stat.S_ISREG(path.stat().st_mode)
