"""Files, functions and directories as the index has them: reading only."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from sctx_tui.graph.store import Row, Store


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A listed file. Texts are None where nothing is known."""

    path: str
    language: str  # "" when it isn't parsed
    problem: str | None  # why not, or what is wrong with it
    system: str
    purpose: str | None
    exports: tuple[str, ...]
    imports: tuple[str, ...]
    used_by: tuple[str, ...]  # at most 15; `used_by_count` is exact
    used_by_count: int
    summary: str | None
    danger: str | None
    last_change: str | None
    semantic_hash: str | None
    content_hash: str | None
    confidence: float
    is_stale: bool
    lines: int
    size: int  # bytes


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    """A function, method, class, interface or a module's own code (`path::<module>`)."""

    id: str
    file: str
    class_name: str | None
    name: str
    kind: str
    signature: str
    summary: str | None
    summary_long: str | None
    mutates: tuple[str, ...]
    danger: str | None
    is_tainted: bool
    taint_source: str | None
    start_line: int
    end_line: int
    docstring: str | None
    decorators: tuple[str, ...]
    is_exported: bool
    semantic_hash: str | None
    confidence: float
    is_stale: bool


class Outline(NamedTuple):
    """Of a function, what a list of many shows."""

    id: str
    file: str
    name: str
    signature: str
    line: int
    is_tainted: bool


@dataclass(frozen=True, slots=True)
class DirectoryRecord:
    """A folder with listed files somewhere below it; "" is the root."""

    path: str
    file_count: int  # at any depth
    purpose: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """The size and state of the index as a whole."""

    files: int
    parsed_files: int
    functions: int
    calls_resolved: int
    calls_ambiguous: int
    imports: int
    stale_files: int
    stale_functions: int
    tainted: int  # functions with an entry in the taint queue
    problems: int  # files that could not be read as they are
    confidence: tuple[int, ...]  # files with confidence 1, >= 0.75, >= 0.5, >= 0.25, below


_FILE = (
    "path, language, problem, system, purpose, exports, imports, used_by, used_by_count, summary, danger,"
    " last_change, semantic_hash, content_hash, confidence, is_stale, lines, size"
)
_FUNCTION = (
    "id, file, class_name, name, kind, signature, summary, summary_long, mutates, danger, is_tainted,"
    " taint_source, start_line, end_line, docstring, decorators, is_exported, semantic_hash, confidence,"
    " is_stale"
)

_OUTLINE = "id, file, name, signature, start_line, is_tainted"
_IN_SOURCE_ORDER = "ORDER BY start_line, end_line DESC, id"


def _texts(array: str) -> tuple[str, ...]:
    return tuple(json.loads(array)) if array != "[]" else ()


def _decoded(row: Row, *, arrays: tuple[int, ...], flags: tuple[int, ...]) -> list[Any]:
    values = list(row)
    for index in arrays:
        values[index] = _texts(values[index])
    for index in flags:
        values[index] = bool(values[index])
    return values


def _file(row: Row) -> FileRecord:
    return FileRecord(*_decoded(row, arrays=(5, 6, 7), flags=(15,)))


def _function(row: Row) -> FunctionRecord:
    return FunctionRecord(*_decoded(row, arrays=(8, 15), flags=(10, 16, 19)))


def _outline(row: Row) -> Outline:
    return Outline._make((*row[:5], bool(row[5])))


def file(store: Store, path: str) -> FileRecord | None:
    """The file at `path`, or None when the index doesn't know it."""
    row = store.row(f"SELECT {_FILE} FROM files WHERE path = ?", (path,))
    return _file(row) if row else None


def is_known(store: Store, path: str) -> bool:
    """Whether the index has a file at `path`."""
    return store.value("SELECT 1 FROM files WHERE path = ?", (path,)) is not None


def files(store: Store, paths: Collection[str]) -> dict[str, FileRecord]:
    """Those of `paths` that the index knows."""
    rows = store.rows(
        f"SELECT {_FILE} FROM files WHERE path IN (SELECT value FROM json_each(?))",
        (json.dumps(list(paths)),),
    )
    return {row[0]: _file(row) for row in rows}


def paths(store: Store) -> list[str]:
    """Every path, sorted."""
    return [path for (path,) in store.rows("SELECT path FROM files ORDER BY path")]


def function(store: Store, function_id: str) -> FunctionRecord | None:
    """The function with this id, or None."""
    row = store.row(f"SELECT {_FUNCTION} FROM functions WHERE id = ?", (function_id,))
    return _function(row) if row else None


