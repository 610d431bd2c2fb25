"""A few hundred lines of a file around one of them, for the preview."""

from __future__ import annotations

import os
import stat

from sctx_tui.tui.view import Source

MAX_BYTES = 2_000_000
AROUND = 150
MAX_WIDTH = 400
"""Characters of a line that are shown."""


def read_source(root: str, path: str, line: int) -> Source:
    """What stands around a line; a file that can't be shown gives the reason instead."""
    full = os.path.join(root, path)
    real = os.path.realpath(full)
    if real != root and not real.startswith(root.rstrip("/") + "/"):
        return Source(path, line, problem="Leads outside the project; not read.")
    try:
        status = os.stat(full)
        if not stat.S_ISREG(status.st_mode):
            return Source(path, line, problem="Not a regular file.")
        with open(full, "rb") as file:
            data = file.read(MAX_BYTES)
    except OSError as error:
        return Source(path, line, problem=f"Can't be read: {error.strerror}.")
    if b"\0" in data[:8_000]:
        return Source(path, line, problem="A binary file.")
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    first = max(1, line - AROUND)
    shown = lines[first - 1 : line + AROUND]
    return Source(path, line, first, tuple(each.rstrip("\r")[:MAX_WIDTH] for each in shown))
