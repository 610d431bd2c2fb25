"""Where slow work runs: one thread for answers, one for surveys of the whole project, so that neither waits
for long.

Widgets never see these threads: a coroutine on the event loop waits for the result, and dropping the
coroutine drops what has not begun. Long work comes as a generator and gives way after each step.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from textual.dom import DOMNode

P = ParamSpec("P")
T = TypeVar("T")


class Lane:
    """Runs calls one after the other in a thread of its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pool: ThreadPoolExecutor | None = None

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of the call; one that was cancelled before its turn never runs."""
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1, thread_name_prefix=self._name)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: call(*args, **kwargs))

    async def last(self, steps: Iterator[T], each: Callable[[T], None] | None = None) -> T | None:
        """Run a generator step by step; `each` sees every result on the event loop, the last one is
        returned."""
        result: T | None = None
        done = object()
        while True:
            step = await self.run(next, steps, done)
            if step is done:
                return result
            result = step  # type: ignore[assignment]
            if each is not None:
                each(result)  # type: ignore[arg-type]

    def close(self) -> None:
        """Drop what waits; what runs may finish unseen."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def keep() -> None:
    """What has been read so far stays: looking through a hundred thousand files for garbage stops everything
    for 80 ms. After that it is looked for more seldom than usual, in larger amounts."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def begin(node: DOMNode, work: Callable[[], Coroutine[Any, Any, None]], group: str) -> None:
    """Begin work for a widget; what its group still works on is dropped, and no fault ends the app."""
    node.run_worker(cast(Any, work), group=group, exclusive=True, exit_on_error=False)
