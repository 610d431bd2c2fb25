"""Building the index in a process of its own, so that parsing and linking take no time from the app.

The process prints one JSON value for each event; ending it at any moment loses at most its last step.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncGenerator
from typing import NamedTuple


class IndexEvent(NamedTuple):
    """How far the index is: `phase` is "list", "parse", "link", "done" or "failed"."""

    phase: str
    done: int = 0
    total: int = 0
    message: str = ""


async def build_index(root: str) -> AsyncGenerator[IndexEvent, None]:
    """Bring the index of `root` up to date. Closing the iterator, or cancelling its task, ends the
    process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sctx_tui.tui.indexing", root),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # an interrupt at the terminal is for the app to handle
    )
    assert process.stdout is not None
    try:
        async for row in process.stdout:
            yield IndexEvent(*json.loads(row))
        if await process.wait():
            yield IndexEvent("failed", message="the indexer ended early; `ctx sync` says why")
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def main(root: str) -> int:
    """The process: events on standard output, one a line."""
    from sctx_tui.graph import indexer
    from sctx_tui.graph.store import Store, StoreError, index_path

    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    is_new = not _exists(index_path(root))
    try:
        with Store.open(root, create=True) as store:
            for event in indexer.sync(store, root, describes=is_new):
                if isinstance(event, indexer.Progress):
                    _tell(IndexEvent(event.phase, event.done, event.total))
                elif isinstance(event, indexer.Report):
                    _tell(IndexEvent("done", event.files, event.files))
    except StoreError as error:
        _tell(IndexEvent("failed", message=str(error)))
    except BrokenPipeError:
        return 1
    return 0


def _exists(path: str) -> bool:
    from os.path import lexists

    return lexists(path)


def _tell(event: IndexEvent) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
