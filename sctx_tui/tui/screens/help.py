"""The help: every key, from the one table, and what the signs in the tree mean."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from sctx_tui.tui import keys
from sctx_tui.tui.draw.lines import Block, Line, line, text_block, width_of, wrap
from sctx_tui.tui.draw.tree import LEGEND
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.lines import COMPONENTS
from sctx_tui.tui.widgets.page import Page

COLUMN = 14


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
    groups.append(_signs())
    if width < 90:
        for group in groups:
            yield text_block(*(each for text in group for each in wrap(text, width, COLUMN + 2)), ())
        return
    half = width // 2 - 1
    left: list[Line] = []
    right: list[Line] = []
    total = sum(len(group) + 1 for group in groups)
    for group in groups:
        column = left if len(left) + len(group) <= total // 2 + 4 and not right else right
        column += [each for text in group for each in wrap(text, half, COLUMN + 2)] + [()]
    for number in range(max(len(left), len(right))):
        first = left[number] if number < len(left) else ()
        second = right[number] if number < len(right) else ()
        yield text_block((*first, (" " * (half + 2 - width_of(first)), ""), *second))


def _group(title: str, rows: list[keys.Key]) -> list[Line]:
    return [
        line("  ", (title, "title")),
        *(line("  ", (f"{keys.signs(key):<{COLUMN}}", "key"), (key.help, "text")) for key in rows),
    ]


def _signs() -> list[Line]:
    return [
        line("  ", ("Signs in the tree", "title")),
        *(line("  ", (f"{sign:<{COLUMN}}", role), (words, "text")) for sign, role, words in LEGEND),
    ]
