"""Which meanings of files a commit may have: all that `ctx validate` asks, and it has no time for more."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from sctx_tui.graph.store import Row, Store


def accept(store: Store, paths: Collection[str] | None, staged: Mapping[str, str]) -> None:
    """Let a commit have these files (None: all) as they are indexed, and what is staged of some (by path)."""
    among = "" if paths is None else " AND path IN (SELECT value FROM json_each(?))"
    store.execute(
        "UPDATE files SET accepted_hash = semantic_hash, staged_hash = NULL"
        f" WHERE (accepted_hash IS NOT semantic_hash OR staged_hash IS NOT NULL){among}",
        () if paths is None else (json.dumps(list(paths)),),
    )
    store.execute_many(
        "UPDATE files SET staged_hash = ? WHERE path = ?", ((hashed, path) for path, hashed in staged.items())
    )


def accepted(store: Store, paths: Collection[str]) -> dict[str, tuple[str | None, ...]]:
    """The semantic hashes that a commit may have, by path; () for files that the index doesn't know."""
    rows: list[Row] = store.rows(
        "SELECT path, accepted_hash, staged_hash FROM files WHERE path IN (SELECT value FROM json_each(?))",
        (json.dumps(list(paths)),),
    )
    return {path: tuple(hashes) for path, *hashes in rows}
