"""`sctx validate`: the faults and the likely mistakes in a project's guidance."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Command, colours, say, write, write_json
from sctx_tui.cli.options import base_directory, json_option, project_root, root_option

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Problem


@click.command(cls=Command)
@click.argument("path", type=click.Path(), metavar="[DIR]", required=False)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@json_option
@root_option
@click.pass_context
def validate(ctx: click.Context, path: str | None, strict: bool, as_json: bool, root: str | None) -> None:
    """Check the guidance files below DIR.

    DIR is the root unless given; it may also be one guidance file.

    Errors are what the format forbids: the entry, or the whole file, gives nothing. Warnings are what is
    valid and yet hardly meant, such as a pattern that fits no file. Exit code 1 on errors.
    """
    from sctx_tui.cli.show import Paint, problem_text
    from sctx_tui.guidance.validate import report

    top, within = _place(path, root)
    found = report(top, within=within)
    shown = {problem.file: _from_here(top, problem.file) for problem in found.problems}
    if as_json:
        write_json([_as_json(problem, shown[problem.file]) for problem in found.problems])
    else:
        paint = Paint(colours())
        for problem in found.problems:
            write(problem_text(problem, paint, shown[problem.file]))
        if found.files:
            write(_summary(len(found.files), found.errors, found.warnings))
    if not found.files:
        say(f"warning: no AGENTS.yaml files found below {path or '.'}: nothing to validate")
    if found.errors or (strict and found.warnings):
        ctx.exit(1)


def _place(path: str | None, root: str | None) -> tuple[str, str]:
    """The root and what to validate in it; without --root, a directory elsewhere is a root of its own."""
    top = project_root(root)
    if not path:
        return top, ""
    full = os.path.realpath(os.path.join(base_directory(top), path))
    if not os.path.lexists(full):
        raise click.ClickException(f"{path}: no such file or directory")
    within = os.path.relpath(full, top).replace(os.sep, "/")
    if within == ".":
        return top, ""
    if within.split("/")[0] != "..":
        return top, within
    if root is not None or not os.path.isdir(full):
        raise click.ClickException(f"{path} is outside the root {top}")
    return full, ""


def _from_here(root: str, file: str) -> str:
    """A file's path as seen from the working directory, where editors and terminals open it."""
    return os.path.relpath(os.path.join(root, file)).replace(os.sep, "/")


def _as_json(problem: Problem, file: str) -> dict[str, object]:
    return {
        "file": file,
        "line": problem.line,
        "column": problem.column,
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message,
        "where": problem.where,
    }


def _summary(files: int, errors: int, warnings: int) -> str:
    checked = f"{files} guidance file{'s' if files != 1 else ''} checked"
    if not errors and not warnings:
        return f"{checked}: all valid."
    parts = [
        f"{count} {word}{'s' if count != 1 else ''}"
        for count, word in ((errors, "error"), (warnings, "warning"))
        if count
    ]
    return f"{checked}: {', '.join(parts)}."
