"""The panes Delivered, Compare, Problems, Coverage and Search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from sctx_tui.tui.desk import Question
from sctx_tui.tui.draw.cards import heading, shortened
from sctx_tui.tui.draw.lines import (
    BLANK,
    GAP,
    Block,
    Line,
    Span,
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
from sctx_tui.tui.view import (
    MATRIX,
    CompareView,
    DeliveredView,
    Difference,
    Found,
    MatrixView,
    Payload,
    Receipt,
    SearchView,
)
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Problem
    from sctx_tui.tui.survey import Coverage, EntryUse


def first_line(text: str) -> str:
    """The beginning of a text, without the marks of Markdown around it."""
    return text.strip().partition("\n")[0].strip("#> ").replace("**", "").replace("`", "")


# Delivered


def delivered_blocks(view: DeliveredView, width: int) -> Iterator[Block]:
    """The payload's zones, each hook's text with those who receive it, who receives nothing, the payload's
    text."""
    if view.payload is not None:
        yield from _zones(view.payload, width)
    for delivery in view.deliveries:
        yield text_block(heading(_moments(delivery.receipts), width, f"{delivery.tokens:,} tokens"))
        yield text_block(*_receipts(delivery.receipts, width))
        yield from _verbatim(delivery.text, width)
    if not view.deliveries and not view.silent:
        words = "Agents read folders; they don't edit or create them with a tool that has a hook."
        yield text_block(*wrap(line("  ", (words, "muted")), width, hang=2), BLANK)
    if view.silent:
        yield text_block(heading("Nothing is said", width))
        yield text_block(*_receipts(view.silent, width), BLANK)
    if view.payload is not None:
        yield text_block(heading("The payload's text", width, f"{view.payload.tokens:,} tokens"))
        yield from _verbatim(view.payload.text, width)


def _moments(receipts: tuple[Receipt, ...]) -> str:
    """When a text is received, in our words: "before edit, create"."""
    actions: dict[str, dict[str, None]] = {}
    for each in receipts:
        actions.setdefault(each.timing, {})[each.action] = None
    words = " and ".join(f"{timing} {', '.join(names)}" for timing, names in actions.items())
    return words + (", plan mode" if all("plan mode" in each.agent for each in receipts) else "")


def _receipts(receipts: tuple[Receipt, ...], width: int) -> Iterator[Line]:
    """One line for each agent: its events with their tools."""
    for agent, group in groupby(receipts, key=lambda each: each.agent):
        events: dict[str, dict[str, None]] = {}
        for each in group:
            events.setdefault(each.event, {})[each.tool] = None
        words = "   ".join(f"{event} {', '.join(tools)}" for event, tools in events.items())
        yield from wrap(line("  ", (f"{agent}: ", "faint"), (words, "muted")), width, hang=4)


def _verbatim(text: str, width: int) -> Iterator[Block]:
    """A text as it is received, behind a line."""
    yield GAP
    for raw in shortened(text, MAX_VERBATIM).rstrip("\n").split("\n"):
        indent = len(raw) - len(raw.lstrip())
        lines = tuple(line(("  │ ", "rule"), *each) for each in wrap(line(raw), width - 4, indent + 2))
        yield text_block(*(lines or (line(("  │", "rule")),)))
    yield GAP


def _zones(payload: Payload, width: int) -> Iterator[Block]:
    """How much each zone takes of the payload's budget."""
    size = f"{payload.tokens:,} of {payload.budget:,} tokens"
    yield text_block(heading("payload, for agents that ask", width, size))
    zones = [zone.tokens for zone in payload.zones]
    legend = [
        line(
            (SHADES[number % 4] * 2, f"zone{number}"),
            (f" {zone.name} ", "muted"),
            (f"{zone.tokens:,}", "count"),
        )
        for number, zone in enumerate(payload.zones, 1)
    ]
    bar = zone_bar(zones, max(payload.budget, payload.tokens), width - 2)
    yield text_block(bar, *(line("  ", *each) for each in flow(legend, width - 2)), BLANK)


SHADES = ("░", "█", "▓", "▒")
"""Zones differ by shade as well as by colour."""
MAX_VERBATIM = 40_000
"""Characters of a delivered text that are shown; hooks never say more than a quarter of that."""


