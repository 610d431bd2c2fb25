"""Which entries of one file apply to a path: every entry gets a verdict and the pattern that decided it.

The order of the tests is the protocol's: match, exclude, action, timing. Only the patterns depend on the
path, and few paths differ in which patterns fit. So for each kind of question (file or directory, action,
timing) that is asked again, a file is turned into a plan: its different patterns, numbered, most of them
found by looking up parts of the path; and the answer for each set of patterns that has been seen to fit. The
first question, the only one in the life of a hook, is answered without.
"""

from __future__ import annotations

from sctx_tui.guidance.globs import compile_glob, keys_of
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
    from typing import TypeAlias, TypeVar

    P = TypeVar("P")

    Entry: TypeAlias = ContextEntry | Decision
    # An entry, the numbers of its match and of its exclude patterns, and its possible outcomes, made when
    # they are first wanted: no match, each match pattern, each exclude pattern.
    Row: TypeAlias = tuple[Entry, list[int], list[int], list[Judged | None]]

_MOST = 1_000
"""Answers that a plan keeps."""


class _Fitting(dict[str, bool]):
    """Whether a pattern fits, tested when it is first wanted."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        super().__init__()
        self._test = test

    def __missing__(self, pattern: str) -> bool:
        fits = self[pattern] = self._test(pattern)
        return fits


class Plan:
    """A file's entries made ready for one kind of question."""

    __slots__ = ("_numbers", "answers", "index", "is_directory", "rows", "tests")

    def __init__(self, entries: list[Entry], is_directory: bool) -> None:
        self.is_directory = is_directory
        self.index: dict[str, list[int]] = {}
        self.tests: list[tuple[int, Callable[[str], bool]]] = []
        self.answers: dict[tuple[int, ...], list[Judged]] = {}
        self._numbers: dict[tuple[str, bool], int] = {}
        self.rows = [self._row(entry) for entry in entries]

    def _row(self, entry: Entry) -> Row:
        if entry.problem:
            return entry, [], [], [None]
        matches = [self._number(pattern, False) for pattern in entry.match]
        excludes = [self._number(pattern, self.is_directory) for pattern in entry.exclude]
        return entry, matches, excludes, [None] * (1 + len(matches) + len(excludes))

    def _number(self, pattern: str, is_strict: bool) -> int:
        """The number of a pattern; `is_strict` for the exclude of a directory query."""
        number = self._numbers.get((pattern, is_strict))
        if number is None:
            number = self._numbers[pattern, is_strict] = len(self._numbers)
            glob = compile_glob(pattern)
            keys = None if self.is_directory else glob.keys()
            if keys is not None:
                for key in keys:
                    self.index.setdefault(key, []).append(number)
            elif not self.is_directory:
                self.tests.append((number, glob.file_test()))
            else:
                self.tests.append((number, glob.excludes_directory if is_strict else glob.matches_directory))
        return number

    def fitting(self, path: str) -> tuple[int, ...]:
        """The numbers of the patterns that fit a path."""
        found = [number for number, test in self.tests if test(path)]
        index = self.index
        if index:
            for key in keys_of(path):
                if key in index:
                    found += index[key]
        return tuple(found)


class Sheet:
    """The entries of one file, in file order, with the plans for the questions asked so far."""

    __slots__ = ("_asked", "_plans", "entries", "level", "path")

    def __init__(self, file: GuidanceFile) -> None:
        self.path = file.path
        self.level = file.path.count("/")
        self.entries = in_file_order(file)
        self._asked: set[tuple[bool, str, str]] = set()
        self._plans: dict[tuple[bool, str, str], Plan] = {}

    def judge(self, path: str, query: Query) -> list[Judged]:
        """Every entry judged for `path`, which is relative to the file's directory and in NFC."""
        asked = query.is_directory, query.action, query.timing
        plan = self._plans.get(asked)
        if plan is None and asked not in self._asked:
            self._asked.add(asked)
            return self._judge_once(path, query)
        if plan is None:
            plan = self._plans[asked] = Plan(self.entries, query.is_directory)
        fitting = plan.fitting(path)
        answer = plan.answers.get(fitting)
        if answer is None:
            if len(plan.answers) >= _MOST:
                plan.answers.clear()
            numbers = frozenset(fitting)
            answer = plan.answers[fitting] = [self._answer(row, numbers, query) for row in plan.rows]
        return answer

    def _judge_once(self, path: str, query: Query) -> list[Judged]:
        """The same by testing pattern after pattern, no more of them than decide."""
        if query.is_directory:
            fits = _Fitting(lambda pattern: compile_glob(pattern).matches_directory(path)).__getitem__
            excluded = _Fitting(lambda pattern: compile_glob(pattern).excludes_directory(path)).__getitem__
        else:
            fits = excluded = _Fitting(lambda pattern: compile_glob(pattern).matches_file(path)).__getitem__
        return [
            self._outcome(entry, _deciding(entry.match, entry.exclude, fits, excluded), query)
            for entry in self.entries
        ]

    def judge_unscoped(self, query: Query) -> list[Judged]:
        """Every entry judged by action and timing only."""
        return [self._applicable(entry, "", query) for entry in self.entries]

    def _answer(self, row: Row, fitting: frozenset[int], query: Query) -> Judged:
        entry, matches, excludes, outcomes = row
        fits = fitting.__contains__
        index = _deciding(matches, excludes, fits, fits)
        known = outcomes[index]
        if known is None:
            known = outcomes[index] = self._outcome(entry, index, query)
        return known

    def _outcome(self, entry: Entry, index: int, query: Query) -> Judged:
        """The verdict on an entry of which this pattern decides: 0 for none, then match, then exclude."""
        if entry.problem:
            return self._judged(entry, INVALID)
        if index > len(entry.match):
            return self._judged(entry, EXCLUDED, entry.exclude[index - len(entry.match) - 1])
        if index:
            return self._applicable(entry, entry.match[index - 1], query)
        if not query.is_directory and all(compile_glob(each).is_directory_pattern for each in entry.match):
            return self._judged(entry, DIRECTORY_PATTERN, entry.match[0])
        return self._judged(entry, NO_MATCH)

    def _applicable(self, entry: Entry, pattern: str, query: Query) -> Judged:
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

    def _judged(self, entry: Entry, verdict: str, pattern: str = "", asked: str = "") -> Judged:
        return Judged(entry, self.path, self.level, verdict, pattern, asked)


def _deciding(
    matches: Sequence[P], excludes: Sequence[P], fits: Callable[[P], bool], excluded: Callable[[P], bool]
) -> int:
    """Which pattern of an entry decides: the first match that fits, unless an exclude does; 0 for none."""
    for index, pattern in enumerate(matches, 1):
        if fits(pattern):
            for excluding, other in enumerate(excludes, len(matches) + 1):
                if excluded(other):
                    return excluding
            return index
    return 0


def in_file_order(file: GuidanceFile) -> list[Entry]:
    """All entries of a file, the section that stands first coming first."""
    if file.context and file.decisions and file.decisions[0].line < file.context[0].line:
        return [*file.decisions, *file.context]
    return [*file.context, *file.decisions]
