"""The tool `ctx_status`: the same numbers as the command `ctx status`."""

from __future__ import annotations

from typing import Any

from sctx_tui.services.mcp.answers import Answer
from sctx_tui.services.mcp.session import NO_INDEX, Session


def ctx_status(session: Session, _: dict[str, Any]) -> Answer:
    """Size and state of the index."""
    if session.find_store() is None:
        return Answer(NO_INDEX, {"indexed": False})
    raise NotImplementedError
