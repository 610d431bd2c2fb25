"""`sctx hook` in the settings of Claude Code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from sctx_tui.agents import json_edits
from sctx_tui.agents.command import hook_arguments, installed_command, is_hook_command
from sctx_tui.agents.json_spans import Child, JsonSyntaxError, Node, parse
from sctx_tui.agents.outcome import Outcome, Scope, SettingsError
from sctx_tui.agents.places import read_text, require_folder, require_inside
from sctx_tui.atomic import write_atomically

EVENTS = ("PreToolUse", "PostToolUse")
TOOLS = ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit")
MATCHER = "|".join(TOOLS)

_MAX_STEPS = 1000


@dataclass(frozen=True)
class _File:
    """One settings file: `shown` is how messages call it, `mode` is for a new one."""

    path: str
    shown: str
    mode: int


def _settings_file(root: str, scope: Scope) -> _File:
    if scope == "user":
        folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
        path = os.path.join(folder, "settings.json")
        return _File(path, _from_home(path), 0o600)
    name, mode = ("settings.json", 0o666) if scope == "shared" else ("settings.local.json", 0o600)
    return _File(os.path.join(root, ".claude", name), f".claude/{name}", mode)


def _from_home(path: str) -> str:
    home = os.path.join(os.path.expanduser("~"), "")
    return f"~/{path.removeprefix(home)}" if path.startswith(home) else path


def enable(root: str, scope: Scope) -> Outcome:
    """Install or update the hook. Raises SettingsError."""
    file, text = _open(root, scope)
    command = installed_command("sctx")
    line = command.shell("hook")
    start = "{}\n" if text is None else text
    updated = _repeat(lambda current: _enable_step(current, line, file.shown), start)
    notes = []
    if command.note and updated != text:
        shared = "; everybody who uses these settings needs it there" if scope == "shared" else ""
        notes.append(command.note + shared)
    notes += _other_installations(root, scope, line)
    if updated == text:
        return Outcome(f"sctx hooks are already enabled in {file.shown}", False, tuple(notes))
    _write(file, updated)
    verb = "updated" if text is not None and _handlers_anywhere(parse(text)) else "enabled"
    return Outcome(f"sctx hooks {verb} in {file.shown}", True, tuple(notes))


def disable(root: str, scope: Scope) -> Outcome:
    """Take the hook out, with what enabling had made for it. Raises SettingsError."""
    file, text = _open(root, scope)
    updated = _repeat(_disable_step, text or "")
    if text is None or updated == text:
        return Outcome(f"sctx hooks are not enabled in {file.shown}", False)
    _write(file, updated)
    return Outcome(f"sctx hooks disabled in {file.shown}", True)


def _open(root: str, scope: Scope) -> tuple[_File, str | None]:
    """The settings file and its text, which is known to be JSON."""
    file = _settings_file(root, scope)
    folder = os.path.dirname(file.path)
    if scope == "user":
        require_folder(folder, f"{_from_home(folder)}/", "run Claude Code once, then try again")
    else:
        require_folder(folder, ".claude/", "run this in a Claude Code project, or make the folder first")
        require_inside(file.path, root, file.shown)
    text = read_text(file.path, file.shown)
    if text is not None:
        try:
            root_node = parse(text)
        except JsonSyntaxError as error:
            raise SettingsError(f"{file.shown} contains invalid JSON, {error}") from error
        if root_node.kind == "array":
            raise SettingsError(f"{file.shown} contains invalid JSON settings: a list, not an object")
    return file, text


def _write(file: _File, text: str) -> None:
    try:
        write_atomically(file.path, text.encode(), mode=file.mode)
    except OSError as error:
        raise SettingsError(f"cannot write {file.shown}: {error.strerror or error}") from error


def _repeat(step: Callable[[str], str | None], text: str) -> str:
    """Apply one correction after another until there is none left; each works on a fresh parse."""
    for _ in range(_MAX_STEPS):
        changed = step(text)
        if changed is None:
            break
        text = changed
    return text


# Enabling


def _enable_step(text: str, command: str, shown: str) -> str | None:
    """The text with the next thing that enabling needs, None when all is in place."""
    root = parse(text)
    if root.kind != "object":
        raise SettingsError(f"{shown} is not a JSON object; it must hold {{...}}")
    hooks = root.get("hooks")
    if hooks is None:
        return json_edits.append_member(
            text, root, root, "hooks", {event: [_group(command)] for event in EVENTS}
        )
    if hooks.kind != "object":
        raise SettingsError(f'"hooks" in {shown} is not an object; correct it and run this again')
    for event in EVENTS:
        groups = hooks.get(event)
        if groups is None:
            group = _group(command, hooks_were_empty=not hooks.children)
            return json_edits.append_member(text, root, hooks, event, [group])
        if groups.kind != "array":
            raise SettingsError(f'"hooks.{event}" in {shown} is not a list; correct it and run this again')
        changed = _event_step(text, root, groups, command)
        if changed is not None:
            return changed
    return None


def _event_step(text: str, root: Node, groups: Node, command: str) -> str | None:
    """The next correction within one event: exactly one handler of ours, in a group that covers our tools."""
    ours = _handlers(groups)
    if not ours:
        return json_edits.append_item(text, root, groups, _group(command, list_was_empty=not groups.children))
    keep = next((handler for handler in ours if _covers(handler.matcher)), ours[0])
    surplus = next((handler for handler in ours if handler is not keep), None)
    if surplus is not None:
        return _remove(text, groups, surplus)
    if keep.matcher is not None and not _covers(keep.matcher):
        if len(keep.list.children) > 1:  # others share the group: its matcher is theirs
            return _remove(text, groups, keep)
        return json_edits.replace(text, keep.matcher, MATCHER)
    line = keep.child.value.get("command")
    is_plain = line is not None and keep.child.value.get("args") is None and hook_arguments(line.text) == []
    if line is not None and is_plain and line.text != command:  # what the user added to it stays
        return json_edits.replace(text, line, command)
    return None


def _group(
    command: str, *, hooks_were_empty: bool = False, list_was_empty: bool = False
) -> dict[str, object]:
    handler = json_edits.ordered({"type": "command", "command": command}, into_empty=hooks_were_empty)
    return json_edits.ordered({"matcher": MATCHER, "hooks": [handler]}, into_empty=list_was_empty)


def _covers(matcher: Node | None) -> bool:
    """Whether a matcher lets every tool of ours through, by Claude Code's rules: names, or else a regex."""
    if matcher is None or (matcher.kind, matcher.text) in (
        ("scalar", "null"),
        ("string", ""),
        ("string", "*"),
    ):
        return True
    if matcher.kind != "string":
        return False
    if re.fullmatch(r"[\w\-, |]+", matcher.text):
        return set(TOOLS) <= set(re.split(r"[|, ]+", matcher.text))
    try:
        return all(re.search(matcher.text, tool) for tool in TOOLS)
    except re.error:
        return False


