"""What the user is looking at: the question, the pane, and the way that led there. Plain data, changed by
replacing."""

from __future__ import annotations

from typing import Any, NamedTuple

from sctx_tui.tui.keys import PANE_NAMES

MAX_HISTORY = 100

ACTIONS = ("all", "read", "edit", "create")
TIMINGS = ("all", "before", "after")
"""In the order in which their keys cycle through them."""


class Question(NamedTuple):
    """What the panes answer: a path of the project, an action and a timing."""

    path: str = ""
    is_folder: bool = True
    action: str = "all"
    timing: str = "all"
    symbol: str = ""
    """Id of the symbol that the neighbours are shown of, "" for the whole file."""

    @property
    def focus(self) -> str:
        """What the neighbours are shown of: the symbol, else the path."""
        return self.symbol or self.path

    @property
    def label(self) -> str:
        """The path for people; a folder ends with a slash."""
        if not self.path:
            return "./"
        return self.path + "/" if self.is_folder else self.path


class Desk(NamedTuple):
    """Everything that decides what the panes show."""

    question: Question = Question()
    pane: str = PANE_NAMES[0]
    exclusions: bool = False
    pinned: Question | None = None
    """The question at the left of Compare."""
    query: str = ""
    """What Search looks for."""
    trail: tuple[str, ...] = ()
    """Paths and symbols that Enter led away from, oldest first."""
    whole: str = ""
    """The path or symbol of which all neighbours are wanted, not only the nearest."""

    def asking(self, **changes: Any) -> Desk:
        """The desk with another question."""
        return self._replace(question=self.question._replace(**changes))

    def with_action(self, step: int) -> Desk:
        """The desk with the next action."""
        return self.asking(action=_cycled(ACTIONS, self.question.action, step))

    def with_timing(self, step: int) -> Desk:
        """The desk with the next timing."""
        return self.asking(timing=_cycled(TIMINGS, self.question.timing, step))


def _cycled(values: tuple[str, ...], value: str, step: int) -> str:
    return values[(values.index(value) + step) % len(values)]


class History:
    """Places that were left by a jump, and the way forward again."""

    def __init__(self) -> None:
        self._past: list[Desk] = []
        self._future: list[Desk] = []

    def leave(self, desk: Desk) -> None:
        """A jump begins here."""
        if not self._past or self._past[-1] != desk:
            self._past.append(desk)
            del self._past[:-MAX_HISTORY]
        self._future.clear()

    def back(self, now: Desk) -> Desk | None:
        """The place before, None at the beginning."""
        if not self._past:
            return None
        self._future.append(now)
        return self._past.pop()

    def forward(self, now: Desk) -> Desk | None:
        """The place that was gone back from, None at the end."""
        if not self._future:
            return None
        self._past.append(now)
        return self._future.pop()

    def trail(self) -> list[Question]:
        """The questions that led here, oldest first."""
        return [desk.question for desk in self._past]
