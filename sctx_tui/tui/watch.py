"""What changed on disk since the last look: a few hundred stats, five times a second, whatever the size of
the project.

For where the system tells of no changes (`following.py`): watches are limited, and network drives have none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

AT_ONCE = 400
"""Paths of the long list that one look covers; more are covered by the next looks."""

INDEX_FILES = (".ctx/index.db", ".ctx/index.db-wal")

Signature = tuple[int, int, int] | None


class Changes(NamedTuple):
    """What is different."""

    guidance: bool = False
    """A guidance file appeared, changed or went away."""
    content: bool = False
    """The selected file changed."""
    code: bool = False
    """The code index changed."""
    folders: bool = False
    """Files may have appeared or gone away: they are to be listed anew."""
    tree: bool = False
    """Files have appeared or gone away, and the list says so already."""


class Watch:
    """Compares files with what they were at the last look."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._seen: dict[str, Signature] = {}
        self._next = 0

    def note(self, paths: Iterable[str]) -> None:
        """Begin to watch guidance files that are about to be read: a change from now on counts."""
        for path in paths:
            if path not in self._seen:
                self._seen[path] = self._signature(path)

    def note_folders(self, folders: Iterable[str]) -> None:
        """Begin to watch the names in folders that are about to be listed."""
        self._any_changed(folders, names_only=True)

    def look(
        self, near: Iterable[str], known: list[str], content: Iterable[str], folders: Iterable[str]
    ) -> Changes:
        """What changed. Paths are relative to the root.

        `near` are guidance files that would govern the selected path, there or not; `known` are all others.
        """
        turn = list(islice(known, self._next, self._next + AT_ONCE))
        self._next = self._next + AT_ONCE if self._next + AT_ONCE < len(known) else 0
        return Changes(
            self._any_changed((*near, *turn)),
            self._any_changed(content),
            self._any_changed(INDEX_FILES),
            self._any_changed(folders, names_only=True),
        )

    def _any_changed(self, paths: Iterable[str], *, names_only: bool = False) -> bool:
        changed = False
        for path in paths:
            found = self._signature(path)
            if names_only and found is not None:
                found = (found[0], 0, found[2])
            key = path + "/" if names_only else path
            if self._seen.setdefault(key, found) != found:
                self._seen[key] = found
                changed = True
        return changed

    def _signature(self, path: str) -> Signature:
        try:
            found = os.stat(os.path.join(self.root, path))
        except (OSError, ValueError):
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def governing(path: str, *, is_folder: bool) -> list[str]:
    """The guidance files that would govern a path, whether they are there or not."""
    from sctx_tui.guidance.model import FILE_NAMES

    parts = path.split("/") if path else []
    depth = len(parts) if is_folder else len(parts) - 1
    folders = ["/".join(parts[:each]) for each in range(max(0, depth) + 1)]
    return [f"{folder}/{name}" if folder else name for folder in folders for name in FILE_NAMES]
