"""`ctx validate`: may what is staged be committed?"""

from __future__ import annotations

import os

import click

from sctx_tui.cli import staged
from sctx_tui.cli.command_line import Command, say, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.cli.options import json_option


@click.command(cls=Command)
@click.option("--warn", is_flag=True, help="Say what is not described, but let the commit go on.")
@json_option
@root_option
@click.pass_context
def validate(ctx: click.Context, warn: bool, as_json: bool, root: str | None) -> None:
    """Check that what is staged has been described.

    Compares the meaning of each staged file with its meaning when it was last described: by an agent's
    write-back, a summary, `ctx sync` or `ctx update`. Formatting, comments, deletions and languages that
    are not parsed always pass. Exit code 1 when a file differs or is new.
    """
    from sctx_tui.graph.store import index_path

    top = graph_root(root)
    if os.path.exists(index_path(top)):
        with open_index(top) as store:
            found, notes = staged.look(store, top)
    else:
        found, notes = [], [staged.NO_INDEX]
    if as_json:
        write_json([{"file": each.path, "reason": each.reason} for each in found])
    for line in notes if as_json else [*notes, *staged.report(found, warn=warn)]:
        say(line)
    if found and not warn:
        ctx.exit(1)
