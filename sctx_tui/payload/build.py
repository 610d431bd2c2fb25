"""One question, one document: what should an agent know about this file and line, under a token budget?"""

from __future__ import annotations

from sctx_tui.graph.store import Store
from sctx_tui.guidance.resolve import make_query
from sctx_tui.payload.budget import TOTAL, fit
from sctx_tui.payload.detail import most_items
from sctx_tui.payload.document import Document
from sctx_tui.payload.material import gather


def build(
    target: str,
    *,
    root: str,
    base: str | None = None,
    line: int | None = None,
    action: str = "all",
    timing: str = "all",
    budget: int = TOTAL,
    store: Store | None = None,
) -> Document:
    """The payload for `target` (relative to `base`, else to `root`) and the 1-based `line`.

    `budget` counts estimated tokens, an upper bound on real ones. Raises OutsideRoot, ValueError (the budget)
    and StoreError (an index that can't be read).
    """
    query = make_query(target, root=root, base=base, action=action, timing=timing)
    return fit(gather(query, line, store, most=most_items(budget)), budget)
