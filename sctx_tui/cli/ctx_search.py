"""`ctx search`: full text over names, signatures, purposes and summaries."""

from __future__ import annotations

from dataclasses import asdict

import click

from sctx_tui.cli.command_line import Command, colours, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean


@click.command(cls=Command)
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Most hits to show."
)
@json_option
@root_option
@click.pass_context
def search(ctx: click.Context, words: tuple[str, ...], limit: int, as_json: bool, root: str | None) -> None:
    """Find files and functions by their words.

    Every word has to be there, as a word or the beginning of one, in a name, signature, purpose or summary.
    No character has a special meaning. Exit code 1 when nothing is found.
    """
    from sctx_tui.cli.show import Paint
    from sctx_tui.graph.store_search import search as find

    with open_index(graph_root(root)) as store:
        hits = find(store, " ".join(words), limit)
    if as_json:
        write_json([asdict(hit) for hit in hits])
    paint = Paint(colours())
    for hit in () if as_json else hits:
        is_file = hit.kind == "file"
        place = clean(hit.file) if is_file else f"{clean(hit.file)}:{hit.line}"
        write(paint(place, "cyan") + ("" if is_file else f"  {clean(hit.signature or hit.name)}"))
        if hit.text:
            write(f"    {clean(hit.text)}")
    if not hits:
        say(f"nothing found for {' '.join(words)!r}")
        ctx.exit(1)
