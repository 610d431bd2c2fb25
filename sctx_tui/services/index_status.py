"""The state of the index in numbers, for the command line and for agents."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph import changes, store_records
from sctx_tui.graph.store import Store
from sctx_tui.services import githooks, watcher_state

_SPREAD = ("1.0", ">= 0.75", ">= 0.5", ">= 0.25", "below")


def status_facts(store: Store, root: str) -> dict[str, Any]:
    """Everything that `ctx status` says but lists, as JSON values."""
    counts = store_records.counts(store)
    head = changes.head(root)
    indexed = store.meta("indexed_head")
    return {
        "root": root,
        "files": counts.files,
        "parsed_files": counts.parsed_files,
        "functions": counts.functions,
        "calls": {"resolved": counts.calls_resolved, "ambiguous": counts.calls_ambiguous},
        "imports": counts.imports,
        "stale": {"files": counts.stale_files, "functions": counts.stale_functions},
        "tainted": counts.tainted,
        "confidence": dict(zip(_SPREAD, counts.confidence, strict=True)),
        "not_parsed": counts.problems,
        "is_complete": store.meta("indexed_at") is not None and store.meta("link_pending") is None,
        "indexed_at": store.meta("indexed_at"),
        "indexed_head": indexed,
        "head": head,
        "is_behind": head != indexed,
        "hooks": githooks.status(root),
        "watcher": "running" if watcher_state.is_running(root) else "not running",
    }
