"""Defaults of parameters: whether anybody relies on them."""

from __future__ import annotations

from sctx_tui.graph.facts import Param
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.values import Value, Values

#: A parameter is looked at through this many calls, the first ones: what all pass is known by then.
MANY_CALLS = 64


def is_always_given(ev: Evaluator, gid: int, params: tuple[Param, ...], index: int, default: Values) -> bool:
    """Whether every known call passes the parameter, so that its default, a function or the like, isn't
    used."""
    if not any(map(is_dropped, default)):
        return False
    calls = ev.flows.get(gid, ())
    if not calls:
        return not ev.may_guess()
    return all(passes(call, params, index) for call in calls[:MANY_CALLS])


def is_dropped(value: Value) -> bool:
    """Whether a default with that value isn't looked at where every call passes the parameter."""
    return value[0] in ("F", "B", "C", "I")


def passes(call: Call, params: tuple[Param, ...], index: int) -> bool:
    """Whether the call surely gives the parameter."""
    name, _, _, kind = params[index]
    _, _, args, kwargs = call.expr
    if any(key == name for key, _ in kwargs):
        return True
    if call.before is not None:
        return False  # nobody counts
    position = index - (1 if params[0][3] == "self" and call.receiver is not None else 0)
    if kind != "pos" or position >= len(args):
        return False
    return not any(arg is not None and arg[0] == "star" for arg in args[: position + 1])
