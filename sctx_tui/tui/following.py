"""Changes on disk as the system tells of them, in a thread of its own, for as long as it does."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress

Told = frozenset[str] | None
"""Paths that may have changed, as `services.watcher` has them; None where the system tells nothing (more)."""

TICK = 5.0
"""Seconds between two looks at whether events still come."""


class Following:
    """Follows one project until it is stopped; `tell` is called in the thread."""

    def __init__(self, root: str, listed: Sequence[str], tell: Callable[[Told], None]) -> None:
        """`listed` are the files that are known already."""
        self._root = root
        self._listed = listed
        self._tell = tell
        self._stop = threading.Event()

    def start(self) -> None:
        """Begin. Told first is nothing, or ANYTHING if the list is another by now; from then on nothing is
        missed."""
        threading.Thread(target=self._run, name="following", daemon=True).start()

    def stop(self) -> None:
        """End within a tenth of a second; nothing waits for that."""
        self._stop.set()

    def _run(self) -> None:
        with suppress(RuntimeError):  # the app has ended: nobody is left to be told
            with suppress(OSError):  # a folder that vanishes, or one too many: looks know how to go on
                self._follow()
            if not self._stop.is_set():
                self._tell(None)

    def _follow(self) -> None:
        from sctx_tui.services import watcher_state
        from sctx_tui.services.watcher import ANYTHING, Follower

        with suppress(OSError):  # so that a watcher which is started later is heard of
            os.makedirs(watcher_state.folder(self._root), mode=0o700, exist_ok=True)
        with closing(Follower(self._root, index=True)) as follower:
            if follower.mode == "events":
                is_other = follower.files != frozenset(self._listed)
                self._tell(frozenset((ANYTHING,) if is_other else ()))
                self._listed = ()
            while follower.mode == "events" and not self._stop.is_set() and os.path.isdir(self._root):
                paths = follower.wait(TICK, self._stop)
                if paths:
                    self._tell(frozenset(paths))
