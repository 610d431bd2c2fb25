"""The bar of a long run: in terminals only, one line, with room for what a terminal writes at its end."""

from __future__ import annotations

import io
import re

import pytest

from sctx_tui.cli import ctx_progress
from sctx_tui.cli.ctx_progress import Display
from sctx_tui.graph.indexer import Progress

EVENTS = [
    Progress("list", 0, 0),
    Progress("parse", 3_400, 6_918),
    Progress("parse", 6_918, 6_918),
    Progress("link", 0, 2_932),
]


class Stream(io.StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: is_terminal  # type: ignore[method-assign]


def shown(monkeypatch: pytest.MonkeyPatch, columns: int, *, is_terminal: bool = True) -> list[str]:
    """Each line that is drawn, after each event."""
    monkeypatch.setattr(ctx_progress, "PATIENCE", -1.0)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    stream = Stream(is_terminal)
    monkeypatch.setattr("sys.stderr", stream)
    lines = []
    with Display() as display:
        for event in EVENTS:
            display.show(event)
            if display._bar is not None:
                stream.seek(0)
                stream.truncate()
                display._bar.refresh()
                lines.append(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).strip("\r\n"))
    return lines


@pytest.mark.parametrize("columns", [80, 40])
def test_one_line_with_phase_count_and_time(monkeypatch, columns) -> None:
    listing, parsing, parsed, linking = shown(monkeypatch, columns)
    assert listing.startswith("Listing files ━") and listing.rstrip().endswith("0:00:00")
    assert parsing.startswith("Parsing ━") and "3,400/6,918 0:00:00" in parsing
    assert "6,918/6,918" in parsed
    # What only says when it is over shows no number that stands still.
    assert linking.startswith("Linking calls ━") and "/" not in linking
    for line in (listing, parsing, parsed, linking):
        assert "\n" not in line and "…" not in line
        assert len(line) <= columns - len("^C") - 1


def test_a_very_narrow_terminal(monkeypatch) -> None:
    for line in shown(monkeypatch, 16):
        assert "\n" not in line and len(line) <= 13


def test_nothing_where_there_is_no_terminal(monkeypatch) -> None:
    assert shown(monkeypatch, 80, is_terminal=False) == []
