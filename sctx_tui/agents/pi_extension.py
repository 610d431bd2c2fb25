"""`sctx hook` in pi: an extension file that we write, update and remove, and nobody else's."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from importlib.resources import files

from sctx_tui.agents.command import Command, installed_command
from sctx_tui.agents.outcome import Outcome, Scope, SettingsError
from sctx_tui.agents.places import read_text, require_folder, require_inside
from sctx_tui.atomic import write_atomically

VERSION = 1
"""Counts the published texts of the extension."""

_MARKER = re.compile(r"\A// sctx extension for pi, version (\d+), sha256 ([0-9a-f]{64})\n")
_COMMAND_LINE = 'const COMMAND = ["sctx", "hook"];\n'

GO_TOOL_TEXTS = frozenset(
    {
        "7c1968789167f0a598011615b5c5783e2ef4694804b7fd7878540a92d3d405a8",
        "780cf4033ad843f02acbdfeb6f71732c5b4e96e7e0a9206b34d09fb056bbb99b",
        "20260d0592177f1129848a89e239f552d6db6c10dd6fea4ef5c434bd6e1b059e",
    }
)
"""SHA-256 of every extension text that the Go tool, or its repository, has published."""


@dataclass(frozen=True)
class _File:
    path: str
    shown: str


def enable(root: str, scope: Scope) -> Outcome:
    """Write the extension, or bring an older one up to date. Raises SettingsError."""
    file = _extension_file(root, scope)
    command = installed_command("sctx")
    wanted = extension_text(command)
    existing = read_text(file.path, file.shown)
    if existing is not None and _newlines(existing) == wanted:
        return Outcome(f"sctx extension is already enabled at {file.shown}", False)
    if existing is not None and not is_ours(existing):
        note = f"nothing was written: {_NOT_OURS} Move it away and run this again"
        return Outcome(f"{file.shown} already exists and was left as it is", False, (note,))
    try:
        os.makedirs(os.path.dirname(file.path), exist_ok=True)
        write_atomically(file.path, wanted.encode(), mode=0o644)
    except OSError as error:
        raise SettingsError(f"cannot write {file.shown}: {error.strerror or error}") from error
    notes = [command.note] if command.note else []
    if scope != "user":
        notes.append("pi loads the extensions of a project once you have trusted that project")
    return Outcome(
        f"sctx extension {'updated' if existing else 'enabled'} at {file.shown}", True, tuple(notes)
    )


def disable(root: str, scope: Scope) -> Outcome:
    """Remove the extension, and its folder when that is empty then. Raises SettingsError."""
    file = _extension_file(root, scope)
    existing = read_text(file.path, file.shown)
    if existing is None:
        return Outcome(f"sctx extension is not enabled in {file.shown}", False)
    if not is_ours(existing):
        raise SettingsError(f"{file.shown} was left as it is: {_NOT_OURS} Remove it yourself if you mean to")
    try:
        os.unlink(file.path)
    except OSError as error:
        raise SettingsError(f"cannot remove {file.shown}: {error.strerror or error}") from error
    folder = os.path.dirname(file.path)
    if not os.listdir(folder):
        os.rmdir(folder)
    return Outcome(f"sctx extension disabled, removed {file.shown}", True)


_NOT_OURS = "it was not written by `sctx pi enable`, or was changed since."


def extension_text(command: Command) -> str:
    """The extension as installed: a marker with version and checksum, then the text that calls `command`."""
    words = ", ".join(json.dumps(word) for word in (*command.words, "hook"))
    template = _newlines(files("sctx_tui.agents").joinpath("pi_extension.ts").read_text(encoding="utf-8"))
    body = template.replace(_COMMAND_LINE, f"const COMMAND = [{words}];\n")
    return f"// sctx extension for pi, version {VERSION}, sha256 {_sha256(body)}\n{body}"


def is_ours(text: str) -> bool:
    """Whether an extension is, unchanged, one that `sctx pi enable` of this or the Go tool wrote."""
    text = _newlines(text)
    marker = _MARKER.match(text)
    if marker is not None:
        return _sha256(text[marker.end() :]) == marker.group(2)
    return _sha256(text) in GO_TOOL_TEXTS


def _extension_file(root: str, scope: Scope) -> _File:
    """Where the extension goes. Raises SettingsError when pi's folder is missing."""
    if scope == "shared":
        raise SettingsError("pi keeps one folder per project: enable sctx without --shared and commit .pi")
    if scope == "user":
        folder = os.environ.get("PI_CODING_AGENT_DIR") or os.path.join(
            os.path.expanduser("~"), ".pi", "agent"
        )
        require_folder(folder, "~/.pi/agent/", "run pi once, then try again")
        return _File(os.path.join(folder, "extensions", "sctx.ts"), "~/.pi/agent/extensions/sctx.ts")
    folder = os.path.join(root, ".pi")
    require_folder(folder, ".pi/", "run this in a pi project, or make the folder first")
    file = _File(os.path.join(folder, "extensions", "sctx.ts"), ".pi/extensions/sctx.ts")
    require_inside(file.path, root, file.shown)
    return file


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _newlines(text: str) -> str:
    """Line ends as we write them; version control on Windows may have changed them."""
    return text.replace("\r\n", "\n")
