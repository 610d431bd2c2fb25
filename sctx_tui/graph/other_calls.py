"""What two versions of a file have in common for the linker: all but some of their calls, or not even that.

Which definitions a record reaches is compared by following it (`sameness.py`), so that names of local
variables, and what nothing reaches, make no difference. Lines make none either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sctx_tui.graph.accessors import called_name
from sctx_tui.graph.facts import (
    ABSTRACT,
    DECORATORS,
    DOC,
    END,
    FLAGS,
    KIND,
    MUTATES,
    NAME,
    PARAMS,
    PARENT,
    PROPERTY,
    QUALNAME,
    SETTER,
    SIGNATURE,
    START,
    FileFacts,
    Row,
)
from sctx_tui.graph.matching import common, places_of
from sctx_tui.graph.program import NAMESPACES
from sctx_tui.graph.sameness import Sameness, bind_of, is_def
from sctx_tui.graph.survey import accessor_names

# What a symbol says to people, not to the linker.
_FOR_PEOPLE = frozenset((START, END, SIGNATURE, DOC, DECORATORS, MUTATES, QUALNAME))
# Flags of functions that are found by more than their name.
_SPECIAL = PROPERTY | SETTER | ABSTRACT
# Languages in which an import by itself tells the linker nothing, or only that there is one.
_IMPORT_FREELY = frozenset(("python", "go", "rust"))
_SAY_THAT_THEY_IMPORT = frozenset(("javascript", "typescript", "tsx"))
#: Definitions of definitions that tell records apart at first sight.
_FORM_DEPTH = 5


class Record(NamedTuple):
    """A row of `calls`, `reads` or `writes`."""

    kind: str
    row: tuple[Any, ...]

    @property
    def scope(self) -> int:
        """The index of the symbol whose code it is."""
        return self.row[0]  # type: ignore[no-any-return]

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.row[1]  # type: ignore[no-any-return]


class Seen(NamedTuple):
    """What of a file something else may look at: the result of the function at a scope, the calls of it, a
    name of its module or its classes; the latter, if only its own code asked for it; a trait of that name
    wherever it is in sight."""

    is_returned: Callable[[int], bool]
    is_told: Callable[[int], bool]
    is_asked: Callable[[str], bool]
    is_used: Callable[[str], bool]
    is_sighted: Callable[[str], bool]
    is_descriptor: Callable[[str], bool] = lambda name: False  # of a class of any file


class Difference(NamedTuple):
    """The records of both versions, and which are the same (index before, index now).

    ``places``: of each symbol now, its index before; None where it is new. ``lost``: symbols before that
    are gone. ``stores`` and ``lost_stores``: new ones, and such as are gone. ``reshaped``: functions now that
    have other parameters.
    """

    old: list[Record]
    new: list[Record]
    same: list[tuple[int, int]]
    places: list[int | None]
    lost: list[int]
    stores: list[Row]
    lost_stores: list[Row]
    reshaped: list[int]

    def gone(self) -> list[int]:
        """The records that are only in the old version."""
        return sorted(set(range(len(self.old))) - {before for before, _ in self.same})

    def added(self) -> list[int]:
        """Those that are only in the new one."""
        return sorted(set(range(len(self.new))) - {now for _, now in self.same})


def difference(old: FileFacts, new: FileFacts, seen: Seen) -> Difference | None:
    """How the records, and what nothing else looks at, differ; None where anything else does."""
    places = places_of(old, new)
    kept: list[int | None] = [None] * len(old["symbols"])
    for place in places:
        if place is not None:
            kept[place] = place
    lost = [index for index, place in enumerate(kept) if place is None]
    others = [old["symbols"][index] for index in lost]
    others += [row for row, place in zip(new["symbols"], places, strict=True) if place is None]
    if not all(map(_is_simple, others)) or accessor_names(old) != accessor_names(new):
        return None
    look = _Look(old, new, seen._replace(is_asked=cache(seen.is_asked)), kept, places)
    if not (look.is_alike() and look.are_results_alike()):
        return None
    before, now = records(old), records(new)
    same = look.common([row for _, row in before], [row for _, row in now], 2)
    stores = look.common(old["stores"], new["stores"], 1)
    return Difference(
        before,
        now,
        same,
        places,
        lost,
        _without(new["stores"], {index for _, index in stores}),
        _without(old["stores"], {index for index, _ in stores}),
        look.reshaped,
    )


def records(facts: FileFacts) -> list[Record]:
    """What may call, in the order in which the linker looks at it."""
    kinds = (("calls", facts["calls"]), ("reads", facts["reads"]), ("writes", facts["writes"]))
    return [Record(kind, row) for kind, rows in kinds for row in rows]


def is_module(facts: FileFacts) -> bool:
    """Whether a file shares no names with others because it imports or exports some (JavaScript)."""
    return facts["language"] in _SAY_THAT_THEY_IMPORT and bool(
        facts["imports"] or facts["exports"] or facts["stars"]
    )


def _without(rows: Sequence[Row], indexes: set[int]) -> list[Row]:
    return [row for index, row in enumerate(rows) if index not in indexes]


def _is_simple(row: Row) -> bool:
    """Whether a symbol that is new or gone is a function that is found by its name alone."""
    return row[KIND] in ("function", "method", "lambda") and not row[FLAGS] & _SPECIAL


class _Look:
    """The comparison of two versions."""

    def __init__(
        self,
        old: FileFacts,
        new: FileFacts,
        seen: Seen,
        kept: Sequence[int | None],
        places: Sequence[int | None],
    ) -> None:
        self.old, self.new, self.seen = old, new, seen
        self.kept, self.places = kept, places
        self.pairs = [(place, index) for index, place in enumerate(places) if place is not None]
        self.reshaped: list[int] = []  # functions now
        plain = Sameness(old, new, kept, places, ())
        changed: set[tuple[int, int]] = set()
        for before, now in self.pairs:
            of_both = [facts["symbols"][at][PARAMS] for facts, at in ((old, before), (new, now))]
            differing = [
                k
                for k in range(max(map(len, of_both)))
                if k >= min(map(len, of_both)) or not plain.exprs(of_both[0][k], of_both[1][k])
            ]
            if differing:
                self.reshaped.append(now)
                changed.update((before, k) for k in differing)
        self._versions = _Version(old, kept), _Version(new, places)
        self._changed_names: set[str] = set()
        self.same = Sameness(old, new, kept, places, changed, self._changed_names)
        while names := self._other_names():  # what says something else now may change what others say
            self._changed_names |= names
            self.same = Sameness(old, new, kept, places, changed, self._changed_names)

    def is_alike(self) -> bool:
        """Whether all that others may see is the same, but for records, stores and results."""
        old, new, same = self.old, self.new, self.same
        if (old["language"], old["public"]) != (new["language"], new["public"]):
            return False
        return (
            self._are_imports_alike()
            and all(self._is_symbol_alike(before, now) for before, now in self.pairs)
            and self._are_names_alike()
            and self._are_exports_alike()
            and all(
                len(old[kind]) == len(new[kind])
                and all(
                    same.scopes(a[0], b[0]) and same.exprs(a[1:], b[1:])
                    for a, b in zip(old[kind], new[kind], strict=True)
                )
                for kind in ("impls", "stars")
            )
        )

    def _are_imports_alike(self) -> bool:
        language, both = self.old["language"], (self.old["imports"], self.new["imports"])
        if language in _IMPORT_FREELY:
            return True
        if language in _SAY_THAT_THEY_IMPORT:
            return bool(both[0]) is bool(both[1])
        return [(s, tuple(n)) for s, _, n in both[0]] == [(s, tuple(n)) for s, _, n in both[1]]

    def _is_symbol_alike(self, before: int, now: int) -> bool:
        old, new = self.old["symbols"][before], self.new["symbols"][now]
        skipped = _FOR_PEOPLE | {PARENT, PARAMS}
        if old[KIND] == "lambda":
            skipped |= {NAME}
        if not all(self.same.exprs(old[at], new[at]) for at in range(len(old)) if at not in skipped):
            return False
        return now not in self.reshaped or self._is_for_itself(before, old[PARAMS], new[PARAMS])

    def _is_for_itself(self, before: int, old: Sequence[Row], new: Sequence[Row]) -> bool:
        """Whether the parameters of a function that changed are its own business: its result isn't looked
        at, and what calls pass isn't either, or only to those that it has as before."""
        if self.seen.is_returned(before) or any(param[3] in ("*", "**") for param in (*old, *new)):
            return False
        if not self.seen.is_told(before):
            return True
        parents = {row[PARENT] for row in self.old["symbols"]}
        is_longer = len(new) > len(old) and before not in parents
        return is_longer and all(self.same.exprs(a, b) for a, b in zip(old, new, strict=False))

    def _are_names_alike(self) -> bool:
        tables = [self._names(version) for version in self._versions]
        return tables[0].keys() == tables[1].keys() and all(
            self.same.binds(binds, tables[1][key]) for key, binds in tables[0].items()
        )

    def _other_names(self) -> set[str]:
        """The names that only the file's own code asks its module for, and that say something else now."""
        tables: list[dict[str, list[int]]] = [{}, {}]
        for table, version in zip(tables, self._versions, strict=True):
            for name, index in version.facts["exits"].get(0, {}).items():
                table[name] = [index]
            for index, (scope, name, _) in enumerate(version.facts["binds"]):
                if name and not scope:
                    table.setdefault(name, []).append(index)
        return {
            name
            for name in tables[0].keys() | tables[1].keys()
            if name not in self._changed_names
            and self.seen.is_used(name)
            and not self.same.binds(tables[0].get(name, ()), tables[1].get(name, ()))
        }

    def _names(self, version: _Version) -> dict[Any, list[int]]:
        """The definitions by which others may find something."""
        facts, places, is_asked = version.facts, version.places, self.seen.is_asked
        is_rust = facts["language"] == "rust"  # a trait that a function takes in is in its sight
        found: dict[Any, list[int]] = {}
        for scope, names in facts["exits"].items():
            for name, index in names.items():
                if places[scope] is not None and is_asked(name):
                    found["exit", places[scope], name] = [index]
        for index, (scope, name, value) in enumerate(facts["binds"]):
            is_outer = facts["symbols"][scope][KIND] in NAMESPACES and is_asked(name)
            is_outer = is_outer or (is_rust and self.seen.is_sighted(name))
            is_property = self._is_property(facts, scope, value)
            if is_property and places[scope] is None:
                found["property", name] = []  # reading that name anywhere may call something
            elif name and places[scope] is not None and (is_outer or is_property):
                found.setdefault((places[scope], name), []).append(index)
        return found

    def _is_property(self, facts: FileFacts, scope: int, value: Any) -> bool:
        """Whether reading a name, if it is a class's, may call something."""
        if value is None or value[0] != "call":
            return False
        is_of_class = facts["symbols"][scope][KIND] == "class"
        return value[1] == ("name", "property") or (
            is_of_class and self.seen.is_descriptor(called_name(facts, value[1]))
        )

    def _are_exports_alike(self) -> bool:
        old, new = self.old["exports"], self.new["exports"]
        if bool(old) is not bool(new):
            return False
        seen = [
            [(name, expr) for name, expr in each if name in ("=", "default") or self.seen.is_asked(name)]
            for each in (old, new)
        ]
        return len(seen[0]) == len(seen[1]) and all(
            a[0] == b[0] and self.same.exprs(a[1], b[1]) for a, b in zip(*seen, strict=True)
        )

    def are_results_alike(self) -> bool:
        """Whether what others look at of what functions return is the same."""
        for kind in ("returns", "yields"):
            tables: list[dict[int, list[Any]]] = [{}, {}]
            for table, version in zip(tables, self._versions, strict=True):
                for scope, expr in version.facts[kind]:
                    place = version.places[scope]
                    if place is not None and self.seen.is_returned(place):
                        table.setdefault(place, []).append(expr)
            if tables[0].keys() != tables[1].keys() or not all(
                self.same.exprs(tuple(exprs), tuple(tables[1][place]), place)
                for place, exprs in tables[0].items()
            ):
                return False
        return True

    def common(self, old: Sequence[Row], new: Sequence[Row], first: int) -> list[tuple[int, int]]:
        """The rows that are the same, by index: a scope, and what they say from ``first`` on."""
        forms = [version.forms(rows, first) for version, rows in zip(self._versions, (old, new), strict=True)]
        return [
            (i, j)
            for i, j in common(*forms)
            if self.same.scopes(old[i][0], new[j][0])
            and self.same.exprs(old[i][first:], new[j][first:], old[i][0])
        ]


