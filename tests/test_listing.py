"""The list of files: git's own where there is git, a walk with ignore rules elsewhere."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sctx_tui.listing import ignored, ignored_files, listed_below, listed_files


def run_git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(("git", *identity, *arguments), cwd=directory, check=True, capture_output=True)


def write(root: Path, *paths: str, text: str = "x\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    run_git(root, "init", "-q")
    return root


def test_tracked_and_untracked_but_not_ignored_or_missing(repository: Path) -> None:
    write(repository, "a.py", "b/c.py", "gone.py", "build/out.py", "new.py")
    (repository / ".gitignore").write_text("build/\n")
    run_git(repository, "add", "a.py", "b/c.py", "gone.py", ".gitignore")
    (repository / "gone.py").unlink()
    assert listed_files(str(repository)) == [".gitignore", "a.py", "b/c.py", "new.py"]


def test_names_that_git_would_quote(repository: Path) -> None:
    write(repository, "café.py", "with space.py", 'quote".py', "tab\t.py", "line\n.py")
    assert set(listed_files(str(repository))) == {
        "café.py",
        "with space.py",
        'quote".py',
        "tab\t.py",
        "line\n.py",
    }


def test_a_name_that_is_not_utf8(repository: Path) -> None:
    try:
        with open(os.fsencode(repository) + b"/caf\xe9.py", "wb"):
            pass
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert listed_files(str(repository)) == ["caf\udce9.py"]


def test_only_below_a_root_inside_a_checkout(repository: Path) -> None:
    write(repository, "a.py", "sub/b.py")
    assert listed_files(str(repository / "sub")) == ["b.py"]


def test_conflicting_stages_count_once(repository: Path) -> None:
    write(repository, "a.py", text="one\n")
    run_git(repository, "add", ".")
    run_git(repository, "commit", "-qm", "one")
    run_git(repository, "checkout", "-qb", "side")
    write(repository, "a.py", text="two\n")
    run_git(repository, "commit", "-qam", "two")
    run_git(repository, "checkout", "-q", "-")
    write(repository, "a.py", text="three\n")
    run_git(repository, "commit", "-qam", "three")
    with pytest.raises(subprocess.CalledProcessError):
        run_git(repository, "merge", "side")
    assert listed_files(str(repository)) == ["a.py"]


def test_symlinks_are_listed_but_not_entered(repository: Path) -> None:
    write(repository, "real/a.py")
    (repository / "link").symlink_to("real")
    (repository / "broken").symlink_to("nowhere")
    (repository / "loop").symlink_to(".")
    assert listed_files(str(repository)) == ["broken", "link", "loop", "real/a.py"]


def test_submodules_are_part_of_the_project(tmp_path: Path, repository: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    run_git(inner, "init", "-q")
    write(inner, "lib.py", "skip.log")
    (inner / ".gitignore").write_text("*.log\n")
    run_git(inner, "add", ".")
    run_git(inner, "commit", "-qm", "inner")
    write(repository, "a.py")
    run_git(repository, "submodule", "--quiet", "add", str(inner), "vendor/inner")
    assert listed_files(str(repository)) == [
        ".gitmodules",
        "a.py",
        "vendor/inner/.gitignore",
        "vendor/inner/lib.py",
    ]


def test_a_submodule_that_is_not_checked_out_has_no_files(tmp_path: Path, repository: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    run_git(inner, "init", "-q")
    write(inner, "lib.py")
    run_git(inner, "add", ".")
    run_git(inner, "commit", "-qm", "inner")
    run_git(repository, "submodule", "--quiet", "add", str(inner), "inner")
    run_git(repository, "commit", "-qm", "with submodule")
    run_git(tmp_path, "clone", "-q", str(repository), "clone")
    assert listed_files(str(tmp_path / "clone")) == [".gitmodules"]


def test_worktrees_and_clones_inside_are_other_checkouts(repository: Path) -> None:
    write(repository, "a.py")
    run_git(repository, "add", ".")
    run_git(repository, "commit", "-qm", "a")
    run_git(repository, "worktree", "add", "-q", ".claude/worktrees/one")
    run_git(repository, "clone", "-q", ".", "copy")
    assert listed_files(str(repository)) == ["a.py"]
    assert listed_files(str(repository / ".claude/worktrees/one")) == ["a.py"]


def test_the_environment_of_a_hook_does_not_point_elsewhere(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, "a.py")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert listed_files(str(repository)) == ["a.py"]


def test_a_program_named_in_the_repository_configuration_is_not_run(repository: Path) -> None:
    write(repository, "a.py")
    marker = repository.parent / "ran"
    run_git(repository, "config", "core.fsmonitor", f"touch {marker}; false")
    listed_files(str(repository))
    assert not marker.exists()


def test_a_root_that_its_checkout_ignores_is_walked(repository: Path) -> None:
    (repository / ".gitignore").write_text("scratch/\n")
    write(repository, "scratch/a.py", "scratch/sub/b.py")
    assert listed_files(str(repository / "scratch")) == ["a.py", "sub/b.py"]


def test_an_empty_checkout_is_empty(repository: Path) -> None:
    assert listed_files(str(repository)) == []


def test_without_git_ignore_files_rule(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "a.log", "keep.log", "sub/b.log", "sub/c.py", "sub/deep/d.py", "out/e.py")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/out/\n")
    (tmp_path / "sub/.gitignore").write_text("!b.log\n/deep/\n")
    assert listed_files(str(tmp_path)) == [
        ".gitignore",
        "a.py",
        "keep.log",
        "sub/.gitignore",
        "sub/b.log",
        "sub/c.py",
    ]


def test_without_git_dependencies_are_not_yours(tmp_path: Path) -> None:
    write(tmp_path, "a.js", "node_modules/x/index.js", ".venv/lib/y.py", "src/__pycache__/z.pyc")
    assert listed_files(str(tmp_path)) == ["a.js"]


def test_a_folder_of_checkouts(tmp_path: Path, repository: Path) -> None:
    write(repository, "a.py", "skip.log")
    (repository / ".gitignore").write_text("*.log\n")
    run_git(repository, "add", ".")
    run_git(repository, "commit", "-qm", "a")
    run_git(repository, "worktree", "add", "-q", "../tree")
    assert listed_files(str(tmp_path)) == ["repository/.gitignore", "repository/a.py"]


def test_without_a_git_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py", "sub/b.py")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert listed_files(str(tmp_path)) == ["a.py", "sub/b.py"]


PATHS = ("a.py", "a.o", "new/b.o", "new/b.py", "build/", "build/x.py", "src/keep.o", "src/local.txt", "l\n.o")
IGNORED = {"a.o", "new/b.o", "build/", "build/x.py", "src/local.txt", "l\n.o"}


def _ignore_rules(root: Path) -> None:
    write(root, "src/a.py", "build/out/x.py")
    (root / ".gitignore").write_text("*.o\nbuild\n")
    (root / "src/.gitignore").write_text("!keep.o\nlocal.txt\n")


def test_which_paths_git_ignores(repository: Path) -> None:
    _ignore_rules(repository)
    assert ignored(str(repository), PATHS) == IGNORED
    assert ignored(str(repository), ["a.py"]) == set()
    assert ignored(str(repository), []) == set()


def test_which_paths_are_ignored_without_git(tmp_path: Path) -> None:
    _ignore_rules(tmp_path)
    assert ignored(str(tmp_path), PATHS) == IGNORED
    assert ignored(str(tmp_path), ["src/node_modules/", "src/node_modules"]) == {"src/node_modules/"}


@pytest.mark.parametrize("has_git", [True, False])
def test_ignored_files_in_directories_that_are_not(has_git: bool, repository: Path, tmp_path: Path) -> None:
    root = repository if has_git else tmp_path / "bare"
    write(root, "src/mine.txt", "mine.txt", "build/mine.txt", "src/seen/mine.txt", "src/other.txt")
    (root / ".gitignore").write_text("*.txt\nbuild/\n!src/seen/*.txt\n")
    assert sorted(ignored_files(str(root), ["mine.txt"])) == ["mine.txt", "src/mine.txt"]


def test_what_an_outer_checkout_ignores_as_a_whole_is_asked_by_its_own_rules(repository: Path) -> None:
    (repository / ".gitignore").write_text("inner/\n")
    (repository / "inner").mkdir()
    _ignore_rules(repository / "inner")
    assert ignored(str(repository / "inner"), PATHS) == IGNORED


def test_some_paths_are_listed_like_all_of_them(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        repository, "a.py", "b/c.py", "b/d*.py", "b/dx.py", "gone.py", "build/out.py", "new.py", "other/e.py"
    )
    (repository / ".gitignore").write_text("build/\n")
    run_git(repository, "add", "a.py", "gone.py")
    (repository / "gone.py").unlink()
    inner = repository / "other"
    run_git(inner, "init", "-q")
    root = str(repository)
    everything = listed_files(root)
    for asked in (
        ["a.py"],
        ["b"],
        ["b/d*.py"],
        ["b/c.py", "new.py"],
        ["gone.py"],
        ["a.py", "gone.py", "nowhere"],
        ["build/out.py"],
        ["a.py", "build"],
        ["other/e.py"],
        ["a.py", "other"],
        [""],
    ):
        below = [p for p in everything if any(p == a or p.startswith(f"{a}/") or not a for a in asked)]
        assert listed_below(root, asked) == below, asked
    monkeypatch.setattr("sctx_tui.listing.listed_files", None)  # not asked for
    assert listed_below(root, ["b", "a.py"]) == ["a.py", "b/c.py", "b/d*.py", "b/dx.py"]


def test_paths_in_a_submodule_or_without_git(repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    run_git(library, "init", "-q")
    write(library, "lib.py")
    run_git(library, "add", ".")
    run_git(library, "commit", "-q", "-m", "c")
    run_git(repository, "submodule", "--quiet", "add", str(library), "vendored")
    assert listed_below(str(repository), ["vendored/lib.py"]) == ["vendored/lib.py"]
    assert "vendored/lib.py" in listed_below(str(repository), ["vendored"])
    plain = tmp_path / "plain"
    write(plain, "a.py", "b/c.py")
    assert listed_below(str(plain), ["b"]) == ["b/c.py"]


def test_a_git_directory_lists_nothing(tmp_path: Path, repository: Path) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "bare")
    for folder in (tmp_path / "bare", tmp_path / "bare/hooks", repository / ".git"):
        assert listed_files(str(folder)) == []


def test_an_index_is_no_part_of_the_project(repository: Path) -> None:
    write(repository, "a.py", ".ctx/index.db", "sub/.ctx/index.db", "sub/x.ctx/b.py")
    assert listed_files(str(repository)) == ["a.py", "sub/x.ctx/b.py"]
    assert listed_below(str(repository), [".ctx", "sub/.ctx/index.db"]) == []
    run_git(repository, "add", "-f", ".")
    assert listed_files(str(repository)) == ["a.py", "sub/x.ctx/b.py"]
