"""Classes: their bases and subclasses, the order in which they are searched, and what they define."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import ABSTRACT, BASES, CLASS_LEVEL, FLAGS, KIND, OWN_THIS, PARENT, STATIC
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import NAMESPACES, File
from sctx_tui.graph.values import Value, Values, union

#: With more subclasses than this they say nothing about any of them.
MANY_SUBCLASSES = 40


def bases_of(ev: Evaluator, gid: int) -> tuple[Value, ...]:
    """The values of a class's bases, in order: ``C`` and ``X`` alone."""
    return ev.remembered(("bases", gid), _bases_of, ev, gid)


def _bases_of(ev: Evaluator, gid: int) -> Values:
    file, index = ev.program.where(gid)
    row = file.symbols[index]
    found = [
        value
        for base in row[BASES]
        for value in ev.ev(base[1] if base is not None and base[0] == "args" else base, file, row[PARENT], 0)
    ]
    for where, scope, trait in ev.program.implemented.get(gid, ()):
        found += ev.ev(trait, where, scope, 0)
    classes = [
        ("C", value[1]) if value[0] in ("F", "B") and ev.constructs(value[1]) else value for value in found
    ]
    return tuple(
        dict.fromkeys(
            value for value in classes if (value[0] == "C" and value[1] != gid) or value[0] in ("X", "l", "K")
        )
    )


def linearized(ev: Evaluator, gid: int) -> tuple[int, ...]:
    """The method resolution order of a class: itself first, known classes only."""
    made = ev.remembered(("order", gid), _linearized, ev, gid)
    return made[-1][1] if made else (gid,)


def _linearized(ev: Evaluator, gid: int) -> Values:
    bases = [value[1] for value in bases_of(ev, gid) if value[0] == "C"]
    orders = [list(linearized(ev, base)) for base in bases]
    file, _ = ev.program.where(gid)
    if file.rules.c3:
        merged = merge([*orders, list(bases)])
        if merged is not None and gid not in merged:
            return (("O", (gid, *merged)),)
    flat = dict.fromkeys(one for order in orders for one in order if one != gid)
    return (("O", (gid, *flat)),)


def merge(orders: list[list[int]]) -> list[int] | None:
    """The C3 merge (K. Barrett et al., OOPSLA 1996); None where the orders contradict one another."""
    merged: list[int] = []
    orders = [order for order in orders if order]
    while orders:
        for order in orders:
            head = order[0]
            if not any(head in other[1:] for other in orders):
                break
        else:
            return None
        merged.append(head)
        orders = [rest for order in orders if (rest := order[1:] if order[0] == head else order)]
    return merged


def is_subclass(ev: Evaluator, gid: int, of: int) -> bool:
    """Whether ``gid`` is ``of`` or derives from it."""
    return of in linearized(ev, gid)


def class_definition(ev: Evaluator, gid: int, name: str) -> Values:
    """What the class's own body (or a method declared outside of it) calls ``name``; () where it has no
    such name."""
    file, index = ev.program.where(gid)
    if file.symbols[index][KIND] in NAMESPACES:
        binds = ev.binds_in(file, index, name)
        found = ev.either(binds, file, 0) if binds else ()
    else:  # a function that constructs
        found = (("F", gid, 0),) if name in file.rules.constructors[:1] else ()
    if not found:
        outside = ev.program.methods_outside.get((gid, name))
        if outside:
            return tuple(("F", method, 0) for method in outside)
        defined = ev.program.defined_outside.get((gid, name))
        if defined:
            return union([ev.ev(expr, other, scope, 0) for other, scope, expr in defined])
        if gid in ev.program.implemented:
            return mixed_in(ev, gid, name)
    return found


def mixed_in(ev: Evaluator, gid: int, name: str) -> Values:
    """What objects whose properties the class was given call ``name``."""
    from sctx_tui.graph.resolve_containers import content

    return union([content(ev, base, ("c", name)) for base in bases_of(ev, gid) if base[0] == "K"])


