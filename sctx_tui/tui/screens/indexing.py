"""What the main screen does about the index: build it in the background, say how far it is, stop it."""

from __future__ import annotations

import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from sctx_tui.tui.background import begin
from sctx_tui.tui.screens.watching import WatchingScreen

if TYPE_CHECKING:
    from sctx_tui.tui.indexing import IndexEvent
    from sctx_tui.tui.watch import Changes

REST = 3.0
"""Seconds that lie at least between two runs that a change on disk has caused."""
PHASES = {"list": "listing files", "parse": "parsing", "link": "linking"}


class IndexingScreen(WatchingScreen):
    """Keeps the index up to date while the app is open."""

    _event: IndexEvent | None = None
    _indexed_at = 0.0

    def start_indexing(self) -> None:
        """Bring the index up to date, unless that is not wanted."""
        if self.project.code.builds_index:
            begin(self, self._index, "index")

    async def _index(self) -> None:
        from sctx_tui.tui.indexing import build_index

        self.is_indexing = True
        try:
            async with aclosing(build_index(self.project.root)) as events:
                async for event in events:
                    self._event = event
                    self.tell()
        finally:
            self.is_indexing = False
            self._indexed_at = time.monotonic()
        if self._event and self._event.phase == "done":
            await self.renew()
        elif self._event and self._event.message:
            self.say(self._event.message, severity="warning")
        self.tell()

    def action_cancel_indexing(self) -> None:
        """Stop building the index, or begin."""
        if self.is_indexing:
            self.workers.cancel_group(self, "index")
            self._event = self._event and self._event._replace(phase="stopped")
        elif self.project.code.builds_index:
            self.start_indexing()
        else:
            self.say("The app was opened with --no-index.")
        self.tell()

    async def follow(self, changes: Changes) -> None:
        """What changed on disk is brought into the index too."""
        await super().follow(changes)
        is_due = (changes.content or changes.folders) and time.monotonic() - self._indexed_at > REST
        if is_due and self._event and self._event.phase == "done" and not self.is_indexing:
            self.start_indexing()

    def status(self) -> str:
        """The state of the index."""
        event = self._event
        if event is None:
            return ""
        if event.phase == "done":
            return f"index {event.total:,} files ✓"
        if event.phase in PHASES:
            share = f" {event.done:,} of {event.total:,}" if event.total else ""
            return f"index: {PHASES[event.phase]}{share}, c stops"
        return "index stopped, c goes on" if event.phase == "stopped" else "index failed, c tries again"
