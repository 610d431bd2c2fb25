"""What some calls of a changed file call, where that can be told without looking at the whole project again.

Every answer here is one that a full link gives as well, whatever it looks at first: it rests on definitions,
and on functions that are at rest (`link_notes.py`). Everything else raises `Unsure`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from sctx_tui.graph import link_notes as notes
from sctx_tui.graph.contexts import MAX_CONTEXTS
from sctx_tui.graph.facts import FLAGS, KIND, NAME, OWN_THIS, PARAMS, FileFacts, Row
from sctx_tui.graph.link import Edge, edges_of
from sctx_tui.graph.other_calls import Record
from sctx_tui.graph.points_to import Call
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_calls import argument, parameter
from sctx_tui.graph.solver import DEEPEST, DEEPEST_EXPR, Result
from sctx_tui.graph.targets import Site, resolve, sites_of
from sctx_tui.graph.values import Value, Values

#: Files that a look may load.
MANY_FILES = 100
#: Methods of one name, beyond which none is looked at.
FEW_METHODS = 12
#: Contexts of a function, beyond which the order in which they are made may matter.
MANY_CONTEXTS = MAX_CONTEXTS - 4


class Unsure(Exception):
    """Only a link of the whole project can tell."""


class Known:
    """What the last full link left behind, read by need.

    ``note(path, index)`` of a symbol; ``role(name)``: its roles as bits; ``methods(name)``: the files with
    methods of that name, one for each.
    """

    def __init__(
        self,
        note: Callable[[str, int], notes.Note],
        role: Callable[[str], int],
        methods: Callable[[str], Sequence[str]],
    ) -> None:
        self.note, self.role, self.methods = note, role, methods

    def also(self, roles: Mapping[str, int]) -> Known:
        """The same where names have these roles as well."""
        return Known(self.note, lambda name: self.role(name) | roles.get(name, 0), self.methods)


class _Names:
    """A set of names, asked one at a time."""

    def __init__(self, known: Known, role: int) -> None:
        self._known, self._role = known, role

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._known.role(name) & self._role)


class _OwnThis:
    """The functions that take whatever they are called on as their receiver."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def __contains__(self, gid: object) -> bool:
        return bool(self._program.symbol(gid)[FLAGS] & OWN_THIS)  # type: ignore[arg-type]


class _Table:
    """A table of the whole program of which only is known which keys it lacks."""

    def __init__(self, is_missing: Callable[[Any], bool]) -> None:
        self._is_missing = is_missing

    def get(self, key: Any, default: Any = None) -> Any:
        """The default."""
        if not self._is_missing(key):
            raise Unsure(f"{key} is in a table")
        return default

    def __contains__(self, key: Any) -> bool:
        return self.get(key) is not None


class Careful(notes.Watched):
    """Evaluates what is the same at any time of a link."""

    def __init__(self, program: Program, known: Known) -> None:
        super().__init__(program)
        self.known_notes = known
        self._is_new = False  # whether a parameter is looked at for the first time
        program_tables(program, known, self)
        self.context_counts = _Counts(self)

    def note(self, gid: int) -> notes.Note:
        """What the last full link says of a symbol."""
        file, index = self.program.where(gid)
        return self.known_notes.note(file.path, index)

    def consult(self, source: Any) -> None:
        """What is running depends on the calls of ``source``, which must not have told anything."""
        if type(source) is not int:
            raise Unsure("stores in objects")
        flags = self.note(source).flags
        if flags & notes.RESTLESS or (self._is_new and flags & notes.CALLED):
            raise Unsure(f"{self.program.name(source)} is not at rest")
        super().consult(source)

    def watch(self, gid: int) -> None:
        """Edges depend on who calls ``gid``, which only a full link knows."""
        raise Unsure("objects of a class")

    def remembered(self, key: Any, compute: Callable[..., Values], *args: Any) -> Values:
        """The result named ``key``."""
        result = self._results.get(key)
        if isinstance(result, Result) and result.running:
            raise Unsure("a cycle")
        if self._depth > DEEPEST // 2 or self.nested > DEEPEST_EXPR // 2:
            raise Unsure("nested too deep")
        outer, self._is_new = self._is_new, self._is_unknown(key)
        try:
            return super().remembered(key, compute, *args)
        finally:
            self._is_new = outer

    def _is_unknown(self, key: Any) -> bool:
        if type(key) is not tuple:
            return False
        if len(key) == 3 and key[1] == "param":
            return not self.note(key[0]).known & (2 << key[2])
        return len(key) == 2 and key[0] == "this" and not self.note(key[1]).known & 1

    def learned(self, called: Iterable[int]) -> dict[str, dict[int, notes.Note]]:
        """What this look adds to what is known of symbols. ``called``: what is called."""
        found: dict[str, dict[int, notes.Note]] = {}

        def add(gid: int, note: notes.Note) -> None:
            file, index = self.program.where(gid)
            of_file = found.setdefault(file.path, {})
            of_file[index] = of_file.get(index, notes.NOTHING) | note

        for source, readers in self._of_source.items():
            assert isinstance(source, int)
            for reader in readers:
                known = notes.own_parameter(reader, source)
                add(source, notes.Note(notes.ASKED | (0 if known else notes.SHARED), known))
        for gid in called:
            add(gid, notes.Note(notes.CALLED))
        for gid in map(abs, self.program.relevant):
            add(gid, notes.Note(notes.RETURNED))
        for gid, count in self.context_counts.items():
            add(gid, notes.Note(0, 0, count))
        return found


