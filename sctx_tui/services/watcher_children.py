"""Processes of a watcher: one that brings the index up to date, one that has texts described by a model.

Parsing and linking take memory, and may go wrong on somebody's million lines: the watcher itself stays small
and alive. The indexer takes requests, one JSON value a line, on standard input, and answers each with events,
one a line; it ends when nothing has been asked of it for a while, or with the watcher.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sctx_tui.summaries.run import Report

PROGRESS_SECONDS = 0.2
"""Between two events that say how far it is."""


class Event(NamedTuple):
    """`kind` is "progress" (text: the phase), "problem", or, at last, "done", "gone" or "failed"."""

    kind: str
    text: str = ""
    done: int = 0
    total: int = 0
    changed: tuple[str, ...] = ()
    """With "done": what was added, changed, deleted or renamed; `done` are then the files of the index."""

    @property
    def is_last(self) -> bool:
        """Whether the request is answered."""
        return self.kind in ("done", "gone", "failed")


def command(root: str, call: str, *arguments: object) -> list[str]:
    """The command line that calls a function of this package, `module:function`, in a new process.

    Nothing is imported from the project, whatever the working directory is.
    """
    from sctx_tui.graph.workers import prelude

    module, _, function = call.partition(":")
    code = f"# ctx watch, {function}\n{prelude(root)}from {module} import {function}\n"
    return [sys.executable, "-I", "-c", f"{code}{function}({', '.join(map(repr, arguments))})"]


class Indexer:
    """The process that brings the index of `root` up to date; started when it is needed."""

    def __init__(self, root: str, log: IO[str] | int) -> None:
        self._root = root
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False
        self.used_at = 0.0

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def update(self, paths: Collection[str] | None, tell: Callable[[Event], None]) -> Event:
        """Bring some paths, or everything, up to date; the last event. Other events are told as they come."""
        process = self._process
        if process is None:
            process = self._process = _started("answer_requests", self._root, subprocess.PIPE, self._log)
        assert process.stdin is not None and process.stdout is not None
        if self._is_stopped:
            process.kill()
        try:
            process.stdin.write(json.dumps(None if paths is None else sorted(paths)).encode() + b"\n")
            process.stdin.flush()
            for line in process.stdout:
                event = _event(line)
                self.used_at = time.monotonic()
                if event.is_last:
                    return event
                tell(event)
        except (OSError, ValueError):
            pass  # it has died; its exit code says how
        return self._bury()

    def close(self) -> None:
        """End the process; what it is doing is given up."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            _reap(process)

    def stop(self) -> None:
        """The same from a signal handler, for good: an update under way fails."""
        self._is_stopped = True
        if self._process is not None:
            self._process.kill()

    def _bury(self) -> Event:
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        code = _reap(process)
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        return Event("failed", f"the indexing process ended {how}; is there enough memory?")


def _started(function: str, root: str, requests: int, log: IO[str] | int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(root, f"{__name__}:{function}", root),
        stdin=requests,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=os.path.abspath(os.sep),
        start_new_session=True,  # an interrupt at the terminal is for the watcher to handle
    )


def _reap(process: subprocess.Popen[bytes]) -> int:
    for stream in (process.stdin, process.stdout):
        try:
            if stream is not None:
                stream.close()
        except OSError:
            continue
    return process.wait()


def _event(line: bytes) -> Event:
    kind, text, done, total, changed = json.loads(line)
    return Event(kind, text, done, total, tuple(changed))


def answer_requests(root: str, creates: bool = False) -> None:
    """The indexing process; one that `creates` makes the index where there is none."""
    out, sys.stdout = sys.stdout, sys.stderr  # nothing but events

    def tell(event: Event) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    try:
        for line in sys.stdin:
            tell(_answer(root, json.loads(line), tell, creates=creates))
    except BrokenPipeError:
        os._exit(0)  # the watcher has gone


def _answer(root: str, paths: list[str] | None, tell: Callable[[Event], None], *, creates: bool) -> Event:
    from sctx_tui.graph import indexer
    from sctx_tui.graph.store import DamagedIndex, NoIndex, StoreError, index_path
    from sctx_tui.graph.store_recovery import open_or_recover, set_aside

    told_at = time.monotonic()
    try:
        is_new = creates and not os.path.lexists(index_path(root))
        store, rescue = open_or_recover(root, create=creates)
        if rescue:
            tell(Event("problem", str(rescue)))
            paths = None  # the new index is empty
        with store:
            run = indexer.sync(store, root, describes=is_new) if paths is None else None
            for event in run or indexer.update(store, root, paths or (), describes=is_new):
                if isinstance(event, indexer.Problem):
                    tell(Event("problem", f"{event.path}: {event.message}"))
                elif isinstance(event, indexer.Report):
                    moved = [path for pair in event.renamed for path in pair]
                    changed = (*event.added, *event.changed, *event.deleted, *moved)
                    return Event("done", "", event.files, event.files, changed)
                elif time.monotonic() - told_at > PROGRESS_SECONDS:
                    told_at = time.monotonic()
                    tell(Event("progress", event.phase, event.done, event.total))
    except NoIndex as gone:
        return Event("gone", str(gone))
    except DamagedIndex as damage:
        return Event("failed", str(set_aside(root, str(damage)) or damage))
    except StoreError as error:
        return Event("failed", str(error))
    return Event("failed", "the indexer ended without a report")


class Describer:
    """The process that has a model describe what is stale or tainted; the user's settings decide whether."""

    def __init__(self, root: str, log: IO[str] | int) -> None:
        self._root = root
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._is_due = False

    def ask(self) -> None:
        """Have what waits described, once the run under way has ended."""
        self._is_due = True

    def go_on(self) -> str:
        """Start what is due, unless a run is under way; what a run that has ended says of itself."""
        said = ""
        if self._process is not None:
            if self._process.poll() is None:
                return ""
            said = self._said(self._process)
            self._process = None
        if self._is_due:
            self._is_due = False
            self._process = _started("describe_queue", self._root, subprocess.DEVNULL, self._log)
        return said

    def close(self) -> None:
        """End the run; what has come back is in the index."""
        if self._process is not None:
            self._process.kill()
            _reap(self._process)

    def _said(self, process: subprocess.Popen[bytes]) -> str:
        assert process.stdout is not None
        said = process.stdout.read().decode(errors="replace").strip()
        return said if not _reap(process) else "the describing process ended early"


def is_model_configured() -> bool:
    """Whether the user has a model for descriptions. Raises SettingsError."""
    from sctx_tui.summaries.settings import configured_model

    return configured_model() is not None


def describe_queue(root: str) -> None:
    """The describing process; it says on standard output, in a line, what it did."""
    from sctx_tui.graph.store import Store, StoreError
    from sctx_tui.summaries.run import Report, describe, wanted
    from sctx_tui.summaries.settings import SettingsError, configured_model

    try:
        model = configured_model()
        if model is None:
            return
        with Store.open(root) as store:
            if not wanted(store, limit=1, retries=False):
                return
            for event in describe(store, root, model, limit=model.per_run, retries=False):
                if isinstance(event, Report):
                    sys.stdout.write(_told(event))
    except (SettingsError, StoreError) as error:
        sys.stdout.write(f"no summaries: {error}")


def _told(report: Report) -> str:
    written = ", ".join(f"{number:,} {kind}" for kind, number in report.written.items()) or "nothing"
    stopped = f"; stopped: {report.stopped}" if report.stopped else ""
    return f"described: {written}; {report.left:,} still wait{stopped}"
