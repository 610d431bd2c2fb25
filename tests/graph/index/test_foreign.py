"""An index that came along: what is unmarshalled from it is only what this user's own runs put there."""

from __future__ import annotations

import marshal
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.graph import linking, seal
from sctx_tui.graph.indexer import pending
from sctx_tui.graph.store import index_path

from .conftest import FILES, Project
from .written import NOTES, notes, write_notes

THREE = FILES | {"c.py": "import b\n\n\ndef h():\n    b.g()\n"}


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """From now on, the state folder of somebody who has no key yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    return tmp_path / "elsewhere"


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Everything that is unmarshalled."""
    seen: list[bytes] = []
    plain = linking.unpack
    monkeypatch.setattr(linking, "unpack", lambda data: (seen.append(data), plain(data))[1])
    return seen


def tamper(project: Project, sql: str, *parameters: object) -> None:
    """Change the index as a stranger may."""
    with closing(sqlite3.connect(index_path(str(project.root)))) as connection:
        connection.execute(sql, parameters)
        connection.commit()


EVIL = zlib.compress(marshal.dumps({"language": "python", "symbols": "evil"}))


def is_like_fresh(project: Project, fresh) -> bool:
    return project.dump() == fresh(project).dump()


@pytest.mark.parametrize("kind", ["all", "update"])
def test_a_strangers_facts_are_never_unmarshalled(project, fresh, elsewhere, unpacked, kind):
    project.write(THREE)
    project.sync()
    tamper(project, "UPDATE facts SET data = ?", EVIL)
    tamper(project, "UPDATE link_notes SET symbols = ?, names = ?", EVIL, EVIL)
    tamper(project, "UPDATE meta SET value = 'a stranger' WHERE key = 'sealed_by'")
    project.write({"a.py": "def f(x): pass\n\n\nclass New: pass\n"})
    project.sync() if kind == "all" else project.update("a.py")
    assert EVIL not in unpacked and EVIL[seal.SEAL_BYTES :] not in unpacked
    assert is_like_fresh(project, fresh)


def test_not_even_where_it_has_our_signature(project, fresh, unpacked):
    project.write(THREE)
    project.sync()
    tamper(project, "UPDATE facts SET data = ? WHERE path = 'b.py'", EVIL)
    project.write({"a.py": "def f(x): pass\n\n\nclass New: pass\n"})
    report = project.sync()
    assert report.changed == ("a.py",)  # b.py was read again, and is what it was
    assert EVIL not in unpacked and EVIL[seal.SEAL_BYTES :] not in unpacked
    assert is_like_fresh(project, fresh)


def test_what_else_a_stranger_says_of_the_code_goes(project, fresh, elsewhere):
    project.write(THREE)
    project.sync()
    tamper(project, "UPDATE functions SET signature = 'def lies()', start_line = 7")
    tamper(project, "UPDATE meta SET value = 'a stranger' WHERE key = 'sealed_by'")
    tamper(project, "INSERT INTO call_graph (caller_id, callee_id, line) VALUES ('x.py::lies', 'a.py::f', 1)")
    tamper(project, "INSERT INTO file_links VALUES ('x.py', 'a.py', 1, 9.0)")
    tamper(project, "INSERT INTO functions_text (functions_text) VALUES ('delete-all')")
    assert project.sync().is_nothing
    assert is_like_fresh(project, fresh)


def test_facts_of_paths_outside_are_not_looked_for(project, elsewhere, tmp_path):
    project.write(THREE)
    project.sync()
    (tmp_path / "outside.py").write_text("def secret(): pass\n")
    tamper(project, "INSERT INTO facts VALUES ('../outside.py', ?)", EVIL)
    project.update("a.py")
    project.sync()
    assert not project.rows("SELECT 1 FROM functions WHERE name = 'secret'")


def test_texts_of_a_stranger_stay_as_data(indexed, elsewhere):
    write_notes(indexed)
    indexed.sync()
    assert notes(indexed) == NOTES


def test_the_owners_own_index_is_not_read_again(indexed, unpacked):
    unpacked.clear()
    assert indexed.sync().is_nothing
    assert unpacked == []
    with indexed.store() as store:
        assert pending(store, str(indexed.root)).is_nothing


def test_another_users_index_is_read_once(indexed, elsewhere, unpacked):
    assert indexed.sync().is_nothing  # no file has changed, but all were read
    assert unpacked
    unpacked.clear()
    assert indexed.sync().is_nothing
    assert unpacked == []


def test_without_a_state_folder_everything_works(project, fresh, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    project.write(THREE)
    project.sync()
    assert project.sync().is_nothing
    monkeypatch.setattr(seal, "_OF_THIS_PROCESS", os.urandom(seal.KEY_BYTES))  # the next run
    project.write({"a.py": "def f(x): pass\n\n\nclass New: pass\n"})
    project.sync()
    assert is_like_fresh(project, fresh)


def test_a_relative_state_folder_would_lie_in_the_project(project, monkeypatch):
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(seal, "key_file", lambda: os.path.join("state", "index.key"))
    assert seal.signature(seal.key()) == ""
    assert not (project.root / "state").exists()


def test_only_the_user_may_read_the_key(elsewhere):
    seal.key()
    path = Path(seal.key_file())
    assert path.is_relative_to(elsewhere)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_a_broken_key_is_replaced(elsewhere, content):
    path = Path(seal.key_file())
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert seal.key() == path.read_bytes() != content
    assert seal.signature(seal.key())


def test_many_processes_agree_on_one_key(elsewhere):
    code = "from sctx_tui.graph import seal; print(seal.key().hex())"
    started = [
        subprocess.Popen((sys.executable, "-c", code), stdout=subprocess.PIPE, text=True) for _ in range(8)
    ]
    assert len({process.communicate()[0] for process in started}) == 1
    shutil.rmtree(elsewhere)


def test_a_seal_holds_for_its_key_and_its_purpose():
    key = os.urandom(seal.KEY_BYTES)
    data = seal.sealed(b"data", key, b"facts")
    assert seal.opened(data, key, b"facts") == b"data"
    assert seal.opened(data, key, b"notes") is None
    assert seal.opened(data, os.urandom(seal.KEY_BYTES), b"facts") is None
    assert seal.opened(data[:-1], key, b"facts") is None
    assert seal.opened(b"", key, b"facts") is None
    assert seal.opened("text", key, b"facts") is None  # type: ignore[arg-type]
