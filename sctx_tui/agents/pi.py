"""pi: the events that our extension (pi_extension.ts) forwards, and the answer that it expects."""

from __future__ import annotations

from sctx_tui.agents.calls import WRITE, ToolCall, identity_field, object_field, text_field
from sctx_tui.agents.wire import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sctx_tui.agents.calls import Payload

TIMINGS = {"tool_call": "before", "tool_result": "after"}
ACTIONS = {"read": "read", "edit": "edit", "write": WRITE, "create": WRITE}
"""What each tool does; any other reads the path that it names."""


def tool_call(payload: Payload) -> ToolCall | None:
    """The call that a payload reports, None for another event or a tool without a path. Raises Malformed."""
    event, tool = text_field(payload, "event"), text_field(payload, "tool_name")
    tool_input = object_field(payload, "input")
    path = text_field(tool_input, "path").removeprefix("@")  # as pi itself does
    targets = [path] if path else []
    if not targets and tool == "bash":
        targets = _files_read(text_field(tool_input, "command"))
    cwd, session = text_field(payload, "cwd"), text_field(payload, "session_id")
    plans = payload.get("include_decisions")
    if event not in TIMINGS or not targets or plans not in (None, True, False):
        return None
    identity = identity_field(payload, "tool_call_id")
    action = ACTIONS.get(tool, "read")
    return ToolCall(event, TIMINGS[event], action, targets, cwd, bool(plans), session, identity)


def _files_read(command: str) -> list[str]:
    from sctx_tui.agents.shell import files_read

    return files_read(command)


def reply(call: ToolCall, text: str) -> str:
    """The answer that the extension understands."""
    return f'{{"additionalContext": {quoted(text)}}}'
