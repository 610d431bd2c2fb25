"""The tools that only read."""

from __future__ import annotations

import os
from typing import Any

from sctx_tui.graph import neighbours, store_edges, store_notes, store_records, store_search, store_taint
from sctx_tui.graph.ids import file_of
from sctx_tui.graph.neighbours import Neighbour
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_notes import Danger
from sctx_tui.guidance.model import ContextEntry, Decision, Judged, Resolution
from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve, resolve_all
from sctx_tui.payload import build as payload
from sctx_tui.payload.detail import SHORT
from sctx_tui.payload.scopes import covers, specificity
from sctx_tui.payload.tokens import estimate
from sctx_tui.regular import open_regular
from sctx_tui.sanitize import clean
from sctx_tui.services.mcp.answers import (
    ANSWER_TOKENS,
    MOST_LISTED,
    Answer,
    Refused,
    beginning,
    line,
    listing,
)
from sctx_tui.services.mcp.session import NO_INDEX, Session

Arguments = dict[str, Any]
SOURCE_BYTES = 4 << 20
MOST_HITS = 200
"""Hits of a search that can be paged through."""
LONG = 4000
"""Characters of a text that is asked for by itself, such as a danger; a longer one is cut."""


def get_context(session: Session, arguments: Arguments) -> Answer:
    """The budgeted payload for a file and line."""
    file = arguments["file"]
    try:
        document = payload.build(
            file, root=session.root, line=arguments.get("line"), store=session.find_store()
        )
    except OutsideRoot as error:
        raise Refused(clean(str(error))) from error
    steps = [{"name": step.name, "fetch": step.fetch} for step in document.steps]
    return Answer(
        document.markdown(),
        {
            "path": document.path,
            "tokens": document.tokens,
            "budget": document.budget,
            "zones": {zone.name: zone.tokens for zone in document.zones},
            "steps": steps,
            "notes": document.notes,
        },
    )


def get_function(session: Session, arguments: Arguments) -> Answer:
    """One function's full record, its source from disk, and who is around it in numbers."""
    record = session.function(arguments["id"])
    store = session.store()
    file = store_records.file(store, record.file)
    notes = session.staleness(file) if file else []
    facts: list[tuple[str, str]] = [
        ("kind", record.kind),
        ("place", f"{record.file}:{record.start_line}-{record.end_line}"),
        ("signature", record.signature),
        ("decorators", ", ".join(record.decorators)),
        ("summary", record.summary or ""),
        ("long summary", record.summary_long or ""),
        ("docstring", record.docstring or ""),
        ("mutates", ", ".join(record.mutates)),
        ("danger", record.danger or ""),
        ("state", _state(record.is_stale, record.is_tainted, record.confidence)),
        ("callers", str(store_edges.fan_in(store, [record.id]).get(record.id, 0))),
    ]
    head = [clean(record.id), *(f"{name}: {line(value, 1000)}" for name, value in facts if value), *notes]
    taints = [t for t in store_taint.queue(store, record.file) if t.function == record.id]
    head += [f"tainted by {clean(t.source)} ({line(t.reason, SHORT)})" for t in taints[:10]]
    source, cut = _source(session, record.file, record.start_line, record.end_line, estimate("\n".join(head)))
    data = {name.replace(" ", "_"): line(value, 1000) for name, value in facts if value}
    return Answer("\n".join((*head, "", *source, *cut)), {"id": record.id, **data, "notes": notes + cut})


def _state(is_stale: bool, is_tainted: bool, confidence: float) -> str:
    words = [word for word, holds in (("stale", is_stale), ("tainted", is_tainted)) if holds]
    return ", ".join([*words, f"confidence {confidence:.2f}"])


