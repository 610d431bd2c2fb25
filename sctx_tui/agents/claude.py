"""Claude Code: its tool events, and the answer that adds text without deciding anything."""

from __future__ import annotations

from sctx_tui.agents.calls import WRITE, ToolCall, identity_field, object_field, text_field
from sctx_tui.agents.wire import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sctx_tui.agents.calls import Payload

TIMINGS = {"PreToolUse": "before", "PostToolUse": "after"}

_FILE = ("file_path", "notebook_path")
TOOLS = {
    "Read": ("read", _FILE),
    "Edit": ("edit", _FILE),
    "MultiEdit": ("edit", _FILE),
    "Write": (WRITE, _FILE),
    "NotebookEdit": ("edit", ("notebook_path", "file_path")),
}
"""Tool: what it does, and the inputs that may name its path, the likeliest first."""

OTHER_TOOL = ("read", ("file_path", "notebook_path", "path", "filePath"))
"""Glob, Grep, LS, and any tool that we have never heard of: whatever names a path reads it."""


def tool_call(payload: Payload) -> ToolCall | None:
    """The call that a payload reports, None for another event or a tool without a path. Raises Malformed."""
    event = text_field(payload, "hook_event_name")
    action, names = TOOLS.get(text_field(payload, "tool_name"), OTHER_TOOL)
    tool_input = object_field(payload, "tool_input")
    targets = [path for name in names if (path := text_field(tool_input, name))][:1]
    cwd, session = text_field(payload, "cwd"), text_field(payload, "session_id")
    plans = text_field(payload, "permission_mode") == "plan"
    if event not in TIMINGS or not targets:
        return None
    identity = identity_field(payload, "tool_use_id")
    return ToolCall(event, TIMINGS[event], action, targets, cwd, plans, session, identity)


def reply(call: ToolCall, text: str) -> str:
    """The answer that puts `text` beside the call's result. It never carries a permission decision."""
    output = f'{{"hookEventName": {quoted(call.event)}, "additionalContext": {quoted(text)}}}'
    return f'{{"hookSpecificOutput": {output}}}'
