"""Trees of guidance files on disk, with a cache that belongs to the test."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.guidance import loading

SHARED = Path(__file__).resolve().parents[2] / "../shared"
DATA = Path(__file__).resolve().parents[1] / "data" / "guidance"

Tree = Mapping[str, Any]


def plant(root: Path, tree: Tree) -> Path:
    """Write a tree: text, bytes, None for a directory, {"symlink": target}, {"base64": bytes}."""
    for path, value in tree.items():
        # Joined as text: a path that pathlib would tidy up is a case of its own.
        target = Path(os.path.join(root, path))
        if value is None:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, dict) and "symlink" in value:
            os.symlink(value["symlink"].replace("{ROOT}", str(root)), target)
        elif isinstance(value, dict):
            target.write_bytes(base64.b64decode(value["base64"]))
        else:
            target.write_bytes(value if isinstance(value, bytes) else value.encode())
    return root


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
