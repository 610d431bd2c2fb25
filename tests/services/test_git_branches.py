"""Hooks and the index while branches are merged, rebased and picked from, by real commands of git."""

from __future__ import annotations

import pytest

from .conftest import Life, text


@pytest.fixture
def branches(life: Life) -> Life:
    """`side` has two commits of s.py, `main` one of m.py and is checked out."""
    life.git("switch", "-q", "-c", "side")
    life.save("side 1", s=text(1))
    life.save("side 2", s=text(2))
    life.git("switch", "-q", "main")
    life.save("main 1", m=text(1))
    return life


def test_merges(branches: Life) -> None:
    assert branches.try_git("merge", "-q", "--no-ff", "-m", "merged", "side").returncode == 0
    assert branches.changes("s.py") == ["side 1", "side 2", "merged"]
    assert branches.indexed_head() != branches.head()  # files have changed: only a sync makes the index true
    assert branches.changes("m.py") == ["main 1"]


def test_a_merge_with_a_conflict_is_held_until_it_is_described(branches: Life) -> None:
    life = branches
    life.save("s here", s=text(7))
    assert life.try_git("merge", "-q", "side").returncode == 1
    life.write({"s.py": text(9)})
    life.git("add", "-A")
    assert life.try_git("commit", "-q", "-m", "resolved").returncode == 1
    life.describe()
    assert life.try_git("merge", "--continue").returncode == 0
    assert len(life.changes("s.py")) == 4  # side 1, side 2, here, the merge
    assert life.indexed_head() == life.head()


def test_a_fast_forward_and_a_squash(branches: Life) -> None:
    life = branches
    life.git("switch", "-q", "-c", "copy", "side~2")
    assert life.try_git("merge", "-q", "--ff-only", "side").returncode == 0
    life.git("switch", "-q", "main")
    life.git("merge", "-q", "--squash", "side")
    life.describe()
    life.git("commit", "-q", "-m", "squashed")
    assert life.changes("s.py") == ["side 1", "side 2", "squashed"]


def test_a_rebase_records_each_commit_once(branches: Life) -> None:
    life = branches
    life.git("rebase", "-q", "main", "side")
    life.git("rebase", "-q", "--force-rebase", "main")
    assert life.changes("s.py") == ["side 1", "side 2"]
    life.describe()
    assert life.indexed_head() == life.head()


@pytest.mark.parametrize(
    ("command", "editor", "expected"),
    [
        ("reword", "echo 'side two' >", ["side 1", "side two"]),
        ("squash", "true", ["side 1"]),
        ("fixup", "true", ["side 1"]),
        ("drop", "true", ["side 1", "side 2"]),  # it was changed so, and then it wasn't: git runs no hook
    ],
)
def test_an_interactive_rebase(branches: Life, command: str, editor: str, expected: list[str]) -> None:
    life = branches
    environment = {"GIT_SEQUENCE_EDITOR": f"sed -i -e '2s/pick/{command}/'", "GIT_EDITOR": editor}
    life.git("switch", "-q", "side")
    assert life.try_git("rebase", "-q", "-i", "HEAD~2", env=environment).returncode == 0
    assert life.changes("s.py") == expected


def test_a_rebase_that_stops_at_a_conflict(branches: Life) -> None:
    life = branches
    life.save("s here", s=text(7))
    life.git("switch", "-q", "side")
    assert life.try_git("rebase", "-q", "main").returncode == 1
    life.write({"s.py": text(8)})
    life.git("add", "-A")
    assert life.ctx("validate").returncode in (0, 1)
    life.describe()
    assert life.try_git("rebase", "--continue").returncode == 1  # the second one
    life.write({"s.py": text(9)})
    life.git("add", "-A")
    life.describe()
    assert life.try_git("rebase", "--continue").returncode == 0
    assert life.changes("s.py") == ["s here", "side 1", "side 2"]


def test_picked_and_reverted_commits(branches: Life) -> None:
    life = branches
    life.git("cherry-pick", "side~1")
    assert life.changes("s.py") == ["side 1", "side 2", "side 1"]
    life.git("revert", "--no-edit", "HEAD")
    assert life.changes("s.py")[-1].startswith("Revert ")
