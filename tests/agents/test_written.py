"""Create or edit: what was on disk before the call, remembered until after it."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

import platformdirs
import pytest

from sctx_tui.agents.calls import WRITE, ToolCall
from sctx_tui.agents.written import DAY, create_or_edit, state_directory


def call(timing: str, session: str = "s", identity: str = "t") -> ToolCall:
    return ToolCall("event", timing, WRITE, ["a"], "", False, session, identity)


def marks() -> list[str]:
    return sorted(os.listdir(state_directory()))


def test_a_new_file_is_created_before_and_after(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert create_or_edit(call("before"), str(path)) == "create"
    path.touch()
    assert create_or_edit(call("after"), str(path)) == "create"
    assert create_or_edit(call("after"), str(path)) == "create", "an agent that runs us twice"


def test_an_old_file_is_edited_and_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    assert create_or_edit(call("before"), str(path)) == "edit"
    assert create_or_edit(call("after"), str(path)) == "edit"
    assert not os.path.exists(state_directory())


def test_calls_and_sessions_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "a"
    create_or_edit(call("before"), str(path))
    path.touch()
    assert create_or_edit(call("after", identity="other"), str(path)) == "edit"
    assert create_or_edit(call("after", session="other"), str(path)) == "edit"


def test_without_an_id_session_and_path_tell_a_call(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    other.touch()
    create_or_edit(call("before", identity=""), str(path))
    path.touch()
    assert create_or_edit(call("after", identity=""), str(other)) == "edit"
    assert create_or_edit(call("after", identity=""), str(path)) == "create"
    assert create_or_edit(call("before", identity=""), str(path)) == "edit", "the next call finds it"
    assert create_or_edit(call("after", identity=""), str(path)) == "edit"


def test_after_without_before(tmp_path: Path) -> None:
    assert create_or_edit(call("after"), str(tmp_path / "a")) == "create"
    (tmp_path / "a").touch()
    assert create_or_edit(call("after"), str(tmp_path / "a")) == "edit"


def test_marks_count_for_a_day_and_are_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "a"
    create_or_edit(call("before"), str(path))
    path.touch()
    [mark] = marks()
    old = time.time() - DAY - 1
    os.utime(os.path.join(state_directory(), mark), (old, old))
    assert create_or_edit(call("after"), str(path)) == "edit"
    create_or_edit(call("before", identity="u"), str(tmp_path / "b"))
    assert len(marks()) == 1 and marks() != [mark]


def test_only_the_user_can_see_marks(tmp_path: Path) -> None:
    create_or_edit(call("before"), str(tmp_path / "a"))
    assert stat.S_IMODE(os.stat(state_directory()).st_mode) == 0o700
    assert all(name.isalnum() for name in marks()), "names tell nothing about paths"


def test_hostile_ids(tmp_path: Path) -> None:
    for identity in ("../../x", "/etc/passwd", "a\0b", "\ud800", "x" * 10_000):
        assert create_or_edit(call("before", identity=identity), str(tmp_path / "a")) == "create"
    assert len(marks()) == 5
    assert os.listdir(tmp_path) == []


def test_an_unwritable_state_directory_is_no_obstacle(tmp_path: Path, home: Path) -> None:
    (home / "state").write_text("a file where the directory should be")
    path = tmp_path / "a"
    assert create_or_edit(call("before"), str(path)) == "create"
    path.touch()
    assert create_or_edit(call("after"), str(path)) == "edit"


@pytest.mark.parametrize("value", [None, "", " ", "/somewhere"])
def test_the_directory_is_that_of_platformdirs(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("XDG_STATE_HOME")
    else:
        monkeypatch.setenv("XDG_STATE_HOME", value)
    expected = platformdirs.user_state_dir("sctx", appauthor=False)
    assert state_directory() == os.path.join(expected, "created")


@pytest.mark.parametrize("value", ["rel", "./x", "../state"])
def test_nothing_is_kept_in_the_project(value: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", value)
    assert state_directory() == f"{home}/.local/state/sctx/created"


def test_other_systems(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert state_directory() == f"{home}/Library/Application Support/sctx/created"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert state_directory() == "/local/sctx/created"
