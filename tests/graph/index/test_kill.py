"""`kill -9` leaves a usable index; `tests/bench/graph.py --kills` does it 200 times."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .kills import KINDS, kill_once, make_project


@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_loses_nothing(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "project"
    make_project(root)
    rng = random.Random(kind)
    for _ in range(2):
        assert kill_once(root, kind, rng) == ""
