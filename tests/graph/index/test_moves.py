"""What was said of folders, patterns and in the session log follows when files move."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

import pytest

from sctx_tui.graph import store_notes
from sctx_tui.graph.changes import moved_folders
from sctx_tui.graph.store import index_path
from sctx_tui.graph.store_recovery import open_or_recover

from .conftest import Project

FILES = {
    "lib/a.py": "def f(x):\n    return x + 1\n",
    "lib/deep/k.py": "def k():\n    return 3\n",
    "use.py": "from lib.a import f\nfrom lib.deep.k import k\n\n\ndef g():\n    return f(1) + k()\n",
}


@pytest.fixture
def lib(project: Project) -> Project:
    """A folder with a folder in it, and something said of everything."""
    project.write(FILES)
    project.commit()
    project.sync()
    with project.store() as store:
        for folder in ("lib", "lib/deep"):
            store_notes.describe(store, "directory", folder, {"purpose": f"About {folder}"}, source="agent")
            store_notes.add_danger(store, folder, "Beware", source="person")
        store_notes.add_danger(store, "library", "Another name", source="person")
        store_notes.add_danger(store, "lib/gone.py", "A file that isn't there", source="person")
        store_notes.add_decision(store, "lib/**/*.py", "Keep", source="person")
        store_notes.add_decision(store, "l*/a.py", "Keep", source="person")
        touched = ["lib/a.py", 'say "é".py', "use.py"]
        store_notes.log_session(store, "Began", files_touched=touched, source="agent")
    return project


def scopes(project: Project) -> list[str]:
    return project.rows("SELECT scope FROM dangers UNION ALL SELECT scope FROM decisions")


def purposes(project: Project) -> dict[str, str]:
    return dict(project.rows("SELECT path, purpose FROM directories WHERE purpose IS NOT NULL"))


def test_a_folder_that_moves_and_comes_back(lib):
    before = (scopes(lib), purposes(lib), lib.rows("SELECT files_touched FROM session_log"))
    lib.git("mv", "lib", "core")
    lib.sync()
    assert scopes(lib) == ["core", "core/deep", "library", "lib/gone.py", "core/**/*.py", "l*/a.py"]
    assert purposes(lib) == {"core": "About lib", "core/deep": "About lib/deep"}
    with lib.store() as store:
        assert store_notes.session(store)[0].files_touched == ("core/a.py", 'say "é".py', "use.py")
    lib.git("mv", "core", "lib")
    lib.sync()
    assert (scopes(lib), purposes(lib)) == before[:2]
    assert [json.loads(text) for text in lib.rows("SELECT files_touched FROM session_log")] == [
        json.loads(text) for text in before[2]
    ]


def test_by_way_of_branches_with_edits(lib):
    lib.git("switch", "-q", "-c", "moved")
    lib.git("mv", "lib", "core")
    lib.write({"core/a.py": FILES["lib/a.py"] + "\n\ndef more():\n    return f(2)\n"})
    lib.commit()
    for branch, folder in (("moved", "core"), ("main", "lib"), ("moved", "core")):
        lib.git("switch", "-q", branch)
        lib.sync()
        assert purposes(lib) == {folder: "About lib", f"{folder}/deep": "About lib/deep"}
        assert scopes(lib)[0] == folder


def test_a_folder_into_another(lib):
    os.makedirs(lib.root / "src/pkg")
    lib.git("mv", "lib", "src/pkg/lib")
    lib.sync()
    assert scopes(lib)[:2] == ["src/pkg/lib", "src/pkg/lib/deep"]
    assert purposes(lib) == {"src/pkg/lib": "About lib", "src/pkg/lib/deep": "About lib/deep"}


@pytest.mark.parametrize("case", ["a file stays", "a new one is there", "the other was there", "two ways"])
def test_a_folder_that_did_not_move_as_one(lib, case):
    if case == "two ways":
        lib.write({"lib/b.py": "b = 1\n"})
    if case == "a file stays":
        lib.write({"lib/stays.py": "x = 1\n"})
    if case == "the other was there":
        lib.write({"core/own.py": "x = 1\n"})
    lib.sync()
    (lib.root / "core").mkdir(exist_ok=True)
    lib.git("add", "-A")
    lib.git("mv", "lib/a.py", "core/a.py")
    if case == "a new one is there":
        lib.write({"lib/new.py": "y = 2\n"})
    if case == "two ways":
        (lib.root / "other").mkdir()
        lib.git("mv", "lib/b.py", "other/b.py")
    lib.sync()
    assert scopes(lib)[0] == "lib"
    assert purposes(lib)["lib"] == "About lib"


def test_while_an_older_version_was_away(lib):
    with closing(sqlite3.connect(index_path(str(lib.root)))) as connection:
        connection.execute("PRAGMA user_version = 0")
        connection.commit()
    lib.git("mv", "lib", "core")
    store, rescue = open_or_recover(str(lib.root))
    store.close()
    lib.sync()
    assert rescue is not None
    assert scopes(lib) == ["core", "core/deep", "library", "lib/gone.py", "core/**/*.py", "l*/a.py"]
    assert purposes(lib) == {"core": "About lib", "core/deep": "About lib/deep"}


def test_what_moves_and_is_imported_from_there_is_no_taint(lib):
    lib.git("mv", "lib", "core")
    lib.write({"use.py": FILES["use.py"].replace("lib.", "core.")})
    lib.sync()
    assert lib.tainted() == set()
    assert lib.edges() >= {"use.py::g -> core/a.py::f", "use.py::g -> core/deep/k.py::k"}


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ({"a/x": "b/x", "a/c/y": "b/c/y"}, {"a": "b", "a/c": "b/c"}),
        ({"a/x": "b/x", "a/y": "c/y"}, {}),
        ({"a/x": "a/y"}, {}),
        ({"x": "a/x"}, {}),
        ({"a/x": "x"}, {}),
        ({"a/b/x": "a/c/x"}, {"a/b": "a/c"}),
        ({"a/b/x": "n/a/b/x"}, {"a/b": "n/a/b", "a": "n/a"}),
    ],
)
def test_moved_folders(moved, expected):
    assert moved_folders(moved) == expected
