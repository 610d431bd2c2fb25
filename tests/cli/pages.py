"""The commands of a program, and what the pages say of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

PAGES = Path(__file__).resolve().parents[2] / "docs" / "commands"


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """(path, command) of every command that does something itself."""
    with click.Context(group, info_name=path) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from commands(command, f"{path} {name}")
            else:
                yield f"{path} {name}", command


def page(path: str) -> str:
    """The part of a page that is about a command: below its own heading, down to the next command's."""
    program, *words = path.split()
    text = (PAGES / f"{program}-{words[0]}.md").read_text(encoding="utf-8")
    heading = f"# {path}\n" if len(words) == 1 else f"## {path}\n"
    assert heading in text, f"no heading for {path}"
    return re.split(rf"^##? {program} ", text.split(heading, 1)[1], flags=re.MULTILINE)[0]
