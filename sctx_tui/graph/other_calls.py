"""What two versions of a file have in common for the linker: all but some of their calls, or not even that.

Which definitions a record reaches is compared by following it, so that names of local variables, and what
nothing reaches, make no difference. Lines make none either.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

from sctx_tui.graph.facts import (
    ABSTRACT,
    DOC,
    END,
    FLAGS,
    KIND,
    MUTATES,
    NAME,
    OWN_THIS,
    OWNER,
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
from sctx_tui.graph.program import NAMESPACES

# What a symbol says to people, not to the linker.
_FOR_PEOPLE = frozenset((START, END, SIGNATURE, DOC, MUTATES))
# Flags of functions that are found by more than their name.
_SPECIAL = PROPERTY | SETTER | ABSTRACT | OWN_THIS
# Languages in which an import by itself tells the linker nothing.
_IMPORT_FREELY = frozenset(("python", "go", "rust"))
#: Pairs of records that are compared with one another.
MANY_PAIRS = 1_000_000
#: Definitions of definitions that tell records apart.
_FORM_DEPTH = 5
_LAMBDA = re.compile(r"<lambda\d+>")


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
    """What of a file something else may look at: the result of the function at a scope, a name of its
    module or its classes."""

    is_returned: Callable[[int], bool]
    is_asked: Callable[[str], bool]


class Difference(NamedTuple):
    """The records of both versions, and which are the same (index before, index now).

    ``places``: of each symbol now, its index before; None where it is new. ``stores``: new ones.
    """

    old: list[Record]
    new: list[Record]
    same: list[tuple[int, int]]
    places: list[int | None]
    stores: list[Row]

    def gone(self) -> list[int]:
        """The records that are only in the old version."""
        return sorted(set(range(len(self.old))) - {before for before, _ in self.same})

    def added(self) -> list[int]:
        """Those that are only in the new one."""
        return sorted(set(range(len(self.new))) - {now for _, now in self.same})


def difference(old: FileFacts, new: FileFacts, seen: Seen) -> Difference | None:
    """How the records, and what nothing else looks at, differ; None where anything else does."""
    places = _places(old["symbols"], new["symbols"])
    if places is None:
        return None
    is_asked = cache(seen.is_asked)
    before, now = records(old), records(new)
    versions = _Version(old, list(range(len(old["symbols"])))), _Version(new, places)
    same = _common(*(version.forms(found) for version, found in zip(versions, (before, now), strict=True)))
    stores = _common(*(version.store_forms() for version in versions))
    if len(stores) != len(old["stores"]):
        return None
    added = sorted(set(range(len(new["stores"]))) - {index for _, index in stores})
    is_shape = old["language"] == "go"  # there the number of parameters says what implements an interface
    params = {} if is_shape else _common_params(old["symbols"], new["symbols"], places, seen)
    streams = [
        _stream(version, records_of, stores_of, seen.is_returned, is_asked, params)
        for version, records_of, stores_of in (
            (versions[0], [before[i] for i, _ in same], [old["stores"][i] for i, _ in stores]),
            (versions[1], [now[i] for _, i in same], [new["stores"][i] for _, i in stores]),
        )
    ]
    if streams[0] != streams[1]:
        return None
    return Difference(before, now, same, places, [new["stores"][index] for index in added])


def _places(old: Sequence[Row], new: Sequence[Row]) -> list[int | None] | None:
    """The index before of each symbol, None where it is new; None where one is gone, or a new one is more
    than a function."""
    common = _common([_key(row) for row in old], [_key(row) for row in new])
    if len(common) != len(old):
        return None
    found: list[int | None] = [None] * len(new)
    for before, now in common:
        found[now] = before
    for row, place in zip(new, found, strict=True):
        simple = row[KIND] in ("function", "method", "lambda") and row[OWNER] is None
        if place is None and not (simple and not row[FLAGS] & _SPECIAL):
            return None
    return found


def _key(row: Row) -> tuple[str, str]:
    return row[KIND], _LAMBDA.sub("<lambda>", row[QUALNAME])


def _common_params(
    old: Sequence[Row], new: Sequence[Row], places: Sequence[int | None], seen: Seen
) -> dict[int, int]:
    """How many parameters of a function both versions have, where the new one only has some more at the
    end that no known call can mean; by index before."""
    parents = {row[PARENT] for row in (*old, *new)}
    found: dict[int, int] = {}
    for index, place in enumerate(places):
        if place is None or old[place][PARAMS] == new[index][PARAMS]:
            continue
        count = len(old[place][PARAMS])
        kinds = {param[3] for param in new[index][PARAMS]}
        is_plain = not kinds & {"*", "**"} and not {index, place} & parents and not seen.is_returned(place)
        if is_plain and len(new[index][PARAMS]) > count:
            found[place] = count
    return found


def records(facts: FileFacts) -> list[Record]:
    """What may call, in the order in which the linker looks at it."""
    kinds = (("calls", facts["calls"]), ("reads", facts["reads"]), ("writes", facts["writes"]))
    return [Record(kind, row) for kind, rows in kinds for row in rows]


def _common(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int]]:
    """A long common subsequence, by index; what begins and ends both, where they are long."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    before, now = old[first : len(old) - last], new[first : len(new) - last]
    found = [(i, i) for i in range(first)]
    if len(before) * len(now) <= MANY_PAIRS:
        blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
        found += [(first + a + i, first + b + i) for a, b, size in blocks for i in range(size)]
    found += [(len(old) - i, len(new) - i) for i in range(last, 0, -1)]
    return found


