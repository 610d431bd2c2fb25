"""The little of Markdown that guidance is written in: headings, lists, quotes, fences, `code`, **strong**,
*emphasis*.

Rendered line by line with roles; whatever isn't recognised stays as it was written. A widget that parses
Markdown in full costs seconds for a pane of 300 entries, this one microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sctx_tui.tui.draw.lines import BLANK, Line, Span, line, span, wrap

_INLINE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`{1,2})(?!`)(?P<inner>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<strong>\*\*(?=\S)(?P<bold>[^*]+?)(?<=\S)\*\*)"
    r"|(?P<em>(?<![\w*])\*(?=[^\s*])(?P<italic>[^*]+?)(?<=\S)\*(?![\w*]))"
)
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$")
_QUOTE = re.compile(r"\s*>\s?(.*)$")
_FENCE = re.compile(r"\s*(```+|~~~+)")


def markdown(text: str, width: int, role: str = "") -> Iterator[Line]:
    """Lines of at most `width` cells; with `role` all of it looks alike. A fence's lines are cut by the pane,
    not wrapped."""
    fence = ""
    for raw in text.rstrip().split("\n"):
        raw = raw.rstrip()
        opened = _FENCE.match(raw)
        if fence:
            if opened and opened[1].startswith(fence):
                fence = ""
            else:
                yield line(("  " + raw, role or "code"))
        elif opened:
            fence = opened[1]
        elif not raw:
            yield BLANK
        else:
            yield from _prose(raw, width, role)


def _prose(raw: str, width: int, role: str) -> Iterator[Line]:
    if heading := _HEADING.match(raw):
        yield from wrap(line((heading[2], role or "strong")), width)
    elif item := _ITEM.match(raw):
        bullet = " " * min(len(item[1]), 12) + ("•" if item[2] in "-*+" else item[2]) + " "
        yield from wrap((span(bullet, role or "bullet"), *inline(item[3], role)), width, hang=len(bullet))
    elif quote := _QUOTE.match(raw):
        yield from wrap((span("│ ", "faint"), *inline(quote[1], role or "muted")), width, hang=2)
    else:
        indent = len(raw) - len(raw.lstrip())
        yield from wrap(inline(raw, role), width, hang=min(indent, 12))


def inline(text: str, role: str = "") -> Line:
    """`code`, **strong** and *emphasis* of one line as roles, without their marks."""
    if "`" not in text and "*" not in text:
        return line((text, role))
    parts: list[Span] = []
    position = 0
    for found in _INLINE.finditer(text):
        parts.append((text[position : found.start()], role))
        if found["code"]:
            parts.append((found["inner"].strip() or found["inner"], role or "code"))
        elif found["strong"]:
            parts.append((found["bold"], role or "strong"))
        else:
            parts.append((found["italic"], role or "em"))
        position = found.end()
    parts.append((text[position:], role))
    return line(*parts)
