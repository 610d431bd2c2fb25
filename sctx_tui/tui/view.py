"""From a question and the engines' answers to plain data that the panes draw. No widgets, no colours, no
Textual."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.tui.desk import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sctx_tui.graph.neighbours import Neighbourhood
    from sctx_tui.graph.store_notes import Danger as IndexDanger
    from sctx_tui.graph.store_notes import Decision as IndexDecision
    from sctx_tui.guidance.model import ContextEntry, Decision, Judged, Problem, Resolution


class Pattern(NamedTuple):
    """A glob of an entry; `decided` when it made the verdict."""

    text: str
    decided: bool


class Card(NamedTuple):
    """One context entry with its verdict."""

    text: str
    file: str
    line: int
    level: int
    match: tuple[Pattern, ...]
    exclude: tuple[Pattern, ...]
    on: tuple[str, ...]
    when: str
    applies: bool
    reason: str
    """Why it doesn't apply, in words; "" if it does."""


class DecisionCard(NamedTuple):
    """One decision with its verdict. Missing text is ""."""

    decision: str
    rationale: str
    alternatives: tuple[tuple[str, str], ...]
    revisit_when: str
    date: str
    age: str
    file: str
    line: int
    level: int
    match: tuple[Pattern, ...]
    exclude: tuple[Pattern, ...]
    applies: bool
    reason: str


class IndexNotes(NamedTuple):
    """What people and agents wrote into the index that holds for a path."""

    decisions: tuple[IndexDecision, ...]
    dangers: tuple[IndexDanger, ...]


