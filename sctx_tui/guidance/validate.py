"""Everything wrong with the guidance of a project: the parser's problems and the lint's warnings, sorted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import date

from sctx_tui.guidance.discover import VENDORED, all_guidance_files
from sctx_tui.guidance.inventory import Inventory
from sctx_tui.guidance.lint import MAX_COMPARISONS, FileLint
from sctx_tui.guidance.loading import is_linked, load
from sctx_tui.guidance.model import FILE_NAMES, GuidanceFile, Problem
from sctx_tui.guidance.pattern_lint import Place
from sctx_tui.guidance.reading import MAX_SIZE
from sctx_tui.guidance.unreadable import unreadable_directories
from sctx_tui.listing import listed_files
from sctx_tui.regular import open_regular

_RIGHT_NAMES = {name.lower(): name for name in FILE_NAMES}


class Report:
    """What was validated and what was found. `files` and the problems' files are relative to the root."""

    def __init__(self, files: list[str], problems: list[Problem]) -> None:
        self.files = files
        self.problems = problems

    @property
    def errors(self) -> int:
        """How many of the problems are errors."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many of the problems are warnings."""
        return len(self.problems) - self.errors


def validate(root: str, *, within: str = "", today: date | None = None) -> list[Problem]:
    """The problems of every guidance file at or below `within`, sorted by file, line and column."""
    return report(root, within=within, today=today).problems


def report(root: str, *, within: str = "", today: date | None = None) -> Report:
    """Validate the guidance files at or below `within`, a directory or one such file, relative to `root`.

    `root` is an absolute real path. `today` is what dates are compared with.
    """
    listed = listed_files(root)
    files = [path for path in all_guidance_files(root, listed) if _is_within(path, within)]
    problems = [
        *_lint_all(root, files, Inventory(listed), today or date.today()),
        *_misnamed(path for path in listed if _is_within(path, within)),
        *_unreadable(path for path in unreadable_directories(root, listed) if _is_within(path, within)),
    ]
    problems.sort(key=_place)
    return Report(files, problems)


def _place(problem: Problem) -> tuple[object, ...]:
    return (
        problem.file.split("/"),
        problem.line,
        problem.column,
        problem.severity,
        problem.code,
        problem.message,
    )


def _is_within(path: str, directory: str) -> bool:
    return not directory or path == directory or path.startswith(directory + "/")


def _lint_all(root: str, paths: list[str], inventory: Inventory, today: date) -> Iterator[Problem]:
    """Parse and lint one file after another; merge order puts those above a file before it."""
    above: list[GuidanceFile] = []
    seen: set[object] = set()
    stopped = False
    for path in paths:
        loaded = load(root, path, is_linked=is_linked(root, path.rpartition("/")[0]))
        if loaded is None or loaded.identity in seen:
            continue  # gone meanwhile, or the same file under another name
        if loaded.identity:
            seen.add(loaded.identity)
        file = loaded.file
        yield from file.problems
        while above and not _is_within(file.directory, above[-1].directory):
            inventory.forget(above.pop().directory)
        data = _content(root, file)
        place = Place(root, file.directory, inventory)
        yield from FileLint(file, data, place, list(above), today).problems()
        above.append(file)
        if not stopped and inventory.effort.comparisons > MAX_COMPARISONS:
            stopped = True
            message = "too many patterns for so many files: from here on patterns are not compared with them"
            yield Problem(path, 1, 1, "warning", "lint_stopped", message)


def _content(root: str, file: GuidanceFile) -> bytes:
    """The bytes of a file that could be parsed; nothing where it couldn't be, or has gone meanwhile."""
    if not file.context and not file.decisions:
        return b""
    try:
        with open_regular(os.path.join(root, file.path)) as stream:
            return stream.read(MAX_SIZE)
    except OSError:
        return b""


def _misnamed(paths: Iterable[str]) -> Iterator[Problem]:
    """`agents.yaml`: a name that is right but for its case is never found where case matters."""
    for path in paths:
        directory, _, name = path.rpartition("/")
        right = _RIGHT_NAMES.get(name.lower())
        if right is not None and right != name and VENDORED.isdisjoint(directory.split("/")):
            yield Problem(path, 1, 1, "warning", "file_name", f"never read: the name must be {right}")


def _unreadable(directories: Iterable[str]) -> Iterator[Problem]:
    for directory in directories:
        message = "can't be read: what stands in it is not validated"
        yield Problem(directory, 1, 1, "warning", "unreadable_directory", message)
