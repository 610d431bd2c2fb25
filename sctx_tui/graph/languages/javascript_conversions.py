"""What JavaScript makes of an object: which of its methods run when a text or number is needed."""

from __future__ import annotations

from sctx_tui.graph.facts import Expr

TO_PRIMITIVE = ("[Symbol.toPrimitive]", "valueOf", "toString")
TO_TEXT = ("[Symbol.toPrimitive]", "toString", "valueOf")


def first_method(value: Expr, names: tuple[str, ...]) -> Expr:
    """The first of the methods that ``value`` has."""
    found: Expr = ("attr", value, names[-1])
    for name in reversed(names[:-1]):
        found = ("else", ("attr", value, name), found)
    return found
