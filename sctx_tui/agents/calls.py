"""A tool call of any agent, in our terms: what it does to which paths, before or after."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    Payload = dict[str, object]

WRITE = "write"
"""Stands for create or edit until it is known whether the file was there."""

_MAX_TARGETS = 64


class Malformed(ValueError):
    """A payload whose fields have types that they never have; nothing can be said about it."""


class ToolCall:
    """One call: `action` is an action or WRITE, `timing` "before" or "after".

    `targets` are paths as the agent wrote them, relative ones to `cwd` ("" = not told). `identity` tells the
    call from others and is the same before and after it. `event` is the host's own name for the event.
    """

    __slots__ = ("action", "cwd", "decisions", "event", "identity", "session", "targets", "timing")

    def __init__(
        self,
        event: str,
        timing: str,
        action: str,
        targets: list[str],
        cwd: str,
        decisions: bool,
        session: str,
        identity: str,
    ) -> None:
        self.event = event
        self.timing = timing
        self.action = action
        self.targets = targets[:_MAX_TARGETS]
        self.cwd = cwd
        self.decisions = decisions
        self.session = session
        self.identity = identity


def text_field(payload: Payload, name: str) -> str:
    """A text of a payload, "" when it is missing or null. Raises Malformed."""
    value = payload.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(name)
    return value


def object_field(payload: Payload, name: str) -> Payload:
    """An object of a payload, empty when it is missing or null. Raises Malformed."""
    value = payload.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed(name)
    return value


def identity_field(payload: Payload, name: str) -> str:
    """The id of a call; hosts differ in how strictly they keep it a text."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def native_path(written: str, *, windows: bool = os.name == "nt") -> str:
    """A path as an agent wrote it, in the form of this system: `~`, drive letters, odd characters.

    On Windows the shell of Git writes `/c/dir` for `C:\\dir`; elsewhere a path with a drive letter comes from
    the Windows side of the same machine, which is mounted below /mnt.
    """
    path = _encodable(written).replace("\0", "\ufffd")
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.expanduser("~") + path[1:]
    if windows:
        if path[:1] == "/" and path[1:2].isalpha() and path[2:3] in ("", "/"):
            path = f"{path[1]}:{path[2:] or '/'}"
        if path[1:2] == ":":
            path = path[0].upper() + path[1:]
    elif path[1:2] == ":" and path[2:3] in ("\\", "/") and path[0].isalpha():
        path = f"/mnt/{path[0].lower()}{path[2:]}".replace("\\", "/")
    return path


def target_path(written: str, base: str) -> str:
    """A target seen from `base`. A backslash is a separator unless a file of that very name exists."""
    path = native_path(written)
    if os.sep == "/" and "\\" in path and not os.path.lexists(os.path.join(base, path)):
        path = path.replace("\\", "/")
    return path


def _encodable(path: str) -> str:
    """The path with lone surrogates that are not part of a file name replaced."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return path
