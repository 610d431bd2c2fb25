"""Lines of text whose parts have roles, and the blocks that a pane is made of.

A role is a name such as "muted" that the style sheet gives a look. A block is what the cursor of a pane stops
at: its lines and the place that they speak of. All text that enters a line is cleaned here, before its width
is measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from sctx_tui.sanitize import clean

Span = tuple[str, str]
Line = tuple[Span, ...]

_WORD = re.compile(r"\S+\s*|\s+")
ELLIPSIS = "…"


class Target(NamedTuple):
    """A place in the project: what Enter opens and `e` edits."""

    path: str
    line: int = 0
    """1-based; 0 where no line is meant."""
    symbol: str = ""
    """Id of the symbol at that place, "" for the file as such."""


class Block(NamedTuple):
    """Lines that belong together."""

    lines: tuple[Line, ...]
    target: Target | None = None
    """None: the cursor passes over this block."""
    action: str = ""
    """Name of the action that Enter runs instead of going to the target."""


def span(text: str, role: str = "") -> Span:
    """One part of a line; control characters are made visible."""
    return (clean(text), role)


def line(*parts: str | Span) -> Line:
    """A line of parts; a bare string has no role. Empty parts are dropped."""
    spans = (span(part) if isinstance(part, str) else span(*part) for part in parts)
    return tuple(part for part in spans if part[0])


def text_block(*lines: Line) -> Block:
    """A block that the cursor passes over."""
    return Block(lines)


BLANK: Line = ()
GAP = Block((BLANK,))


def width_of(parts: Iterable[Span]) -> int:
    """Cells that a line takes."""
    return sum(_cells(text) for text, _ in parts)


def _cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` and, at the right edge, `right`; `left` is cut where both don't fit, `right` goes where nothing
    is left."""
    room = width - width_of(right) - 2 if right else width
    if right and room < min(8, width_of(left)):
        return cut(left, width)
    left = cut(left, room)
    if not right:
        return left
    return (*left, (" " * (width - width_of(left) - width_of(right)), ""), *right)


def cut(parts: Line, width: int) -> Line:
    """The line, shortened to `width` cells with an ellipsis."""
    if width_of(parts) <= width:
        return parts
    if width <= 0:
        return ()
    kept: list[Span] = []
    room = width - 1
    for text, role in parts:
        cells = _cells(text)
        if cells > room:
            kept.append((set_cell_size(text, room).rstrip() + ELLIPSIS, role))
            break
        kept.append((text, role))
        room -= cells
    return tuple(kept)


def cut_start(text: str, width: int) -> str:
    """The end of a text that is too long, after an ellipsis: of a path, the end tells most."""
    if _cells(text) <= width:
        return text
    start = max(0, len(text) - width + 1)
    while start < len(text) and _cells(text[start:]) > width - 1:
        start += 1
    return ELLIPSIS + text[start:]


def wrap(parts: Line, width: int, hang: int = 0) -> Iterator[Line]:
    """The line broken between words into lines of at most `width` cells, those after the first indented by
    `hang`."""
    width = max(width, 8)
    if width_of(parts) <= width:
        yield parts
        return
    hang = min(hang, width // 2)
    indent: Span = (" " * hang, "")
    current: list[Span] = []
    used = 0
    fresh = True
    for text, role in parts:
        for token in _WORD.findall(text):
            word = token.rstrip()
            cells = _cells(word)
            if used + cells > width and not fresh:
                yield _stripped(current)
                current, used, fresh = ([indent] if hang else []), hang, True
            while used + _cells(word) > width:
                head = set_cell_size(word, width - used)
                head = head.rstrip() or word[:1]
                yield (*current, (head, role))
                current, used, fresh = ([indent] if hang else []), hang, True
                word = token = token[len(head) :]
                word = word.rstrip()
            if not token or (fresh and not word and used):
                continue
            current.append((token, role))
            used += _cells(token)
            fresh = False
    if current and not fresh:
        yield _stripped(current)


def flow(units: Iterable[Line], width: int, gap: int = 3) -> Iterator[Line]:
    """Units side by side, each on one line as a whole if that can be; one that is wider is wrapped."""
    current: Line = ()
    for unit in units:
        if current and width_of(current) + gap + width_of(unit) <= width:
            current = (*current, (" " * gap, ""), *unit)
            continue
        if current:
            yield current
        *above, current = wrap(unit, width)
        yield from above
    if current:
        yield current


def _stripped(parts: list[Span]) -> Line:
    """The line without blanks at its end; neighbours of one role are joined."""
    joined: list[Span] = []
    for text, role in parts:
        if joined and joined[-1][1] == role:
            joined[-1] = (joined[-1][0] + text, role)
        else:
            joined.append((text, role))
    if joined:
        joined[-1] = (joined[-1][0].rstrip(), joined[-1][1])
    return tuple(joined)


def plain(parts: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in parts)
