"""`ctx graph` and `ctx neighbours`: what a file imports, what depends on it, who calls whom."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Command, colours, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, path_in, root_option, symbol_in
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean

if TYPE_CHECKING:
    from sctx_tui.graph.neighbours import Neighbour, Neighbourhood
    from sctx_tui.graph.store import Store

SHOWN = 15  # of each kind, unless --all


@click.command(cls=Command)
@click.argument("file")
@click.option("--calls", is_flag=True, help="Calls of the file's functions instead of imports.")
@click.option(
    "--depth", type=click.IntRange(1, 10), default=2, show_default=True, help="Steps away from FILE."
)
@click.option("--all", "everything", is_flag=True, help=f"Every edge, not only {SHOWN} of each node.")
@click.option("--dot", is_flag=True, help="Print a graph for Graphviz.")
@click.option("--mermaid", is_flag=True, help="Print a Mermaid flowchart.")
@json_option
@root_option
def graph(
    file: str,
    calls: bool,
    depth: int,
    everything: bool,
    dot: bool,
    mermaid: bool,
    as_json: bool,
    root: str | None,
) -> None:
    """Print what FILE imports and what depends on it.

    The strongest edges come first, by personalized PageRank from FILE.
    """
    from sctx_tui.cli import ctx_trees

    if dot + mermaid + as_json > 1:
        raise click.UsageError("--json, --dot and --mermaid exclude each other")
    top = graph_root(root)
    path = path_in(top, file)
    with open_index(top) as store:
        _require_file(store, path, file)
        trees = ctx_trees.trees(store, path, calls=calls, depth=depth, width=None if everything else SHOWN)
    if as_json:
        write_json(ctx_trees.as_json(path, trees))
    elif dot:
        write(ctx_trees.as_dot(trees))
    elif mermaid:
        write(ctx_trees.as_mermaid(trees))
    else:
        write(ctx_trees.as_text(path, trees))


@click.command(cls=Command)
@click.argument("target", metavar="FILE[::SYMBOL]")
@click.option("--all", "everything", is_flag=True, help=f"Every neighbour, not only {SHOWN} of each kind.")
@json_option
@root_option
def neighbours(target: str, everything: bool, as_json: bool, root: str | None) -> None:
    """Show what is one step away from a file or symbol.

    Callers, callees, imports and dependents, ranked. Without an index, what can be parsed in two seconds.
    """
    top = graph_root(root)
    most = None if everything or as_json else SHOWN
    found = _neighbourhood(top, symbol_in(top, target), target, most)
    if as_json:
        write_json(asdict(found))
        return
    _show(found, most)


def _neighbourhood(root: str, target: str, typed: str, most: int | None) -> Neighbourhood:
    from sctx_tui.graph.neighbours import neighbourhood
    from sctx_tui.graph.store import index_path

    if not os.path.exists(index_path(root)):
        from sctx_tui.graph.on_the_fly import neighbourhood_now

        try:
            return neighbourhood_now(root, target, most=most)
        except KeyError:
            raise click.ClickException(f"{typed}: no such file or symbol") from None
    with open_index(root) as store:
        path = target.partition("::")[0]
        _require_file(store, path, typed)
        _note_if_changed(store, root, path)
        try:
            return neighbourhood(store, target, most=most)
        except KeyError:
            raise click.ClickException(_no_symbol(store, target)) from None


def _require_file(store: Store, path: str, typed: str) -> None:
    from sctx_tui.graph.store_records import file

    if file(store, path) is None:
        raise click.ClickException(f"{typed}: the index doesn't know it; `ctx sync` indexes what git lists")


def _note_if_changed(store: Store, root: str, path: str) -> None:
    from sctx_tui.graph.changes import is_changed

    if is_changed(store, root, path):
        say(f"note: {path} has changed since it was indexed; `ctx sync` brings the index up to date")


def _no_symbol(store: Store, target: str) -> str:
    """What to say about an unknown symbol: the nearest known one of the file."""
    from difflib import get_close_matches

    from sctx_tui.graph.store_records import functions_of

    path, _, symbol = target.partition("::")
    known = [record.id.partition("::")[2] for record in functions_of(store, path)]
    close = (
        get_close_matches(symbol, known, n=1) or [name for name in known if name.endswith(f".{symbol}")][:1]
    )
    return f"{path} has no {symbol}" + (f"; did you mean {path}::{close[0]}?" if close else "")


def _show(found: Neighbourhood, width: int | None) -> None:
    from sctx_tui.cli.show import Paint

    paint = Paint(colours())
    for title, ends, total in (
        ("callers", found.callers, found.all_callers.pairs),
        ("callees", found.callees, found.all_callees.pairs),
        ("imports", found.imports, len(found.imports)),
        ("dependents", found.dependents, len(found.dependents)),
    ):
        write(paint(f"{title} ({total:,})", bold=True))
        for end in ends[:width]:
            write(f"  {_line(end)}")
        if width and total > width:
            write(f"  … {width} of {total:,}; --all shows every one")
    if found.partial:
        say("note: without an index only a part was parsed; `ctx init` makes one")


def _line(end: Neighbour) -> str:
    marks = ("  (one of several candidates)" if end.ambiguous else "") + (
        "  (tainted)" if end.tainted else ""
    )
    name = f"{clean(end.file)}:{end.line}  {clean(end.signature or end.name)}" if end.via else clean(end.file)
    return f"{name}{marks}"
