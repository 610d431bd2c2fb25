"""`ctx` with names and places that hardly anybody has: one line each, never a trace."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Result

LATIN = os.fsdecode(b"latin\xe9.py")


@pytest.fixture
def project(plant: Callable[..., Path]) -> Path:
    root = plant({"a.py": "def f(): pass\n", "b::c.py": "def g(): pass\n", LATIN: "def h(): pass\n"})
    subprocess.run(("git", "init", "-q"), cwd=root, check=True)
    return root


@pytest.mark.parametrize(
    "arguments",
    [
        ("graph", LATIN),
        ("neighbours", LATIN),
        ("neighbours", f"{LATIN}::h"),
        ("context", LATIN),
        ("update", LATIN),
        ("danger", LATIN, "text"),
        ("decision", "*", LATIN),
        ("danger", "*", "text", "--reason", LATIN),
    ],
)
def test_what_is_not_utf8_is_refused_in_a_line(project, run_ctx: Callable[..., Result], arguments) -> None:
    assert run_ctx("init", cwd=project).code == 0
    result = run_ctx(*arguments, cwd=project)
    assert result.code == 1
    assert "UTF-8" in result.err and "unexpected" not in result.err
    assert "\udce9" not in result.err


def test_a_name_that_ids_can_not_hold_is_one_warning(project, run_ctx: Callable[..., Result]) -> None:
    made = run_ctx("init", cwd=project)
    assert made.code == 0 and "b::c.py: its name holds `::`" in made.err
    for command in ("graph", "neighbours", "context"):
        result = run_ctx(command, "b::c.py", cwd=project)
        assert "unexpected" not in result.err
    assert run_ctx("context", "b::c.py", cwd=project).code == 0


@pytest.mark.parametrize("place", ["bare", "bare/hooks", ".git", ".git/info"])
def test_a_git_directory_has_no_files(tmp_path, run_ctx: Callable[..., Result], place) -> None:
    subprocess.run(("git", "init", "-q", "--bare", "bare"), cwd=tmp_path, check=True)
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    result = run_ctx("init", cwd=tmp_path / place)
    assert result.code == 1 and "go to a checkout of it" in result.err
    assert not list(tmp_path.rglob(".ctx"))
