"""An index that can't be used: damaged, of another version, of another program. What was written is kept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.graph import store_records, store_schema
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import DamagedIndex, Store, StoreError, index_path
from sctx_tui.graph.store_recovery import KEPT, open_or_recover, set_aside

from .conftest import FILES
from .written import NOTES, notes, write_notes


@pytest.mark.parametrize("damage", ["text", "empty", "zeros in the middle", "cut off"])
def test_a_damaged_file_is_moved_aside_and_rebuilt(indexed, damage):
    write_notes(indexed)
    path = Path(index_path(str(indexed.root)))
    data = bytearray(path.read_bytes())
    if damage == "text":
        data[:] = b"this is no database" * 500
    elif damage == "empty":
        data.clear()
    elif damage == "zeros in the middle":
        data[4096 * 6 : 4096 * 12] = bytes(4096 * 6)
    else:
        del data[len(data) // 2 :]
    path.write_bytes(data)
    store, rescue = open_or_recover(str(indexed.root))
    with store:
        try:
            list(sync(store, str(indexed.root)))
        except DamagedIndex as error:  # what opening does not look at is found by the one who needs it
            rescue = set_aside(str(indexed.root), str(error))
            assert rescue is not None
    indexed.sync()
    if damage != "empty":  # an empty file is a new database, and nothing is wrong with it
        assert rescue is not None and os.path.exists(rescue.moved_to)
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]
    assert "b.py::g -> a.py::f" in indexed.edges()


def test_texts_are_saved_from_a_damaged_file(indexed):
    write_notes(indexed)
    path = Path(index_path(str(indexed.root)))
    # Damage only tables that follow from the code.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages = [
            n for (n,) in connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'functions'")
        ]
    data = bytearray(path.read_bytes())
    for page in pages:
        data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with indexed.store() as store, pytest.raises(DamagedIndex):
        store_records.functions_of(store, "a.py")
    rescue = set_aside(str(indexed.root), "damaged")
    assert rescue is not None and rescue.saved == 7
    indexed.sync()
    assert notes(indexed) == NOTES
    assert indexed.rows("SELECT purpose FROM files WHERE path = 'a.py'") == ["Holds f"]


def test_a_sound_index_is_not_set_aside(indexed):
    assert set_aside(str(indexed.root), "somebody thought so") is None
    assert len(list((indexed.root / ".ctx").glob("*.unusable*"))) == 0


def test_an_older_version_is_rebuilt_with_its_texts(indexed):
    write_notes(indexed)
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("PRAGMA user_version = 0")
        connection.execute("ALTER TABLE dangers ADD COLUMN gone TEXT")
        connection.execute("ALTER TABLE decisions DROP COLUMN reason")
        connection.commit()
    with pytest.raises(DamagedIndex):
        Store.open(str(indexed.root))
    store, rescue = open_or_recover(str(indexed.root))
    store.close()
    assert rescue is not None and rescue.saved == 7
    indexed.sync()
    assert notes(indexed) == NOTES


def test_a_newer_version_is_left_alone(indexed):
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute(f"PRAGMA user_version = {store_schema.SCHEMA_VERSION + 1}")
    with pytest.raises(StoreError, match="newer version") as error:
        open_or_recover(str(indexed.root))
    assert not isinstance(error.value, DamagedIndex)


def test_the_index_of_the_program_before_ours_is_taken_over(project):
    project.write(FILES)
    (project.root / ".ctx").mkdir()
    with closing(sqlite3.connect(index_path(str(project.root)))) as connection:
        connection.executescript("""
            CREATE TABLE files (path TEXT PRIMARY KEY, purpose TEXT, danger TEXT, content_hash TEXT);
            CREATE TABLE functions (id TEXT PRIMARY KEY, summary TEXT, summary_long TEXT, is_tainted INTEGER);
            INSERT INTO files VALUES ('a.py', 'Holds f', NULL, 'x');
            INSERT INTO functions VALUES ('a.py::f', 'Does nothing', '', 1);
        """)
    store, rescue = open_or_recover(str(project.root))
    store.close()
    assert rescue is not None and rescue.saved == 2
    project.sync()
    assert project.rows("SELECT purpose FROM files WHERE path = 'a.py'") == ["Holds f"]
    assert project.rows("SELECT summary FROM functions WHERE id = 'a.py::f'") == ["Does nothing"]


def test_texts_follow_files_that_moved_while_the_old_version_was_away(indexed):
    code = FILES["a.py"] + "# and more\n" * 20
    indexed.write({"a.py": code})
    indexed.commit()
    indexed.sync()
    write_notes(indexed)
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("PRAGMA user_version = 0")
        connection.commit()
    (indexed.root / "lib").mkdir()
    indexed.git("mv", "a.py", "lib/z.py")
    indexed.commit()
    indexed.write({"lib/z.py": code + "\n\nx = 1\n"})  # git still says so, its content does not
    store, rescue = open_or_recover(str(indexed.root))
    store.close()
    assert rescue is not None and rescue.saved > 7
    indexed.sync()
    assert indexed.rows("SELECT purpose FROM files WHERE path = 'lib/z.py'") == ["Holds f"]
    assert indexed.rows("SELECT summary FROM functions WHERE id = 'lib/z.py::f'") == ["Does nothing"]
    assert indexed.rows("SELECT scope FROM decisions") == ["lib/z.py"]
    assert "made" in indexed.rows("SELECT summary FROM changes WHERE file = 'lib/z.py'")


def test_a_commit_named_in_the_index_is_no_option_of_git(indexed, tmp_path):
    indexed.commit()
    indexed.sync()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'indexed_head'", (f"--output={victim}",))
        connection.commit()
    (indexed.root / "a.py").rename(indexed.root / "c.py")
    indexed.write({"c.py": "def other(): pass\n"})
    indexed.sync()
    assert victim.read_text() == "precious"


def test_a_full_text_index_that_does_not_fit_the_rows_is_damage(indexed):
    """SQLite's own check doesn't see it, and every sync would fail over it."""
    write_notes(indexed)
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("INSERT INTO functions_text (functions_text) VALUES ('delete-all')")
        connection.commit()
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    indexed.write({"a.py": "def f(x): pass\n"})
    with pytest.raises(DamagedIndex) as error:
        indexed.sync()
    assert set_aside(str(indexed.root), str(error.value)) is not None
    indexed.sync()
    assert notes(indexed) == NOTES


def test_damage_that_nothing_comes_by_is_found_by_a_thorough_look(indexed):
    with closing(sqlite3.connect(index_path(str(indexed.root)))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'functions_by_name'")
    path = Path(index_path(str(indexed.root)))
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    store, rescue = open_or_recover(str(indexed.root))
    store.close()
    assert rescue is None
    store, rescue = open_or_recover(str(indexed.root), thorough=True)
    store.close()
    assert rescue is not None and rescue.moved_to
    assert indexed.rows("PRAGMA integrity_check") == ["ok"]


def test_only_the_newest_unusable_indexes_are_kept(indexed):
    folder = indexed.root / ".ctx"
    (folder / "index.db.unusable-mine").write_text("by hand")
    moved = []
    for number in range(KEPT + 3):
        (folder / "index.db").write_bytes(b"no database %d" % number)
        (folder / "index.db-wal").write_bytes(b"nor a log")
        store, rescue = open_or_recover(str(indexed.root))
        store.close()
        assert rescue is not None and f"the last {KEPT} " in str(rescue)
        moved.append(Path(rescue.moved_to))
    assert [path.exists() for path in moved] == [False] * 3 + [True] * KEPT
    assert len(list(folder.glob("index.db.unusable-*"))) <= 2 * KEPT + 1
    assert (folder / "index.db.unusable-mine").exists()


@pytest.mark.parametrize("place", [".ctx/index.db", ".ctx"])
@pytest.mark.parametrize("kind", ["file", "folder", "pipe", "link"])
def test_something_else_in_its_place_is_named_and_left_alone(project, place, kind):
    project.write(FILES)
    path = project.root / place
    path.parent.mkdir(exist_ok=True)
    if kind == "file":
        path.write_text("a file")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(project.root / "a.py")
    if (place, kind) in ((".ctx", "folder"), (".ctx/index.db", "file")):
        open_or_recover(str(project.root), create=True)[0].close()
        return
    for create in (False, True):
        with pytest.raises(StoreError, match=f"{place} is .*remove it"):
            open_or_recover(str(project.root), create=create)
    assert os.path.lexists(path)


@pytest.mark.parametrize("name", ["index.db-wal", "index.db-shm", "index.db-journal", ".gitignore"])
def test_links_beside_the_index_are_not_followed(indexed, tmp_path, name):
    path = indexed.root / ".ctx" / name
    path.unlink(missing_ok=True)
    path.symlink_to(tmp_path / "elsewhere")
    for create in (False, True):
        with pytest.raises(StoreError, match=f"{name} is a symbolic link; remove it"):
            indexed.store(create=create)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_something_else_in_the_place_of_the_lock_is_named(indexed, kind):
    path = indexed.root / ".ctx/lock"
    path.unlink()
    path.mkdir() if kind == "folder" else path.symlink_to(indexed.root / "a.py")
    with pytest.raises(StoreError, match=r"lock can't be opened: .*; remove it"):
        indexed.sync()
