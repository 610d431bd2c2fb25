"""The life of an index beside git's: hooks as `ctx install-hooks` makes them, run by real commands of git."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sctx_tui.services import watcher_control
from sctx_tui.services.githooks import HOOKS

from .conftest import IDENTITY, Life, Repository, text
from .watching import eventually


def test_a_change_of_meaning_is_held_and_one_of_layout_is_not(life: Life) -> None:
    life.write({"a.py": text(1)})
    done = life.try_git("commit", "-q", "-a", "-m", "one")
    assert done.returncode == 1
    assert "a.py" in done.stderr and "ctx sync" in done.stderr
    assert life.ctx("sync").returncode == 0
    assert life.try_git("commit", "-q", "-a", "-m", "one").returncode == 0
    life.write({"a.py": "def f( a ):\n\n    return a  +  1\n"})
    assert life.try_git("commit", "-q", "-a", "-m", "two").returncode == 0
    assert life.changes("a.py") == ["one", "two"]


def test_no_verify_passes_and_is_recorded(life: Life) -> None:
    life.write({"a.py": text(1)})
    assert life.try_git("commit", "-q", "-a", "-m", "in a hurry", "--no-verify").returncode == 0
    assert life.changes("a.py") == ["in a hurry"]
    # What was let through is no reason to hold the next commit.
    life.write({"b.txt": "b\n"})
    life.git("add", "-A")
    assert life.try_git("commit", "-q", "-m", "other").returncode == 0


def test_names_that_need_care(life: Life) -> None:
    names = [
        "with space.py",
        "qu'ote\".py",
        "café.py",
        "-dash.py",
        "tab\t.py",
        "line\n.py",
        "deep er/x y.py",
        "$(x).py",
    ]
    life.write(dict.fromkeys(names, text(1)))
    life.git("add", "-A")
    held = life.try_git("commit", "-q", "-m", "names")
    assert held.returncode == 1
    assert "\t.py" not in held.stderr and "line\\x0a.py" in held.stderr
    life.describe()
    life.git("commit", "-q", "-m", "names")
    for name in names:
        assert life.changes(name) == ["names"]


def test_only_what_is_committed_counts(life: Life) -> None:
    life.save("b", b=text(0))
    life.write({"a.py": text(1)})
    life.git("add", "a.py")
    life.describe()
    life.write({"b.py": text(2), "c.py": text(3)})  # not staged: nobody's business
    assert life.try_git("commit", "-q", "-m", "staged").returncode == 0
    assert life.try_git("commit", "-q", "-m", "all", "-a").returncode == 1
    life.describe()
    life.write({"a.py": text(4)})
    life.git("add", "a.py")
    assert life.try_git("commit", "-q", "-m", "only b", "b.py").returncode == 0  # git's temporary index
    assert life.changes("a.py") == ["staged"]
    assert life.changes("b.py") == ["b", "only b"]
    assert life.try_git("commit", "-q", "-m", "a").returncode == 1


def test_what_is_staged_counts_where_the_file_has_gone_on(life: Life) -> None:
    life.write({"a.py": text(1)})
    life.git("add", "a.py")
    life.write({"a.py": text(2)})
    life.describe()  # looks at both
    assert life.try_git("commit", "-q", "-m", "the staged one").returncode == 0


def test_new_renamed_and_deleted_files(life: Life) -> None:
    life.git("mv", "a.py", "renamed.py")
    assert life.try_git("commit", "-q", "-m", "rename").returncode == 0
    assert life.changes("renamed.py")[-1:] == ["rename"]
    life.git("rm", "-q", "renamed.py")
    assert life.try_git("commit", "-q", "-m", "delete").returncode == 0
    life.write({"new.py": text(1)})
    life.git("add", "-A")
    assert life.try_git("commit", "-q", "-m", "new").returncode == 1


def test_from_a_folder_below(life: Life) -> None:
    life.write({"deep/er/x.py": text(1)})
    life.git("add", "-A")
    done = subprocess.run(
        ("git", "commit", "-q", "-m", "below"),
        cwd=life.root / "deep/er",
        env={**os.environ, **IDENTITY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "deep/er/x.py" in done.stderr
    life.describe()
    life.git("-C", "deep/er", "commit", "-q", "-m", "below")
    assert life.changes("deep/er/x.py") == ["below"]


def test_the_last_twenty_changes(life: Life) -> None:
    for number in range(22):
        life.write({"notes.txt": f"{number}\n"})
        life.git("add", "-A")
        life.git("commit", "-q", "-m", f"change {number}")
    assert life.changes("notes.txt") == [f"change {number}" for number in range(2, 22)]
    assert life.changes("a.py") == []


def test_amended_commits(life: Life) -> None:
    life.save("one", a=text(1))
    life.write({"b.py": text(1)})
    life.git("add", "-A")
    assert life.try_git("commit", "-q", "--amend", "--no-edit").returncode == 1
    life.describe()
    life.git("commit", "-q", "--amend", "--no-edit")
    life.git("commit", "-q", "--amend", "-m", "both")
    assert life.changes("a.py") == ["both"]
    assert life.changes("b.py") == ["both"]
    assert life.indexed_head() == life.head()


def test_the_very_first_commit(tmp_path: Path, life: Life) -> None:
    young = Life(tmp_path / "young one")
    young.root.mkdir()
    young.git("init", "-q")
    young.write({"a.py": text(1)})
    assert young.ctx("init", "--hooks", "--no-watch").returncode == 0
    young.git("add", "-A")
    assert young.try_git("commit", "-q", "-m", "the first").returncode == 0
    assert young.changes("a.py") == ["the first"]
    assert young.indexed_head() == young.head()


def test_a_detached_head(life: Life) -> None:
    life.git("checkout", "-q", "--detach")
    life.save("adrift", a=text(1))
    assert life.changes("a.py") == ["adrift"]


def test_worktrees_have_indexes_of_their_own(life: Life, tmp_path: Path) -> None:
    life.git("worktree", "add", "-q", "-b", "two", str(tmp_path / "tree two"))
    tree = Life(tmp_path / "tree two")
    tree.write({"a.py": text(5)})
    assert tree.try_git("commit", "-q", "-a", "-m", "no index here").returncode == 0
    assert life.changes("a.py") == []
    assert tree.ctx("init", "--no-watch").returncode == 0
    tree.write({"a.py": text(6)})
    assert tree.try_git("commit", "-q", "-a", "-m", "held").returncode == 1
    tree.save("there", a=text(6))
    assert tree.changes("a.py") == ["there"]
    assert life.changes("a.py") == []
    assert "pre-commit: installed" in tree.ctx("status").stdout


def test_a_worktree_inside_the_project(life: Life) -> None:
    """As agents make them: its files are copies, and its commits are not the project's."""
    life.git("worktree", "add", "-q", ".trees/one")
    tree = Life(life.root / ".trees/one")
    tree.write({"a.py": text(5)})
    assert tree.try_git("commit", "-q", "-a", "-m", "elsewhere").returncode == 0
    assert life.changes("a.py") == []
    life.describe()
    assert not [path for path in life.rows("SELECT path FROM files") if str(path).startswith(".trees")]


