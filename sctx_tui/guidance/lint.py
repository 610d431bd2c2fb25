"""What is valid in a guidance file and yet not what anyone meant: the warnings of `sctx validate`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sctx_tui.guidance.document import DocumentFault, decoded
from sctx_tui.guidance.hidden import hidden_in_pattern, hidden_in_text
from sctx_tui.guidance.locate import Source
from sctx_tui.guidance.model import ContextEntry, Decision, GuidanceFile, Problem
from sctx_tui.guidance.pattern_lint import Finding, Place, lint_pattern
from sctx_tui.guidance.render import LIMIT

if TYPE_CHECKING:
    Entry: TypeAlias = ContextEntry | Decision

MAX_COMPARISONS = 20_000_000
"""Comparisons of patterns with paths in one run, some 15 seconds at most; a hostile file asks for hours."""

_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_LINK = re.compile(r"\]\(<?+([^\s()<>#?]++)[^\s()<>]*+>?\)")
# Keys that are certain by their form. Nothing of what is found is ever repeated.
_SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[0-9A-Za-z]{36}\b"
    r"|\bgithub_pat_\w{60,}|\bglpat-[\w-]{20}\b|\bxox[abprs]-[\w-]{10,}|\bsk-[\w-]{32,}|\bAIza[\w-]{35}\b"
)


class FileLint:
    """The warnings about one file. `ancestors` are the entries of the files above it, nearest last."""

    def __init__(
        self, file: GuidanceFile, data: bytes, place: Place, ancestors: list[GuidanceFile], today: date
    ) -> None:
        self.file = file
        self.data = data
        self.place = place
        self.ancestors = ancestors
        self.today = today
        self._findings: dict[tuple[str, str], Finding | None] = {}

    @cached_property
    def source(self) -> Source:
        """Positions; composed at the first finding."""
        return Source(self.data)

    @cached_property
    def text(self) -> str:
        """The file as text; "" if it isn't text, which the parser reports."""
        try:
            return decoded(self.data)
        except DocumentFault:
            return ""

    @cached_property
    def _seen(self) -> frozenset[str]:
        """The hidden characters that stand in the source as they are: those are reported where they stand."""
        return frozenset(self.text[at] for at, _ in hidden_in_text(self.text))

    def problems(self) -> Iterator[Problem]:
        """Every warning, in no particular order."""
        yield from self._hidden_in_source()
        for section, entries in (("context", self.file.context), ("decisions", self.file.decisions)):
            for entry in entries:
                yield from self._patterns(section, entry)
                yield from self._texts(section, entry)
        for decision in self.file.decisions:
            yield from self._dates(decision)
        yield from self._duplicates()

    def _warning(self, place: tuple[int, int], code: str, message: str, where: str = "") -> Problem:
        text = f"{where}: {message}" if where else message
        return Problem(self.file.path, *place, "warning", code, text, where)

    def _about(
        self, section: str, entry: Entry, field: str, code: str, message: str, value: str = ""
    ) -> Problem:
        place = self.source.of_value(section, entry, field, value)
        return self._warning(place, code, message, self.source.where(section, entry))

    def _hidden_in_source(self) -> Iterator[Problem]:
        """Hidden characters as they stand in the file, comments included: an agent may read the file."""
        if not self._seen:
            return
        for number, line in enumerate(re.split(r"\r\n|[\n\r\x85]", self.text), 1):
            found = list(hidden_in_text(line))
            if found:
                column, name = found[0]
                yield self._warning((number, column + 1), "hidden_character", _hidden(name, len(found)))

    def _patterns(self, section: str, entry: Entry) -> Iterator[Problem]:
        gone = section == "decisions" and all(self._is_dead(pattern) for pattern in entry.match)
        if gone:
            message = "no match pattern fits a listed file: what it was about is gone or has moved"
            yield self._about(section, entry, "match", "stale_decision", message)
        for field, patterns in (("match", entry.match), ("exclude", entry.exclude)):
            for pattern in dict.fromkeys(patterns):
                if self._is_dead(pattern, field) and (gone or _only_creates(entry)):
                    continue
                finding = self._finding(pattern, field)
                if finding is not None:
                    message = f"{field} pattern {_quoted(pattern)} {finding.message}"
                    yield self._about(section, entry, field, finding.code, message, pattern)

    def _is_dead(self, pattern: str, field: str = "match") -> bool:
        """Whether a pattern fits nothing and nothing like it exists."""
        finding = self._finding(pattern, field)
        return finding is not None and finding.code == "dead_pattern"

    def _finding(self, pattern: str, field: str) -> Finding | None:
        """What is wrong with a pattern, looked for once: the entries of a file share most of theirs."""
        if (pattern, field) not in self._findings:
            self._findings[pattern, field] = self._find(pattern, field)
        return self._findings[pattern, field]

    def _find(self, pattern: str, field: str) -> Finding | None:
        hidden = list(hidden_in_pattern(pattern))
        if hidden:
            unseen = [name for at, name in hidden if pattern[at] not in self._seen]
            return Finding("hidden_character", f"has a {_hidden(unseen[0], len(unseen))}") if unseen else None
        if self.place.inventory.effort.comparisons > MAX_COMPARISONS:
            return None
        return lint_pattern(pattern, field, self.place)

    def _texts(self, section: str, entry: Entry) -> Iterator[Problem]:
        for field, text in _texts(entry):
            for code, check in TEXT_CHECKS:
                message = check(self, text)
                if message:
                    yield self._about(section, entry, field, code, f"{field} {message}")

    def _escaped_hidden(self, text: str) -> str | None:
        """Hidden characters that the source spells as escapes, so that the source itself looks clean."""
        found = [name for at, name in hidden_in_text(text) if text[at] not in self._seen]
        return f"has a {_hidden(found[0], len(found))}" if found else None

    def _too_long(self, text: str) -> str | None:
        if len(text) <= LIMIT:
            return None
        return f"has {len(text):,} characters; agents are given {LIMIT:,} at most, so it never arrives whole"

    def _secret(self, text: str) -> str | None:
        return "holds what looks like a secret key" if _SECRET.search(text) else None

    def _dead_link(self, text: str) -> str | None:
        """A Markdown link to a path that isn't there, seen from the file's directory and from the root."""
        for found in _LINK.finditer(text):
            target = found[1]
            if ":" in target or target.startswith(("/", "~")) or not _is_plain_path(target):
                continue
            if not self.place.exists(target) and not self.place.exists(target, from_root=True):
                return f"links to {target}, which does not exist"
        return None

    def _dates(self, decision: Decision) -> Iterator[Problem]:
        # A day's grace: the writer's today may be tomorrow here.
        if decision.date and decision.date > (self.today + timedelta(days=1)).isoformat():
            yield self._about(
                "decisions", decision, "date", "future_date", f"{decision.date} is in the future"
            )
        found = _DATE.search(decision.revisit_when)
        if found and _is_past(found, self.today):
            message = f"it was to be revisited by {found[0]}, which has passed"
            yield self._about("decisions", decision, "revisit_when", "revisit_due", message)

    def _duplicates(self) -> Iterator[Problem]:
        """The same entry twice: in this file, or in a file above that delivers it everywhere."""
        seen: dict[tuple[object, ...], str] = {}
        for file in self.ancestors:
            inherited: list[Entry] = [*file.context, *file.decisions]
            for entry in inherited:
                if entry.match == ("**",) and not entry.exclude:
                    seen[_identity(entry, scoped=False)] = f"{file.path}:{entry.line}"
        for section, entries in (("context", self.file.context), ("decisions", self.file.decisions)):
            for entry in entries:
                if entry.problem:
                    continue
                key = _identity(entry, scoped=True)
                first = seen.get(_identity(entry, scoped=False)) or seen.setdefault(key, f"line {entry.line}")
                if first != f"line {entry.line}":
                    message = f"the same entry stands at {first}, and both are delivered"
                    where = self.source.where(section, entry)
                    yield self._warning(
                        self.source.of_entry(section, entry), "duplicate_entry", message, where
                    )


