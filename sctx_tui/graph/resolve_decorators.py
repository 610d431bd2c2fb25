"""Decorators: what they make of a definition."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import FLAGS, SETTER
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_calls import called
from sctx_tui.graph.values import Values, union


def decorated(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """What a decorator makes of a definition; the definition itself where the decorator isn't known."""
    key = (id(expr), env) if env else id(expr)
    return ev.remembered(key, _decorated, ev, expr, file, scope, env)


def _decorated(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    decorator = expr[1]
    thing = ev.ev(expr[2][0], file, scope, env)
    if decorator is not None and decorator[0] == "attr" and is_setter(ev, thing):
        return ev.ev(decorator[1], file, scope, env) or thing
    local = [value for value in ev.ev(decorator, file, scope, env) if value[0] in ("F", "B", "P", "C", "I")]
    if not local:
        return thing
    call = Call(expr, file, scope, env)
    made = union([called(ev, value, call) for value in local])
    return union([made, thing]) if not made or any(value[0] == "X" for value in made) else made


def is_setter(ev: Evaluator, thing: Values) -> bool:
    """``@x.setter``: the name goes on meaning the property."""
    return any(value[0] == "F" and ev.program.symbol(value[1])[FLAGS] & SETTER for value in thing)
