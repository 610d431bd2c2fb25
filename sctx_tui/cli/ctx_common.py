"""What `ctx` commands share: the root, the index, paths as a person types them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import say
from sctx_tui.cli.options import project_root, root_option_saying

if TYPE_CHECKING:
    from sctx_tui.graph.store import Store

root_option = root_option_saying(
    "Project root. Default: the nearest folder upwards with a .ctx, else git's top level, else the working"
    " directory."
)


def graph_root(given: str | None) -> str:
    """The absolute real path of the project's root. ClickException when `given` isn't a directory."""
    if given is not None:
        return project_root(given)
    from sctx_tui.graph import project

    return project.project_root(os.getcwd())


@contextmanager
def open_index(root: str, *, create: bool = False, thorough: bool = False) -> Iterator[Store]:
    """The index of `root`; one that can't be used is replaced, and said so. Errors become ClickException.

    `thorough`: look for damage everywhere, not only where a command comes by.
    """
    from sctx_tui.graph.store import DamagedIndex, StoreError
    from sctx_tui.graph.store_recovery import open_or_recover, set_aside

    try:
        store, rescue = open_or_recover(root, create=create, thorough=thorough)
        if rescue:
            say(f"warning: {rescue}")
        with store:
            yield store
    except DamagedIndex as damage:
        found = set_aside(root, str(damage))
        raise click.ClickException(str(found) if found else f"{damage}; run `ctx sync`") from damage
    except StoreError as error:
        raise click.ClickException(str(error)) from error


def path_in(root: str, typed: str) -> str:
    """A path as typed, relative to the working directory or else to the root, as the index has it."""
    here = os.path.realpath(os.getcwd())
    if not _is_utf8(typed):
        raise click.ClickException(f"{typed}: its name isn't UTF-8: not indexed")
    base = here if _is_inside(here, root) else root
    full = os.path.normpath(os.path.join(base, typed))
    if not _is_inside(full, root):
        folder, name = os.path.split(full)
        full = os.path.join(os.path.realpath(folder), name)
    if not _is_inside(full, root):
        raise click.ClickException(f"{typed} is outside the project {root}")
    relative = os.path.relpath(full, root).replace(os.sep, "/")
    return "" if relative == "." else relative


def symbol_in(root: str, typed: str) -> str:
    """The same for `FILE` or `FILE::SYMBOL`."""
    path, mark, symbol = typed.partition("::")
    return path_in(root, path) + mark + symbol


def _is_utf8(typed: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in typed)


def _is_inside(path: str, root: str) -> bool:
    return path == root or path.startswith(os.path.join(root, ""))
