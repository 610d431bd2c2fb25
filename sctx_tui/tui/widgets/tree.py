"""The tree of files: one row per visible path, made when a folder is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from textual import events
from textual.message import Message

from sctx_tui.tui.draw.lines import BLANK, Line
from sctx_tui.tui.draw.lines import line as make_line
from sctx_tui.tui.draw.tree import RowFacts, tree_line
from sctx_tui.tui.files import FileIndex, Row, nested, parents
from sctx_tui.tui.widgets.lines import LineView, key_bindings

MARGIN = 8
"""Rows beyond the window of which everything is known before they are reached."""


class FileTree(LineView):
    """Shows an index of files; knows which folders are open and where the cursor is, and nothing of
    guidance."""

    BINDINGS = key_bindings("tree")
    ALLOW_SELECT = False

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Entered(Message):
        """The user wants to go on to the pane."""

    class Scrolled(Message):
        """Other rows are on show."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.index: FileIndex | None = None
        self.opened: set[str] = set()
        self.rows: list[Row] = []
        self.cursor = -1
        self.facts: dict[str, RowFacts] = {}
        self.shows_ignored = False
        self._choice: tuple[Iterable[str], Callable[[str], tuple[int, ...]]] | None = None

    # Rows

    def show(self, index: FileIndex, *, cursor: str | None = None) -> None:
        """Show an index of files; the cursor stays on its path, or on the nearest folder above that is
        left."""
        self.index = index
        self._rebuild(cursor if cursor is not None else self.path)

    def choose(self, paths: Iterable[str], lit: Callable[[str], tuple[int, ...]], cursor: str = "") -> None:
        """Show only these files, with the folders that lead to them."""
        self._choice = (list(paths), lit)
        self._rebuild(cursor or self.path)

    def choose_all(self, cursor: str = "") -> None:
        """Show every file again, with the cursor on a path, or where it is."""
        if self._choice is not None:
            self._choice = None
            self.opened.update(parents(cursor or self.path))
            self._rebuild(cursor or self.path)

    @property
    def is_filtered(self) -> bool:
        """Whether only a choice of files is shown."""
        return self._choice is not None

    def _rebuild(self, path: str) -> None:
        if self._choice is not None:
            self.rows = list(nested(*self._choice))
        elif self.index is not None:
            self.rows = [
                Row("", os.path.basename(self.index.root) or "/", 0, True, True),
                *self.index.rows("", 0, self.opened.__contains__, ignored=self.shows_ignored),
            ]
        self.set_lines(len(self.rows))
        self._put_cursor(path)
        self.refresh()
        self.post_message(self.Scrolled())

    def _put_cursor(self, path: str) -> None:
        places = {row.path: at for at, row in enumerate(self.rows)}
        for candidate in (path, *reversed(parents(path))):
            if candidate in places:
                self.cursor = places[candidate]
                break
        else:
            self.cursor = min(max(self.cursor, 0), len(self.rows) - 1)
        if self.cursor >= 0 and not 0 <= self.cursor - round(self.scroll_y) < self.window:
            self.scroll_to(y=self.cursor - self.window // 2, animate=False, immediate=True)

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    @property
    def path(self) -> str:
        """The path under the cursor, "" while there is none."""
        return self.row.path if self.row else ""

    def rows_on_show(self) -> list[Row]:
        """The rows on show, and a few on each side that will be next."""
        top = round(self.scroll_y)
        return self.rows[max(0, top - MARGIN) : top + self.window + MARGIN]

    def line_at(self, y: int) -> tuple[Line, str]:
        """A row; the bar at its left shows the cursor without any colour."""
        if y >= len(self.rows):
            return BLANK, ""
        row = self.rows[y]
        state, mark = "", " "
        if y == self.cursor:
            state, mark = ("cursor", "▌") if self.has_focus else ("cursor-blurred", "▏")
        body = tree_line(row, self.facts.get(row.path), self.columns - 2)
        return (*make_line((mark, "bar")), *body), state

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows want their counts."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def on_resize(self, event: events.Resize) -> None:
        """More or fewer rows are on show."""
        self.set_lines(len(self.rows))
        self.post_message(self.Scrolled())

    # Folders

    def set_open(self, path: str, is_open: bool) -> None:
        """Open or close a folder; the root is always open."""
        if not path:
            return
        (self.opened.add if is_open else self.opened.discard)(path)
        at = next((at for at, row in enumerate(self.rows) if row.path == path and row.is_folder), None)
        if at is None or self.index is None or self.is_filtered:
            return
        row = self.rows[at]
        end = at + 1
        while end < len(self.rows) and self.rows[end].depth > row.depth:
            end += 1
        below = self.index.rows(path, row.depth + 1, self.opened.__contains__, ignored=self.shows_ignored)
        self.rows[at:end] = [row._replace(is_open=is_open), *(below if is_open else ())]
        self.cursor = min(self.cursor, len(self.rows) - 1)
        self.set_lines(len(self.rows))
        self.refresh()
        self.post_message(self.Scrolled())

    def reveal(self, path: str) -> None:
        """Open the folders above a path and go there."""
        self._choice = None
        self.opened.update(parents(path))
        self._rebuild(path)

    def close_all(self) -> None:
        """Close every folder; the cursor goes to the outermost one that it was in."""
        self.opened.clear()
        self._rebuild(self.path)
        self._tell()

    # The cursor

    def _move_to(self, at: int) -> None:
        if not self.rows:
            return
        left, self.cursor = self.cursor, min(max(at, 0), len(self.rows) - 1)
        self.see(self.cursor)
        self.refresh_lines(left)
        self.refresh_lines(self.cursor)
        self._tell()

    def learn(self, facts: dict[str, RowFacts]) -> None:
        """Draw the rows of which something new is known."""
        changed = {path for path, each in facts.items() if self.facts.get(path) != each}
        self.facts.update(facts)
        top = round(self.scroll_y)
        for at, row in enumerate(self.rows[top : top + self.window], top):
            if row.path in changed:
                self.refresh_lines(at)

    def _tell(self) -> None:
        if self.row is not None:
            self.post_message(self.Moved(self.row))

    def action_down(self) -> None:
        """To the next row."""
        self._move_to(self.cursor + 1)

    def action_up(self) -> None:
        """To the row before."""
        self._move_to(self.cursor - 1)

    def action_first(self) -> None:
        """To the first row."""
        self._move_to(0)

    def action_last(self) -> None:
        """To the last row."""
        self._move_to(len(self.rows) - 1)

    def action_half_page(self, step: int) -> None:
        """Half a window down (1) or up (-1)."""
        self._move_to(self.cursor + step * max(1, self.window // 2))

    def action_page(self, step: int) -> None:
        """A window down (1) or up (-1)."""
        self._move_to(self.cursor + step * max(1, self.window - 1))

    def action_open(self) -> None:
        """Open or close a folder; from a file go on to the pane."""
        if self.row is None:
            return
        if self.row.is_folder:
            self.set_open(self.row.path, not self.row.is_open)
        else:
            self.post_message(self.Entered())

    def action_expand(self) -> None:
        """Open a folder, then go into it; from a file go on to the pane."""
        if self.row is None:
            return
        if not self.row.is_folder:
            self.post_message(self.Entered())
        elif self.row.is_open:
            self.action_down()
        else:
            self.set_open(self.row.path, True)

    def action_collapse(self) -> None:
        """Close a folder, or go to the one above."""
        if self.row is None:
            return
        if self.row.is_folder and self.row.is_open and not self.is_filtered:
            self.set_open(self.row.path, False)
            return
        depth = self.row.depth
        self._move_to(next((at for at in range(self.cursor, -1, -1) if self.rows[at].depth < depth), 0))

    def on_click(self, event: events.Click) -> None:
        """A click selects; on the twisty, or a second one, it opens or closes the folder."""
        at = event.y + round(self.scroll_y)
        if not 0 <= at < len(self.rows):
            return
        row = self.rows[at]
        self._move_to(at)
        if event.chain == 2 or (row.is_folder and event.x <= 2 * row.depth + 2):
            self.action_open()

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks different with the focus elsewhere."""
        super().watch_has_focus(has_focus)
        self.refresh()
