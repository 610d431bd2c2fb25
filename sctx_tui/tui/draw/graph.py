"""The pane Neighbours and the source below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sctx_tui.tui.draw.cards import heading
from sctx_tui.tui.draw.lines import (
    GAP,
    Block,
    Line,
    Target,
    cut,
    cut_start,
    line,
    span,
    spread,
    text_block,
    width_of,
)

if TYPE_CHECKING:
    from sctx_tui.graph.neighbours import Neighbour
    from sctx_tui.tui.view import NeighboursView, Source

MAX_CANDIDATES = 6


def neighbour_blocks(view: NeighboursView, width: int) -> Iterator[Block]:
    """Where we are, then functions, callers, callees, imports and dependents, each by rank."""
    yield text_block(_crumbs(view, width))
    if view.note:
        yield text_block(line("  ", (view.note, "warn")))
    yield GAP
    found = view.neighbourhood
    if found is None:
        return
    focus = view.question.symbol
    sections = (
        ("Defines", found.functions, "it defines nothing"),
        ("Called by", found.callers, "nobody calls it" if focus else "nobody calls into it"),
        ("Calls", found.callees, "it calls nothing of the project"),
        ("Imports", found.imports, "it imports nothing of the project"),
        ("Imported by", found.dependents, "nobody imports it"),
    )
    for title, rows, none in sections:
        if focus and title in ("Imports", "Imported by") and not rows:
            continue
        note = f"{len(rows)}" + ("+" if found.partial and title in ("Called by", "Imported by") else "")
        yield text_block(heading(title, width, note if rows else none))
        for row in rows:
            yield from _row(row, found.path.partition("::")[0], title, width)
        yield GAP


def _crumbs(view: NeighboursView, width: int) -> Line:
    """The way that led here, the last step bright."""
    steps = [*view.trail, view.question.symbol or view.question.path]
    parts = [span("  ")]
    for number, step in enumerate(steps):
        is_last = number == len(steps) - 1
        parts.append(
            span(step.partition("::")[2] or step.rpartition("/")[2], "title" if is_last else "muted")
        )
        if not is_last:
            parts.append(span(" › ", "faint"))
    while width_of(parts) > width and len(parts) > 3:
        del parts[1:3]
    return cut(tuple(parts), width)


def _row(row: Neighbour, focus: str, section: str, width: int) -> Iterator[Block]:
    is_file = not row.signature and row.id == row.file
    place = f"{row.line}" if row.file == focus else f"{row.file}:{row.line}"
    rank = f"{row.rank:>4.0%}" if section != "Defines" else "    "
    if is_file:
        left = line("  ", (cut_start(row.file, width - 12), "text"))
        right = line((f"line {row.at_line}" if row.at_line else "", "faint"), (rank, "count"))
    else:
        left = line("  ", (row.name, "text"), (_parameters(row), "muted"))
        right = line((cut_start(place, max(12, width // 2)), "link"), (rank, "count"))
    flags = [span(" T", "warn")] if row.tainted else []
    flags += [span(" ?", "warn")] if row.ambiguous else []
    lines = [spread((*left, *flags), right, width)]
    if row.ambiguous:
        shown = ", ".join(each.replace("::", " ") for each in row.candidates[:MAX_CANDIDATES])
        more = (
            f" and {len(row.candidates) - MAX_CANDIDATES} more"
            if len(row.candidates) > MAX_CANDIDATES
            else ""
        )
        lines.append(cut(line("    ", (f"one of {len(row.candidates)}: {shown}{more}", "faint")), width))
    if row.tainted:
        lines.append(
            cut(line("    ", ("the signature of something that it calls has changed", "faint")), width)
        )
    yield Block(tuple(lines), Target(row.file, row.line, "" if is_file else row.id), "walk")


def _parameters(row: Neighbour) -> str:
    """The signature from its bracket on; the name stands before it already."""
    at = row.signature.find("(")
    return " ".join(row.signature[at:].split()) if at >= 0 else ""


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
