"""One row of text with parts at both ends that can be clicked: the title, the tabs, the keys."""

from __future__ import annotations

from textual import events
from textual.strip import Strip
from textual.widget import Widget

from sctx_tui.tui.draw.lines import Line, Span, cut, width_of
from sctx_tui.tui.widgets.lines import Looks, strip_of

Item = tuple[Line, str]
"""Text and the name of the action that a click on it runs, "" for none."""


class Bar(Widget):
    """Items from the left and from the right; where they don't fit, the last ones of the left go first."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._left: list[Item] = []
        self._right: list[Item] = []
        self._looks: Looks | None = None

    def show(self, left: list[Item], right: list[Item] | None = None) -> None:
        """Show other items."""
        if (left, right or []) != (self._left, self._right):
            self._left, self._right = left, right or []
            self.refresh()

    def notify_style_update(self) -> None:
        """Looks are worked out anew after a change of theme."""
        super().notify_style_update()
        self._looks = None

    def laid_out(self) -> list[tuple[int, int, Line, str]]:
        """Start and end column, text and action of what fits."""
        width = self.size.width
        right = list(self._right)
        while right and sum(width_of(line) for line, _ in right) > max(width * 2 // 3, width - 24):
            right.pop(0)
        room = width - sum(width_of(line) for line, _ in right)
        placed: list[tuple[int, int, Line, str]] = []
        column = 0
        for number, (line, action) in enumerate(self._left):
            if column + width_of(line) > room:
                if number == 0:
                    line = cut(line, room)
                else:
                    break
            placed.append((column, column + width_of(line), line, action))
            column += width_of(line)
        column = room
        for line, action in right:
            placed.append((column, column + width_of(line), line, action))
            column += width_of(line)
        return placed

    def render_line(self, y: int) -> Strip:
        """The row."""
        if self._looks is None:
            self._looks = Looks(self.screen, self.rich_style)
        parts: list[Span] = []
        column = 0
        for start, end, line, _ in self.laid_out() if y == 0 else ():
            parts += [(" " * (start - column), ""), *line]
            column = end
        return strip_of(tuple(parts), self._looks, self.size.width)

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the item under the mouse."""
        for start, end, _, action in self.laid_out():
            if action and start <= event.x < end:
                await self.app.run_action(action, self.screen)
