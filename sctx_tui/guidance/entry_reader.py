"""One entry of a guidance file: its fields, read with every fault reported at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.guidance.document import Document, DocumentFault, Fault, position, quoted
from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.misspelt import intended_field
from sctx_tui.guidance.model import ACTIONS, TIMINGS, Problem

if TYPE_CHECKING:
    from yaml.nodes import Node

DEFAULT_PATTERNS = {"match": ("**",), "exclude": ()}


class EntryReader:
    """Reads one mapping. `spoilt` is why the entry gives nothing, or ""; problems go to the list given."""

    def __init__(
        self, document: Document, file: str, where: str, node: Node, problems: list[Problem]
    ) -> None:
        self.document = document
        self.file = file
        self.where = where
        self.problems = problems
        self.spoilt = ""
        self.place = position(node)
        self.fields: dict[str, tuple[Node, Node]] = {}
        self.is_mapping = True
        try:
            self.fields = document.fields(node)
        except DocumentFault:
            raise
        except Fault as fault:
            self.is_mapping = False
            self.spoil_by(fault)

    @property
    def line(self) -> int:
        """1-based line where the entry begins."""
        return self.place[0]

    def inner(self, name: str, node: Node) -> EntryReader:
        """A reader for a mapping within this one."""
        return EntryReader(self.document, self.file, f"{self.where}.{name}", node, self.problems)

    def report(self, code: str, message: str, field: str | None = None, severity: str = "error") -> None:
        """Note a problem at the value of a field, or where the entry begins."""
        line, column = position(self.fields[field][1]) if field else self.place
        self._note(line, column, severity, code, message)

    def report_fault(self, fault: Fault) -> None:
        """Note a fault; one that concerns the document is raised again."""
        if isinstance(fault, DocumentFault):
            raise fault
        self._note(fault.line, fault.column, "error", "invalid_yaml", fault.message)

    def spoil(self, code: str, message: str, field: str | None = None) -> None:
        """Note a problem because of which the entry gives nothing."""
        self.report(code, message, field)
        self.spoilt = self.spoilt or message

    def spoil_by(self, fault: Fault) -> None:
        """Note a fault because of which the entry gives nothing."""
        self.report_fault(fault)
        self.spoilt = self.spoilt or fault.message

    def _note(self, line: int, column: int, severity: str, code: str, message: str) -> None:
        message = f"{self.where}: {message}"
        self.problems.append(Problem(self.file, line, column, severity, code, message, self.where))

    def check_fields(self, known: tuple[str, ...], filters: tuple[str, ...]) -> None:
        """Report unknown fields; one that was meant to be a filter spoils the entry."""
        for name, (key, _) in self.fields.items():
            if name in known:
                continue
            intended = intended_field(name, filters)
            line, column = position(key)
            if intended is None:
                self._note(line, column, "warning", "unknown_field", f"unknown field {quoted(name)}")
                continue
            message = f"unknown field {quoted(name)}; did you mean {quoted(intended)}?"
            self._note(line, column, "error", "misspelt_field", message)
            self.spoilt = self.spoilt or message

    def scalar(self, name: str) -> str:
        """A field's text, "" if it is missing or null; raises Fault if it is a list or mapping."""
        return self.document.text(self.fields[name][1]) if name in self.fields else ""

    def items(self, name: str) -> list[Node]:
        """A field's list; raises Fault if it is a mapping."""
        return self.document.items(self.fields[name][1]) if name in self.fields else []

    def text(self, name: str) -> str:
        """A field's text, "" if it is missing; any other shape spoils the entry."""
        try:
            return self.scalar(name)
        except Fault as fault:
            self.spoil_by(fault)
            return ""

    def required(self, name: str) -> str:
        """A field's text; an entry without it, or with a blank one, is spoilt."""
        faults = len(self.problems)
        text = self.text(name)
        if not text.strip() and self.is_mapping and len(self.problems) == faults:
            self.spoil(f"{name}_required", f"{name} is required", name if name in self.fields else None)
        return text

    def texts(self, name: str) -> list[tuple[str, Node]]:
        """A field's list as texts with their nodes, nulls left out; any other shape spoils the entry."""
        found = []
        try:
            for node in self.items(name):
                if not self.document.is_null(node):
                    found.append((self.document.text(node), node))
        except Fault as fault:
            self.spoil_by(fault)
        return found

    def patterns(self, name: str) -> tuple[str, ...]:
        """The patterns of `match` or `exclude` as written, or its default.

        A bad one in `match` fits nothing, and spoils the entry if all are bad; a bad one in `exclude` spoils
        the entry: widening its scope is worse than silence.
        """
        found = self.texts(name)
        problems = [self._check_pattern(name, pattern, node) for pattern, node in found]
        bad = [problem for problem in problems if problem]
        if bad and (name == "exclude" or len(bad) == len(found)):
            self.spoilt = self.spoilt or bad[0]
        return tuple(pattern for pattern, _ in found) or DEFAULT_PATTERNS[name]

    def _check_pattern(self, name: str, pattern: str, node: Node) -> str:
        glob = compile_glob(pattern)
        self.document.count_pattern(glob, node)
        if glob.problem is None:
            return ""
        message = f"invalid {name} glob {quoted(pattern)}: {glob.problem}"
        self._note(*position(node), "error", "invalid_glob", message)
        return message

    def actions(self, name: str) -> tuple[str, ...]:
        """The actions of `on`, or its default."""
        found = self.texts(name)
        for action, node in found:
            if action not in ACTIONS:
                message = f"invalid action {quoted(action)} (must be read, edit, create, or all)"
                self._note(*position(node), "error", "invalid_action", message)
                self.spoilt = self.spoilt or message
        if name in self.fields and self.fields[name][1].value == []:
            self.spoil("invalid_action", "`on` is an empty list (leave it out to mean all)", name)
        return tuple(action for action, _ in found) or ("all",)

    def timing(self, name: str) -> str:
        """The timing of `when`, or its default."""
        timing = self.text(name) or "before"
        if timing not in TIMINGS:
            self.spoil("invalid_when", f"invalid when {quoted(timing)} (must be before, after, or all)", name)
        return timing
