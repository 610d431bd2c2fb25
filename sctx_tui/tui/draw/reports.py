"""The panes Delivered, Compare, Problems, Coverage and Search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from sctx_tui.tui.desk import Question
from sctx_tui.tui.draw.cards import heading, shortened
from sctx_tui.tui.draw.lines import (
    GAP,
    Block,
    Line,
    Span,
    Target,
    counted,
    cut,
    cut_start,
    line,
    span,
    spread,
    text_block,
    width_of,
    wrap,
)
from sctx_tui.tui.view import (
    MATRIX,
    CompareView,
    DeliveredView,
    Found,
    MatrixView,
    Payload,
    SearchView,
)

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Problem
    from sctx_tui.tui.survey import Coverage, EntryUse


def first_line(text: str) -> str:
    """The beginning of a text, without the marks of Markdown around it."""
    return text.strip().partition("\n")[0].strip("#> ").replace("**", "").replace("`", "")


# Delivered


def delivered_blocks(view: DeliveredView, width: int) -> Iterator[Block]:
    """Each text with those who receive it, who receives nothing, and the payload."""
    for delivery in view.deliveries:
        names = " and ".join(dict.fromkeys(name for name, _ in delivery.recipients))
        yield text_block(heading(names, width, f"{delivery.tokens:,} tokens"))
        yield text_block(*_events(delivery.recipients, width))
        yield from _verbatim(delivery.text, width)
    if view.silent:
        yield text_block(heading("Nothing is said", width))
        yield text_block(*_events(view.silent, width), ())
    if view.payload is not None:
        yield from _payload(view.payload, width)


def _events(recipients: tuple[tuple[str, str], ...], width: int) -> Iterator[Line]:
    parts: list[Span] = []
    for name, group in groupby(recipients, key=lambda each: each[0]):
        parts += [span(f"{name}: ", "faint"), span(", ".join(event for _, event in group) + "   ", "muted")]
    for each in wrap(tuple(parts), width - 2):
        yield line("  ", *each)


def _verbatim(text: str, width: int) -> Iterator[Block]:
    """A text as it is received, behind a line."""
    yield GAP
    for raw in shortened(text, MAX_VERBATIM).rstrip("\n").split("\n"):
        indent = len(raw) - len(raw.lstrip())
        lines = tuple(line(("  │ ", "rule"), *each) for each in wrap(line(raw), width - 4, indent + 2))
        yield text_block(*(lines or (line(("  │", "rule")),)))
    yield GAP


def _payload(payload: Payload, width: int) -> Iterator[Block]:
    yield text_block(
        heading("Payload, for agents that ask", width, f"{payload.tokens:,} of {payload.budget:,} tokens"), ()
    )
    yield text_block(
        bar([zone.tokens for zone in payload.zones], max(payload.budget, payload.tokens), width - 2), ()
    )
    for number, zone in enumerate(payload.zones, 1):
        size = f"{zone.tokens:>6,} of {zone.budget:,}"
        mark = (f"{SHADES[number % 4]}{SHADES[number % 4]} ", f"zone{number}")
        yield text_block(
            line("  ", mark, (f"{zone.name:<24}", "text"), (size, "count" if zone.tokens else "faint"))
        )
    yield from _verbatim(payload.text, width)


SHADES = ("░", "█", "▓", "▒")
"""Zones differ by shade as well as by colour."""
MAX_VERBATIM = 40_000
"""Characters of a delivered text that are shown; hooks never say more than a quarter of that."""


def bar(parts: list[int], whole: int, width: int) -> Line:
    """Parts of a whole as a bar; every part that is not nothing gets at least one cell."""
    spans: list[Span] = [("  ", "")]
    used = 0
    for number, part in enumerate(parts, 1):
        cells = max(1, round(part * width / whole)) if part and whole else 0
        cells = min(cells, width - used)
        spans.append((SHADES[number % 4] * cells, f"zone{number}"))
        used += cells
    return (*spans, ("·" * (width - used), "rule"))


# Compare


def compare_blocks(view: CompareView, width: int) -> Iterator[Block]:
    """What applies to one question and not to the other, then what applies to both."""
    yield text_block(
        cut(line("  ", ("A ", "key"), *_question(view.left)), width),
        cut(line("  ", ("B ", "key"), *_question(view.right)), width),
        (),
    )
    half = (width - 3) // 2
    for title, side in (("Only A", (True, False)), ("Only B", (False, True)), ("Both", (True, True))):
        rows = [each for each in view.differences if (each.left, each.right) == side]
        if not rows:
            continue
        yield text_block(heading(title, width, str(len(rows))))
        for row in rows:
            role = "muted" if title == "Both" else "text"
            body = list(
                wrap(line((first_line(row.text), role)), (width - 2 if title == "Both" else half) - 2)
            )[:3]
            place = line(
                (f"{row.file}:{row.line}", "link"), (f"  {row.reason}" if row.reason else "", "faint")
            )
            pad: Span = (" " * (half + 3), "") if title == "Only B" else ("", "")
            mark = {"Only A": "- ", "Only B": "+ ", "Both": "= "}[title]
            lines = [line(pad, (mark if n == 0 else "  ", "key"), *each) for n, each in enumerate(body)]
            lines.append(cut(line(pad, "  ", *place), width))
            yield Block((*lines, ()), Target(row.file, row.line))
    if not view.differences:
        yield text_block(line("  ", ("Nothing applies to either.", "muted")))
    elif all(row.left and row.right for row in view.differences):
        yield text_block(line("  ", ("No difference.", "good")))


def _question(question: Question) -> list[Span]:
    return [
        span(question.label, "title"),
        span(f"  {question.action}", "text"),
        span(" · ", "faint"),
        span(question.timing, "text"),
    ]


def matrix_blocks(view: MatrixView, width: int, *, is_pinned: bool) -> Iterator[Block]:
    """One row for each entry, one column for each action and timing."""
    if is_pinned:
        hint = line(
            "  ", ("Pinned. ", "key"), ("Now a, t or another path: the pane shows what differs.", "muted")
        )
    else:
        hint = line(
            "  ", ("Every action and timing. ", "muted"), ("d", "key"), (" pins this question.", "muted")
        )
    cells = 6
    room = max(16, width - len(MATRIX) * cells - 2)
    actions = "".join(f"{action:<{2 * cells}}" for action in dict.fromkeys(action for action, _ in MATRIX))
    timings = "".join(f"{'bef' if timing == 'before' else 'aft':<{cells}}" for _, timing in MATRIX)
    yield text_block(
        cut(hint, width),
        (),
        cut(line(" " * (room + 2), (actions, "title")), width),
        cut(line(" " * (room + 2), (timings, "faint")), width),
    )
    for row in view.rows:
        marks = [span(f"{'●' if cell else '·':<{cells}}", "good" if cell else "faint") for cell in row.cells]
        text = cut(line("  ", (first_line(row.text), "text")), room)
        place = cut(line("  ", (f"{row.file}:{row.line}", "link")), width)
        yield Block(
            ((*text, (" " * (room + 2 - width_of(text)), ""), *marks), place), Target(row.file, row.line)
        )
    if not view.rows:
        yield text_block(line("  ", ("No context applies to it, whatever is done.", "muted")))


# Problems


def problem_blocks(problems: tuple[Problem, ...] | None, width: int) -> Iterator[Block]:
    """Everything that validate reports, by file."""
    if problems is None:
        return
    if not problems:
        yield text_block(line("  ", ("No problems.", "good"), (" Every guidance file is sound.", "muted")))
        return
    for file, group in groupby(problems, key=lambda each: each.file):
        rows = list(group)
        yield text_block(heading(file, width, str(len(rows))))
        for problem in rows:
            is_error = problem.severity == "error"
            mark, role = ("E", "bad") if is_error else ("W", "warn")
            place = f"{problem.line}:{problem.column}"
            head = line("  ", (f"{mark} ", role), (f"{place:<8}", "link"), (problem.message, "text"))
            body = list(wrap(head, width, hang=12))
            body.append(line(" " * 12, (problem.code, "faint")))
            yield Block(tuple(body), Target(problem.file, problem.line))
        yield GAP


# Coverage


def coverage_blocks(view: Coverage, width: int) -> Iterator[Block]:
    """Progress; then what has no guidance, what applies to nothing, and what each entry applies to."""
    if not view.is_complete:
        share = f"{view.done:,} of {view.entries:,}" if view.entries else "…"
        yield text_block(line("  ", ("Looking at every entry: ", "muted"), (share, "text")))
        if view.entries:
            yield text_block(bar([view.done], view.entries, width - 2))
        return
    with_guidance = view.files - view.bare_files
    dead = [use for use in view.uses if use.is_dead]
    summary = line(
        "  ", (f"{with_guidance:,}", "strong"), (f" of {view.files:,} files have context", "muted"), "    ",
        (f"{len(dead):,}", "strong"), (f" of {len(view.uses):,} entries apply to nothing", "muted"),
    )  # fmt: skip
    yield text_block(cut(summary, width), bar([with_guidance], max(1, view.files), width - 2), ())
    if dead:
        yield text_block(heading("Entries that apply to nothing", width, str(len(dead))))
        for use in dead:
            yield _use(use, width)
        yield GAP
    if view.bare:
        yield text_block(heading("Without context", width, f"{view.bare_files:,} files"))
        for folder in view.bare:
            label = folder.path + "/" if folder.path else "./"
            words = "all of it" if folder.is_whole else f"of {folder.total:,}"
            right = line((f"{folder.bare:,} ", "count"), (f"{words:<10}", "faint"))
            yield Block(
                (spread(line("  ", (cut_start(label, width - 22), "text")), right, width),),
                Target(folder.path),
                "select_folder",
            )
        yield GAP
    alive = sorted(
        (use for use in view.uses if not use.is_dead), key=lambda use: (use.applies_to, use.file, use.line)
    )
    if alive:
        yield text_block(heading("What each entry applies to, fewest files first", width, str(len(alive))))
        for use in alive:
            yield _use(use, width)


def _use(use: EntryUse, width: int) -> Block:
    number = use.problem or _files(use)
    right = line(
        (cut_start(f"{use.file}:{use.line}", max(16, width // 3)), "link"), "  ", (f"{number:>10}", "count")
    )
    return Block(
        (spread(line("  ", (first_line(use.text), "text")), right, width),), Target(use.file, use.line)
    )


def _files(use: EntryUse) -> str:
    if use.directories and not use.applies_to:
        return counted(use.directories, "folder")
    return counted(use.applies_to, "file")


# Search


def search_blocks(view: SearchView, width: int) -> Iterator[Block]:
    """Symbols and files, then entries of guidance."""
    if view.note:
        yield text_block(*wrap(line("  ", (view.note, "muted")), width, hang=2))
        yield GAP
    if not view.query:
        yield text_block(line("  ", ("Type words; ", "muted"), ("s", "key"), (" comes back here.", "muted")))
        return
    for title, rows, action in (("Code", view.symbols, "walk"), ("Guidance", view.guidance, "edit")):
        if rows:
            yield text_block(heading(title, width, str(len(rows))))
            for row in rows:
                yield _found(row, action, width)
            yield GAP
    if not view.symbols and not view.guidance:
        yield text_block(line("  ", ("Nothing holds all of these words.", "muted")))


def _found(row: Found, action: str, width: int) -> Block:
    right = line(
        (cut_start(f"{row.file}:{row.line}", max(16, width // 2)), "link"), (f"  {row.kind:>9}", "faint")
    )
    lines = [spread(line("  ", (first_line(row.name), "text")), right, width)]
    if row.text:
        lines.append(cut(line("    ", (first_line(row.text), "muted")), width))
    return Block(tuple(lines), Target(row.file, row.line, row.symbol), action)
