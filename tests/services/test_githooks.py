"""Git hooks: installed beside what is there, run by real commits, taken out without a trace."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sctx_tui.agents.command import Command
from sctx_tui.graph import store_notes
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store
from sctx_tui.services import githooks
from sctx_tui.services.githooks import CHAINED, HOOKS, MARK, HooksError, install, status, uninstall

IDENTITY = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
}
CODE = "def f(a):\n    return a\n"


class Repository:
    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **IDENTITY} | ({"PATH": path} if path else {})
        return subprocess.run(
            ("git", *arguments), cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )

    def commit(self, *arguments: str, **files: str) -> int:
        for name, text in files.items():
            (self.root / f"{name}.py").write_text(text)
        self.git("add", "-A")
        return self.git("commit", "-qm", "a commit", *arguments).returncode

    def index(self) -> None:
        with Store.open(str(self.root), create=True) as store:
            list(sync(store, str(self.root)))

    def changes(self, file: str) -> list[tuple[str, str]]:
        with Store.open(str(self.root)) as store:
            return [(change.summary, change.source) for change in store_notes.changes(store, file)]

    def hook(self, name: str, script: str, mode: int = 0o755, folder: str = ".git/hooks") -> Path:
        path = self.root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script)
        path.chmod(mode)
        return path

    def install(self, *, warn: bool = False) -> list[str]:
        return install(str(self.root), warn=warn)

    def uninstall(self) -> list[str]:
        return uninstall(str(self.root))

    @property
    def status(self) -> dict[str, str]:
        return status(str(self.root))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One committed file, indexed."""
    made = Repository(tmp_path / "project")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    made.commit(a=CODE)
    made.index()
    return made


def test_a_commit_waits_for_its_description(repository: Repository) -> None:
    repository.install()
    assert repository.status == dict.fromkeys(HOOKS, "installed")
    assert repository.commit(a="x = 1\n") == 1
    repository.index()
    assert repository.commit(a="x = 1\n") == 0
    assert repository.changes("a.py") == [("a commit", "git")]
    assert repository.commit("--no-verify", a="x = 2\n") == 0


def test_hooks_find_us_without_a_path(repository: Repository) -> None:
    """Graphical git clients have another PATH than a terminal."""
    repository.install()
    (repository.root / "a.py").write_text("x = 1\n")
    repository.git("add", "-A")
    assert repository.git("commit", "-qm", "one", path="/usr/bin:/bin").returncode == 1


