"""The panes Context and Decisions: one block per entry, grouped by the directory that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sctx_tui.tui.draw.lines import (
    BLANK,
    GAP,
    Block,
    Line,
    Target,
    cut,
    cut_start,
    flow,
    line,
    span,
    spread,
    text_block,
    width_of,
    wrap,
)
from sctx_tui.tui.draw.markdown import markdown
from sctx_tui.tui.view import Card, DecisionCard, GuidanceView, IndexNotes, Pattern

MAX_TEXT = 6_000
"""Characters of one text that a card shows."""
LABEL = 10


def context_blocks(view: GuidanceView, width: int, *, exclusions: bool) -> Iterator[Block]:
    """The pane Context."""
    if view.is_first_run:
        yield from _first_run(width)
        return
    yield from _faults(view, width)
    shown = [card for card in view.cards if card.applies or exclusions]
    if not shown:
        yield from _nothing(view, width, "No context applies", len(view.cards))
        return
    yield from _grouped(shown, width, _context_lines)


def decision_blocks(view: GuidanceView, width: int, *, exclusions: bool) -> Iterator[Block]:
    """The pane Decisions: those of guidance files, then dangers and decisions of the index."""
    yield from _faults(view, width)
    shown = [card for card in view.decisions if card.applies or exclusions]
    if shown:
        yield from _grouped(shown, width, _decision_lines)
    elif not view.noted:
        yield from _nothing(view, width, "No decision applies", len(view.decisions))
    if view.notes_of_index is not None:
        yield from _index_notes(view.notes_of_index, width)


def _index_notes(notes: IndexNotes, width: int) -> Iterator[Block]:
    if notes.dangers:
        yield text_block(heading("Dangers", width, "index, local"))
        yield GAP
        for danger in notes.dangers:
            lines = list(_marked(markdown(shortened(danger.description), width - 2), "! ", "bad"))
            lines += _labelled("because", danger.reason or "", width, "")
            lines.append(_scope(danger.scope, danger.source, danger.created_at, width))
            yield text_block(*lines, BLANK)
    if notes.decisions:
        yield text_block(heading("Decisions", width, "index, local"))
        yield GAP
        for decision in notes.decisions:
            lines = list(_marked(wrap(line((shortened(decision.decision), "strong")), width - 2)))
            lines += _labelled("because", decision.reason or "", width, "")
            for option in decision.alternatives:
                lines += _labelled("rejected", option, width, "")
            lines.append(_scope(decision.scope, decision.source, decision.created_at, width))
            yield text_block(*lines, BLANK)


def _scope(scope: str, source: str, created_at: str, width: int) -> Line:
    return cut(
        line("  ", ("scope ", "faint"), (scope, "muted"), ("   by ", "faint"), (source, "muted"),
             ("   on ", "faint"), (created_at[:10], "muted")),
        width,
    )  # fmt: skip


def _first_run(width: int) -> Iterator[Block]:
    paragraphs = (
        "# No guidance here yet",
        "",
        "An `AGENTS.yaml` says what an agent should know before it touches a file: conventions, "
        "traps, decisions with what was rejected. Each entry is scoped by globs and by action, so an agent "
        "receives what applies to the file at hand and nothing else.",
        "",
        "It may stand in any directory; those above a file apply to it too, the nearest last.",
        "",
    )
    yield text_block(*_marked(markdown("\n".join(paragraphs), width - 2)), BLANK)
    yield Block(
        (line("  ", ("Enter", "key"), ("  write a starter AGENTS.yaml here", "text")),), action="init"
    )
    yield text_block(
        BLANK,
        line("  ", ("Then connect your agent, in a shell:", "muted")),
        line("  ", ("sctx claude enable", "code"), (" or ", "muted"), ("sctx pi enable", "code")),
    )


def _grouped(cards: Iterable[Card | DecisionCard], width: int, draw) -> Iterator[Block]:  # type: ignore[no-untyped-def]
    directory: str | None = None
    for card in cards:
        if card.file.rpartition("/")[0] != directory:
            directory = card.file.rpartition("/")[0]
            yield text_block(heading(directory or "project root", width, f"level {card.level}"))
            yield GAP
        yield Block(tuple(draw(card, width)), Target(card.file, card.line))
        yield GAP


def heading(title: str, width: int, note: str = "") -> Line:
    """A title on a rule, with a note at its right end."""
    right = line(" ", (note, "faint")) if note else ()
    left = line("  ", (cut_start(title, max(8, width - width_of(right) - 4)), "title"), " ")
    rule = width - width_of(left) - width_of(right)
    return (*left, span("─" * max(0, rule), "rule"), *right)


def _context_lines(card: Card, width: int) -> Iterator[Line]:
    dim = "" if card.applies else "faint"
    yield from _marked(markdown(shortened(card.text), width - 2, dim), *_mark(card))
    yield from _reason(card, width)
    facts = [
        _globs("match", card.match),
        _globs("exclude", card.exclude),
        line(("on ", "faint"), (" ".join(card.on), "muted")),
        line(("when ", "faint"), (card.when, "muted")),
    ]
    yield from _source(card.file, card.line, facts, width)


def _decision_lines(card: DecisionCard, width: int) -> Iterator[Line]:
    dim = "" if card.applies else "faint"
    when = line((card.date, "muted"), ("  " + card.age if card.age else "", "faint"))
    head = list(wrap(line((shortened(card.decision), dim or "strong")), width - 2 - width_of(when) - 2))
    first = spread(head[0] if head else (), when, width - 2)
    yield from _marked(iter([first, *head[1:]]), *_mark(card))
    yield from _reason(card, width)
    yield from _labelled("because", card.rationale, width, dim)
    for option, reason in card.alternatives:
        yield from _labelled("rejected", f"**{option}**: {reason}" if reason else f"**{option}**", width, dim)
    yield from _labelled("revisit", card.revisit_when, width, dim)
    yield from _source(
        card.file, card.line, [_globs("match", card.match), _globs("exclude", card.exclude)], width
    )


def _marked(lines: Iterator[Line], mark: str = "  ", role: str = "") -> Iterator[Line]:
    """Lines behind a column of two cells; the first line has the mark in it."""
    for number, each in enumerate(lines):
        yield (span(mark if number == 0 else "  ", role), *each)


def _mark(card: Card | DecisionCard) -> tuple[str, str]:
    return ("  ", "") if card.applies else ("× ", "bad")


def _reason(card: Card | DecisionCard, width: int) -> Iterator[Line]:
    if card.reason:
        for each in wrap(line((card.reason, "reason")), width - 2):
            yield line("  ", *each)


def _labelled(label: str, text: str, width: int, role: str) -> Iterator[Line]:
    if not text:
        return
    for number, each in enumerate(markdown(shortened(text), width - LABEL - 2, role)):
        yield (span(f"  {label if number == 0 else '':<{LABEL}}", "faint"), *each)


def _globs(label: str, patterns: tuple[Pattern, ...]) -> Line:
    if not patterns:
        return ()
    parts = [span(label, "faint")]
    for pattern in patterns:
        parts += [(" ", ""), span(pattern.text, "lit" if pattern.decided else "muted")]
    return tuple(parts)


def _source(file: str, number: int, facts: list[Line], width: int) -> Iterator[Line]:
    """Where an entry stands and what it is scoped to: on one line if that fits."""
    place, facts = line((f"{file}:{number}", "link")), [fact for fact in facts if fact]
    whole = list(flow([place, *facts], width - 2))
    for each in whole if len(whole) == 1 else (place, *flow(facts, width - 2)):
        yield (("  ", ""), *each)


def _faults(view: GuidanceView, width: int) -> Iterator[Block]:
    for note in view.notes:
        yield text_block(*wrap(line(("  ! ", "warn"), (note, "muted")), width, hang=4))
    for problem in view.problems:
        role, mark = ("bad", "E") if problem.severity == "error" else ("warn", "W")
        parts = line(
            (f"{mark} ", role), (f"{problem.file}:{problem.line} ", "link"), (problem.message, "text")
        )
        yield Block(
            tuple((("  ", ""), *each) for each in wrap(parts, width - 2, hang=2)),
            Target(problem.file, problem.line),
        )
    if view.notes or view.problems:
        yield GAP


def _nothing(view: GuidanceView, width: int, words: str, others: int) -> Iterator[Block]:
    question = view.question
    asked = f" to {question.label}"
    if question.action != "all" or question.timing != "all":
        asked += f" when asked for action {question.action}, timing {question.timing}"
    yield text_block(*wrap(line("  ", (words + asked + ".", "muted")), width, hang=2))
    if others:
        entries = "1 entry does" if others == 1 else f"{others} entries do"
        yield text_block(
            (),
            line(
                "  ", (f"{entries} not: ", "muted"), ("x", "key"), (" shows them, with the reason.", "muted")
            ),
        )
    elif not view.files:
        yield text_block((), line("  ", ("No guidance file governs it.", "muted")))


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """A text of sane length; what is left out is counted."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n… {len(text) - limit:,} more characters"
