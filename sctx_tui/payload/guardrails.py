"""The first zone: guidance, decisions, what holds everywhere, the last session, the folded tree."""

from __future__ import annotations

from sctx_tui.graph.store_notes import Decision
from sctx_tui.graph.store_records import DirectoryRecord, FileRecord
from sctx_tui.guidance.model import ContextEntry, Judged
from sctx_tui.guidance.model import Decision as WrittenDecision
from sctx_tui.payload.detail import SHORT, Detail, danger_item, for_call, indented, one_line
from sctx_tui.payload.document import Block, Item
from sctx_tui.payload.material import Material
from sctx_tui.payload.scopes import specificity
from sctx_tui.sanitize import clean
from sctx_tui.wording import counted

MOST_ALTERNATIVES = 10


def guardrails(material: Material, detail: Detail) -> list[Block]:
    """The first zone: guidance, decisions and dangers that hold for the path."""
    resolution = material.resolution
    path = for_call(material.query.path)
    return [
        Block(
            "Guidance",
            [_entry(each) for each in resolution.context],
            more=f'get_guidance("{path}")',
            is_must=True,
        ),
        Block(
            "Decisions in AGENTS.yaml",
            [_written_decision(each) for each in resolution.decisions],
            more=f'get_decisions("{path}")',
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
            [danger_item(each, detail) for each in material.dangers if each.scope == "*"],
            more='get_dangers("*")',
            is_must=True,
        ),
        Block(
            "Decisions in the index",
            [
                Item(
                    f"- [{d.id}] {one_line(d.decision, detail.clip)}"
                    f" (for {one_line(d.scope, 200)}, by {one_line(d.source, SHORT)})"
                    + "".join(f"\n  Rejected: {each}" for each in _rejected(d, detail))
                    + (f"\n  Reason: {one_line(d.reason, detail.clip)}" if d.reason else ""),
                    {"id": d.id, "scope": d.scope, "decision": d.decision, "source": d.source},
                )
                for d in _nearest(material.decisions)[: detail.most]
            ],
            total=len(material.decisions),
            more=f'get_decisions("{path}")',
        ),
        Block(
            "Last session entries",
            [
                Item(
                    f"- {clean(s.created_at[:16])} {one_line(s.kind, SHORT)} by {one_line(s.source, SHORT)}:"
                    f" {one_line(s.entry, detail.clip)}",
                    {"kind": s.kind, "entry": s.entry, "files": list(s.files_touched), "at": s.created_at},
                )
                for s in material.session
            ],
        ),
        _tree(material, detail),
    ]


def _rejected(decision: Decision, detail: Detail) -> list[str]:
    shown = [one_line(each, detail.clip) for each in decision.alternatives[:MOST_ALTERNATIVES]]
    left = len(decision.alternatives) - len(shown)
    return [*shown, f"{left} more"] if left else shown


def _nearest(decisions: list[Decision]) -> list[Decision]:
    """The most specific first, of equal ones the newest."""
    return sorted(decisions, key=lambda d: (-specificity(d.scope), -d.id))


def _entry(judged: Judged) -> Item:
    entry = judged.entry
    assert isinstance(entry, ContextEntry)
    scope = f"{clean(judged.file)}:{judged.line}; on {', '.join(entry.on)}; when {entry.when}"
    return Item(
        f"- {indented(entry.content)} ({scope})",
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
    lines = [f"- {indented(entry.decision)}" + (f" ({clean(entry.date)})" if entry.date else "")]
    lines[0] += f" ({clean(judged.file)}:{judged.line})"
    lines.append(f"  Rationale: {indented(entry.rationale)}")
    lines += [f"  Rejected: {indented(a.option)}: {indented(a.reason_rejected)}" for a in entry.alternatives]
    if entry.revisit_when:
        lines.append(f"  Revisit when: {indented(entry.revisit_when)}")
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


def _tree(material: Material, detail: Detail) -> Block:
    """The files beside the target, and every folder on the way up folded to a line; what is near is first."""
    near: list[DirectoryRecord | FileRecord] = []
    target = material.query.path
    here = material.folders[-1][0] if material.folders else ""
    for parent, folders in reversed(material.folders):
        # The way to the target is spelt out by its own path.
        near += [each for each in folders if not f"{target}/".startswith(each.path + "/")]
        near += _beside(material.files_here, target) if parent == here else []
    items: list[Item] = []
    left = detail.tree_room
    for each in near:
        if left < 0:
            break
        items.append(_folder(each) if isinstance(each, DirectoryRecord) else _listed(each))
        left -= items[-1].tokens
    return Block("Project tree", items, total=len(near), more="list the folder")


def _folder(folder: DirectoryRecord) -> Item:
    purpose = f": {one_line(folder.purpose, 120)}" if folder.purpose else ""
    return Item(
        f"- {clean(folder.path)}/ {counted(folder.file_count, 'file')}{purpose}",
        {"folder": folder.path, "files": folder.file_count, "purpose": folder.purpose},
    )


def _listed(file: FileRecord) -> Item:
    purpose = f": {one_line(file.purpose, 120)}" if file.purpose else ""
    return Item(f"- {clean(file.path)}{purpose}", {"file": file.path, "purpose": file.purpose})


def _beside(files: list[FileRecord], target: str) -> list[FileRecord]:
    """The files of the target's folder, the most used first where there are many."""
    others = [file for file in files if file.path != target]
    return sorted(others, key=lambda file: (-file.used_by_count, file.path))