def functions(store: Store, ids: Collection[str]) -> dict[str, FunctionRecord]:
    """Those of `ids` that the index knows."""
    rows = store.rows(
        f"SELECT {_FUNCTION} FROM functions WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row[0]: _function(row) for row in rows}


def functions_of(store: Store, path: str) -> list[FunctionRecord]:
    """Every function of a file in source order, its module and classes among them."""
    rows = store.rows(f"SELECT {_FUNCTION} FROM functions WHERE file = ? {_IN_SOURCE_ORDER}", (path,))
    return [_function(row) for row in rows]


def outlines(store: Store, ids: Collection[str]) -> dict[str, Outline]:
    """Of those of `ids` that the index knows, what lists show."""
    rows = store.rows(
        f"SELECT {_OUTLINE} FROM functions WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row[0]: _outline(row) for row in rows}


def outlines_of(store: Store, path: str) -> list[Outline]:
    """Every function of a file as lists show it, in source order."""
    rows = store.rows(f"SELECT {_OUTLINE} FROM functions WHERE file = ? {_IN_SOURCE_ORDER}", (path,))
    return [_outline(row) for row in rows]


def functions_named(store: Store, name: str, limit: int = 20) -> list[FunctionRecord]:
    """Functions whose bare name is `name`, by id; to suggest one when an id is unknown."""
    rows = store.rows(f"SELECT {_FUNCTION} FROM functions WHERE name = ? ORDER BY id LIMIT ?", (name, limit))
    return [_function(row) for row in rows]


def tainted_files(store: Store) -> set[str]:
    """Files with a tainted function."""
    return {path for (path,) in store.rows("SELECT DISTINCT file FROM functions WHERE is_tainted")}


def stale_files(store: Store) -> set[str]:
    """Files whose description is older than their code."""
    return {path for (path,) in store.rows("SELECT path FROM files WHERE is_stale")}


def directories(store: Store, parent: str = "") -> list[DirectoryRecord]:
    """The folders directly below `parent`, by name."""
    rows = store.rows(
        "SELECT path, file_count, purpose FROM directories WHERE parent = ? ORDER BY path", (parent,)
    )
    return [DirectoryRecord(*row) for row in rows]


def directory(store: Store, path: str) -> DirectoryRecord | None:
    """The folder at `path`, or None."""
    row = store.row("SELECT path, file_count, purpose FROM directories WHERE path = ?", (path,))
    return DirectoryRecord(*row) if row else None


def files_in(store: Store, directory: str) -> list[FileRecord]:
    """The files directly in a folder, by name."""
    start = directory + "/" if directory else ""
    rows = store.rows(
        f"SELECT {_FILE} FROM files"
        " WHERE path >= ? AND path < ? AND instr(substr(path, ?), '/') = 0 ORDER BY path",
        (start, directory + "0" if directory else "\U0010ffff", len(start) + 1),
    )
    return [_file(row) for row in rows]


def files_below(store: Store, directory: str) -> bool:
    """Whether any file lies below a folder; "" is the root."""
    if not directory:
        return bool(store.value("SELECT 1 FROM files LIMIT 1"))
    row = store.value(
        "SELECT 1 FROM files WHERE path >= ? AND path < ? LIMIT 1", (f"{directory}/", f"{directory}0")
    )
    return bool(row)


def problems(store: Store) -> list[tuple[str, str]]:
    """(path, what is wrong) of files that could not be read as they are, by path."""
    return [
        (p, m)
        for p, m in store.rows("SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path")
    ]


def counts(store: Store) -> Counts:
    """Everything `ctx status` counts."""
    files_row = store.row(
        "SELECT count(*), sum(language <> ''), sum(is_stale),"
        " sum(problem IS NOT NULL), sum(confidence >= 1), sum(confidence >= 0.75 AND confidence < 1),"
        " sum(confidence >= 0.5 AND confidence < 0.75), sum(confidence >= 0.25 AND confidence < 0.5),"
        " sum(confidence < 0.25) FROM files"
    )
    function_row = store.row("SELECT count(*), sum(is_stale), sum(is_tainted) FROM functions")
    call_row = store.row("SELECT sum(NOT is_ambiguous), sum(is_ambiguous) FROM call_graph")
    imports = store.value("SELECT count(*) FROM file_links WHERE import_line > 0")
    assert files_row and function_row and call_row
    known, parsed, stale, problems, *spread = (number or 0 for number in files_row)
    functions_known, functions_stale, tainted = (number or 0 for number in function_row)
    resolved, ambiguous = (number or 0 for number in call_row)
    return Counts(
        files=known,
        parsed_files=parsed,
        functions=functions_known,
        calls_resolved=resolved,
        calls_ambiguous=ambiguous,
        imports=imports,
        stale_files=stale,
        stale_functions=functions_stale,
        tainted=tainted,
        problems=problems,
        confidence=tuple(spread),
    )
