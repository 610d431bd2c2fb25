"""Which command opens a file at a line in the user's editor."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence

PLUS_LINE = ("{editor}", "+{line}", "{path}")
COLON = ("{editor}", "{path}:{line}")

FORMS: dict[str, Sequence[str]] = {
    **dict.fromkeys(
        ("vi", "vim", "nvim", "gvim", "mvim", "view", "nano", "pico", "emacs", "emacsclient"), PLUS_LINE
    ),
    **dict.fromkeys(
        ("kak", "micro", "joe", "jed", "mg", "ne", "mcedit", "gedit", "tilde", "amp", "vis"), PLUS_LINE
    ),
    **dict.fromkeys(
        ("hx", "helix", "subl", "sublime_text", "zed", "zeditor", "lapce", "fresh", "flow"), COLON
    ),
    **dict.fromkeys(
        ("code", "code-insiders", "codium", "cursor", "windsurf", "positron", "trae"),
        ("{editor}", "--goto", "{path}:{line}"),
    ),
    **dict.fromkeys(
        (
            "idea",
            "pycharm",
            "webstorm",
            "goland",
            "rustrover",
            "clion",
            "rider",
            "phpstorm",
            "rubymine",
            "charm",
        ),
        ("{editor}", "--line", "{line}", "{path}"),
    ),
    "kate": ("{editor}", "--line", "{line}", "{path}"),
    "mate": ("{editor}", "--line", "{line}", "{path}"),
    "xed": ("{editor}", "--line", "{line}", "{path}"),
    "notepad++": ("{editor}", "-n{line}", "{path}"),
}
"""How each editor is told a line, by the name of its program; any other gets the path alone."""


class NoEditor(Exception):
    """No editor is set, or what is set isn't a command; the message says what to do."""


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """$VISUAL, else $EDITOR, else vi, in words. Raises NoEditor for what a shell couldn't read."""
    written = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise NoEditor(f"$VISUAL or $EDITOR can't be read: {written!r}: {error}") from None
    if not words:
        raise NoEditor("$VISUAL and $EDITOR are blank; set one to your editor")
    return words


def editor_argv(command: Sequence[str], path: str, line: int) -> list[str]:
    """The whole command for a path and a line, 0 for no line. A path can't be taken for an option."""
    path = os.path.abspath(path)
    name = os.path.basename(command[0]).lower().removesuffix(".exe").removesuffix(".cmd")
    form = FORMS.get(name)
    if not line or form is None:
        return [*command, path]
    arguments = [part.format(editor="", line=line, path="\0").replace("\0", path) for part in form[1:]]
    return [*command, *arguments]
