"""Which entries of one file apply to a path: every entry gets a verdict and the pattern that decided it.

The order of the tests is the protocol's: match, exclude, action, timing. Most of a verdict doesn't depend on the
path, so for each kind of question (file or directory, action, timing) a file is turned into rows once: a test for
the path, and what to answer if it holds and if it doesn't.
"""

from __future__ import annotations

from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.model import (
    APPLIES,
    DIRECTORY_PATTERN,
    EXCLUDED,
    INVALID,
    NO_MATCH,
    OTHER_ACTION,
    OTHER_TIMING,
    ContextEntry,
    Decision,
    GuidanceFile,
    Judged,
    Query,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Test: TypeAlias = Callable[[str], bool]
    # (test, answer if it holds, answer if not, None), or (.., .., .., function that answers)
    Row: TypeAlias = "tuple[Test, Judged, Judged, Callable[[str], Judged] | None]"


class Sheet:
    """The entries of one file, in file order, with the rows for the questions asked so far."""

    __slots__ = ("_rows", "entries", "file", "level", "path")

    def __init__(self, file: GuidanceFile) -> None:
        self.file = file
        self.path = file.path
        self.level = file.path.count("/")
        self.entries = in_file_order(file)
        self._rows: dict[tuple[bool, str, str], list[Row]] = {}

    def judge(self, path: str, query: Query) -> list[Judged]:
        """Every entry judged for `path`, which is relative to the file's directory and in NFC."""
        asked = query.is_directory, query.action, query.timing
        rows = self._rows.get(asked)
        if rows is None:
            rows = self._rows[asked] = [self._row(entry, query) for entry in self.entries]
        return [
            (hit if test(path) else miss) if decide is None else decide(path)
            for test, hit, miss, decide in rows
        ]

    def judge_unscoped(self, query: Query) -> list[Judged]:
        """Every entry judged by action and timing only."""
        return [self._outcome(entry, "", query) for entry in self.entries]

    def _judged(
        self, entry: ContextEntry | Decision, verdict: str, pattern: str = "", asked: str = ""
    ) -> Judged:
        return Judged(entry, self.path, self.level, verdict, pattern, asked)

    def _outcome(self, entry: ContextEntry | Decision, pattern: str, query: Query) -> Judged:
        """The verdict on an entry whose patterns fit."""
        if entry.problem:
            return self._judged(entry, INVALID)
        if isinstance(entry, ContextEntry):
            action, timing = query.action, query.timing
            if action != "all" and action not in entry.on and "all" not in entry.on:
                return self._judged(entry, OTHER_ACTION, pattern, action)
            if timing != "all" and entry.when not in (timing, "all"):
                return self._judged(entry, OTHER_TIMING, pattern, timing)
        return self._judged(entry, APPLIES, pattern)

    def _row(self, entry: ContextEntry | Decision, query: Query) -> Row:
        if entry.problem:
            invalid = self._judged(entry, INVALID)
            return _always, invalid, invalid, None
        globs = [compile_glob(pattern) for pattern in entry.match]
        excluding = [compile_glob(pattern) for pattern in entry.exclude]
        miss = self._judged(entry, NO_MATCH)
        if query.is_directory:
            tests: list[Test] = [glob.matches_directory for glob in globs]
            excludes: list[Test] = [glob.excludes_directory for glob in excluding]
        else:
            tests = [glob.file_test() for glob in globs]
            excludes = [glob.file_test() for glob in excluding]
            if all(glob.is_directory_pattern for glob in globs):
                miss = self._judged(entry, DIRECTORY_PATTERN, entry.match[0])
        hits = [self._outcome(entry, pattern, query) for pattern in entry.match]
        if len(globs) == 1 and not excludes:
            return tests[0], hits[0], miss, None
        excluded = [self._judged(entry, EXCLUDED, pattern) for pattern in entry.exclude]
        return (
            _always,
            miss,
            miss,
            _decision(list(zip(tests, hits, strict=True)), list(zip(excludes, excluded, strict=True)), miss),
        )


def _always(path: str) -> bool:
    return True


def _decision(
    matches: list[tuple[Test, Judged]], excludes: list[tuple[Test, Judged]], miss: Judged
) -> Callable[[str], Judged]:
    """The answer for an entry with several patterns: the first that fits decides, unless one excludes."""

    def decide(path: str) -> Judged:
        for test, hit in matches:
            if test(path):
                for exclude, excluded in excludes:
                    if exclude(path):
                        return excluded
                return hit
        return miss

    return decide


def in_file_order(file: GuidanceFile) -> list[ContextEntry | Decision]:
    """All entries of a file, the section that stands first coming first."""
    if file.context and file.decisions and file.decisions[0].line < file.context[0].line:
        return [*file.decisions, *file.context]
    return [*file.context, *file.decisions]
