"""Every command has a page, and the page knows the options that the help knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from sctx_tui.agents.hook import USAGE
from sctx_tui.cli import sctx as command_line
from sctx_tui.cli.command_line import option_names

from .pages import PAGES, commands, page

DOCS = Path(__file__).resolve().parents[2] / "docs"
DATA = DOCS.parent / "tests" / "data"


COMMANDS = dict(commands(command_line.sctx, "sctx"))


@pytest.mark.parametrize("path", COMMANDS)
def test_the_page_lists_exactly_the_options_of_the_help(path):
    first_cells = re.findall(r"^\| (`-[^|]*) \|", page(path), flags=re.MULTILINE)
    documented = [name.split()[0] for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(documented) == sorted(option_names(COMMANDS[path]))


@pytest.mark.parametrize("path", COMMANDS)
def test_the_page_shows_the_usage_line(path):
    command = COMMANDS[path]
    with click.Context(command, info_name=path, **command.context_settings) as ctx:
        assert ctx.get_usage() in page(path)


def test_the_hook_prints_the_help_that_click_would(sctx, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert sctx("help", "hook", cwd=tmp_path).out == USAGE


def test_no_page_is_about_a_command_that_does_not_exist():
    assert {file.stem for file in PAGES.glob("sctx-*.md")} == {
        f"sctx-{name}" for name in command_line.sctx.commands
    }


def test_every_rule_that_overrides_the_go_tool_is_on_the_page():
    overrides = json.loads((DATA / "guidance" / "design_overrides.json").read_text(encoding="utf-8"))
    text = (DOCS / "differences.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| .* \| (\d+) \|$", text, flags=re.MULTILINE))
    counted = {
        rule: str(sum(len(cases) for cases in row.values() if isinstance(cases, list)))
        for rule, row in overrides.items()
    }
    assert listed == counted
