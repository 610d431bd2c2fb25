"""Descriptions that nobody typed: by a language model, by READMEs and packages, by commits.

For a model: what waits for a description, most urgent first, and writing what came back. What a docstring,
a person or an agent says is never asked about and never written over.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sctx_tui.graph import store_notes
from sctx_tui.graph.store import Store

MODEL = "model"
FIELD = {"file": "purpose", "function": "summary", "directory": "purpose"}


@dataclass(frozen=True, slots=True)
class Due:
    """A file, function or directory that waits for a description."""

    kind: str  # "file", "function", "directory"
    target: str  # a path, or a function's id
    file: str  # the file to read; "" for a directory
    is_urgent: bool  # its description is out of date, or something that it calls has changed
    weight: int  # callers of a function, dependents of a file, files in a directory
    about: str | None  # semantic hash of what it is to be about; of a directory its number of files
    content_hash: str | None  # of the file as it was indexed
    start_line: int
    end_line: int


class ModelText(NamedTuple):
    """What a model wrote about something."""

    due: Due
    fields: Mapping[str, str]


# A model's own text is out of date with its subject, and when a callee changed at or after the writing.
_FUNCTIONS = """
SELECT f.id, f.file, f.is_stale OR f.is_tainted, coalesce(n.callers, 0), f.semantic_hash, p.content_hash,
  f.start_line, f.end_line
FROM functions f JOIN files p ON p.path = f.file
LEFT JOIN written w ON w.kind = 'function' AND w.target = f.id AND w.field = 'summary'
LEFT JOIN (SELECT callee_id, count(DISTINCT caller_id) AS callers FROM call_graph GROUP BY callee_id) n
  ON n.callee_id = f.id
WHERE f.kind NOT IN ('module', 'namespace') AND (
  (f.summary IS NULL AND w.value IS NULL) OR (w.source = 'model' AND w.value = f.summary AND (f.is_stale
    OR EXISTS (SELECT 1 FROM taints t WHERE t.function_id = f.id AND t.created_at >= w.written_at))))
AND NOT EXISTS (SELECT 1 FROM written o WHERE o.kind = 'function' AND o.target = f.id
  AND o.field IN ('summary', 'summary_long') AND o.source <> 'model')
"""
_FILES = """
SELECT f.path, f.path, f.is_stale, f.used_by_count, f.semantic_hash, f.content_hash, 1, f.lines
FROM files f LEFT JOIN written w ON w.kind = 'file' AND w.target = f.path AND w.field = 'purpose'
WHERE f.language <> '' AND f.size > 0 AND (
  (f.purpose IS NULL AND w.value IS NULL) OR (w.source = 'model' AND w.value = f.purpose AND f.is_stale))
AND NOT EXISTS (SELECT 1 FROM written o WHERE o.kind = 'file' AND o.target = f.path
  AND o.field IN ('purpose', 'summary') AND o.source <> 'model')
"""
# Of a directory we can only say that it has become another when it has twice or half as many files.
_DIRECTORIES = """
SELECT d.path, '', 0, d.file_count, CAST(d.file_count AS TEXT), NULL, 0, 0
FROM directories d LEFT JOIN written w ON w.kind = 'directory' AND w.target = d.path AND w.field = 'purpose'
WHERE (d.purpose IS NULL AND w.value IS NULL) OR (w.source = 'model' AND w.value = d.purpose
  AND (d.file_count >= 2 * CAST(w.semantic_hash AS INTEGER)
    OR 2 * d.file_count <= CAST(w.semantic_hash AS INTEGER)))
