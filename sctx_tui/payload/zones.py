"""Material as the four zones of the document, at a chosen level of detail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sctx_tui.graph.neighbours import Neighbour
from sctx_tui.graph.store_records import FileRecord, FunctionRecord
from sctx_tui.payload.detail import SHORT, Detail, danger_item, for_call, one_line
from sctx_tui.payload.document import Block, Item, Zone
from sctx_tui.payload.guardrails import guardrails
from sctx_tui.payload.material import Material, shown_dependents
from sctx_tui.payload.scopes import specificity
from sctx_tui.sanitize import clean

# Focus


def _focus(material: Material, detail: Detail) -> list[Block]:
    file = material.file
    if file is None:
        return []
    path = file.path
    functions = [each for each in material.functions if each.kind != "module"]
    nearest = _nearest(functions, material.line)
    if len(functions) > detail.paginate_above:
        nearest = nearest[: detail.nearest]
    distances = {each.id: number for number, each in enumerate(nearest)}
    shown = sorted(nearest, key=lambda each: (each.start_line, -each.end_line))
    return [
        Block(
            "Taint: look at these again",
            [
                Item(
                    f"- {clean(t.function)}: {one_line(t.reason, SHORT)} changed in {clean(t.source)}"
                    + (" (perhaps a caller)" if t.is_candidate else ""),
                    {
                        "function": t.function,
                        "source": t.source,
                        "reason": t.reason,
                        "candidate": t.is_candidate,
                    },
                )
                for t in material.taints[: detail.most]
            ],
            total=len(material.taints),
            more=f'get_tainted("{for_call(path)}")',
        ),
        Block("File", _file_record(file, detail)),
        Block(
            "Functions",
            [_function(each, material, detail, distances[each.id]) for each in shown],
            total=len(functions),
            more=f'get_context("{for_call(path)}", LINE) has those near another line',
        ),
    ]


def _nearest(functions: list[FunctionRecord], line: int | None) -> list[FunctionRecord]:
    """By distance in lines, of nested ones the inner first; without a line by visibility, in source order."""
    if line is None:
        return sorted(functions, key=lambda f: (not f.is_exported, f.start_line))
    return sorted(functions, key=lambda f: (max(f.start_line - line, line - f.end_line, 0), -f.start_line))


def _file_record(file: FileRecord, detail: Detail) -> list[Item]:
    facts: list[tuple[str, str | None]] = [
        ("language", file.language or "not parsed"),
        ("problem", file.problem),
        ("system", file.system),
        ("purpose", file.purpose),
        ("summary", file.summary if detail.long_summaries else None),
        ("last change", file.last_change),
        ("exports", ", ".join(file.exports[:40])),
        ("state", f"stale, confidence {file.confidence:.2f}" if file.is_stale else None),
    ]
    head = Item(f"- {clean(file.path)}: {file.lines} lines", {"path": file.path, "lines": file.lines})
    return [head] + [
        Item(f"- {name}: {one_line(value, detail.clip)}", {name.replace(" ", "_"): value})
        for name, value in facts
        if value
    ]


def _sentence(record: FunctionRecord | FileRecord | None, detail: Detail) -> str:
    """The best description there is: a written one, else the docstring's first sentence."""
    if record is None:
        return ""
    if isinstance(record, FileRecord):
        return one_line(record.purpose or record.summary, detail.clip)
    if detail.long_summaries and record.summary_long:
        return one_line(record.summary_long, detail.clip)
    return one_line(record.summary or record.docstring, min(detail.clip, 160))


def _function(record: FunctionRecord, material: Material, detail: Detail, distance: int) -> Item:
    """What is farther away is left out first."""
    is_focus = material.focus is not None and record.id == material.focus.id
    name = record.id.partition("::")[2]
    sentence = _sentence(record, detail)
    marks = [
        "in focus" if is_focus else "",
        "tainted" if record.is_tainted else "",
        "stale" if record.is_stale else "",
        f"mutates {one_line(', '.join(record.mutates), 80)}" if record.mutates else "",
        "danger, see below" if record.danger else "",
    ]
    lines = f"{record.start_line}-{record.end_line}"
    text = f"- {clean(name)} (lines {lines}): `{one_line(record.signature, detail.clip)}`"
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
        specificity=-distance,
    )


# Direct interface


