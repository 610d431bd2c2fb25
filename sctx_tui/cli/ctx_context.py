"""`ctx context`: the payload for a file and line, as an agent gets it."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack

import click

from sctx_tui.cli.command_line import Command, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.cli.options import json_option, on_option, when_option
from sctx_tui.sanitize import clean


@click.command(cls=Command)
@click.argument("place", metavar="FILE[:LINE]")
@on_option
@when_option
@click.option(
    "--budget", type=int, default=None, metavar="TOKENS", help="1000 to 100000 tokens. Default: 8000."
)
@json_option
@root_option
def context(
    place: str, on: str | None, when: str | None, budget: int | None, as_json: bool, root: str | None
) -> None:
    """Print what an agent should know about a file.

    One document under a token budget: the guidance and decisions that apply, dangers, the file's functions,
    what it imports and who imports it, who calls it and what it calls. With a LINE, the function there is
    looked at. Without an index only guidance is known.
    """
    from sctx_tui.guidance.resolve import OutsideRoot
    from sctx_tui.payload import build as payload
    from sctx_tui.payload.budget import TOTAL

    top = graph_root(root)
    path, line = _split(place)
    with ExitStack() as stack:
        try:
            store = stack.enter_context(open_index(top)) if _has_index(top) else None
            document = payload.build(
                path,
                root=top,
                base=os.getcwd(),
                line=line,
                action=on or "all",
                timing=when or "all",
                budget=TOTAL if budget is None else budget,
                store=store,
            )
        except OutsideRoot as error:
            raise click.ClickException(clean(str(error))) from error
        except ValueError as error:
            raise click.UsageError(f"--budget: {error}") from error
    if as_json:
        write_json(document.as_json())
    else:
        write(document.markdown().rstrip("\n"))


def _split(place: str) -> tuple[str, int | None]:
    """`FILE:LINE` as a path and a line; a colon that is part of an existing name stays."""
    found = re.fullmatch(r"(.+):(\d{1,9})", place, re.DOTALL)
    if found is None or os.path.lexists(place):
        return place, None
    return found[1], max(1, int(found[2]))


def _has_index(root: str) -> bool:
    from sctx_tui.graph.store import index_path

    return os.path.isfile(index_path(root))
