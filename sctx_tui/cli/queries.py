"""`sctx context`, `sctx decisions`, `sctx explain`: one question to the engine, three ways to show it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sctx_tui.cli.command_line import Command, colours, say, write, write_json
from sctx_tui.cli.options import (
    base_directory,
    json_option,
    on_option,
    project_root,
    root_option,
    when_option,
)
from sctx_tui.sanitize import clean
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Resolution

F = TypeVar("F", bound=Callable[..., Any])

all_option = click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Every entry of every guidance file below the root, instead of PATH.",
)


@click.command(cls=Command)
@click.argument("path", type=click.Path(), required=False)
@all_option
@on_option
@when_option
@json_option
@root_option
def context(
    path: str | None, everything: bool, on: str | None, when: str | None, as_json: bool, root: str | None
) -> None:
    """Show the context entries that apply to PATH.

    A directory, or a path that ends in "/", is asked as a directory; anything else as a file, whether it
    exists or not.
    """
    from sctx_tui.cli.show import Paint, context_text
    from sctx_tui.guidance.render import context_json

    resolution = _answer(path, everything, on, when, root)
    if as_json:
        write_json(context_json(resolution) if resolution else [])
    elif resolution and resolution.context:
        write(context_text(resolution.context, Paint(colours()), patterns=everything))
    else:
        write(_nothing("context", resolution))


def _not_for_decisions(_: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
    if values:
        raise click.UsageError(
            f"decisions have no action and no timing, hence no {param.opts[0]}; `sctx context` has it"
        )


def _context_only(name: str) -> Callable[[F], F]:
    """An option of `sctx context` that people look for in `sctx decisions`."""
    return click.option(
        name, multiple=True, hidden=True, expose_value=False, callback=_not_for_decisions, is_eager=True
    )


@click.command(cls=Command)
@click.argument("path", type=click.Path(), required=False)
@all_option
@_context_only("--on")
@_context_only("--when")
@json_option
@root_option
def decisions(path: str | None, everything: bool, as_json: bool, root: str | None) -> None:
    """Show the decisions that apply to PATH.

    Each with its rationale, the alternatives that were rejected, its age, and when to look at it again.
    """
    from sctx_tui.cli.show import Paint, decisions_text
    from sctx_tui.guidance.render import decisions_json

    resolution = _answer(path, everything, None, None, root)
    if as_json:
        write_json(decisions_json(resolution) if resolution else [])
    elif resolution and resolution.decisions:
        write(decisions_text(resolution.decisions, Paint(colours()), date.today(), patterns=everything))
    else:
        write(_nothing("decisions", resolution))


@click.command(cls=Command)
@click.argument("path", type=click.Path())
@on_option
@when_option
@json_option
@root_option
def explain(path: str, on: str | None, when: str | None, as_json: bool, root: str | None) -> None:
    """Show why each entry applies to PATH or not.

    Every entry of every guidance file from the root to PATH, in the order of merging, with the pattern that
    decided; also which root was used, and whether PATH was asked as a file or a directory.
    """
    from sctx_tui.cli.show import Paint, explain_text
    from sctx_tui.guidance.render import explain_json

    resolution = _answer(path, False, on, when, root)
    if resolution is None:
        if as_json:
            write_json(None)
        return
    if as_json:
        write_json(explain_json(resolution))
        return
    full = os.path.join(resolution.query.root, resolution.query.path)
    write(explain_text(resolution, Paint(colours()), exists=os.path.lexists(full)))


def _answer(
    path: str | None, everything: bool, on: str | None, when: str | None, root: str | None
) -> Resolution | None:
    """The engine's answer; its notes and faults go to standard error. None for a path outside the root."""
    from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve, resolve_all

    if everything and path:
        raise click.UsageError(
            f"--all shows everything and takes no PATH; leave out one of --all and {path!r}"
        )
    if not everything and not path:
        raise click.UsageError("missing PATH (or --all)")
    top = project_root(root)
    action, timing = on or "all", when or "all"
    if everything:
        from sctx_tui.listing import listed_files  # and with it subprocess, which one path does without

        listed = listed_files(top)
        resolution = resolve_all(top, action, timing, listed=listed)
        _report_unreadable(top, listed)
    else:
        try:
            query = make_query(path or "", root=top, base=base_directory(top), action=action, timing=timing)
        except OutsideRoot as error:
            say(f"warning: {clean(str(error))}; nothing applies to it")
            return None
        resolution = resolve(query)
    for note in resolution.notes:
        say(f"warning: {clean(note)}")
    for problem in resolution.problems:
        if problem.severity == "error":
            say(f"warning: {clean(problem.file)}:{problem.line}:{problem.column}: {clean(problem.message)}")
    return resolution


def _report_unreadable(root: str, listed: list[str]) -> None:
    from sctx_tui.guidance.unreadable import unreadable_directories

    for directory in unreadable_directories(root, listed):
        say(f"warning: {clean(directory)}/ can't be read; what stands in it is missing here")


def _nothing(kind: str, resolution: Resolution | None) -> str:
    """That nothing applies, and how much there was to choose from."""
    message = f"No matching {kind} found"
    if resolution is None or not resolution.files:
        return f"{message}."
    files = counted(len(resolution.files), "guidance file")
    entries = counted(len(resolution.judged), "entry", "entries")
    return f"{message}: {files}, {entries}, none of them fits."
