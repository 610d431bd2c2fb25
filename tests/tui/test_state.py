"""What is kept between two runs, and what is made of it when it is damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sctx_tui.tui import state
from sctx_tui.tui.state import State


def test_a_round_trip(tmp_path: Path) -> None:
    kept = State("a/\udcff.py", False, "edit", "after", "coverage", True, True, 40, "nord", ["a", "b/c"])
    state.save(str(tmp_path), kept)
    assert state.load(str(tmp_path)) == kept


def test_each_project_has_its_own(tmp_path: Path) -> None:
    state.save("/one", State(path="a"))
    assert state.load("/two") == State()
    assert str(tmp_path) in state.state_file("/one"), "in the user's state directory, not in the project"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe",
     b'{"path": 3, "opened": [1, "ok"], "action": "fly", "split": -7}',
     b'{"pane": "no such", "timing": "never", "split": 99999999, "theme": []}', b"[" * 100_000],
)  # fmt: skip
def test_damage_is_a_first_run(content: bytes) -> None:
    path = Path(state.state_file("/p"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.replace(b'{"', b'{"root": "/p", "'))
    loaded = state.load("/p")
    assert loaded.action == loaded.timing == "all"
    assert loaded.pane == "context"
    assert 0 <= loaded.split <= 400
    assert loaded.opened in ([], ["ok"])


def test_very_many_open_folders_are_not_all_kept() -> None:
    state.save("/p", State(opened=[str(number) for number in range(10_000)]))
    assert len(state.load("/p").opened) == state.MAX_OPENED
    assert len(json.loads(Path(state.state_file("/p")).read_text())["opened"]) == state.MAX_OPENED


def test_a_home_that_cannot_be_written_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    state.save("/p", State())
    assert state.load("/p") == State()
    assert os.path.isfile(blocked)
