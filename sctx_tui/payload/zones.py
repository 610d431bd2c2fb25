"""Material as the four zones of the document, at a chosen level of detail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sctx_tui.graph.neighbours import Neighbour
from sctx_tui.graph.store_notes import Danger
from sctx_tui.graph.store_records import DirectoryRecord, FileRecord, FunctionRecord
from sctx_tui.guidance.model import ContextEntry, Judged
from sctx_tui.guidance.model import Decision as WrittenDecision
from sctx_tui.payload.document import Block, Item, Zone
from sctx_tui.payload.material import Material
from sctx_tui.payload.scopes import specificity
from sctx_tui.sanitize import clean

MANY_FUNCTIONS = 30  # beyond this a file's functions are paginated
NEAREST = 20  # to this many, the nearest to the line
FAN_IN = 15  # more dependents than this become a count and the highest-ranked ones
TOP_DEPENDENTS = 5


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is said. The fields follow the compression steps, see `budget.STEPS`."""

    long_summaries: bool = True
    flat_interface: bool = False
    call_names_only: bool = False
    nearest: int = NEAREST
    paginate_above: int = MANY_FUNCTIONS
    clip: int = 600  # characters of a signature or a sentence
    most: int = 320  # items of a list that are rendered at all; more than any budget could hold


def zones(material: Material, detail: Detail, budgets: Sequence[int]) -> list[Zone]:
    """The four zones; a block with nothing to say is left out."""
    parts = (
        ("guardrails", "Guardrails", _guardrails(material, detail)),
        ("focus", "Focus", _focus(material, detail)),
        ("interface", "Direct interface", _interface(material, detail)),
        ("calls", "Calls", _calls(material, detail)),
    )
    return [
        Zone(name, title, budget, [block for block in blocks if block.total])
        for (name, title, blocks), budget in zip(parts, budgets, strict=True)
    ]


