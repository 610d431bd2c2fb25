"""What a full link leaves behind so that a later edit of one file can be judged without another one.

A function is *at rest* when the calls of it that were found told nothing: its parameters and its receiver are
what they are without any call. Whoever computes with it then gets the same at any time of the link, in
whatever order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

from sctx_tui.graph.facts import FLAGS, PARAMS, PARENT
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_calls import argument, declared
from sctx_tui.graph.resolve_classes import linearized
from sctx_tui.graph.resolve_defaults import MANY_CALLS, is_dropped
from sctx_tui.graph.solver import Node, Result
from sctx_tui.graph.stores import ITEMS
from sctx_tui.graph.values import MANY, OUTSIDE, Value, Values

# Of a symbol.
ASKED = 1  # something depends on the calls of it
RESTLESS = 2  # and they told something
CALLED = 4  # there are calls
SHARED = 8  # what depends on them is not only its own parameters and receiver
RETURNED = 16  # something asked for its result, or for what it makes of an object
EXTENDED = 32  # a class with subclasses, or of which something stands outside of it
HASTY = 64  # and that was looked at before all of it was known
TELLING = 256  # calls beyond those that are looked at would tell something
WATCHED = 512  # edges depend on who calls it
MADE = 128  # a class of which a constructor that is watched makes objects

# Of a name.
CALLABLE, PROPERTY, SETTER, STORED, METHOD, ATTRIBUTE = 1, 2, 4, 8, 16, 32
MENTIONED = 64  # something of that name is called, by the text
LOOKED_UP = 128  # some module or class was asked for it
DISPATCHED = 256  # implementations of a method of that name were asked for
SIGHTED = 512  # whether code knows a trait of that name was asked
DESCRIPTOR, GETATTR, SETATTR = 1024, 2048, 4096  # a class of that name runs something for attributes
CREATED = 8192  # or when a subclass is made
FIELD = 16384  # objects are made of a field of that name
CALLING = 32768  # a metaclass of that name has a method for calls of its classes
GIVEN = 65536  # a function for attributes that are missing was asked for that name


#: Receivers of a function that are counted.
CROWD = 4 * MANY
#: The tables of a `Program` by class.
OUTSIDE_TABLES = ("methods_outside", "defined_outside", "implemented", "stores_outside")
TABLES = (*OUTSIDE_TABLES, "subclasses")


class Note(NamedTuple):
    """What is known of a symbol: the flags above; which of its parameters are (bit k + 1; the receiver: bit
    0); in how many contexts it was looked at; how many calls there are; of a class, the files in which
    something stands that belongs to it, and those in which its subclasses are; the names under which
    something is stored from elsewhere in its objects, or in containers that it makes, and those for which
    something asked what is; behind which file (path) calls are more than are looked at; on how many things it
    is called where those are more (``MANY``)."""

    flags: int = 0
    known: int = 0
    contexts: int = 0
    calls: int = 0
    outside: tuple[str, ...] = ()
    heirs: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    full: str = ""
    crowd: int = 0

    def __or__(self, other: Note) -> Note:
        """What two looks found."""
        return Note(
            self.flags | other.flags,
            self.known | other.known,
            self.contexts + other.contexts,
            self.calls + other.calls,
            _both(self.outside, other.outside),
            _both(self.heirs, other.heirs),
            _both(self.stored, other.stored),
            _both(self.asked, other.asked),
            self.full or other.full,
            self.crowd + other.crowd,
        )


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*first, *second})) if second else first


NOTHING = Note()


class Notes(NamedTuple):
    """What a link leaves behind."""

    symbols: dict[str, dict[int, Note]]  # path -> index of the symbol -> note
    names: dict[str, int]  # -> roles
    asked: dict[str, set[str]]  # path -> names that its module or classes were asked for
    uses: dict[str, set[str]]  # path -> names that only its own code asked its module for


class _Marking(dict[Any, Any]):
    """A table that remembers who was asked for."""

    def __init__(self, marked: set[Any]) -> None:
        super().__init__()
        self._marked = marked

    def get(self, key: Any, default: Any = None) -> Any:
        self._marked.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._marked.add(key)
        return super().__contains__(key)


class Watched(Evaluator):
    """An evaluator that remembers what was known before any call told something."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._full: dict[int, str] = {}
        self._crowds: dict[int, int] = {}
        self._hasty: set[Any] = set()  # keys of the tables by class, asked for while those were made
        self._before: dict[Node, Values] = {}
        self._askers: dict[int, list[Node]] = {}
        self._asked_stores: set[Any] = set()
        self.asked: dict[str, set[str]] = defaultdict(set)
        self.sighted: set[str] = set()  # names of traits that code may know
        self._mentioned: set[str] = set()  # names by which something is called, by the text
        self._watched: set[int] = set()
        self.uses: dict[str, set[str]] = defaultdict(set)
        self._own: tuple[File, str] | None = None  # a module that its own code is about to ask

    @contextmanager
    def making(self, *tables: str) -> Iterator[None]:
        """While these tables of the program, all by class, are made: who asks before is hasty."""
        for name in tables:
            setattr(self.program, name, _Marking(self._hasty))
        try:
            yield
        finally:
            for name in tables:
                setattr(self.program, name, dict(getattr(self.program, name)))

    def changed(self, source: Any) -> None:
        """What consulted ``source`` is stale."""
        if type(source) is int:
            readers = self._of_source.get(source)
            if readers:
                self._askers.setdefault(source, []).extend(readers)
                for reader in readers:
                    self._before.setdefault(reader, reader.values)
        else:
            self._asked_stores.add(source)
        super().changed(source)

    def fill(self) -> None:
        """Every file was looked at once: notes behind which file calls are more than are looked at, and
        methods whose receivers are so many that they say nothing."""
        for gid, calls in self.new_calls.items():
            if len(calls) > MANY and ("this", gid) in self._results:
                self._crowds[gid] = len(receivers_of(calls))
            if len(calls) >= MANY_CALLS:
                self._full[gid] = max(call.file.path for call in calls[:MANY_CALLS])

    def watch(self, gid: int) -> None:
        """Edges depend on who calls ``gid``."""
        self._watched.add(gid)

    def binds_in(self, file: File, scope: int, name: str) -> Sequence[int]:
        """The binds that ``name`` of that scope stands for when the scope's code has run."""
        own, self._own = self._own, None
        if own is not None and own[0] is file and own[1] == name and not scope:
            self.uses[file.path].add(name)
        else:
            self.asked[file.path].add(name)
        return file.binds_in(scope, name)

    def in_sight(self, name: str, file: File, scope: int, env: int) -> Values:
        """What a name means in a scope whose code need not mention it."""
        self.sighted.add(name)
        return super().in_sight(name, file, scope, env)

    def module_name(self, name: str, file: File) -> Values:
        """What ``name`` means at the top level of the file."""
        self._own = file, name
        found = super().module_name(name, file)
        self._own = None
        return found

    def exported(self, name: str, file: File, seen: frozenset[str] = frozenset()) -> Values | None:
        """What other files get when they ask the module for ``name``."""
        self.asked[file.path].add(name)
        return super().exported(name, file, seen)

    def mention(self, file: File) -> None:
        """Notes the names by which the file calls something."""
        self._mentioned.update(filter(None, [called_name(call) for _, _, call, _ in file.facts["calls"]]))

    def notes(self) -> Notes:
        """What this link, which is done, leaves behind."""
        program = self.program
        found: dict[int, Note] = {}

        def add(gid: int, note: Note) -> None:
            known = found.get(gid)
            found[gid] = note if known is None else known | note

        for source in self._askers.keys() | self._of_source.keys():
            if type(source) is int:
                add(source, self._note(source))
        for gid, count in self._crowds.items():
            add(gid, Note(crowd=count))
        for gid in self._watched:
            add(gid, Note(WATCHED))
            for call in self.flows.get(gid, ()):
                if call.receiver is not None and call.receiver[0] == "I":
                    add(call.receiver[1], Note(MADE))
        for gid, count in self.context_counts.items():
            add(gid, Note(0, 0, count))
        for gid, calls in self.flows.items():
            add(gid, Note(CALLED, 0, 0, len(calls), full=self._full.get(gid, "")))
        for gid in map(abs, program.relevant):
            add(gid, Note(RETURNED))
        for gid, paths in _outside(program).items():
            add(gid, Note(EXTENDED, outside=tuple(sorted(paths))))
        for gid, subclasses in program.subclasses.items():
            heirs = {program.where(cls)[0].path for cls in subclasses}
            add(gid, Note(EXTENDED, heirs=tuple(sorted(heirs))))
        for gid, stored in self._places_of(self.stores).items():
            add(gid, Note(stored=tuple(sorted(stored))))
        sources = self._of_source.keys() | self._asked_stores
        for gid, asked in self._places_of(one for one in sources if type(one) is tuple).items():
            add(gid, Note(asked=tuple(sorted(asked))))
        for gid in [gid for gid, note in found.items() if self._is_telling(gid, note)]:
            add(gid, Note(TELLING))
        for key in self._hasty:
            add(key if type(key) is int else key[0], Note(HASTY))
        symbols: dict[str, dict[int, Note]] = {path: {} for path, file in program.files.items() if file}
        for gid, note in found.items():
            file, index = program.where(gid)
            symbols[file.path][index] = note
        names = _names(program, self._mentioned, [*self.asked.values(), *self.uses.values()])
        for role, some in ((DISPATCHED, self.dispatched()), (SIGHTED, self.sighted)):
            for name in some:
                names[name] = names.get(name, 0) | role
        return Notes(symbols, names, self.asked, self.uses)

    def dispatched(self) -> set[str]:
        """The names of methods of which implementations were asked for, or whether a class has them."""
        program = self.program
        found: set[str] = set()
        for key in list(self._results):
            if type(key) is not tuple or len(key) != 3:
                continue
            if key[0] == "implementations":
                found.add(program.name(key[1]))
            elif key[1] == "has":
                for each in linearized(self, key[2]):
                    file, index = program.where(each)
                    found.update(file.facts["exits"].get(index, {}))
        return found

    def _places_of(self, keys: Iterable[Any]) -> dict[int, set[str]]:
        """The classes and functions in whose objects stores store, with the names, by the keys of the table
        of stores; of a container, the function that makes it."""
        makers = {id(expr): file.base + scope for expr, file, scope, _ in self.boxes}
        found: dict[int, set[str]] = defaultdict(set)
        for key in keys:
            (tag, owner), name = key if type(key[0]) is tuple else (key, ITEMS)
            if tag != "M":
                found[makers[owner] if tag == "K" else owner].add(name)
        return found

    def _is_telling(self, gid: int, note: Note) -> bool:
        """Whether calls beyond those that are looked at would tell something to a function at rest."""
        if note.known < 2 or note.flags & RESTLESS or note.calls <= MANY_CALLS:
            return False
        file, index = self.program.where(gid)
        return not all(
            tells_nothing(self, file, index, note.known, call) for call in self.flows[gid][MANY_CALLS:]
        )

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


