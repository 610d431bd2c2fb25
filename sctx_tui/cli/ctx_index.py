"""`ctx init`, `ctx sync`, `ctx update`: making the index and keeping it true."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Command, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, path_in, root_option
from sctx_tui.cli.ctx_summarize import describe_queue, no_summaries_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.graph.indexer import Report
    from sctx_tui.graph.store import Store

LISTED = 20  # paths of each kind in the report of a run
_MORE = "; `ctx status --problems` lists them"


@click.command(cls=Command)
@click.option(
    "--hooks/--no-hooks", default=None, help="Install git hooks. Default: asked in a terminal, else no."
)
@click.option(
    "--watch/--no-watch", default=None, help="Start the watcher. Default: asked in a terminal, else no."
)
@no_summaries_option
@root_option
def init(hooks: bool | None, watch: bool | None, no_summaries: bool, root: str | None) -> None:
    """Make the index of a project.

    Reads every file that git lists, finds functions, imports and calls, and takes descriptions from
    docstrings; with a model configured (`ctx config`), from that too. Again at any time: what is there is
    brought up to date, and what people and agents wrote stays.
    """
    from sctx_tui.cli.ctx_progress import follow
    from sctx_tui.git import is_git_directory
    from sctx_tui.graph.indexer import sync as run

    top = graph_root(root)
    if is_git_directory(top):
        raise click.ClickException(f"{top} is a git directory, not a checkout; go to a checkout of it")
    with open_index(top, create=True, thorough=True) as store:
        follow(run(store, top), more=_MORE)
        write(_size(store))
        if not no_summaries:
            describe_queue(store, top)
    if _wanted(hooks, "Install git hooks?"):
        from sctx_tui.cli.ctx_git import install

        install(top, warn=False)
    if _wanted(watch, "Keep the index up to date in the background?"):
        from sctx_tui.cli.ctx_watch import start

        start(top, summaries=not no_summaries)


def _wanted(answer: bool | None, question: str) -> bool:
    """What was said on the command line; else what a person answers, and no where there is none."""
    if answer is not None:
        return answer
    return sys.stdin.isatty() and sys.stdout.isatty() and click.confirm(question, default=True)


@click.command(cls=Command)
@click.option("--dry-run", is_flag=True, help="Say what has changed, and change nothing.")
@no_summaries_option
@json_option
@root_option
def sync(dry_run: bool, no_summaries: bool, as_json: bool, root: str | None) -> None:
    """Bring the index up to date.

    Only files whose content has changed are read again. What they say counts as described from now on, so
    that `ctx validate` lets a commit have it.
    """
    from sctx_tui.cli.ctx_progress import follow
    from sctx_tui.graph.indexer import pending
    from sctx_tui.graph.indexer import sync as run

    top = graph_root(root)
    with open_index(top) as store:
        report = pending(store, top) if dry_run else follow(run(store, top), more=_MORE)
        _show(report, store, as_json=as_json, dry_run=dry_run)
        if not dry_run and not no_summaries:
            describe_queue(store, top)


@click.command(cls=Command)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@no_summaries_option
@json_option
@root_option
def update(paths: tuple[str, ...], no_summaries: bool, as_json: bool, root: str | None) -> None:
    """Bring single files or folders up to date.

    Whatever else has changed waits for `ctx sync`.
    """
    from sctx_tui.cli.ctx_progress import follow
    from sctx_tui.graph.indexer import update as run
    from sctx_tui.graph.store_records import files, files_below

    top = graph_root(root)
    wanted = [path_in(top, path) for path in paths]
    with open_index(top) as store:
        report = follow(run(store, top, wanted), more=_MORE)
        known = files(store, wanted)
        for typed, path in zip(paths, wanted, strict=True):
            if path not in known and path not in report.deleted and not files_below(store, path):
                raise click.ClickException(f"{typed}: git doesn't list it; is it ignored, or missing?")
        _show(report, store, as_json=as_json, dry_run=False)
        if not no_summaries:
            describe_queue(store, top, wanted)


def _size(store: Store) -> str:
    from sctx_tui.graph.store_records import counts

    found = counts(store)
    calls = found.calls_resolved + found.calls_ambiguous
    return (
        f"{counted(found.files, 'file')} ({found.parsed_files:,} parsed), "
        f"{counted(found.functions, 'function')}, "
        f"{counted(calls, 'call')} ({found.calls_ambiguous:,} ambiguous), {counted(found.imports, 'import')}"
    )


def _show(report: Report, store: Store, *, as_json: bool, dry_run: bool) -> None:
    from sctx_tui.graph.store_records import counts

    if as_json:
        write_json(
            {
                "added": report.added,
                "changed": report.changed,
                "deleted": report.deleted,
                "renamed": [{"from": old, "to": new} for old, new in report.renamed],
                "files": report.files,
                "dry_run": dry_run,
            }
        )
        return
    if report.is_nothing:
        write(f"Up to date: {counted(report.files, 'file')}.")
        return
    for name, paths in (
        ("new", report.added),
        ("changed", report.changed),
        ("deleted", report.deleted),
        ("renamed", tuple(f"{old} -> {new}" for old, new in report.renamed)),
    ):
        for path in paths[:LISTED]:
            write(f"{name:8} {clean(path)}")
        if len(paths) > LISTED:
            write(f"{name:8} … and {len(paths) - LISTED:,} more")
    tainted = counts(store).tainted
    if tainted and not dry_run:
        say(f"{counted(tainted, 'caller')} of something that has changed; `ctx status` lists the queue")
