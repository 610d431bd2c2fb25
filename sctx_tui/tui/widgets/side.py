"""The right side: tabs, the page of the current pane, the line for a search, and a preview of source."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.page import Page


class SidePane(Vertical):
    """Holds the widgets of the panes; what they show comes from the screen."""

    def __init__(self) -> None:
        super().__init__(id="side")

    def compose(self) -> ComposeResult:
        """Tabs, search line, page, preview."""
        yield Bar(id="tabs", classes="head")
        yield Input(placeholder="search symbols, summaries and guidance", id="query")
        yield Page(id="page")
        yield Bar(id="preview-head", classes="head")
        yield Page(id="preview")

    def on_mount(self) -> None:
        """A still cursor, so that pictures of the app are all the same."""
        self.query_line.cursor_blink = False
        self.query_line.display = False
        self.preview.can_focus = False
        self.shows_preview = False

    @property
    def page(self) -> Page:
        """The page of the current pane."""
        return self.query_one("#page", Page)

    @property
    def preview(self) -> Page:
        """The source below it."""
        return self.query_one("#preview", Page)

    @property
    def query_line(self) -> Input:
        """The line in which a search is typed."""
        return self.query_one("#query", Input)

    @property
    def shows_preview(self) -> bool:
        """Whether source is shown below the page."""
        return bool(self.preview.display)

    @shows_preview.setter
    def shows_preview(self, value: bool) -> None:
        self.preview.display = value
        self.query_one("#preview-head").display = value
