"""Everything the two engines know about a file and a line, before any of it is shortened."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field

from sctx_tui.graph import neighbours, store_notes, store_records, store_taint
from sctx_tui.graph.neighbours import Neighbour, Neighbourhood
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_notes import Danger, Decision, SessionEntry
from sctx_tui.graph.store_records import DirectoryRecord, FileRecord, FunctionRecord
from sctx_tui.graph.store_taint import QueueEntry
from sctx_tui.guidance.model import Query, Resolution
from sctx_tui.guidance.resolve import resolve
from sctx_tui.payload.detail import MOST
from sctx_tui.payload.scopes import covers
from sctx_tui.regular import open_regular

SESSION_ENTRIES = 3
FAN_IN = 15  # more dependents than this become a count and the highest-ranked ones
TOP_DEPENDENTS = 5


@dataclass(slots=True)
class Material:
    """What there is to say about `query.path`; lists are in their order of importance.

    They are complete but for callers and callees: as many as could be shown, and the number of all. There are
    records of the imports, dependents, callers and callees that could be shown.
    """

    query: Query
    line: int | None
    resolution: Resolution
    notes: list[str] = field(default_factory=list)
    dangers: list[Danger] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    session: list[SessionEntry] = field(default_factory=list)
    files_here: list[FileRecord] = field(default_factory=list)
    folders: list[tuple[str, list[DirectoryRecord]]] = field(default_factory=list)
    file: FileRecord | None = None
    functions: list[FunctionRecord] = field(default_factory=list)
    taints: list[QueueEntry] = field(default_factory=list)
    imports: tuple[Neighbour, ...] = ()
    dependents: tuple[Neighbour, ...] = ()
    callers: tuple[Neighbour, ...] = ()
    callees: tuple[Neighbour, ...] = ()
    all_callers: int = 0
    all_callees: int = 0
    file_records: dict[str, FileRecord] = field(default_factory=dict)
    function_records: dict[str, FunctionRecord] = field(default_factory=dict)
    focus: FunctionRecord | None = None


def gather(query: Query, line: int | None, store: Store | None, *, most: int = MOST) -> Material:
    """Ask both engines. Without a store only guidance is known, and a note says what to do about it.

    `most` is how many items of a list could be shown at all.
    """
    material = Material(query, line, resolve(query))
    if store is None:
        material.notes.append("No code index here: run `ctx init` to add files, functions and calls.")
        return material
    path = query.path
    material.dangers = [each for each in store_notes.dangers(store) if covers(each.scope, path)]
    material.decisions = [each for each in store_notes.decisions(store) if covers(each.scope, path)]
    material.session = store_notes.session(store, SESSION_ENTRIES)
    _gather_tree(material, store)
    if not query.is_directory:
        material.file = store_records.file(store, path)
        if material.file is None:
            material.notes.append(f"{path} is not in the index: run `ctx update` for it, or `ctx sync`.")
        else:
            _gather_file(material, store, most)
    return material


def _gather_tree(material: Material, store: Store) -> None:
    """The files beside the target in full; of the folders above only the folders, with counts."""
    query = material.query
    here = query.path if query.is_directory else query.path.rpartition("/")[0]
    material.files_here = store_records.files_in(store, here)
    parents = [here]
    while here:
        here = here.rpartition("/")[0]
        parents.append(here)
    material.folders = [(parent, store_records.directories(store, parent)) for parent in reversed(parents)]


def _gather_file(material: Material, store: Store, most: int) -> None:
    file, path, line = material.file, material.query.path, material.line
    assert file is not None
    if not _is_fresh(material.query, file):
        material.notes.append("The file has changed since it was indexed: run `ctx sync`; lines may be off.")
    material.functions = store_records.functions_of(store, path)
    material.taints = store_taint.queue(store, path)
    if line is not None:
        around = [f for f in material.functions if f.kind != "module" and f.start_line <= line <= f.end_line]
        material.focus = max(around, key=lambda f: f.start_line, default=None)
    near = neighbours.neighbourhood(store, material.focus.id if material.focus else path, most=most)
    material.imports, material.dependents = near.imports, near.dependents
    shown = _shown_ends(near, most)
    material.callers = tuple(each for each in near.callers if each.id in shown)
    material.callees = tuple(each for each in near.callees if each.id in shown)
    material.all_callers, material.all_callees = near.all_callers.functions, near.all_callees.functions
    files = (*near.imports[:most], *shown_dependents(near.dependents))
    material.file_records = store_records.files(store, [each.id for each in files])
    material.function_records = store_records.functions(store, shown)


def _shown_ends(near: Neighbourhood, most: int) -> set[str]:
    """The callers and callees that could be shown: half as many for each, and what the other doesn't need."""
    into, out = (list(dict.fromkeys(each.id for each in ends)) for ends in (near.callers, near.callees))
    half = most // 2
    return {*into[: max(half, most - len(out))], *out[: max(half, most - len(into))]}


def shown_dependents(dependents: tuple[Neighbour, ...]) -> tuple[Neighbour, ...]:
    """Those that are shown."""
    return dependents if len(dependents) <= FAN_IN else dependents[:TOP_DEPENDENTS]


def _is_fresh(query: Query, file: FileRecord) -> bool:
    try:
        with open_regular(os.path.join(query.root, query.path)) as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == file.content_hash
    except OSError:
        return False
