"""Having a model describe what waits for it: an iterator of events; closing it stops the work.

Progress (phase "describe") counts texts; a Problem is a request that brought nothing, whose items wait for
the next run; a Report is the last event.

What has come back is in the index before the next event, so that an end at any moment loses at most the
requests on their way. One run at a time (`graph/lock.py`); files and index are read in the caller's thread,
requests wait in threads of their own.
"""

from __future__ import annotations

import json
import queue
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from threading import Event as Signal
from threading import Thread

from sctx_tui.graph.ids import file_of
from sctx_tui.graph.indexer import Problem, Progress
from sctx_tui.graph.lock import describing
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_summaries import Due, ModelText, due, put_model_texts
from sctx_tui.summaries.client import Client, Pace, Stopped
from sctx_tui.summaries.prompts import Batch, Item, batches
from sctx_tui.summaries.providers import Usage
from sctx_tui.summaries.replies import fields, is_description, texts_by_id
from sctx_tui.summaries.settings import Model
from sctx_tui.summaries.transport import BadReply, BadRequest, BrokenReply, ModelError, Passing, TooSlow

FAILURES_IN_A_ROW = 3  # requests without one usable text, after which a run gives up
FAILED_KEPT = 10_000  # items that no usable text came for: automatic runs leave them alone until they change
_POLL = 0.5  # seconds between looks at whether to stop
# Failures that say something about one request; others end the run.
_OF_ONE_REQUEST = (BadReply, BadRequest, BrokenReply, Passing, TooSlow)


@dataclass(frozen=True, slots=True)
class Report:
    """The last event: what the run did."""

    written: dict[str, int]  # kind ("function", "file", "directory") -> texts
    left: int  # still waiting
    usage: Usage
    stopped: str | None  # why the run ended before its end


Event = Progress | Problem | Report


@dataclass(slots=True)
class Outcome:
    """What came of a batch."""

    batch: Batch
    texts: list[ModelText] = field(default_factory=list)
    failed: list[Item] = field(default_factory=list)  # no usable text came, even when asked for alone
    error: Exception | None = None

    @property
    def first_without(self) -> str:
        """The first item that got no text."""
        described = {text.due.target for text in self.texts}
        targets = (item.due.target for item in self.batch.items)
        return next((target for target in targets if target not in described), "")


def wanted(
    store: Store, paths: Collection[str] | None = None, *, limit: int | None = None, retries: bool = True
) -> list[Due]:
    """What a run would have described, in its order: of these files and folders only, unless `paths` is None.

    `retries`: also, last, what no usable text came for in an earlier run.
    """
    failed = _failed(store)
    found = [each for each in due(store) if paths is None or _is_in(each, paths)]
    fresh = [each for each in found if failed.get(each.target) != _version(each)]
    if retries:
        fresh += [each for each in found if failed.get(each.target) == _version(each)]
    return fresh[:limit]


def describe(
    store: Store,
    root: str,
    model: Model,
    paths: Collection[str] | None = None,
    *,
    limit: int | None = None,
    retries: bool = True,
    stop: Signal | None = None,
) -> Iterator[Event]:
    """Have the model describe what `wanted` names.

    Raises SettingsError (no key) before anything is sent, StoreError; everything that happens between us and
    the model is in the events. Setting `stop` ends the run.
    """
    stop = Signal() if stop is None else stop
    ended = Signal()  # of this run only
    with describing(root) if store.path else nullcontext():
        chosen = wanted(store, paths, limit=limit, retries=retries)
        pace = Pace(model.requests_per_minute, ended.wait, clock=time.time, earlier=_requests(store))
        client = Client(model, pace)
        try:
            yield from _Run(store, client, ended, stop).events(
                batches(store, root, chosen, model.batch), chosen
            )
        finally:
            ended.set()
            client.close()


