"""The right side: the page of the current pane, the line for a search, and a preview of source."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical

from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.page import Page

if TYPE_CHECKING:
    from sctx_tui.tui.widgets.prompt import Prompt


class SidePane(Vertical):
    """Holds the widgets of the panes; what they show comes from the screen. What isn't needed isn't there."""

    def compose(self) -> ComposeResult:
        """The page."""
        yield Page(id="page")

    @property
    def page(self) -> Page:
        """The page of the current pane."""
        return self.query_one("#page", Page)

    @property
    def preview(self) -> Page | None:
        """The source below it, if it is shown."""
        return next(iter(self.query("#preview").results(Page)), None)

    @property
    def prompt(self) -> Prompt | None:
        """The line in which a search is typed, if it is shown."""
        return cast("Prompt | None", next(iter(self.query("#query")), None))

    def show_preview(self, wanted: bool) -> None:
        """Show source below the page, or don't."""
        if wanted and self.preview is None:
            page = Page(id="preview")
            page.can_focus = False
            self.mount(Bar(id="preview-head"), page)
        elif not wanted and self.preview is not None:
            self.query("#preview, #preview-head").remove()

    def show_prompt(self, wanted: bool, value: str = "") -> Prompt | None:
        """Show the line for a search, or don't."""
        prompt = self.prompt
        if wanted and prompt is None:
            from sctx_tui.tui.widgets.prompt import Prompt

            prompt = Prompt(value, placeholder="search symbols, summaries and guidance", id="query")
            self.mount(prompt, before=self.page)
        elif not wanted and prompt is not None:
            prompt.remove()
        return prompt
