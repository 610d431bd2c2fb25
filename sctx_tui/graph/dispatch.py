"""Which methods a call through an interface may run: its implementations."""

from __future__ import annotations

from sctx_tui.graph.choice import MANY_CANDIDATES
from sctx_tui.graph.facts import ABSTRACT, FLAGS, KIND, NAME, PARAMS, PARENT, RECEIVER, RETURNS, Row
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.resolve_classes import found_in_class, linearized
from sctx_tui.graph.values import Value


def is_dispatched(ev: Evaluator, value: Value) -> bool:
    """Whether calling ``value`` runs whatever implements it: an interface's method, no known class's."""
    file, index = ev.program.where(value[1])
    parent = file.symbols[index][PARENT]
    if not file.rules.dispatch or parent < 0 or file.symbols[parent][KIND] != "interface":
        return False
    if value[0] == "F":
        return True
    receiver = value[3]
    return receiver[0] == "I" and bool(ev.program.symbol(receiver[1])[KIND] == "interface")


def implementations(ev: Evaluator, method: int) -> tuple[Value, ...]:
    """What may run for an interface's ``method``; where classes say what they implement, itself too."""
    made: tuple[Value, ...] = ev.remembered(("implementations", method), _implementations, ev, method)
    return made


def _implementations(ev: Evaluator, method: int) -> tuple[Value, ...]:
    file, index = ev.program.where(method)
    row = file.symbols[index]
    interface = file.base + row[PARENT]
    explicit = file.rules.dispatch == "explicit"
    itself: tuple[Value, ...] = (("B", method, 0, ("I", interface, 0)),) if explicit else ()
    implements = _says_so if explicit else _has_the_methods
    found: dict[int, Value] = {}
    for candidate in ev.program.methods_by_name.get(row[NAME], ()):
        there, at = ev.program.where(candidate)
        if candidate == method or there.symbols[at][FLAGS] & ABSTRACT or there.rules is not file.rules:
            continue
        for cls in ev.class_of_method(there, at):
            if cls != interface and implements(ev, cls, interface, there.symbols[at], row):
                found[candidate] = ("B", candidate, 0, ("I", cls, 0))
    return (*itself, *found.values()) if len(found) <= MANY_CANDIDATES else itself


def _says_so(ev: Evaluator, cls: int, interface: int, made: Row, wanted: Row) -> bool:
    return interface in linearized(ev, cls)


def _has_the_methods(ev: Evaluator, cls: int, interface: int, made: Row, wanted: Row) -> bool:
    if shape(made) != shape(wanted):
        return False
    names = {name for each in linearized(ev, interface) for name in _methods(ev, each)}
    order = linearized(ev, cls)
    return all(found_in_class(ev, order, name) for name in names)


def shape(row: Row) -> tuple[int, int]:
    """How many parameters a method has beside its receiver, and how many results it declares."""
    result = row[RETURNS]
    results = len(result[2]) if result is not None and result[0] == "args" and result[1] == _TUPLE else 1
    return len([param for param in row[PARAMS] if param[3] != RECEIVER]), results


_TUPLE = ("lit", "tuple")


def _methods(ev: Evaluator, interface: int) -> list[str]:
    file, index = ev.program.where(interface)
    if file.symbols[index][KIND] != "interface":
        return []
    return list(file.facts["exits"].get(index, {}))
