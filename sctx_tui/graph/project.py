"""The root of the project that the code graph is about."""

from __future__ import annotations

import os

from sctx_tui.git import checkout
from sctx_tui.graph.store import DIRECTORY
from sctx_tui.regular import open_regular


def project_root(start: str) -> str:
    """The nearest ancestor of `start` with a `.ctx`, else git's top level, else `start`: a real path.

    A worktree of another checkout is a project of its own: an index above it is not about its files.
    """
    start = os.path.realpath(start)
    folder = start
    while True:
        if os.path.isdir(os.path.join(folder, DIRECTORY)):
            return folder
        above = os.path.dirname(folder)
        if above == folder or _is_worktree(folder):
            break
        folder = above
    return checkout(start) or start


def _is_worktree(folder: str) -> bool:
    try:
        with open_regular(os.path.join(folder, ".git")) as file:
            return b"/worktrees/" in file.read(4096).replace(b"\\", b"/")
    except OSError:
        return False