def _source(session: Session, path: str, start: int, end: int, used: int) -> tuple[list[str], list[str]]:
    """Numbered lines from disk as far as the answer has room, and a note about the rest."""
    full = os.path.join(session.root, session.path(path))
    try:
        if os.path.getsize(full) > SOURCE_BYTES:
            return [], [f"source of {clean(path)} not shown: larger than {SOURCE_BYTES >> 20} MiB"]
        with open_regular(full) as opened:
            lines = opened.read(SOURCE_BYTES).decode("utf-8", "replace").split("\n")[start - 1 : end]
    except OSError as error:
        return [], [f"source of {clean(path)} not shown: {error.strerror}"]
    shown: list[str] = []
    left = ANSWER_TOKENS - used - 30
    for number, text in enumerate(lines, start):
        numbered = f"{number:5} {clean(text[:2000])}"
        left -= estimate(numbered) + 1
        if left < 0:
            return shown, [f"{len(shown)} of {len(lines)} lines; read {clean(path)}:{number} for the rest"]
        shown.append(numbered)
    return shown, []


def search(session: Session, arguments: Arguments) -> Answer:
    """Full-text search over names, signatures, purposes and summaries."""
    query, limit = arguments["query"], arguments.get("limit", 10)
    hits = store_search.search(session.store(), query, limit=MOST_HITS)
    notes = [f"only the best {MOST_HITS} are listed; more words find fewer"] if len(hits) == MOST_HITS else []
    return listing(
        f'Search for "{line(query, 80)}"',
        hits,
        lambda hit: (
            f"- {clean(hit.id)} ({line(hit.kind, SHORT)}, line {hit.line}) {line(hit.signature, 160)}"
            + (f" — {line(hit.text, 160)}" if hit.text else ""),
            {"id": hit.id, "kind": hit.kind, "file": hit.file, "line": hit.line, "text": line(hit.text, 160)},
        ),
        offset=arguments.get("offset", 0),
        call=f'search("{line(query, 80)}", limit={limit}',
        notes=notes,
        most=limit,
    )


def get_dangers(session: Session, arguments: Arguments) -> Answer:
    """Dangers that hold for a scope: recorded ones, and those written at files and functions."""
    scope = arguments.get("scope")
    store = session.store()
    found = store_notes.dangers(store)
    found += [Danger(0, *each[:2], None, each[2], "") for each in store_notes.described_dangers(store)]
    if scope is not None:
        path = scope if scope == "*" else session.path(file_of(scope))
        found = [each for each in found if each.scope in (scope, path) or covers(each.scope, path)]
    found.sort(key=lambda each: (-specificity(each.scope), each.id, each.scope))
    return listing(
        "Dangers",
        found,
        _danger_row,
        offset=arguments.get("offset", 0),
        call="get_dangers(" + (f'scope="{line(scope, 120)}"' if scope is not None else "scope=None"),
    )


def _danger_row(danger: Danger) -> tuple[str, dict[str, Any]]:
    number = f"[{danger.id}] " if danger.id else ""  # none: written at the file or function itself
    source = line(danger.source, SHORT)
    text = f"- {number}{line(danger.description, LONG)} (for {line(danger.scope, 120)}, by {source})"
    text += f" Because: {line(danger.reason)}" if danger.reason else ""
    row = {"id": danger.id or None, "scope": line(danger.scope), "danger": line(danger.description, LONG)}
    return text, row | {"reason": line(danger.reason), "source": source}


def get_decisions(session: Session, arguments: Arguments) -> Answer:
    """Decisions of both stores, each marked with its source."""
    scope = arguments.get("scope")
    rows = [_written_row(judged) for judged in _written_decisions(session, scope)]
    store = session.find_store()
    rows += [
        _recorded_row(each)
        for each in (store_notes.decisions(store) if store else ())
        if scope in (None, "*", each.scope) or covers(each.scope, session.path(file_of(scope)))
    ]
    return listing(
        "Decisions",
        rows,
        lambda row: row,
        offset=arguments.get("offset", 0),
        call="get_decisions(" + (f'scope="{line(scope, 120)}"' if scope is not None else "scope=None"),
        notes=() if store else (NO_INDEX,),
    )


