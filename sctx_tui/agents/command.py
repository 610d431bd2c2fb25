"""How other programs should call us: by name where the name finds this installation, else by path."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from importlib import metadata

DISTRIBUTION = "sctx-tui"
_EXECUTABLE_SUFFIX = re.compile(r"\.(?:exe|cmd|bat)$", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """The words that start one of our programs, and a note for the user when they are not its bare name."""

    words: tuple[str, ...]
    note: str = ""

    def shell(self, *arguments: str) -> str:
        """The command as one line for a shell, which on Windows is the one of Git."""
        words = [*self.words, *arguments]
        if os.name == "nt":
            return " ".join(_windows_word(word) for word in words)
        return shlex.join(words)


def installed_command(name: str) -> Command:
    """How to call our program `name` ("sctx" or "ctx") from anywhere on this machine."""
    script = _own_script(name)
    found = shutil.which(name)
    if script is None:
        words = without_program(name)
        return Command(words, f"`{name}` is not installed as a program; wrote {shlex.join(words)}")
    if found is not None and os.path.realpath(found) == os.path.realpath(script):
        return Command((name,))
    state = f"`{name}` on your PATH is another installation" if found else f"`{name}` is not on your PATH"
    return Command((script,), f"{state}; wrote this one's absolute path: {script}")


def without_program(name: str) -> tuple[str, ...]:
    """How to start our program `name` by way of Python.

    With -P, because agents start it in a project, whose own `sctx_tui` would be run otherwise.
    """
    run = ("-m", "sctx_tui") if name == "sctx" else ("-c", f"from sctx_tui.__main__ import {name}; {name}()")
    return (sys.executable, "-P", *run)


def command_words(command: str) -> list[str]:
    """The words of a shell command with the first reduced to a program name: no folder, no `.exe`."""
    for posix in (True, False):
        try:
            words = [word.strip("\"'") for word in shlex.split(command, posix=posix)]
        except ValueError:
            continue
        if words:
            words[0] = _EXECUTABLE_SUFFIX.sub("", re.split(r"[\\/]", words[0])[-1])
            if words[0] == "sctx" or not posix:
                return words
    return []


def is_hook_command(command: str) -> bool:
    """Whether a command line of an agent's settings is `sctx hook`, whatever its path and what follows it."""
    return hook_arguments(command) is not None


def hook_arguments(command: str) -> list[str] | None:
    """What follows `sctx hook` in a command line, be it options or another command; None if it isn't ours."""
    words = command_words(command)
    if words[:2] == ["sctx", "hook"]:
        return words[2:]
    module = words[2:] if words[1:2] == ["-P"] else words[1:]  # older installations have no -P
    return module[3:] if module[:3] == ["-m", "sctx_tui", "hook"] else None


def _own_script(name: str) -> str | None:
    """The installed program file of this very installation."""
    try:
        files = metadata.distribution(DISTRIBUTION).files or []
    except metadata.PackageNotFoundError:
        files = []
    places = [str(file.locate()) for file in files if file.name in (name, f"{name}.exe")]
    places += [os.path.join(sysconfig.get_path("scripts"), leaf) for leaf in (name, f"{name}.exe")]
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.abspath(place)
    return None


def _windows_word(word: str) -> str:
    """A word with forward slashes, which a POSIX shell leaves alone, in double quotes when it needs any."""
    word = word.replace("\\", "/")
    return word if re.fullmatch(r"[\w./:+-]+", word) else f'"{word}"'
