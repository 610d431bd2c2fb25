"""A repository that was made to run programs: none of them runs, whatever is asked of it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sctx_tui.git import checkout, git_unfiltered
from sctx_tui.graph import commits, staged
from sctx_tui.graph.changes import _git_renames, head
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.project import project_root
from sctx_tui.graph.store import Store
from sctx_tui.guidance.discover import all_guidance_files
from sctx_tui.guidance.validate import validate
from sctx_tui.listing import ignored, listed_files
from sctx_tui.services.githooks import HooksError, find_place, status

HOOKS = ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc")
ATTRIBUTES = "*.py filter=evil diff=evil\n*.yaml filter=spoken diff=evil\n*.md filter=e.vil\n"
SOURCE = "".join(f"def f{number}():\n    return {number}\n" for number in range(20))


def run_git(directory: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(("git", *identity, *arguments), cwd=directory, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """What each program of the repository writes into."""
    return tmp_path / "ran"


def program(path: Path, marker: Path, then: str = "exec cat") -> str:
    path.write_text(f'#!/bin/sh\necho "$0 $*" >> {shlex.quote(str(marker))}\n{then}\n')
    path.chmod(0o755)
    return str(path)


def _sign(root: Path) -> None:
    """Make the last commit one that has a signature, if not a good one."""
    head, _, message = run_git(root, "cat-file", "commit", "HEAD").partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    commit = f"{head}\n{signature}\n\n{message}\n".encode()
    words = ("git", "hash-object", "-t", "commit", "-w", "--stdin")
    made = subprocess.run(words, cwd=root, input=commit, check=True, capture_output=True).stdout
    run_git(root, "update-ref", "HEAD", made.decode().strip())


@pytest.fixture
def repository(tmp_path: Path, marker: Path) -> Path:
    """Files that differ from what is staged, a commit that looks signed, and programs wherever git knows one.

    The clock is ignored: the index is as old as the files, so that git must read them to see what changed.
    """
    root = tmp_path / "repository"
    hooks = tmp_path / "hooks"
    for folder in (root / "src", hooks):
        folder.mkdir(parents=True)
    run_git(root, "init", "-q")
    (root / "AGENTS.yaml").write_text("context: [{content: c, match: [src/*.py, gone.py]}]\n")
    (root / ".gitattributes").write_text(ATTRIBUTES)
    (root / "src/a.py").write_text(SOURCE)
    (root / "src/b.py").write_text("from a import f1\n\ndef g():\n    return f1()\n")
    run_git(root, "add", ".")
    run_git(root, "commit", "-qm", "signed")
    _sign(root)
    for name in HOOKS:
        program(hooks / name, marker, "exit 0")
        program(root / ".git/hooks" / name, marker, "exit 0")
    evil = program(tmp_path / "evil", marker)
    (tmp_path / "included").write_text(f'[filter "included"]\nclean = {evil}\n')
    (root / ".git/info/attributes").write_text("*.js filter=included\n")
    with (root / ".git/config").open("a") as config:
        config.write(
            f"[include]\npath = {tmp_path / 'included'}\n"
            f"[core]\nattributesFile = /dev/zero\n"
            f"[core]\nfsmonitor = {evil}\nhooksPath = {hooks}\nsshCommand = {evil}\npager = {evil}\n"
            f"editor = {evil}\naskPass = {evil}\nalternateRefsCommand = {evil}\n"
            f'[diff]\nexternal = {evil}\n[diff "evil"]\ncommand = {evil}\ntextconv = {evil}\n'
            f'[filter "evil"]\nclean = {evil}\nsmudge = {evil}\nrequired = true\n'
            f'[FILTER "spoken"]\nProcess = {evil}\nrequired\n[filter "e.vil"]\nclean = {evil}\n'
            f"[gpg]\nprogram = {evil}\n[log]\nshowSignature = true\n[color]\nui = always\n"
            f"[pager]\nlog = {evil}\nls-files = {evil}\ndiff = {evil}\n[alias]\nls-files = !{evil}\n"
            f"[protocol]\nallow = always\n[credential]\nhelper = {evil}\n"
            f'[remote "origin"]\nurl = ext::{evil}\npromisor = true\nuploadpack = {evil}\n'
            "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
        )
    return root


def change(root: Path) -> None:
    """A move with a change, a change of what stays, and files that only look changed."""
    (root / "src/moved.py").write_text(SOURCE + "# more\n")
    (root / "src/a.py").unlink()
    for name in ("src/b.py", "AGENTS.yaml"):
        path = root / name
        path.write_text(path.read_text())
    (root / "notes.md").write_text("x\n")
    (root / "x.js").write_text("x\n")
    old = os.stat(root / ".git/index").st_mtime_ns
    os.utime(root / "src/b.py", ns=(old, old))


def stage(root: Path, path: str) -> None:
    """Stage a path as somebody whose git runs nothing."""
    config = root / ".git/config"
    evil = config.read_text()
    config.write_text("")
    run_git(root, "add", path)
    config.write_text(evil)


def test_no_program_of_a_repository_is_run(repository: Path, marker: Path) -> None:
    root = str(repository)
    tree = run_git(repository, "-c", "core.fsmonitor=", "-c", "log.showSignature=false", "rev-parse", "HEAD")
    marker.unlink(missing_ok=True)
    assert "src/a.py" in listed_files(root)
    with Store.open(root, create=True) as store:
        list(sync(store, root, workers=0))
    change(repository)
    assert {problem.code for problem in validate(root)} == {"dead_pattern"}
    assert ignored(root, ["x.pyc"]) == set()
    with Store.open(root) as store:
        list(sync(store, root, workers=0))
        assert commits.log_head(store, root) == 4
        staged.undescribed(store, root)
    assert _git_renames(root, tree) == []  # nothing of it is staged
    staged.partly_staged(root)
    assert head(root) == tree
    status(root)
    assert project_root(os.path.join(root, "src")) == os.path.realpath(root)
    assert not marker.exists(), marker.read_text()


def test_a_listing_by_patterns_whatever_the_environment(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LITERAL", "GLOB", "ICASE"):
        monkeypatch.setenv(f"GIT_{name}_PATHSPECS", "1")
    (repository / ".git/info/exclude").write_text("notes/*\n")
    (repository / "notes").mkdir()
    (repository / "notes/AGENTS.yaml").write_text("context: []\n")
    assert all_guidance_files(str(repository)) == ["AGENTS.yaml", "notes/AGENTS.yaml"]


def test_a_rename_is_seen_without_the_filters(repository: Path, marker: Path) -> None:
    before = head(str(repository)) or ""
    change(repository)
    stage(repository, "src")
    marker.unlink(missing_ok=True)
    assert _git_renames(str(repository), before) == [("src/a.py", "src/moved.py")]
    assert {blob.path for blob in staged.staged_blobs(str(repository)) or ()} == {"src/moved.py"}
    assert not marker.exists(), marker.read_text()


def test_a_filter_that_cannot_be_switched_off_is_not_run(repository: Path, marker: Path) -> None:
    with (repository / ".git/config").open("a") as config:
        config.write(f'[filter "a=b"]\nclean = {marker.parent / "evil"}\n')
    (repository / ".gitattributes").write_text("* filter=a=b\n")
    change(repository)
    assert git_unfiltered(str(repository), "diff-files", "--name-only") is None
    assert staged.partly_staged(str(repository)) == []
    assert not marker.exists(), marker.read_text()


def test_an_object_that_is_missing_is_not_fetched(repository: Path, marker: Path) -> None:
    (repository / "src/new.py").write_text("def new(): pass\n")
    stage(repository, "src/new.py")
    [blob] = staged.staged_blobs(str(repository)) or []
    (repository / ".git/objects" / blob.object_id[:2] / blob.object_id[2:]).unlink()
    marker.unlink(missing_ok=True)
    assert staged.semantic_hashes(str(repository), [blob]) == [(blob, None)]
    assert not marker.exists(), marker.read_text()


@pytest.mark.parametrize("worktree", ["/", "..", "../other"])
def test_a_working_tree_elsewhere_is_not_ours(repository: Path, tmp_path: Path, worktree: str) -> None:
    (tmp_path / "other/.git").mkdir(parents=True)
    run_git(repository, "config", "core.worktree", str((repository / worktree).resolve()))
    root = str(repository)
    assert checkout(root) is None
    assert project_root(os.path.join(root, "src")) == os.path.join(os.path.realpath(root), "src")
    with pytest.raises(HooksError):
        find_place(root)
    assert all(not path.startswith("..") for path in listed_files(root))


def test_the_checkout(repository: Path, tmp_path: Path) -> None:
    assert checkout(str(repository / "src")) == str(repository.resolve())
    assert checkout(str(tmp_path)) is None
    link = tmp_path / "link"
    link.symlink_to(repository / "src")
    assert checkout(str(link)) == str(repository.resolve())


@pytest.mark.parametrize("module", ["sctx_tui", "json", "click", "textual", "_json"])
def test_no_module_of_a_repository_is_imported(repository: Path, marker: Path, module: str) -> None:
    """Whichever way others start us from there."""
    from sctx_tui.agents import command

    folder = repository / module
    folder.mkdir()
    for name in ("__init__.py", "__main__.py"):
        (folder / name).write_text(f"open({str(marker)!r}, 'w').close()\n")
    words = command.without_program("sctx")
    for arguments in (["hook"], ["init"], ["version"]):
        subprocess.run([*words, *arguments], cwd=repository, input=b"{}", capture_output=True, check=False)
    assert words[0] == sys.executable
    assert not marker.exists()
