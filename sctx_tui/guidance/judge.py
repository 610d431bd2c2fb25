"""Which entries of one file apply to a path: every entry gets a verdict and the pattern that decided it.

The order of the tests is the protocol's: match, exclude, action, timing. Most of a verdict doesn't depend on
the path, so for each kind of question (file or directory, action, timing) a file is turned into rows once: a
test for the path, and what to answer if it holds and if it doesn't.
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
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Test: TypeAlias = Callable[[str], bool]
    # Which tests hold for a path, by number.
    Held: TypeAlias = Sequence[bool]
    # An entry; the number of the test that decides, or a function that picks the outcome; its possible
    # outcomes, made when they are first wanted: no match, each match pattern, each exclude pattern.
    Row: TypeAlias = "tuple[ContextEntry | Decision, int, Callable[[Held], int] | None, list[Judged | None]]"


class Tests:
    """The different tests that the patterns of a file ask for, numbered; each is made once per path."""

    __slots__ = ("_is_directory", "_numbers", "tests")

    def __init__(self, is_directory: bool) -> None:
        self._is_directory = is_directory
        self._numbers: dict[tuple[str, bool], int] = {}
        self.tests: list[Test] = []

    def matching(self, pattern: str) -> int:
        """The number of the test whether a `match` pattern fits."""
        return self._number(pattern, False)

    def excluding(self, pattern: str) -> int:
        """The number of the test whether an `exclude` pattern fits."""
        return self._number(pattern, self._is_directory)

    def _number(self, pattern: str, is_strict: bool) -> int:
        number = self._numbers.get((pattern, is_strict))
        if number is None:
            number = self._numbers[pattern, is_strict] = len(self.tests)
            glob = compile_glob(pattern)
            if not self._is_directory:
                self.tests.append(glob.file_test())
            else:
                self.tests.append(glob.excludes_directory if is_strict else glob.matches_directory)
        return number


class Sheet:
    """The entries of one file, in file order, with the rows for the questions asked so far."""

    __slots__ = ("_rows", "entries", "file", "level", "path")

    def __init__(self, file: GuidanceFile) -> None:
        self.file = file
        self.path = file.path
        self.level = file.path.count("/")
        self.entries = in_file_order(file)
        self._rows: dict[tuple[bool, str, str], tuple[list[Test], list[Row]]] = {}

    def judge(self, path: str, query: Query) -> list[Judged]:
        """Every entry judged for `path`, which is relative to the file's directory and in NFC."""
        asked = query.is_directory, query.action, query.timing
        known = self._rows.get(asked)
        if known is None:
            known = self._rows[asked] = self._prepared(query.is_directory)
        tests, rows = known
        held = [test(path) for test in tests]
        return [
            outcomes[index := held[number] if pick is None else pick(held)]
            or self._outcome(entry, index, outcomes, query)
            for entry, number, pick, outcomes in rows
        ]

    def judge_unscoped(self, query: Query) -> list[Judged]:
        """Every entry judged by action and timing only."""
        return [self._fitting(entry, "", query) for entry in self.entries]

    def _prepared(self, is_directory: bool) -> tuple[list[Test], list[Row]]:
        tests = Tests(is_directory)
        rows: list[Row] = []
        for entry in self.entries:
            matches = [] if entry.problem else [tests.matching(pattern) for pattern in entry.match]
            excludes = [tests.excluding(pattern) for pattern in entry.exclude] if matches else []
            outcomes: list[Judged | None] = [None] * (1 + len(matches) + len(excludes))
            if len(matches) == 1 and not excludes:
                rows.append((entry, matches[0], None, outcomes))
            else:
                rows.append((entry, 0, _picker(matches, excludes), outcomes))
        return tests.tests, rows

    def _outcome(
        self, entry: ContextEntry | Decision, index: int, outcomes: list[Judged | None], query: Query
    ) -> Judged:
        """Make an outcome of a row, and keep it for the next path."""
        if index > len(entry.match):
            judged = self._judged(entry, EXCLUDED, entry.exclude[index - len(entry.match) - 1])
        elif index > 0 or entry.problem:
            judged = self._fitting(entry, entry.match[index - 1] if index else "", query)
        elif not query.is_directory and all(compile_glob(each).is_directory_pattern for each in entry.match):
            judged = self._judged(entry, DIRECTORY_PATTERN, entry.match[0])
        else:
            judged = self._judged(entry, NO_MATCH)
        outcomes[index] = judged
        return judged

    def _fitting(self, entry: ContextEntry | Decision, pattern: str, query: Query) -> Judged:
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

    def _judged(
        self, entry: ContextEntry | Decision, verdict: str, pattern: str = "", asked: str = ""
    ) -> Judged:
        return Judged(entry, self.path, self.level, verdict, pattern, asked)


def _picker(matches: list[int], excludes: list[int]) -> Callable[[Held], int]:
    """Picks the outcome of an entry: the first match pattern that fits decides, unless one excludes."""
    if len(matches) == len(excludes) == 1:  # the usual pair, in a third of the time
        match, exclude = matches[0], excludes[0]
        return lambda held: (2 if held[exclude] else 1) if held[match] else 0

    def pick(held: Held) -> int:
        for index, number in enumerate(matches, 1):
            if held[number]:
                for excluded, excluding in enumerate(excludes, len(matches) + 1):
                    if held[excluding]:
                        return excluded
                return index
        return 0

    return pick


def in_file_order(file: GuidanceFile) -> list[ContextEntry | Decision]:
    """All entries of a file, the section that stands first coming first."""
    if file.context and file.decisions and file.decisions[0].line < file.context[0].line:
        return [*file.decisions, *file.context]
    return [*file.context, *file.decisions]
