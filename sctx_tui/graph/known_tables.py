"""The tables of a whole program, as far as they are known without a look at all its files.

What the last full link noted (`link_notes.py`) says which keys a table lacks; where it has some, the files
that they come from are read. What takes more raises `Unsure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sctx_tui.graph import link_notes as notes
from sctx_tui.graph.choice import MANY_BY_NAME
from sctx_tui.graph.facts import FLAGS, KIND, NAME, OWN_THIS
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import Program
from sctx_tui.graph.resolve_classes import MANY_SUBCLASSES
from sctx_tui.graph.rules import rules_of
from sctx_tui.graph.survey import Stored, subclasses_in, survey_file

#: Methods of one name, beyond which none is looked at.
FEW_METHODS = 12


class Unsure(Exception):
    """Only a link of the whole project can tell."""


class Known:
    """What the last full link left behind, read by need.

    ``note(path, index)`` of a symbol; ``role(name)``: its roles as bits; ``methods(name)``: the files with
    methods of that name, one for each; ``is_asked(path, name)``: whether a module or class of the file was
    asked for the name.
    """

    def __init__(
        self,
        note: Callable[[str, int], notes.Note],
        role: Callable[[str], int],
        methods: Callable[[str], Sequence[str]],
        is_asked: Callable[[str, str], bool],
    ) -> None:
        self.note, self.role, self.methods, self.is_asked = note, role, methods, is_asked

    def also(self, roles: Mapping[str, int]) -> Known:
        """The same where names have these roles as well."""
        return Known(
            self.note, lambda name: self.role(name) | roles.get(name, 0), self.methods, self.is_asked
        )


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
            raise Unsure("what others say of a class")
        return default

    def __contains__(self, key: Any) -> bool:
        return self.get(key) is not None


#: Numbers that no symbol has: so many subclasses say nothing (`resolve_classes.all_subclasses`), and whoever
#: looks at one of them fails.
_TOO_MANY_SUBCLASSES = range(1 << 40, (1 << 40) + MANY_SUBCLASSES + 1)


class _OfFile:
    """What of one file stands outside of its class (`survey.Outside`), and its classes by base."""

    def __init__(self) -> None:
        self.methods_outside: dict[tuple[int, str], list[int]] = {}
        self.defined_outside: dict[tuple[int, str], list[Stored]] = {}
        self.implemented: dict[int, list[Stored]] = {}
        self.stores_outside: dict[tuple[int, str], list[Stored]] = {}
        self.subclasses: dict[int, list[int]] = {}


class Outside:
    """The tables by class, made for the files of the classes that are asked for.

    ``note``: of a symbol; ``more``: files that may say something that isn't noted.
    """

    def __init__(self, ev: Evaluator, note: Callable[[int], notes.Note], more: Sequence[str]) -> None:
        self._ev, self._note, self._more = ev, note, more
        self._outside: dict[str, _OfFile] = {}
        self._subclasses: dict[str, _OfFile] = {}
        self._making: set[int] = set()  # ids of the two that are being made

    def entries(self, table: str, gid: int, key: Any) -> Sequence[Any]:
        """What the table has for the class under ``key``, in the order of files."""
        note = self._note(gid)
        if table == "subclasses" and len(note.heirs) > MANY_SUBCLASSES:
            return _TOO_MANY_SUBCLASSES
        paths = {*self._more, *(note.heirs if table == "subclasses" else note.outside)}
        if not paths:
            return []
        if note.flags & notes.HASTY:
            raise Unsure("a class that was looked at too early")
        made = self._subclasses if table == "subclasses" else self._outside
        return [one for path in sorted(paths) for one in getattr(self._of(made, path), table).get(key, ())]

    def _of(self, made: dict[str, _OfFile], path: str) -> _OfFile:
        found = made.get(path)
        if found is None:
            if id(made) in self._making:
                raise Unsure("classes that need one another")
            self._making.add(id(made))
            found = made[path] = _OfFile()
            file = self._ev.program.file(path)
            if file is not None and made is self._outside:
                survey_file(self._ev, file, found)
            elif file is not None:
                for base, cls in subclasses_in(self._ev, file):
                    found.subclasses.setdefault(base, []).append(cls)
            self._making.discard(id(made))
        return found


class _ByClass:
    """One of those tables."""

    def __init__(self, outside: Outside, name: str) -> None:
        self._outside, self._name = outside, name

    def get(self, key: Any, default: Any = None) -> Any:
        """What stands under the key: a class, or one with a name."""
        gid = key if type(key) is int else key[0]
        return self._outside.entries(self._name, gid, key) or default

    def __contains__(self, key: Any) -> bool:
        return self.get(key) is not None


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
            of_all = {rules_of(one) for one in map(language_of, paths) if one}
            if len(of_all) > 1 or any(rules.dispatch or rules.near is not None for rules in of_all):
                raise Unsure(f"many methods are called {name}")
            paths = paths[: MANY_BY_NAME + 1]  # too many for `candidates_by_name`
        files = [file for path in dict.fromkeys(sorted(paths)) if (file := self._program.file(path))]
        return [
            file.base + index
            for file in files
            for index, row in enumerate(file.symbols)
            if row[KIND] == "method" and row[NAME] == name
        ]


def program_tables(program: Program, known: Known) -> None:
    """Lets the program's tables by name be asked for what is known of them."""
    tables: Any = program
    tables.callable_names = _Names(known, notes.CALLABLE)
    tables.property_names = _Names(known, notes.PROPERTY)
    tables.setter_names = _Names(known, notes.SETTER)
    tables.stored_names = _Names(known, notes.STORED)
    tables.attribute_names = _Names(known, notes.ATTRIBUTE)
    tables.descriptor_names = _Names(known, notes.DESCRIPTOR)
    tables.getattr_names = _Names(known, notes.GETATTR)
    tables.setattr_names = _Names(known, notes.SETATTR)
    tables.created_names = _Names(known, notes.CREATED)
    tables.field_names = _Names(known, notes.FIELD)
    tables.calling_metaclasses = _Names(known, notes.CALLING)
    tables.own_this = _OwnThis(program)
    tables.methods_by_name = _Methods(program, known)
    tables.setters = _Table(lambda key: not known.role(key[1]) & notes.SETTER)


def class_tables(
    program: Program, ev: Evaluator, note: Callable[[int], notes.Note], more: Sequence[str]
) -> None:
    """Lets the program's tables by class be asked for what is known of them."""
    outside = Outside(ev, note, more)
    for name in notes.TABLES:
        setattr(program, name, _ByClass(outside, name))