def test_our_name_counts_before_our_path_where_it_finds_us(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes first on the user's PATH is tried first by hooks that were made by it, and by no others."""
    other = tmp_path / "bin/ctx"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\nexit 7\n")
    other.chmod(0o755)
    path = f"{other.parent}:/usr/bin:/bin"
    (repository.root / "a.py").write_text("x = 1\n")
    repository.git("add", "-A")

    monkeypatch.setattr(githooks, "_absolute_command", lambda: ("/bin/true",))
    for found, code in ((Command(("ctx",)), 1), (Command(("/bin/true",), "not on your PATH"), 0)):
        monkeypatch.setattr(githooks, "installed_command", lambda name, found=found: found)
        done = repository.install()
        assert done[len(HOOKS) :] == ([f"note: {found.note}"] if found.note else [])
        assert repository.git("commit", "-qm", "one", path=path).returncode == code


def test_hooks_are_out_of_the_way_when_we_are_gone(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(githooks, "_absolute_command", lambda: ("/nowhere/ctx",))
    repository.install()
    (repository.root / "a.py").write_text("x = 1\n")
    repository.git("add", "-A")
    assert repository.git("commit", "-qm", "one", path="/usr/bin:/bin").returncode == 0


def test_warn_lets_the_commit_go_on(repository: Repository) -> None:
    repository.install(warn=True)
    assert repository.status["pre-commit"] == "warns"
    assert repository.commit(a="x = 1\n") == 0
    repository.install()
    assert repository.commit(a="x = 2\n") == 1


def test_an_existing_hook_runs_first_and_may_still_fail(repository: Repository) -> None:
    hook = repository.hook("pre-commit", '#!/bin/sh\necho "$0" > ran\n[ ! -e fail ]\n')
    before = hook.read_bytes()
    repository.install()
    repository.install()
    assert repository.commit(b=CODE) == 1  # ours: new file
    assert (repository.root / "ran").exists()
    repository.index()
    (repository.root / "fail").touch()
    assert repository.commit() == 1  # theirs
    (repository.root / "fail").unlink()
    assert repository.commit() == 0
    repository.uninstall()
    assert hook.read_bytes() == before and hook.stat().st_mode & 0o777 == 0o755
    assert not hook.with_name("pre-commit" + CHAINED).exists()


def test_a_hook_in_another_language_and_a_linked_one(repository: Repository) -> None:
    (repository.root / "tools").mkdir()
    target = repository.root / "tools/hook"
    target.write_text("#!/usr/bin/env python3\nraise SystemExit(7)\n")
    target.chmod(0o755)
    link = repository.root / ".git/hooks/pre-commit"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("../../tools/hook")
    repository.install()
    assert target.read_text().endswith("SystemExit(7)\n")
    repository.index()
    assert repository.commit() == 1
    repository.uninstall()
    assert link.is_symlink() and link.resolve() == target.resolve()


def test_a_hook_that_git_ignores_stays_ignored(repository: Repository) -> None:
    repository.hook("pre-commit", "#!/bin/sh\nexit 1\n", mode=0o644)
    repository.install()
    repository.index()
    assert repository.commit("--allow-empty") == 0


def test_uninstall_leaves_nothing_where_nothing_was(repository: Repository) -> None:
    before = sorted(path.name for path in (repository.root / ".git/hooks").glob("*"))
    repository.install()
    assert repository.uninstall() == [f"{name}: removed" for name in HOOKS]
    assert sorted(path.name for path in (repository.root / ".git/hooks").glob("*")) == before
    assert repository.uninstall() == []


def test_hooks_path_in_the_project(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", ".githooks")
    repository.install()
    script = (repository.root / ".githooks/pre-commit").read_text()
    assert MARK in script
    assert (
        str(Path(githooks.__file__).parents[2]) not in script
    )  # it will be committed: no path of this machine
    assert not (repository.root / ".git/hooks/pre-commit").exists()


def test_hooks_path_outside_the_project_is_left_alone(repository: Repository, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    repository.git("config", "core.hooksPath", str(shared))
    with pytest.raises(HooksError, match="serves other repositories"):
        repository.install()
    assert list(shared.iterdir()) == []


def test_husky(repository: Repository) -> None:
    """Husky sets core.hooksPath to a folder that it makes anew; what people write lies above it."""
    repository.hook("pre-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n', folder=".husky/_")
    repository.hook("h", 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n', folder=".husky/_")
    (repository.root / ".husky/_/.gitignore").write_text("*\n")
    theirs = repository.hook("pre-commit", "echo husky > ran\n", mode=0o644, folder=".husky")
    repository.git("config", "core.hooksPath", ".husky/_")
    repository.install()
    assert MARK not in (repository.root / ".husky/_/pre-commit").read_text()
    assert MARK in theirs.read_text()
    repository.git("add", "-A")
    repository.index()
    assert repository.git("commit", "-qm", "husky").returncode == 0
    assert (repository.root / "ran").exists()
    repository.uninstall()
    assert theirs.read_text() == "echo husky > ran\n"


def test_the_pre_commit_framework_keeps_its_hook(repository: Repository) -> None:
    script = "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n"
    hook = repository.hook("pre-commit", script)
    done = repository.install()
    assert "id: ctx-validate" in done[0]
    assert hook.read_text() == script
    assert repository.status == dict.fromkeys(HOOKS, "installed") | {"pre-commit": "another"}
    (repository.root / ".pre-commit-config.yaml").write_text(
        "repos: [{repo: local, hooks: [{id: ctx-validate}]}]\n"
    )
    assert repository.status["pre-commit"] == "pre-commit"
    assert repository.install()[0] == "pre-commit: called by pre-commit"


def test_a_worktree_shares_the_hooks_of_its_repository(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repository(tmp_path / "tree")
    tree.install()
    assert MARK in (repository.root / ".git/hooks/pre-commit").read_text()
    assert tree.commit(b=CODE) == 0  # no index there: nothing to compare with
    tree.index()
    assert tree.commit(c=CODE) == 1
    assert repository.commit(c=CODE) == 1


def test_an_index_below_the_top(repository: Repository) -> None:
    inner = Repository(repository.root / "packages/in ner")
    inner.root.mkdir(parents=True)
    (inner.root / "b.py").write_text(CODE)
    (repository.root / ".ctx").rename(repository.root.parent / "away")
    inner.index()
    inner.install()
    repository.git("add", "-A")
    assert repository.git("commit", "-qm", "one").returncode == 0
    assert inner.changes("b.py") == [("one", "git")]
    (inner.root / "b.py").write_text("x = 1\n")
    repository.git("add", "-A")
    assert repository.git("commit", "-qm", "two").returncode == 1


def test_a_replaced_hook_of_ours_is_not_touched(repository: Repository) -> None:
    repository.hook("pre-commit", "#!/bin/sh\nexit 0\n")
    repository.install()
    other = repository.hook("pre-commit", "#!/bin/sh\n# another program\n")
    assert "another program replaced ours" in repository.uninstall()[0]
    assert "another program" in other.read_text()
    with pytest.raises(HooksError, match="merge the two"):
        repository.install()


def test_without_git(tmp_path: Path) -> None:
    with pytest.raises(HooksError, match="no git repository"):
        install(str(tmp_path), warn=False)
    assert status(str(tmp_path)) == {}


def test_an_amended_commit_is_recorded_once(repository: Repository) -> None:
    repository.install(warn=True)
    repository.commit(a="x = 1\n")
    repository.git("commit", "-q", "--amend", "-m", "better")
    assert repository.changes("a.py") == [("better", "git")]
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert repository.changes("a.py") == [("better", "git")]


def test_a_merge_is_recorded_as_what_it_brings(repository: Repository) -> None:
    repository.install(warn=True)
    repository.git("checkout", "-qb", "side")
    repository.commit(b=CODE)
    repository.git("checkout", "-q", "main")
    repository.commit(c=CODE)
    repository.git("merge", "-q", "--no-ff", "-m", "bring b", "side")
    assert repository.changes("b.py")[0] == ("bring b", "git")
    repository.index()
    repository.git("commit", "-q", "--amend", "-m", "bring b in")
    assert repository.changes("b.py")[0] == ("bring b in", "git")
    assert ("bring b", "git") not in repository.changes("b.py")
    assert repository.changes("c.py") == [("a commit", "git")]


def test_a_fast_forward_brings_each_commit(repository: Repository) -> None:
    """As after a pull: the commits were made where no hook of ours recorded them."""
    repository.git("checkout", "-qb", "side")
    for number in range(3):
        repository.commit(b=f"x = {number}\n")
        repository.git("commit", "-q", "--amend", "-m", f"side {number}")
    repository.git("checkout", "-q", "main")
    repository.install(warn=True)
    repository.index()
    repository.git("merge", "-q", "--ff-only", "side")
    assert [subject for subject, _ in repository.changes("b.py")] == ["side 2", "side 1", "side 0"]


def test_twenty_changes_of_a_file_are_kept(repository: Repository) -> None:
    with Store.open(str(repository.root)) as store:
        for number in range(25):
            store_notes.log_changes(store, [("a.py", f"change {number}")], source="agent")
        found = [change.summary for change in store_notes.changes(store, "a.py")]
    assert found == [f"change {number}" for number in range(24, 4, -1)]
    assert repository.changes("b.py") == []


def test_committing_what_is_indexed_leaves_the_index_up_to_date(repository: Repository) -> None:
    repository.install()
    (repository.root / "a.py").write_text("x = 1\n")
    repository.index()
    repository.commit()
    with Store.open(str(repository.root)) as store:
        assert store.meta("indexed_head") == repository.git("rev-parse", "HEAD").stdout.strip()


def test_a_module_of_the_repository_is_not_run_by_the_hook(repository: Repository) -> None:
    repository.install(warn=True)
    marker = repository.root.parent / "ran"
    code = f"open({str(marker)!r}, 'w').close()\n"
    assert repository.commit(json=code, logging=code, subprocess=code, sqlite3=code) == 0
    assert not marker.exists()
