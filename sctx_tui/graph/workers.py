"""Worker processes that parse files; the parent only hands out paths and collects rows.

Separate processes rather than a pool of the standard library's: a file that takes too long, or brings its
parser down, costs that one worker and nothing else.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from sctx_tui.graph.worker import Parsed, receive, send

SECONDS_PER_FILE = 30.0
MOST_WORKERS = 8
BATCH = 8  # files in a request
IN_FLIGHT = 3  # requests that a worker has before it, so that it never waits for the next
FILES_PER_WORKER = 24  # below that, another process costs more than it saves

Task = tuple[str, str, str | None]  # path, language, content hash that the index knows


def parse_all(
    root: str,
    tasks: Sequence[Task],
    *,
    workers: int | None = None,
    seconds_per_file: float = SECONDS_PER_FILE,
) -> Generator[Parsed, None, None]:
    """Parse files in parallel; results come as they are ready, one for each task.

    Closing the iterator ends the workers. `workers` is their number, by default one for each processor.
    """
    count = min(workers or processors(), MOST_WORKERS, 1 + len(tasks) // FILES_PER_WORKER)
    pending = deque(tasks)
    pool: list[_Worker] = []
    selector = selectors.DefaultSelector()
    try:
        for _ in range(count if tasks else 0):
            _enlist(pool, selector, _Worker(root), pending)
        while any(worker.waiting for worker in pool):
            ready = selector.select(timeout=1.0)
            for key, _ in ready:
                worker = key.data
                parsed = worker.result()
                if parsed is None:
                    yield from _replace(pool, selector, worker, pending, root, "its parser crashed")
                    continue
                worker.feed(pending)
                yield parsed
            late = time.monotonic() - seconds_per_file
            for worker in [w for w in pool if w.waiting and w.last_sign < late]:
                why = f"took longer than {seconds_per_file:.0f} seconds to parse"
                yield from _replace(pool, selector, worker, pending, root, why)
    finally:
        for worker in pool:
            worker.end()
        selector.close()


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _enlist(
    pool: list[_Worker], selector: selectors.BaseSelector, worker: _Worker, pending: deque[Task]
) -> None:
    pool.append(worker)
    selector.register(worker.answers, selectors.EVENT_READ, worker)
    worker.feed(pending)


def _replace(
    pool: list[_Worker],
    selector: selectors.BaseSelector,
    worker: _Worker,
    pending: deque[Task],
    root: str,
    why: str,
) -> Iterator[Parsed]:
    """Give up the file that a worker is at, and have another worker do what it had before it."""
    selector.unregister(worker.answers)
    pool.remove(worker)
    worker.end()
    if worker.waiting:
        path = worker.waiting.popleft()[0]
        pending.extendleft(reversed(worker.waiting))
        yield Parsed(path, problem=why)
    if pending:
        _enlist(pool, selector, _Worker(root), pending)


def _import_path(root: str) -> list[str]:
    """Where a worker finds our package: never in the project first, whose `json.py` would be run."""
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    foreign = {"", os.getcwd(), root, ours}
    return [path for path in sys.path if path not in foreign] + [ours]


class _Worker:
    """One process, and what it was asked for and hasn't answered yet."""

    def __init__(self, root: str) -> None:
        code = f"import sys; sys.path[:] = {_import_path(root)!r}\nfrom sctx_tui.graph.worker import main\n"
        code += f"main({root!r})"
        self._process = subprocess.Popen(
            (sys.executable, "-I", "-c", code), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1
        )
        self._requests: Any = self._process.stdin
        # Unbuffered: an answer that lies in a buffer would not wake the selector.
        self.answers: Any = self._process.stdout.raw  # type: ignore[union-attr]
        self.waiting: deque[Task] = deque()
        self.last_sign = time.monotonic()

    def feed(self, pending: deque[Task]) -> None:
        """Ask for more when it is about to run out."""
        while pending and len(self.waiting) <= BATCH * (IN_FLIGHT - 1):
            if not self.waiting:
                self.last_sign = time.monotonic()
            batch = [pending.popleft() for _ in range(min(BATCH, len(pending)))]
            self.waiting.extend(batch)
            try:
                send(self._requests, batch)
            except OSError:
                return  # it has died; the end of its answers says so

    def result(self) -> Parsed | None:
        """The next answer, None when the process has ended instead."""
        try:
            parsed = Parsed(*receive(self.answers))
        except (EOFError, OSError, ValueError):
            return None
        self.waiting.popleft()
        self.last_sign = time.monotonic()
        return parsed

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for stream in (self._requests, self.answers):
            try:
                stream.close()
            except OSError:
                continue
