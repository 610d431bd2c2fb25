"""The base of every list in the app: lines drawn on demand, so a hundred thousand cost no more than a
screenful."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from sctx_tui.sanitize import clean
from sctx_tui.tui import keys
from sctx_tui.tui.draw.lines import Line, cut, plain, width_of

ROLES = (
    "text", "strong", "em", "code", "muted", "faint", "reason", "bullet", "lit", "title", "rule", "count",
    "hit", "good", "warn", "bad", "mark", "key", "link", "bar", "handle", "tab-on", "tab-off", "zone1",
    "zone2", "zone3", "zone4",
)  # fmt: skip
"""What a part of a line can be; the style sheet says how each looks."""
STATES = ("cursor", "cursor-blurred")
HANDLE: Line = (("▐", "handle"),)
TRACK: Line = ((" ", ""),)
MAX_STRIPS = 1_000
"""Rendered lines that a list keeps: scrolling shows most of them again."""


def key_bindings(where: str) -> list[BindingType]:
    """Bindings of the key table, none of them in a footer of the framework's.

    Quitting with Ctrl comes before what a line to type in would do with it.
    """
    return [
        Binding(names, action, text, show=False, priority=action == "quit" and names.startswith("ctrl"))
        for names, action, text in keys.bindings(where)
    ]


COMPONENTS = {f"lines--{name}" for name in (*ROLES, *STATES)}
"""Classes of the style sheet for the roles. They stand on the screens, not on each list: a style sheet is
applied to every class of every widget before the first paint."""


class Looks(dict[str, Style]):
    """Style of each role, worked out when it is first needed; `base` is that of the widget and the line's
    state."""

    def __init__(self, screen: Screen[Any], base: Style) -> None:
        super().__init__()
        self._screen = screen
        self._base = base

    def __missing__(self, role: str) -> Style:
        own = own_style(self._screen, role)
        if self._base.reverse:  # colours would become patches of background
            own = own.without_color + Style(reverse=True)
        self[role] = look = self._base + own
        return look


def own_style(screen: Screen[Any], name: str) -> Style:
    """What the style sheet says of a role or state, and nothing that it takes over from what lies below."""
    component = f"lines--{name}"
    whole = screen.get_component_rich_style(component)
    if screen.get_component_styles(component).has_rule("background"):
        return whole
    return whole.without_color + Style(color=whole.color)


def strip_of(line: Line, looks: Looks, width: int, end: Line = ()) -> Strip:
    """A line of exactly `width` cells, and what stands behind it. Nothing in it reaches the terminal as a
    control code or is read as markup."""
    missing = width - width_of(line)
    if missing < 0:
        line = cut(line, width)
        missing = width - width_of(line)
    segments = [Segment(clean(text), looks[role or "text"]) for text, role in line]
    if missing:
        segments.append(Segment(" " * missing, looks["text"]))
    segments += [Segment(text, looks[role or "text"]) for text, role in end]
    return Strip(segments, width + width_of(end))


class LineView(ScrollView, can_focus=True):
    """Scrolls over lines that subclasses give by number."""

    BINDINGS = key_bindings("list")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._looks: dict[str, Looks] = {}
        self._strips: dict[tuple[Line, str, Line, int], Strip] = {}
        self._frame: tuple[int, range, int, Selection | None] = 0, range(0), 0, None
        self._grip: int | None = None

    def line_at(self, y: int) -> tuple[Line, str]:
        """The line with number `y` and its state, "" for none."""
        raise NotImplementedError

    def notify_style_update(self) -> None:
        """Looks are worked out anew after a change of theme or focus."""
        super().notify_style_update()
        self._looks.clear()
        self._strips.clear()

    def watch_mouse_hover(self, value: bool) -> None:
        """Only under the mouse do lines know their places, which marking text needs and which is dear."""
        if self.ALLOW_SELECT:
            self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the window; what they share is looked up once."""
        if not self.is_attached:  # it is on its way out, and so is what its lines look like
            return [Strip.blank(crop.width)] * crop.height
        self._frame = self.columns, self.handle(), self.scroll_offset.y, self.text_selection
        return super().render_lines(crop)

    def looks(self, state: str) -> Looks:
        """Style of each role on a line of the given state."""
        if state not in self._looks:
            base = self.rich_style
            if state:
                own = own_style(self.screen, state)
                base += own.without_color + Style(bgcolor=own.bgcolor)
            self._looks[state] = Looks(self.screen, base)
        return self._looks[state]

    def render_line(self, y: int) -> Strip:
        """One row of the window."""
        columns, handle, top, selection = self._frame
        line, state = self.line_at(y + top)
        end = HANDLE if y in handle else TRACK
        key = line, state, end, columns
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= MAX_STRIPS:
                self._strips.clear()
            strip = self._strips[key] = strip_of(line, self.looks(state), columns, end)
        if selection is not None:
            strip = self._with_selection(strip, selection, y + top)
        return strip.apply_offsets(0, y + top) if self.ALLOW_SELECT and self.mouse_hover else strip

    def _with_selection(self, strip: Strip, selection: Selection, number: int) -> Strip:
        chosen = selection.get_span(number)
        if chosen is None:
            return strip
        start, end = chosen
        end = strip.cell_length if end == -1 else end
        look = self.screen.get_component_rich_style("screen--selection")
        before, inside, after = strip.crop(0, start), strip.crop(start, end), strip.crop(end)
        return Strip.join([before, inside.apply_style(look), after])

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that was marked with the mouse."""
        lines = (plain(self.line_at(number)[0]) for number in range(self.virtual_size.height))
        return selection.extract("\n".join(lines)), "\n"

    def set_lines(self, number: int) -> None:
        """How many lines there are. The layout doesn't depend on that."""
        size = Size(self.size.width, max(number, self.window))
        if size == self.virtual_size:
            return
        before = self.handle()
        self.set_reactive(LineView.virtual_size, size)
        self.scroll_y = self.validate_scroll_y(self.scroll_y)
        for row in set(before).symmetric_difference(self.handle()):
            self.refresh(Region(self.columns, row, 1, 1))

    def see(self, top: int, height: int = 1) -> None:
        """Scroll as little as it takes to show these lines; of too many, the first."""
        window = self.window
        first = round(self.scroll_y)
        if top < first or height >= window:
            self.scroll_to(y=top, animate=False, immediate=True)
        elif top + height > first + window:
            self.scroll_to(y=top + height - window, animate=False, immediate=True)

    @property
    def window(self) -> int:
        """Rows on show."""
        return max(1, self.size.height)

    @property
    def columns(self) -> int:
        """Cells of a line; the last one of the window is the scroll bar's."""
        return max(0, self.size.width - 1)

    # The scroll bar. One of the framework's own costs as much as all lines beside it: it is drawn anew as a
    # whole with every step, and a layout of the screen where it comes or goes.

    @property
    def allow_vertical_scroll(self) -> bool:
        """Whether there is more than the window shows."""
        return self.max_scroll_y > 0

    def handle(self) -> range:
        """Rows of the window that the handle of the scroll bar takes, none where everything is on show."""
        lines, window = self.virtual_size.height, self.window
        if lines <= window:
            return range(0)
        height = max(1, round(window * window / lines))
        start = round((window - height) * self.scroll_y / (lines - window))
        return range(start, start + height)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The handle of the scroll bar is taken, or the window brought to where its track is pressed."""
        if event.x >= self.columns and self.allow_vertical_scroll:
            event.stop()
            rows = self.handle()
            self._grip = event.y - rows.start if event.y in rows else len(rows) // 2
            self.capture_mouse()
            self.on_mouse_move(event)

    def on_mouse_move(self, event: events.MouseMove | events.MouseDown) -> None:
        """The handle follows the mouse."""
        if self._grip is not None:
            event.stop()
            room = max(1, self.window - len(self.handle()))
            self.scroll_to(y=round((event.y - self._grip) / room * self.max_scroll_y), animate=False)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The handle is let go."""
        if self._grip is not None:
            event.stop()
            self._grip = None
            self.capture_mouse(False)
