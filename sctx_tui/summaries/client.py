"""Asking a configured model: the right form, the key, a rate limit, further attempts after passing errors."""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Iterable

from sctx_tui.summaries.keys import find_key
from sctx_tui.summaries.providers import FORMS, Prompt, Usage, usage_of
from sctx_tui.summaries.settings import Model
from sctx_tui.summaries.transport import BadRequest, BrokenReply, ModelError, Passing, Transport, Unreachable

FIRST_WAIT = 1.0  # seconds before the second attempt; doubled each time
LONGEST_WAIT = 60.0  # without the server's word
MOST_PATIENCE = 300.0  # seconds; a server that asks for more ends the run
WINDOW = 60.0  # seconds of the rate limit


class Stopped(Exception):
    """Whoever asked doesn't want the answer any more."""


class Pace:
    """When the next request may go: at most so many in any minute, none while the server wants peace.

    Shared by threads. `sleep(seconds)` answers whether to stop; `clock` is in seconds since the epoch;
    `earlier` has the times of requests of other runs.
    """

    def __init__(
        self,
        per_minute: int,
        sleep: Callable[[float], bool],
        *,
        clock: Callable[[], float],
        earlier: Iterable[float] = (),
    ) -> None:
        self._per_minute = per_minute
        self._sleep = sleep
        self._clock = clock
        self._sent = deque(sorted(each for each in earlier if each <= clock()))
        self._peace_until = 0.0
        self._lock = threading.Lock()

    def take_turn(self) -> None:
        """Wait until a request may go, and count it. Raises Stopped."""
        while True:
            with self._lock:
                wait = self._wait()
                if wait <= 0:
                    self._sent.append(self._clock())
                    return
            self.sleep(wait)

    @property
    def sent(self) -> tuple[float, ...]:
        """When the requests of the last minute went."""
        with self._lock:
            return tuple(self._sent)

    def sleep(self, seconds: float) -> None:
        """Wait. Raises Stopped."""
        if self._sleep(seconds):
            raise Stopped

    def leave_in_peace(self, seconds: float) -> None:
        """Send nothing for a while: the server said so."""
        with self._lock:
            self._peace_until = max(self._peace_until, self._clock() + seconds)

    def _wait(self) -> float:
        now = self._clock()
        while self._sent and self._sent[0] <= now - WINDOW:
            self._sent.popleft()
        full = self._sent[0] + WINDOW - now if len(self._sent) >= self._per_minute else 0.0
        return max(full, self._peace_until - now)


class Client:
    """A model that can be asked; may be shared by threads. SettingsError when its key is missing."""

    def __init__(self, model: Model, pace: Pace) -> None:
        self.model = model
        self.pace = pace
        self._form = FORMS[model.form]
        key = find_key(model)
        self._transport = Transport(
            model.url + self._form.path, self._form.headers(key), timeout=model.timeout, secret=key
        )
        self._without: set[str] = set()  # optional fields that this server refuses
        self._has_answered = False
        self._usage = Usage(0, 0)
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """Tokens so far, as the server counts them."""
        return self._usage

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def ask(self, prompt: Prompt) -> str:
        """The text that the model wrote. Raises ModelError, and Stopped while it waits."""
        failures = 0
        while True:
            self.pace.take_turn()
            without = frozenset(self._without)
            try:
                return self._ask_once(prompt, without)
            except BadRequest as error:
                if not self._do_without(str(error), without):
                    raise
            except (Passing, Unreachable) as error:
                # A server that was there may be starting anew; one that never was isn't waited for.
                if failures >= self.model.retries or (
                    isinstance(error, Unreachable) and not self._has_answered
                ):
                    raise
                self._wait_after(error, failures)
                failures += 1

    def _ask_once(self, prompt: Prompt, without: frozenset[str]) -> str:
        reply = self._transport.post(self._form.body(self.model, prompt, without))
        spent = usage_of(self._form, reply)
        with self._lock:
            self._has_answered = True
            self._usage = Usage(self._usage.sent + spent.sent, self._usage.received + spent.received)
        try:
            return self._form.written(reply)
        except (KeyError, IndexError, TypeError):
            raise BrokenReply(f"{self._transport.url}: the reply has another form than the API's") from None

    def _wait_after(self, error: Passing | Unreachable, failures: int) -> None:
        wait = error.wait if isinstance(error, Passing) else None
        if wait is None:
            self.pace.sleep(_backoff(failures))
        elif wait > MOST_PATIENCE:
            raise ModelError(f"{error}; it asks for {wait:,.0f} seconds of peace: try again later")
        else:
            self.pace.leave_in_peace(wait)

    def _do_without(self, refusal: str, without: frozenset[str]) -> bool:
        """Whether to ask again without one more of the optional fields: the one that is named, else the next.

        Once the server has answered they are not to blame, but where it names one.
        """
        with self._lock:
            if without != self._without:
                return True  # another thread has met the same refusal
            left = [name for name in self._form.optional if name not in self._without]
            named = [name for name in left if name in refusal]
            dropped = (named or ([] if self._has_answered else left))[:1]
            self._without.update(dropped)
            return bool(dropped)


def _backoff(failures: int) -> float:
    """Seconds: doubled each time, a quarter more or less by chance so that clients don't come in step."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0**failures) * random.uniform(0.75, 1.25)
