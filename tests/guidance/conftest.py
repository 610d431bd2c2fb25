"""Trees of guidance files on disk, with a cache that belongs to the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.guidance import loading

from ..trees import Tree, plant

SHARED = Path(__file__).resolve().parents[2] / "../shared"
DATA = Path(__file__).resolve().parents[1] / "data" / "guidance"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of its own for each test, and nothing remembered from the one before."""
    place = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    monkeypatch.setattr(loading, "_memory", {})
    return place / "sctx" / "guidance"


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Tree], Path]:
    """Plants a tree in a fresh directory and returns its real path."""
    return lambda tree: plant(tmp_path.resolve(), tree)
