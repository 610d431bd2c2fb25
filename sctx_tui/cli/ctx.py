"""The `ctx` command line: the code graph. Commands are imported when they are asked for, and no sooner."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from sctx_tui import __version__
from sctx_tui.cli.command_line import Group, run

# Name -> module of this folder and the command in it; in the order in which a new user needs them. A module
# imports nothing at its top that its other commands can do without: `ctx validate` runs at every commit.
COMMANDS = {
    "init": "ctx_index:init",
    "sync": "ctx_index:sync",
    "update": "ctx_index:update",
    "watch": "ctx_watch:watch",
    "status": "ctx_status:status",
    "search": "ctx_search:search",
    "graph": "ctx_graph:graph",
    "neighbours": "ctx_graph:neighbours",
    "hash": "ctx_hash:hash_command",
    "context": "ctx_context:context",
    "decision": "ctx_notes:decision",
    "danger": "ctx_notes:danger",
    "summarize": "ctx_summarize:summarize",
    "config": "ctx_config:config",
    "export": "ctx_export:export",
    "validate": "ctx_validate:validate",
    "serve": "ctx_serve:serve",
    "mcp-config": "ctx_serve:mcp_config",
    "log-commit": "ctx_git:log_commit",
    "install-hooks": "ctx_git:install_hooks",
    "uninstall-hooks": "ctx_git:uninstall_hooks",
}


class LazyGroup(Group):
    """A set of commands that are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, without importing anything."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(import_module(f"sctx_tui.cli.{module}"), attribute)
        return found


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run `ctx` with `arguments` (the process's own when None); ends the process with 0 or 1."""
    run(ctx, arguments, "ctx")


@click.group(cls=LazyGroup)
@click.version_option(__version__, message="%(prog)s %(version)s", help="Print the version.")
def ctx() -> None:
    """The code graph of a project: who calls whom, who imports what, what a change concerns.

    It is kept in .ctx/index.db and made from the files that git lists. Begin with `ctx init`.
    """
