"""What a guidance file holds, what may be asked of it, and what the answer looks like.

Plain classes with `__slots__`: the hook imports this module on every tool call, and `dataclasses`, `enum`
and `typing` together cost more than the rest of its work.
"""

from __future__ import annotations

ACTIONS = ("read", "edit", "create", "all")
TIMINGS = ("before", "after", "all")
FILE_NAMES = ("AGENTS.yaml", "AGENTS.yml")
"""Names of a guidance file, in merge order within one directory."""

APPLIES = "applies"
NO_MATCH = "no-match"
EXCLUDED = "excluded"
OTHER_ACTION = "other-action"
OTHER_TIMING = "other-timing"
DIRECTORY_PATTERN = "directory-pattern"
INVALID = "invalid"
VERDICTS = (APPLIES, NO_MATCH, EXCLUDED, OTHER_ACTION, OTHER_TIMING, DIRECTORY_PATTERN, INVALID)


class Record:
    """Base of the value classes: equality, hash and repr over `__slots__`."""

    __slots__: tuple[str, ...] = ()

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class Alternative(Record):
    """An option that a decision rejected, and why."""

    __slots__ = ("option", "reason_rejected")

    def __init__(self, option: str, reason_rejected: str) -> None:
        self.option = option
        self.reason_rejected = reason_rejected


class ContextEntry(Record):
    """One piece of guidance. `line` is 1-based; `problem` is why the entry gives nothing, or ""."""

    __slots__ = ("content", "exclude", "line", "match", "on", "problem", "when")

    def __init__(
        self,
        content: str,
        match: tuple[str, ...] = ("**",),
        exclude: tuple[str, ...] = (),
        on: tuple[str, ...] = ("all",),
        when: str = "before",
        line: int = 1,
        problem: str = "",
    ) -> None:
        self.content = content
        self.match = match
        self.exclude = exclude
        self.on = on
        self.when = when
        self.line = line
        self.problem = problem


class Decision(Record):
    """One decision. Missing text is "", also a date; `line` and `problem` are as in ContextEntry."""

    __slots__ = (
        "alternatives",
        "date",
        "decision",
        "exclude",
        "line",
        "match",
        "problem",
        "rationale",
        "revisit_when",
    )

    def __init__(
        self,
        decision: str,
        rationale: str = "",
        alternatives: tuple[Alternative, ...] = (),
        revisit_when: str = "",
        date: str = "",
        match: tuple[str, ...] = ("**",),
        exclude: tuple[str, ...] = (),
        line: int = 1,
        problem: str = "",
    ) -> None:
        self.decision = decision
        self.rationale = rationale
        self.alternatives = alternatives
        self.revisit_when = revisit_when
        self.date = date
        self.match = match
        self.exclude = exclude
        self.line = line
        self.problem = problem


class Problem(Record):
    """A fault in a guidance file: `file` relative to the root, `line` and `column` 1-based.

    `where` names the part that is at fault, such as `context[0]` or `decisions[1].alternatives[0]`; "" is the
    file.
    """

    __slots__ = ("code", "column", "file", "line", "message", "severity", "where")

    def __init__(
        self, file: str, line: int, column: int, severity: str, code: str, message: str, where: str = ""
    ) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.severity = severity
        self.code = code
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"


class GuidanceFile(Record):
    """A parsed guidance file. Entries that give nothing are kept, with their `problem`.

    `path` and `directory` are relative to the root, with `/`; the root directory is "".
    """

    __slots__ = ("context", "decisions", "directory", "path", "problems")

    def __init__(
        self,
        path: str,
        context: tuple[ContextEntry, ...] = (),
        decisions: tuple[Decision, ...] = (),
        problems: tuple[Problem, ...] = (),
    ) -> None:
        self.path = path
        self.directory = path.rpartition("/")[0]
        self.context = context
        self.decisions = decisions
        self.problems = problems


class Query(Record):
    """The question: `root` is an absolute real path, `path` relative to it with `/` ("" = the root itself).

    `notes` holds what the asker should know about how the target was read.
    """

    __slots__ = ("action", "is_directory", "notes", "path", "root", "timing")

    def __init__(
        self,
        root: str,
        path: str,
        is_directory: bool,
        action: str = "all",
        timing: str = "all",
        notes: tuple[str, ...] = (),
    ) -> None:
        self.root = root
        self.path = path
        self.is_directory = is_directory
        self.action = action
        self.timing = timing
        self.notes = notes


class Judged(Record):
    """An entry with its verdict (one of VERDICTS) and the very pattern that decided it ("" if none did).

    `file` is relative to the root; `level` is the depth of its directory, 0 for the root; `asked` is the
    action or timing that the entry isn't for.
    """

    __slots__ = ("asked", "entry", "file", "level", "pattern", "verdict")

    def __init__(
        self, entry: ContextEntry | Decision, file: str, level: int, verdict: str, pattern: str, asked: str
    ) -> None:
        self.entry = entry
        self.file = file
        self.level = level
        self.verdict = verdict
        self.pattern = pattern
        self.asked = asked

    @property
    def line(self) -> int:
        """1-based line of the entry in its file."""
        return self.entry.line

    @property
    def kind(self) -> str:
        """ "context" or "decision"."""
        return "context" if isinstance(self.entry, ContextEntry) else "decision"

    @property
    def reason(self) -> str:
        """The verdict in words, such as `other action: on edit, asked read`."""
        entry = self.entry
        if self.verdict == APPLIES:
            return f"match {self.pattern}" if self.pattern else "asked for all entries"
        if self.verdict == OTHER_ACTION and isinstance(entry, ContextEntry):
            return f"other action: on {', '.join(entry.on)}, asked {self.asked}"
        if self.verdict == OTHER_TIMING and isinstance(entry, ContextEntry):
            return f"other timing: when {entry.when}, asked {self.asked}"
        if self.verdict == EXCLUDED:
            return f"excluded by {self.pattern}"
        if self.verdict == DIRECTORY_PATTERN:
            return f"directory pattern: match {self.pattern} fits directories only, asked a file"
        if self.verdict == INVALID:
            return f"invalid: {entry.problem}"
        directory = self.file.rpartition("/")[0]
        where = f"{directory}/" if directory else "the root"
        return f"no match: {', '.join(entry.match)} (relative to {where})"

    @property
    def applies(self) -> bool:
        """Whether the entry is delivered."""
        return self.verdict == APPLIES


class Resolution(Record):
    """The answer: every entry of every governing file, in merge order, and what went wrong on the way.

    `files` are the governing files in merge order, broken ones included; `notes` are messages about the
    query.
    """

    __slots__ = ("files", "judged", "notes", "problems", "query")

    def __init__(
        self,
        query: Query,
        judged: list[Judged],
        files: tuple[GuidanceFile, ...],
        problems: tuple[Problem, ...],
        notes: tuple[str, ...],
    ) -> None:
        self.query = query
        self.judged = judged
        self.files = files
        self.problems = problems
        self.notes = notes

    @property
    def context(self) -> list[Judged]:
        """The context entries that apply, in merge order."""
        return [each for each in self.judged if each.verdict == APPLIES and each.kind == "context"]

    @property
    def decisions(self) -> list[Judged]:
        """The decisions that apply, in merge order."""
        return [each for each in self.judged if each.verdict == APPLIES and each.kind == "decision"]
