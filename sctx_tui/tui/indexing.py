"""How far the index is: built by the app, in a process of its own, or by somebody else.

Parsing and linking take no time from the app that way; ending the process at any moment loses at most its
last step. It is the watcher's, see `services/watcher_children.py`, and kept for the next save.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Collection
from typing import NamedTuple

LONGEST_LINE = 2**26
"""Bytes of an event: it names every file that has changed."""


class IndexEvent(NamedTuple):
    """How far the index is: `phase` is "list", "parse", "link", "done" or "failed"."""

    phase: str
    done: int = 0
    total: int = 0
    message: str = ""


class IndexBuilder:
    """Brings the index of `root` up to date."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._process: asyncio.subprocess.Process | None = None

    async def build(self, paths: Collection[str] | None = None) -> AsyncGenerator[IndexEvent, None]:
        """Bring some paths, or everything, up to date. Closing the iterator, or cancelling its task, ends the
        process."""
        from sctx_tui.services.watcher_children import Event

        process = self._process or await self._start()
        is_answered = False
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(None if paths is None else sorted(paths)).encode() + b"\n")
            async for row in process.stdout:
                event = Event(*json.loads(row))
                is_answered = event.is_last
                if event.kind == "progress":
                    yield IndexEvent(event.text, event.done, event.total)
                elif event.kind == "done":
                    yield IndexEvent("done", event.done, event.total)
                elif event.is_last:
                    yield IndexEvent("failed", message=event.text)
                if is_answered:
                    return
            yield IndexEvent("failed", message="the indexer ended early; `ctx sync` says why")
        finally:
            if not is_answered:
                await self.close()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        from sctx_tui.services.watcher_children import command

        self._process = await asyncio.create_subprocess_exec(
            *command(self._root, "sctx_tui.services.watcher_children:answer_requests", self._root, True),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=os.path.abspath(os.sep),
            start_new_session=True,  # an interrupt at the terminal is for the app to handle
            limit=LONGEST_LINE,
        )
        return self._process


def is_watched(root: str) -> bool:
    """Whether a watcher keeps the index up to date, so that the app needn't."""
    from sctx_tui.services import watcher_state

    return watcher_state.is_running(root)


def progress_of_others(root: str, indexed: int | None, listed: int) -> IndexEvent:
    """How far the index is in the hands of another process, "done" where none works on it.

    `indexed` files are in the index, None without one; `listed` are to be.
    """
    from sctx_tui.graph.lock import is_being_indexed
    from sctx_tui.services import watcher_state

    state = watcher_state.read(root)
    if state.doing and watcher_state.is_running(root):
        return IndexEvent(state.doing, state.done, state.total)
    if is_being_indexed(root):
        return IndexEvent("parse" if (indexed or 0) < listed else "link", indexed or 0, listed)
    return IndexEvent("done", indexed or 0, indexed or 0)
