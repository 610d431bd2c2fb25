"""`sctx init`, `sctx claude` and `sctx pi`: what is written into a project, once."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Command, Group, say, write
from sctx_tui.cli.options import project_root, root_option
from sctx_tui.guidance.model import FILE_NAMES
from sctx_tui.sanitize import clean

if TYPE_CHECKING:
    from sctx_tui.agents.outcome import Outcome, Scope

# Beside this file: importlib.resources would cost every command a fifth of its start.
STARTER = os.path.join(os.path.dirname(__file__), "starter.yaml")


@click.command(cls=Command)
@root_option
def init(root: str | None) -> None:
    """Write a starter AGENTS.yaml.

    It has one live entry, which shows that delivery works, and commented examples. Nothing is written where
    an AGENTS.yaml or AGENTS.yml exists.
    """
    directory = project_root(root)
    for name in FILE_NAMES:
        if os.path.lexists(os.path.join(directory, name)):
            raise click.ClickException(f"{name} exists already; `sctx init` does not touch it")
    with open(STARTER, "rb") as file:
        starter = file.read()
    path = os.path.join(directory, FILE_NAMES[0])
    # O_EXCL: what another program puts there meanwhile is not overwritten; 0644 whatever the umask.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
        file.write(starter)
    os.chmod(path, 0o644)
    write(f"Created {FILE_NAMES[0]}. What an agent will be told: sctx context README.md --on read")


shared_option = click.option("--shared", is_flag=True, help="The project's committed settings, for the team.")
user_option = click.option(
    "--user", is_flag=True, help="The settings in your home directory, for every project."
)


@click.group(cls=Group)
def claude() -> None:
    """Connect Claude Code: `sctx hook` in its settings."""


@claude.command()
@shared_option
@user_option
@root_option
def enable(shared: bool, user: bool, root: str | None) -> None:
    """Let Claude Code call `sctx hook` on every read and change.

    Writes .claude/settings.local.json, which is yours alone, unless another place is asked for. Nothing else
    in the file is touched. Run it again to update or complete an older installation.
    """
    from sctx_tui.agents.install import enable as install

    _run(install, "claude", root, _scope(shared, user))


@claude.command()
@shared_option
@user_option
@root_option
def disable(shared: bool, user: bool, root: str | None) -> None:
    """Take `sctx hook` out of its settings again.

    Nothing else in the file is touched.
    """
    from sctx_tui.agents.install import disable as uninstall

    _run(uninstall, "claude", root, _scope(shared, user))


@click.group(cls=Group)
def pi() -> None:
    """Connect pi: an extension that calls `sctx hook`."""


@pi.command("enable")
@user_option
@root_option
def enable_pi(user: bool, root: str | None) -> None:
    """Write the extension, or update an older one.

    It goes to .pi/extensions/sctx.ts in the project. A file there that sctx did not write is left alone.
    """
    from sctx_tui.agents.install import enable as install

    _run(install, "pi", root, _scope(False, user))


@pi.command("disable")
@user_option
@root_option
def disable_pi(user: bool, root: str | None) -> None:
    """Remove the extension.

    The extensions folder goes too if nothing else is in it. A file that sctx did not write stays.
    """
    from sctx_tui.agents.install import disable as uninstall

    _run(uninstall, "pi", root, _scope(False, user))


def _scope(shared: bool, user: bool) -> Scope:
    if shared and user:
        raise click.UsageError("--shared and --user exclude each other")
    return "shared" if shared else "user" if user else "local"


def _run(action: Callable[..., Outcome], agent: str, root: str | None, scope: Scope) -> None:
    from sctx_tui.agents.outcome import SettingsError

    try:
        outcome = action(agent, project_root(root), scope=scope)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    write(clean(outcome.message))
    for note in outcome.notes:
        say(f"note: {note}")
