"""A guidance file's text -> its entries and problems.

One bad entry never hides its neighbours: every fault becomes a Problem with line and column, and an entry
that it spoils is kept with its `problem`, so that `explain` can show why it gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from sctx_tui.guidance.document import Document, DocumentFault, Fault, position, quoted
from sctx_tui.guidance.entry_reader import EntryReader
from sctx_tui.guidance.model import Alternative, ContextEntry, Decision, GuidanceFile, Problem

if TYPE_CHECKING:
    from yaml.nodes import Node

CONTEXT_FIELDS = ("content", "match", "exclude", "on", "when")
DECISION_FIELDS = ("decision", "rationale", "alternatives", "revisit_when", "date", "match", "exclude")
ALTERNATIVE_FIELDS = ("option", "reason_rejected")
SECTIONS = ("context", "decisions")
MAX_ENTRIES = 10_000
"""Entries that a section may have; aliases can make a small file hold any number."""

Entry = TypeVar("Entry")


def parse_guidance(data: bytes | str, path: str) -> GuidanceFile:
    """The entries and problems of a file; `path` is relative to the root. Never raises on content."""
    problems: list[Problem] = []
    try:
        document = Document(data)
        context, decisions = _sections(document, path, problems)
    except RecursionError:
        # `<<` may lead from mapping to mapping as often as the file has room for it.
        return GuidanceFile(path, problems=(_problem(path, Fault("nested too deeply")),))
    except DocumentFault as fault:
        # Half a file is not delivered: nobody could tell which half.
        return GuidanceFile(path, problems=(_problem(path, fault),))
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return GuidanceFile(path, tuple(context), tuple(decisions), tuple(problems))


def _problem(path: str, fault: Fault, where: str = "") -> Problem:
    message = f"{where}: {fault.message}" if where else fault.message
    return Problem(path, fault.line, fault.column, "error", "invalid_yaml", message, where)


def _sections(
    document: Document, path: str, problems: list[Problem]
) -> tuple[list[ContextEntry], list[Decision]]:
    if document.second is not None:
        message = "only the first YAML document is read"
        problems.append(Problem(path, document.second, 1, "warning", "second_document", message))
    if document.root is None or document.is_null(document.root):
        return [], []
    try:
        sections = document.fields(document.root)
    except DocumentFault:
        raise
    except Fault as fault:
        problems.append(_problem(path, fault))
        return [], []
    for name, (key, _) in sections.items():
        if name not in SECTIONS:
            message = f"top level: unknown field {quoted(name)}"
            problems.append(Problem(path, *position(key), "warning", "unknown_field", message))

    def entries(name: str, read: Callable[[EntryReader], Entry]) -> list[Entry]:
        found = []
        for where, node in _items(document, path, sections, name, problems):
            found.append(read(EntryReader(document, path, where, node, problems)))
        return found

    return entries("context", _context_entry), entries("decisions", _decision)


def _items(
    document: Document, path: str, sections: dict[str, tuple[Node, Node]], name: str, problems: list[Problem]
) -> list[tuple[str, Node]]:
    """The entries of a section with their places, such as `context[0]`; empty ones are only reported."""
    if name not in sections:
        return []
    try:
        nodes = document.items(sections[name][1])
    except Fault as fault:
        problems.append(_problem(path, fault, name))
        return []
    if len(nodes) > MAX_ENTRIES:
        raise DocumentFault(f"more than {MAX_ENTRIES:,} entries", *position(sections[name][1]))
    found = []
    for index, node in enumerate(nodes):
        where = f"{name}[{index}]"
        if document.is_null(node):
            message = f"{where}: empty entry"
            problems.append(Problem(path, *position(node), "warning", "empty_entry", message, where))
        else:
            found.append((where, node))
    return found


def _context_entry(reader: EntryReader) -> ContextEntry:
    reader.check_fields(CONTEXT_FIELDS, ("match", "exclude", "on", "when"))
    return ContextEntry(
        content=reader.required("content"),
        match=reader.patterns("match"),
        exclude=reader.patterns("exclude"),
        on=reader.actions("on"),
        when=reader.timing("when"),
        line=reader.line,
        problem=reader.spoilt,
    )


def _decision(reader: EntryReader) -> Decision:
    reader.check_fields(DECISION_FIELDS, ("match", "exclude"))
    return Decision(
        decision=reader.required("decision"),
        rationale=reader.required("rationale"),
        alternatives=tuple(_alternatives(reader)),
        revisit_when=reader.text("revisit_when"),
        date=_date(reader),
        match=reader.patterns("match"),
        exclude=reader.patterns("exclude"),
        line=reader.line,
        problem=reader.spoilt,
    )


def _date(reader: EntryReader) -> str:
    """The date as written, or "" if it isn't one: a decision is worth having without it."""
    try:
        text = reader.scalar("date")
    except Fault as fault:
        reader.report_fault(fault)
        return ""
    if text and not _is_date(text):
        reader.report("invalid_date", f"invalid date {quoted(text)} (must be YYYY-MM-DD)", "date")
        return ""
    return text


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _alternatives(reader: EntryReader) -> list[Alternative]:
    """The alternatives that are whole; each other one is reported and left out."""
    try:
        nodes = reader.items("alternatives")
    except Fault as fault:
        reader.report_fault(fault)
        return []
    found = []
    for index, node in enumerate(nodes):
        if reader.document.is_null(node):
            continue
        inner = reader.inner(f"alternatives[{index}]", node)
        inner.check_fields(ALTERNATIVE_FIELDS, ())
        alternative = Alternative(inner.required("option"), inner.required("reason_rejected"))
        if not inner.spoilt:
            found.append(alternative)
    return found
