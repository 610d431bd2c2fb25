"""Options that several commands share, and where a command's paths start from."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sctx_tui.cli.command_line import only_once
from sctx_tui.guidance.model import ACTIONS, TIMINGS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


def _directories(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def root_option_saying(text: str) -> Callable[[F], F]:
    """`--root DIR`, with this text in the help."""
    return click.option(
        "--root", metavar="DIR", multiple=True, shell_complete=_directories, callback=only_once, help=text
    )


root_option = root_option_saying("Project root; nothing above it is read. Default: the working directory.")


def json_option(function: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(function)


def on_option(function: F) -> F:
    """`--on ACTION`."""
    return click.option(
        "--on",
        type=click.Choice(ACTIONS),
        multiple=True,
        callback=only_once,
        help="Only entries for this action. Default: all.",
    )(function)


def when_option(function: F) -> F:
    """`--when TIMING`."""
    return click.option(
        "--when",
        type=click.Choice(TIMINGS),
        multiple=True,
        callback=only_once,
        help="Only entries for this timing. Default: all.",
    )(function)


def project_root(given: str | None) -> str:
    """The absolute real path of the root; raises ClickException when it isn't a directory."""
    root = os.path.realpath(given if given is not None else os.getcwd())
    if not os.path.isdir(root):
        raise click.ClickException(f"--root {given}: there is no such directory")
    return root


def base_directory(root: str) -> str:
    """What a relative PATH is relative to: the working directory, or the root when that lies elsewhere.

    So a path means what the shell completes it to, and `--root DIR PATH` works from anywhere.
    """
    here = os.getcwd()
    real = os.path.realpath(here)
    return here if real == root or real.startswith(os.path.join(root, "")) else root