TextCheck: TypeAlias = Callable[[FileLint, str], "str | None"]

TEXT_CHECKS: tuple[tuple[str, TextCheck], ...] = (
    ("hidden_character", FileLint._escaped_hidden),
    ("too_long", FileLint._too_long),
    ("secret", FileLint._secret),
    ("dead_link", FileLint._dead_link),
)


def _texts(entry: Entry) -> Iterator[tuple[str, str]]:
    """(field, text) of everything in an entry that an agent reads."""
    if isinstance(entry, ContextEntry):
        yield "content", entry.content
        return
    yield "decision", entry.decision
    yield "rationale", entry.rationale
    yield "revisit_when", entry.revisit_when
    for alternative in entry.alternatives:
        yield "alternatives", alternative.option
        yield "alternatives", alternative.reason_rejected


def _identity(entry: Entry, *, scoped: bool) -> tuple[object, ...]:
    """What makes two entries the same; `scoped` takes the patterns into account."""
    patterns = (entry.match, entry.exclude) if scoped else ()
    if isinstance(entry, ContextEntry):
        return ("context", entry.content.strip(), tuple(sorted(set(entry.on))), entry.when, *patterns)
    return ("decision", entry.decision.strip(), entry.rationale.strip(), *patterns)


def _only_creates(entry: Entry) -> bool:
    """The files are still to come, so nothing can be said about patterns that fit none."""
    return isinstance(entry, ContextEntry) and set(entry.on) == {"create"}


def _is_past(found: re.Match[str], today: date) -> bool:
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) < today
    except ValueError:
        return False


def _is_plain_path(target: str) -> bool:
    return "\x00" not in target and not any(character in target for character in "*{}$<>|`")


def _hidden(name: str, count: int) -> str:
    more = f" and {count - 1} more" if count > 1 else ""
    return f"hidden character {name}{more}; remove it or, if it is meant, write about it in words"


def _quoted(pattern: str) -> str:
    """A pattern as it is quoted in messages: whole unless it is very long."""
    return f"'{pattern}'" if len(pattern) <= 120 else f"'{pattern[:117]}...'"
