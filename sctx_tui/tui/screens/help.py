"""The help: every key, from the one table, and what the signs in the tree mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from sctx_tui.tui import keys
from sctx_tui.tui.draw.lines import Block, Line, line, text_block, width_of, wrap
from sctx_tui.tui.draw.tree import LEGEND
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.lines import COMPONENTS
from sctx_tui.tui.widgets.page import Page


class Help(ModalScreen[None]):
    """Shows the table of keys; Esc, q or ? closes it."""

    COMPONENT_CLASSES = COMPONENTS

    BINDINGS = [("escape,q,question_mark,f1", "leave")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """Title, table."""
        with Vertical(id="help"):
            yield Bar(id="help-head", classes="head")
            yield Page(id="help-page")

    def on_mount(self) -> None:
        """Show the table."""
        head = self.query_one("#help-head", Bar)
        head.show([(line((" Keys", "title")), "")], [(line(("Esc", "key"), (" back ", "muted")), "leave")])
        self.query_one("#help-page", Page).show("help", help_blocks)
        self.query_one("#help-page", Page).focus()

    def action_leave(self) -> None:
        """Back to work."""
        self.dismiss(None)


def help_blocks(width: int) -> Iterator[Block]:
    """All groups of keys, in two columns where there is room."""
    groups = [_group(title, rows) for title, rows in keys.grouped().items()]
    groups.append(Group("Signs in the tree", LEGEND))
    if width < 90:
        for each in _laid_out(groups, width):
            yield text_block(each)
        return
    half = width // 2 - 1
    left = _laid_out(groups[:LEFT], half)
    right = _laid_out(groups[LEFT:], half)
    for first, second in zip_longest(left, right, fillvalue=()):
        yield text_block((*first, (" " * (half + 2 - width_of(first)), ""), *second))


class Group(NamedTuple):
    """Rows of the table: sign, its role, words."""

    title: str
    rows: Sequence[tuple[str, str, str]]


LEFT = 2
"""Groups in the first of two columns."""


def _group(title: str, rows: list[keys.Key]) -> Group:
    return Group(title, [(keys.signs(key), "key", key.help) for key in rows])


def _laid_out(groups: Sequence[Group], width: int) -> list[Line]:
    """The groups one below the other, the signs in a column that is as wide as the widest of them."""
    column = max(len(sign) for group in groups for sign, _, _ in group.rows) + 2
    found: list[Line] = []
    for group in groups:
        found.append(line("  ", (group.title, "title")))
        for sign, role, words in group.rows:
            found += wrap(line("  ", (f"{sign:<{column}}", role), (words, "text")), width, column + 2)
        found.append(())
    return found
