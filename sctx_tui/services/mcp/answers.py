"""What a tool answers: text for a model and data for a program, both capped, with the way to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sctx_tui.payload.tokens import estimate
from sctx_tui.sanitize import clean

ANSWER_TOKENS = 2500
"""Estimated tokens of an answer's text; agents cut longer results, at the wrong place."""
LINE = 400
"""Characters of one text inside an answer."""

T = TypeVar("T")


class Refused(Exception):
    """The call can't be carried out; the message says why and what to do."""


@dataclass(slots=True)
class Answer:
    """`text` is what a model reads; `data` the same for programs."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


def line(text: str | None, limit: int = LINE) -> str:
    """One safe line of at most `limit` characters."""
    joined = clean(" ".join((text or "").split()))
    return joined if len(joined) <= limit else joined[: limit - 1] + "…"


def listing(
    title: str,
    found: Sequence[T],
    show: Callable[[T], tuple[str, dict[str, Any]]],
    *,
    offset: int,
    call: str,
    notes: Iterable[str] = (),
    most: int = 100,
) -> Answer:
    """As many of `found` from `offset` on as fit, with `n of N` and the call that goes on.

    `call` is a call of this tool with its arguments so far, such as `get_callers("a.py::f"`, left open.
    """
    head = [line(note) for note in notes]
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    left = ANSWER_TOKENS - estimate("\n".join((title, call, *head))) - 40
    for each in found[offset : offset + most]:
        text, row = show(each)
        left -= estimate(text) + 1
        if left < 0 and lines:
            break
        lines.append(text)
        rows.append(row)
    end = offset + len(lines)
    shown = f"{offset + 1}-{end} of {len(found)}" if lines else f"0 of {len(found)}"
    following = [f"More: {call}, offset={end})"] if end < len(found) else []
    text = "\n".join((f"{title}: {shown}", *head, *lines, *following))
    return Answer(text, {"items": rows, "offset": offset, "total": len(found), "notes": head})
