"""What the main screen does about the index: build it in the background, say how far it is, stop it."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from sctx_tui.tui.background import begin
from sctx_tui.tui.indexing import IndexBuilder, IndexEvent, is_watched, progress_of_others
from sctx_tui.tui.project import Project
from sctx_tui.tui.screens.watching import WatchingScreen
from sctx_tui.tui.state import State
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.tui.watch import Changes

WARM_SECONDS = 60.0
"""The process that builds the index is kept for so long after its last answer."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.25
"""Seconds between two looks at how far another process is with the index."""
ANYTHING = ""
"""Among paths: everything, as `services.watcher` has it."""
PHASES = {"list": "listing files", "parse": "parsing", "link": "linking"}


class IndexingScreen(WatchingScreen):
    """Keeps the index up to date while the app is open, unless a watcher does."""

    def __init__(self, project: Project, remembered: State) -> None:
        super().__init__(project, remembered)
        self.builder = IndexBuilder(project.root)
        self.is_indexing = False
        self._event: IndexEvent | None = None
        self._outdated: frozenset[str] = frozenset()

    def start_indexing(self, paths: frozenset[str] | None = None) -> None:
        """Bring the index up to date, some paths or all, unless that is not wanted."""
        if is_watched(self.project.root):
            self._follow_others()
        elif self.project.code.builds_index:
            self._outdated |= paths if paths is not None else {ANYTHING}
            if not self.is_indexing:
                begin(self, self._index, "index")

    async def _index(self) -> None:
        self.is_indexing = True
        try:
            while self._outdated:
                paths, self._outdated = self._outdated, frozenset()
                started = time.monotonic()
                await self._build(paths)
                if self._outdated:  # half a processor at most for what changes all the time
                    await asyncio.sleep(time.monotonic() - started)
        finally:
            self.is_indexing = False
        self.set_timer(WARM_SECONDS, self._cool_down)

    async def _build(self, paths: frozenset[str]) -> None:
        if self._event is None:
            self._hear(IndexEvent("list"))
        async with aclosing(self.builder.build(None if ANYTHING in paths else paths)) as events:
            async for event in events:
                self._hear(event)
        if self._event and self._event.phase == "done":
            await self.renew(problems=False)
        elif self._event and self._event.message:
            self.say(self._event.message, severity="warning")

    def _hear(self, event: IndexEvent) -> None:
        self._event = event
        self.tell()

    async def _cool_down(self) -> None:
        if not self.is_indexing:
            await self.builder.close()

    def action_cancel_indexing(self) -> None:
        """Stop building the index, or begin."""
        if not self.project.code.builds_index:
            self.say("The app was opened with --no-index.")
        elif is_watched(self.project.root):
            self.say("The watcher builds the index; `ctx watch stop` ends it.")
        elif self.is_indexing:
            self._outdated = frozenset()
            self.workers.cancel_group(self, "index")
            self._event = self._event and self._event._replace(phase="stopped")
        else:
            self.start_indexing()
        self.tell()

    # What changes on disk, and what others make of it

    async def follow(self, changes: Changes, told: frozenset[str]) -> None:
        """What changed on disk is brought into the index too."""
        from sctx_tui.services.watcher import HEAD, INDEX, PROGRESS

        await super().follow(changes, told)
        if told & {INDEX, PROGRESS} and not self.is_indexing:
            self._follow_others()
        outdated = told - {HEAD, INDEX, PROGRESS}
        if outdated and self._event and self._event.phase not in ("stopped", "failed"):
            self.start_indexing(outdated)

    def _follow_others(self) -> None:
        begin(self, self._follow_progress, "others")

    async def _follow_progress(self) -> None:
        """Say how far another process is with the index until it is done, and show what it found."""
        pause = FIRST_PAUSE
        while True:
            indexed = await self.lanes["answers"].run(self.project.code.files)
            event = progress_of_others(self.project.root, indexed, len(self.project.index))
            if event.phase == "done":
                break
            self._hear(event)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)
        if indexed is not None:
            self._hear(event)
        if await self.lanes["answers"].run(self.project.code.is_changed):
            await self.renew(problems=False)

    def status(self) -> str:
        """The state of the index."""
        event = self._event
        if event is None:
            return ""
        if event.phase == "done":
            return f"index {counted(event.total, 'file')} ✓"
        if event.phase in PHASES:
            share = f" {event.done:,} of {event.total:,}" if event.total else ""
            stops = ", c stops" if self.is_indexing else ""
            return f"index: {PHASES[event.phase]}{share}{stops}"
        return "index stopped, c goes on" if event.phase == "stopped" else "index failed, c tries again"
