"""Tool calls as agents report them, in our terms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.agents import claude, pi
from sctx_tui.agents.calls import Malformed, native_path, target_path


def claude_call(tool: str, event: str = "PreToolUse", **tool_input: object) -> Any:
    payload = {"hook_event_name": event, "tool_name": tool, "tool_input": tool_input, "cwd": "/p"}
    return claude.tool_call(payload)


def pi_call(tool: str, event: str = "tool_call", **tool_input: object) -> Any:
    return pi.tool_call({"source": "pi", "event": event, "tool_name": tool, "input": tool_input, "cwd": "/p"})


@pytest.mark.parametrize(
    ("tool", "tool_input", "action", "targets"),
    [
        ("Read", {"file_path": "/p/a"}, "read", ["/p/a"]),
        ("Edit", {"file_path": "a"}, "edit", ["a"]),
        ("MultiEdit", {"file_path": "a", "edits": []}, "edit", ["a"]),
        ("Write", {"file_path": "a"}, "write", ["a"]),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, "edit", ["n.ipynb"]),
        ("NotebookEdit", {"file_path": "x", "notebook_path": "n"}, "edit", ["n"]),
        ("Glob", {"pattern": "*", "path": "src"}, "read", ["src"]),
        ("Grep", {"pattern": "x", "path": "src"}, "read", ["src"]),
        ("LS", {"path": "src"}, "read", ["src"]),
        ("mcp__files__read", {"path": "a"}, "read", ["a"]),
        ("Anything", {"filePath": "a"}, "read", ["a"]),
        ("", {"file_path": "a"}, "read", ["a"]),
    ],
)
def test_tools_of_claude(tool: str, tool_input: Any, action: str, targets: list[str]) -> None:
    call = claude_call(tool, **tool_input)
    assert (call.action, call.targets, call.timing) == (action, targets, "before")
    assert claude_call(tool, event="PostToolUse", **tool_input).timing == "after"


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "PostToolUseFailure", "PreToolUse ", ""])
def test_other_events_of_claude(event: str) -> None:
    assert claude_call("Read", event=event, file_path="a") is None


def test_a_tool_without_a_path() -> None:
    assert claude_call("Glob", pattern="*") is None
    assert claude_call("Bash", command="cat a") is None
    assert claude_call("Read", file_path="") is None
    assert claude_call("Edit", path="a") is None
    assert pi_call("todo") is None
    assert pi_call("edit", file_path="a") is None


def test_decisions_only_while_planning() -> None:
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "a"}}
    modes = ["plan", "default", "Plan", "acceptEdits", ""]
    found = [claude.tool_call({**payload, "permission_mode": mode}) for mode in modes]
    assert [call.decisions for call in found if call] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("tool", "tool_input", "action", "targets"),
    [
        ("read", {"path": "a"}, "read", ["a"]),
        ("read", {"path": "@src/b"}, "read", ["src/b"]),
        ("edit", {"path": "a"}, "edit", ["a"]),
        ("write", {"path": "a"}, "write", ["a"]),
        ("grep", {"path": "src"}, "read", ["src"]),
        ("Edit", {"path": "a"}, "read", ["a"]),
        ("bash", {"command": "cat a b"}, "read", ["a", "b"]),
        ("bash", {"command": "cat a", "path": "c"}, "read", ["c"]),
    ],
)
def test_tools_of_pi(tool: str, tool_input: Any, action: str, targets: list[str]) -> None:
    call = pi_call(tool, **tool_input)
    assert (call.action, call.targets, call.timing) == (action, targets, "before")
    assert pi_call(tool, event="tool_result", **tool_input).timing == "after"


@pytest.mark.parametrize(
    "fields",
    [
        {"tool_name": 5},
        {"tool_input": []},
        {"tool_input": {"file_path": ["a"]}},
        {"cwd": 5},
        {"permission_mode": True},
        {"hook_event_name": ["PreToolUse"]},
        {"session_id": {}},
    ],
    ids=str,
)
def test_fields_of_a_type_that_they_never_have(fields: dict[str, object]) -> None:
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "a"}}
    with pytest.raises(Malformed):
        claude.tool_call({**payload, **fields})


def test_ids_may_have_any_type() -> None:
    """They only tie the event after a call to the one before it."""
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "a"}}
    call = claude.tool_call({**payload, "tool_use_id": 7})
    assert call is not None and call.identity == ""


def test_replies() -> None:
    text = 'a "b"\n\x1b é \u2028'
    call = claude_call("Read", file_path="a")
    reply = json.loads(claude.reply(call, text))
    assert reply == {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": text}}
    assert json.loads(pi.reply(pi_call("read", path="a"), text)) == {"additionalContext": text}


@pytest.mark.parametrize(
    ("windows", "written", "path"),
    [
        (False, "src/a.py", "src/a.py"),
        (False, "src\\a.py", "src\\a.py"),
        (False, "C:\\repo\\a.py", "/mnt/c/repo/a.py"),
        (False, "D:/repo/a.py", "/mnt/d/repo/a.py"),
        (False, "c:x", "c:x"),
        (False, "/c/repo/a.py", "/c/repo/a.py"),
        (False, "a\0b", "a\ufffdb"),
        (False, "a\ud800", "a\ufffd"),
        (False, "a\udcff", "a\udcff"),
        (True, "C:\\repo\\a.py", "C:\\repo\\a.py"),
        (True, "c:\\repo\\a.py", "C:\\repo\\a.py"),
        (True, "c:/repo/a.py", "C:/repo/a.py"),
        (True, "/c/repo/a.py", "C:/repo/a.py"),
        (True, "/c", "C:/"),
        (True, "/code/a.py", "/code/a.py"),
        (True, "src\\a.py", "src\\a.py"),
    ],
)
def test_paths_of_either_system(windows: bool, written: str, path: str) -> None:
    assert native_path(written, windows=windows) == path


def test_home(home: Path) -> None:
    assert native_path("~") == str(home)
    assert native_path("~/a") == f"{home}/a"
    assert native_path("~bob/a") == "~bob/a"


def test_a_backslash_separates_unless_a_file_has_it_in_its_name(tmp_path: Path) -> None:
    assert target_path("src\\a.py", str(tmp_path)) == "src/a.py"
    (tmp_path / "src\\a.py").touch()
    assert target_path("src\\a.py", str(tmp_path)) == "src\\a.py"
