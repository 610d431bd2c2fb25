"""`ctx validate`: what is staged, against what was described."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_notes import describe

from .conftest import Result, Shop

CODE = "def f(a):\n    return a\n"


class Repository(Shop):
    """Files that are staged, and what `ctx validate` says of them."""

    def stage(self, **files: str) -> None:
        self.write({f"{name}.py": text for name, text in files.items()})
        self.git("add", "-A")

    def blocked(self, *arguments: str) -> list[tuple[str, str]]:
        result = self.ctx("validate", "--json", *arguments)
        found = [(each["file"], each["reason"]) for each in result.json]
        assert result.code == (1 if found else 0)
        return found


@pytest.fixture
def repository(tmp_path: Path, run_ctx: Callable[..., Result]) -> Repository:
    """One described, committed file."""
    root = tmp_path / "project"
    root.mkdir()
    made = Repository(root, run_ctx)
    made.git("init", "-q", "-b", "main")
    made.stage(a=CODE)
    made.git("commit", "-qm", "one")
    assert made.ctx("init").code == 0
    return made


def test_nothing_staged_passes(repository: Repository) -> None:
    assert repository.blocked() == []


def test_a_change_of_meaning_blocks_until_sync(repository: Repository) -> None:
    repository.stage(a=CODE.replace("return a", "return a + 1"))
    result = repository.ctx("validate")
    assert result.code == 1
    assert "a.py" in result.err and "ctx sync" in result.err
    repository.ctx("sync")
    assert repository.blocked() == []


def test_a_new_file_blocks_until_update(repository: Repository) -> None:
    repository.stage(b=CODE)
    assert repository.blocked() == [("b.py", "new")]
    repository.ctx("update", "b.py")
    assert repository.blocked() == []


def test_layout_and_comments_pass(repository: Repository) -> None:
    repository.stage(a="# a comment\ndef f( a ):\n\n    return a # and another\n")
    assert repository.blocked() == []


@pytest.mark.parametrize(
    ("name", "code", "remark"),
    [
        ("c.py", 'class A:\n    """Doc."""\n\n    x = 1\n\n    def f(self):\n        return 1\n', "# more\n"),
        (
            "c.go",
            "package c\n\nfunc f() any {\n\tv := struct {\n\t\tA int\n\t}{\n\t\tA: 1,\n\t}\n\treturn v\n}\n",
            "// more\n",
        ),
        ("c.c", "int f(void) { return 1; } }\nint g(void) {\n  return 2;\n}\n", "/* more */\n"),
    ],
)
def test_the_hash_of_what_is_staged_is_that_of_the_index(
    repository: Repository, name: str, code: str, remark: str
) -> None:
    repository.write({name: code})
    assert repository.ctx("sync").code == 0
    repository.write({name: code + remark})
    repository.git("add", "-A")
    assert repository.blocked() == []


def test_deletions_and_unparsed_files_pass(repository: Repository) -> None:
    (repository.root / "a.py").unlink()
    repository.write({"README.md": "# New\n"})
    repository.write({"data.min.js": "x" * 600 + "\n" + "function f(){}" * 1000})
    repository.git("add", "-A")
    assert repository.blocked() == []


def test_what_is_staged_counts_not_the_working_tree(repository: Repository) -> None:
    repository.stage(a=CODE.replace("return a", "return 5"))
    repository.write({"a.py": CODE})
    assert repository.blocked() == [("a.py", "changed")]
    repository.git("add", "-A")
    repository.write({"a.py": CODE.replace("return a", "return 5")})
    assert repository.blocked() == []


def test_sync_describes_what_is_staged_too_where_it_differs(repository: Repository) -> None:
    repository.stage(a=CODE.replace("return a", "return 5"))
    repository.write({"a.py": CODE.replace("return a", "return 6")})
    assert repository.blocked() == [("a.py", "changed")]
    repository.ctx("sync")
    assert repository.blocked() == []
    repository.stage(a=CODE.replace("return a", "return 7"))
    assert repository.blocked() == [("a.py", "changed")]


def test_following_edits_is_not_describing(repository: Repository) -> None:
    repository.stage(a=CODE.replace("return a", "return 5"))
    with Store.open(str(repository.root)) as store:
        list(sync(store, str(repository.root), describes=False))
    assert repository.blocked() == [("a.py", "changed")]
    with Store.open(str(repository.root)) as store:
        describe(store, "file", "a.py", {"purpose": "Gives five"}, source="agent")
    assert repository.blocked() == []


def test_going_back_to_what_was_described_passes(repository: Repository) -> None:
    repository.stage(a=CODE.replace("return a", "return 5"))
    assert repository.blocked() == [("a.py", "changed")]
    repository.stage(a=CODE)
    assert repository.blocked() == []


def test_a_renamed_file_passes_with_the_meaning_it_had(repository: Repository) -> None:
    repository.git("mv", "a.py", "b.py")
    assert repository.blocked() == []


def test_before_the_first_commit(tmp_path: Path, run_ctx: Callable[..., Result]) -> None:
    made = Repository(tmp_path, run_ctx)
    made.git("init", "-q")
    made.stage(a=CODE)
    made.ctx("init")
    assert made.blocked() == []
    made.stage(a=CODE + "x = 1\n")
    assert made.blocked() == [("a.py", "changed")]


def test_no_index_passes_with_one_line(repository: Repository) -> None:
    import shutil

    repository.stage(a="x = 1\n")
    shutil.rmtree(repository.root / ".ctx")
    result = repository.ctx("validate")
    assert (result.code, result.out) == (0, "") and result.err.count("\n") == 1


def test_no_git_passes(tmp_path: Path, run_ctx: Callable[..., Result]) -> None:
    made = Repository(tmp_path, run_ctx)
    made.write({"a.py": CODE})
    made.ctx("init")
    assert made.blocked() == []


def test_warn_only_warns(repository: Repository) -> None:
    repository.stage(a="x = 1\n")
    result = repository.ctx("validate", "--warn")
    assert result.code == 0 and result.err.startswith("warning: ") and "a.py" in result.err


def test_names_that_git_would_quote(repository: Repository) -> None:
    for name in ("café.py", "with space.py", "line\n.py", 'quote".py'):
        repository.write({name: CODE})
    repository.git("add", "-A")
    assert {path for path, _ in repository.blocked()} == {
        "café.py",
        "with space.py",
        "line\n.py",
        'quote".py',
    }
    assert "\n.py" not in repository.ctx("validate").err


def test_symbolic_links_and_submodules_pass(repository: Repository, tmp_path: Path) -> None:
    (repository.root / "link.py").symlink_to("a.py")
    repository.git("clone", "-q", ".", "inner.py")
    repository.git("add", "-A")
    assert repository.blocked() == []


def test_a_root_below_the_top_sees_its_own_files_only(repository: Repository) -> None:
    repository.write({"sub/b.py": CODE})
    repository.ctx("init", "--root", "sub")
    repository.write({"sub/b.py": CODE + "x = 1\n"})
    repository.write({"c.py": CODE})
    repository.git("add", "-A")
    assert repository.blocked("--root", "sub") == [("b.py", "changed")]


def test_a_partial_commit_is_judged_by_what_it_takes(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git commit FILE` gives its hook an index of its own."""
    repository.stage(a=CODE.replace("return a", "return 5"))
    repository.git("commit", "-qm", "unrelated", "--no-verify")
    repository.write({"a.py": "x = 1\n"})
    hook = repository.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\necho "$GIT_INDEX_FILE" > .git/seen\nexit 1\n')
    hook.chmod(0o755)
    with pytest.raises(subprocess.CalledProcessError):
        repository.git("commit", "-qm", "partial", "a.py")
    assert (repository.root / ".git/seen").read_text().strip() != ".git/index"
    copy = repository.root / ".git/next"
    copy.write_bytes((repository.root / ".git/index").read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", str(copy))
    repository.git("add", "a.py")  # into the copy only
    assert repository.blocked() == [("a.py", "changed")]
