"""Rules of .gitignore files that git is not there to read: git's meaning, in bounded time."""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from sctx_tui.gitignore import LARGEST, read_rules
from sctx_tui.listing import listed_files

PIECES = st.sampled_from(["a", "b", ".", "*", "*", "?", "[ab]", "\\*", "/", "/**/", "**"])
LINES = st.lists(PIECES, min_size=1, max_size=9).map("".join)
PATHS = st.lists(st.text("ab.*", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join)


def rules(tmp_path: Path, *lines: str) -> GitIgnoreSpec:
    file = tmp_path / ".gitignore"
    file.write_bytes(os.fsencode("\n".join(lines)))
    found = read_rules(str(file))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules")


@settings(max_examples=1500, deadline=None)
@given(LINES, st.lists(PATHS, min_size=1, max_size=8))
def test_it_means_what_pathspec_means(place: Path, line: str, paths: list[str]) -> None:
    try:
        expected = GitIgnoreSpec.from_lines([line])
    except ValueError:
        return
    found = rules(place, line)
    for path in paths:
        assert found.match_file(path) == expected.match_file(path), (line, path)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a" * 30 + "b", "a" * 250),
        ("**/" + "**/a/" * 30 + "b", "a/" * 1000 + "c"),
        ("x/" + "**/a*a/" * 30 + "b", "x/" + "aa/" * 1000 + "c"),
        ("?*" * 60 + "[b]", "a" * 250),
        ("[!b]*" * 60 + "b", "a" * 250),
        ("**" * 400 + "b", "a/" * 1000 + "c"),
    ],
)
def test_hostile_lines_end(tmp_path: Path, line: str, path: str) -> None:
    assert not rules(tmp_path, line).match_file(path)


@pytest.mark.parametrize(
    "line", ["!", "!!", "\\", "a\\", "[z-a]", "[a-\\]", "[", "a\0b", "\udcff[", "*" * 2000]
)
def test_a_line_that_means_nothing_costs_no_other(tmp_path: Path, line: str) -> None:
    assert rules(tmp_path, line, "*.log").match_file("x/a.log")


def test_nobody_is_warned_of_the_syntax_of_expressions(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rules(tmp_path, "[[:alpha:]]x", "[a&&b]", "[a||b]")


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    os.mkfifo(tmp_path / ".gitignore")
    assert "a.py" in listed_files(str(tmp_path))
    assert read_rules("/dev/zero") is None
    (tmp_path / ".gitignore").unlink()
    with (tmp_path / ".gitignore").open("w") as file:
        file.write("a.py\n")
        file.truncate(LARGEST * 1000)
    assert listed_files(str(tmp_path)) == [".gitignore"]


def test_what_git_says(tmp_path: Path) -> None:
    """A few rules that are easily got wrong, against git itself."""
    lines = [
        "!",
        "*.log",
        "!keep.log",
        "/only",
        "deep/**/x",
        "**/any/*.c",
        "dir/",
        "a[0-9]b",
        "#c",
        "\\#d",
        "e\\ ",
    ]
    paths = [
        "x.log",
        "keep.log",
        "q/keep.log",
        "only",
        "q/only",
        "deep/x",
        "deep/1/2/x",
        "any/1.c",
        "q/any/1.c",
    ]
    paths += ["dir", "a1b", "axb", "#c", "#d", "e "]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    found = rules(tmp_path, *lines)
    names = "\0".join(paths).encode()
    done = subprocess.run(
        ["git", "check-ignore", "-z", "--stdin"], cwd=tmp_path, input=names, capture_output=True, check=False
    )
    assert {path for path in paths if found.match_file(path)} == set(done.stdout.decode().split("\0")) - {""}
