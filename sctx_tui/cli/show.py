"""Answers as a person reads them in a terminal. Foreign text is cleaned before it is coloured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

import click

from sctx_tui.guidance.model import APPLIES, EXCLUDED, INVALID, NO_MATCH, VERDICTS, ContextEntry, Decision
from sctx_tui.guidance.render import age
from sctx_tui.sanitize import clean

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Judged, Problem, Resolution

INDENT = "  "
EXCERPT = 60
"""Characters of an entry's text that `explain` shows."""

LONGEST_VERDICT = max(map(len, VERDICTS))
COLOURS = {APPLIES: "green", INVALID: "red"}
SEVERITY_COLOURS = {"error": "red", "warning": "yellow"}


class Paint:
    """Colours, or none where the output is no terminal."""

    def __init__(self, colours: bool) -> None:
        self.colours = colours

    def __call__(self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
        """Clean text in a colour."""
        if not self.colours or not text:
            return text
        return click.style(text, fg=colour, bold=bold or None, dim=dim or None)


def context_text(entries: Iterable[Judged], paint: Paint, *, patterns: bool) -> str:
    """Each entry's content below its source; `patterns` adds what it is scoped to."""
    return _blocks(
        [_source(each, paint, _scope(each) if patterns else ""), *_indented(each.entry.content)]
        for each in entries
        if isinstance(each.entry, ContextEntry)
    )


def decisions_text(entries: Iterable[Judged], paint: Paint, today: date, *, patterns: bool) -> str:
    """Each decision below its source and date, with rationale, alternatives and when to revisit."""
    return _blocks(
        [_source(each, paint, _dated(each.entry, today)), *_decision_lines(each.entry, paint)]
        + ([f"{INDENT}{paint('Match:', dim=True)} {_scope(each)}"] if patterns else [])
        for each in entries
        if isinstance(each.entry, Decision)
    )


def explain_text(resolution: Resolution, paint: Paint, *, exists: bool) -> str:
    """The query as it was understood, the files in merge order, and every entry with its verdict."""
    query = resolution.query
    kind = "directory" if query.is_directory else "file"
    facts = [
        ("Root", clean(query.root)),
        ("Path", f"{clean(query.path) or '.'} ({kind}{'' if exists else ', does not exist'})"),
        ("Asked", f"action {query.action}, timing {query.timing}"),
        ("Files", ", ".join(clean(file.path) for file in resolution.files) or "none"),
    ]
    lines = [f"{paint(f'{name}:'.ljust(6), bold=True)} {value}" for name, value in facts]
    verdicts = [_explained(each, paint) for each in resolution.judged]
    return "\n".join([*lines, *(["", *verdicts] if verdicts else [])])


def _explained(each: Judged, paint: Paint) -> str:
    entry = each.entry
    text = entry.content if isinstance(entry, ContextEntry) else entry.decision
    source = f"{clean(each.file)}:{each.line}"
    verdict = paint(each.verdict.ljust(LONGEST_VERDICT), COLOURS.get(each.verdict, "yellow"))
    head = f"{verdict}  {paint(source, 'cyan')}  {each.kind}"
    reason = clean(each.reason)
    directory = each.file.rpartition("/")[0]
    if directory and each.verdict in (NO_MATCH, EXCLUDED):
        reason += f" (relative to {clean(directory)}/)"
    return f"{head}  {excerpt(text)}\n{INDENT}{paint(reason, dim=True)}"


def excerpt(text: str) -> str:
    """The first line of a text, shortened and safe."""
    line = clean(next((line for line in text.splitlines() if line.strip()), "").strip())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 3] + "..."


def problem_text(problem: Problem, paint: Paint, file: str) -> str:
    """`file:line:column: severity[code]: message`."""
    severity = paint(f"{problem.severity}[{problem.code}]", SEVERITY_COLOURS.get(problem.severity))
    place = paint(f"{clean(file)}:{problem.line}:{problem.column}", bold=True)
    return f"{place}: {severity}: {clean(problem.message)}"


def _source(each: Judged, paint: Paint, more: str) -> str:
    return paint(f"{clean(each.file)}:{each.line}", "cyan") + (f"  {more}" if more else "")


def _scope(each: Judged) -> str:
    """What an entry is scoped to, in one line."""
    entry = each.entry
    words = [clean(", ".join(entry.match))]
    if entry.exclude:
        words.append(f"except {clean(', '.join(entry.exclude))}")
    if isinstance(entry, ContextEntry):
        words.append(f"on {', '.join(entry.on)}; {entry.when}")
    return "; ".join(words)


def _dated(entry: Decision, today: date) -> str:
    return f"{entry.date}, {age(entry.date, today)}" if entry.date else ""


def _decision_lines(entry: Decision, paint: Paint) -> Iterator[str]:
    yield from _indented(entry.decision)
    yield from _labelled("Rationale:", entry.rationale, paint)
    for alternative in entry.alternatives:
        yield from _labelled("Rejected:", f"{alternative.option}: {alternative.reason_rejected}", paint)
    if entry.revisit_when:
        yield from _labelled("Revisit when:", entry.revisit_when, paint)


def _labelled(label: str, text: str, paint: Paint) -> list[str]:
    first, *rest = _indented(text) or [""]
    return [f"{INDENT}{paint(label, dim=True)} {first.strip()}", *(INDENT + line for line in rest)]


def _indented(text: str) -> list[str]:
    return [f"{INDENT}{line}".rstrip() for line in clean(text, multiline=True).strip("\n").split("\n")]


def _blocks(blocks: Iterable[list[str]]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks)
