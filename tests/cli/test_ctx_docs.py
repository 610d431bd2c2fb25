"""Every `ctx` command has a page, and the page knows the options and the usage line that the help knows."""

from __future__ import annotations

import re

import click
import pytest

from sctx_tui.cli.command_line import option_names
from sctx_tui.cli.ctx import ctx

from .pages import PAGES, commands, page

COMMANDS = dict(commands(ctx, "ctx"))


def names_in_help(command: click.Command) -> list[str]:
    with click.Context(command, **command.context_settings) as context:
        params = command.get_params(context)
    off = [name for p in params if isinstance(p, click.Option) for name in p.secondary_opts]
    return [*option_names(command), *off]


@pytest.mark.parametrize("path", COMMANDS)
def test_the_page_lists_exactly_the_options_of_the_help(path: str) -> None:
    first_cells = re.findall(r"^\| (`-[^|]*) \|", page(path), flags=re.MULTILINE)
    documented = [name.split()[0] for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(documented) == sorted(names_in_help(COMMANDS[path]))


@pytest.mark.parametrize("path", COMMANDS)
def test_the_page_shows_the_usage_line(path: str) -> None:
    command = COMMANDS[path]
    with click.Context(command, info_name=path, **command.context_settings) as context:
        assert context.get_usage() in page(path)


def test_no_page_is_about_a_command_that_does_not_exist() -> None:
    names = {"-".join(path.split()[:2]) for path in COMMANDS}
    assert {file.stem for file in PAGES.glob("ctx-*.md")} == names


def test_the_overview_links_every_page() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\((ctx-[a-z-]+\.md)\)", text))
    assert linked == {file.name for file in PAGES.glob("ctx-*.md")}