def _recorded_row(decision: store_notes.Decision) -> tuple[str, dict[str, Any]]:
    rejected = [line(option) for option in decision.alternatives]
    source = line(decision.source, SHORT)
    text = f"- [{decision.id}] {line(decision.decision, LONG)}"
    text += f" (index, for {line(decision.scope, 120)}, by {source})"
    text += "".join(f"\n  Rejected: {option}" for option in rejected)
    text += f"\n  Reason: {line(decision.reason)}" if decision.reason else ""
    row = {"id": decision.id, "scope": line(decision.scope), "decision": line(decision.decision, LONG)}
    return text, row | {
        "source": source,
        "alternatives": rejected,
        "reason": line(decision.reason),
    }


def _written_decisions(session: Session, scope: str | None) -> list[Judged]:
    if scope is None or scope == "*":
        return resolve_all(session.root).decisions
    return _resolve(session, {"path": file_of(scope)}).decisions


def _written_row(judged: Judged) -> tuple[str, dict[str, Any]]:
    entry = judged.entry
    assert isinstance(entry, Decision)
    place = f"{clean(judged.file)}:{judged.line}"
    text = f"- {line(entry.decision, LONG)} ({place}{', ' + line(entry.date, 20) if entry.date else ''})"
    text += f"\n  Rationale: {line(entry.rationale, LONG)}"
    text += "".join(f"\n  Rejected: {line(a.option)}: {line(a.reason_rejected)}" for a in entry.alternatives)
    text += f"\n  Revisit when: {line(entry.revisit_when)}" if entry.revisit_when else ""
    return text, {"decision": line(entry.decision), "rationale": line(entry.rationale), "source": place}


def get_callers(session: Session, arguments: Arguments) -> Answer:
    """Who calls a function, ranked, candidates marked."""
    record = session.function(arguments["function_id"])
    offset = arguments.get("offset", 0)
    found = neighbours.neighbourhood(session.store(), record.id, most=offset + MOST_LISTED)
    return listing(
        f"Callers of {clean(record.id)}",
        found.callers,
        _caller_row,
        offset=offset,
        total=found.all_callers.pairs,
        call=f'get_callers("{clean(record.id)}"',
        notes=_notes_for(session, record.file),
    )


def _notes_for(session: Session, path: str) -> list[str]:
    record = store_records.file(session.store(), path)
    return session.staleness(record) if record else []


def _caller_row(each: Neighbour) -> tuple[str, dict[str, Any]]:
    mark = f" (perhaps: one of {len(each.candidates)} candidates)" if each.ambiguous else ""
    text = f"- {clean(each.id)} at line {each.at_line}{mark} {line(each.signature, 160)}"
    return text, _neighbour_data(each)


def _neighbour_data(each: Neighbour) -> dict[str, Any]:
    return {
        "id": each.id,
        "file": each.file,
        "line": each.line,
        "at_line": each.at_line,
        "signature": line(each.signature, 160),
        "rank": round(each.rank, 6),
        "ambiguous": each.ambiguous,
        "candidates": list(each.candidates[:10]),
        "tainted": each.tainted,
    }


def get_tainted(session: Session, arguments: Arguments) -> Answer:
    """The taint queue, most depended-on first."""
    file = arguments.get("file")
    path = session.path(file) if file is not None else None
    return listing(
        "To look at again" + (f" in {clean(path)}" if path else ""),
        store_taint.queue(session.store(), path),
        lambda t: (
            f"- {clean(t.function)}: {line(t.reason, SHORT)} of {clean(t.source)}"
            + (" (perhaps a caller)" if t.is_candidate else "")
            + f", priority {t.priority:.1f}",
            {
                "function": t.function,
                "source": t.source,
                "reason": t.reason,
                "candidate": t.is_candidate,
                "priority": t.priority,
            },
        ),
        offset=arguments.get("offset", 0),
        call="get_tainted(" + (f'file="{clean(path)}"' if path else "file=None"),
    )


