"""What the follower notices of a project, and what it leaves alone."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.services import watcher_sources
from sctx_tui.services.watcher import HEAD, INDEX, Follower, changes

from .conftest import Repository
from .watching import Following, following


@pytest.fixture(params=["events", "looks"])
def follow(
    request: pytest.FixtureRequest, planted: Repository, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Following]:
    """Following with the system's events, and without."""
    if request.param == "looks":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
        monkeypatch.setattr(watcher_sources, "SHORTEST_PAUSE", 0.05)
        monkeypatch.setattr(watcher_sources, "SHARE", 1.0)
    with following(planted) as found:
        assert (found.follower.mode == "events") == (request.param == "events")
        yield found


def test_an_edit(planted: Repository, follow: Following) -> None:
    planted.write({"src/a.py": "a = 2\n"})
    assert follow.until_last() == {"src/a.py"}


def test_an_atomic_save(planted: Repository, follow: Following) -> None:
    planted.write({"src/a.py.tmp": "a = 3\n"})
    os.replace(planted.root / "src/a.py.tmp", planted.root / "src/a.py")
    assert "src/a.py" in follow.until_last()


def test_a_save_that_moves_the_old_file_aside(planted: Repository, follow: Following) -> None:
    os.replace(planted.root / "src/a.py", planted.root / "src/a.py~")
    planted.write({"src/a.py": "a = 4\n", "src/a.py~": None})
    assert "src/a.py" in follow.until_last()


def test_new_renamed_and_deleted_files(planted: Repository, follow: Following) -> None:
    planted.write({"src/new.py": "", "src/b.py": None})
    os.rename(planted.root / "src/a.py", planted.root / "src/renamed.py")
    assert follow.until_last() == {"src/new.py", "src/b.py", "src/a.py", "src/renamed.py"}


def test_a_deleted_file_that_comes_back(planted: Repository, follow: Following) -> None:
    planted.write({"src/a.py": None})
    assert follow.until_last() == {"src/a.py"}
    planted.write({"src/a.py": "a = 5\n"})
    assert follow.until_last() == {"src/a.py"}


def test_new_folders_and_what_happens_in_them_later(planted: Repository, follow: Following) -> None:
    planted.write({"one/two/three/x.py": ""})
    assert follow.until_last() == {"one/two/three/x.py"}
    planted.write({"one/two/three/x.py": "x = 1\n", "one/two/y.py": ""})
    assert follow.until_last() == {"one/two/three/x.py", "one/two/y.py"}


def test_a_folder_that_was_empty(planted: Repository, follow: Following) -> None:
    planted.write({"empty/x.py": ""})
    assert follow.until_last() == {"empty/x.py"}


def test_a_new_folder_that_stays_empty_for_a_while(planted: Repository, follow: Following) -> None:
    (planted.root / "later").mkdir()
    assert follow.until_last() == set()
    planted.write({"later/x.py": ""})
    assert follow.until_last() == {"later/x.py"}


def test_a_folder_that_is_moved(planted: Repository, follow: Following) -> None:
    os.rename(planted.root / "src/deep", planted.root / "moved")
    assert follow.until_last() == {"src/deep/er/c.py", "moved/er/c.py"}
    planted.write({"moved/er/c.py": "c = 2\n"})
    assert follow.until_last() == {"moved/er/c.py"}


def test_a_folder_that_is_deleted_and_made_again(planted: Repository, follow: Following) -> None:
    shutil.rmtree(planted.root / "src/deep")
    assert follow.until_last() == {"src/deep/er/c.py"}
    planted.write({"src/deep/er/c.py": "c = 3\n"})
    assert follow.until_last() == {"src/deep/er/c.py"}
    planted.write({"src/deep/er/c.py": "c = 4\n"})
    assert follow.until_last() == {"src/deep/er/c.py"}


def test_a_file_in_the_place_of_a_folder_and_back(planted: Repository, follow: Following) -> None:
    shutil.rmtree(planted.root / "src/deep")
    planted.write({"src/deep": "no folder\n"})
    assert follow.until_last() == {"src/deep/er/c.py", "src/deep"}
    planted.write({"src/deep": None, "src/deep/er/c.py": "c = 5\n"})
    assert follow.until_last() == {"src/deep/er/c.py", "src/deep"}


