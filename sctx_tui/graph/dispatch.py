"""Which methods a call through an interface may run, where classes satisfy interfaces without saying so."""

from __future__ import annotations

from sctx_tui.graph.facts import ABSTRACT, FLAGS, KIND, NAME, PARAMS, RECEIVER, RETURNS, Row
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.resolve_attributes import found_in_class, linearized
from sctx_tui.graph.values import Value

#: With more implementations than this a call says nothing about any of them.
MANY_IMPLEMENTATIONS = 12


def is_implicit(ev: Evaluator, method: int) -> bool:
    """Whether only implementations of ``method`` are ever run, and nothing says which they are."""
    file, index = ev.program.where(method)
    return file.rules.implicit_interfaces and bool(file.symbols[index][FLAGS] & ABSTRACT)


def implementations(ev: Evaluator, method: int) -> tuple[Value, ...]:
    """The methods, bound to an instance of their class, that stand for an interface's ``method``."""
    made: tuple[Value, ...] = ev.remembered(("implementations", method), lambda: _implementations(ev, method))
    return made


def _implementations(ev: Evaluator, method: int) -> tuple[Value, ...]:
    file, index = ev.program.where(method)
    row = file.symbols[index]
    interface = file.base + row[3]
    wanted = {name for each in linearized(ev, interface) for name in _abstract_names(ev, each)}
    found: dict[int, Value] = {}
    for candidate in ev.program.methods_by_name.get(row[NAME], ()):
        there, at = ev.program.where(candidate)
        if there.symbols[at][FLAGS] & ABSTRACT or there.rules is not file.rules:
            continue
        if shape(there.symbols[at]) != shape(row):
            continue
        for cls in ev.class_of_method(there, at):
            if all(found_in_class(ev, linearized(ev, cls), name) for name in wanted):
                found[candidate] = ("B", candidate, 0, ("I", cls, 0))
    return tuple(found.values()) if len(found) <= MANY_IMPLEMENTATIONS else ()


def shape(row: Row) -> tuple[int, int]:
    """How many parameters a method has beside its receiver, and how many results it declares."""
    result = row[RETURNS]
    results = len(result[2]) if result is not None and result[0] == "args" and result[1] == _TUPLE else 1
    return len([param for param in row[PARAMS] if param[3] != RECEIVER]), results


_TUPLE = ("lit", "tuple")


def _abstract_names(ev: Evaluator, interface: int) -> list[str]:
    file, index = ev.program.where(interface)
    if file.symbols[index][KIND] != "interface":
        return []
    return list(file.facts["exits"].get(index, {}))