class GuidanceView(NamedTuple):
    """What applies to a path, and what doesn't, in merge order."""

    question: Question
    cards: tuple[Card, ...]
    decisions: tuple[DecisionCard, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    files: tuple[str, ...]
    """The guidance files that govern the path."""
    is_first_run: bool = False
    """Whether the project has no guidance at all."""
    notes_of_index: IndexNotes | None = None

    @property
    def applying(self) -> int:
        """How many context entries apply."""
        return sum(card.applies for card in self.cards)

    @property
    def excluded(self) -> int:
        """How many entries of both kinds don't apply."""
        return len(self.cards) + len(self.decisions) - self.applying - self.deciding

    @property
    def deciding(self) -> int:
        """How many decisions of guidance files apply."""
        return sum(card.applies for card in self.decisions)

    @property
    def noted(self) -> int:
        """How many decisions and dangers of the index hold for the path."""
        return (
            len(self.notes_of_index.decisions) + len(self.notes_of_index.dangers)
            if self.notes_of_index
            else 0
        )


def guidance_view(question: Question, resolution: Resolution, today: str) -> GuidanceView:
    """The answer of the guidance engine; `today` is YYYY-MM-DD."""
    from sctx_tui.guidance.resolve import NO_FILES

    return GuidanceView(
        question,
        tuple(_card(judged) for judged in resolution.judged if judged.kind == "context"),
        tuple(_decision_card(judged, today) for judged in resolution.judged if judged.kind == "decision"),
        tuple(resolution.problems),
        tuple(note for note in resolution.notes if resolution.files or note != NO_FILES),
        tuple(file.path for file in resolution.files),
    )


def _card(judged: Judged) -> Card:
    entry: ContextEntry = judged.entry  # type: ignore[assignment]
    return Card(
        entry.content,
        judged.file,
        entry.line,
        judged.level,
        _patterns(entry.match, judged, "match"),
        _patterns(entry.exclude, judged, "exclude"),
        entry.on,
        entry.when,
        judged.applies,
        "" if judged.applies else judged.reason,
    )


def _decision_card(judged: Judged, today: str) -> DecisionCard:
    entry: Decision = judged.entry  # type: ignore[assignment]
    return DecisionCard(
        entry.decision,
        entry.rationale,
        tuple((each.option, each.reason_rejected) for each in entry.alternatives),
        entry.revisit_when,
        entry.date,
        age_of(entry.date, today),
        judged.file,
        entry.line,
        judged.level,
        _patterns(entry.match, judged, "match"),
        _patterns(entry.exclude, judged, "exclude"),
        judged.applies,
        "" if judged.applies else judged.reason,
    )


def _patterns(globs: Sequence[str], judged: Judged, kind: str) -> tuple[Pattern, ...]:
    decides = "exclude" if judged.verdict == "excluded" else "match"
    return tuple(Pattern(glob, kind == decides and glob == judged.pattern) for glob in globs)


def age_of(date: str, today: str) -> str:
    """How long ago a date was, in words; "" without a date."""
    if not date:
        return ""
    from datetime import date as calendar

    from sctx_tui.guidance.render import age

    return age(date, calendar.fromisoformat(today))


class NeighboursView(NamedTuple):
    """What is one step away in the code; `trail` are the ids and paths that led here, oldest first."""

    question: Question
    neighbourhood: Neighbourhood | None
    """None while it is not known, or for what isn't code."""
    trail: tuple[str, ...] = ()
    note: str = ""


class Source(NamedTuple):
    """Lines of a file around `line`, the first of them with the number `first`."""

    path: str
    line: int
    first: int = 1
    lines: tuple[str, ...] = ()
    problem: str = ""
    """Why nothing can be shown, "" if it can."""


class Difference(NamedTuple):
    """One entry of two questions; `left` and `right` say whether it applies there."""

    text: str
    kind: str
    file: str
    line: int
    left: bool
    right: bool
    reason: str
    """Why it doesn't apply on the side where it doesn't, "" if it applies on both."""


class CompareView(NamedTuple):
    """Two questions side by side."""

    left: Question
    right: Question
    differences: tuple[Difference, ...]


def compare_view(left: GuidanceView, right: GuidanceView) -> CompareView:
    """Every entry that applies to one of two questions, in merge order."""
    found: dict[tuple[str, int, str], Difference] = {}
    for view, is_left in ((left, True), (right, False)):
        cards: list[Card | DecisionCard] = [*view.cards, *view.decisions]
        for card in cards:
            kind, text = ("context", card.text) if isinstance(card, Card) else ("decision", card.decision)
            key = (card.file, card.line, kind)
            known = found.get(key, Difference(text, kind, card.file, card.line, False, False, ""))
            reason = card.reason or known.reason
            left_applies, right_applies = (card.applies, False) if is_left else (known.left, card.applies)
            found[key] = known._replace(left=left_applies, right=right_applies, reason=reason)
    applying = [each for each in found.values() if each.left or each.right]
    applying.sort(key=lambda each: (each.file.split("/")[:-1], each.file, each.line))
    only = [
        each._replace(reason="" if each.left and each.right else each.reason or "another guidance file")
        for each in applying
    ]
    return CompareView(left.question, right.question, tuple(only))


MATRIX = tuple((action, timing) for action in ("read", "edit", "create") for timing in ("before", "after"))


class MatrixRow(NamedTuple):
    """One entry and whether it applies under each action and timing of MATRIX."""

    text: str
    file: str
    line: int
    cells: tuple[bool, ...]


class MatrixView(NamedTuple):
    """What applies to one path under every action and timing."""

    question: Question
    rows: tuple[MatrixRow, ...]


def matrix_view(question: Question, views: Sequence[GuidanceView]) -> MatrixView:
    """`views` answer the question for each action and timing of MATRIX."""
    columns = [{(card.file, card.line) for card in view.cards if card.applies} for view in views]
    rows = [
        MatrixRow(card.text, card.file, card.line, cells)
        for card in views[0].cards
        if any(cells := tuple((card.file, card.line) in column for column in columns))
    ]
    return MatrixView(question, tuple(rows))


class Receipt(NamedTuple):
    """An event on which an agent receives a text: the host's own names, and ours for the moment."""

    agent: str
    event: str
    tool: str
    timing: str
    action: str


class Delivery(NamedTuple):
    """A text and where it is received."""

    receipts: tuple[Receipt, ...]
    text: str
    tokens: int


class Zone(NamedTuple):
    """A part of the payload, in tokens."""

    name: str
    tokens: int
    budget: int


class Payload(NamedTuple):
    """The document about a path for agents that ask for one, in tokens."""

    zones: tuple[Zone, ...]
    tokens: int
    budget: int
    text: str


class DeliveredView(NamedTuple):
    """What agents receive for a question."""

    question: Question
    deliveries: tuple[Delivery, ...]
    silent: tuple[Receipt, ...]
    """Events on which an agent receives nothing."""
    payload: Payload | None


class Found(NamedTuple):
    """One hit of a search."""

    kind: str
    """function, class, file, ... or "guidance"."""
    name: str
    text: str
    file: str
    line: int
    symbol: str = ""


class SearchView(NamedTuple):
    """What a search found."""

    query: str
    symbols: tuple[Found, ...]
    guidance: tuple[Found, ...]
    note: str = ""