class _Counts(dict[int, int]):
    """Contexts by function: those of the last full link are many, or so few that some more don't matter."""

    def __init__(self, ev: Careful) -> None:
        super().__init__()
        self._ev = ev

    def get(self, gid: int, default: Any = None) -> Any:
        """How many were made here."""
        count = super().get(gid, 0)
        if count + self._ev.note(gid).contexts >= MANY_CONTEXTS:
            raise Unsure("many contexts")
        return count


class _Methods:
    """The methods of a name; none where they are more than anybody looks at."""

    def __init__(self, program: Program, known: Known) -> None:
        self._program, self._known = program, known

    def get(self, name: str, default: Any = None) -> Any:
        """Their numbers, by file."""
        if not self._known.role(name) & notes.METHOD:
            return default
        paths = self._known.methods(name)
        if len(paths) > FEW_METHODS:
            raise Unsure(f"many methods are called {name}")
        files = [file for path in dict.fromkeys(sorted(paths)) if (file := self._program.file(path))]
        return [
            file.base + index
            for file in files
            for index, row in enumerate(file.symbols)
            if row[KIND] == "method" and row[NAME] == name
        ]


def program_tables(program: Program, known: Known, ev: Careful) -> None:
    """Lets the program's tables be asked for what is known of them."""
    tables: Any = program
    tables.callable_names = _Names(known, notes.CALLABLE)
    tables.property_names = _Names(known, notes.PROPERTY)
    tables.setter_names = _Names(known, notes.SETTER)
    tables.stored_names = _Names(known, notes.STORED)
    tables.attribute_names = _Names(known, notes.ATTRIBUTE)
    tables.own_this = _OwnThis(program)
    extended = _Table(lambda key: not ev.note(key[0]).flags & notes.EXTENDED)
    tables.methods_outside = tables.defined_outside = tables.stores_outside = extended
    tables.implemented = _Table(lambda gid: not ev.note(gid).flags & notes.EXTENDED)
    tables.subclasses = _Table(lambda gid: not ev.note(gid).flags & notes.INHERITED)
    tables.methods_by_name = _Methods(program, known)
    tables.setters = _Table(lambda key: not known.role(key[1]) & notes.SETTER)


