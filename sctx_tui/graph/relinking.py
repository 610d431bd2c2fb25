"""The calls of a changed file, brought up to date without a link of the whole project, where that is sure to
give the same."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from sctx_tui.graph import linking, store_links, store_relink, store_taint
from sctx_tui.graph.accessors import mentioned
from sctx_tui.graph.choice import MANY_BY_NAME
from sctx_tui.graph.facts import KIND, NAME, OWNER, FileFacts, Row
from sctx_tui.graph.ids import public_ids
from sctx_tui.graph.known_tables import Known, Unsure
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.link_notes import (
    ASKED,
    ATTRIBUTE,
    CALLABLE,
    DESCRIPTOR,
    DISPATCHED,
    GETATTR,
    GIVEN,
    LOOKED_UP,
    MENTIONED,
    METHOD,
    NOTHING,
    RETURNED,
    SETATTR,
    SIGHTED,
    STORED,
    Note,
    Notes,
    called_name,
)
from sctx_tui.graph.other_calls import Difference, Seen, difference, is_module
from sctx_tui.graph.program import Program
from sctx_tui.graph.relink import Learned, Relink
from sctx_tui.graph.rules import no_siblings, rules_of
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_links import CallRow
from sctx_tui.graph.survey import attribute_names, defined_names
from sctx_tui.graph.texts import ANY_NAME

#: So many calls of one file are looked at.
MANY_RECORDS = 500


class Project:
    """All files at one moment between two edits. ``load(path)`` gives a file's facts; ``is_single``: no other
    file waits for its turn."""

    def __init__(
        self,
        store: Store,
        load: Callable[[str], FileFacts | None],
        texts: Callable[[], Mapping[str, str]],
        *,
        is_single: bool,
    ) -> None:
        self.store, self.load, self._texts, self._is_single = store, load, texts, is_single
        self._notes: dict[str, _FileNotes] = {}
        self.known = Known(self.note, cache(self._role), self._methods, self.is_asked)

    @cached_property
    def paths(self) -> list[str]:
        """The files that the linker looks at."""
        return store_relink.linked_paths(self.store)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The project files by path."""
        return self._texts()

    def notes(self, path: str) -> _FileNotes:
        """What is known of a file. Raises `Unsure`: nothing."""
        found = self._notes.get(path)
        if found is None:
            packed = store_relink.notes(self.store, path)
            if packed is None:
                raise Unsure("never linked")
            found = self._notes[path] = _unpacked(*packed)
        return found

    def note(self, path: str, index: int) -> Note:
        """What is known of one symbol."""
        return self.notes(path).symbols.get(index, NOTHING)

    def is_asked(self, path: str, name: str) -> bool:
        """Whether a module or class of the file was asked for the name."""
        asked = self.notes(path).asked
        return name in asked or ANY_NAME in asked

    def _role(self, name: str) -> int:
        return store_relink.roles(self.store, name)

    def _methods(self, name: str) -> list[str]:
        if not self._is_single:
            raise Unsure("methods of several changed files")
        return store_relink.methods(self.store, name)


class _FileNotes(NamedTuple):
    symbols: dict[int, Note]
    asked: set[str]
    uses: set[str]


def _packed(symbols: Mapping[int, Note], asked: Iterable[str], uses: Iterable[str]) -> tuple[bytes, bytes]:
    return (
        marshal.dumps([(index, tuple(note)) for index, note in sorted(symbols.items())]),
        zlib.compress(marshal.dumps((sorted(asked), sorted(uses))), 1),
    )


def _unpacked(symbols: bytes, names: bytes) -> _FileNotes:
    asked, uses = marshal.loads(zlib.decompress(names))
    return _FileNotes({index: Note(*note) for index, note in marshal.loads(symbols)}, set(asked), set(uses))


def put_notes(store: Store, found: Notes) -> None:
    """Keep what a full link leaves behind."""
    packed = (
        (path, *_packed(symbols, found.asked.get(path, ()), found.uses.get(path, ())))
        for path, symbols in found.symbols.items()
    )
    store_relink.put_all(store, packed, found.names)


def relink(project: Project, path: str, old: FileFacts, new: FileFacts) -> bool:
    """Make the calls of a file what its new version says; False: only a full link can tell what."""
    try:
        _relink(project, path, old, new)
    except Exception:  # a fault of ours, or Unsure, costs a link of everything
        return False
    return True


