"""JavaScript and TypeScript against the outside yardsticks beside the project, where they are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "../shared/callgraph"

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the yardsticks are not here")

#: Least F1 per set, in percent: a little below what was measured.
FLOORS = {"swarmjs": 97, "jcgjs": 97, "jscg": 97, "jelly": 96, "jsreal": 95, "tsreal": 96}


@pytest.mark.parametrize("name", FLOORS)
def test_call_edges(bench: Any, name: str) -> None:
    right, wrong, missing = bench.score(name)
    assert right and bench.f1(right, wrong, missing) >= FLOORS[name]


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_call_edges_of_services(bench: Any, language: str) -> None:
    right, wrong, missing = bench.score("optave", language=language)
    assert right and bench.f1(right, wrong, missing) >= 95


def test_patterns(bench: Any) -> None:
    rows = bench.patterns("ts")
    assert rows
    assert [pattern for _, pattern, expected, found in rows if found != expected] == []
