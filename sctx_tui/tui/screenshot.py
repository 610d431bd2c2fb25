"""A picture of the app without a terminal, for documentation and checks."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from sctx_tui.atomic import write_atomically

if TYPE_CHECKING:
    from textual.app import App
    from textual.pilot import Pilot

    from sctx_tui.tui.app import SctxApp

QUIET = 3
"""Looks in a row at which nothing may be going on."""
PAUSE = 0.01
"""Seconds between two looks."""
PATIENCE = 30.0
"""Seconds until the picture is taken as it is."""


def take(app: SctxApp, path: str, size: tuple[int, int]) -> str:
    """Draw the app as it looks when it has found its answers; what went wrong, "" for nothing."""
    drawn: list[str] = []

    async def shoot(pilot: Pilot[object]) -> None:
        await settled(pilot.app)
        drawn.append(svg_of(pilot.app))
        pilot.app.exit()

    app.run(headless=True, size=size, auto_pilot=shoot)
    if app.failure is not None or not drawn:
        return "the app ended before it could be drawn"
    try:
        write_atomically(path, drawn[0].encode())
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    return ""


async def settled(app: App[Any]) -> None:
    """Wait until no work is going on and nothing is left to be laid out."""
    quiet = 0
    end = asyncio.get_running_loop().time() + PATIENCE
    while quiet < QUIET and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(PAUSE)
        busy = [worker for worker in app.workers if not worker.is_finished and worker.group != "watch"]
        quiet = 0 if busy else quiet + 1


def svg_of(app: App[Any]) -> str:
    """The screen as SVG, the same bytes for the same screen."""
    return re.sub(r"\bterminal-\d+-", "terminal-", app.export_screenshot(title="sctx", simplify=True))