def _relink(project: Project, path: str, old: FileFacts, new: FileFacts) -> None:
    store, notes = project.store, project.notes(path)
    ids, ids_now = public_ids(path, old), public_ids(path, new)
    shares_names = rules_of(new["language"]).siblings is not no_siblings and not (
        is_module(old) and is_module(new)
    )

    def is_asked(name: str) -> bool:
        return (
            name in notes.asked
            or ANY_NAME in notes.asked
            or (shares_names and _is_asked_beside(project, path, name))
        )

    def has(flag: int) -> Callable[[int], bool]:
        return lambda scope: bool(project.note(path, scope).flags & flag)

    def has_role(role: int) -> Callable[[str], bool]:
        return lambda name: bool(project.known.role(name) & role)

    used = notes.uses.__contains__
    seen = Seen(has(RETURNED), has(ASKED), is_asked, used, has_role(SIGHTED), has_role(DESCRIPTOR))
    found = difference(old, new, seen)
    if found is None:
        raise Unsure("a definition")
    if any(place is not None and ids[place] != ids_now[now] for now, place in enumerate(found.places)):
        raise Unsure("duplicates have changed places")
    if len(found.gone()) + len(found.added()) > MANY_RECORDS:
        raise Unsure("many calls")
    roles = _new_roles(project, path, old, new, found)
    before = _Rows(project, path, old, found, is_new=False)
    now = _Rows(project, path, new, found, is_new=True, roles=roles)
    rows = [
        *_kept(found, store_links.calls_of(store, path), ids, before),
        *(row for index in found.added() for row in now.of(index)),
    ]
    for store_row in found.stores:
        now.look.store(store_row)
    for store_row in found.lost_stores:
        before.look.store(store_row)
    imports = _imports(store, path, old, new, now)
    if store_links.put_calls(store, {path: rows}):
        store_links.clear_moved(store)
        store_taint.refresh_all(store)
    store_links.put_links(store, {path: imports}, {path: rows})
    _forget(project, before)
    _learn(project, path, found, now)
    store_relink.add_roles(store, roles)


def _is_asked_beside(project: Project, path: str, name: str) -> bool:
    """Whether code of another file may look for a name of its own module in this one."""
    if not project.known.role(name) & LOOKED_UP:
        return False
    if not path.endswith(".go"):
        return True
    folder = path.rpartition("/")[0]
    beside = (
        other for other in project.paths if other.endswith(".go") and other.rpartition("/")[0] == folder
    )
    return any(name in notes.asked or name in notes.uses for notes in map(project.notes, beside))


def _new_roles(
    project: Project, path: str, old: FileFacts, new: FileFacts, found: Difference
) -> dict[str, int]:
    """The roles of names that the new version gives them. Raises `Unsure` where other files may care."""
    before, now = (defined_names(facts) | attribute_names(facts) for facts in (old, new))
    roles = dict.fromkeys(now - before, CALLABLE)
    for name in roles.keys() | (before - now) | (attribute_names(old) ^ attribute_names(new)):
        known = project.known.role(name)
        if known & MENTIONED and (not known & CALLABLE or name not in now):
            raise Unsure(f"{name} is called somewhere")
        if known & GIVEN or (name.startswith("__") and not known & CALLABLE):
            raise Unsure(f"{name} may stand in for another")
    for name in mentioned(old) ^ mentioned(new):
        if project.known.role(name) & (GETATTR | SETATTR):
            raise Unsure(f"attributes of {name} run something")
    added = [row for row, place in zip(new["symbols"], found.places, strict=True) if place is None]
    methods = [row for row in (*added, *(old["symbols"][at] for at in found.lost)) if row[KIND] == "method"]
    reshaped = [new["symbols"][at] for at in found.reshaped]
    if reshaped and rules_of(new["language"]).near is not None:
        raise Unsure("how many parameters a function has says whether a call means it")
    for row in (*methods, *(row for row in reshaped if row[KIND] == "method")):
        if project.known.role(row[NAME]) & DISPATCHED:
            raise Unsure(f"{row[NAME]} may implement another")
    for row in methods:
        _check_method(project, path, row, new["language"])
    for row in added:
        if row[KIND] == "method":
            roles[row[NAME]] = roles.get(row[NAME], 0) | METHOD
    for _, target, _ in found.stores:
        if target[0] == "attr":
            roles[target[2]] = roles.get(target[2], 0) | STORED | ATTRIBUTE
    for index in found.added():
        kind, row = found.new[index]
        called = called_name(row[2]) if kind == "calls" else None
        if called:
            roles[called] = roles.get(called, 0) | MENTIONED
    return roles


def _check_method(project: Project, path: str, row: Row, language: str) -> None:
    """Raises `Unsure` where a method that is new or gone is found by more than its class's own names."""
    rules, name = rules_of(language), row[NAME]
    if name in rules.class_roles:
        raise Unsure(f"{name} says that attributes run something")
    if name == rules.call_method and project.known.role(rules.metaclass_attribute) & CALLABLE:
        raise Unsure(f"{name} may be a metaclass's")
    role = project.known.role(name)
    if row[OWNER] is not None and role & (MENTIONED | LOOKED_UP):
        raise Unsure(f"{name} is asked for somewhere")
    if not rules.by_name or name in rules.common_methods or name.startswith("__") or not role & MENTIONED:
        return
    languages = [language_of(other) for other in project.known.methods(name) if other != path]
    if rules.near is not None or sum(rules_of(one) is rules for one in languages if one) <= MANY_BY_NAME:
        raise Unsure(f"{name} is called somewhere")


