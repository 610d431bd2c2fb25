"""What some calls of a changed file call, where that can be told without looking at the whole project again.

Every answer here is one that a full link gives as well, whatever it looks at first: it rests on definitions,
and on functions that are at rest (`link_notes.py`). Everything else raises `Unsure`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sctx_tui.graph import link_notes as notes
from sctx_tui.graph.contexts import MAX_CONTEXTS
from sctx_tui.graph.facts import KIND, OWNER, FileFacts, Row
from sctx_tui.graph.known_tables import Known, Unsure, class_tables, program_tables
from sctx_tui.graph.link import Edge, edges_of
from sctx_tui.graph.other_calls import Record
from sctx_tui.graph.points_to import Call
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_defaults import MANY_CALLS
from sctx_tui.graph.solver import DEEPEST, DEEPEST_EXPR, Result
from sctx_tui.graph.stores import ITEMS, owner_keys
from sctx_tui.graph.targets import Site, by_symbol, calls_at, sites_of
from sctx_tui.graph.values import MANY, Value, Values

#: Files that a look may load.
MANY_FILES = 100
#: Contexts of a function, beyond which the order in which they are made may matter.
MANY_CONTEXTS = MAX_CONTEXTS - 4
# Kinds of values in which nothing is stored.
_STORELESS = frozenset(("X", "L", "T", "c", "l", "Y"))


class Careful(notes.Watched):
    """Evaluates what is the same at any time of a link."""

    def __init__(self, program: Program, known: Known) -> None:
        super().__init__(program)
        self.known_notes = known
        self.stores_asked: set[tuple[int, str]] = set()  # (class or function, name): what is stored there
        self._is_new = False  # whether a parameter is looked at for the first time
        program_tables(program, known)
        self.context_counts = _Counts(self)

    def note(self, gid: int) -> notes.Note:
        """What the last full link says of a symbol."""
        file, index = self.program.where(gid)
        return self.known_notes.note(file.path, index)

    def consult(self, source: Any) -> None:
        """What is running depends on the calls of ``source``, which must not have told anything."""
        if type(source) is str:
            raise Unsure("what is guessed when all calls are known")
        if type(source) is not int:
            self._consult_stores(source)
            return
        flags = self.note(source).flags
        if flags & notes.RESTLESS or (self._is_new and flags & notes.CALLED):
            raise Unsure(f"{self.program.name(source)} is not at rest")
        super().consult(source)

    def watch(self, gid: int) -> None:
        """Edges depend on who calls ``gid``, which only a full link knows."""
        raise Unsure("objects of a class")

    def _consult_stores(self, source: Any) -> None:
        key, name = source if type(source[0]) is tuple else (source, ITEMS)
        if key[0] == "M":
            raise Unsure("stores in modules")
        owner = key[1]
        if key[0] == "K":
            owner = next(
                file.base + scope for expr, file, scope, _ in reversed(self.boxes) if id(expr) == owner
            )
        if name in self.note(owner).stored:
            raise Unsure("stores in objects")
        self.stores_asked.add((owner, name))

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

    def consulted(self) -> int:
        """How often the calls of functions were asked for."""
        return sum(map(len, self._of_source.values()))

    def own_parameters(self, gid: int) -> int | None:
        """The parameters that depend on the calls of a function, as bits; None where more does."""
        bits = [notes.own_parameter(reader, gid) for reader in self._of_source.get(gid, ())]
        return None if 0 in bits else sum(set(bits))

    def learned(
        self, called: Mapping[int, int], stored: Iterable[tuple[int, str]]
    ) -> dict[str, dict[int, notes.Note]]:
        """What this look adds to what is known of symbols. ``called``: how many calls there are; ``stored``:
        where something is stored under which name."""
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
        for gid, count in called.items():
            add(gid, notes.Note(notes.CALLED, 0, 0, count))
        for gid, name in stored:
            add(gid, notes.Note(stored=(name,)))
        for gid, name in self.stores_asked:
            add(gid, notes.Note(asked=(name,)))
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

    def __setitem__(self, gid: int, count: int) -> None:
        is_class = self._ev.program.symbol(gid)[KIND] in ("class", "interface")
        if is_class and self._ev.note(gid).flags & notes.WATCHED:
            raise Unsure("perhaps the only instance that says what type parameters stand for")
        super().__setitem__(gid, count)


class Learned(NamedTuple):
    """What some looks add to the notes of a full link, by path: of symbols by index, names that were asked
    for, or only by its own code; roles of names."""

    symbols: dict[str, dict[int, notes.Note]]
    asked: dict[str, set[str]]
    uses: dict[str, set[str]]
    roles: dict[str, int]


class Relink:
    """A look at one version of a file among all others.

    ``load(path)`` gives a file's facts; ``places`` the index of each of its symbols in the last link, None
    for new ones; ``lost``: the symbols of an old version that are gone. Raises `Unsure` whenever only a full
    link can tell.
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
        lost: Container[int] = (),
    ) -> None:
        self._loaded, self._lost = 0, lost
        self._called: dict[int, int] = {}
        self._told: list[tuple[int, Call]] = []  # calls of new functions
        self._beyond: set[int] = set()  # functions of which calls were found that nobody looks at
        self._stored: set[tuple[int, str]] = set()  # (class or function, name): where new stores store

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

        self.ev = Careful(self.program, Known(note, known.role, known.methods, known.is_asked))
        file = self.program.file(path)
        assert file is not None
        self.file = file
        self._owned = [
            index
            for index, place in enumerate(places or ())
            if place is None and file.symbols[index][OWNER] is not None
        ]
        class_tables(self.program, self.ev, self.ev.note, [path] if self._owned else [])
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
        return [edge for site in sites for edge in edges_of(self.ev, site, self.program.place)]

    @cached_property
    def _resolving(self) -> Container[Any]:
        """What calls the first parameter of something, whose calls others look at in the text."""
        if not self.file.rules.functions_construct:
            return ()
        first = [(index, row[1]) for index, row in enumerate(self.file.binds) if row[2] == ("param", 0)]
        return [one for index, name in first for one in (("var", index), ("name", name))]

    def learned(self) -> Learned:
        """What a full link would have noted because of these looks."""
        self._check_new()
        if not self._stored.isdisjoint(self.ev.stores_asked):
            raise Unsure("stores in objects")
        learned = self.ev.learned(self._called, self._stored)
        for gid in self._beyond:
            of, at = self.program.where(gid)
            of_file = learned.setdefault(of.path, {})
            of_file[at] = of_file.get(at, notes.NOTHING) | notes.Note(notes.TELLING)
        for index in self._owned:
            for cls in self.ev.class_of_method(self.file, index):
                of, at = self.program.where(cls)
                note = notes.Note(notes.EXTENDED, outside=(self.path,))
                of_file = learned.setdefault(of.path, {})
                of_file[at] = of_file.get(at, notes.NOTHING) | note
        ev = self.ev
        roles: dict[str, int] = {}
        given = self.program.given_names
        by_role = ((notes.DISPATCHED, ev.dispatched()), (notes.SIGHTED, ev.sighted), (notes.GIVEN, given))
        for role, names in by_role:
            for name in names:
                roles[name] = roles.get(name, 0) | role
        for name in {name for names in (*ev.asked.values(), *ev.uses.values()) for name in names}:
            roles[name] = roles.get(name, 0) | notes.LOOKED_UP
        return Learned(learned, ev.asked, ev.uses, roles)

    def _look(self, site: Site, is_new: bool) -> None:
        ev = self.ev
        site.file = self.file  # as others know it
        site.calls = calls_at(ev, site)
        for gid, calls in by_symbol(site.calls).items():
            self._called[gid] = self._called.get(gid, 0) + len(calls)
            note = ev.note(gid)
            if note.flags & notes.WATCHED and not (is_new and all(map(self._is_made, calls))):
                raise Unsure(f"edges depend on who calls {self.program.name(gid)}")
            if is_new and self._is_of_one(gid):
                self._told += [(gid, call) for call in calls]
            is_beyond = "" < note.full < self.path  # of the calls through which parameters are looked at
            if is_beyond:
                self._beyond.add(gid)
            elif not note.flags & notes.ASKED or not (is_new or note.flags & notes.RESTLESS):
                if not is_new and note.flags & notes.TELLING:
                    raise Unsure(f"{self.program.name(gid)} has more calls than are looked at")
                continue
            elif note.flags & notes.SHARED:
                raise Unsure(f"others look at the calls of {self.program.name(gid)}")
            elif note.calls + self._called[gid] >= MANY_CALLS and (note.flags & notes.RESTLESS or not is_new):
                raise Unsure(f"{self.program.name(gid)} has more calls than are looked at")
            known = note.known & 1 if is_beyond else note.known
            left = 0 if is_new else self._called[gid]
            if note.crowd - left > MANY and ev.class_of_method(*self.program.where(gid)):
                known &= ~1
            if not all(notes.tells_nothing(ev, *self.program.where(gid), known, call) for call in calls):
                raise Unsure("a call tells something")

    def called(self) -> Iterable[tuple[str, int, int]]:
        """How many calls there are of each function: path, index, number."""
        return [(*self.program.place(gid), count) for gid, count in self._called.items()]

    def _is_made(self, call: Call) -> bool:
        """Whether objects of the class that the call makes one of are made elsewhere too."""
        made = call.receiver
        return made is not None and made[0] == "I" and bool(self.ev.note(made[1]).flags & notes.MADE)

    def _check_new(self) -> None:
        """Makes sure that the calls of new functions tell them nothing that their own calls depend on."""
        before = -1
        while before != (before := self.ev.consulted()):
            for gid, call in self._told:
                known = self.ev.own_parameters(gid)
                if known is None:
                    raise Unsure(f"others look at the calls of {self.program.name(gid)}")
                if not notes.tells_nothing(self.ev, *self.program.where(gid), known, call):
                    raise Unsure("a call tells something")

    def _is_of_one(self, gid: int) -> bool:
        """Whether the symbol is in this version of the file alone."""
        index = gid - self.file.base
        if not 0 <= index < len(self.file.symbols):
            return False
        return index in self._lost if self._places is None else self._places[index] is None

    def store(self, row: Row) -> None:
        """Makes sure that a store that is new, or gone, is none that anything looks at."""
        scope, target, _ = row
        ev, base, is_attr = self.ev, target[1], target[0] == "attr"
        is_field = base is not None and base[0] == "inst" and base[1] is not None and base[1][0] == "def"
        if is_attr and (is_field or base == ("this",)):
            if self._is_seen(scope, target[2], self.file.base + base[1][1] if is_field else None):
                raise Unsure("an attribute that something looks at")
            return
        name = target[2] if is_attr else ITEMS
        for value in ev.ev(base, self.file, scope, 0):
            if value[0] not in _STORELESS:
                places = self._owners(value, is_attr)
                if any(self._is_read(value[0], owner, name) for owner in places):
                    raise Unsure(f"{name} of something is looked at")
                self._stored.update((owner, name) for owner in places)

    def _owners(self, value: Value, is_attr: bool) -> list[int]:
        """The classes in whose objects a store in a value is found, or the function that makes the
        container."""
        if value[0] == "K":
            _, home, made_in, _ = self.ev.boxes[value[1]]
            return [home.base + made_in]
        constructs = value[0] == "C" and self.file.rules.functions_construct
        if value[0] not in ("I", "C") or not is_attr or constructs:
            raise Unsure("a store")
        return [owner for _, owner in owner_keys(self.ev, value)]

    def _is_read(self, kind: str, owner: int, name: str) -> bool:
        """Whether something asks what is stored under that name in objects of a class (or in containers)."""
        role = self.ev.known_notes.role(name)
        if name in self.ev.note(owner).asked:
            return True
        if role & notes.STORED or name == ITEMS or self._is_of_one(owner):
            return False
        return kind == "K" or bool(role & notes.LOOKED_UP)  # nobody noted what wasn't stored anywhere

    def _is_seen(self, scope: int, name: str, cls: int | None) -> bool:
        """Whether something asks for an attribute that the method at ``scope`` stores in its receiver, or
        that is a field of the class."""
        ev = self.ev
        place = scope if self._places is None else self._places[scope]
        if cls is None and place is not None and ev.note(self.file.base + scope).flags & notes.RETURNED:
            return True
        classes = [cls] if cls is not None else ev.class_of_method(self.file, self.file.method_of(scope))
        if any(ev.constructs(one) for one in classes):
            return True
        return bool(ev.known_notes.role(name) & notes.LOOKED_UP) and any(
            ev.note(one).flags & notes.EXTENDED
            or ev.known_notes.is_asked(self.program.where(one)[0].path, name)
            for one in classes
        )
