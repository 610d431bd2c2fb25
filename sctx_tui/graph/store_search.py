"""Full-text search over names, signatures, purposes and summaries (SQLite FTS5)."""

from __future__ import annotations

from dataclasses import dataclass

from sctx_tui.graph.store import Store


@dataclass(frozen=True, slots=True)
class Hit:
    """A file or function that a query found; better ones come first."""

    kind: str  # "file", or a function's kind
    id: str
    file: str
    name: str
    signature: str
    text: str  # purpose or summary, "" where there is none
    line: int  # of the definition; 1 for files


def search(store: Store, query: str, limit: int = 20) -> list[Hit]:
    """What has every word of `query`, as a word or its beginning; then names that contain it."""
    words = [word for word in query.split() if any(letter.isalnum() for letter in word)]
    if not words or limit < 1:
        return []
    match = " ".join(f'"{word.replace(chr(34), " ")}"*' for word in words)
    found = _functions(store, match, query.strip(), limit) + _files(store, match, limit)
    found.sort(key=lambda scored: scored[0])
    hits = {hit.id: hit for _, hit in found[:limit]}
    if len(hits) < limit and len(words) == 1:
        for hit in _names(store, words[0], limit):
            hits.setdefault(hit.id, hit)
    return list(hits.values())[:limit]


def _functions(store: Store, match: str, exact: str, limit: int) -> list[tuple[float, Hit]]:
    rows = store.rows(
        "SELECT bm25(functions_text, 10, 2, 4, 2) - 100 * (f.name = ?) AS score,"
        " f.kind, f.id, f.file, f.name, f.signature, coalesce(f.summary, ''), f.start_line"
        " FROM functions_text JOIN functions f ON f.number = functions_text.rowid"
        " WHERE functions_text MATCH ? AND f.kind <> 'module' ORDER BY score, f.id LIMIT ?",
        (exact, match, limit),
    )
    return [(row[0], Hit(*row[1:])) for row in rows]


def _files(store: Store, match: str, limit: int) -> list[tuple[float, Hit]]:
    rows = store.rows(
        "SELECT bm25(files_text, 3, 4, 2) AS score, f.path, coalesce(f.purpose, f.summary, '')"
        " FROM files_text JOIN files f ON f.number = files_text.rowid"
        " WHERE files_text MATCH ? ORDER BY score, f.path LIMIT ?",
        (match, limit),
    )
    return [
        (score, Hit("file", path, path, path.rpartition("/")[2], "", text, 1)) for score, path, text in rows
    ]


def _names(store: Store, part: str, limit: int) -> list[Hit]:
    """What the full-text index can't see: names with `part` inside a word (`Resolver` in `URLResolver`), and
    those with their class (`Cart.total`) or file (`cart.py::Cart`) before them."""
    within = "id" if "::" in part else "substr(id, length(file) + 3)" if "." in part else "name"
    rows = store.rows(
        "SELECT kind, id, file, name, signature, coalesce(summary, ''), start_line FROM functions"
        f" WHERE instr(lower({within}), lower(?)) AND kind <> 'module' ORDER BY length({within}), id LIMIT ?",
        (part, limit),
    )
    return [Hit(*row) for row in rows]
