"""`ctx decision --yaml`: a decision for the team, in the guidance file nearest to what it is about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import date

import click

from sctx_tui.cli.command_line import say, write
from sctx_tui.sanitize import clean

_NEW = "AGENTS.yaml"
_MAGIC = re.compile(r"[\\*?\[\]{}]")


def write_decision(root: str, scope: str, text: str, alternatives: Iterable[str], reason: str | None) -> None:
    """Append the decision to the nearest AGENTS.yaml, or to a new one in the root.

    ClickException when the file is broken, lies outside the root or can't be written; it is untouched then.
    """
    from sctx_tui.atomic import write_atomically
    from sctx_tui.guidance.append import CannotAppend, with_decision
    from sctx_tui.guidance.discover import is_within
    from sctx_tui.guidance.model import Alternative, Decision

    if not reason or not reason.strip():
        raise click.UsageError("--yaml needs --reason: AGENTS.yaml keeps no decision without its rationale")
    if "::" in scope:
        raise click.UsageError(
            f"no symbol can be named in AGENTS.yaml; give the file {scope.partition('::')[0]}"
        )
    folder, pattern = _place(root, scope)
    path = _guidance_file(root, folder)
    full = os.path.join(root, path)
    rejected = tuple(Alternative(*_option_and_reason(each)) for each in alternatives)
    match = _relative(pattern, os.path.dirname(path)) if pattern else "**"
    decision = Decision(text, reason.strip(), rejected, date=date.today().isoformat(), match=(match,))
    if not is_within(os.path.realpath(full), root):
        raise click.ClickException(f"{clean(path)} leads outside the project")
    try:
        content, line = with_decision(_content(full), path, decision)
        write_atomically(full, content)
    except CannotAppend as fault:
        raise click.ClickException(clean(str(fault))) from fault
    except OSError as error:
        raise click.ClickException(f"{clean(path)} can't be written: {error.strerror}") from error
    write(f"decision written to {clean(path)}:{line}")
    for problem in _warnings(root, path, line):
        say(f"note: {clean(problem)}")


def _place(root: str, scope: str) -> tuple[str, str]:
    """The folder to look upwards from for a guidance file, and what the decision matches, from the root."""
    if scope == "*":
        return "", ""
    if not any(letter in scope for letter in "*?[{") or os.path.lexists(os.path.join(root, scope)):
        escaped = _MAGIC.sub(r"\\\g<0>", scope.rstrip("/"))
        if scope.endswith("/") or os.path.isdir(os.path.join(root, scope)):
            return scope.rstrip("/"), f"{escaped}/**"
        return os.path.dirname(scope), escaped
    steps = scope.split("/")[:-1]
    plain = next((n for n, step in enumerate(steps) if _MAGIC.search(step)), len(steps))
    return "/".join(steps[:plain]), scope


def _guidance_file(root: str, folder: str) -> str:
    """The path, from the root, of the nearest guidance file in the folder or above it."""
    while True:
        for name in ("AGENTS.yaml", "AGENTS.yml"):
            path = f"{folder}/{name}" if folder else name
            if os.path.isfile(os.path.join(root, path)):
                return path
        if not folder:
            return _NEW
        folder = os.path.dirname(folder)


def _relative(pattern: str, folder: str) -> str:
    """A pattern as it reads from the folder."""
    return pattern[len(_MAGIC.sub(r"\\\g<0>", folder)) + 1 :] if folder else pattern


def _option_and_reason(typed: str) -> tuple[str, str]:
    option, mark, reason = (part.strip() for part in typed.partition(": "))
    if not (option and mark and reason):
        raise click.UsageError(f'--alternatives "{typed}": AGENTS.yaml wants "OPTION: WHY IT WAS REJECTED"')
    return option, reason


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def _warnings(root: str, path: str, line: int) -> list[str]:
    """What `sctx validate` says of the new entry, such as a pattern that fits no file."""
    from sctx_tui.guidance.parse import parse_guidance
    from sctx_tui.guidance.validate import validate

    entries = parse_guidance(_content(os.path.join(root, path)), path).decisions
    number = next(index for index, entry in enumerate(entries) if entry.line == line)
    mark = f"decisions[{number}]"
    return [
        problem.message
        for problem in validate(root, within=path)
        if mark in f"{problem.message} {problem.where}"
    ]
