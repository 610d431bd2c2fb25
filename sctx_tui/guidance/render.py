"""Resolutions as text for agents and as JSON values."""

from __future__ import annotations

from sctx_tui.guidance.model import Alternative, ContextEntry, Decision, Judged, Resolution
from sctx_tui.sanitize import clean_for_agent

LIMIT = 9500
"""Characters in a text for an agent: agents cut or spill longer ones."""
MAX_FAULTY = 5
"""Broken files that a text names; the rest are counted."""
MAX_FAULT = 300
"""Characters that a broken file may take."""

CUT = " [cut]"
"""Ends an entry that is longer than the whole text may be."""

CONTEXT_TITLE = "## Structured Context"
DECISIONS_TITLE = "## Architectural Decisions"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from typing import Any


def agent_text(resolution: Resolution, *, decisions: bool, limit: int = LIMIT) -> str:
    """What an agent reads: context, decisions if asked for, broken files; "" if there is nothing to say.

    At most `limit` characters: where that is too few, entries are left out, those nearest to the root first,
    and a last line says how many and which command shows them.
    """
    chosen = [*resolution.context, *(resolution.decisions if decisions else ())]
    faults = _faults(resolution)
    texts = _most_specific(chosen, limit)
    if len(texts) == len(chosen):
        text = _sections([(each, texts[index]) for index, each in enumerate(chosen)], faults)
        if len(text) <= limit:
            return text
    return _shortened(resolution, chosen, texts, faults, limit)[:limit]


def _most_specific(chosen: list[Judged], limit: int) -> dict[int, str]:
    """The texts of entries by their index, the most specific first, until they fill `limit` characters."""
    texts: dict[int, str] = {}
    for index in sorted(range(len(chosen)), key=lambda index: (chosen[index].level, index), reverse=True):
        texts[index] = _item(chosen[index].entry)
        limit -= len(texts[index])
        if limit < 0:
            break
    return texts


def _sections(items: list[tuple[Judged, str]], faults: str, last: str = "") -> str:
    """The parts of a text, a blank line between them."""
    context = [text for each, text in items if each.kind == "context"]
    decisions = [text for each, text in items if each.kind == "decision"]
    sections = (
        "\n".join([CONTEXT_TITLE, "", *context]) if context else "",
        "\n".join([DECISIONS_TITLE, "", *decisions]) if decisions else "",
        faults,
        last,
    )
    return "\n\n".join(section for section in sections if section)


def _shortened(
    resolution: Resolution, chosen: list[Judged], texts: dict[int, str], faults: str, limit: int
) -> str:
    """As many entries as fit, the most specific ones; one that doesn't fit even alone is cut."""
    longest = _left_out(resolution, chosen, len(chosen))
    room = limit - len(longest) - len(faults) - len(CONTEXT_TITLE) - len(DECISIONS_TITLE) - 5 * len("\n\n")
    kept: dict[int, str] = {}
    for index, text in texts.items():
        if len(text) >= room:
            if not kept:
                kept[index] = text[: max(room - len(CUT) - 1, 0)] + CUT
            break
        room -= len(text) + 1
        kept[index] = text
    missing = [each for index, each in enumerate(chosen) if index not in kept]
    items = [(chosen[index], kept[index]) for index in sorted(kept)]
    return _sections(items, faults, _left_out(resolution, missing or chosen, len(chosen)))


def _left_out(resolution: Resolution, missing: list[Judged], total: int) -> str:
    """The last line of a shortened text."""
    query = resolution.query
    target = f"{query.root.rstrip('/')}/{query.path}" if query.path else query.root
    where = f"{_shell_word(target)} --root {_shell_word(query.root)}"
    kinds = {each.kind for each in missing}
    commands = []
    if "context" in kinds:
        commands.append(f"`sctx context {where} --on {query.action} --when {query.timing}`")
    if "decision" in kinds:
        commands.append(f"`sctx decisions {where}`")
    counted = f"{len(missing)} of {total} entries are cut or left out for length, nearest to the root first"
    return f"({counted}; {' and '.join(commands)} shows all)"


def _shell_word(text: str) -> str:
    """Text as one word of a shell's command line."""
    if all(each.isalnum() or each in "/._-+@%=:," for each in text):
        return text
    return "'" + clean_for_agent(text).replace("'", "'\\''") + "'"