def receivers_of(calls: Iterable[Call]) -> set[Value]:
    """The receivers of calls; some that are more than enough (``CROWD``) where they are."""
    found: set[Value] = set()
    for call in calls:
        if call.receiver is not None:
            found.add(call.receiver)
            if len(found) == CROWD:
                break
    return found


def tells_nothing(ev: Evaluator, file: File, index: int, known: int, call: Call) -> bool:
    """Whether all that a call passes is known of the function's parameters (``known``) without any call."""
    row = file.symbols[index]
    if known & 1 and call.receiver is not None:
        own = [ev.own_receiver(cls, row[FLAGS]) for cls in ev.class_of_method(file, index)]
        if call.receiver not in own:
            return False
    for k, param in enumerate(row[PARAMS]):
        if not known & (2 << k):
            continue
        given = argument(ev, call, file, index, k) if param[3] not in ("*", "**") else OUTSIDE
        default = ev.ev(param[2], file, row[PARENT], 0)
        if any(map(is_dropped, default)):
            return False  # whether calls pass the parameter decides about it
        if given and not set(given) <= {*declared(ev, file, index, k), *default}:
            return False
    return True


def own_parameter(reader: Node, gid: int) -> int:
    """The bit of the parameter (or the receiver) of the function ``gid`` that the result is; else 0."""
    numbers = [arg for arg in reader.args if type(arg) is int]
    name = reader.compute.__name__ if isinstance(reader, Result) else ""
    if name not in ("_parameter", "_receivers") or numbers[0] != gid:
        return 0
    return 1 if name == "_receivers" else 2 << numbers[-1]


