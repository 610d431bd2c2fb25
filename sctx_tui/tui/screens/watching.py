"""What the main screen does when something changes on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual.message import Message

from sctx_tui.tui.background import begin
from sctx_tui.tui.screens.acting import ActingScreen

if TYPE_CHECKING:
    from sctx_tui.tui.following import Following, Told
    from sctx_tui.tui.watch import Changes

INTERVAL = 0.2
"""Seconds between two looks, where the system tells of nothing: a save is on the screen within 0.3."""
LISTING_INTERVAL = 1.0
"""Seconds that lie then at least between two listings of all files."""


class WatchingScreen(ActingScreen):
    """Live reload: the panes follow the files, cursor and scroll positions stay."""

    class Changed(Message):
        """The system tells of changes, or that it doesn't."""

        def __init__(self, told: Told) -> None:
            super().__init__()
            self.told = told

    _following: Following | None = None
    _told: frozenset[str] = frozenset()
    _is_told = False
    _is_taking_in = False
    _listed_at = 0.0
    _is_listing_due = False

    def start_watching(self) -> None:
        """Follow the files from now on; called when they have been listed."""
        from sctx_tui.tui.following import Following

        self._listed_at = time.monotonic()
        self._following = Following(self.project.root, self.project.index.paths, self._tell)
        self._following.start()

    def stop_watching(self) -> None:
        """No more."""
        if self._following is not None:
            self._following.stop()

    def _tell(self, told: Told) -> None:
        self.post_message(self.Changed(told))

    def on_watching_screen_changed(self, event: Changed) -> None:
        """Take it in, after whatever was told before."""
        event.stop()
        if event.told is None:
            self.set_interval(INTERVAL, self._look)
            return
        self._told |= event.told
        if not self._is_told:
            self._is_told = True
            self._look()  # for what was saved before anything was told
        elif not self._is_taking_in:
            begin(self, self._take_in, "watch")

    async def _take_in(self) -> None:
        self._is_taking_in = True
        try:
            while self._told:
                told, self._told = self._told, frozenset()
                changes = await self.lanes["answers"].run(self.project.take_in, told, self.desk.question.path)
                await self.follow(changes, told)
        finally:
            self._is_taking_in = False

    async def follow(self, changes: Changes, told: frozenset[str]) -> None:
        """Bring on the screen what changed on disk; `told` is what the system says of it."""
        target = self.side.page.target
        if changes.content or (target is not None and target.path in told):
            self.show_source(target)
        if changes.folders:
            await self.list_files()
        elif changes.tree:
            self.show_files()
        if changes.guidance:
            await self.renew()
        elif changes.content:
            self.answer()

    # Where nothing is told

    def _look(self) -> None:
        if not self._is_taking_in:
            begin(self, self._look_once, "watch")

    async def _look_once(self) -> None:
        from sctx_tui.services.watcher import ANYTHING, INDEX
        from sctx_tui.tui.watch import governing

        self._is_taking_in = True
        try:
            question = self.desk.question
            changes = await self.lanes["answers"].run(
                self.project.watch.look,
                governing(question.path, is_folder=question.is_folder),
                self.project.guidance_files,
                () if question.is_folder else (question.path,),
                ["", *self.files.file_tree.opened],
            )
            self._is_listing_due |= changes.folders
            is_listed = self._is_listing_due and time.monotonic() - self._listed_at > LISTING_INTERVAL
            if is_listed:
                self._is_listing_due, self._listed_at = False, time.monotonic()
            told = {ANYTHING} if is_listed else {question.path} if changes.content else set()
            told |= {INDEX} if changes.code else set()
            await self.follow(changes._replace(folders=is_listed), frozenset(told))
        finally:
            self._is_taking_in = False
        if self._told:
            await self._take_in()