class _Version:
    """One version of a file; ``places``: what each of its symbols is called in both."""

    def __init__(self, facts: FileFacts, places: Sequence[int | None]) -> None:
        self.facts, self.places = facts, places
        self._memo: dict[tuple[int, int], int] = {}

    def forms(self, rows: Sequence[Row], first: int) -> list[Any]:
        """What each row says, with the definitions that it uses in their place: equal for equal ones.

        Some that differ only in what definitions of definitions say are equal too.
        """
        return [(self.places[row[0]], *map(self._form, row[first:])) for row in rows]

    def _form(self, expr: Any, depth: int = _FORM_DEPTH) -> Any:
        if not isinstance(expr, tuple):
            return expr, type(expr)
        if is_def(expr):
            return "def", self.places[expr[1]]
        index = bind_of(expr)
        if index is not None:
            return self._of_bind(index, depth - 1)
        return hash(tuple([self._form(part, depth) for part in expr]))

    def _of_bind(self, index: int, depth: int) -> int:
        found = self._memo.get((index, depth))
        if found is None:
            scope, _, value = self.facts["binds"][index]
            tag = value[0] if value is not None else None
            inner: Any = None
            if depth > 0 and tag in ("phi", "prefer"):
                inner = tuple([self._of_bind(one, depth - 1) for one in value[1]])
            elif depth > 0:
                inner = self._form(value, depth)
            found = self._memo[index, depth] = hash((self.places[scope], tag, inner))
        return found
