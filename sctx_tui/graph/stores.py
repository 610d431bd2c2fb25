"""What code stores in objects and containers that it doesn't make itself: ``x.attr = f``, ``d[key] = f``.

Which objects such a store reaches is looked at once per stratum (like calls: ``link.py``), so that asking for an
attribute or an item is a look into a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any, NamedTuple

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.solver import ALL
from sctx_tui.graph.values import Value, Values, union


class Place(NamedTuple):
    """A store: ``target`` is its ``attr`` or ``item`` Expr."""

    file: File
    scope: int
    target: Any
    value: Expr


#: In the tables, the attribute that stands for the items of an object that is a container.
ITEMS = "[]"

Tables = dict[Any, list[tuple[Value, Place]]]
"""Object (``owner_keys``) with attribute name, or container -> [(what was stored in, store)]."""


class Stores:
    """All stores of a program and, per stratum, what they reach."""

    def __init__(self, program: Program) -> None:
        self.places = list(places_of(program))
        self._reached: list[Values] = [()] * len(self.places)
        self._sources: list[frozenset[Any]] = [frozenset()] * len(self.places)
        self._seen = False

    def look(self, ev: Evaluator, changed: Collection[Any]) -> set[Any]:
        """Finds what every store reaches now; gives the keys of ``ev.stores`` whose entries are not those of before."""
        gone = frozenset(changed) | ALL
        before: Tables = ev.stores
        for index, place in enumerate(self.places):
            if self._seen and gone.isdisjoint(self._sources[index]):
                continue
            self._reached[index], self._sources[index] = ev.solve(partial(reach, ev, place))
        self._seen = True
        ev.stores = tables(ev, self.places, self._reached)
        return {key for key in before.keys() | ev.stores.keys() if before.get(key) != ev.stores.get(key)}


def reach(ev: Evaluator, place: Place) -> Values:
    """What the store stores in."""
    return ev.ev(place.target[1], place.file, place.scope, 0)


def places_of(program: Program) -> Iterable[Place]:
    """The stores whose object takes looking for: not those of a method in its own receiver."""
    for path in program.paths:
        file = program.file(path)
        if file is None:
            continue
        for scope, target, value in file.facts["stores"]:
            base = target[1]
            if value is None or base is None:
                continue
            if target[0] == "attr":
                if base == ("this",) or (base[0] == "inst" and base[1] is not None and base[1][0] == "def"):
                    continue
                if base[0] == "inst" and file.rules.functions_construct:
                    continue  # of a prototype: a definition
                program.stored_names.add(target[2])
            yield Place(file, scope, target, value)


def tables(ev: Evaluator, places: list[Place], reached: list[Values]) -> Tables:
    made: Tables = {}
    for place, values in zip(places, reached, strict=True):
        for value in values:
            if place.target[0] == "attr":
                for key in owner_keys(ev, value):
                    made.setdefault((key, place.target[2]), []).append((value, place))
            elif value[0] == "K":
                made.setdefault(box_key(ev, value), []).append((value, place))
            elif value[0] == "I":
                for key in owner_keys(ev, value):
                    made.setdefault((key, ITEMS), []).append((value, place))
    return made


def owner_keys(ev: Evaluator, value: Value) -> list[Any]:
    """The keys under which a store in ``value`` is found: an instance's for each of its classes too (``<=``)."""
    from sctx_tui.graph.resolve_attributes import linearized

    tag = value[0]
    if tag == "I":
        return [("I", value[1]), *(("<=", cls) for cls in linearized(ev, value[1]))]
    if tag == "K":
        return [box_key(ev, value)]
    if tag in ("C", "M"):
        return [(tag, value[1])]
    return [("F", value[1])] if tag in ("F", "B") else []


def box_key(ev: Evaluator, value: Value) -> Any:
    """A container in any context."""
    return ("K", id(ev.boxes[value[1]][0]))


def lookup_keys(ev: Evaluator, value: Value) -> list[Any]:
    """The keys under which stores that ``value`` may see are found."""
    from sctx_tui.graph.resolve_attributes import linearized

    tag = value[0]
    if tag == "I":
        order = linearized(ev, value[1])
        return [("<=", value[1]), *(("I", cls) for cls in order[1:]), *(("C", cls) for cls in order)]
    if tag == "C":
        return [("C", cls) for cls in linearized(ev, value[1])]
    return owner_keys(ev, value)


def stored_attribute(ev: Evaluator, value: Value, name: str) -> Values:
    """What code elsewhere stores in ``value`` as its attribute ``name``."""
    if name not in ev.program.stored_names:
        return ()
    found: dict[Place, None] = {}
    for key in lookup_keys(ev, value):
        ev.consulted.add((key, name))
        for owner, place in ev.stores.get((key, name), ()):
            if not (owner[0] == value[0] == "I" and owner[2] and value[2] and owner != value):
                found[place] = None
    return union([ev.ev(place.value, place.file, place.scope, 0) for place in found])


def stored_items(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What code stores in the container ``value`` under ``key`` after it was made; key None: under any."""
    from sctx_tui.graph.resolve_containers import item_of

    if value[0] == "K":
        keys_of_value = [box_key(ev, value)]
        _, home, made_in, env = ev.boxes[value[1]]
    else:
        keys_of_value = [(owner, ITEMS) for owner in lookup_keys(ev, value)]
        home, made_in, env = None, 0, 0
    ev.consulted.update(keys_of_value)
    places = dict.fromkeys(place for one in keys_of_value for _, place in ev.stores.get(one, ()))
    found: list[Values] = []
    for place in places:
        file, scope = place.file, place.scope
        at = env if file is home and scope == made_in else 0
        if place.target[2] == ("**",):
            found += [item_of(ev, one, key) for one in ev.ev(place.value, file, scope, at)]
            continue
        keys = ev.ev(place.target[2], file, scope, at) if place.target[2] is not None else ()
        constants = [other for other in keys if other[0] == "c"]
        if key is None or not constants or any(other[1] == key[1] for other in constants):
            found.append(ev.ev(place.value, file, scope, at))
    return union(found)