def _text(text: str | None, limit: int) -> str:
    """One safe line of at most `limit` characters."""
    line = clean(" ".join((text or "").split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _lines(text: str) -> str:
    """Safe text of several lines, indented so that it stays inside its bullet."""
    return clean(text.strip("\n"), multiline=True).replace("\n", "\n  ")


# Guardrails


def _guardrails(material: Material, detail: Detail) -> list[Block]:
    resolution = material.resolution
    path = clean(material.query.path)
    return [
        Block(
            "Guidance",
            [_entry(each) for each in resolution.context],
            more=f"`sctx context {path}`",
            is_must=True,
        ),
        Block(
            "Decisions in AGENTS.yaml",
            [_written_decision(each) for each in resolution.decisions],
            more=f"`sctx decisions {path}`",
            is_must=True,
        ),
        Block(
            "Broken guidance files",
            [
                Item(f"- {clean(str(p))}", {"problem": str(p)})
                for p in resolution.problems
                if p.severity == "error"
            ],
            more="`sctx validate`",
        ),
        Block(
            "Dangers everywhere",
            [_danger(each, detail) for each in material.dangers if each.scope == "*"],
            more="get_dangers()",
            is_must=True,
        ),
        Block(
            "Decisions in the index",
            [
                Item(
                    f"- [{d.id}] {_text(d.decision, detail.clip)} (for {_text(d.scope, 200)}, by {d.source})"
                    + "".join(f"\n  Rejected: {_text(a, detail.clip)}" for a in d.alternatives)
                    + (f"\n  Reason: {_text(d.reason, detail.clip)}" if d.reason else ""),
                    {"id": d.id, "scope": d.scope, "decision": d.decision, "source": d.source},
                )
                for d in sorted(material.decisions, key=lambda d: (-specificity(d.scope), -d.id))
            ],
            more="get_decisions(scope)",
        ),
        Block(
            "Last session entries",
            [
                Item(
                    f"- {s.created_at[:16]} {s.kind} by {s.source}: {_text(s.entry, detail.clip)}",
                    {"kind": s.kind, "entry": s.entry, "files": list(s.files_touched), "at": s.created_at},
                )
                for s in material.session
            ],
        ),
        _tree(material, detail),
    ]


def _entry(judged: Judged) -> Item:
    entry = judged.entry
    assert isinstance(entry, ContextEntry)
    scope = f"{clean(judged.file)}:{judged.line}; on {', '.join(entry.on)}; when {entry.when}"
    return Item(
        f"- {_lines(entry.content)} ({scope})",
        {
            "content": entry.content,
            "file": judged.file,
            "line": judged.line,
            "on": list(entry.on),
            "when": entry.when,
        },
        judged.level,
    )


def _written_decision(judged: Judged) -> Item:
    entry = judged.entry
    assert isinstance(entry, WrittenDecision)
    lines = [f"- {_lines(entry.decision)}" + (f" ({clean(entry.date)})" if entry.date else "")]
    lines[0] += f" ({clean(judged.file)}:{judged.line})"
    lines.append(f"  Rationale: {_lines(entry.rationale)}")
    lines += [f"  Rejected: {_lines(a.option)}: {_lines(a.reason_rejected)}" for a in entry.alternatives]
    if entry.revisit_when:
        lines.append(f"  Revisit when: {_lines(entry.revisit_when)}")
    return Item(
        "\n".join(lines),
        {
            "decision": entry.decision,
            "rationale": entry.rationale,
            "alternatives": [
                {"option": a.option, "reason_rejected": a.reason_rejected} for a in entry.alternatives
            ],
            "revisit_when": entry.revisit_when,
            "date": entry.date,
            "file": judged.file,
            "line": judged.line,
        },
        judged.level,
    )


def _danger(danger: Danger, detail: Detail) -> Item:
    reason = f" Because: {_text(danger.reason, detail.clip)}" if danger.reason else ""
    return Item(
        f"- [{danger.id}] {_text(danger.description, detail.clip)}{reason}"
        f" (for {_text(danger.scope, 200)}, by {danger.source})",
        {
            "id": danger.id,
            "scope": danger.scope,
            "danger": danger.description,
            "reason": danger.reason,
            "source": danger.source,
        },
        specificity(danger.scope),
    )


def _tree(material: Material, detail: Detail) -> Block:
    """The files beside the target, and every folder on the way up folded to a line; what is near is first."""
    items: list[Item] = []
    total = 0
    target = material.query.path
    here = material.folders[-1][0] if material.folders else ""
    for parent, folders in reversed(material.folders):
        # The way to the target is spelt out by its own path.
        others = [each for each in folders if not f"{target}/".startswith(each.path + "/")]
        beside = _beside(material.files_here, target) if parent == here else []
        total += len(others) + len(beside)
        items += [_folder(each) for each in others[: detail.most]]
        items += [_listed(each) for each in beside[: detail.most]]
    return Block("Project tree", items, total=total, more="list the folder")


def _folder(folder: DirectoryRecord) -> Item:
    purpose = f": {_text(folder.purpose, 120)}" if folder.purpose else ""
    return Item(
        f"- {clean(folder.path)}/ {folder.file_count} files{purpose}",
        {"folder": folder.path, "files": folder.file_count, "purpose": folder.purpose},
    )


def _listed(file: FileRecord) -> Item:
    purpose = f": {_text(file.purpose, 120)}" if file.purpose else ""
    return Item(f"- {clean(file.path)}{purpose}", {"file": file.path, "purpose": file.purpose})


def _beside(files: list[FileRecord], target: str) -> list[FileRecord]:
    """The files of the target's folder, the most used first where there are many."""
    others = [file for file in files if file.path != target]
    return sorted(others, key=lambda file: (-file.used_by_count, file.path))


# Focus


def _focus(material: Material, detail: Detail) -> list[Block]:
    file = material.file
    if file is None:
        return []
    path = file.path
    functions = [each for each in material.functions if each.kind != "module"]
    shown = functions
    if len(functions) > detail.paginate_above:
        shown = sorted(_nearest(functions, material.line)[: detail.nearest], key=lambda f: f.start_line)
    return [
        Block(
            "Taint: look at these again",
            [
                Item(
                    f"- {clean(t.function)}: {t.reason} changed in {clean(t.source)}"
                    + (" (perhaps a caller)" if t.is_candidate else ""),
                    {
                        "function": t.function,
                        "source": t.source,
                        "reason": t.reason,
                        "candidate": t.is_candidate,
                    },
                )
                for t in material.taints
            ],
            more=f'get_tainted("{clean(path)}")',
        ),
        Block("File", _file_record(file, material, detail)),
        Block(
            "Functions",
            [
                _function(each, detail, is_focus=material.focus is not None and each.id == material.focus.id)
                for each in shown
            ],
            total=len(functions),
            more=f'get_function("{clean(path)}::NAME"), or get_context with another line',
        ),
    ]


def _nearest(functions: list[FunctionRecord], line: int | None) -> list[FunctionRecord]:
    """By distance in lines; without a line by visibility, then in source order."""
    if line is None:
        return sorted(functions, key=lambda f: (not f.is_exported, f.start_line))
    return sorted(functions, key=lambda f: (max(f.start_line - line, line - f.end_line, 0), -f.start_line))


def _file_record(file: FileRecord, material: Material, detail: Detail) -> list[Item]:
    facts: list[tuple[str, str | None]] = [
        ("language", file.language or "not parsed"),
        ("problem", file.problem),
        ("system", file.system),
        ("purpose", file.purpose),
        ("summary", file.summary if detail.long_summaries else None),
        ("last change", file.last_change),
        ("exports", ", ".join(file.exports[:40])),
        ("danger", file.danger),
        ("state", f"stale, confidence {file.confidence:.2f}" if file.is_stale else None),
    ]
    head = Item(f"- {clean(file.path)}: {file.lines} lines", {"path": file.path, "lines": file.lines})
    return [head] + [
        Item(f"- {name}: {_text(value, detail.clip)}", {name.replace(" ", "_"): value})
        for name, value in facts
        if value
    ]


def _sentence(record: FunctionRecord | FileRecord | None, detail: Detail) -> str:
    """The best description there is: a written one, else the docstring's first sentence."""
    if record is None:
        return ""
    if isinstance(record, FileRecord):
        return _text(record.purpose or record.summary, detail.clip)
    if detail.long_summaries and record.summary_long:
        return _text(record.summary_long, detail.clip)
    return _text(record.summary or record.docstring, min(detail.clip, 160))


def _function(record: FunctionRecord, detail: Detail, *, is_focus: bool) -> Item:
    name = record.id.partition("::")[2]
    sentence = _sentence(record, detail)
    marks = [
        "in focus" if is_focus else "",
        "tainted" if record.is_tainted else "",
        "stale" if record.is_stale else "",
        f"mutates {_text(', '.join(record.mutates), 80)}" if record.mutates else "",
        f"danger: {_text(record.danger, detail.clip)}" if record.danger else "",
    ]
    lines = f"{record.start_line}-{record.end_line}"
    text = f"- {clean(name)} (lines {lines}): `{_text(record.signature, detail.clip)}`"
    return Item(
        " — ".join(part for part in (text, sentence, "; ".join(filter(None, marks))) if part),
        {
            "id": record.id,
            "kind": record.kind,
            "signature": record.signature,
            "lines": [record.start_line, record.end_line],
            "summary": sentence,
            "mutates": list(record.mutates),
            "tainted": record.is_tainted,
            "stale": record.is_stale,
            "danger": record.danger,
        },
    )


# Direct interface


def _interface(material: Material, detail: Detail) -> list[Block]:
    path = clean(material.query.path)
    own = [d for d in material.dangers if d.scope != "*"]
    dependents = material.dependents
    shown = dependents if len(dependents) <= FAN_IN else dependents[:TOP_DEPENDENTS]
    return [
        Block(
            "Dangers here",
            [_danger(each, detail) for each in sorted(own, key=lambda d: -specificity(d.scope))],
            more=f'get_dangers("{path}")',
            is_must=True,
        ),
        Block(
            "Imports",
            _files(material.imports[: detail.most], material, detail),
            total=len(material.imports),
            more=f'get_neighbours("{path}")',
        ),
        Block(
            "Imported by",
            _files(shown, material, detail),
            total=len(dependents),
            more=f'get_neighbours("{path}")' + _by_system(dependents, shown),
        ),
    ]


def _by_system(dependents: tuple[Neighbour, ...], shown: tuple[Neighbour, ...]) -> str:
    """Where the dependents that are not listed lie, as counts per top folder."""
    if len(dependents) == len(shown):
        return ""
    counts: dict[str, int] = {}
    for each in dependents:
        top = each.file.partition("/")[0] if "/" in each.file else "."
        counts[top] = counts.get(top, 0) + 1
    parts = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:6]
    return " (all by folder: " + ", ".join(f"{clean(name)} {count}" for name, count in parts) + ")"


def _files(found: Iterable[Neighbour], material: Material, detail: Detail) -> list[Item]:
    return [_file(each, material.file_records.get(each.id), detail) for each in found]


def _file(neighbour: Neighbour, record: FileRecord | None, detail: Detail) -> Item:
    text = f"- {clean(neighbour.id)}"
    data: dict[str, Any] = {"path": neighbour.id, "line": neighbour.at_line, "rank": round(neighbour.rank, 6)}
    if record is not None and not detail.flat_interface:
        purpose = _sentence(record, detail)
        exports = _text(", ".join(record.exports[:12]), 160)
        text += f": {purpose}" if purpose else ""
        text += f" [exports {exports}]" if exports else ""
        data |= {"purpose": purpose, "exports": list(record.exports[:12])}
    return Item(text, data)


# Calls


def _calls(material: Material, detail: Detail) -> list[Block]:
    focus = clean(material.focus.id if material.focus else material.query.path)
    fetch = f'get_callers("{focus}")' if material.focus else f'get_neighbours("{focus}")'
    return [
        _ends("Callers", material.callers, material, detail, fetch, at_caller=True),
        _ends("Calls", material.callees, material, detail, f'get_neighbours("{focus}")', at_caller=False),
    ]


def _ends(
    heading: str,
    found: tuple[Neighbour, ...],
    material: Material,
    detail: Detail,
    more: str,
    *,
    at_caller: bool,
) -> Block:
    """One item a function: its call sites are gathered in it."""
    sites: dict[str, list[Neighbour]] = {}
    for each in found:
        sites.setdefault(each.id, []).append(each)
    items = [
        _call(sites[end], material.function_records.get(end), detail, at_caller)
        for end in list(sites)[: detail.most]
    ]
    return Block(heading, items, total=len(sites), more=more)


def _call(calls: list[Neighbour], record: FunctionRecord | None, detail: Detail, at_caller: bool) -> Item:
    first = calls[0]
    name = first.id.partition("::")[2]
    lines = sorted({each.at_line for each in calls})
    places = ", ".join(map(str, lines[:5])) + (f" and {len(lines) - 5} more" if len(lines) > 5 else "")
    where = f"{clean(first.file)}:{places}" if at_caller else f"{clean(first.file)}:{first.line}"
    text = f"- {clean(name)} `{_text(first.signature or name, detail.clip)}` {where}"
    if not at_caller:
        text += f" (called at {places})"
    if first.ambiguous:
        text += f" (one of {len(first.candidates)} candidates)"
    if first.tainted:
        text += " (tainted)"
    sentence = "" if detail.call_names_only else _sentence(record, detail)
    return Item(
        text + (f" — {sentence}" if sentence else ""),
        {
            "id": first.id,
            "file": first.file,
            "line": first.line,
            "at_lines": lines,
            "signature": first.signature,
            "summary": sentence,
            "ambiguous": first.ambiguous,
            "candidates": list(first.candidates),
            "tainted": first.tainted,
            "rank": round(first.rank, 6),
        },
    )