class _Version:
    """One version of a file; ``places``: what each of its symbols is called in both."""

    def __init__(self, facts: FileFacts, places: Sequence[int | None]) -> None:
        self.facts, self.places = facts, places
        self._memo: dict[tuple[int, int], int] = {}

    def forms(self, found: Iterable[Record]) -> list[Any]:
        """What each record says, with the definitions that it uses in their place: equal for equal ones.

        Some that differ only in what definitions of definitions say are equal too.
        """
        return [(kind, self.places[row[0]], *map(self._form, row[2:])) for kind, row in found]

    def store_forms(self) -> list[Any]:
        """The same of the stores."""
        return [(self.places[row[0]], *map(self._form, row[1:])) for row in self.facts["stores"]]

    def _form(self, expr: Any, depth: int = _FORM_DEPTH) -> Any:
        if not isinstance(expr, tuple):
            return expr, type(expr)
        if _is_def(expr):
            return "def", self.places[expr[1]]
        index = _bind_of(expr)
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


def _is_def(expr: tuple[Any, ...]) -> bool:
    return len(expr) == 2 and expr[0] == "def" and type(expr[1]) is int


def _bind_of(expr: tuple[Any, ...]) -> int | None:
    """The bind that a ``var`` Expr names; a keyword argument may be called "var" as well."""
    return expr[1] if len(expr) == 2 and expr[0] == "var" and type(expr[1]) is int else None


def _stream(
    version: _Version,
    found: Iterable[Record],
    stores: Iterable[Row],
    is_returned: Callable[[int], bool],
    is_asked: Callable[[str], bool],
    params: Mapping[int, int],
) -> list[Any]:
    """All that the linker may read of a file with these records and stores alone, in one canonical order."""
    facts, places = version.facts, version.places
    stream = _Stream(version)
    symbols = facts["symbols"]
    for row, place in zip(symbols, places, strict=True):
        if place is not None:
            stream.symbol(row, params.get(place))
    for scope, names in facts["exits"].items():
        for name, index in names.items():
            if places[scope] is not None and is_asked(name):
                stream.tokens += (places[scope], name)
                stream.bind(index)
    for index, (scope, name, value) in enumerate(facts["binds"]):
        is_outer = symbols[scope][KIND] in NAMESPACES and is_asked(name)
        if name and places[scope] is not None and (is_outer or _is_property(value)):
            stream.tokens += (places[scope], name)
            stream.bind(index)
    stream.add((facts["language"], facts["public"], facts["errors"]))
    for spec, _, names in () if facts["language"] in _IMPORT_FREELY else facts["imports"]:
        stream.add((spec, tuple(names)))
    for kind in ("impls", "stars"):
        stream.tokens.append(kind)
        for row in facts[kind]:
            stream.row(row, row[1:])
    for one in (*facts["exports"], *facts["keys"]):
        stream.add(one)
    for row in stores:
        stream.row(row, row[1:])
    for kind in ("returns", "yields"):
        stream.tokens.append(kind)
        for row in facts[kind]:  # type: ignore[literal-required]
            place = places[row[0]]
            if place is not None and is_returned(place):
                stream.row(row, row[1:])
    for kind, row in found:
        stream.tokens.append(kind)
        stream.row(row, row[2:])
    stream.drain()
    return stream.tokens


