"""What `ctx validate` finds and says. Git's hook comes here directly: no click, no spare import."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sctx_tui.graph.staged import Undescribed
    from sctx_tui.graph.store import Store

SHOWN = 20
NO_INDEX = "no index: nothing to compare with; `ctx init` makes one"


def quick(arguments: list[str]) -> int | None:
    """The exit code of `ctx validate` with these arguments; None: the command line proper has to answer."""
    if not {"--warn"}.issuperset(arguments):
        return None
    from sctx_tui.graph.project import project_root
    from sctx_tui.graph.store import Store, StoreError

    root = project_root(os.getcwd())
    try:
        with Store.open(root) as store:
            found, notes = look(store, root)
    except StoreError:
        return None
    try:
        for line in [*notes, *report(found, warn=bool(arguments))]:
            sys.stderr.write(line + "\n")
    except OSError:
        pass  # nobody listens
    return 1 if found and not arguments else 0


def look(store: Store, root: str) -> tuple[list[Undescribed], list[str]]:
    """The staged files that are not described, and what to say where there is nothing to compare."""
    from sctx_tui.graph.staged import undescribed

    if store.meta("indexed_at") is None:
        return [], [NO_INDEX]
    found = undescribed(store, root)
    if found is None:
        return [], ["no git repository here: nothing is staged"]
    return found, []


def report(found: list[Undescribed], *, warn: bool) -> list[str]:
    """Lines for a person."""
    from sctx_tui.sanitize import clean

    if not found:
        return []
    files = "1 staged file has" if len(found) == 1 else f"{len(found)} staged files have"
    return [
        f"{'warning' if warn else 'error'}: {files} changed in meaning since last described:",
        *(f"  {each.reason:8} {clean(each.path)}" for each in found[:SHOWN]),
        *([f"  … and {len(found) - SHOWN} more; --json lists all"] if len(found) > SHOWN else []),
        "run `ctx sync` (or let the agent write back with update_file), then commit again",
    ]