# Finding and removing what is ours


@dataclass(frozen=True)
class _Handler:
    """A handler of ours: its place in the `list` of a `group`, and that group's matcher."""

    group: Child
    list: Node
    child: Child
    matcher: Node | None


def _handlers(groups: Node) -> list[_Handler]:
    """Our handlers in the groups of one event; groups of any other shape are not ours to judge."""
    found = []
    for group in groups.children:
        handlers = group.value.get("hooks")
        if handlers is None or handlers.kind != "array":
            continue
        for child in handlers.children:
            if _is_ours(child.value):
                found.append(_Handler(group, handlers, child, group.value.get("matcher")))
    return found


def _is_ours(handler: Node) -> bool:
    kind, command, arguments = (handler.get(key) for key in ("type", "command", "args"))
    if kind is None or kind.text != "command" or command is None or command.kind != "string":
        return False
    words = [node.text for node in arguments.values] if arguments is not None else []
    return is_hook_command(" ".join([command.text, *words]) if words else command.text)


def _handlers_anywhere(root: Node) -> list[tuple[Child, _Handler]]:
    hooks = root.get("hooks")
    events = hooks.children if hooks is not None and hooks.kind == "object" else []
    return [
        (event, handler)
        for event in events
        if event.value.kind == "array"
        for handler in _handlers(event.value)
    ]


def _disable_step(text: str) -> str | None:
    """The text without the last handler of ours and what held nothing else, not even a comment.

    A list and hooks that were empty when it came stay.
    """
    root = parse(text) if text else Node("object", 0)
    found = _handlers_anywhere(root)
    if not found:
        return None
    event, handler = found[-1]
    list_stays = json_edits.was_into_empty(handler.group.value, "matcher", "hooks")
    if list_stays or len(handler.list.children) > 1:
        return _remove(text, event.value, handler)
    if not json_edits.holds_only(text, event.value, handler.group):
        return _remove(text, event.value, handler)
    hooks = next(child for child in reversed(root.children) if child.key == "hooks")
    hooks_stay = json_edits.was_into_empty(handler.child.value, "type", "command")
    if hooks_stay or not json_edits.holds_only(text, hooks.value, event):
        return json_edits.remove(text, hooks.value, event)
    return json_edits.remove(text, root, hooks)


def _remove(text: str, groups: Node, handler: _Handler) -> str:
    """The text without one handler, or without its whole group when it stood there alone."""
    if len(handler.list.children) > 1:
        return json_edits.remove(text, handler.list, handler.child)
    return json_edits.remove(text, groups, handler.group)


def _other_installations(root: str, scope: Scope, command: str) -> list[str]:
    """Notes on other settings files whose different command would make Claude Code run the hook twice."""
    notes = []
    others: tuple[Scope, ...] = ("local", "shared", "user")
    for other in others:
        file = _settings_file(root, other)
        if other == scope:
            continue
        try:
            text = read_text(file.path, file.shown)
            found = _handlers_anywhere(parse(text)) if text else []
        except (SettingsError, JsonSyntaxError):
            continue
        lines = {
            line.text for _, handler in found if (line := handler.child.value.get("command")) is not None
        }
        if lines - {command}:
            flag = "" if other == "local" else f" --{other}"
            notes.append(
                f"{file.shown} runs a different command for it, so Claude Code would run both:"
                f" `sctx claude disable{flag}` or `sctx claude enable{flag}` there"
            )
    return notes
