"""No test reads the settings or the state of whoever runs it, or asks the model that they configured."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .stand_in import StandIn


@pytest.fixture(autouse=True)
def nobodys_settings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty configuration directory; the folder that it is in."""
    folder = tmp_path_factory.getbasetemp() / "no-settings"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder.with_name("state")))
    for name in [name for name in os.environ if name.startswith("SCTX_SUMMARIES_")]:
        monkeypatch.delenv(name)
    return folder


@pytest.fixture
def server() -> Iterator[StandIn]:
    """A model's server that answers well until told otherwise."""
    made = StandIn()
    yield made
    made.close()
