"""What the main screen does when something changes on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sctx_tui.tui.background import begin
from sctx_tui.tui.screens.acting import ActingScreen

if TYPE_CHECKING:
    from sctx_tui.tui.watch import Changes

INTERVAL = 0.2
"""Seconds between two looks: a save is on the screen within 0.3."""
LISTING_INTERVAL = 1.0
"""Seconds that lie at least between two listings of all files."""


class WatchingScreen(ActingScreen):
    """Live reload: the panes follow the files, cursor and scroll positions stay."""

    is_indexing = False
    _listed_at = 0.0
    _is_listing_due = False

    def start_watching(self) -> None:
        """Look from now on."""
        self._listed_at = time.monotonic()
        self.set_interval(INTERVAL, self._look)

    def _look(self) -> None:
        if not any(worker.group == "watch" and not worker.is_finished for worker in self.app.workers):
            begin(self, self._look_once, "watch")

    async def _look_once(self) -> None:
        from sctx_tui.tui.watch import governing

        question = self.desk.question
        opened = ["", *self.files.file_tree.opened]
        content = () if question.is_folder else (question.path,)
        changes = await self.lanes["answers"].run(
            self.project.watch.look,
            governing(question.path, is_folder=question.is_folder),
            self.project.guidance_files,
            content,
            opened,
        )
        await self.follow(changes)

    async def follow(self, changes: Changes) -> None:
        """Bring on the screen what changed on disk."""
        if changes.guidance or changes.content or (changes.code and not self.is_indexing):
            await self.renew()
        self._is_listing_due |= changes.folders
        if self._is_listing_due and time.monotonic() - self._listed_at > LISTING_INTERVAL:
            self._is_listing_due = False
            await self.list_files()
            self._listed_at = time.monotonic()
