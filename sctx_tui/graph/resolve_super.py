"""``super()``: the classes behind the one whose method asks."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import KIND, PARENT
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_classes import bases_of, bound, found_in_class, linearized
from sctx_tui.graph.values import EXTERNAL, Value, Values


def super_value(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """``super()``, or ``super(cls, obj)``, in the method at ``scope``."""
    if len(expr) == 3:
        classes = [value[1] for value in ev.ev(expr[1], file, scope, env) if value[0] == "C"]
        receivers = ev.ev(expr[2], file, scope, env)
    else:
        method = enclosing_method(file, scope)
        classes = ev.class_of_method(file, method)
        receivers = ev.receiver(file, method, env)
    return tuple(("S", cls, value) for cls in classes for value in receivers if value[0] in ("I", "C"))


def enclosing_method(file: File, scope: int) -> int:
    """The method around (or at) that scope."""
    while scope > 0 and file.symbols[file.symbols[scope][PARENT]][KIND] not in ("class", "interface"):
        if file.symbols[scope][14] is not None:
            return scope
        scope = file.symbols[scope][PARENT]
    return scope


def of_super(ev: Evaluator, value: Value, name: str) -> Values:
    """An attribute of `super()`: that of the next class that has it, behind the one whose code this is."""
    cls, receiver = value[1], value[2]
    order = linearized(ev, receiver[1])
    rest = order[order.index(cls) + 1 :] if cls in order else linearized(ev, cls)[1:]
    found = found_in_class(ev, rest, name)
    if found:
        return bound(ev, found, receiver, from_class=receiver[0] == "C")
    if any(base[0] in ("X", "l") for gid in (cls, *rest) for base in bases_of(ev, gid)) or not rest:
        return (("Y", ("S", cls, receiver), name),) if name in ("__new__", "__call__") else (EXTERNAL,)
    return ()
