"""`ctx config`: the user's own settings, in a file of theirs; no repository has a say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Group, say, write, write_json
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@contextmanager
def settings_errors() -> Iterator[None]:
    """What is wrong with settings, as the command line says it."""
    from sctx_tui.summaries.settings import SettingsError

    try:
        yield
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


def _names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from sctx_tui.summaries.settings import KEYS

    return [
        CompletionItem(key.name, help=key.help) for key in KEYS.values() if key.name.startswith(incomplete)
    ]


name_argument = click.argument("name", metavar="KEY", shell_complete=_names)


@click.group(cls=Group)
def config() -> None:
    """Show and change your settings.

    They decide which language model writes summaries, if any. They are yours: they stand in a TOML file in
    your configuration directory (`ctx config path`), environment variables override them, and no repository
    has a say.
    """


@config.command("list")
@json_option
def list_settings(as_json: bool) -> None:
    """List every setting, its value and where that comes from."""
    from sctx_tui.summaries.settings import KEYS, settings

    with settings_errors():
        found = settings()
    if as_json:
        write_json(
            {
                name: {"value": value, "source": source, "variable": KEYS[name].variable}
                for name, (value, source) in found.items()
            }
        )
        return
    width = max(map(len, found))
    for name, (value, source) in found.items():
        shown = "-" if value is None else clean(str(value))
        origin = {"environment": f"({KEYS[name].variable})", "file": "(file)"}.get(source, "(default)")
        write(
            f"{name:{width}}  {shown}  {origin if value is not None or source != 'default' else '(not set)'}"
        )


@config.command("get")
@name_argument
def get_setting(name: str) -> None:
    """Print the value of a setting; exit code 1 when it isn't set."""
    from sctx_tui.summaries.settings import known_key, settings

    with settings_errors():
        value = settings()[known_key(name).name].value
    if value is None:
        raise click.ClickException(f"{name} is not set")
    write(clean(str(value)))


@config.command("set")
@name_argument
@click.argument("value")
def set_setting(name: str, value: str) -> None:
    """Write a setting into your file.

    Comments and everything else in it stay.
    """
    import os

    from sctx_tui.summaries.settings import KEYS
    from sctx_tui.summaries.settings_file import set_value

    with settings_errors():
        set_value(name, value)
    if KEYS[name].variable in os.environ:
        say(f"note: {KEYS[name].variable} is set and overrides the file")
    if name == "summaries.provider":
        _say_what_follows()


@config.command("unset")
@name_argument
def unset_setting(name: str) -> None:
    """Remove a setting from your file."""
    from sctx_tui.summaries.settings_file import unset_value

    with settings_errors():
        if not unset_value(name):
            say(f"note: {name} was not in the file")


@config.command("path")
def print_path() -> None:
    """Print where your settings file is, or would be."""
    from sctx_tui.summaries.settings import settings_path

    write(clean(settings_path()))


def _say_what_follows() -> None:
    """What a provider's name stands for, or what it still needs."""
    from sctx_tui.summaries.settings import SettingsError, configured_model

    try:
        model = configured_model()
    except SettingsError as error:
        say(f"note: {error}")
        return
    if model is not None:
        key = model.keyring or model.key_variable
        where = f", key from {key}" if key else ""
        say(f"summaries come from {model.name} at {model.url}{where}; see `ctx summarize --dry-run`")