def test_what_is_ignored(planted: Repository, follow: Following) -> None:
    folders = follow.follower.folders
    planted.write({"src/a.o": "", "build/out/x.py": "x", "build/new/y.py": "", "node_modules/m/i.js": ""})
    planted.write({"src/a.o": "again"})
    assert follow.until_last() == set()
    assert follow.follower.folders == folders


def test_ignore_rules_that_change(planted: Repository, follow: Following) -> None:
    planted.write({".gitignore": "*.o\n"})
    assert follow.until_last() == {".gitignore", "build/out/x.py"}
    planted.write({"build/out/x.py": "x = 1\n"})
    assert follow.until_last() == {"build/out/x.py"}
    planted.write({".gitignore": "*.o\nbuild/\n"})
    assert follow.until_last() == {".gitignore", "build/out/x.py"}
    planted.write({"build/out/x.py": "x = 2\n"})
    assert follow.until_last() == set()


def test_rules_that_are_not_committed(planted: Repository, follow: Following) -> None:
    planted.write({".git/info/exclude": "empty/\n"})
    assert follow.until_last() == set()
    planted.write({"empty/x.py": ""})
    assert follow.until_last() == set()


def test_an_ignored_file_that_is_added_by_force(planted: Repository, follow: Following) -> None:
    planted.git("add", "-f", "build/out/x.py")
    assert follow.until_last() == {"build/out/x.py"}
    planted.write({"build/out/x.py": "x = 3\n"})
    assert follow.until_last() == {"build/out/x.py"}


def test_guidance_that_is_ignored_counts(planted: Repository, follow: Following) -> None:
    planted.write({".gitignore": "AGENTS.yaml\n*.o\nbuild/\nnode_modules/\n"})
    follow.until_last()
    planted.write({"src/AGENTS.yaml": "context: []\n"})
    assert "src/AGENTS.yaml" in follow.until_last() or follow.follower.mode != "events"


def test_commits_and_branches(planted: Repository, follow: Following) -> None:
    planted.git("status")
    assert follow.until_last() == set()
    planted.git("add", "-A")
    planted.git("commit", "-q", "-m", "second")
    assert follow.until_last() == {HEAD}
    planted.git("reset", "-q", "--soft", "HEAD~1")
    assert follow.until_last() == {HEAD}
    planted.git("reset", "-q", "--hard")
    planted.git("switch", "-q", "-c", "other")
    planted.write({"src/a.py": "a = 9\n", "src/new.py": ""})
    planted.commit()
    follow.until_last()
    planted.git("checkout", "-q", "-f", "main")
    assert follow.until_last() >= {HEAD, "src/a.py", "src/new.py"}


def test_the_index_and_logs_are_not_followed(planted: Repository, follow: Following) -> None:
    planted.write({".ctx/.gitignore": "*\n", ".ctx/index.db": "x", ".ctx/index.db-wal": "x"})
    (planted.root / "src/.ctx").mkdir()
    planted.write({"src/.ctx/index.db": "x", ".git/objects/x": "x", ".git/FETCH_HEAD": "x"})
    assert follow.until_last() == set()
    planted.write({".ctx/.gitignore": None})  # even where git lists it
    planted.git("add", "-f", ".ctx/index.db")
    planted.write({".ctx/index.db": "y"})
    assert follow.until_last() == set()


def test_the_index_is_followed_where_that_is_asked_for(planted: Repository) -> None:
    with following(planted, index=True) as follow:
        planted.write({".ctx/.gitignore": "*\n", ".ctx/index.db": "x"})
        follow.until_last()
        planted.write({".ctx/index.db-wal": "x", ".ctx/lock": "x"})
        assert follow.until_last() == {INDEX}


def test_another_checkout_below_the_root(planted: Repository, follow: Following) -> None:
    planted.git("worktree", "add", "-q", "trees/one")
    assert follow.until_last() == set()
    planted.write({"trees/one/src/a.py": "a = 7\n", "trees/one/src/new.py": ""})
    assert follow.until_last() == set()