def _is_property(value: Any) -> bool:
    return value is not None and value[0] == "call" and value[1] == ("name", "property")


class _Stream:
    """Writes Exprs as tokens. What comes twice is a number the second time: the same object, not an equal
    one, for the linker tells calls and containers apart by where they stand."""

    def __init__(self, version: _Version) -> None:
        self.tokens: list[Any] = []
        self._facts, self._places = version.facts, version.places
        self._numbers: dict[int, int] = {}
        self._binds: dict[int, int] = {}
        self._names: set[str] = set()
        self._pending: deque[int] = deque()
        self._named: dict[str, list[int]] = {}
        self._inner: set[str] = set()
        self._kept: list[Any] = []  # ids stay theirs
        symbols = self._facts["symbols"]
        for index, (scope, name, value) in enumerate(self._facts["binds"]):
            if scope:
                self._inner.add(name)
            is_single = value is None or value[0] not in ("phi", "prefer")
            if is_single and symbols[scope][KIND] not in NAMESPACES and self._places[scope] is not None:
                self._named.setdefault(name, []).append(index)

    def symbol(self, row: Row, params: int | None) -> None:
        """Writes a symbol; of its parameters, that many."""
        skipped = _FOR_PEOPLE | {PARENT, PARAMS}
        if row[KIND] == "lambda":
            skipped |= {NAME, QUALNAME}
        self.tokens.append(self._places[row[PARENT]] if row[PARENT] >= 0 else -1)
        for index, item in enumerate(row):
            if index not in skipped:
                self.add(item)
        for param in row[PARAMS][:params]:
            self.add(param)

    def row(self, row: Row, parts: Iterable[Any]) -> None:
        """Writes a row that begins with a scope."""
        self.tokens.append(self._places[row[0]])
        for part in parts:
            self.add(part)

    def add(self, expr: Any) -> None:
        """Writes an Expr, or a tuple of such."""
        if not isinstance(expr, tuple):
            self.tokens += (expr, type(expr))
            return
        index = _bind_of(expr)
        if index is not None:
            self.bind(index)
            return
        if _is_def(expr):
            self.tokens += ("def", self._places[expr[1]])
            return
        number = self._numbers.get(id(expr))
        if number is not None:
            self.tokens += ("=", number)
            return
        self._numbers[id(expr)] = len(self._numbers)
        self._kept.append(expr)
        self.tokens.append(len(expr))
        for part in expr:
            self.add(part)
        if len(expr) == 2 and expr[0] == "name" and isinstance(expr[1], str):
            self.name(expr[1])

    def bind(self, index: int) -> None:
        """Writes which definition is meant; what it says comes later."""
        if index not in self._binds:
            self._binds[index] = len(self._binds)
            self._pending.append(index)
        self.tokens += ("v", self._binds[index])

    def name(self, name: str) -> None:
        """Writes the definitions within functions that the name may mean."""
        if name not in self._names:
            self._names.add(name)
            self.tokens.append(name in self._inner)
            for index in self._named.get(name, ()):
                self.tokens.append(self._places[self._facts["binds"][index][0]])
                self.bind(index)

    def drain(self) -> None:
        """Writes the definitions that were meant, and what they mean."""
        while self._pending:
            scope, _, value = self._facts["binds"][self._pending.popleft()]
            self.tokens.append(self._places[scope])
            if value is not None and value[0] in ("phi", "prefer"):
                self.tokens.append(value[0])
                for index in value[1]:
                    self.bind(index)
            else:
                self.add(value)