def _faults(resolution: Resolution) -> str:
    """One line for each file with errors, for the first of them."""
    errors: dict[str, list[str]] = {}
    for problem in resolution.problems:
        if problem.severity == "error":
            place = f"{problem.file}:{problem.line}:{problem.column}"
            errors.setdefault(problem.file, []).append(f"{place}: {problem.message}")
    lines = []
    for file in list(errors)[:MAX_FAULTY]:
        first, *others = errors[file]
        more = f" (and {len(others)} more: `sctx validate`)" if others else ""
        text = clean_for_agent(first.replace("\n", " "))
        room = MAX_FAULT - len(more)
        lines.append(f"Faulty guidance: {text if len(text) <= room else text[: room - 3] + '...'}{more}")
    if len(errors) > MAX_FAULTY:
        lines.append(f"Faulty guidance: {len(errors) - MAX_FAULTY} more files: `sctx validate`")
    return "\n".join(lines)


def _item(entry: ContextEntry | Decision) -> str:
    """An entry as an item of a Markdown list, in lines that belong to it."""
    if isinstance(entry, ContextEntry):
        return _indented("- ", entry.content)
    return "\n".join(
        [
            _indented("- ", f"{entry.decision.rstrip()} ({entry.date})" if entry.date else entry.decision),
            _indented("  Rationale: ", entry.rationale),
            *(_indented("  ", _rejected(each)) for each in entry.alternatives),
            *([_indented("  Revisit when: ", entry.revisit_when)] if entry.revisit_when.strip() else ()),
        ]
    )


def _rejected(alternative: Alternative) -> str:
    return f"Considered {alternative.option.strip()}, rejected: {alternative.reason_rejected}"


def _indented(label: str, text: str) -> str:
    """Text behind a label, further lines indented so that lists and headings stay inside the item."""
    first, *others = clean_for_agent(text.strip("\n")).rstrip().split("\n")
    return "\n".join([label + first, *(f"  {line}" if line.strip() else "" for line in others)])


def context_json(resolution: Resolution) -> list[dict[str, Any]]:
    """The context entries that apply; names as the Go tool prints them, and ours for what it leaves out."""
    return [
        {
            "Content": entry.content,
            "SourceDir": _source_directory(resolution, judged),
            **_source(judged),
            **_scope(entry),
            "On": list(entry.on),
            "When": entry.when,
        }
        for judged in resolution.context
        if isinstance(entry := judged.entry, ContextEntry)
    ]


def decisions_json(resolution: Resolution) -> list[dict[str, Any]]:
    """The decisions that apply; names as the Go tool prints them, and ours for what it leaves out."""
    return [
        {
            "Decision": entry.decision,
            "Rationale": entry.rationale,
            "Alternatives": [
                {"Option": each.option, "ReasonRejected": each.reason_rejected} for each in entry.alternatives
            ],
            "RevisitWhen": entry.revisit_when,
            "Date": entry.date,
            **_scope(entry),
            **_source(judged),
        }
        for judged in resolution.decisions
        if isinstance(entry := judged.entry, Decision)
    ]


def explain_json(resolution: Resolution) -> dict[str, Any]:
    """The query as it was understood, every entry with its verdict, and what went wrong."""
    query = resolution.query
    return {
        "Root": query.root,
        "Path": query.path,
        "Kind": "directory" if query.is_directory else "file",
        "Action": query.action,
        "Timing": query.timing,
        "Files": [file.path for file in resolution.files],
        "Entries": [_explained(each) for each in resolution.judged],
        "Problems": [str(problem) for problem in resolution.problems],
        "Notes": list(resolution.notes),
    }


def _explained(judged: Judged) -> dict[str, Any]:
    entry = judged.entry
    return {
        "Kind": judged.kind,
        "Text": entry.content if isinstance(entry, ContextEntry) else entry.decision,
        "Verdict": judged.verdict,
        "Pattern": judged.pattern,
        "Reason": judged.reason,
        "Level": judged.level,
        **_source(judged),
        **_scope(entry),
    }


def _source_directory(resolution: Resolution, judged: Judged) -> str:
    root = resolution.query.root
    directory = judged.file.rpartition("/")[0]
    return f"{root.rstrip('/')}/{directory}" if directory else root


def _source(judged: Judged) -> dict[str, Any]:
    return {"SourceFile": judged.file, "Line": judged.line}


def _scope(entry: ContextEntry | Decision) -> dict[str, Any]:
    return {"Match": list(entry.match), "Exclude": list(entry.exclude)}


def age(written: str, today: date) -> str:
    """How long before `today` a date (YYYY-MM-DD) was, in words; "" if it is no date."""
    from datetime import date

    try:
        then = date.fromisoformat(written)
    except ValueError:
        return ""
    if then > today:
        return "in the future"
    months = (today.year - then.year) * 12 + today.month - then.month - (today.day < then.day)
    for unit, count in (("year", months // 12), ("month", months), ("day", (today - then).days)):
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "today"