class _Run:
    """One run: hands out batches, at most `concurrency` at a time, and writes what comes back."""

    def __init__(self, store: Store, client: Client, ended: Signal, stop: Signal) -> None:
        self._store = store
        self._client = client
        self._ended = ended
        self._stop = stop
        self._results: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._written: Counter[str] = Counter()
        self._failed = _failed(store)
        self._failures = 0  # in a row
        self._stopped: str | None = None

    def events(self, work: Iterator[Batch], chosen: Sequence[Due]) -> Iterator[Event]:
        done, under_way = 0, 0
        yield Progress("describe", 0, len(chosen))
        while True:
            if self._stop.is_set():
                self._give_up("interrupted")
            while self._stopped is None and under_way < self._client.model.concurrency:
                batch = next(work, None)
                if batch is None:
                    break
                Thread(target=self._work, args=(batch,), daemon=True).start()
                under_way += 1
            if not under_way:
                break
            outcome = self._next_result()
            if outcome is None:
                break
            under_way -= 1
            done += len(outcome.batch.items)
            yield from self._take(outcome)
            yield Progress("describe", done, len(chosen))
        left = len(due(self._store))
        yield Report(dict(self._written), left, self._client.usage, self._stopped)

    def _work(self, batch: Batch) -> None:
        """In a thread of its own."""
        outcome = Outcome(batch)
        try:
            _ask(self._client, batch, outcome)
        except Exception as error:
            outcome.error = error
        self._results.put(outcome)

    def _next_result(self) -> Outcome | None:
        """The next result; None when the caller wants no more."""
        while True:
            try:
                return self._results.get(timeout=_POLL)
            except queue.Empty:
                if self._stop.is_set():
                    self._give_up("interrupted")
                    return None

    def _take(self, outcome: Outcome) -> Iterator[Event]:
        """Write what came, remember what didn't, and decide whether to go on."""
        self._write(outcome)
        error = outcome.error
        if isinstance(error, Stopped) or (error is None and not outcome.failed):
            self._failures = 0
        elif error is not None and not isinstance(error, _OF_ONE_REQUEST):
            if not isinstance(error, ModelError):
                raise error
            self._give_up(str(error))
        else:
            message = str(error) if error else "the model wrote nothing usable about it"
            yield Problem(outcome.first_without, message)
            self._failures = 0 if outcome.texts else self._failures + 1
            if self._failures >= FAILURES_IN_A_ROW:
                self._give_up(f"{self._failures} requests in a row brought nothing; the last: {message}")

    def _write(self, outcome: Outcome) -> None:
        for item in outcome.failed:
            self._failed[item.due.target] = _version(item.due)
        for text in outcome.texts:
            self._failed.pop(text.due.target, None)
        with self._store.transaction():
            for text in outcome.texts:
                self._written[text.due.kind] += put_model_texts(self._store, [text])
            _remember(self._store, self._client.pace.sent, self._failed)

    def _give_up(self, reason: str) -> None:
        self._stopped = self._stopped or reason
        self._ended.set()  # whoever waits for a turn needn't


def _ask(client: Client, batch: Batch, outcome: Outcome) -> None:
    """Ask about a batch; about what got no usable answer again, in smaller batches."""
    prompt = batch.prompt()
    found: dict[str, str] = {}
    error: ModelError | None = None
    try:
        written = texts_by_id(client.ask(prompt), prompt.ids)
        echoes = batch.echoes()
        found = {id_: text for id_, text in written.items() if is_description(text, echoes)}
    except (BadReply, BadRequest, TooSlow) as refusal:
        error = refusal
    by_id = dict(zip(prompt.ids, batch.items, strict=True))
    outcome.texts.extend(ModelText(by_id[id_].due, fields(batch.kind, text)) for id_, text in found.items())
    missing = Batch(batch.kind, tuple(item for id_, item in by_id.items() if id_ not in found))
    if not missing.items:
        return
    again = (missing,) if found else missing.halves()
    for part in again:
        _ask(client, part, outcome)
    if not again:
        outcome.error = error or outcome.error
        if not isinstance(error, TooSlow):
            outcome.failed.extend(missing.items)


def _is_in(each: Due, paths: Collection[str]) -> bool:
    place = file_of(each.target) if each.kind == "function" else each.target
    return any(not path or place == path or place.startswith(f"{path}/") for path in paths)


def _version(each: Due) -> str:
    return each.about or ""


def _failed(store: Store) -> dict[str, str]:
    """Items that no usable text came for, with the version that was asked about."""
    found = _remembered(store, "model_failed", {})
    return {str(target): str(version) for target, version in found.items()} if isinstance(found, dict) else {}


def _requests(store: Store) -> list[float]:
    """When earlier runs sent their last requests."""
    found = _remembered(store, "model_requests", [])
    return [each for each in found if isinstance(each, int | float)] if isinstance(found, list) else []


def _remembered(store: Store, name: str, nothing: object) -> object:
    """A fact in the index: it may come with a repository, so it may be anything."""
    try:
        return json.loads(store.meta(name) or "null") or nothing
    except (ValueError, RecursionError):
        return nothing


def _remember(store: Store, requests: Sequence[float], failed: dict[str, str]) -> None:
    store.set_meta("model_requests", json.dumps(requests))
    kept = dict(list(failed.items())[-FAILED_KEPT:])
    store.set_meta("model_failed", json.dumps(kept) if kept else None)
