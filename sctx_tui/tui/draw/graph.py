"""The pane Neighbours and the source below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.tui.draw.cards import heading
from sctx_tui.tui.draw.lines import (
    GAP,
    Block,
    Line,
    Span,
    Target,
    cut,
    cut_start,
    line,
    span,
    spread,
    text_block,
    width_of,
    wrap,
)

if TYPE_CHECKING:
    from sctx_tui.graph.neighbours import Neighbour
    from sctx_tui.tui.view import NeighboursView, Source

MAX_CANDIDATES = 6
MAX_LINES = 4


def neighbour_blocks(view: NeighboursView, width: int) -> Iterator[Block]:
    """Where we are, then functions, callers, callees, imports and dependents, each by rank."""
    yield text_block(_crumbs(view, width))
    found = view.neighbourhood
    note = view.note
    if found is not None and found.source == "parsed":
        reach = "as far as two seconds reach" if found.partial else "all of it"
        note = f"Parsed just now, {reach}; the index will know more."
    if note:
        yield text_block(line("  ", (note, "reason")))
    yield GAP
    if found is None:
        return
    focus = view.question.symbol
    for section in SECTIONS:
        rows = merged(getattr(found, section.field))
        if not rows and focus and section.of_files:
            continue
        total = getattr(found, section.in_all).functions if section.in_all else len(rows)
        count = f"{total}" + ("+" if found.partial and section.is_inward else "")
        yield text_block(heading(section.title, width, count if rows else section.none))
        for row in rows:
            yield _row(row, view, section, width)
        if total > len(rows):
            words = f"… {total - len(rows):,} more of lower rank; Enter shows all {total:,}"
            yield Block((line("  ", (words, "reason")),), action="show_all")
        yield GAP


class Section(NamedTuple):
    """One of the five lists of a neighbourhood."""

    title: str
    field: str
    none: str
    is_inward: bool = False
    """Whether the lines at which calls or imports stand are in the files of the list."""
    of_files: bool = False
    in_all: str = ""
    """Where it says how many there are, of lists that may be cut."""


SECTIONS = (
    Section("Defines", "functions", "it defines nothing"),
    Section("Called by", "callers", "nobody calls it", is_inward=True, in_all="all_callers"),
    Section("Calls", "callees", "it calls nothing here", in_all="all_callees"),
    Section("Imports", "imports", "it imports nothing here", of_files=True),
    Section("Imported by", "dependents", "nobody imports it", is_inward=True, of_files=True),
)


class Merged(NamedTuple):
    """A neighbour with all the lines at which it calls or is called."""

    neighbour: Neighbour
    lines: tuple[int, ...]


def merged(rows: Iterable[Neighbour]) -> list[Merged]:
    """One row for each neighbour, in the given order."""
    found: dict[str, Merged] = {}
    for row in rows:
        known = found.get(row.id, Merged(row, ()))
        lines = (*known.lines, row.at_line) if row.at_line and row.at_line not in known.lines else known.lines
        found[row.id] = Merged(known.neighbour, lines)
    return list(found.values())


def _crumbs(view: NeighboursView, width: int) -> Line:
    """The way that led here, the last step bright."""
    steps = [*view.trail, view.question.symbol or view.question.path]
    parts = [span("  ")]
    for number, step in enumerate(steps):
        is_last = number == len(steps) - 1
        file, _, symbol = step.partition("::")
        name = file.rpartition("/")[2] if symbol in ("", "<module>") else symbol
        parts += [span(name, "title" if is_last else "muted"), span("" if is_last else " › ", "faint")]
    while width_of(parts) > width and len(parts) > 3:
        del parts[1:3]
    return cut(tuple(parts), width)


def _row(row: Merged, view: NeighboursView, section: Section, width: int) -> Block:
    one = row.neighbour
    is_file = section.of_files
    lines = row.lines if section.is_inward or is_file else (one.line,)
    numbers = ", ".join(map(str, lines[:MAX_LINES])) + (", …" if len(lines) > MAX_LINES else "")
    here = one.file == view.question.path or is_file
    place = f"line {numbers}" if here and numbers else "" if here else f"{one.file}:{numbers}"
    rank = f"{one.rank:>5.0%}" if section.title != "Defines" else ""
    right = line((cut_start(place, max(12, width // 2)), "faint" if here else "link"), (rank, "count"))
    left = line("  ", *((one.file, "text"),) if is_file else _signature(one, view.question.symbol))
    flags = line((" T" if one.tainted else "", "warn"), (" ?" if one.ambiguous else "", "warn"))
    drawn = [spread((*left, *flags), right, width)]
    if one.ambiguous:
        shown = ", ".join(each.replace("::", " ") for each in one.candidates[:MAX_CANDIDATES])
        more = len(one.candidates) - MAX_CANDIDATES
        words = f"one of {len(one.candidates)}: {shown}" + (f" and {more} more" if more > 0 else "")
        drawn += _remark(words, width)
    if one.tainted:
        drawn += _remark("something that it calls has another signature now", width)
    first = lines[0] if section.is_inward and lines else one.line
    return Block(tuple(drawn), Target(one.file, first, "" if is_file else one.id), "walk")


def _remark(words: str, width: int) -> Iterator[Line]:
    for each in wrap(line((words, "faint")), width - 4):
        yield line("    ", *each)


def _signature(one: Neighbour, focus: str) -> Iterator[Span]:
    """Name and parameters; methods with their class."""
    name = one.id.partition("::")[2].partition("#")[0] or one.name
    if name == "<module>":
        yield ("module level", "muted")
        return
    yield (name, "title" if one.id == focus else "text")
    at = one.signature.find("(")
    if at >= 0:
        yield (" ".join(one.signature[at:].split()), "muted")


def source_blocks(source: Source, width: int) -> Iterator[Block]:
    """Lines of a file with their numbers, one of them lit."""
    if source.problem:
        yield text_block(line("  ", (source.problem, "muted")))
        return
    digits = len(str(source.first + len(source.lines)))
    for number, text in enumerate(source.lines, source.first):
        lit = number == source.line
        head = line(("▶ " if lit else "  ", "bar"), (f"{number:>{digits}}  ", "text" if lit else "faint"))
        body = cut((*head, *line((text, "strong" if lit else "text"))), width)
        yield Block((body,), Target(source.path, number) if lit else None)
