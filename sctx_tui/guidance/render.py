"""Resolutions as text for agents and terminals, and as JSON values."""

from __future__ import annotations

from sctx_tui.guidance.model import Alternative, ContextEntry, Decision, Judged, Resolution
from sctx_tui.sanitize import clean

LIMIT = 9500
"""Characters in a text for an agent: agents cut or spill longer ones."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from typing import Any

CONTEXT_TITLE = "## Structured Context"
DECISIONS_TITLE = "## Architectural Decisions"


def agent_text(resolution: Resolution, *, decisions: bool, limit: int = LIMIT) -> str:
    """What an agent reads: context, decisions if asked for, broken files; "" if there is nothing to say.

    At most `limit` characters: where that is too few, the entries nearest to the root go first, and a last line says
    how many are missing and which command shows them.
    """
    sections = []
    context = [_bullet(each.entry.content) for each in resolution.context]
    if context:
        sections.append("\n".join([CONTEXT_TITLE, "", *context]))
    if decisions:
        made = [_decision_text(each.entry) for each in resolution.decisions]
        if made:
            sections.append("\n".join([DECISIONS_TITLE, "", *made]))
    sections += [str(problem) for problem in resolution.problems if problem.severity == "error"]
    return "\n\n".join(sections)[:limit]


def _bullet(text: str) -> str:
    return "- " + text.strip("\n").replace("\n", "\n  ")


def _decision_text(decision: Decision) -> str:
    lines = [f"- {decision.decision}" + (f" ({decision.date})" if decision.date else "")]
    lines.append(f"  Rationale: {decision.rationale}")
    lines += [f"  Rejected: {each.option} ({each.reason_rejected})" for each in decision.alternatives]
    if decision.revisit_when:
        lines.append(f"  Revisit when: {decision.revisit_when}")
    return "\n".join(lines)


def terminal_text(resolution: Resolution, kind: str = "context", today: date | None = None) -> str:
    """What a person reads: the entries that apply, each with where it came from; sanitized.

    `kind` is "context" or "decisions"; ages of decisions are counted from `today`.
    """
    lines = []
    for each in resolution.context if kind == "context" else resolution.decisions:
        entry = each.entry
        text = entry.content if isinstance(entry, ContextEntry) else _decision_text(entry)
        lines += [clean(text, multiline=True).rstrip("\n"), f"    {clean(each.file)}:{each.line}", ""]
    return "\n".join(lines).rstrip("\n")


def context_json(resolution: Resolution) -> list[dict[str, Any]]:
    """The context entries that apply, with the Go tool's names."""
    return [
        {
            "Content": entry.content,
            "SourceDir": _source_directory(resolution, each),
            **_source(each),
            **_scope(entry),
        }
        | {"On": list(entry.on), "When": entry.when}
        for each in resolution.context
        if isinstance(entry := each.entry, ContextEntry)
    ]


def decisions_json(resolution: Resolution) -> list[dict[str, Any]]:
    """The decisions that apply, with the Go tool's names."""
    return [
        {
            "Decision": entry.decision,
            "Rationale": entry.rationale,
            "Alternatives": [_alternative(each) for each in entry.alternatives],
            "RevisitWhen": entry.revisit_when,
            "Date": entry.date,
            **_scope(entry),
            **_source(judged),
        }
        for judged in resolution.decisions
        if isinstance(entry := judged.entry, Decision)
    ]


def explain_json(resolution: Resolution) -> dict[str, Any]:
    """The query, every entry with its verdict, and what went wrong."""
    query = resolution.query
    return {
        "Root": query.root,
        "Path": query.path,
        "Kind": "directory" if query.is_directory else "file",
        "Action": query.action,
        "Timing": query.timing,
        "Files": [file.path for file in resolution.files],
        "Entries": [
            {
                "Kind": each.kind,
                "Text": each.entry.content if isinstance(each.entry, ContextEntry) else each.entry.decision,
                "Verdict": each.verdict,
                "Pattern": each.pattern,
                "Reason": each.reason,
                "Level": each.level,
                **_source(each),
                **_scope(each.entry),
            }
            for each in resolution.judged
        ],
        "Problems": [str(problem) for problem in resolution.problems],
        "Notes": list(resolution.notes),
    }


def _source_directory(resolution: Resolution, judged: Judged) -> str:
    directory = judged.file.rpartition("/")[0]
    return f"{resolution.query.root}/{directory}" if directory else resolution.query.root


def _source(judged: Judged) -> dict[str, Any]:
    return {"SourceFile": judged.file, "Line": judged.line}


def _scope(entry: ContextEntry | Decision) -> dict[str, Any]:
    return {"Match": list(entry.match), "Exclude": list(entry.exclude)}


def _alternative(alternative: Alternative) -> dict[str, str]:
    return {"Option": alternative.option, "ReasonRejected": alternative.reason_rejected}


def age(written: str, today: date) -> str:
    """How long ago a date (YYYY-MM-DD) was, in words; "" if there is none."""
    from datetime import date

    try:
        days = (today - date.fromisoformat(written)).days
    except ValueError:
        return ""
    if days < 0:
        return "in the future"
    for unit, size in (("year", 365), ("month", 30), ("day", 1)):
        if days >= size:
            count = days // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "today"
