"""The pane on the right: blocks of lines with a cursor, laid out as far as they are looked at."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator

from textual import events
from textual.message import Message

from sctx_tui.tui.draw.lines import BLANK, Block, Line, Target
from sctx_tui.tui.widgets.lines import LineView, key_bindings

Draw = Callable[[int], Iterator[Block]]
"""A width in cells in, blocks out; asked again after each change of size."""

GUTTER = 2
SLICE = 0.004
"""Seconds of layout between two turns of the event loop."""
MAX_PLACES = 200


class Page(LineView):
    """Shows what a `Draw` gives; the part below the window is laid out while nothing else happens."""

    BINDINGS = key_bindings("page")

    class Opened(Message):
        """Enter or a double click on a block."""

        def __init__(self, page: Page, block: Block) -> None:
            super().__init__()
            self.page = page
            self.block = block

    class Pointed(Message):
        """The cursor stands on another block, or on none."""

        def __init__(self, page: Page, target: Target | None) -> None:
            super().__init__()
            self.page = page
            self.target = target

    class Left(Message):
        """The user wants to go to the left."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._draw: Draw = lambda width: iter(())
        self._key = ""
        self._source: Iterator[Block] = iter(())
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._lines: list[Line] = []
        self._is_complete = True
        self._cursor = -1
        self._places: dict[str, tuple[int, int]] = {}
        self._width = 0
        self._pump_is_set = False

    # What is shown

    def show(self, key: str, draw: Draw, *, at_cursor: bool = False) -> None:
        """Show other content.

        The same `key` keeps cursor and scroll position, one shown before finds its own again; another begins
        at its top, or with the cursor in the middle of the window.
        """
        is_new = key != self._key and key not in self._places
        if key != self._key:
            self._remember()
            self._key = key
            cursor, top = self._places.get(key, (-1, 0))
        else:
            cursor, top = self._cursor, round(self.scroll_y)
        self._draw = draw
        self._lay_out(cursor, top)
        if at_cursor and is_new and self._cursor >= 0:
            middle = self._starts[self._cursor] - self.window // 2
            self._fill_to(middle + self.window)
            self.set_lines(len(self._lines))
            self.scroll_to(y=max(0, middle), animate=False, immediate=True)

    def _remember(self) -> None:
        self._places.pop(self._key, None)
        self._places[self._key] = (self._cursor, round(self.scroll_y))
        while len(self._places) > MAX_PLACES:
            del self._places[next(iter(self._places))]

    def _lay_out(self, cursor: int, top: int) -> None:
        before = (self._lines, round(self.scroll_y), self._cursor_lines(), self._width)
        self._width = self.columns
        self._source = self._draw(max(10, self._width - GUTTER - 1))
        self._blocks, self._starts, self._lines = [], [], []
        self._is_complete = False
        self._fill_to(top + 2 * self.window)
        while cursor >= len(self._blocks) and not self._is_complete:
            self._fill_to(len(self._lines) + self.window)
        if not (0 <= cursor < len(self._blocks) and self._can_hold_cursor(cursor)):
            cursor = self._next(-1, 1)
        self._cursor = cursor
        self.set_lines(len(self._lines))
        self.scroll_to(y=min(top, max(0, len(self._lines) - self.window)), animate=False, immediate=True)
        self._refresh_changed(*before)
        self._set_pump()
        self.post_message(self.Pointed(self, self.target))

    def _cursor_lines(self) -> tuple[int, int]:
        """The first line of the block under the cursor and the first one behind it."""
        if self.block is None:
            return -1, -1
        start = self._starts[self._cursor]
        return start, start + len(self.block.lines)

    def _refresh_changed(self, lines: list[Line], top: int, cursor: tuple[int, int], width: int) -> None:
        """Draw only lines that differ from what is there: files side by side often have the same answers."""
        if top != round(self.scroll_y) or cursor != self._cursor_lines() or width != self._width:
            self.refresh()
            return
        rows = range(top, top + self.window)
        old = [lines[at] if at < len(lines) else BLANK for at in rows]
        new = [self._lines[at] if at < len(self._lines) else BLANK for at in rows]
        changed = [at for at, before, now in zip(rows, old, new, strict=True) if before != now]
        if changed:
            self.refresh_lines(changed[0], changed[-1] - changed[0] + 1)

    def _fill_to(self, lines: int) -> None:
        while len(self._lines) < lines and not self._is_complete:
            self._take()

    def _take(self) -> None:
        block = next(self._source, None)
        if block is None:
            self._is_complete = True
            return
        self._starts.append(len(self._lines))
        self._blocks.append(block)
        self._lines.extend(block.lines)

    def _set_pump(self) -> None:
        if not self._is_complete and not self._pump_is_set:
            self._pump_is_set = True
            self.set_timer(0.01, self._pump)

    def _pump(self) -> None:
        """Lay out a little more."""
        self._pump_is_set = False
        end = time.perf_counter() + SLICE
        while not self._is_complete and time.perf_counter() < end:
            self._take()
        self.set_lines(len(self._lines))
        self._set_pump()

    def on_resize(self, event: events.Resize) -> None:
        """Lines are broken anew when the width has changed."""
        if self.columns != self._width:
            self._lay_out(self._cursor, round(self.scroll_y))
        else:
            self.set_lines(len(self._lines))
        if self.block is not None:
            self.see(self._starts[self._cursor], len(self.block.lines))

    def line_at(self, y: int) -> tuple[Line, str]:
        """A line with its gutter; the bar in it shows the cursor without any colour."""
        if y >= len(self._lines):
            return BLANK, ""
        state, mark = "", "  "
        if self._cursor >= 0 and bisect_right(self._starts, y) - 1 == self._cursor:
            state, mark = ("cursor", "▌ ") if self.has_focus else ("cursor-blurred", "▏ ")
        return ((mark, "bar"), *self._lines[y]), state

    @property
    def subject(self) -> str:
        """The key of what is shown."""
        return self._key

    @property
    def block(self) -> Block | None:
        """The block under the cursor."""
        return self._blocks[self._cursor] if 0 <= self._cursor < len(self._blocks) else None

    @property
    def target(self) -> Target | None:
        """The place that the block under the cursor speaks of."""
        return self.block.target if self.block else None

    def text(self) -> str:
        """Everything on the page, as text."""
        while not self._is_complete:
            self._take()
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self._lines)

    # The cursor

    def _can_hold_cursor(self, index: int) -> bool:
        block = self._blocks[index]
        return block.target is not None or bool(block.action)

    def _next(self, index: int, step: int) -> int:
        """The next block that holds the cursor; -1 if there is none."""
        index += step
        while index >= 0:
            if index >= len(self._blocks):
                if self._is_complete:
                    return -1
                self._take()
                continue
            if self._can_hold_cursor(index):
                return index
            index += step
        return -1

    def _move_to(self, index: int) -> None:
        self._cursor = index
        self.set_lines(len(self._lines))
        start = self._starts[index]
        top = 0 if self._next(index, -1) < 0 else start
        self.see(top, start - top + len(self._blocks[index].lines))
        self.refresh()
        self.post_message(self.Pointed(self, self.target))

    def action_down(self) -> None:
        """To the next block; through a tall one line by line."""
        following = self._next(self._cursor, 1)
        bottom = round(self.scroll_y) + self.window
        is_cut = (
            self._cursor >= 0 and self._starts[self._cursor] + len(self._blocks[self._cursor].lines) > bottom
        )
        if following < 0 or is_cut:
            self.scroll_relative(y=3, animate=False, immediate=True)
        else:
            self._move_to(following)

    def action_up(self) -> None:
        """To the block before; through a tall one line by line."""
        before = self._next(self._cursor, -1) if self._cursor >= 0 else -1
        if before < 0 or self._starts[self._cursor] < round(self.scroll_y):
            self.scroll_relative(y=-3, animate=False, immediate=True)
        else:
            self._move_to(before)

    def action_first(self) -> None:
        """To the top."""
        first = self._next(-1, 1)
        if first >= 0:
            self._move_to(first)
        self.scroll_to(y=0, animate=False, immediate=True)

    def action_last(self) -> None:
        """To the bottom."""
        while not self._is_complete:
            self._take()
        self.set_lines(len(self._lines))
        last = self._next(len(self._blocks), -1)
        if last >= 0:
            self._move_to(last)
        self.scroll_to(y=len(self._lines), animate=False, immediate=True)

    def action_half_page(self, step: int) -> None:
        """Half a window down (1) or up (-1)."""
        self._leap(step * self.window // 2)

    def action_page(self, step: int) -> None:
        """A window down (1) or up (-1)."""
        self._leap(step * (self.window - 1))

    def _leap(self, rows: int) -> None:
        self._fill_to(round(self.scroll_y) + 3 * self.window)
        self.set_lines(len(self._lines))
        self.scroll_relative(y=rows, animate=False, immediate=True)
        line = (self._starts[self._cursor] if self._cursor >= 0 else round(self.scroll_y)) + rows
        index = max(0, bisect_right(self._starts, max(0, line)) - 1)
        nearest = self._next(index - 1, 1)
        if nearest < 0:
            nearest = self._next(index, -1)
        if nearest >= 0:
            self._move_to(nearest)

    # Enter, mouse

    def action_open(self) -> None:
        """Go to what the block under the cursor speaks of."""
        if self.block is not None:
            self.post_message(self.Opened(self, self.block))

    def action_leave(self) -> None:
        """To the files."""
        self.post_message(self.Left())

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens."""
        index = bisect_right(self._starts, event.y + round(self.scroll_y)) - 1
        if 0 <= index < len(self._blocks) and self._can_hold_cursor(index):
            self._cursor = index
            self.refresh()
            self.post_message(self.Pointed(self, self.target))
            if event.chain == 2:
                self.action_open()

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks different with the focus elsewhere."""
        super().watch_has_focus(has_focus)
        self.refresh()