def found_in_class(ev: Evaluator, order: tuple[int, ...], name: str) -> Values:
    """What the first class of the order that has ``name`` means by it."""
    for gid in order:
        found = class_definition(ev, gid, name)
        if found:
            return found
    return ()


def in_class(ev: Evaluator, gid: int, name: str) -> Values:
    """What ``name`` is in the class or the nearest of its bases that has it."""
    return ev.remembered((gid, name), _in_class, ev, gid, name)


def _in_class(ev: Evaluator, gid: int, name: str) -> Values:
    return found_in_class(ev, linearized(ev, gid), name)


def bound(ev: Evaluator, values: Values, receiver: Value, *, from_class: bool) -> Values:
    """Functions found in a class become methods of ``receiver``."""
    made: list[Value] = []
    for value in values:
        if value[0] != "F":
            made += rebound(value, receiver) if value[0] == "Y" else (value,)
            continue
        row = ev.program.symbol(value[1])
        flags = row[FLAGS]
        if flags & STATIC or (row[KIND] == "lambda" and not flags & OWN_THIS):
            made.append(value)
        elif flags & CLASS_LEVEL:
            cls = receiver if receiver[0] == "C" else ("C", receiver[1])
            made.append(("B", value[1], value[2], cls))
        elif from_class:
            made.append(value)
        else:
            made.append(("B", value[1], value[2], receiver))
    return tuple(made)


def rebound(value: Value, receiver: Value) -> Values:
    """What ``classmethod(f)`` and ``staticmethod(f)`` in a class are to the receiver, and a generic method of
    `functools.singledispatchmethod`."""
    kind, inner = value[2], value[1]
    if kind == "classmethod" and inner[0] == "F":
        return (("B", inner[1], inner[2], receiver if receiver[0] == "C" else ("C", receiver[1])),)
    if kind == "staticmethod":
        return (inner,)
    if kind == "singledispatchmethod" and inner[0] == "F":
        return (("Y", ("B", inner[1], inner[2], receiver), "singledispatch"),)
    return (value,)


def outside_bases(ev: Evaluator, order: tuple[int, ...]) -> list[Value]:
    """The bases from outside the repository of the classes in ``order``."""
    return [base for gid in order for base in bases_of(ev, gid) if base[0] in ("X", "l")]


def all_subclasses(ev: Evaluator, gid: int) -> list[int]:
    """Every known class that derives from ``gid``, nearest first; none where they are very many."""
    found: dict[int, None] = {}
    pending = [gid]
    while pending:
        for cls in ev.program.subclasses.get(pending.pop(0), ()):
            if cls not in found and cls != gid:
                found[cls] = None
                pending.append(cls)
        if len(found) > MANY_SUBCLASSES:
            return []
    return list(found)


def overriding(ev: Evaluator, method: Value) -> Values:
    """The methods of subclasses that stand in for an abstract one; itself where there are none."""
    receiver = method[3]
    name = ev.program.name(method[1])
    found = [
        bound(ev, class_definition(ev, cls, name), ("I", cls, 0), from_class=False)
        for cls in all_subclasses(ev, receiver[1])
    ]
    made = tuple(one for one in union(found) if not is_abstract(ev, one))
    return made or (method,)


def is_abstract(ev: Evaluator, value: Value) -> bool:
    """Whether a function is declared without saying what it does."""
    return value[0] in ("F", "B") and bool(ev.program.symbol(value[1])[FLAGS] & ABSTRACT)


def narrowed(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of a ``narrow`` Expr."""
    types = ev.ev(expr[2], file, scope, env)
    classes = [value[1] for value in types if value[0] == "C"]
    kept = tuple(
        value
        for value in ev.ev(expr[1], file, scope, env)
        if value[0] == "I" and any(is_subclass(ev, value[1], gid) for gid in classes)
    )
    return kept or union([ev.instance(value) for value in types])