def test_a_submodule_is_another_project(life: Life, tmp_path: Path) -> None:
    other = Life(tmp_path / "other")
    other.root.mkdir()
    other.git("init", "-q")
    other.write({"x.py": text(1)})
    other.git("add", "-A")
    other.git("commit", "-q", "-m", "theirs")
    life.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "sub")
    life.describe()
    assert life.try_git("commit", "-q", "-m", "with a submodule").returncode == 0
    inside = Life(life.root / "sub")
    inside.write({"x.py": text(2)})
    assert inside.try_git("commit", "-q", "-a", "-m", "inside").returncode == 0  # has no hooks of ours
    life.describe()
    life.git("add", "sub")
    assert life.try_git("commit", "-q", "-m", "a newer one").returncode == 0


@pytest.fixture(params=["relative", "husky"])
def hooks_path(request: pytest.FixtureRequest, repository: Repository) -> Life:
    """A project whose hooks lie in a folder of its own, which is committed."""
    life = Life(repository.root)
    folder = "my hooks" if request.param == "relative" else ".husky/_"
    life.write({"a.py": text(0)})
    if request.param == "husky":
        script = '#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n'
        life.write({f".husky/_/{name}": script for name in HOOKS})
        life.write({".husky/_/.gitignore": "*\n", ".husky/pre-commit": "test ! -e fail\n"})
        for name in HOOKS:
            (life.root / folder / name).chmod(0o755)
    else:
        life.write({f"{folder}/pre-commit": "#!/bin/sh\ntest ! -e fail\n"})
        (life.root / folder / "pre-commit").chmod(0o755)
    life.git("config", "core.hooksPath", folder)
    assert life.ctx("init", "--hooks", "--no-watch").returncode == 0
    life.git("add", "-A")
    life.git("commit", "-q", "-m", "first")
    return life