def _outside(program: Program) -> dict[int, set[str]]:
    """The classes of which something stands outside, with the files."""
    found: dict[int, set[str]] = defaultdict(set)
    for cls, traits in program.implemented.items():
        found[cls].update(file.path for file, _, _ in traits)
    for (cls, _), methods in program.methods_outside.items():
        found[cls].update(program.where(gid)[0].path for gid in methods)
    for table in (program.defined_outside, program.stores_outside):
        for (cls, _), defined in table.items():
            found[cls].update(file.path for file, _, _ in defined)
    return found


def called_name(call: Any) -> str | None:
    """The name by which a ``call`` Expr calls."""
    callee = call[1]
    if callee is not None and callee[0] in ("attr", "name"):
        name: str = callee[-1]
        return name
    return None


def _names(program: Program, mentioned: set[str], asked: Iterable[set[str]]) -> dict[str, int]:
    roles: Mapping[int, Iterable[str]] = {
        CALLABLE: program.callable_names,
        PROPERTY: program.property_names,
        SETTER: program.setter_names,
        STORED: program.stored_names,
        METHOD: program.methods_by_name,
        ATTRIBUTE: program.attribute_names,
        DESCRIPTOR: program.descriptor_names,
        GETATTR: program.getattr_names,
        SETATTR: program.setattr_names,
        CREATED: program.created_names,
        FIELD: program.field_names,
        CALLING: program.calling_metaclasses,
        GIVEN: program.given_names,
        MENTIONED: mentioned,
        LOOKED_UP: chain.from_iterable(asked),
    }
    found: dict[str, int] = {}
    for role, names in roles.items():
        for name in names:
            found[name] = found.get(name, 0) | role
    return found