def zone_bar(parts: list[int], whole: int, width: int) -> Line:
    """Parts of a whole, each in its own shade; one that is not nothing gets at least a cell."""
    spans: list[Span] = [("  ", "")]
    used = 0
    for number, part in enumerate(parts, 1):
        cells = max(1, round(part * width / whole)) if part and whole else 0
        cells = min(cells, width - used)
        spans.append((SHADES[number % 4] * cells, f"zone{number}"))
        used += cells
    return (*spans, ("─" * (width - used), "rule"))


def share_bar(part: int, whole: int, width: int) -> Line:
    """One share of a whole."""
    cells = round(part * width / whole) if whole else 0
    return (("  ", ""), ("━" * cells, "count"), ("─" * (width - cells), "rule"))


# Compare


SIDE_BY_SIDE = 64
"""Cells from which two questions stand side by side, not one below the other."""


def compare_blocks(view: CompareView, width: int) -> Iterator[Block]:
    """What applies to one question and not to the other, side by side; then what applies to both."""
    is_narrow = width < SIDE_BY_SIDE
    half = width if is_narrow else (width - 2) // 2
    left, right = _side("A", view.left, half), _side("B", view.right, half)
    gap: Span = (" " * (half + 2 - width_of(left)), "")
    heads = (left, right) if is_narrow else ((*left, gap, *right[1:]),)
    yield text_block(*heads, line("  ", ("─" * (width - 2), "rule")))
    different = [each for each in view.differences if each.left != each.right]
    for each in different:
        pad: Span = ("", "") if each.left or is_narrow else (" " * half, "")
        yield Block(tuple(line(pad, *parts) for parts in _difference(each, half)), _place(each))
        yield GAP
    if not different:
        words = "No difference." if view.differences else "Nothing applies to either."
        yield text_block(line("  ", (words, "muted")), BLANK)
    both = [each for each in view.differences if each.left and each.right]
    if both:
        yield text_block(heading("Both", width, str(len(both))))
    for each in both:
        place = line((cut_start(f"{each.file}:{each.line}", max(16, width // 3)), "link"))
        yield Block((spread(line("  ", (first_line(each.text), "muted")), place, width),), _place(each))


def _side(name: str, question: Question, width: int) -> Line:
    asked = f"  {question.action} · {question.timing}"
    label = cut_start(question.label, max(8, width - len(asked) - 5))
    return cut(line("  ", (f"{name} ", "key"), (label, "title"), (asked, "muted")), width)


def _difference(each: Difference, width: int) -> Iterator[Line]:
    """An entry of one side, and why it is not on the other."""
    mark = "- " if each.left else "+ "
    for number, parts in enumerate(list(wrap(line((first_line(each.text), "text")), width - 5))[:4]):
        yield line("  ", (mark if number == 0 else "  ", "key"), *parts)
    yield line("    ", (cut_start(f"{each.file}:{each.line}", width - 5), "link"))
    for parts in wrap(line((each.reason, "reason")), width - 5):
        yield line("    ", *parts)


def _place(each: Difference) -> Target:
    return Target(each.file, each.line)


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
            body.append(cut(line(" " * 12, (problem.code, "faint")), width))
            yield Block(tuple(body), Target(problem.file, problem.line))
        yield GAP


# Coverage


def coverage_blocks(view: Coverage, width: int) -> Iterator[Block]:
    """Progress; then what has no guidance, what applies to nothing, and what each entry applies to."""
    if not view.is_complete:
        share = f"{view.done:,} of {view.entries:,}" if view.entries else "…"
        yield text_block(line("  ", ("Looking at every entry: ", "muted"), (share, "text")))
        if view.entries:
            yield text_block(share_bar(view.done, view.entries, width - 2))
        return
    with_guidance = view.files - view.bare_files
    dead = [use for use in view.uses if use.is_dead]
    summary = line(
        "  ", (f"{with_guidance:,}", "strong"), (f" of {view.files:,} files have context", "muted"), "    ",
        (f"{len(dead):,}", "strong"), (f" of {len(view.uses):,} entries apply to nothing", "muted"),
    )  # fmt: skip
    yield text_block(cut(summary, width), share_bar(with_guidance, view.files, width - 2), ())
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
    number = "nothing" if use.is_dead else _files(use)
    place = cut_start(f"{use.file}:{use.line}", max(16, width // 3))
    right = line((place, "link"), "  ", (f"{number:>10}", "count"))
    lines = [
        spread(line("  ", (first_line(use.text) or "no text", "text" if use.text else "faint")), right, width)
    ]
    if use.problem:
        lines.append(cut(line("    ", (use.problem, "reason")), width))
    return Block(tuple(lines), Target(use.file, use.line))


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
