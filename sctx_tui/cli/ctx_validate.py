"""`ctx validate`: may what is staged be committed? Runs at every commit, so it imports little."""

from __future__ import annotations

import os

import click

from sctx_tui.cli.command_line import Command, say, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean

SHOWN = 20


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
    from sctx_tui.graph.staged import undescribed
    from sctx_tui.graph.store import index_path

    top = graph_root(root)
    if not os.path.exists(index_path(top)):
        say("no index: nothing to compare with; `ctx init` makes one")
        found = []
    else:
        with open_index(top) as store:
            is_made = store.meta("indexed_at") is not None
            answer = undescribed(store, top) if is_made else []
        if not is_made:
            say("no index yet: nothing to compare with; `ctx init` makes one")
        if answer is None:
            say("no git repository here: nothing is staged")
        found = answer or []
    if as_json:
        write_json([{"file": each.path, "reason": each.reason} for each in found])
    elif found:
        files = "1 staged file has" if len(found) == 1 else f"{len(found)} staged files have"
        say(f"{'warning' if warn else 'error'}: {files} changed in meaning since last described:")
        for each in found[:SHOWN]:
            say(f"  {each.reason:8} {clean(each.path)}")
        if len(found) > SHOWN:
            say(f"  … and {len(found) - SHOWN} more; --json lists all")
        say("run `ctx sync` (or let the agent write back with update_file), then commit again")
    if found and not warn:
        ctx.exit(1)
