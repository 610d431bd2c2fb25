"""Which program sent a payload. Only its contents count: environments leak from one agent into another."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Payload = dict[str, object]

_QWEN_MODES = frozenset(("auto-edit", "auto_edit", "yolo"))
_DROID_MODES = frozenset(("off", "spec", "auto-low", "auto-medium", "auto-high"))
_KIRO_EVENTS = frozenset(("agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"))
_GEMINI_EVENTS = frozenset(
    (
        "BeforeTool",
        "AfterTool",
        "BeforeAgent",
        "AfterAgent",
        "BeforeModel",
        "AfterModel",
        "BeforeToolSelection",
        "PreCompress",
    )
)


def _has(*names: str) -> Callable[[Payload], bool]:
    return lambda payload: all(name in payload for name in names)


def _is(payload: Payload, name: str, values: frozenset[str]) -> bool:
    value = payload.get(name)
    return isinstance(value, str) and value in values


def _transcript_in(payload: Payload, folder: str) -> bool:
    """Whether the transcript lies in a host's own folder of the home directory."""
    path = payload.get("transcript_path")
    return isinstance(path, str) and f"/{folder}/" in path.replace("\\", "/")


def _has_time(payload: Payload) -> bool:
    """A time stamp and no permission mode: Claude Code sends no time, and a mode with each tool event."""
    return isinstance(payload.get("timestamp"), str) and "permission_mode" not in payload


def _is_qwen(payload: Payload) -> bool:
    mode = _is(payload, "permission_mode", _QWEN_MODES)
    return "tool_call_id" in payload or mode or _transcript_in(payload, ".qwen")


def _is_droid(payload: Payload) -> bool:
    return _is(payload, "permission_mode", _DROID_MODES) or _transcript_in(payload, ".factory")


def _is_codex(payload: Payload) -> bool:
    return {"turn_id", "model"} <= payload.keys() or _transcript_in(payload, ".codex")


def _is_gemini(payload: Payload) -> bool:
    return _is(payload, "hook_event_name", _GEMINI_EVENTS) or _transcript_in(payload, ".gemini")


def _is_kiro(payload: Payload) -> bool:
    tool = payload.get("tool_name")
    named = isinstance(tool, str) and (tool.startswith("fs_") or tool == "execute_bash")
    return (named and "transcript_path" not in payload) or _is(payload, "hook_event_name", _KIRO_EVENTS)


HOSTS: tuple[tuple[str, Callable[[Payload], bool]], ...] = (
    ("pi", lambda payload: payload.get("source") == "pi"),
    ("cursor", _has("cursor_version")),
    ("vscode", _has("hookEventName", "sessionId")),
    ("copilot", _has("sessionId", "timestamp")),
    ("windsurf", _has("agent_action_name")),
    ("cline", _has("hookName")),
    ("goose", _has("event", "matcher_context")),
    ("codex", _is_codex),
    ("gemini", _is_gemini),
    ("qwen", _is_qwen),
    ("droid", _is_droid),
    ("kiro", _is_kiro),
    ("copilot", lambda payload: _has_time(payload) and "transcript_path" not in payload),
    ("vscode", _has_time),
    ("claude", _has("hook_event_name")),
)
"""Hosts and how to tell them. The first that fits counts, so a later row may be as vague as it needs."""


def host_of(payload: Payload) -> str:
    """The name of the host that sent `payload`, "" when it is none that we know."""
    return next((name for name, fits in HOSTS if fits(payload)), "")
