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
        self._phase = ""
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
        if event.phase != self._phase:  # a task of its own: the clock of a finished one stands still
            if self._phase:
                self._bar.remove_task(self._task)
            self._phase = event.phase
            self._task = self._bar.add_task(_PHASES[event.phase], total=None, count="")
        # A phase that says only when it is over has a bar that moves to and fro.
        total = event.total if event.done or event.phase == "parse" else 0
        count = f"{event.done:,}/{total:,}" if total else ""
        self._bar.update(self._task, completed=event.done, total=total or None, count=count)


def _bar() -> Bar:
    from rich.console import Console, ConsoleOptions
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    class Narrower(Console):
        """Room for the `^C` that terminals show: were it on a line of its own, the bar would stay."""

        @property
        def options(self) -> ConsoleOptions:
            return super().options.update(width=max(1, self.width - len("^C") - 1))

    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[count]}", style="progress.download", markup=False),
        TimeElapsedColumn(),
        console=Narrower(stderr=True),
        expand=True,
        transient=True,
    )
