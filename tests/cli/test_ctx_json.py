"""Every listing has `--json`, with the keys that its page names; empty listings have the same shape."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Result
from .test_ctx_docs import page

LISTS = ["danger list", "decision list", "search pay", "hash --functions a.py"]
OBJECTS = ["status", "neighbours a.py", "sync", "update a.py", "graph a.py", "graph a.py --calls"]


@pytest.fixture
def ask(plant: Callable[..., Path], run_ctx: Callable[..., Result]) -> Callable[[str], Result]:
    root = plant({"a.py": "def pay(x):\n    return x\n", "b.py": "from a import pay\npay(1)\n"})
    subprocess.run(("git", "init", "-q"), cwd=root, check=True)
    for command in (("init",), ("danger", "*", "text"), ("decision", "*", "text")):
        assert run_ctx(*command, cwd=root).code == 0
    return lambda command: run_ctx(*command.split(), "--json", cwd=root)


def documented(command: str) -> set[str]:
    words = command.split()
    text = page(f"ctx {' '.join(words[:2]) if words[1:] == ['list'] else words[0]}")
    (row,) = re.findall(r"^\| `--json` \|.*$", text, flags=re.MULTILINE)
    return set(re.findall(r"`([a-z_]+)`", row))


@pytest.mark.parametrize("command", [*LISTS, *OBJECTS])
def test_keys_are_those_of_the_page(ask, command: str) -> None:
    result = ask(command)
    assert (result.code, result.err) == (0, "")
    found = result.json
    named = documented("sync" if command.startswith("update") else command)
    if command in LISTS:
        assert isinstance(found, list) and found
        assert all(set(each) <= named for each in found)
        found = found[0]
    assert isinstance(found, dict)
    assert set(found) <= named
    if not command.startswith("graph"):  # which names the keys of two questions
        rest = {"null", "file", "function", "index", "parsed"}  # values
        assert named - set(found) <= rest | set(*found.get("functions", [])[:1] if "hash" in found else ())


def test_branches_of_the_graph(ask) -> None:
    (branch,) = ask("graph a.py").json["imported_by"]
    assert set(branch) == {"id", "children", "left_out"} <= documented("graph")


@pytest.mark.parametrize("command", ["search nothing_like_it", "danger list", "decision list", "validate"])
def test_nothing_is_an_empty_list(ask, run_ctx, command: str) -> None:
    if command.endswith("list"):
        assert run_ctx(*command.split()[:1], "remove", "1", cwd=Path.cwd()).code == 0
    assert ask(command).json == []
