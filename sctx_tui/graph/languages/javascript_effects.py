"""Parts of what JavaScript's own functions do: effects, said in Exprs of a call's own parts."""

from __future__ import annotations

from collections.abc import Callable

from sctx_tui.graph.effects import Args, Effect
from sctx_tui.graph.facts import Expr

BOOL: Expr = ("inst", ("lit", "bool"))
NUMBER: Expr = ("inst", ("lit", "float"))
STR: Expr = ("inst", ("lit", "str"))

Plain = Callable[[Expr, Args], Effect]
"""(receiver or None, arguments) -> effect: JavaScript has no keyword arguments."""


def run(args: Args, at: int, *given: Expr, this: int = -1) -> Expr:
    """A call of the ``at``-th argument, if there is one; ``this``: the index of its receiver."""
    callee = args[at] if at < len(args) else None
    if callee is None or callee[0] == "star":
        return None
    if 0 <= this < len(args) and args[this] is not None:
        callee = ("bound", callee, args[this])
    return ("call", callee, given, ())


def either(*values: Expr) -> Expr:
    known = tuple(value for value in values if value is not None)
    return ("any", known) if known else None


def made(*calls: Expr, result: Expr = None) -> Effect:
    return Effect(result, tuple(call for call in calls if call is not None))


def literal(value: Expr) -> Plain:
    return lambda base, args: Effect(value)


def bound_to(base: Expr, args: Args) -> Expr:
    return ("bound", base, args[0]) if args and args[0] is not None else base


def call_with(base: Expr, args: Args) -> Effect:
    call: Expr = ("call", bound_to(base, args), args[1:], ())
    return Effect(call, (call,))


def apply_to(base: Expr, args: Args) -> Effect:
    given = (("star", args[1]),) if len(args) > 1 and args[1] is not None else ()
    call: Expr = ("call", bound_to(base, args), given, ())
    return Effect(call, (call,))