def test_a_submodule(planted: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.root.mkdir()
    other.git("init", "-q")
    other.write({"lib/x.py": "", ".gitignore": "*.o\nout/\n"})
    other.commit()
    planted.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "sub")
    planted.write({"sub/out/y.py": "", "sub/lib/x.o": ""})
    with following(planted) as follow:
        planted.write(
            {"sub/lib/x.py": "x = 1\n", "sub/lib/new.py": "", "sub/lib/y.o": "", "sub/out/y.py": "y"}
        )
        assert follow.until_last() == {"sub/lib/x.py", "sub/lib/new.py"}


def test_a_worktree_as_the_root(planted: Repository, tmp_path: Path) -> None:
    planted.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Repository(tmp_path / "side")
    with following(side) as follow:
        side.write({"src/a.py": "a = 8\n"})
        assert follow.until_last() == {"src/a.py"}
        side.commit()
        assert follow.until_last() == {HEAD}
        planted.commit()  # of the other worktree
        assert follow.until_last() == set()


def test_without_git(tmp_path: Path, planted: Repository) -> None:
    shutil.rmtree(planted.root / ".git")
    with following(planted) as follow:
        planted.write({"src/a.py": "a = 2\n", "src/new.py": "", "src/a.o": "", "build/out/x.py": "x"})
        planted.write({"empty/deep/x.py": "", "node_modules/m/i.js": ""})
        assert follow.until_last() == {"src/a.py", "src/new.py", "empty/deep/x.py"}
        planted.git("init", "-q")
        assert HEAD in follow.until_last()
        planted.commit()
        assert HEAD in follow.until_last()
        planted.commit()
        assert follow.until_last() == {HEAD}


def test_a_root_below_the_top_of_its_checkout(planted: Repository) -> None:
    below = Repository(planted.root / "src")
    with closing(Follower(str(below.root))) as follower:
        follow = Following(planted, follower)
        planted.write({"src/a.py": "a = 2\n", "README": "", "src/x.o": "", "src/deep/new.py": ""})
        planted.write({"src/last.py": "x = 1\n"})
        assert follow.until("last.py") >= {"a.py"}
        planted.write({"src/last.py": "x = 2\n"})
        assert "README" not in follow.until("last.py")


def test_a_new_file_needs_no_list_of_everything(planted: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with following(planted) as follow, monkeypatch.context() as patch:
        patch.setattr(follow.follower._listing, "renew", None)
        planted.write({"src/new.py": "", "src/new.o": ""})
        os.mkfifo(planted.root / "src/pipe.py")
        assert follow.until_last() == {"src/new.py"}
        planted.write({"src/new.py": None})
        assert follow.until_last() == {"src/new.py"}


def test_links_are_files_and_lead_nowhere(planted: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    with following(planted) as follow:
        os.symlink(outside, planted.root / "src/link")
        os.symlink(".", planted.root / "src/loop")
        assert follow.until_last() == {"src/link", "src/loop"}
        (outside / "x.py").write_text("")
        assert follow.until_last() == set()


def test_changes_begin_with_nothing_and_end_when_asked_to(planted: Repository) -> None:
    stop = threading.Event()
    told = changes(str(planted.root), stop, tick=0.05)
    assert next(told) == set()
    assert next(told) == set()
    planted.write({"src/a.py": "a = 2\n"})
    assert any("src/a.py" in each for each in (next(told) for _ in range(100)))
    stop.set()
    list(told)


def test_changes_end_with_the_project(planted: Repository) -> None:
    told = changes(str(planted.root), threading.Event(), tick=0.05)
    next(told)
    shutil.rmtree(planted.root)
    for _ in told:
        pass


def test_changes_while_git_is_at_work_come_together(
    planted: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with following(planted) as follow:
        planted.write({".git/index.lock": ""})
        planted.write({"src/a.py": "a = 2\n"})
        stop = threading.Event()
        assert follow.follower.wait(0.5, stop) == set()
        planted.write({"src/b.py": "b = 2\n", ".git/index.lock": None})
        told = follow.follower.wait(5, stop)
        assert told >= {"src/a.py", "src/b.py"}
        planted.write({".git/index.lock": ""})
        os.utime(planted.root / ".git/index.lock", (1, 1))  # of a git that has crashed
        planted.write({"src/a.py": "a = 3\n"})
        assert "src/a.py" in follow.until("src/a.py")
