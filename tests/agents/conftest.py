"""Trees of files to run on, away from anybody's home directory, and the cases that come with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..trees import Tree, plant

DATA = Path(__file__).resolve().parents[1] / "data" / "agents"
SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file, whose strings may hold exotic line ends."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory of its own for each test."""
    place = tmp_path_factory.mktemp("home").resolve()
    monkeypatch.setenv("HOME", str(place))
    for name in ("CACHE", "STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / name.lower()))
    for name in ("CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    return place


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Tree], Path]:
    """Plants a tree in a fresh directory and returns its real path."""
    return lambda tree: plant(tmp_path.resolve(), tree)
