"""Abstract values: what an expression may be. Plain tuples, tag first; a result is a tuple of distinct
values.

The empty result means that nothing is known. ``gid`` is a symbol's number in the ``Program``; ``env`` and
``site`` are
numbers of calls under which something is looked at (``points_to.Evaluator.contexts``), 0 for "any".

===========================  ==========================================================================
``("F", gid, env)``          a function, with the context of the function around it
``("B", gid, env, value)``   a function bound to its receiver
``("C", gid)``               a class
``("I", gid, site)``         an instance of a class of the repository; ``site``: the call that made it
``("M", path)``              a module
``("K", box)``               a container or object literal: ``Evaluator.boxes[box]``
``("T", box)``               a value of a type with arguments: its ``args`` Expr is in the box
``("P", value, number)``     a function with arguments given before: those of ``Evaluator.partials[number]``
``("G", gid, env)``          what calling a generator function gives
``("S", gid, value)``        ``super()``: the class whose method asks, the receiver
``("c", v)``                 a str or int constant
``("L", kind)``              an instance of a builtin type (``facts.LITERALS``); ``("l", kind)``: the type
``("X", path)``              from outside the repository, by dotted path; ``""`` where no path is known
``("t", value)``             the type of that value, which a type parameter stands for
``("Y", value, name)``       a builtin method of a container, literal, function or external value
===========================  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Value = tuple[Any, ...]
Values = tuple[Value, ...]

EXTERNAL: Value = ("X", "")
TOO_MANY: Value = ("?",)  # so many that it says nothing
OUTSIDE: Values = (EXTERNAL,)
FULL: Values = (TOO_MANY,)  # a result that can't become more
#: Beyond this many values a result says too little: contexts and constants are dropped first, then all of it.
MANY = 16


def union(results: Iterable[Values]) -> Values:
    """The distinct values of several results, in order."""
    first: Values = ()
    made: dict[Value, None] | None = None
    for result in results:
        if not result or result is first:
            continue
        if not first:
            first = result
            continue
        if made is None:
            made = dict.fromkeys(first)
        for value in result:
            made[value] = None
    if made is None:
        return first
    if len(made) == len(first):
        return first
    if len(made) > MANY or TOO_MANY in made:
        return narrowed_to_many(made)
    return tuple(made)


def narrowed_to_many(values: Iterable[Value]) -> Values:
    """Many values without their contexts and constants; TOO_MANY where they are still too many."""
    made = dict.fromkeys([without_context(value) for value in values])
    return tuple(made) if len(made) <= MANY and TOO_MANY not in made else FULL


def without_context(value: Value) -> Value:
    """The value as it is in any context; of a constant, its type."""
    tag = value[0]
    if tag == "c":
        return ("L", "str" if isinstance(value[1], str) else "int")
    if tag in ("F", "I", "G"):
        return (tag, value[1], 0)
    if tag == "B":
        return ("B", value[1], 0, without_context(value[3]))
    if tag == "t":
        return ("t", without_context(value[1]))
    if tag == "P":
        return ("P", without_context(value[1]), value[2])
    return value


def is_local(value: Value) -> bool:
    """Whether the value is, or belongs to, something that the repository defines."""
    return value[0] in ("F", "B", "P", "C", "I", "M", "G", "S", "K", "T", "t")
