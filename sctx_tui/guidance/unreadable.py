"""Directories that nobody could look into: what stands there is on no list, which must be said."""

from __future__ import annotations

import os
from collections.abc import Iterable

from sctx_tui.git import git
from sctx_tui.guidance.discover import VENDORED
from sctx_tui.listing import folders_of


def unreadable_directories(root: str, listed: Iterable[str]) -> list[str]:
    """Directories beside listed files that can't be read, sorted, relative to the root.

    Ignored and vendored ones are nobody's loss: a database's files below a project are often private.
    """
    found = [
        path
        for directory in folders_of(listed)
        for path in _closed_below(root, directory)
        if VENDORED.isdisjoint(path.split("/"))
    ]
    return sorted(set(found) - _ignored(root, found))


def _closed_below(root: str, directory: str) -> list[str]:
    try:
        with os.scandir(os.path.join(root, directory)) as entries:
            children = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except PermissionError:
        return [directory] if directory else []
    except OSError:
        return []  # gone since it was listed
    paths = [f"{directory}/{name}" if directory else name for name in children]
    return [path for path in paths if not os.access(os.path.join(root, path), os.R_OK | os.X_OK)]


def _ignored(root: str, paths: list[str]) -> set[str]:
    if not paths:
        return set()
    out = git(
        root, "check-ignore", "-z", "--stdin", stdin=b"".join(os.fsencode(path) + b"\0" for path in paths)
    )
    return set(os.fsdecode(out).split("\0")) if out else set()
