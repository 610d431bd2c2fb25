"""`ctx log-commit`, `ctx install-hooks`, `ctx uninstall-hooks`: the life of the index beside git's."""

from __future__ import annotations

import click

from sctx_tui.cli.command_line import Command, say, write
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.sanitize import clean


@click.command("log-commit", cls=Command)
@click.option("--merged", is_flag=True, help="Record what the last merge has brought.")
@root_option
def log_commit(merged: bool, root: str | None) -> None:
    """Record the last commit as a change of each of its files.

    Git's post-commit hook calls this, its post-merge hook with --merged. A commit that is amended replaces
    what was recorded of it.
    """
    import os

    from sctx_tui.graph.commits import log_head, log_merged
    from sctx_tui.graph.store import index_path

    top = graph_root(root)
    if not os.path.exists(index_path(top)):
        return  # a hook must not get in the way of a project that has no index
    with open_index(top) as store:
        if merged:
            log_merged(store, top)
        elif log_head(store, top) is None:
            say("no commit to record")


@click.command("install-hooks", cls=Command)
@click.option("--warn", is_flag=True, help="Warn of what is not described instead of blocking the commit.")
@root_option
def install_hooks(warn: bool, root: str | None) -> None:
    """Install git hooks.

    `ctx validate` runs before each commit, `ctx log-commit` after it and after a merge. A hook that is there
    already stays and runs first.
    """
    install(graph_root(root), warn=warn)


@click.command("uninstall-hooks", cls=Command)
@root_option
def uninstall_hooks(root: str | None) -> None:
    """Take the git hooks out again.

    What was there before comes back.
    """
    from sctx_tui.services import githooks

    try:
        done = githooks.uninstall(graph_root(root))
    except githooks.HooksError as error:
        raise click.ClickException(str(error)) from error
    for line in done or ["no hooks of ours are installed"]:
        write(clean(line))


def install(root: str, *, warn: bool) -> None:
    """Install the hooks and say so."""
    from sctx_tui.services import githooks

    try:
        done = githooks.install(root, warn=warn)
    except githooks.HooksError as error:
        raise click.ClickException(str(error)) from error
    for line in done:
        write(clean(line, multiline=True))