def test_hooks_in_a_folder_of_the_project(hooks_path: Life, tmp_path: Path) -> None:
    """The committed script calls `ctx` by name: it is found on PATH."""
    life = hooks_path
    bin_folder = tmp_path / "my bin"
    bin_folder.mkdir()
    program = bin_folder / "ctx"
    program.write_text(f"#!{sys.executable}\nfrom sctx_tui.cli.ctx import main\nmain()\n")
    program.chmod(0o755)
    path = {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    life.write({"a.py": text(1)})
    assert life.try_git("commit", "-q", "-a", "-m", "one", env=path).returncode == 1
    life.describe()
    life.write({"fail": ""})
    assert life.try_git("commit", "-q", "-a", "-m", "one", env=path).returncode == 1  # theirs
    life.write({"fail": None})
    assert life.try_git("commit", "-q", "-a", "-m", "one", env=path).returncode == 0
    assert life.changes("a.py")[-1:] == ["one"]


def test_an_existing_hook_that_fails_holds_the_commit(repository: Repository) -> None:
    life = Life(repository.root)
    life.write({"a.py": text(0), ".git/hooks/pre-commit": "#!/bin/sh\necho theirs >&2\nexit 3\n"})
    (life.root / ".git/hooks/pre-commit").chmod(0o755)
    assert life.ctx("init", "--hooks", "--no-watch").returncode == 0
    life.git("add", "-A")
    done = life.try_git("commit", "-q", "-m", "first")
    assert done.returncode == 1 and "theirs" in done.stderr
    assert life.try_git("commit", "-q", "-m", "first", "--no-verify").returncode == 0


def test_a_commit_while_the_index_is_being_made(life: Life) -> None:
    """Hooks read and write beside an indexer: nothing is held up by its lock, and nothing is lost."""
    from sctx_tui.graph.lock import indexing

    life.write({"notes.txt": "x\n"})
    life.git("add", "-A")
    with indexing(str(life.root)):
        assert life.try_git("commit", "-q", "-m", "meanwhile").returncode == 0
    assert life.changes("notes.txt") == ["meanwhile"]


@pytest.fixture
def watched(life: Life) -> Iterator[Life]:
    watcher_control.start(str(life.root))
    yield life
    watcher_control.stop(str(life.root))


def test_commits_under_a_watcher(watched: Life) -> None:
    """The watcher keeps the index true; what it read is still nobody's description."""
    life = watched
    life.write({"a.py": "def g(b):\n    return b\n"})
    eventually(lambda: life.rows("SELECT id FROM functions") and _has(life, "a.py::g"))
    assert life.try_git("commit", "-q", "-a", "-m", "held").returncode == 1
    life.describe()
    assert life.try_git("commit", "-q", "-a", "-m", "described").returncode == 0
    assert life.changes("a.py") == ["described"]
    eventually(lambda: life.indexed_head() == life.head())
    life.git("switch", "-q", "-c", "side", "HEAD~1")
    eventually(lambda: _has(life, "a.py::f") and life.indexed_head() == life.head())
    life.git("rebase", "-q", "main")
    eventually(lambda: _has(life, "a.py::g") and life.indexed_head() == life.head())
    assert life.rows("PRAGMA integrity_check") == ["ok"]


def _has(life: Life, function: str) -> bool:
    return function in life.rows("SELECT id FROM functions")