def _interface(material: Material, detail: Detail) -> list[Block]:
    path = for_call(material.query.path)
    own = [d for d in material.dangers if d.scope != "*"]
    dependents = material.dependents
    shown = shown_dependents(dependents)
    return [
        Block(
            "Dangers here",
            [danger_item(each, detail) for each in sorted(own, key=lambda d: -specificity(d.scope))]
            + _described_dangers(material, detail),
            more=f'get_dangers("{path}")',
            is_must=True,
        ),
        Block(
            "Imports",
            _files(material.imports[: detail.most], material, detail),
            total=len(material.imports),
            more=f'get_neighbours(file="{path}")',
        ),
        Block(
            "Imported by",
            _files(shown, material, detail),
            total=len(dependents),
            more=f'get_neighbours(file="{path}")' + _by_system(dependents, shown),
        ),
    ]


def _described_dangers(material: Material, detail: Detail) -> list[Item]:
    """What was written at the file itself and at its functions."""
    file = material.file
    written = [(file.path, file.danger)] if file else []
    written += [(each.id, each.danger) for each in material.functions]
    return [
        Item(
            f"- {one_line(text, detail.clip)} (for {one_line(target, 200)})",
            {"scope": target, "danger": text},
            specificity(target),
        )
        for target, text in written
        if text
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
        exports = one_line(", ".join(record.exports[:12]), 160)
        text += f": {purpose}" if purpose else ""
        text += f" [exports {exports}]" if exports else ""
        data |= {"purpose": purpose, "exports": list(record.exports[:12])}
    return Item(text, data)


# Calls


def _calls(material: Material, detail: Detail) -> list[Block]:
    focus = for_call(material.focus.id if material.focus else material.query.path)
    around = f'get_neighbours({"function_id" if material.focus else "file"}="{focus}")'
    callers = f'get_callers("{focus}")' if material.focus else around
    return [
        Block(
            title,
            [_call(each, material, detail, at_caller=title == "Callers") for each in ends[: detail.most]],
            total=total,
            more=more,
        )
        for title, ends, total, more in (
            ("Callers", _by_end(material.callers), material.all_callers, callers),
            ("Calls", _by_end(material.callees), material.all_callees, around),
        )
    ]


def _by_end(found: tuple[Neighbour, ...]) -> list[list[Neighbour]]:
    """The calls of each function at the other end: they are gathered in one item."""
    ends: dict[str, list[Neighbour]] = {}
    for each in found:
        ends.setdefault(each.id, []).append(each)
    return list(ends.values())


def _call(calls: list[Neighbour], material: Material, detail: Detail, *, at_caller: bool) -> Item:
    first = calls[0]
    record = material.function_records.get(first.id)
    name = first.id.partition("::")[2]
    lines = sorted({each.at_line for each in calls})
    places = ", ".join(map(str, lines[:5])) + (f" and {len(lines) - 5} more" if len(lines) > 5 else "")
    where = f"{clean(first.file)}:{places}" if at_caller else f"{clean(first.file)}:{first.line}"
    text = f"- {clean(name)} `{one_line(first.signature or name, detail.clip)}` {where}"
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


# All of them

_PARTS: tuple[tuple[str, str, Callable[[Material, Detail], list[Block]], tuple[str, ...]], ...] = (
    ("guardrails", "Guardrails", guardrails, ("clip",)),
    ("focus", "Focus", _focus, ("long_summaries", "nearest", "paginate_above", "clip")),
    ("interface", "Direct interface", _interface, ("flat_interface", "clip")),
    ("calls", "Calls", _calls, ("long_summaries", "call_names_only", "clip")),
)
"""Name, title, what makes the blocks, and the fields of Detail that matter to it."""


def zones(
    material: Material,
    detail: Detail,
    budgets: Sequence[int],
    before: tuple[Detail, Sequence[Zone]] | None = None,
) -> list[Zone]:
    """The four zones; a block with nothing to say is left out.

    `before`: zones of the same material in another detail; those that would come out the same are taken over.
    """
    made = []
    for number, ((name, title, blocks, fields), budget) in enumerate(zip(_PARTS, budgets, strict=True)):
        if before and all(getattr(detail, field) == getattr(before[0], field) for field in fields):
            made.append(before[1][number])
        else:
            shown = [block for block in blocks(material, detail) if block.total]
            made.append(Zone(name, title, budget, shown))
    return made
