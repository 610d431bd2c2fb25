"""The tool `ctx_status`: the same numbers as the command `ctx status`."""

from __future__ import annotations

from typing import Any

from sctx_tui.sanitize import clean
from sctx_tui.services.index_status import status_facts
from sctx_tui.services.mcp.answers import Answer
from sctx_tui.services.mcp.session import NO_INDEX, Session


def ctx_status(session: Session, _: dict[str, Any]) -> Answer:
    """Size and state of the index."""
    store = session.find_store()
    if store is None:
        return Answer(NO_INDEX, {"indexed": False})
    facts = status_facts(store, session.root)
    lines = [f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in facts.items()]
    if facts["is_behind"]:
        lines.append("The index is older than the current commit: `ctx sync` brings it up to date.")
    return Answer("\n".join(lines), {"indexed": True, **facts})


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{clean(str(name))} {clean(str(inner))}" for name, inner in value.items()) or "none"
    return clean(str(value))