def get_neighbours(session: Session, arguments: Arguments) -> Answer:
    """What is one step away from a file or function, ranked."""
    if ("file" in arguments) == ("function_id" in arguments):
        raise Refused("give either file or function_id")
    if "file" in arguments:
        target = session.file(arguments["file"]).path
        call = f'get_neighbours(file="{clean(target)}"'
    else:
        target = session.function(arguments["function_id"]).id
        call = f'get_neighbours(function_id="{clean(target)}"'
    offset = arguments.get("offset", 0)
    near = neighbours.neighbourhood(session.store(), target, most=offset + MOST_LISTED)
    groups = (
        ("caller", near.callers),
        ("callee", near.callees),
        ("import", near.imports),
        ("dependent", near.dependents),
    )
    rows = [(relation, each) for relation, found in groups for each in found]
    rows.sort(key=lambda row: -row[1].rank)
    store = session.store()
    return listing(
        f"Neighbours of {clean(target)}",
        rows,
        lambda row: _neighbour_row(store, *row),
        offset=offset,
        total=near.all_callers.pairs + near.all_callees.pairs + len(near.imports) + len(near.dependents),
        call=call,
        notes=_notes_for(session, file_of(target)),
    )


def _neighbour_row(store: Store, relation: str, each: Neighbour) -> tuple[str, dict[str, Any]]:
    text = f"- {relation} " + _caller_row(each)[0][2:]
    data = {"relation": relation, **_neighbour_data(each)}
    record = store_records.file(store, each.id) if relation in ("import", "dependent") else None
    if record is not None:
        purpose, exports = line(record.purpose or record.summary, 160), line(", ".join(record.exports), 160)
        text += (f": {purpose}" if purpose else "") + (f" [exports {exports}]" if exports else "")
        data |= {"purpose": purpose, "exports": exports}
    return text, data


def _resolve(session: Session, arguments: Arguments) -> Resolution:
    try:
        query = make_query(
            arguments["path"],
            root=session.root,
            action=arguments.get("on", "all"),
            timing=arguments.get("when", "all"),
        )
    except OutsideRoot as error:
        raise Refused(clean(str(error))) from error
    return resolve(query)


def _asked(tool: str, resolution: Resolution, arguments: Arguments) -> str:
    more = "".join(f', {name}="{arguments[name]}"' for name in ("on", "when") if name in arguments)
    return f'{tool}("{clean(resolution.query.path)}"{more}'


def get_guidance(session: Session, arguments: Arguments) -> Answer:
    """The AGENTS.yaml entries and decisions that apply, in merge order."""
    resolution = _resolve(session, arguments)
    entries = [each for each in resolution.judged if each.applies]
    problems = [str(each) for each in resolution.problems if each.severity == "error"]
    return listing(
        f"Guidance for {clean(resolution.query.path) or '.'}",
        entries,
        _guidance_row,
        offset=arguments.get("offset", 0),
        call=_asked("get_guidance", resolution, arguments),
        notes=(*resolution.notes, *problems[:5]),
    )


def _guidance_row(judged: Judged) -> tuple[str, dict[str, Any]]:
    entry = judged.entry
    if isinstance(entry, Decision):
        return _written_row(judged)
    place = f"{clean(judged.file)}:{judged.line}"
    content = clean(entry.content.strip("\n"), multiline=True)
    shown = beginning(content, ANSWER_TOKENS - 400)
    if shown != content:
        shown += f"; read {place} for the rest"
    data = {"content": shown, "source": place, "when": entry.when, "on": list(entry.on)}
    return "- " + shown.replace("\n", "\n  ") + f" ({place})", data


def explain_guidance(session: Session, arguments: Arguments) -> Answer:
    """Every entry with its verdict and the pattern that decided."""
    resolution = _resolve(session, arguments)

    def row(judged: Judged) -> tuple[str, dict[str, Any]]:
        entry = judged.entry
        text = entry.content if isinstance(entry, ContextEntry) else entry.decision
        place = f"{judged.file}:{judged.line}"
        shown = f"- {judged.verdict}: {line(text, 120)} ({clean(place)}; {line(judged.reason, 200)})"
        data = {"kind": judged.kind, "verdict": judged.verdict, "pattern": judged.pattern, "source": place}
        return shown, data | {"reason": judged.reason}

    return listing(
        f"Every entry for {clean(resolution.query.path) or '.'}",
        resolution.judged,
        row,
        offset=arguments.get("offset", 0),
        call=_asked("explain_guidance", resolution, arguments),
        notes=resolution.notes,
    )
