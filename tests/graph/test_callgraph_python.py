"""Python against the outside yardsticks beside the project, where they are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "../shared/callgraph"

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the yardsticks are not here")

#: Least F1 per set, in percent: a little below what was measured.
FLOORS = {"pycg": 98, "pyextra": 95, "jcgpy": 98, "pymacro": 92}


@pytest.mark.parametrize("name", FLOORS)
def test_call_edges(bench: Any, name: str) -> None:
    right, wrong, missing = bench.score(name)
    assert right and bench.f1(right, wrong, missing) >= FLOORS[name]


def test_call_edges_of_services(bench: Any) -> None:
    right, wrong, missing = bench.score("optave", language="python")
    assert right and bench.f1(right, wrong, missing) >= 95


def test_patterns(bench: Any) -> None:
    rows = bench.patterns("py")
    assert rows
    for _, pattern, expected, found in rows:
        assert found == expected, pattern


def test_calls_traced_at_run_time(bench: Any) -> None:
    found = bench.runtime()
    if found is None:
        pytest.skip("this interpreter's library is not the one that was traced")
    assert found["recall"] >= 0.92
    assert found["agreement"] >= 0.99
    assert found["method across"] >= 0.75
