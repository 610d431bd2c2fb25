"""Go to a file: a line to type in and the files that fit, best first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen

from sctx_tui.tui import fuzzy
from sctx_tui.tui.background import begin
from sctx_tui.tui.draw.lines import Block, Line, Target, cut, line, text_block
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.lines import COMPONENTS
from sctx_tui.tui.widgets.page import Page
from sctx_tui.tui.widgets.prompt import Prompt

MAX_SHOWN = 100


class Finder(ModalScreen[str | None]):
    """Gives the path that was chosen, or None."""

    COMPONENT_CLASSES = COMPONENTS

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "leave", show=False),
        Binding("down,ctrl+n,ctrl+j", "down", show=False, priority=True),
        Binding("up,ctrl+p,ctrl+k", "up", show=False, priority=True),
    ]

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__()
        self._paths = paths

    def compose(self) -> ComposeResult:
        """The line, what it finds, how many there are."""
        with Vertical(id="finder"):
            yield Prompt(placeholder="go to file", id="finder-query")
            yield Page(id="finder-found")
            yield Bar(id="finder-foot")

    def on_mount(self) -> None:
        """Type at once."""
        query = self.query_one("#finder-query", Prompt)
        query.focus()
        self._page.can_focus = False
        self._search("")

    @property
    def _page(self) -> Page:
        return self.query_one("#finder-found", Page)

    def on_input_changed(self, event: Prompt.Changed) -> None:
        """Each keystroke drops the search of the one before."""
        self._search(event.value)

    def _search(self, query: str) -> None:
        search = partial(self._find, "".join(query.split()))
        begin(self, search, "find")

    async def _find(self, query: str) -> None:
        found: list[str] = []
        for part in fuzzy.filtered(query, self._paths):
            found += part
            await asyncio.sleep(0)
        best = (fuzzy.ranked(query, found) if query else found)[:MAX_SHOWN]

        def draw(width: int) -> Iterator[Block]:
            if not best:
                yield text_block(line("  ", ("No file fits.", "muted")))
            for path in best:
                yield Block((cut(_lit(path, fuzzy.spots(query, path)), width),), Target(path))

        self._page.show(f"find {query}", draw)
        count = line(" ", (f"{len(found):,} of {len(self._paths):,}", "faint"))
        keys = line(("Enter", "key"), (" go there  ", "muted"), ("Esc", "key"), (" back ", "muted"))
        self.query_one("#finder-foot", Bar).show([(count, "")], [(keys, "")])

    def on_input_submitted(self) -> None:
        """Go to the file under the cursor."""
        target = self._page.target
        self.dismiss(target.path if target else None)

    def on_page_opened(self, event: Page.Opened) -> None:
        """A double click goes there too."""
        self.on_input_submitted()

    def action_down(self) -> None:
        """The next file."""
        self._page.action_down()

    def action_up(self) -> None:
        """The file before."""
        self._page.action_up()

    def action_leave(self) -> None:
        """Stay where we were."""
        self.dismiss(None)


def _lit(path: str, spots: Sequence[int]) -> Line:
    """The path, its folders muted, the letters that were typed lit."""
    lit, name = set(spots), path.rfind("/") + 1
    return line(
        *(
            (letter, "hit" if at in lit else "text" if at >= name else "muted")
            for at, letter in enumerate(path)
        )
    )