"""


def due(store: Store) -> list[Due]:
    """Everything that waits for a description by a model.

    What has changed and what is tainted comes first, then what most depends on; folders, whose descriptions
    rest on those of their files, come last.
    """
    found = [
        Due(kind, target, file, bool(urgent), *rest)
        for kind, sql in (("function", _FUNCTIONS), ("file", _FILES), ("directory", _DIRECTORIES))
        for target, file, urgent, *rest in store.rows(sql)
    ]
    found.sort(key=lambda d: (not d.is_urgent, d.kind == "directory", -d.weight, d.target))
    return found


def put_model_texts(store: Store, texts: Iterable[ModelText]) -> int:
    """Write what a model said, where its subject is still what it was shown; how many texts were written.

    The row counts as described, but for taints: a sentence is no second look at a call.
    """
    with store.transaction():
        return sum(_put(store, text) for text in texts)


def _put(store: Store, text: ModelText) -> bool:
    due_ = text.due
    table, key = store_notes.TABLES[due_.kind]
    field = FIELD[due_.kind]
    about = "CAST(file_count AS TEXT)" if due_.kind == "directory" else "semantic_hash"
    row = store.row(f"SELECT {about}, {field} FROM {table} WHERE {key} = ?", (due_.target,))
    if row is None or row[0] != due_.about:
        return False
    written = store_notes.written(store, due_.kind, due_.target)
    shown, (value, source) = row[1], written.get(field, (None, MODEL))
    if source != MODEL or shown != value:
        return False  # somebody wrote, or a docstring appeared, while the model was thinking
    fields = {name: said for name, said in text.fields.items() if written.get(name, ("", MODEL))[1] == MODEL}
    return store_notes.describe(store, due_.kind, due_.target, fields, source=MODEL)


def docstring_purposes(store: Store, paths: Collection[str]) -> list[tuple[str, str]]:
    """(path, purpose) of those of `paths` that say themselves what they are for."""
    rows = store.rows(
        "SELECT path, purpose FROM files f WHERE path IN (SELECT value FROM json_each(?)) AND purpose <> ''"
        " AND NOT EXISTS (SELECT 1 FROM written w WHERE kind = 'file' AND target = f.path"
        " AND w.value = f.purpose)",
        (json.dumps(list(paths)),),
    )
    return [(path, purpose) for path, purpose in rows]


def put_folder_purposes(store: Store, said: Mapping[str, str]) -> None:
    """Show each folder's purpose: by a person or an agent, else what is said here, else by a model."""
    written = {
        target: (value, source)
        for target, value, source in store.rows(
            "SELECT target, value, source FROM written WHERE kind = 'directory' AND field = 'purpose'"
        )
    }
    changed = []
    for path, shown in store.rows("SELECT path, purpose FROM directories"):
        value, source = written.get(path, (None, MODEL))
        purpose = (said.get(path) or value) if source == MODEL else value
        if purpose != shown:
            changed.append((purpose, path))
    store.execute_many("UPDATE directories SET purpose = ? WHERE path = ?", changed)


def put_last_changes(store: Store, changes: Iterable[tuple[str, str, str]]) -> None:
    """Make (path, subject, time of the commit) each file's last change, but where a later word stands."""
    known: dict[str, str | None] = dict(store.rows("SELECT path, semantic_hash FROM files"))
    later: dict[str, str] = dict(
        store.rows("SELECT target, written_at FROM written WHERE field = 'last_change' AND source <> 'git'")
    )
    news = [
        (path, subject, time)
        for path, subject, time in changes
        if path in known and later.get(path, "") < time
    ]
    store.execute_many(
        "INSERT OR REPLACE INTO written VALUES ('file', ?, 'last_change', ?, 'git', ?, ?)",
        ((path, subject, known[path], time) for path, subject, time in news),
    )
    store.execute_many(
        "UPDATE files SET last_change = ? WHERE path = ?", ((subject, path) for path, subject, _ in news)
    )


def most_used_files(store: Store, limit: int) -> tuple[int, list[str]]:
    """How many files others depend on, and the paths of those that most do, the first first."""
    total = store.value("SELECT count(*) FROM files WHERE used_by_count > 0")
    rows = store.rows(
        "SELECT path FROM files WHERE used_by_count > 0 ORDER BY used_by_count DESC, path LIMIT ?", (limit,)
    )
    return int(total), [path for (path,) in rows]


def most_called_functions(store: Store, limit: int) -> tuple[int, list[tuple[str, int]]]:
    """How many functions others call, and (id, callers) of those that most do, the first first."""
    called = (
        "SELECT f.id, count(DISTINCT g.caller_id) AS callers FROM call_graph g JOIN functions f"
        " ON f.id = g.callee_id WHERE f.kind <> 'module' AND g.caller_id <> f.id GROUP BY f.id"
    )
    total = store.value(f"SELECT count(*) FROM ({called})")
    return int(total), store.rows(f"{called} ORDER BY callers DESC, f.id LIMIT ?", (limit,))
