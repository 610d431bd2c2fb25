"""`ctx decision` and `ctx danger`: what holds for a scope, written down, listed, taken back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Group, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, path_in, root_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean

if TYPE_CHECKING:
    from sctx_tui.graph.store_notes import Danger, Decision


class AddByDefault(Group):
    """`ctx danger SCOPE TEXT` is short for `ctx danger add SCOPE TEXT`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; what is no command is the scope of one to add."""
        if args[0] not in self.commands:
            args = ["add", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's; options of `add` may come first."""
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = ["add", *args]
        return super().parse_args(ctx, args)


scope_argument = click.argument("scope")
text_argument = click.argument("text")
reason_option = click.option("--reason", metavar="TEXT", help="Why.")


@click.group(cls=AddByDefault)
def danger() -> None:
    """Record what must not be broken.

    `ctx danger SCOPE TEXT` is short for `ctx danger add`. A SCOPE is * (everywhere), a file, a folder, a
    glob, or FILE::SYMBOL; agents get the text with whatever it holds for.
    """


@danger.command("add")
@scope_argument
@text_argument
@reason_option
@root_option
def add_danger(scope: str, text: str, reason: str | None, root: str | None) -> None:
    """Record a danger for a scope."""
    from sctx_tui.graph import store_notes

    top = graph_root(root)
    scope = scope_in(top, scope)
    with open_index(top, create=True) as store:
        number = store_notes.add_danger(store, scope, _text(text), reason=reason, source="person")
    write(f"danger {number} for {clean(scope)}")


@danger.command("list")
@json_option
@root_option
def list_dangers(as_json: bool, root: str | None) -> None:
    """List every danger."""
    from sctx_tui.graph import store_notes

    with open_index(graph_root(root)) as store:
        found = store_notes.dangers(store)
    if as_json:
        write_json([asdict(each) for each in found])
        return
    for each in found:
        write(_shown(each, each.description))


@danger.command("remove")
@click.argument("number", metavar="ID", type=int)
@root_option
def remove_danger(number: int, root: str | None) -> None:
    """Take a danger back."""
    from sctx_tui.graph import store_notes

    with open_index(graph_root(root)) as store:
        if not store_notes.remove_danger(store, number):
            raise click.ClickException(f"there is no danger {number}; `ctx danger list` shows them")
    write(f"danger {number} removed")


@click.group(cls=AddByDefault)
def decision() -> None:
    """Record a design decision.

    `ctx decision SCOPE TEXT` is short for `ctx decision add`. A SCOPE is * (everywhere), a file, a folder,
    a glob, or FILE::SYMBOL. It is kept in the index, which is yours alone; with --yaml it goes into
    AGENTS.yaml, for the team.
    """


@decision.command("add")
@scope_argument
@text_argument
@click.option("--alternatives", metavar="TEXT", multiple=True, help="What was rejected; may be repeated.")
@reason_option
@click.option(
    "--yaml",
    "into_yaml",
    is_flag=True,
    help='Write it into the nearest AGENTS.yaml instead. Needs --reason; alternatives are "OPTION: WHY NOT".',
)
@root_option
def add_decision(
    scope: str,
    text: str,
    alternatives: tuple[str, ...],
    reason: str | None,
    into_yaml: bool,
    root: str | None,
) -> None:
    """Record a decision for a scope."""
    from sctx_tui.graph import store_notes

    top = graph_root(root)
    scope = scope_in(top, scope)
    if into_yaml:
        from sctx_tui.cli.ctx_team_decision import write_decision

        write_decision(top, scope, _text(text), alternatives, reason)
        return
    with open_index(top, create=True) as store:
        number = store_notes.add_decision(
            store, scope, _text(text), alternatives=alternatives, reason=reason, source="person"
        )
    write(f"decision {number} for {clean(scope)}")


@decision.command("list")
@json_option
@root_option
def list_decisions(as_json: bool, root: str | None) -> None:
    """List every decision of the index."""
    from sctx_tui.graph import store_notes

    with open_index(graph_root(root)) as store:
        found = store_notes.decisions(store)
    if as_json:
        write_json([asdict(each) for each in found])
        return
    for each in found:
        write(_shown(each, each.decision))
        for alternative in each.alternatives:
            write(f"    rejected: {clean(alternative)}")


@decision.command("remove")
@click.argument("number", metavar="ID", type=int)
@root_option
def remove_decision(number: int, root: str | None) -> None:
    """Take a decision back."""
    from sctx_tui.graph import store_notes

    with open_index(graph_root(root)) as store:
        if not store_notes.remove_decision(store, number):
            raise click.ClickException(f"there is no decision {number}; `ctx decision list` shows them")
    write(f"decision {number} removed")


def scope_in(root: str, typed: str) -> str:
    """A scope as the index has it: `*`, a glob as typed, or a path from the root, perhaps with a symbol."""
    if typed.strip() in ("*", "."):
        return "*"
    if any(letter in typed.partition("::")[0] for letter in "*?[{"):
        return typed.removeprefix("./")
    path, mark, symbol = typed.partition("::")
    relative = path_in(root, path)
    if not relative:
        return "*"
    import os

    if not os.path.lexists(os.path.join(root, relative)):
        say(f"note: {relative} does not exist (yet)")
    return relative + mark + symbol


def _text(typed: str) -> str:
    if not typed.strip():
        raise click.UsageError("the text is empty")
    return typed.strip()


def _shown(note: Danger | Decision, text: str) -> str:
    reason = f"\n    because: {clean(note.reason)}" if note.reason else ""
    origin = f"({clean(note.source)}, {clean(note.created_at[:10])})"
    return f"{note.id:4}  {clean(note.scope)}  {clean(text)}  {origin}{reason}"
