"""Calls: parameters, what a callee returns, objects that calls make."""

from __future__ import annotations

from typing import Any, NamedTuple

from sctx_tui.graph.contexts import context_for, converted, number_of, site_for
from sctx_tui.graph.facts import FLAGS, GENERATOR, KIND, NAME, PARAMS, PARENT, RETURNS, Expr, Param
from sctx_tui.graph.points_to import COPIED, Call, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_attributes import INHERITED, attribute_of, is_function_type, is_plain_function
from sctx_tui.graph.resolve_classes import class_definition, linearized
from sctx_tui.graph.resolve_containers import element, item_of, listed
from sctx_tui.graph.resolve_defaults import MANY_CALLS, is_always_given
from sctx_tui.graph.resolve_fields import constructors_of, made_of
from sctx_tui.graph.resolve_partials import argument_of_two
from sctx_tui.graph.values import OUTSIDE, TOO_MANY, Value, Values, union

#: ``*args`` of more calls than this is looked at as one list.
FEW_CALLS = 6


def call_result(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """What a call gives."""
    key = (id(expr), env) if env else id(expr)
    return ev.remembered(key, _call_result, ev, expr, file, scope, env)


def _call_result(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    callees = ev.ev(expr[1], file, scope, env)
    if not callees:
        return ()
    call = Call(expr, file, scope, env)
    if len(callees) == 1:
        return called(ev, callees[0], call)
    return union([called(ev, callee, call) for callee in callees])


def called(ev: Evaluator, callee: Value, call: Call) -> Values:
    """What calling ``callee`` gives."""
    tag = callee[0]
    if tag in ("F", "B"):
        if call.expr[0] == "new" and ev.constructs(callee[1]):
            return made_by(ev, callee, call)
        return function_result(ev, callee, call)
    if tag == "C":
        return made_by(ev, callee, call)
    if tag == "P":
        return called(ev, callee[1], call.after(ev.partials[callee[2]]))
    if tag == "I":
        file, _ = ev.program.where(callee[1])
        method = file.rules.call_method
        targets = attribute_of(ev, callee, method) if method else converted(ev, callee)
        return union([called(ev, target, call) for target in targets if target[0] in ("F", "B", "X")])
    if tag == "X":
        if callee[1].startswith(INHERITED):
            return ()
        callee_expr = call.expr[1]
        model = call.file.rules.models.get(callee[1])
        if model is None and callee_expr[0] == "attr":
            model = call.file.rules.methods.get(("X", callee_expr[2]))
        if model is None:
            return (*wrapped(ev, call), *OUTSIDE) if call.file.rules.outside_wraps else OUTSIDE
        return model(ev, call.on(callee))
    if tag == "l":
        model = call.file.rules.models.get("type " + callee[1])
        return model(ev, call) if model is not None else (("L", callee[1]),)
    if tag == "t":
        return (callee[1],)
    if tag == "Y":
        return builtin_method(ev, callee, call)
    if tag == "T":
        type_, file, scope, env = ev.boxes[callee[1]]
        if type_ is not None and type_[0] == "functype":
            return ev.ev(("inst", type_[1]), file, scope, env)
    return ()


def wrapped(ev: Evaluator, call: Call) -> Values:
    """The function that is given first to an outside function of which nothing is known."""
    if call.expr[0] != "call" or not call.expr[2] or call.expr[2][0] is None or call.expr[2][0][0] == "star":
        return ()
    given = ev.ev(call.expr[2][0], call.file, call.scope, call.env)
    return tuple(value for value in given if value[0] in ("F", "B", "C"))


def builtin_method(ev: Evaluator, callee: Value, call: Call) -> Values:
    """A method of a container, literal or function that the language itself defines."""
    receiver, name = callee[1], callee[2]
    kind = receiver[1] if receiver[0] == "L" else receiver[0]
    model = call.file.rules.methods.get((kind, name))
    if model is None:
        return OUTSIDE
    return model(ev, call.on(receiver))


# functions


def function_result(ev: Evaluator, callee: Value, call: Call) -> Values:
    """What a function of the repository returns for that call."""
    gid, outer = callee[1], callee[2]
    file, index = ev.program.where(gid)
    receiver = callee[3] if callee[0] == "B" else None
    env = context_for(ev, gid, call, receiver, outer)
    if file.symbols[index][FLAGS] & GENERATOR or file.yields(index):
        return (("G", gid, env),)
    return ev.remembered((gid, "returns", env), returned, ev, file, index, env)


def returned(ev: Evaluator, file: File, index: int, env: int) -> Values:
    """What the function's body returns in that context, or what its declared type says."""
    declared = file.symbols[index][RETURNS]
    types_decide = file.rules.types_decide and declared is not None
    if types_decide:
        typed = ev.ev(("inst", declared), file, index, env)
        if typed and not any(is_function_type(ev, value) for value in typed):
            return typed
    found = union([ev.ev(expr, file, index, env) for expr in file.returns(index)])
    if types_decide and typed and typed[0][0] == "T" and not is_plain_function(ev, typed):
        return union([found, typed])
    if declared is not None and declared[0] == "args" and not types_decide and is_empty(ev, found):
        return union([found, ev.ev(("inst", declared), file, index, 0)])
    if (
        declared is not None
        and not types_decide
        and not any(value[0] not in ("L", "c", "X") for value in found)
    ):
        return ev.ev(("inst", declared), file, file.symbols[index][PARENT], 0) or found
    return found


def is_empty(ev: Evaluator, values: Values) -> bool:
    """Whether the values are one literal of a container with nothing in it."""
    made = ev.boxes[values[0][1]][0] if len(values) == 1 and values[0][0] == "K" else None
    return made is not None and made[0] in ("list", "dict") and not made[1]


# parameters


def parameter(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The ``index``-th parameter of the function at ``scope``: the argument of the context, else its declared
    type, else what the known calls give."""
    index = expr[1]
    gid = file.base + scope
    context = ev.contexts[ev.context_of(gid, env)] if env else None
    if context is not None:
        known, given = context.argument(index)
        if given is not None:
            return given or declared(ev, file, scope, index)
        if known:
            return ev.ev(file.symbols[scope][PARAMS][index][2], file, file.symbols[scope][PARENT], 0)
    return ev.remembered((gid, "param", index), _parameter, ev, gid, file, scope, index)


def declared(ev: Evaluator, file: File, scope: int, index: int) -> Values:
    """The declared type's values of a parameter."""
    param = file.symbols[scope][PARAMS][index]
    if param[1] is None:
        return ()
    found = ev.ev(("inst", param[1]), file, scope, 0)
    return found


def _parameter(ev: Evaluator, gid: int, file: File, scope: int, index: int) -> Values:
    typed = declared(ev, file, scope, index)
    params = file.symbols[scope][PARAMS]
    param = params[index]
    if typed and param[3] not in ("*", "**") and not all(is_function_type(ev, value) for value in typed):
        return typed
    ev.consult(gid)
    key = (gid, "param", index)
    if TOO_MANY in ev.known(key):
        return (TOO_MANY,)
    default = ev.ev(param[2], file, file.symbols[scope][PARENT], 0) if param[2] is not None else ()
    progress = ev.progress.setdefault(key, Progress({}, []))
    found = [typed]
    if default and not is_always_given(ev, gid, params, index, default):
        found.append(default)
    for method in (gid, *overridden(ev, gid)):
        if method != gid:
            ev.consult(method)
        calls = ev.flows.get(method, ())[:MANY_CALLS]
        if param[3] in ("*", "**") and len(calls) > FEW_CALLS:
            found.append(shared_rest(ev, gid, method, index) if param[3] == "*" else (TOO_MANY,))
            calls = calls[:FEW_CALLS]
        start, progress.seen[method] = progress.seen.get(method, 0), len(calls)
        for call in calls[start:] if start else calls:
            how, arg = given(call, param, params, index)
            if how == _ONCE:
                found.append(argument(ev, call, file, scope, index) or ())
            elif how == _COPY:
                found.append(ev.copied(ev.ev, arg, call.file, call.scope, call.env))
            elif how == _AGAIN:
                progress.again.append(call)
    found += [argument(ev, call, file, scope, index) or () for call in progress.again]
    return union(found)


class Progress(NamedTuple):
    """Of a parameter: how many calls of a method were looked at, and those that have to be looked at each
    time."""

    seen: dict[int, int]
    again: list[Call]


_NOTHING, _ONCE, _COPY, _AGAIN = range(4)
#: How the values of an argument are had, by its tag: those of one result of the solver, or what never
#: changes; else they are looked at each time.
_HOW = {
    **dict.fromkeys(COPIED, _COPY),
    **dict.fromkeys(("const", "list", "dict", "iter", "lit", "def"), _ONCE),
}


def given(call: Call, param: Param, params: tuple[Param, ...], index: int) -> tuple[int, Expr]:
    """(how to look at what the call passes for the parameter, the argument itself where it is copied)."""
    name, _, _, kind = param
    _, _, args, kwargs = call.expr
    if kind in ("*", "**"):
        return _ONCE, None
    if call.before is not None:
        return _AGAIN, None
    for key, value in kwargs:
        if key == "**":
            return _AGAIN, None
        if key == name:
            return (_HOW.get(value[0], _AGAIN), value) if value is not None else (_NOTHING, None)
    if kind != "pos":
        return (_AGAIN if kind == "self" else _NOTHING), None
    position = index - (1 if params[0][3] == "self" and call.receiver is not None else 0)
    for arg in args[: position + 1]:
        if arg is not None and arg[0] == "star":
            return _AGAIN, None
    arg = args[position] if position < len(args) else None
    return (_HOW.get(arg[0], _AGAIN), arg) if arg is not None else (_NOTHING, None)


def overridden(ev: Evaluator, gid: int) -> list[int]:
    """The methods of base classes that ``gid`` overrides: calls of theirs may mean it."""
    file, index = ev.program.where(gid)
    if file.symbols[index][KIND] != "method":
        return []
    found = ev.remembered((gid, "overrides", 0), _overridden, ev, gid, file, index)
    return [value[1] for value in found if value[0] == "F"]


def _overridden(ev: Evaluator, gid: int, file: File, index: int) -> Values:
    name = file.symbols[index][NAME]
    return union(
        [
            tuple(value for value in class_definition(ev, base, name) if value[0] == "F" and value[1] != gid)
            for cls in ev.class_of_method(file, index)
            for base in linearized(ev, cls)[1:]
        ]
    )


def argument(ev: Evaluator, call: Call, file: File, scope: int, index: int) -> Values | None:
    """What ``call`` passes for the ``index``-th parameter; None: it leaves it out."""
    params = file.symbols[scope][PARAMS]
    name, _, _, kind = params[index]
    expr, receiver = call.expr, call.receiver
    if call.before is not None:
        return argument_of_two(ev, call, call.before, params, index)
    if kind == "self":
        return (receiver,) if receiver is not None else positional(ev, call, 0)
    if kind != "**":
        for key, value in expr[3]:
            if key == name:
                return ev.ev(value, call.file, call.scope, call.env)
    if kind == "pos":
        found = positional(ev, call, index - (1 if receiver is not None and params[0][3] == "self" else 0))
        if found is not None:
            return found
    elif kind == "*":
        return rest(ev, call, index - (1 if params[0][3] == "self" and receiver is not None else 0))
    elif kind == "**":
        names = {param[0] for param in params}
        pairs = tuple((("const", key), value) for key, value in expr[3] if key not in names and key != "**")
        spreads = tuple((("**",), value) for key, value in expr[3] if key == "**")
        return kept(ev, call, ("**", index), ("dict", pairs + spreads))
    for key, value in expr[3]:
        if key == "**":
            found = union(
                [item_of(ev, v, ("c", name)) for v in ev.ev(value, call.file, call.scope, call.env)]
            )
            return found or None
    return None


def known_length(ev: Evaluator, values: Values) -> int:
    """How many items a spread has for certain; -1: nobody knows."""
    if len(values) != 1 or values[0][0] != "K":
        return -1
    expr = ev.boxes[values[0][1]][0]
    if expr is None or expr[0] != "list" or any(item is not None and item[0] == "star" for item in expr[1]):
        return -1
    return len(expr[1])


def positional(ev: Evaluator, call: Call, position: int) -> Values | None:
    """The ``position``-th positional argument, through spreads."""
    for at, arg in enumerate(call.expr[2]):
        if arg is not None and arg[0] == "star":
            spread = ev.ev(arg[1], call.file, call.scope, call.env)
            length = known_length(ev, spread)
            if 0 <= length <= position - at:
                position -= length - 1
                continue
            return union([item_of(ev, value, ("c", position - at)) for value in spread])
        if at == position:
            return ev.ev(arg, call.file, call.scope, call.env)
    return None


def rest(ev: Evaluator, call: Call, position: int) -> Values:
    """The list that ``*args`` gets."""
    args = call.expr[2]
    first = next((at for at, arg in enumerate(args) if arg is not None and arg[0] == "star"), len(args))
    if first < min(position, len(args)):
        return kept(ev, call, ("*", position), ("iter", ("elem", args[first][1])))
    return kept(ev, call, ("*", position), ("list", args[position:]))


def shared_rest(ev: Evaluator, gid: int, method: int, index: int) -> Values:
    """One container for what all calls of ``method`` give to the ``*args`` or ``**kwargs`` of ``gid``
    (which may override it)."""
    expr = ("rest", gid, method, index)
    made = ev.program.made_by_calls.setdefault(expr, expr)
    file, _ = ev.program.where(gid)
    return (("K", ev.box(made, file, 0, 0)),)


def rest_content(ev: Evaluator, gid: int, method: int, index: int, key: Value | None) -> Values:
    """What is in that container."""
    ev.consult(method)
    file, scope = ev.program.where(gid)
    params = file.symbols[scope][PARAMS]
    found: list[Values] = []
    for call in ev.flows.get(method, ())[:MANY_CALLS]:
        plain = plain_rest(call, params, index)
        if plain is None:
            found += [item_of(ev, box, key) for box in argument(ev, call, file, scope, index) or ()]
        elif plain:
            found.append(listed(ev, plain, call.file, call.scope, call.env, key))
    return union(found)


def plain_rest(call: Call, params: tuple[Param, ...], index: int) -> tuple[Expr, ...] | None:
    """What the call passes for ``*args``; None where it takes a look at the values of a spread."""
    args = call.expr[2]
    if params[index][3] != "*" or call.before is not None:
        return None
    if any(arg is not None and arg[0] == "star" for arg in args):
        return None
    is_bound = params[0][3] == "self" and call.receiver is not None
    rest: tuple[Expr, ...] = args[index - is_bound :]
    return rest


def kept(ev: Evaluator, call: Call, what: Any, expr: Expr) -> Values:
    """A container that the call itself makes of its arguments."""
    made = ev.program.made_by_calls.setdefault((id(call.expr), what), expr)
    return (("K", ev.box(made, call.file, call.scope, call.env)),)


# objects


def made_by(ev: Evaluator, cls: Value, call: Call) -> Values:
    """The object that calling a class makes; it remembers the call where what it holds depends on the
    arguments."""
    gid = cls[1]
    if not call.file.rules.construction_is_a_call and is_function_type(ev, ("I", gid, 0)):
        return (("I", gid, number_of(ev, gid, ((0, positional(ev, call, 0)),))),)
    for constructor in constructors_of(ev, gid):
        if constructor[0] == "B":
            continue
        if constructor[0] == "O":
            return (made_of(ev, gid, constructor[1], call),)
        site = site_for(ev, constructor[1], call, ("I", gid, 0))
        if site:
            return (("I", gid, site),)
    return (("I", gid, 0),)


__all__ = ["Value", "call_result", "called", "constructors_of", "element", "parameter"]
