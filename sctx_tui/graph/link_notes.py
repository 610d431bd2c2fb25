"""What a full link leaves behind so that a later edit of one file can be judged without another one.

A function is *at rest* when the calls of it that were found told nothing: its parameters and its receiver are
what they are without any call. Whoever computes with it then gets the same at any time of the link, in
whatever order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.solver import Result
from sctx_tui.graph.values import Values

# Of a symbol.
ASKED = 1  # something depends on the calls of it
RESTLESS = 2  # and they told something
CALLED = 4  # there are calls
SHARED = 8  # what depends on them is not only its own parameters and receiver
RETURNED = 16  # something asked for its result, or for what it makes of an object
INHERITED = 32  # a class with subclasses
EXTENDED = 64  # a class of which something stands outside of it

# Of a name.
CALLABLE, PROPERTY, SETTER, STORED, METHOD, ATTRIBUTE = 1, 2, 4, 8, 16, 32
MENTIONED = 64  # something of that name is called, by the text
LOOKED_UP = 128  # some module or class was asked for it


class Note(NamedTuple):
    """What is known of a symbol: the flags above; which of its parameters are (bit k + 1; the receiver: bit
    0); in how many contexts it was looked at."""

    flags: int = 0
    known: int = 0
    contexts: int = 0

    def __or__(self, other: Note) -> Note:
        """What two looks found."""
        return Note(self.flags | other.flags, self.known | other.known, self.contexts + other.contexts)


NOTHING = Note()


class Notes(NamedTuple):
    """What a link leaves behind."""

    symbols: dict[str, dict[int, Note]]  # path -> index of the symbol -> note
    names: dict[str, int]  # -> roles
    asked: dict[str, set[str]]  # path -> names that its module or classes were asked for


class Watched(Evaluator):
    """An evaluator that remembers what was known before any call told something."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._before: dict[Result, Values] = {}
        self._askers: dict[int, list[Result]] = {}
        self.asked: dict[str, set[str]] = defaultdict(set)
        self._watched: set[int] = set()

    def changed(self, source: Any) -> None:
        """What consulted ``source`` is stale."""
        if type(source) is int:
            readers = self._of_source.get(source)
            if readers:
                self._askers.setdefault(source, []).extend(readers)
                for reader in readers:
                    self._before.setdefault(reader, reader.values)
        super().changed(source)

    def watch(self, gid: int) -> None:
        """Edges depend on who calls ``gid``."""
        self._watched.add(gid)

    def binds_in(self, file: File, scope: int, name: str) -> list[int]:
        """The binds that ``name`` of that scope stands for when the scope's code has run."""
        self.asked[file.path].add(name)
        return super().binds_in(file, scope, name)

    def notes(self) -> Notes:
        """What this link, which is done, leaves behind."""
        program = self.program
        found: dict[int, Note] = {}

        def add(gid: int, note: Note) -> None:
            found[gid] = found.get(gid, NOTHING) | note

        for source in self._askers.keys() | self._of_source.keys():
            if type(source) is int:
                add(source, self._note(source))
        for gid in self._watched:
            add(gid, Note(ASKED | SHARED))
        for gid, count in self.context_counts.items():
            add(gid, Note(0, 0, count))
        of_flag = (
            (CALLED, self.flows),
            (RETURNED, map(abs, program.relevant)),
            (INHERITED, program.subclasses),
            (EXTENDED, _extended(program)),
        )
        for flag, gids in of_flag:
            for gid in gids:
                add(gid, Note(flag))
        symbols: dict[str, dict[int, Note]] = {path: {} for path, file in program.files.items() if file}
        for gid, note in found.items():
            file, index = program.where(gid)
            symbols[file.path][index] = note
        return Notes(symbols, _names(program, self.asked), self.asked)

    def _note(self, source: int) -> Note:
        flags, known = ASKED, 0
        for reader in {*self._askers.get(source, ()), *self._of_source.get(source, ())}:
            before = self._before.get(reader)
            if before != reader.values and (before is not None or source in self.flows):
                flags |= RESTLESS
            bit = own_parameter(reader, source)
            known |= bit
            flags |= 0 if bit else SHARED
        return Note(flags, known)


def own_parameter(reader: Result, gid: int) -> int:
    """The bit of the parameter (or the receiver) of the function ``gid`` that the result is; else 0."""
    numbers = [arg for arg in reader.args if type(arg) is int]
    name = getattr(reader.compute, "__name__", "")
    if name not in ("_parameter", "_receivers") or numbers[0] != gid:
        return 0
    return 1 if name == "_receivers" else 2 << numbers[-1]


def _extended(program: Program) -> Iterable[int]:
    yield from program.implemented
    for table in (program.methods_outside, program.defined_outside, program.stores_outside):
        yield from (gid for gid, _ in table)


def called_name(call: Any) -> str | None:
    """The name by which a ``call`` Expr calls."""
    callee = call[1]
    if callee is not None and callee[0] in ("attr", "name"):
        name: str = callee[-1]
        return name
    return None


def _names(program: Program, asked: Mapping[str, set[str]]) -> dict[str, int]:
    called = (call for file in program.files.values() if file for _, _, call, _ in file.facts["calls"])
    roles: Mapping[int, Iterable[str]] = {
        CALLABLE: program.callable_names,
        PROPERTY: program.property_names,
        SETTER: program.setter_names,
        STORED: program.stored_names,
        METHOD: program.methods_by_name,
        ATTRIBUTE: program.attribute_names,
        MENTIONED: filter(None, map(called_name, called)),
        LOOKED_UP: chain.from_iterable(asked.values()),
    }
    found: dict[str, int] = {}
    for role, names in roles.items():
        for name in names:
            found[name] = found.get(name, 0) | role
    return found
