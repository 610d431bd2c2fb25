"""Functions that were given arguments before: ``functools.partial(f, a)``, ``f.bind(this, a)``."""

from __future__ import annotations

from sctx_tui.graph.facts import Expr, Param
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.values import Values, union


def partial(ev: Evaluator, functions: Values, args: tuple[Expr, ...], call: Call) -> Values:
    """The functions with the arguments ``args``, and those by name, of ``call`` given."""
    kwargs = call.expr[3]
    if not args and not kwargs:
        return functions
    key = ("partial", id(call.expr), call.env)
    number: int | None = ev.box_numbers.get(key)
    if number is None:
        number = ev.box_numbers[key] = len(ev.partials)
        ev.partials.append(call.of(("call", None, args, kwargs)))
    return tuple(("P", one, number) if one[0] in ("F", "B", "C", "I") else one for one in functions)


def argument_of_two(
    ev: Evaluator, call: Call, before: Call, params: tuple[Param, ...], index: int
) -> Values | None:
    """What ``call`` passes for a parameter, where the arguments of ``before`` come first; None: nothing."""
    from sctx_tui.graph.resolve_calls import positional, rest

    name, _, _, kind = params[index]
    for one in (call, before):
        for key, value in one.expr[3]:
            if key == name:
                return ev.ev(value, one.file, one.scope, one.env)
    count = len(before.expr[2])
    position = index - (1 if params[0][3] == "self" and call.receiver is not None else 0)
    if kind == "self" and call.receiver is not None:
        return (call.receiver,)
    if kind in ("pos", "self"):
        is_given = position < count
        return positional(ev, before, position) if is_given else positional(ev, call, position - count)
    if kind == "*":
        return union([rest(ev, before, position), rest(ev, call, max(position - count, 0))])
    return None
