"""What is known of a project while it is followed: its files, and the folders in which one may appear."""

from __future__ import annotations

import os
from collections.abc import Iterable

from sctx_tui.listing import folders_of, ignored, listed_files

NEVER_FOLLOWED = frozenset((".ctx", ".git"))
"""Names of folders in which nothing is a file of the project: the index itself, and git's own."""


class Listing:
    """The listed files of the project at `root`, and the folders that may come to hold one.

    Those are the folders above a listed file and all others that aren't ignored, empty ones among them.
    Paths are posix, relative to the root; "" is the root.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: set[str] = set()
        self.folders: set[str] = {""}
        self._checkouts: set[str] = set()
        self._without_files: set[str] = set()

    def renew(self, below: Iterable[str] | None = None) -> set[str]:
        """List the files again; those that came or went.

        `below` are folders that may be new; None looks everywhere for folders without listed files.
        """
        before = self.files
        self.files = {path for path in listed_files(self.root) if "/.ctx/" not in f"/{path}"}
        holding = folders_of(self.files)
        if below is None:
            self._checkouts.clear()
            self._without_files = self._find(holding, holding)
        else:
            left = self._unignored(self.folders - holding - self._without_files)  # the last file has gone
            new = {path for path in below if path not in holding}
            self._without_files |= left | new | self._find({*new, *below}, holding)
        self._without_files = {
            path
            for path in self._without_files - holding - self._checkouts
            if os.path.isdir(os.path.join(self.root, path))
        }
        self.folders = holding | self._without_files
        return before ^ self.files

    def asks_another_git(self, path: str) -> bool:
        """Whether the path lies in another checkout below the root, whose own rules hold there."""
        return any(path.startswith(f"{checkout}/") for checkout in self._checkouts)

    def _find(self, start: set[str], holding: set[str]) -> set[str]:
        """Folders below `start` that are neither ignored nor above a listed file."""
        found: set[str] = set()
        level = start
        while level:
            children = [path for folder in level for path in self._subfolders(folder)]
            candidates = [
                path for path in children if path not in holding and not self.asks_another_git(path)
            ]
            level = self._unignored({path for path in candidates if path not in found})
            found |= level
        return found

    def _unignored(self, folders: set[str]) -> set[str]:
        hidden = ignored(self.root, [f"{path}/" for path in folders]) if folders else set()
        return {path for path in folders if f"{path}/" not in hidden}

    def _subfolders(self, folder: str) -> list[str]:
        """The real folders in a folder; none in another checkout, which is remembered as such."""
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                names = [entry.name for entry in entries if _is_entered(entry)]
        except OSError:
            return []  # gone, or not ours to read
        if folder and ".git" in names:
            self._checkouts.add(folder)
            return []
        return [f"{folder}/{name}" if folder else name for name in names if name not in NEVER_FOLLOWED]


def _is_entered(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, or a checkout's `.git`, which in worktrees and submodules is a file."""
    return entry.name == ".git" or entry.is_dir(follow_symlinks=False)
