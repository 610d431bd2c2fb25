"""Contexts: a function looked at for certain arguments.

A context is a function with the values of those parameters (and of the receiver) on which its result
depends; calls
that pass the same values share it. Objects whose constructor stores a parameter remember theirs (``site``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sctx_tui.graph.facts import KIND, PARAMS, PARENT, RETURNS, Expr
from sctx_tui.graph.program import CLASSES, File
from sctx_tui.graph.values import Value, Values

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator

#: Contexts within contexts.
MAX_DEPTH = 4
#: Beyond this many contexts of one function it is looked at for all calls together.
MAX_CONTEXTS = 40


class Context(NamedTuple):
    """``args``: values by parameter, None where the call leaves the parameter out; ``outer``: the context
    of the function around
    this one; ``depth``: contexts within its values."""

    gid: int
    args: tuple[tuple[int, Values | None], ...]
    receiver: Value | None
    outer: int
    depth: int

    def argument(self, index: int) -> tuple[bool, Values | None]:
        """(whether the context knows the parameter, its values)."""
        for position, values in self.args:
            if position == index:
                return True, values
        return False, None


class Relevant(NamedTuple):
    """What a result depends on: parameters by index, the receiver."""

    params: tuple[int, ...]
    receiver: bool


NOTHING = Relevant((), False)


def context_for(ev: Evaluator, gid: int, call: Call, receiver: Value | None, outer: int) -> int:
    """The context in which ``call`` looks at what ``gid`` returns: ``outer`` where the call makes no
    difference."""
    relevant = ev.program.relevant.get(gid) or relevant_to_result(ev, gid)
    if relevant is NOTHING:
        return outer
    return make(ev, gid, relevant, call, receiver, outer) or outer


def site_for(ev: Evaluator, constructor: int, call: Call, receiver: Value) -> int:
    """The site of an object made by ``call``: 0 where what it holds doesn't depend on the arguments."""
    relevant = relevant_to_stores(ev, constructor)
    return make(ev, constructor, relevant, call, receiver, 0) if relevant.params else 0


def make(ev: Evaluator, gid: int, relevant: Relevant, call: Call, receiver: Value | None, outer: int) -> int:
    """The number of the context in which a call runs the symbol `gid`: what it gives, as far as that matters;
    0, no context, where there are too many already."""
    from sctx_tui.graph.resolve_calls import argument
    from sctx_tui.graph.resolve_generics import inferred

    count = ev.context_counts.get(gid, 0)
    if count >= MAX_CONTEXTS:
        return 0
    args: tuple[tuple[int, Values | None], ...] = ()
    if relevant.params:
        file, index = ev.program.where(gid)
        bound = call.on(receiver)
        args = tuple(
            [
                (param, argument(ev, bound, file, index, param))
                if param >= 0
                else (param, inferred(ev, bound, file, index, param))
                for param in relevant.params
            ]
        )
    seen = receiver if relevant.receiver else None
    return number_of(ev, gid, args, seen, outer)


def number_of(
    ev: Evaluator,
    gid: int,
    args: tuple[tuple[int, Values | None], ...],
    receiver: Value | None = None,
    outer: int = 0,
) -> int:
    """The number of the context with these arguments; 0 where the function (or class) has too many."""
    key = (gid, args, receiver, outer)
    number = ev.context_numbers.get(key)
    if number is None:
        values = [value for _, of_arg in args for value in of_arg or ()]
        if receiver is not None:
            values.append(receiver)
        depth = 1 + max([depth_at(ev, outer), *[depth_of(ev, value) for value in values]])
        count = ev.context_counts.get(gid, 0)
        if depth > MAX_DEPTH or count >= MAX_CONTEXTS:
            return 0
        ev.context_counts[gid] = count + 1
        number = ev.context_numbers[key] = len(ev.contexts)
        ev.contexts.append(Context(gid, args, receiver, outer, depth))
    return number


def depth_at(ev: Evaluator, env: int) -> int:
    """How many calls deep a context lies; 0 without one."""
    context = ev.contexts[env]
    return context.depth if context is not None else 0


def depth_of(ev: Evaluator, value: Value) -> int:
    """How many contexts are nested in a value."""
    tag = value[0]
    if tag in ("F", "I", "G"):
        return depth_at(ev, value[2])
    if tag == "B":
        return max(depth_at(ev, value[2]), depth_of(ev, value[3]))
    if tag == "P":
        return 1 + depth_of(ev, value[1])
    if tag == "t":
        return depth_of(ev, value[1])
    if tag in ("K", "T"):
        return depth_at(ev, ev.boxes[value[1]][3]) + (1 if tag == "K" else 0)
    return 0


def relevant_to_result(ev: Evaluator, gid: int) -> Relevant:
    """What the function's result depends on."""
    known = ev.program.relevant.get(gid)
    if known is None:
        file, index = ev.program.where(gid)
        exprs = [*file.returns(index), *file.yields(index)]
        known = reached(file, index, exprs) if exprs else NOTHING
        if file.rules.type_arguments and file.symbols[index][RETURNS] is not None:
            from sctx_tui.graph.resolve_generics import relevant_types

            types = relevant_types(file, index, file.symbols[index][RETURNS])
            if types is not None:
                known = Relevant(known.params + types.params, known.receiver or types.receiver)
        ev.program.relevant[gid] = known
    return known


def relevant_to_stores(ev: Evaluator, constructor: int) -> Relevant:
    """The parameters that the constructor stores in the object as they are."""
    known = ev.program.relevant.get(-constructor)
    if known is None:
        file, index = ev.program.where(constructor)
        stored = [
            value
            for stores in file.this_stores(file.symbols[index][PARENT]).values()
            for scope, value in stores
            if scope == index and value is not None and value[0] in ("var", "param", "any")
        ]
        known = ev.program.relevant[-constructor] = reached(file, index, stored)
    return known


def reached(file: File, scope: int, exprs: Sequence[Expr]) -> Relevant:
    """The parameters of the function at ``scope`` from which the expressions are made."""
    params: set[int] = set()
    receiver = False
    stack: list[Any] = list(exprs)
    seen: set[int] = set()
    while stack:
        here = stack.pop()
        if not isinstance(here, tuple) or not here:
            continue
        tag = here[0]
        if tag == "param":
            params.add(here[1])
        elif tag in ("this", "super"):
            receiver = True
        elif tag == "def":
            if file.symbols[here[1]][KIND] not in CLASSES:
                params.update(range(len(file.symbols[scope][PARAMS])))
        elif tag in ("var", "phi", "prefer"):
            for index in here[1:] if tag == "var" else here[1]:
                if index not in seen and file.binds[index][0] == scope:
                    seen.add(index)
                    stack.append(file.binds[index][2])
        elif tag not in ("name", "const", "lit", "import", "inst"):
            stack.extend(parts(here))
    if not params and not receiver:
        return NOTHING
    return Relevant(tuple(sorted(params)), receiver)


def parts(expr: Any) -> list[Any]:
    """The Exprs that an Expr is made of."""
    tag = expr[0]
    if tag in ("call", "new", "decor"):
        return [expr[1], *expr[2], *(value for _, value in expr[3])]
    if tag == "dict":
        return [value for _, value in expr[1]]
    if tag in ("list", "any"):
        return list(expr[1])
    return [part for part in expr[1:] if isinstance(part, tuple)]


def converted(ev: Evaluator, value: Value) -> Values:
    """The functions that an object of a named function type was made of."""
    context = ev.contexts[value[2]]
    is_own = context is not None and context.gid == value[1]
    return (context.argument(0)[1] or ()) if is_own and context is not None else ()
