"""Which methods a call through an interface may run: its implementations."""

from __future__ import annotations

from posixpath import dirname

from sctx_tui.graph.choice import MANY_CANDIDATES
from sctx_tui.graph.facts import (
    ABSTRACT,
    EXPORTED,
    FLAGS,
    KIND,
    NAME,
    PARAMS,
    PARENT,
    RECEIVER,
    RETURNS,
    Expr,
    Row,
)
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_classes import found_in_class, linearized
from sctx_tui.graph.values import Value, Values


def is_dispatched(ev: Evaluator, value: Value) -> bool:
    """Whether calling ``value`` runs whatever implements it: an interface's method, no known class's."""
    file, index = ev.program.where(value[1])
    parent = file.symbols[index][PARENT]
    if not file.rules.dispatch or parent < 0 or file.symbols[parent][KIND] != "interface":
        return False
    if value[0] == "F" or file.rules.dispatch == "implicit":  # there a class may have an interface inside
        return True
    receiver = value[3]
    return receiver[0] == "I" and bool(ev.program.symbol(receiver[1])[KIND] == "interface")


def implementations(ev: Evaluator, value: Value) -> tuple[Value, ...]:
    """What may run for an interface's method; where classes say what they implement, itself too."""
    file, index = ev.program.where(value[1])
    interface = file.base + file.symbols[index][PARENT]
    if value[0] == "B" and value[3][0] == "I" and ev.program.symbol(value[3][1])[KIND] == "interface":
        interface = value[3][1]  # the one that the receiver has may ask for more
    key = ("implementations", value[1], interface)
    made: tuple[Value, ...] = ev.remembered(key, _implementations, ev, value[1], interface)
    return made


def _implementations(ev: Evaluator, method: int, interface: int) -> tuple[Value, ...]:
    file, index = ev.program.where(method)
    row = file.symbols[index]
    explicit = file.rules.dispatch == "explicit"
    itself: tuple[Value, ...] = (("B", method, 0, ("I", interface, 0)),) if explicit else ()
    found: dict[int, Value] = {}
    for candidate in ev.program.methods_by_name.get(row[NAME], ()):
        there, at = ev.program.where(candidate)
        if candidate == method or there.symbols[at][FLAGS] & ABSTRACT or there.rules is not file.rules:
            continue
        for cls in ev.class_of_method(there, at):
            if cls == interface or not (explicit or is_like(ev, candidate, method)):
                continue
            if interface in linearized(ev, cls) if explicit else has_the_methods(ev, cls, interface):
                found[candidate] = ("B", candidate, 0, ("I", cls, 0))
    return (*itself, *found.values()) if len(found) <= MANY_CANDIDATES else itself


def has_the_methods(ev: Evaluator, cls: int, interface: int) -> bool:
    """Whether the class has all methods of the interface."""
    return bool(ev.remembered((cls, "has", interface), _has_the_methods, ev, cls, interface))


def _has_the_methods(ev: Evaluator, cls: int, interface: int) -> Values:
    order = linearized(ev, cls)
    for each in linearized(ev, interface):
        file, index = ev.program.where(each)
        if file.symbols[index][KIND] != "interface":
            continue
        for name, bind in file.facts["exits"].get(index, {}).items():
            wanted = file.binds[bind][2]
            found = found_in_class(ev, order, name)
            if not found or (
                wanted is not None
                and wanted[0] == "def"
                and not any(one[0] != "F" or is_like(ev, one[1], file.base + wanted[1]) for one in found)
            ):
                return ()
    return (("C", cls),)


def is_like(ev: Evaluator, made: int, wanted: int) -> bool:
    """Whether a method may be what an interface asks for: as many parameters and results, of types that may
    be the same."""
    if made == wanted:
        return True
    (here, index), (there, at) = ev.program.where(made), ev.program.where(wanted)
    mine, asked = here.symbols[index], there.symbols[at]
    if shape(mine) != shape(asked):
        return False
    if not asked[FLAGS] & EXPORTED and dirname(here.path) != dirname(there.path):
        return False  # small names of two packages are two names
    pairs = zip(types(mine), types(asked), strict=True)
    return all(may_be_same(ev, one, here, index, other, there, at) for one, other in pairs)


def may_be_same(ev: Evaluator, one: Expr, here: File, index: int, other: Expr, there: File, at: int) -> bool:
    """Whether two types may be the same as far as they are known: containers by kind alone."""
    mine, asked = named_types(ev, one, here, index), named_types(ev, other, there, at)
    return not mine or not asked or bool(mine & asked)


def named_types(ev: Evaluator, type_: Expr, file: File, scope: int) -> frozenset[Value]:
    """What a type names; nothing where that isn't known."""
    if type_ is None or type_[0] == "functype":
        return frozenset()
    found = ev.ev(type_, file, scope, 0)
    return frozenset(value for value in found if value[0] in ("C", "l") or (value[0] == "X" and value[1]))


def shape(row: Row) -> tuple[tuple[str, ...], int]:
    """The kinds of a method's parameters beside its receiver, and how many results it declares."""
    return tuple(param[3] for param in row[PARAMS] if param[3] != RECEIVER), len(results(row))


def types(row: Row) -> list[Expr]:
    """The types of a method's parameters beside its receiver, and of its results."""
    return [param[1] for param in row[PARAMS] if param[3] != RECEIVER] + results(row)


def results(row: Row) -> list[Expr]:
    """The types of a method's results."""
    result = row[RETURNS]
    if result == ("lit", "none"):
        return []
    is_tuple = result is not None and result[0] == "args" and result[1] == ("lit", "tuple")
    return list(result[2]) if result is not None and is_tuple else [result]
