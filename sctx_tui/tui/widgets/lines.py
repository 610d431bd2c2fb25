"""The base of every list in the app: lines drawn on demand, so a hundred thousand cost no more than a
screenful."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from sctx_tui.sanitize import clean
from sctx_tui.tui import keys
from sctx_tui.tui.draw.lines import Line, plain, width_of

ROLES = (
    "text", "strong", "em", "code", "muted", "faint", "reason", "bullet", "lit", "title", "rule", "count",
    "hit", "good", "warn", "bad", "mark", "key", "link", "bar", "tab-on", "tab-off", "zone1", "zone2",
    "zone3", "zone4",
)  # fmt: skip
"""What a part of a line can be; the style sheet says how each looks."""
STATES = ("cursor", "cursor-blurred")


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


def strip_of(line: Line, looks: Looks, width: int) -> Strip:
    """A line of exactly `width` cells. Nothing in it reaches the terminal as a control code or is read as
    markup."""
    segments = [Segment(clean(text), looks[role or "text"]) for text, role in line]
    missing = width - width_of(line)
    if missing >= 0:
        if missing:
            segments.append(Segment(" " * missing, looks["text"]))
        return Strip(segments, width)
    return Strip(segments).crop_extend(0, width, looks["text"])


class LineView(ScrollView, can_focus=True):
    """Scrolls over lines that subclasses give by number."""

    BINDINGS = key_bindings("list")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._looks: dict[str, Looks] = {}

    def line_at(self, y: int) -> tuple[Line, str]:
        """The line with number `y` and its state, "" for none."""
        raise NotImplementedError

    def notify_style_update(self) -> None:
        """Looks are worked out anew after a change of theme or focus."""
        super().notify_style_update()
        self._looks.clear()

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
        number = y + self.scroll_offset.y
        line, state = self.line_at(number)
        strip = strip_of(line, self.looks(state), self.scrollable_content_region.width)
        if not self.ALLOW_SELECT:
            return strip
        if (selection := self.text_selection) is not None:
            strip = self._with_selection(strip, selection, number)
        return strip.apply_offsets(0, number)

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
        """How many lines there are. Only where the scroll bar comes or goes is that a change of the
        layout."""
        size = Size(self.scrollable_content_region.width, max(number, self.window))
        old = self.virtual_size
        if size == old:
            return
        if size.width != old.width or (size.height > self.window) != (old.height > self.window):
            self.virtual_size = size
            return
        self.set_reactive(LineView.virtual_size, size)
        self.vertical_scrollbar.window_virtual_size = size.height
        self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def see(self, top: int, height: int = 1) -> None:
        """Scroll as little as it takes to show these lines; of too many, the first."""
        window = self.scrollable_content_region.height
        first = round(self.scroll_y)
        if top < first or height >= window:
            self.scroll_to(y=top, animate=False, immediate=True)
        elif top + height > first + window:
            self.scroll_to(y=top + height - window, animate=False, immediate=True)

    @property
    def window(self) -> int:
        """Rows on show."""
        return max(1, self.scrollable_content_region.height)
