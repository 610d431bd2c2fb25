"""Who sent a payload: what clients really sent, and the documented shapes of those that were not at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.agents import hook
from sctx_tui.agents.hosts import host_of

from .conftest import SHARED

PAYLOADS = SHARED / "clients" / "payloads"
FILES = sorted(PAYLOADS.glob("*/*.json"))
FOLDERS = {"copilot-pascal": "copilot", "opencode": "", "pi": ""}
"""opencode and pi load a program of their own, and these are the events that it sees: it forwards others."""


def sent(path: Path) -> dict[str, Any]:
    payload = json.loads(path.read_text(encoding="utf-8"))
    return payload["body"] if path.name.startswith("http-") else payload


@pytest.mark.skipif(not FILES, reason="the clients' payloads are not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_clients_sent(path: Path) -> None:
    folder = path.parent.name
    assert host_of(sent(path)) == FOLDERS.get(folder, folder)


CLAUDE = {
    "session_id": "s",
    "transcript_path": "/home/u/.claude/projects/p/s.jsonl",
    "cwd": "/p",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Read",
    "tool_input": {"file_path": "/p/a.py"},
    "tool_use_id": "t",
}


def claude(*without: str, **fields: object) -> dict[str, Any]:
    return {key: value for key, value in {**CLAUDE, **fields}.items() if key not in without}


DOCUMENTED = [
    ("claude", claude()),
    ("claude", {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "/p/a"}}),
    ("claude", claude(permission_mode="plan")),
    ("claude", claude(permission_mode="auto")),
    ("claude", claude(tool_name="Task", agent_id="a")),
    ("claude", claude(tool_name="mcp__files__read")),
    ("claude", claude("transcript_path", "tool_use_id")),
    ("claude", claude(timestamp="2026-01-01T00:00:00Z")),
    ("claude", claude(model="m", hook_event_name="SessionStart", source="startup")),
    (
        "cursor",
        claude("permission_mode", cursor_version="2.4", workspace_roots=["/p"], tool_name="Shell", cwd=""),
    ),
    ("vscode", {"hookEventName": "PreToolUse", "sessionId": "s", "tool_name": "read_file", "timestamp": "t"}),
    ("vscode", claude("permission_mode", timestamp="2026-01-01T00:00:00Z", tool_name="create_file")),
    (
        "copilot",
        {"sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "view", "toolArgs": {"path": "a"}},
    ),
    (
        "copilot",
        claude("transcript_path", "permission_mode", "tool_use_id", timestamp="2026-01-01T00:00:00Z"),
    ),
    (
        "windsurf",
        {"agent_action_name": "pre_read_code", "trajectory_id": "t", "tool_info": {"file_path": "/p/a"}},
    ),
    ("cline", {"hookName": "PreToolUse", "taskId": "t", "preToolUse": {"toolName": "read_file"}}),
    ("goose", {"event": "PreToolUse", "matcher_context": "x", "session_id": "s", "tool_name": "shell"}),
    ("codex", claude(turn_id="t", model="m", tool_name="apply_patch")),
    ("codex", claude(turn_id="t", model="m", transcript_path=None)),
    ("codex", claude(transcript_path="/home/u/.codex/sessions/x.jsonl", model="m")),
    ("gemini", claude("permission_mode", hook_event_name="BeforeTool", tool_name="read_file")),
    ("gemini", claude("permission_mode", transcript_path="C:\\Users\\u\\.gemini\\tmp\\x.json")),
    ("qwen", claude(tool_call_id="c", tool_name="read_file")),
    ("qwen", claude(permission_mode="auto-edit")),
    ("qwen", claude(permission_mode="yolo")),
    ("droid", claude(permission_mode="spec")),
    ("droid", claude(permission_mode="auto-low")),
    ("droid", claude(transcript_path="/home/u/.factory/sessions/x.jsonl")),
    ("claude", claude("transcript_path", tool_name="Create")),
    ("claude", claude("transcript_path", tool_name="read")),
    ("kiro", claude("transcript_path", "permission_mode", "tool_use_id", tool_name="fs_write")),
    ("kiro", {"hook_event_name": "preToolUse", "cwd": "/p", "tool_name": "execute_bash", "tool_input": {}}),
    ("pi", {"source": "pi", "event": "tool_call", "tool_name": "read", "input": {"path": "a"}}),
    ("", {"source": "PI", "event": "tool_call"}),
    ("", {}),
    ("", {"tool_input": {"file_path": "a"}}),
]


@pytest.mark.parametrize(("host", "payload"), DOCUMENTED)
def test_documented_shapes(host: str, payload: dict[str, Any]) -> None:
    assert host_of(payload) == host


@pytest.mark.parametrize(
    "payload", [payload for host, payload in DOCUMENTED if host not in ("claude", "pi")], ids=str
)
def test_hosts_that_are_not_served_get_nothing(payload: dict[str, Any], project: Any) -> None:
    root = project({"AGENTS.yaml": "context:\n  - content: everywhere\n    when: all\n"})
    tool_input = {"file_path": str(root / "a.py"), "path": str(root / "a.py")}
    assert hook.answer({"tool_input": tool_input, **payload, "cwd": str(root)}, {}) == ""
