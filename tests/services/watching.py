"""A watcher in a thread, and what a follower tells."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from sctx_tui.graph.indexer import pending
from sctx_tui.graph.store import Store, StoreError
from sctx_tui.services import watcher_state
from sctx_tui.services.watcher import ANYTHING, Follower
from sctx_tui.services.watcher_process import Watcher
from sctx_tui.services.watcher_state import State

from ..repository import Repository

# Everything that follows from the files alone.
TABLES = {
    "files": "SELECT path, content_hash, semantic_hash, imports, exports, used_by, used_by_count FROM files",
    "functions": "SELECT id, signature, start_line, end_line, semantic_hash FROM functions",
    "calls": "SELECT caller_id, callee_id, line, is_ambiguous, candidates FROM call_graph",
    "links": "SELECT source, target, import_line FROM file_links",
    "directories": "SELECT path, parent, file_count FROM directories",
}
Fresh = Callable[[Repository], dict[str, list[Any]]]
LAST = "src/last.py"


def eventually(condition: Callable[[], object], *, seconds: float = 60) -> None:
    """Wait until a condition holds; it fails the test if that never happens."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def dump(repository: Repository) -> dict[str, list[Any]]:
    return {name: sorted(repository.rows(sql), key=repr) for name, sql in TABLES.items()}


class Running:
    """A watcher in a thread."""

    def __init__(self, repository: Repository) -> None:
        self.state = State()
        self.stop = threading.Event()
        self.watcher = Watcher(str(repository.root), self.state, self.stop, summaries=False)
        self.ended = ""
        self._ready = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self._repository = repository

    def _run(self) -> None:
        self.ended = self.watcher.run(self._ready.set)

    def start(self) -> None:
        self.thread.start()
        assert self._ready.wait(60)
        self.until_true()

    def until_true(self) -> None:
        """Wait until the index is up to date and the watcher knows it."""
        eventually(self._is_true)

    def _is_true(self) -> bool:
        if self.state.doing or self.state.queue or not self.state.updated_at:
            return False
        try:
            with Store.open(str(self._repository.root)) as store:
                is_linked = store.meta("link_pending") is None and store.meta("indexed_at") is not None
                return is_linked and pending(store, str(self._repository.root)).is_nothing
        except StoreError:
            return False

    def end(self) -> None:
        self.stop.set()
        self.watcher.indexer.stop()
        self.thread.join(60)
        assert not self.thread.is_alive()


@contextmanager
def watching(repository: Repository) -> Iterator[Running]:
    os.makedirs(watcher_state.folder(str(repository.root)), exist_ok=True)
    running = Running(repository)
    try:
        running.start()
        yield running
    finally:
        running.end()


class Following:
    """Collects what a follower tells."""

    def __init__(self, repository: Repository, follower: Follower) -> None:
        self._repository = repository
        self._stop = threading.Event()
        self.follower = follower
        self._count = 0

    def until_last(self) -> set[str]:
        """What has been told when one more change, made now, has been: nothing else is to come."""
        self._count += 1
        self._repository.write({LAST: f"x = {self._count}\n"})
        return self.until(LAST) - {LAST}

    def until(self, *paths: str) -> set[str]:
        """What has been told when all these have been."""
        found: set[str] = set()

        def has_all() -> bool:
            found.update(self.follower.wait(0.2, self._stop))
            return found.issuperset(paths) or ANYTHING in found

        eventually(has_all)
        return found


@contextmanager
def following(repository: Repository, *, index: bool = False) -> Iterator[Following]:
    with closing(Follower(str(repository.root), index=index)) as follower:
        yield Following(repository, follower)
