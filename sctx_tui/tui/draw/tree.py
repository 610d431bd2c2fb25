"""One row of the file tree."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sctx_tui.tui.draw.lines import BLANK, Line, Span, cut, line, span, width_of
from sctx_tui.tui.files import Row


class RowFacts(NamedTuple):
    """What is known of a path under the current action and timing."""

    applying: int
    """Context entries that apply."""
    decisions: int = 0
    is_guidance: bool = False
    errors: int = 0
    warnings: int = 0
    is_tainted: bool = False
    is_stale: bool = False


LEGEND = (
    ("●", "mark", "guidance file"),
    ("4", "count", "entries that apply"),
    ("E", "bad", "errors in it"),
    ("W", "warn", "warnings in it"),
    ("T", "warn", "calls something whose signature changed"),
    ("S", "muted", "changed since it was indexed"),
)


@lru_cache(maxsize=2_000)
def tree_line(row: Row, facts: RowFacts | None, width: int) -> Line:
    """Twisty or mark, name, and at the right edge flags and the count; `facts` is None until they are
    known."""
    right = _right(facts)
    sign, role = ("▾" if row.is_open else "▸", "muted") if row.is_folder else (" ", "")
    if not row.path:
        sign, role = "/", "muted"
    if facts and facts.is_guidance:
        sign, role = "●", "mark"
    head = line(("  " * row.depth, "faint"), (sign + " ", role))
    left = (*head, *_name(row, facts))
    room = width - width_of(right) - 1
    left = cut(left, room)
    return (*left, (" " * max(1, width - width_of(left) - width_of(right)), ""), *right)


def _name(row: Row, facts: RowFacts | None) -> Line:
    role = (
        "faint"
        if row.is_ignored
        else "title"
        if row.is_folder
        else "mark"
        if facts and facts.is_guidance
        else "text"
    )
    if not row.lit:
        return line((row.name, role))
    lit = set(row.lit)
    parts: list[Span] = []
    for at, letter in enumerate(row.name):
        look = "hit" if at in lit else role
        if parts and parts[-1][1] == look:
            parts[-1] = (parts[-1][0] + letter, look)
        else:
            parts.append((letter, look))
    return line(*parts)


def _right(facts: RowFacts | None) -> Line:
    if facts is None:
        return BLANK
    flags = [
        span(sign, role)
        for sign, role, holds in (
            ("E", "bad", facts.errors),
            ("W", "warn", facts.warnings and not facts.errors),
            ("T", "warn", facts.is_tainted),
            ("S", "muted", facts.is_stale),
        )
        if holds
    ]
    count = span(f"{facts.applying:>3}" if facts.applying else "  ·", "count" if facts.applying else "faint")
    return (*flags, count)
