"""The `sctx` command line: parses the question, asks the guidance engine, shows the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import click

from sctx_tui import __version__
from sctx_tui.cli.checks import validate
from sctx_tui.cli.command_line import Group, nearest, run, write
from sctx_tui.cli.options import on_option, project_root, root_option, when_option
from sctx_tui.cli.queries import context, decisions, explain
from sctx_tui.cli.setup import claude, init, pi

SHELLS = ("bash", "zsh", "fish")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run `sctx` with `arguments` (the process's own when None); ends the process with 0 or 1."""
    run(sctx, arguments, "sctx")


@click.group(cls=Group)
@click.version_option(__version__, message="%(prog)s %(version)s", help="Print the version.")
def sctx() -> None:
    """What a coding agent should know about the file at hand, and why.

    Guidance comes from AGENTS.yaml files beside the code they are about.
    """


for command in (context, decisions, explain, validate, init, claude, pi):
    sctx.add_command(command)


@sctx.command()
@click.argument("path", type=click.Path(), required=False)
@on_option
@when_option
@click.option("--theme", metavar="NAME", help="Colour theme.")
@click.option(
    "--screenshot",
    type=click.Path(),
    metavar="FILE.svg",
    help="Draw the app into a file instead of opening it.",
)
@click.option("--no-index", is_flag=True, help="Do not build or update the code graph.")
@click.option("--web", is_flag=True, help="Serve the app to a browser on this machine.")
@root_option
@click.pass_context
def tui(
    ctx: click.Context,
    path: str | None,
    on: str | None,
    when: str | None,
    theme: str | None,
    screenshot: str | None,
    no_index: bool,
    web: bool,
    root: str | None,
) -> None:
    """Open the terminal app.

    A directory PATH is the root that the app opens; a file is selected in it.
    """
    from sctx_tui.tui.app import run as run_app

    ctx.exit(
        run_app(
            path,
            root=project_root(root) if root else None,
            on=on,
            when=when,
            theme=theme,
            screenshot=screenshot,
            no_index=no_index,
            web=web,
        )
    )


@sctx.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.option("--root", metavar="DIR", help="Project root, instead of the directory that the event names.")
@click.pass_context
def hook(ctx: click.Context, root: str | None) -> None:
    """Answer an agent's hook event.

    JSON on standard input, JSON on standard output, nothing when there is nothing to say. Agents
    call this; `sctx claude enable` and `sctx pi enable` tell them to.
    """
    from sctx_tui.agents.hook import main as answer

    ctx.exit(answer([*(("--root", root) if root else ()), *ctx.args]))


@sctx.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for bash, zsh or fish.

    \b
    bash: eval "$(sctx completion bash)"                    in ~/.bashrc
    zsh:  eval "$(sctx completion zsh)"                     in ~/.zshrc
    fish: sctx completion fish > ~/.config/fish/completions/sctx.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, shell
    completer = kind(sctx, {}, "sctx", "_SCTX_COMPLETE")
    # Not completer.source(): it starts bash only to warn about old versions.
    write(completer.source_template % completer.source_vars())


@sctx.command()
def version() -> None:
    """Print the version."""
    write(f"sctx {__version__}")


@sctx.command("help")
@click.argument("names", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def help_command(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Print the help of a command."""
    shown = click.Context(sctx, info_name="sctx", **sctx.context_settings)
    for name in names:
        known = shown.command.list_commands(shown) if isinstance(shown.command, click.Group) else []
        if name not in known:
            advice = nearest(name, known) if known else f"{shown.command_path} has no commands"
            raise click.UsageError(f"unknown command {name!r}; {advice}", ctx)
        assert isinstance(shown.command, click.Group)
        found = shown.command.commands[name]
        shown = click.Context(found, info_name=name, parent=shown, **found.context_settings)
    write(shown.command.get_help(shown))
