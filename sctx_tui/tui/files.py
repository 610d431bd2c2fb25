"""The files of a project as the tree needs them: folders are ranges of one sorted list, filled when they are
opened."""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

MAX_SCANNED = 5_000
"""Names shown of an ignored folder; the listed ones have no limit."""


class Row(NamedTuple):
    """One line of the tree."""

    path: str
    """Relative to the root; a folder has no trailing slash."""
    name: str
    depth: int
    is_folder: bool
    is_open: bool
    is_ignored: bool = False
    lit: tuple[int, ...] = ()
    """Characters of `name` that a filter matched."""


class FileIndex:
    """All listed files of a project; each question costs in proportion to its answer."""

    def __init__(self, root: str, listed: Iterable[str] = (), ignored: Iterable[str] = ()) -> None:
        """`ignored` are paths that git leaves out, a folder with a trailing slash for all that it holds."""
        self.root = root
        self.paths: list[str] = sorted(listed)
        self.ignored: list[str] = sorted(ignored)

    def __len__(self) -> int:
        return len(self.paths)

    def moved(self, came: Iterable[str], went: Iterable[str]) -> FileIndex:
        """The index with some files more and some less."""
        index = FileIndex(self.root)
        index.paths, index.ignored = self.paths.copy(), self.ignored
        for path in went:
            del index.paths[bisect_left(index.paths, path)]
        for path in came:
            insort(index.paths, path)
        return index

    def has_file(self, path: str) -> bool:
        """Whether the file is listed."""
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def is_folder(self, path: str) -> bool:
        """Whether a listed file lies below the path, or it is an ignored folder on disk."""
        start, end = self._range(self.paths, path)
        return start < end or (self._is_ignored(path) and os.path.isdir(os.path.join(self.root, path)))

    def below(self, folder: str) -> list[str]:
        """All listed files below a folder, sorted."""
        start, end = self._range(self.paths, folder)
        return self.paths[start:end]

    def children(self, folder: str, *, ignored: bool = False) -> tuple[list[str], list[str], list[str]]:
        """Names directly in a folder: folders, files, and of both the ignored ones where these are asked
        for."""
        folders, files = self._names(self.paths, folder)
        left_out: list[str] = []
        if ignored:
            more_folders, more_files = self._names(self.ignored, folder)
            left_out = [name for name in more_folders if name not in set(folders)] + more_files
            folders = sorted({*folders, *more_folders}, key=str.casefold)
            files = sorted({*files, *more_files}, key=str.casefold)
            if not folders and not files:
                folders, files = scan(os.path.join(self.root, folder))
                left_out = [*folders, *files]
        return folders, files, left_out

    def rows(
        self, folder: str, depth: int, is_open: Callable[[str], bool], *, ignored: bool = False
    ) -> Iterator[Row]:
        """Rows below a folder: folders before files, each open folder followed by its own rows."""
        folders, files, left_out = self.children(folder, ignored=ignored)
        dim = set(left_out)
        prefix = folder + "/" if folder else ""
        for name in folders:
            path = prefix + name
            opened = is_open(path)
            yield Row(path, name, depth, True, opened, name in dim)
            if opened:
                yield from self.rows(path, depth + 1, is_open, ignored=ignored)
        for name in files:
            yield Row(prefix + name, name, depth, False, False, name in dim)

    def _is_ignored(self, path: str) -> bool:
        return any(path + "/" == each or path.startswith(each) for each in self.ignored if each.endswith("/"))

    @staticmethod
    def _range(paths: list[str], folder: str) -> tuple[int, int]:
        """Start and end of what lies below a folder: "0" is the character after "/"."""
        if not folder:
            return 0, len(paths)
        return bisect_left(paths, folder + "/"), bisect_left(paths, folder + "0")

    @classmethod
    def _names(cls, paths: list[str], folder: str) -> tuple[list[str], list[str]]:
        at, end = cls._range(paths, folder)
        skip = len(folder) + 1 if folder else 0
        folders: list[str] = []
        files: list[str] = []
        while at < end:
            name, slash, _ = paths[at][skip:].partition("/")
            if not slash:
                files.append(name)
                at += 1
            elif name:
                folders.append(name)
                at = bisect_left(paths, paths[at][:skip] + name + "0", at, end)
            else:
                at += 1  # the folder itself, with its trailing slash
        folders.sort(key=str.casefold)
        files.sort(key=str.casefold)
        return folders, files


def scan(directory: str) -> tuple[list[str], list[str]]:
    """Names of folders and files on disk, at most MAX_SCANNED; links are files, so that no loop can be
    walked."""
    folders: list[str] = []
    files: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for number, entry in enumerate(entries):
                if number >= MAX_SCANNED:
                    break
                (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
    except OSError:
        pass  # gone or unreadable: an empty folder
    return sorted(folders, key=str.casefold), sorted(files, key=str.casefold)


def parents(path: str) -> list[str]:
    """Folders above a path, outermost first, without the root."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def nested(paths: Iterable[str], lit: Callable[[str], tuple[int, ...]]) -> Iterator[Row]:
    """Rows for a choice of files with the folders that lead to them, all open; `lit` gives matched characters
    of a path."""
    shown: list[str] = []
    for path in paths:
        above = parents(path)
        common = 0
        while common < min(len(shown), len(above)) and shown[common] == above[common]:
            common += 1
        for depth in range(common, len(above)):
            yield Row(above[depth], above[depth].rpartition("/")[2], depth, True, True)
        shown = above
        name = path.rpartition("/")[2]
        start = len(path) - len(name)
        hits = tuple(at - start for at in lit(path) if at >= start)
        yield Row(path, name, len(above), False, False, lit=hits)
