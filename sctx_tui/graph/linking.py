"""From facts to the calls and imports of the index: the linker's numbers become ids and paths."""

from __future__ import annotations

import gc
import marshal
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from sctx_tui.graph.facts import FileFacts
from sctx_tui.graph.ids import public_ids
from sctx_tui.graph.link import Edge, link_all
from sctx_tui.graph.link_notes import Notes
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.store_links import CallRow
from sctx_tui.regular import open_regular

# Files that say where modules are.
PROJECT_FILES = frozenset(("go.mod", "Cargo.toml", "package.json", "tsconfig.json", "jsconfig.json"))
LARGEST_PROJECT_FILE = 1 << 20  # bytes


@contextmanager
def without_collector() -> Iterator[None]:
    """Run without Python's cycle collector: facts are millions of tuples, and none of them is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def unpack(data: bytes) -> FileFacts:
    """The facts that a worker packed."""
    found: FileFacts = marshal.loads(zlib.decompress(data))
    return found


def is_project_file(path: str) -> bool:
    """Whether a change of this file may change what other files' imports mean."""
    name = path.rpartition("/")[2]
    return name in PROJECT_FILES or (name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"))


def project_texts(root: str, paths: Iterable[str]) -> dict[str, str]:
    """The content of the project files among `paths`; those that can't be read are left out."""
    found: dict[str, str] = {}
    for path in filter(is_project_file, paths):
        full = os.path.join(root, path)
        try:
            if not os.path.islink(full) and os.path.getsize(full) <= LARGEST_PROJECT_FILE:
                with open_regular(full) as file:
                    found[path] = file.read(LARGEST_PROJECT_FILE).decode("utf-8", "replace")
        except OSError:
            continue
    return found


class LinkedProject(NamedTuple):
    """The calls and imports (imported path -> line) of every file by path; what the link leaves behind."""

    calls: dict[str, list[CallRow]]
    imports: dict[str, dict[str, int]]
    notes: Notes


def link_project(facts: Mapping[str, FileFacts], texts: Mapping[str, str]) -> LinkedProject:
    """Everything that follows from the facts of all files together; of no use to anybody afterwards, as they
    are given back part by part."""
    linked = link_all(facts, texts, spends=True)
    ids = {path: public_ids(path, of_file) for path, of_file in facts.items()}
    calls = {path: list(call_rows(path, edges, ids)) for path, edges in linked.edges.items()}
    program = Program(facts, facts.get, texts)
    return LinkedProject(calls, {path: imports_of(program, path) for path in facts}, linked.notes)


def looked_at(error: BaseException) -> str | None:
    """The path of the file that the linker was looking at when it failed, None where it was none."""
    found: str | None = None
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_locals.get("file")
        found = file.path if isinstance(file, File) else found
        trace = trace.tb_next
    return found


def call_rows(path: str, edges: Iterable[Edge], ids: Mapping[str, list[str]]) -> Iterable[CallRow]:
    """The linker's edges by id. A lambda stands for the function around it, whose call of it is no news."""
    for edge in edges:
        caller = ids[path][edge.caller]
        callee = ids[edge.callee[0]][edge.callee[1]] if edge.callee else None
        if callee == caller and edge.callee != (path, edge.caller):
            continue
        candidates = tuple(dict.fromkeys(ids[file][index] for file, index in edge.candidates))
        if callee is not None or candidates:
            yield CallRow(caller, callee, edge.line, candidates)


def imports_of(program: Program, path: str) -> dict[str, int]:
    """The files of the project that a file imports, with the line of the first import of each."""
    file = program.file(path)
    found: dict[str, int] = {}
    for spec, line, names in file.facts["imports"] if file else ():
        assert file is not None
        for target in file.rules.resolve(spec, path, program) or ():
            modules = [target] if not target.endswith("/") else []
            for name in names:
                modules.extend(program.submodule(target, name) or ())
            for module in modules:
                if module != path and module in program.path_set:
                    found.setdefault(module, line)
    return found
