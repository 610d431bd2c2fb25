"""What code stores in objects and containers that it doesn't make itself: ``x.attr = f``, ``d[key] = f``.

Which objects a store reaches is found like the targets of calls (``link.py``), so that asking for an
attribute or an
item is a look into a table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.points_to import COPIED, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.solver import Task
from sctx_tui.graph.values import Value, Values, union


class Place(Task):
    """A store: ``target`` is its ``attr`` or ``item`` Expr. Told apart by identity: to hash the Exprs
    would cost."""

    __slots__ = ("_entered", "_stores", "file", "scope", "target", "value")

    def __init__(self, stores: Stores, file: File, scope: int, target: Any, value: Expr) -> None:
        super().__init__()
        self._stores = stores
        self._entered: Values = ()
        self.file, self.scope, self.target, self.value = file, scope, target, value

    def perform(self) -> None:
        """Enters what the store stores in."""
        ev = self._stores.ev
        for value in ev.ev(self.target[1], self.file, self.scope, 0):
            if value not in self._entered:
                self._entered += (value,)
                self._stores.enter(keys_of_store(ev, self, value), value, self)


#: In the tables, the attribute that stands for the items of an object that is a container.
ITEMS = "[]"

Tables = dict[Any, list[tuple[Value, Place]]]
"""Object (``owner_keys``) with attribute name, or container -> [(what was stored in, store)]."""


class Stores:
    """Finds what the stores of a program reach, and enters it in ``ev.stores``."""

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self.new: dict[Any, None] = {}  # keys of the tables that have grown

    def look(self) -> None:
        """Looks at every store; the solver looks again where it may reach more."""
        # All of them are known before the first is looked at: what is asked of a name that nothing
        # stores is not asked again.
        for place in list(places_of(self)):
            self.ev.attend(place)

    def enter(self, keys: Iterable[Any], value: Value, place: Place) -> None:
        """Enters that ``place`` stores in ``value``, under keys of the tables."""
        for key in keys:
            self.ev.stores.setdefault(key, []).append((value, place))
            self.new[key] = None

    def announce(self) -> bool:
        """Makes stale what read the entries that have grown; whether there are any."""
        new, self.new = self.new, {}
        for key in new:
            self.ev.changed(key)
        return bool(new)


def places_of(stores: Stores) -> Iterable[Place]:
    """The stores whose object takes looking for: not those of a method in its own receiver."""
    program = stores.ev.program
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
            yield Place(stores, file, scope, target, value)


def keys_of_store(ev: Evaluator, place: Place, value: Value) -> list[Any]:
    """The keys of the tables under which a store in ``value`` is entered."""
    if place.target[0] == "attr":
        return [(key, place.target[2]) for key in owner_keys(ev, value)]
    if value[0] == "K":
        return [box_key(ev, value)]
    if value[0] == "I" or (value[0] in ("F", "B", "C") and place.file.rules.items_are_attributes):
        return [(key, ITEMS) for key in owner_keys(ev, value)]
    return []


def owner_keys(ev: Evaluator, value: Value) -> list[Any]:
    """The keys under which a store in ``value`` is found: an instance's for each of its classes too
    (``<=``)."""
    from sctx_tui.graph.resolve_classes import linearized

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
    from sctx_tui.graph.resolve_classes import linearized

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
        ev.consult((key, name))
        for owner, place in ev.stores.get((key, name), ()):
            if not (owner[0] == value[0] == "I" and owner[2] and value[2] and owner != value):
                found[place] = None
    return union([ev.ev(place.value, place.file, place.scope, 0) for place in found])


def stored_items(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What code stores in the container ``value`` under ``key`` after it was made; key None: under any.

    For a result of the solver alone: what one store gave is not looked at again where it is copied.
    """
    if value[0] == "K":
        keys_of_value = [box_key(ev, value)]
        _, home, made_in, env = ev.boxes[value[1]]
    else:
        keys_of_value = [(owner, ITEMS) for owner in lookup_keys(ev, value)]
        home, made_in, env = None, 0, 0
    entered: list[tuple[Value, Place]] = []
    for key_of_value in keys_of_value:
        ev.consult(key_of_value)
        stores = ev.stores.get(key_of_value)
        if stores is not None:
            entered += stores
    if not entered:
        return ()
    copied = ev.progress.setdefault((value, "[", key), set())
    found: list[Values] = []
    for place in dict.fromkeys([place for _, place in entered]):
        if place not in copied:
            at = env if place.file is home and place.scope == made_in else 0
            found.append(items_of_store(ev, place, at, key, copied))
    return union(found)


def items_of_store(ev: Evaluator, place: Place, at: int, key: Value | None, copied: set[Place]) -> Values:
    """What the store, looked at in the context ``at``, puts under ``key``; copied where it surely does."""
    from sctx_tui.graph.resolve_containers import item_of

    file, scope, named = place.file, place.scope, place.target[2]
    if named == ("**",):
        return union([item_of(ev, one, key) for one in ev.ev(place.value, file, scope, at)])
    if key is not None and named is not None:
        constants = [other for other in ev.ev(named, file, scope, at) if other[0] == "c"]
        if all(other[1] != key[1] for other in constants) and (constants or key[0] == "."):
            return ()
    elif key is not None and key[0] == ".":
        return ()
    elif place.value is not None and place.value[0] in COPIED:
        copied.add(place)
        return ev.copied(ev.ev, place.value, file, scope, at)
    return ev.ev(place.value, file, scope, at)