class Relink:
    """A look at one version of a file among all others.

    ``load(path)`` gives a file's facts; ``places`` the index of each of its symbols in the last link, None
    for new ones. Raises `Unsure` whenever only a full link can tell.
    """

    def __init__(
        self,
        path: str,
        facts: FileFacts,
        paths: Iterable[str],
        load: Callable[[str], FileFacts | None],
        texts: Mapping[str, str],
        known: Known,
        places: Sequence[int | None] | None = None,
    ) -> None:
        self._loaded = 0
        self._called: set[int] = set()

        def counted(other: str) -> FileFacts | None:
            self._loaded += 1
            if self._loaded > MANY_FILES:
                raise Unsure("many files")
            return facts if other == path else load(other)

        self.path = path
        self.program = Program(paths, counted, texts)
        self._places = places

        def note(of: str, index: int) -> notes.Note:
            place = places[index] if of == path and places is not None else index
            return notes.NOTHING if place is None else known.note(of, place)

        self.ev = Careful(self.program, Known(note, known.role, known.methods))
        file = self.program.file(path)
        assert file is not None
        self.file = file
        self._part = File(path, facts, file.base)

    def edges(self, record: Record, *, is_new: bool) -> list[Edge]:
        """Whom a record calls. ``is_new``: its call must tell its callees nothing; else it must not have."""
        if record.kind == "calls" and record.row[2][1] in self._resolving:
            raise Unsure("perhaps what a promise resolves with")
        part: dict[str, Any] = {**self.file.facts, "calls": [], "reads": [], "writes": []}
        part[record.kind] = [record.row]
        self._part.facts = part  # type: ignore[assignment]
        sites = list(sites_of(self.program, self._part))
        for site in sites:
            self._look(site, is_new)
        return list(edges_of(self.ev, self.path, sites))

    @cached_property
    def _resolving(self) -> Container[Any]:
        """What calls the first parameter of something, whose calls others look at in the text."""
        if not self.file.rules.functions_construct:
            return ()
        first = [(index, row[1]) for index, row in enumerate(self.file.binds) if row[2] == ("param", 0)]
        return [one for index, name in first for one in (("var", index), ("name", name))]

    def learned(self) -> tuple[dict[str, dict[int, notes.Note]], dict[str, set[str]]]:
        """What a full link would have noted because of these looks, by path: of symbols by index; names that
        were asked for."""
        return self.ev.learned(self._called), self.ev.asked

    def _look(self, site: Site, is_new: bool) -> None:
        ev = self.ev
        site.targets = resolve(ev, self.file, site)
        for gid, calls in (site.targets or {}).items():
            self._called.add(gid)
            note = ev.note(gid)
            if note.flags & notes.RESTLESS:
                raise Unsure(f"{self.program.name(gid)} is not at rest")
            if is_new and self._is_added(gid):
                note = notes.Note(notes.ASKED, -1)
            if not is_new or not note.flags & notes.ASKED:
                continue
            if note.flags & notes.SHARED:
                raise Unsure(f"others look at the calls of {self.program.name(gid)}")
            for call in calls:
                self._tell_nothing(gid, note.known, call)

    def _is_added(self, gid: int) -> bool:
        index = gid - self.file.base
        return (
            0 <= index < len(self.file.symbols) and self._places is not None and self._places[index] is None
        )

    def store(self, row: Row) -> None:
        """Makes sure that a new store is none that anything looks at."""
        scope, target, _ = row
        ev, is_attr = self.ev, target[0] == "attr"
        if self.file.rules.functions_construct:
            raise Unsure("stores may define")
        if is_attr and target[1] is not None and target[1][0] in ("this", "inst"):
            place = scope if self._places is None else self._places[scope]
            is_made = place is not None and ev.note(self.file.base + scope).flags & notes.RETURNED
            if is_made or ev.known_notes.role(target[2]) & notes.LOOKED_UP or target[1][0] == "inst":
                raise Unsure("an attribute that something looks at")
            return
        for value in ev.ev(target[1], self.file, scope, 0):
            if value[0] == "K":
                _, home, made_in, _ = ev.boxes[value[1]]
                if home is not self.file or not self._is_added(home.base + made_in):
                    raise Unsure("a container")
            elif value[0] in ("I", "C") and is_attr:
                if ev.known_notes.role(target[2]) & notes.LOOKED_UP:
                    raise Unsure("an attribute that something looks at")
            elif value[0] not in ("X", "L", "T", "c", "l", "Y"):
                raise Unsure("a store")

    def _tell_nothing(self, gid: int, known: int, call: Call) -> None:
        """Raises Unsure unless all that the call passes is known of the function's parameters already."""
        ev = self.ev
        file, index = self.program.where(gid)
        if known & 1 and call.receiver is not None:
            _include(ev.receiver(file, index, 0), (call.receiver,))
        for k, param in enumerate(file.symbols[index][PARAMS]):
            if not known & (2 << k):
                continue
            if param[3] in ("*", "**"):
                raise Unsure("a list of arguments")
            given = argument(ev, call, file, index, k)
            if given:
                _include(parameter(ev, ("param", k), file, index, 0), given)


def _include(known: Iterable[Value], given: Iterable[Value]) -> None:
    if not set(given) <= set(known):
        raise Unsure("a call tells something")
