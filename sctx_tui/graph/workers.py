"""Worker processes that parse files; the parent only hands out paths and collects rows.

Separate processes rather than a pool of the standard library's: a file that takes too long, or brings its
parser down, costs that one worker and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from sctx_tui.graph.store import StoreError
from sctx_tui.graph.worker import Parsed, receive, send

SECONDS_PER_FILE = 60.0  # by the clock: a busy machine may need that for an ordinary large file
MOST_WORKERS = 8
BATCH = 8  # files in a request
IN_FLIGHT = 3  # requests that a worker has before it, so that it never waits for the next
MOST_STILLBORN = 20
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
    StoreError when no worker can be started at all.
    """
    count = min(workers or processors(), MOST_WORKERS, 1 + len(tasks) // FILES_PER_WORKER)
    pool = _Pool(root, tasks)
    try:
        for _ in range(count if tasks else 0):
            pool.enlist()
        while pool.is_busy:
            worker, answer = pool.next_answer()
            if worker is not None and answer is None:
                yield from pool.replace(worker, "its parser crashed")
            elif worker is not None:
                parsed = worker.take(answer)
                worker.feed(pool.pending)
                yield parsed
            for silent in pool.late(time.monotonic() - seconds_per_file):
                yield from pool.replace(silent, f"took longer than {seconds_per_file:.0f} seconds to parse")
    finally:
        pool.end()


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class _Pool:
    """The workers of one run, and the tasks that none of them has yet."""

    def __init__(self, root: str, tasks: Sequence[Task]) -> None:
        self.pending = deque(tasks)
        self._root = root
        self._workers: list[_Worker] = []
        self._answers: _Answers = SimpleQueue()
        self._stillborn = 0  # workers in a row that died before their first answer

    @property
    def is_busy(self) -> bool:
        """Whether any answer is still to come."""
        return any(worker.waiting for worker in self._workers)

    def next_answer(self) -> tuple[_Worker | None, Any]:
        """A worker and its next answer, None when it has died; no worker after a second without a word."""
        try:
            worker, answer = self._answers.get(timeout=1.0)
        except Empty:
            return None, None
        return (worker, answer) if worker in self._workers else (None, None)

    def late(self, since: float) -> list[_Worker]:
        """Workers that have been silent since then though they have something to do."""
        return [worker for worker in self._workers if worker.waiting and worker.last_sign < since]

    def enlist(self) -> None:
        """Start another worker."""
        worker = _Worker(self._root, self._answers)
        self._workers.append(worker)
        worker.feed(self.pending)

    def replace(self, worker: _Worker, why: str) -> Iterator[Parsed]:
        """Give up the file that a worker is at, and have another worker do what it had before it."""
        self._workers.remove(worker)
        worker.end()
        self._stillborn = 0 if worker.has_answered else self._stillborn + 1
        if self._stillborn > MOST_STILLBORN:
            raise StoreError(f"files can't be parsed: {sys.executable} can't start sctx_tui.graph.worker")
        if worker.waiting:
            path = worker.waiting.popleft()[0]
            self.pending.extendleft(reversed(worker.waiting))
            yield Parsed(path, problem=why)
        if self.pending:
            self.enlist()

    def end(self) -> None:
        """Stop every worker."""
        for worker in self._workers:
            worker.end()


def prelude(root: str) -> str:
    """The line of code with which a process of ours begins: it runs this very package, whatever else of its
    name there is, and finds nothing in the project, whose `json.py` would be run."""
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    foreign = {"", os.getcwd(), root, ours}
    others = [path for path in sys.path if path not in foreign]
    return f"import sys; sys.path[:] = [{ours!r}]; import sctx_tui; sys.path[:] = {[*others, ours]!r}\n"


class _Worker:
    """One process, and what it was asked for and hasn't answered yet."""

    def __init__(self, root: str, answers: _Answers) -> None:
        code = f"{prelude(root)}from sctx_tui.graph.worker import main\nmain({root!r})"
        self._process = subprocess.Popen(
            (sys.executable, "-I", "-c", code),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what it prints is for nobody: a crash is told by its end
        )
        self._requests: Any = self._process.stdin
        self._replies: Any = self._process.stdout
        self.waiting: deque[Task] = deque()
        self.last_sign = time.monotonic()
        self.has_answered = False
        # A thread waits for it: not every system has another way to wait for several pipes.
        self._listener = Thread(target=self._listen, args=(answers,), daemon=True)
        self._listener.start()

    def _listen(self, answers: _Answers) -> None:
        try:
            while True:
                answers.put((self, receive(self._replies)))
        except (EOFError, OSError, ValueError):
            answers.put((self, None))

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

    def take(self, answer: Any) -> Parsed:
        """What an answer of this worker says."""
        self.waiting.popleft()
        self.last_sign = time.monotonic()
        self.has_answered = True
        return Parsed(*answer)

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for stream in (self._requests, self._replies):
            try:
                stream.close()
            except OSError:
                continue


_Answers = SimpleQueue[tuple[_Worker, Any]]