def _imports(store: Store, path: str, old: FileFacts, new: FileFacts, now: _Rows) -> dict[str, int]:
    """The files that the new version imports, each with the line of the first import."""
    specs = [[(spec, names) for spec, _, names in facts["imports"]] for facts in (old, new)]
    if specs[0] != specs[1]:
        return linking.imports_of(now.look.program, path)
    lines: dict[int, int] = {}
    for before, after in zip(old["imports"], new["imports"], strict=True):
        if lines.setdefault(before[1], after[1]) != after[1]:
            return linking.imports_of(now.look.program, path)
    return {target: lines[line] for target, line in store_links.import_lines(store, path)}


def _forget(project: Project, before: _Rows) -> None:
    """Keep that what functions are called on is less than a full link noted."""
    for path, index, count in before.called():
        notes = project.notes(path)
        note = notes.symbols.get(index, NOTHING)
        if note.crowd:
            notes.symbols[index] = note._replace(crowd=note.crowd - count)
            store_relink.put_notes(project.store, path, *_packed(*notes))


def _learn(project: Project, path: str, found: Difference, now: _Rows) -> None:
    """Keep what a full link would have noted."""
    learned = now.learned()
    own = project.notes(path)
    if any(place != index for index, place in enumerate(found.places)):
        moved = {
            index: own.symbols[place]
            for index, place in enumerate(found.places)
            if place is not None and place in own.symbols
        }
        own.symbols.clear()
        own.symbols.update(moved)
        learned.symbols.setdefault(path, {})
    for other in learned.symbols.keys() | learned.asked.keys() | learned.uses.keys():
        notes = project.notes(other)
        for index, note in learned.symbols.get(other, {}).items():
            notes.symbols[index] = notes.symbols.get(index, NOTHING) | note
        notes.asked.update(learned.asked.get(other, ()))
        notes.uses.update(learned.uses.get(other, ()))
        store_relink.put_notes(project.store, other, *_packed(*notes))
    store_relink.add_roles(project.store, learned.roles)


class _Rows:
    """The calls of single records of one version of a file."""

    def __init__(
        self,
        project: Project,
        path: str,
        facts: FileFacts,
        found: Difference,
        *,
        is_new: bool,
        roles: Mapping[str, int] | None = None,
    ) -> None:
        self._project, self._path, self._facts, self._is_new = project, path, facts, is_new
        self._records = found.new if is_new else found.old
        self._places, self._roles, self._lost = found.places, roles or {}, found.lost
        self._found: dict[int, list[CallRow]] = {}

    @cached_property
    def look(self) -> Relink:
        """A look at this version among the other files."""
        project = self._project
        return Relink(
            self._path,
            self._facts,
            project.paths,
            project.load,
            project.texts,
            project.known.also(self._roles),
            self._places if self._is_new else None,
            self._lost,
        )

    @cached_property
    def _ids(self) -> _Ids:
        return _Ids(self.look.program)

    def of(self, index: int) -> list[CallRow]:
        """The calls of a record. Raises `Unsure`."""
        if index not in self._found:
            edges = self.look.edges(self._records[index], is_new=self._is_new)
            self._found[index] = list(linking.call_rows(self._path, edges, self._ids))
        return self._found[index]

    def learned(self) -> Learned:
        """What these looks add to the notes of a full link."""
        return self.look.learned() if "look" in self.__dict__ else Learned({}, {}, {}, {})

    def called(self) -> Iterable[tuple[str, int, int]]:
        """How many calls there are in the records that were looked at: path, index, number."""
        return self.look.called() if "look" in self.__dict__ else ()


class _Ids(dict[str, list[str]]):
    """The ids of each file's symbols, made when first asked for."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program

    def __missing__(self, path: str) -> list[str]:
        file = self._program.file(path)
        assert file is not None
        ids = self[path] = public_ids(path, file.facts)
        return ids


def _kept(
    found: Difference, known: Sequence[CallRow], ids: Sequence[str], before: _Rows
) -> Iterable[CallRow]:
    """The known calls of the records that are the same, where they stand now."""
    places: dict[tuple[str, int], list[int]] = {}
    for index, record in enumerate(found.old):
        places.setdefault((ids[record.scope], record.line), []).append(index)
    calls: dict[tuple[str, int], set[CallRow]] = {place: set() for place in places}
    for row in known:
        if (row.caller, row.line) not in calls:
            raise Unsure("a call that no record makes")
        calls[row.caller, row.line].add(row)
    now = {old: found.new[new].line for old, new in found.same}
    gone = {index for index in found.gone() if before.of(index)}
    for place, rows in calls.items():
        indexes = places[place]
        lines = {now.get(index) for index in indexes}
        if not rows and gone.isdisjoint(indexes):
            continue
        if len(lines) == 1 and None not in lines:
            moved = [(row, next(iter(lines))) for row in rows]
        else:
            made = [(row, now.get(index)) for index in indexes for row in before.of(index)]
            if {row for row, _ in made} != rows:
                raise Unsure("what was called there came about in another way")
            moved = made
        yield from (row._replace(line=line) for row, line in moved if line is not None)
