"""`sctx hook`: an agent's event on standard input, what it should know on standard output.

Runs on every tool call, so everything imported on the way is weighed (tests/agents/test_hook_imports.py).
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from sctx_tui.agents.calls import Payload, ToolCall
    from sctx_tui.guidance.model import Resolution

USAGE = """\
Usage: sctx hook [OPTIONS]

  Answer an agent's hook event.

  JSON on standard input, JSON on standard output, nothing when there is
  nothing to say. Agents call this; `sctx claude enable` and `sctx pi enable`
  tell them to.

Options:
  --root DIR  Project root, instead of the directory that the event names.
  -h, --help  Show this message and exit.
"""


def main(argv: list[str]) -> int:
    """Answer one event. Returns 1 when standard input holds no JSON object, else 0, whatever happens."""
    if "--help" in argv or "-h" in argv:
        _write(1, USAGE)
        return 0
    gc.disable()  # the process lives for milliseconds; looking for garbage would be a tenth of them
    try:
        from sctx_tui.agents.wire import read_object

        nobody = sys.stdin is None or sys.stdin.isatty()
        payload = read_object(b"" if nobody else sys.stdin.buffer.read())
        if payload is None:
            _write(2, "error: standard input is not a JSON object; agents call `sctx hook` with one\n")
            return 1
        _write(1, answer(payload, os.environ, _option(argv, "--root")))
    except (Exception, KeyboardInterrupt):
        # An agent shows what a failing hook prints to its user on each call, or takes it for a refusal. So
        # nothing gets past here, not even an installation that cannot be imported.
        return 0
    return 0


def answer(payload: Payload, environment: Mapping[str, str], root: str | None = None) -> str:
    """The line to print for a payload, "" for nothing. `root` overrides what the payload says."""
    from sctx_tui.agents.calls import Malformed
    from sctx_tui.agents.hosts import host_of

    agent = _agent(host_of(payload))
    try:
        call: ToolCall | None = agent.tool_call(payload) if agent else None
    except Malformed:
        return ""
    if agent is None or call is None:
        return ""
    text = _text(call, environment, root)
    return f"{agent.reply(call, text)}\n" if text else ""


def _agent(host: str) -> ModuleType | None:
    """The module that speaks with a host, None for those that we do not serve."""
    if host == "claude":
        from sctx_tui.agents import claude

        return claude
    if host == "pi":
        from sctx_tui.agents import pi

        return pi
    return None


def _text(call: ToolCall, environment: Mapping[str, str], root: str | None) -> str:
    """What applies to the targets of a call."""
    from sctx_tui.agents.calls import native_path
    from sctx_tui.guidance.discover import hook_root
    from sctx_tui.guidance.render import agent_text

    base = native_path(call.cwd)
    top = hook_root(root or base, None if root else environment.get("CLAUDE_PROJECT_DIR"))
    if top is None:
        return ""
    base = os.path.abspath(base)
    if os.path.realpath(base) == top:
        top = base  # as the agent writes it, so that paths below a link to the root are taken as written too
    resolutions = [each for target in call.targets if (each := _resolution(call, top, base, target))]
    if not resolutions:
        return ""
    for other in resolutions[1:]:
        _merge(resolutions[0], other)
    return agent_text(resolutions[0], decisions=call.decisions)


def _resolution(call: ToolCall, root: str, base: str, target: str) -> Resolution | None:
    """What is known about one target, None when it lies outside the root."""
    from sctx_tui.agents.calls import WRITE, target_path
    from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve

    path = target_path(target, base)
    action = call.action
    if action == WRITE:
        from sctx_tui.agents.written import create_or_edit

        action = create_or_edit(call, os.path.join(base, path))
    try:
        return resolve(make_query(path, root=root, base=base, action=action, timing=call.timing))
    except OutsideRoot:
        return None


def _merge(resolution: Resolution, other: Resolution) -> None:
    """Add what only `other` delivers, keeping guidance of the root first."""
    known = {(each.file, each.line, each.kind) for each in resolution.judged if each.applies}
    more = [each for each in other.judged if each.applies and (each.file, each.line, each.kind) not in known]
    resolution.judged = sorted([*resolution.judged, *more], key=lambda each: each.level)
    resolution.problems += tuple(each for each in other.problems if each not in resolution.problems)


def _option(argv: list[str], name: str) -> str | None:
    """The value of `--name VALUE` or `--name=VALUE`; an argument that we don't know must not fail a call."""
    for index, argument in enumerate(argv):
        if argument == name:
            return argv[index + 1] if index + 1 < len(argv) else None
        if argument.startswith(f"{name}="):
            return argument[len(name) + 1 :]
    return None


def _write(descriptor: int, text: str) -> None:
    data = text.encode("ascii", "backslashreplace")
    while data:
        data = data[os.write(descriptor, data) :]
