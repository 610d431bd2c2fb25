"""What each pane asks of the project and how its answer is drawn: one row per pane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sctx_tui.tui.desk import Desk
from sctx_tui.tui.draw import cards, graph, reports
from sctx_tui.tui.draw.lines import Block
from sctx_tui.tui.project import Project
from sctx_tui.tui.view import MatrixView


class PaneWork(NamedTuple):
    """How a pane comes to its picture."""

    fetch: Callable[[Project, Desk], Iterator[Any]]
    """Runs in the background; each answer is better than the one before, and complete enough to be drawn."""
    draw: Callable[[Any, Desk, int], Iterator[Block]]
    subject: Callable[[Desk], object]
    """What the pane is about: while this stays the same, cursor and scroll position stay too."""
    badge: Callable[[Any], str] = lambda answer: ""
    """What the tab says beside the name."""
    lane: str = "answers"
    """Which thread works on it: "answers" is for what never takes longer than a blink."""


def _once(ask: Callable[[Project, Desk], Any]) -> Callable[[Project, Desk], Iterator[Any]]:
    """One answer, asked for when its turn comes."""

    def fetch(project: Project, desk: Desk) -> Iterator[Any]:
        yield ask(project, desk)

    return fetch


def _path(desk: Desk) -> object:
    return desk.question.path, desk.question.symbol


def _compare(project: Project, desk: Desk) -> Iterator[Any]:
    if desk.pinned is None or desk.pinned == desk.question._replace(symbol=""):
        yield project.matrix(desk.question._replace(symbol=""))
    else:
        yield project.compare(desk.pinned, desk.question._replace(symbol=""))


def _draw_compare(view: Any, desk: Desk, width: int) -> Iterator[Block]:
    if isinstance(view, MatrixView):
        return reports.matrix_blocks(view, width, is_pinned=desk.pinned is not None)
    return reports.compare_blocks(view, width)


def _count(rows: Any) -> str:
    return str(len(rows) or "")


PANE_WORK: dict[str, PaneWork] = {
    "context": PaneWork(
        _once(lambda project, desk: project.guidance(desk.question)),
        lambda view, desk, width: cards.context_blocks(view, width, exclusions=desk.exclusions),
        _path,
        lambda view: str(view.applying or ""),
    ),
    "decisions": PaneWork(
        _once(lambda project, desk: project.guidance(desk.question)),
        lambda view, desk, width: cards.decision_blocks(view, width, exclusions=desk.exclusions),
        _path,
        lambda view: str(view.deciding + view.noted or ""),
    ),
    "neighbours": PaneWork(
        lambda project, desk: project.neighbours(
            desk.question, desk.trail, everything=desk.whole == desk.question.focus
        ),
        lambda view, desk, width: graph.neighbour_blocks(view, width),
        _path,
        lane="code",
    ),
    "delivered": PaneWork(
        _once(lambda project, desk: project.delivered(desk.question)),
        lambda view, desk, width: reports.delivered_blocks(view, width),
        _path,
    ),
    "compare": PaneWork(
        _compare,
        _draw_compare,
        lambda desk: desk.pinned or desk.question.path,
    ),
    "problems": PaneWork(
        _once(lambda project, desk: project.problems()),
        lambda problems, desk, width: reports.problem_blocks(problems, width),
        lambda desk: "",
        _count,
        lane="surveys",
    ),
    "coverage": PaneWork(
        lambda project, desk: project.coverage(),
        lambda view, desk, width: reports.coverage_blocks(view, width),
        lambda desk: "",
        lane="surveys",
    ),
    "search": PaneWork(
        _once(lambda project, desk: project.search(desk.query)),
        lambda view, desk, width: reports.search_blocks(view, width),
        lambda desk: desk.query,
        lane="code",
    ),
}
