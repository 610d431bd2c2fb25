"""Whether a call that writes a file creates it: what was there before the call, remembered until after it.

After the call the file is always there. So a call that finds no file leaves a mark, an empty file whose name
is the call's; making one is a single step, nothing can be half written. Marks count for a day.
"""

from __future__ import annotations

import os
import time

from sctx_tui.accelerators import digest
from sctx_tui.user_directories import user_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sctx_tui.agents.calls import ToolCall

DAY = 24 * 60 * 60


def create_or_edit(call: ToolCall, path: str) -> str:
    """The action of a writing call on `path`; where no mark can be kept, what is on disk now decides."""
    exists = os.path.exists(path)
    mark = os.path.join(state_directory(), _name(call, path))
    try:
        if call.timing == "before":
            _forget(mark) if exists else _remember(mark)
        elif _is_recent(mark):
            return "create"
    except OSError:
        pass
    return "edit" if exists else "create"


def state_directory() -> str:
    """Where marks are kept."""
    return os.path.join(user_state(), "created")


def _name(call: ToolCall, path: str) -> str:
    """A file name for the call: its session and id, or its session and path when it has none."""
    which = call.identity or os.path.abspath(path)
    return digest(f"{call.session}\0{which}".encode("utf-8", "surrogatepass"))


def _remember(mark: str) -> None:
    directory = os.path.dirname(mark)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o600))
    os.utime(mark)
    with os.scandir(directory) as entries:
        for entry in entries:
            if not _is_recent(entry.path):
                _forget(entry.path)


def _forget(mark: str) -> None:
    try:
        os.unlink(mark)
    except FileNotFoundError:
        return


def _is_recent(mark: str) -> bool:
    try:
        return abs(time.time() - os.stat(mark).st_mtime) < DAY
    except FileNotFoundError:
        return False
