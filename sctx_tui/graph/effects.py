"""Functions that the language brings along, said in Exprs of the call's own parts.

An effect has what the call gives and which calls it makes of functions (or special methods) that it was
given: of
``map(f, xs)`` the result is ``("iter", call)`` and the call is ``("call", f, (("elem", xs),), ())``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.values import OUTSIDE, Values

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator

Args = tuple[Expr, ...]


class Effect(NamedTuple):
    """What a call gives, and the calls that it makes."""

    result: Expr = None
    calls: tuple[Expr, ...] = ()


#: (receiver or None, args, kwargs) -> effect
Make = Callable[[Expr, Args, Mapping[str, Expr]], Effect]


def effect_of(ev: Evaluator, call: Call, make: Make) -> Effect:
    """The effect of that call; always the same Exprs for the same call."""
    known: Any = ev.program.made_by_calls
    key = (id(call.expr), make)
    effect: Effect | None = known.get(key)
    if effect is None:
        callee = call.expr[1]
        base = callee[1] if callee is not None and callee[0] == "attr" else None
        effect = known[key] = make(base, call.expr[2], dict(call.expr[3]))
    return effect


def result_model(make: Make) -> Callable[[Evaluator, Call], Values]:
    """What calling it gives, as a model of the rules."""

    def model(ev: Evaluator, call: Call) -> Values:
        result = effect_of(ev, call, make).result
        return ev.ev(result, call.file, call.scope, call.env) if result is not None else OUTSIDE

    return model


def callback_model(make: Make) -> Callable[[Evaluator, Call], Iterable[tuple[int, Call]]]:
    """The symbols that it calls, as a callback of the rules."""

    def model(ev: Evaluator, call: Call) -> Iterable[tuple[int, Call]]:
        from sctx_tui.graph.targets import targets_of

        for inner in effect_of(ev, call, make).calls:
            callee = inner[1] if inner is not None else None
            if callee is None or (callee[0] == "attr" and callee[2] not in ev.program.callable_names):
                continue
            for value in ev.ev(callee, call.file, call.scope, call.env):
                yield from targets_of(ev, value, call.of(inner))

    return model
