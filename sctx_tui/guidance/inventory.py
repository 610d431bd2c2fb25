"""The listed files of a project, arranged so that "does anything fit this pattern?" is quick.

A pattern belongs to the directory of its guidance file, so each such directory gets a `Scope`: what lies
below it, relative to it. Within a scope a pattern's literal beginning (`src/api/`) and its literal extension
(`.py`) narrow the files before any is matched, and most patterns that fit nothing are settled by that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sctx_tui.guidance.globs import GLOBSTAR, Glob, compile_glob
from sctx_tui.listing import folders_of

if TYPE_CHECKING:
    from sctx_tui.guidance.globs import Segment

_MAX_CODE_POINT = "\U0010ffff"


class Inventory:
    """The files of a project, as `listing.listed_files` gives them."""

    def __init__(self, files: Iterable[str]) -> None:
        # Patterns are matched in NFC, so names are kept and ordered in NFC.
        self.files = sorted(map(_composed, files))
        self._scopes: dict[str, Scope] = {}
        self.effort = Effort()

    def scope(self, directory: str) -> Scope:
        """What lies below `directory` ("" is the root)."""
        if directory not in self._scopes:
            prefix = _composed(directory) + "/" if directory else ""
            below = [path[len(prefix) :] for path in _starting_with(self.files, prefix)]
            self._scopes[directory] = Scope(below, self.effort)
        return self._scopes[directory]

    def forget(self, directory: str) -> None:
        """Drop a scope that is done with: in a large project each of them counts."""
        self._scopes.pop(directory, None)


class Effort:
    """What was spent: comparisons of a pattern with a path, counted before the first that fits ends them."""

    def __init__(self) -> None:
        self.comparisons = 0


class Scope:
    """The files below one directory, sorted, relative to it."""

    def __init__(self, files: Sequence[str], effort: Effort) -> None:
        self.files = files
        self._effort = effort
        self.alike: dict[tuple[str, str], tuple[str, ...]] = {}
        """What a name in a directory may have been meant to be, once that was asked."""

    @cached_property
    def directories(self) -> list[str]:
        """Every directory below this one that holds a file, at any depth, sorted."""
        return sorted(folders_of(self.files) - {""})

    @cached_property
    def by_extension(self) -> dict[str, list[str]]:
        """The files by extension, each list sorted."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(extension(path), []).append(path)
        return found

    @cached_property
    def children(self) -> dict[str, set[str]]:
        """The names directly below each directory, "" being the scope itself."""
        found: dict[str, set[str]] = {}
        for path in (*self.directories, *self.files):
            parent, _, name = path.rpartition("/")
            found.setdefault(parent, set()).add(name)
        return found

    @cached_property
    def lowered(self) -> Scope:
        """The same files in lower case, for the question whether only the case of a pattern is wrong."""
        return Scope(sorted(path.lower() for path in self.files), self._effort)

    def spend(self, comparisons: int) -> None:
        """Count work of another kind that takes as long as so many comparisons."""
        self._effort.comparisons += comparisons

    def fitting(self, pattern: str) -> Iterator[str]:
        """The files that fit, and for a directory pattern the directories, with a trailing "/"."""
        for paths, fits, slash in self._tests(pattern):
            self._effort.comparisons += len(paths)
            yield from ((path or ".") + slash for path in filter(fits, paths))

    def example(self, pattern: str) -> str | None:
        """Something that fits, or None."""
        for paths, fits, slash in self._tests(pattern):
            found = next(filter(fits, paths), None)
            self._effort.comparisons += len(paths) if found is None else bisect_left(paths, found) + 1
            if found is not None:
                return (found or ".") + slash
        return None

    def _tests(self, pattern: str) -> Iterator[tuple[Sequence[str], Callable[[str], bool], str]]:
        """For each brace alternative: paths that may fit, the test that decides, what is shown after one."""
        glob = compile_glob(pattern)
        for selection in _selections(pattern):
            paths: Sequence[str] = self.files
            if selection.is_directory:
                paths = self._places
            elif selection.extension is not None:
                paths = self.by_extension.get(selection.extension, ())
            if selection.beginning:
                paths = _starting_with(paths, selection.beginning)
            if selection.is_directory:
                yield paths, _directory_test(glob), "/"
            else:
                yield paths, glob.matches_file, ""

    @cached_property
    def _places(self) -> list[str]:
        """Every directory, the scope itself ("") among them."""
        return ["", *self.directories]


def _directory_test(glob: Glob) -> Callable[[str], bool]:
    """Whether a pattern names this very directory; `Glob.matches_directory` also asks what could be below."""
    named = glob.directories()
    return lambda path: bool(named.after(path.split("/") if path else []) & named.final)


class Selection(NamedTuple):
    """What all paths have that fit one brace alternative: a beginning, and an extension unless it is None."""

    beginning: str
    extension: str | None
    is_directory: bool


@lru_cache(maxsize=8192)
def _selections(pattern: str) -> tuple[Selection, ...]:
    return tuple(
        Selection(_literal_beginning(segments), _literal_extension(segments), is_directory)
        for segments, is_directory in compile_glob(pattern).alternatives
    )


def _composed(path: str) -> str:
    return path if path.isascii() else normalize("NFC", path)


def _literal_beginning(segments: list[Segment]) -> str:
    """What every fitting path begins with: `src/` for `src/*.py`; `src` for `src/**`, which fits `src`."""
    literal = list(takewhile(lambda segment: isinstance(segment, str), segments))
    rest = segments[len(literal) :]
    slash = "/" if literal and any(segment != GLOBSTAR for segment in rest) else ""
    return "/".join(map(str, literal)) + slash


def _literal_extension(segments: list[Segment]) -> str | None:
    """The extension that every fitting name has; None when the last segment leaves it open."""
    last = segments[-1] if segments else GLOBSTAR
    if isinstance(last, str):
        return extension(last)
    tail = last[1] if isinstance(last, list) else ""
    dot = tail.rfind(".")
    return tail[dot:] if dot >= 0 else None


def extension(path: str) -> str:
    """The extension of a file's name with its dot: "" for `Makefile`, all of `.env` (`*.env` fits it)."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:] if dot >= 0 else ""


def _starting_with(ordered: Sequence[str], prefix: str) -> Sequence[str]:
    """The part of a sorted list that begins with `prefix`."""
    return ordered[bisect_left(ordered, prefix) : bisect_left(ordered, prefix + _MAX_CODE_POINT)]
