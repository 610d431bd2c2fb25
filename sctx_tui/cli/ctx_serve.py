"""`ctx serve` and `ctx mcp-config`: the MCP server, and how agents start it."""

from __future__ import annotations

import click

from sctx_tui.cli.command_line import Command, say, write
from sctx_tui.cli.ctx_common import graph_root, root_option


@click.command(cls=Command)
@root_option
def serve(root: str | None) -> None:
    """Serve the project to an agent over MCP.

    On standard input and output: agents start it by themselves, and `ctx mcp-config` tells them how. It reads
    and writes .ctx/index.db only, and sends nothing anywhere.
    """
    from sctx_tui.services.mcp.server import serve as run

    run(graph_root(root))


@click.command(cls=Command)
@click.option(
    "--client",
    type=click.Choice(("claude", "claude-desktop", "cursor", "vscode")),
    default="claude",
    show_default=True,
    help="Whose settings to write.",
)
@click.option("--remove", is_flag=True, help="Take the entry out again.")
@root_option
def mcp_config(client: str, remove: bool, root: str | None) -> None:
    """Tell an MCP client how to start `ctx serve`.

    Writes the project's .mcp.json (claude), .cursor/mcp.json or .vscode/mcp.json, or the desktop app's own
    file. What else is in there stays as it is.
    """
    from sctx_tui.agents.outcome import SettingsError
    from sctx_tui.services.mcp import client_config

    change = client_config.remove if remove else client_config.configure
    try:
        outcome = change(client, graph_root(root))
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    write(outcome.message)
    for note in outcome.notes:
        say(f"note: {note}")
