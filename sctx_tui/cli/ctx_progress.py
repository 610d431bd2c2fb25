"""What a run says while it goes: a bar in a terminal, one line for each problem, a report."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from sctx_tui.cli.command_line import say
from sctx_tui.graph.indexer import Problem, Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

R = TypeVar("R")

PATIENCE = 1.0  # seconds before a bar appears
PROBLEMS_SHOWN = 20
_PHASES = {"list": "Listing files", "parse": "Parsing", "link": "Linking calls", "describe": "Describing"}


def follow(events: Iterable[Progress | Problem | R], *, more: str = "") -> R:
    """Take every event of a run; its report. `more` says where problems are listed that aren't shown."""
    problems: list[Problem] = []
    report: R | None = None
    with Display() as display:
        for event in events:
            if isinstance(event, Progress):
                display.show(event)
            elif isinstance(event, Problem):
                problems.append(event)
            else:
                report = event
    for problem in problems[:PROBLEMS_SHOWN]:
        say(f"warning: {problem.path}: {problem.message}")
    if len(problems) > PROBLEMS_SHOWN:
        say(f"warning: {len(problems) - PROBLEMS_SHOWN} more like these{more}")
    assert report is not None  # it is the last event of every run
    return report


class Display:
    """A progress bar on standard error, if that is a terminal and the run lasts."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._bar: Bar | None = None
        self._task: Any = None
        self._open = ExitStack()
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def show(self, event: Progress) -> None:
        """Move the bar."""
        if not self._is_terminal or time.monotonic() - self._started < PATIENCE:
            return
        if self._bar is None:
            self._bar = self._open.enter_context(_bar())
            self._task = self._bar.add_task("")
        self._bar.update(
            self._task, description=_PHASES[event.phase], completed=event.done, total=event.total or None
        )


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
