"""What a tool answers: text for a model and data for a program, both capped, with the way to go on."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sctx_tui.payload.detail import one_line
from sctx_tui.payload.tokens import estimate

ANSWER_TOKENS = 2500
"""Estimated tokens of an answer's text; agents cut longer results, at the wrong place."""
DATA_TOKENS = 5000
"""The same of the data that goes with it, as JSON: some agents read that instead."""
MOST_LISTED = 100
"""Items of a list in one answer, if they are short enough."""
LINE = 600
"""Characters of one text inside an answer; what an agent wrote is never longer."""

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
    return one_line(text, limit)


def listing(
    title: str,
    found: Sequence[T],
    show: Callable[[T], tuple[str, dict[str, Any]]],
    *,
    offset: int,
    call: str,
    notes: Iterable[str] = (),
    most: int = MOST_LISTED,
    total: int | None = None,
) -> Answer:
    """As many of `found` from `offset` on as fit, with `n of N` and the call that goes on.

    `total` says how many there are where `found` are only the first `offset + most` or more of them.
    `call` is a call of this tool with its arguments so far, such as `get_callers("a.py::f"`, left open.
    """
    head = [line(note) for note in notes]
    title, call = line(title, 300), beginning(call, 400)
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    left = ANSWER_TOKENS - estimate("\n".join((title, call, *head))) - 40
    left_data = DATA_TOKENS
    for each in found[offset : offset + most]:
        text, row = show(each)
        if not lines:
            text, row = beginning(text, left), _bounded(row)
        left -= estimate(text) + 1
        left_data -= _data_tokens(row)
        if lines and (left < 0 or left_data < 0):
            break
        lines.append(text)
        rows.append(row)
    end = offset + len(lines)
    total = len(found) if total is None else total
    shown = f"{offset + 1}-{end} of {total}" if lines else f"0 of {total}"
    following = [f"More: {call}, offset={end})"] if end < total else []
    text = "\n".join((f"{title}: {shown}", *head, *lines, *following))
    return Answer(text, {"items": rows, "offset": offset, "total": total, "notes": head})


def _data_tokens(row: dict[str, Any]) -> int:
    return estimate(json.dumps(row, ensure_ascii=False)) + 4


def _bounded(row: dict[str, Any]) -> dict[str, Any]:
    """A row that fits into an answer by itself."""
    if _data_tokens(row) <= DATA_TOKENS:
        return row
    return {name: _shortened(value) for name, value in row.items()}


def _shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [beginning(str(each), 100) for each in value[:10]]
    return beginning(value, 1000) if isinstance(value, str) else value


def beginning(text: str, tokens: int) -> str:
    """As much of a text as fits into so many estimated tokens."""
    if estimate(text) <= tokens:
        return text
    fitting = bisect_right(range(len(text)), tokens - 10, key=lambda end: estimate(text[:end])) - 1
    return text[: max(0, fitting)] + " … (cut)"
