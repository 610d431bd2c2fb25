"""The watcher of a project: what changes is brought into the index, whoever changed it.

Small changes at once; branch switches and rebases when they have come to rest. What a batch names is only
where to look: git's list and the files themselves say what is true.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from types import FrameType

from sctx_tui.graph.languages import language_of
from sctx_tui.graph.store import NoIndex, index_path
from sctx_tui.sanitize import clean
from sctx_tui.services import watcher_state
from sctx_tui.services.watcher import ANYTHING, HEAD, Follower
from sctx_tui.services.watcher_children import Describer, Event, Indexer, is_model_configured
from sctx_tui.services.watcher_state import State

MANY = 200
"""Paths in a batch from which on everything is compared instead."""
TICK, BUSY_TICK = 1.0, 0.25
"""Seconds between two looks at what is due: with nothing to do, and while something waits."""
SETTLE_SECONDS = 20.0
"""A large batch waits at most so long for its end."""
BURST_SECONDS, LONGEST_REST = 10.0, 30.0
"""After so much work on end the watcher rests for as long as it works: it has half a processor."""
RESTLESS, RESTLESS_SECONDS = 10, 30.0
"""Files that are no code and were in so many updates on end, such as logs, wait that long for the next."""
WARM_SECONDS = 60.0
"""The indexing process is kept for so long after its last request."""
CHECK_SECONDS, CHECK_FACTOR = 300.0, 400
"""Everything is compared that often, or rarer where it takes long: an event may have been lost."""
FIRST_RETRY, LAST_RETRY = 5.0, 600.0
"""Seconds after a failure; they double with each."""
GONE_SECONDS = 30.0
"""So long an index that has been removed is waited for."""
MOST_CRASHES = 5
_NAMED = 5  # files in a line of the log
_LOG_BYTES = 1_000_000
_STDERR = 2  # where processes of ours write what they didn't mean to

log = logging.getLogger("sctx_tui.watcher")


class Watcher:
    """Follows a project and keeps its index true; `run` is all there is to call."""

    def __init__(self, root: str, state: State, stop: threading.Event, *, summaries: bool) -> None:
        self.root = root
        self.state = state
        self.stop = stop
        self.indexer = Indexer(root, _STDERR)
        self._describer = Describer(root, _STDERR) if summaries else None
        self._queue = {ANYTHING}  # what happened while nobody watched
        self._queued_at = time.monotonic()
        self._is_at_rest = False  # nothing happens at the moment, and git isn't at work
        self._not_before = 0.0
        self._ended_at = time.monotonic()
        self._debt = 0.0  # seconds of work that no rest has made up for
        self._streaks: dict[str, int] = {}  # file that is no code -> updates on end that it was in
        self._failures = 0
        self._check_at = time.monotonic() + CHECK_SECONDS
        self._index = _identity(root)
        self._gone_since: float | None = None

    def run(self, ready: Callable[[], None]) -> str:
        """Work until there is nothing left to watch, and say why; "" when stopped.

        `ready` is called as soon as nothing is missed any more.
        """
        follower = Follower(self.root)
        try:
            self._tell(mode=follower.mode, folders=follower.folders)
            log.info("watching %s: %s folders, %s", clean(self.root), follower.folders, follower.mode)
            ready()
            while not self.stop.is_set():
                batch = follower.wait(BUSY_TICK if self._queue else TICK, self.stop)
                if self.stop.is_set():
                    break
                if self.state.mode != follower.mode or self.state.folders != follower.folders:
                    self._tell(mode=follower.mode, folders=follower.folders)
                self._is_at_rest = not batch and not follower.is_git_at_work()
                reason = self._step(batch)
                if reason:
                    return reason
            return ""
        finally:
            follower.close()
            self.indexer.close()
            if self._describer:
                self._describer.close()

    def _step(self, batch: set[str]) -> str:
        """Take what has changed, and do what is due; why to end, "" for going on."""
        now = time.monotonic()
        if not os.path.isdir(self.root):
            return "the project is gone"
        if batch and not self._queue:
            self._queued_at = now
        self._queue |= batch
        reason = self._follow_index(now)
        if reason:
            return reason
        if now > self._check_at:
            self._queue.add(ANYTHING)
        if self._queue and self._is_due(now):
            self._update()
        elif self.indexer.is_running and now - self.indexer.used_at > WARM_SECONDS:
            self.indexer.close()
        if self._describer:
            said = self._describer.go_on()
            if said:
                log.info("%s", clean(said))
        return ""

    def _follow_index(self, now: float) -> str:
        """See whether another program removed or replaced the index."""
        found = _identity(self.root)
        if found is None:
            if self._gone_since is None:
                self._gone_since = now
                self._problem("the index is gone")
            elif now - self._gone_since > GONE_SECONDS:
                return "the index is gone; `ctx init` makes a new one"
        elif found != self._index:
            self._index, self._gone_since = found, None
            self._queue.add(ANYTHING)
        return ""

    def _is_due(self, now: float) -> bool:
        if self._gone_since is not None or now < self._not_before:
            return False
        is_restless = all(self._streaks.get(path, 0) >= RESTLESS for path in self._queue)
        if is_restless and now - self._ended_at < RESTLESS_SECONDS:
            return False
        return self._is_at_rest or not self._is_large() or now - self._queued_at > SETTLE_SECONDS

    def _is_large(self) -> bool:
        return len(self._queue) > MANY or ANYTHING in self._queue or HEAD in self._queue

    def _update(self) -> None:
        """Bring the index up to date with what waits; what fails goes on waiting."""
        paths = None if self._is_large() else self._queue
        started = time.monotonic()
        event = self.indexer.update(paths, self._hear)
        if self.stop.is_set():
            return
        now = time.monotonic()
        took = now - started
        if event.kind == "done":
            other = (path for path in self._queue if language_of(path) is None)
            self._streaks = {path: self._streaks.get(path, 0) + 1 for path in other}
            self._queue = set()
            self._failures = 0
            self._debt = max(0.0, self._debt - (started - self._ended_at)) + took
            self._ended_at = now
            self._not_before = now + min(max(0.0, self._debt - BURST_SECONDS), LONGEST_REST)
            if paths is None:
                self._check_at = now + max(CHECK_SECONDS, CHECK_FACTOR * took)
            self._updated(event, took)
            return
        self._failures += 1
        self._not_before = now + min(FIRST_RETRY * 2 ** (self._failures - 1), LAST_RETRY)
        self._problem(event.text)

    def _updated(self, event: Event, took: float) -> None:
        fields: dict[str, object] = {"doing": "", "done": 0, "total": 0, "problem": "", "problem_at": ""}
        if event.changed:
            names = ", ".join(clean(path) for path in event.changed[:_NAMED])
            more = f" and {len(event.changed) - _NAMED:,} more" if len(event.changed) > _NAMED else ""
            log.info("%d files in %.1f s: %s%s", len(event.changed), took, names, more)
            self._ask_for_descriptions()
        if event.changed or not self.state.updated_at:
            fields |= {
                "updated_at": watcher_state.now(),
                "updated_files": len(event.changed),
                "updated_seconds": round(took, 2),
            }
        self._tell(**fields)

    def _ask_for_descriptions(self) -> None:
        if self._describer is None:
            return
        from sctx_tui.summaries.settings import SettingsError

        try:
            if is_model_configured():
                self._describer.ask()
        except SettingsError as error:
            log.warning("no summaries: %s", clean(str(error)))

    def _hear(self, event: Event) -> None:
        """Take an event of an update under way."""
        if event.kind == "problem":
            log.warning("%s", clean(event.text))
        else:
            self._tell(doing=event.text, done=event.done, total=event.total)

    def _problem(self, message: str) -> None:
        log.warning("%s", clean(message))
        self._tell(problem=message, problem_at=watcher_state.now(), doing="", done=0, total=0)

    def _tell(self, **fields: object) -> None:
        """Let others know; a full disk is no reason to stop."""
        for name, value in (fields | {"queue": len(self._queue)}).items():
            setattr(self.state, name, value)
        try:
            watcher_state.write(self.root, self.state)
        except OSError as error:
            log.warning("the state can't be written: %s", error)


def run(root: str, *, summaries: bool = True, ready: Callable[[], None] | None = None) -> str:
    """Watch `root` in this process until a signal ends it; says why it ended.

    Raises NoIndex, BlockingIOError when it is watched already, OSError when the state can't be written.
    """
    if _identity(root) is None:
        raise NoIndex(f"no index at {index_path(root)}; run `ctx init`")
    lock = watcher_state.lock(root)
    if lock is None:
        raise BlockingIOError(f"{root} is watched already")
    state = State(root=root, pid=os.getpid(), host=watcher_state.this_host(), since=watcher_state.now())
    try:
        watcher_state.write(root, state)
        state.ended = _watch(root, state, ready or _nothing, summaries=summaries)
        log.info("ended: %s", clean(state.ended))
        watcher_state.write(root, state)
        return state.ended
    finally:
        os.close(lock)


def _watch(root: str, state: State, ready: Callable[[], None], *, summaries: bool) -> str:
    """Watch, and begin anew after a fault of our own."""
    stop = threading.Event()
    reasons: list[str] = []
    watchers: list[Watcher] = []

    def end(number: int, frame: FrameType | None) -> None:
        reasons.append(signal.Signals(number).name)
        stop.set()
        for watcher in watchers:
            watcher.indexer.stop()

    before = {number: signal.signal(number, end) for number in _signals()}
    try:
        for crash in range(1, MOST_CRASHES + 1):
            watchers[:] = [Watcher(root, state, stop, summaries=summaries)]
            try:
                return watchers[0].run(ready if crash == 1 else _nothing) or reasons[0]
            except Exception as error:
                state.problem = f"unexpected {type(error).__name__}: {error}"
                state.problem_at = watcher_state.now()
                log.exception("unexpected")
                stop.wait(FIRST_RETRY * crash)
            if stop.is_set():
                return reasons[0]
        return f"{MOST_CRASHES} unexpected errors; the last: {state.problem}"
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _nothing() -> None:
    """Tell nobody."""


def _signals() -> list[signal.Signals]:
    names = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def log_to(handler: logging.Handler) -> None:
    """Send the log there."""
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)


def run_in_background(root: str, summaries: bool) -> None:
    """The process that `ctx watch start` leaves behind; says "ready" on standard output once it watches."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)  # so that the watcher is nobody's child
    log_to(RotatingFileHandler(watcher_state.log_file(root), maxBytes=_LOG_BYTES, backupCount=1))
    try:
        run(root, summaries=summaries, ready=_say_ready)
    except (OSError, NoIndex) as error:
        log.error("%s", clean(str(error)))
        sys.exit(1)


def _say_ready() -> None:
    os.write(1, b"ready\n")
    os.dup2(2, 1)


def _identity(root: str) -> tuple[int, int] | None:
    """Which file the index is; None where there is none."""
    try:
        found = os.stat(index_path(root))
    except OSError:
        return None
    return found.st_dev, found.st_ino
