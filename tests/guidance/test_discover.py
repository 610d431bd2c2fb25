"""Where guidance may stand.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.guidance.discover import (
    all_guidance_files,
    governing_directories,
    hook_root,
    is_within,
)
from sctx_tui.guidance.model import Query

from .conftest import Tree

Project = Callable[[Tree], Path]


def git_init(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)


@pytest.mark.parametrize(
    ("path", "is_directory", "found"),
    [
        ("a.py", False, [""]),
        ("src/api/a.py", False, ["", "src", "src/api"]),
        ("src/api", True, ["", "src", "src/api"]),
        ("", True, [""]),
        ("src/node_modules/p/a.js", False, ["", "src"]),
        (".venv/lib/x.py", False, [""]),
        ("node_modules", True, [""]),
        ("a/__pycache__/b", False, ["", "a"]),
        ("venv.py", False, [""]),
        ("..foo/...x/a", False, ["", "..foo", "..foo/...x"]),
    ],
)
def test_governing_directories(path: str, is_directory: bool, found: list[str]) -> None:
    assert governing_directories(Query("/r", path, is_directory)) == found


def test_is_within() -> None:
    assert is_within("/a/b", "/a")
    assert is_within("/a", "/a")
    assert is_within("/a", "/")
    assert not is_within("/ab", "/a")


GUIDANCE = "context:\n- content: x\n"


def test_F90_all_files_of_a_git_project(project: Project) -> None:
    root = project(
        {
            ".gitignore": "build/\nnode_modules/\npersonal/AGENTS.yaml\nalone/AGENTS.yml\n",
            "AGENTS.yml": GUIDANCE,
            "AGENTS.yaml": GUIDANCE,
            "b/AGENTS.yaml": GUIDANCE,
            "a/b/AGENTS.yaml": GUIDANCE,
            "a-b/AGENTS.yaml": GUIDANCE,
            ".hidden/AGENTS.yaml": GUIDANCE,
            "..odd/AGENTS.yaml": GUIDANCE,
            "personal/AGENTS.yaml": GUIDANCE,
            "personal/x.py": "",
            "alone/AGENTS.yml": GUIDANCE,
            "build/AGENTS.yaml": GUIDANCE,
            "node_modules/p/AGENTS.yaml": GUIDANCE,
            "lib/site-packages/p/AGENTS.yaml": GUIDANCE,
            "lib/venv/AGENTS.yaml": GUIDANCE,
            "lib/x.py": "",
        }
    )
    git_init(root)
    assert all_guidance_files(str(root)) == [
        "AGENTS.yaml",
        "AGENTS.yml",
        "..odd/AGENTS.yaml",
        ".hidden/AGENTS.yaml",
        "a/b/AGENTS.yaml",
        "a-b/AGENTS.yaml",
        "alone/AGENTS.yml",
        "b/AGENTS.yaml",
        "personal/AGENTS.yaml",
    ]


def test_all_files_without_git(project: Project) -> None:
    root = project(
        {
            ".gitignore": "build/\npersonal/AGENTS.yaml\nalone/AGENTS.yml\n",
            "AGENTS.yaml": GUIDANCE,
            "a/AGENTS.yml": GUIDANCE,
            "alone/AGENTS.yml": GUIDANCE,
            "build/AGENTS.yaml": GUIDANCE,
            "personal/AGENTS.yaml": GUIDANCE,
            "personal/x.py": "",
            "node_modules/p/AGENTS.yaml": GUIDANCE,
        }
    )
    found = ["AGENTS.yaml", "a/AGENTS.yml", "alone/AGENTS.yml", "personal/AGENTS.yaml"]
    assert all_guidance_files(str(root)) == found


def test_all_files_of_a_given_list(project: Project) -> None:
    root = project({"AGENTS.yaml": GUIDANCE, "a/AGENTS.yaml": GUIDANCE, "b/AGENTS.yaml": GUIDANCE})
    assert all_guidance_files(str(root), ["a/x.py", "c/gone.py"]) == ["AGENTS.yaml", "a/AGENTS.yaml"]


def test_C47_a_worktree_below_the_root_is_another_project(project: Project) -> None:
    root = project({"AGENTS.yaml": GUIDANCE, "x.py": ""})
    git_init(root)
    commit = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-qm", "m"]
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    subprocess.run(commit, check=True)
    subprocess.run(
        ["git", "-C", str(root), "worktree", "add", "-q", "trees/w"], check=True, capture_output=True
    )
    assert all_guidance_files(str(root)) == ["AGENTS.yaml"]


def test_a_pattern_as_a_root_is_only_a_name(project: Project) -> None:
    root = project({"[a]*/AGENTS.yaml": GUIDANCE}) / "[a]*"
    git_init(root)
    assert all_guidance_files(str(root)) == ["AGENTS.yaml"]


def test_hook_root(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project({"proj/src": None, "other": None, "file": "", "link": {"symlink": "proj"}})
    monkeypatch.chdir(root)
    proj = str(root / "proj")
    assert hook_root(proj, None) == proj
    assert hook_root(f"{proj}/", None) == proj
    assert hook_root(f"{proj}/src/..", None) == proj
    assert hook_root("proj", None) == proj  # F7
    assert hook_root(None, None) == str(root)  # F7
    assert hook_root("", None) == str(root)
    assert hook_root(str(root / "link"), None) == proj  # F5
    assert hook_root(f"{proj}/src", proj) == proj  # the agent's project wins over its `cd`
    assert hook_root(f"{proj}/src", str(root / "link")) == proj
    assert hook_root(proj, f"{proj}/src") == proj
    assert hook_root(proj, str(root / "other")) == proj
    assert hook_root(proj, str(root / "gone")) == proj
    assert hook_root(str(root / "gone"), proj) is None  # F7
    assert hook_root(str(root / "file"), None) is None
    assert hook_root("a\0b", None) is None
