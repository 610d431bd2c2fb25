"""Type parameters: what they stand for in a type, an object or a call.

The type arguments of an instance are a context of its class (``contexts.py``), under the numbers -1, -2, ...;
those of a call one of the function's, under the same numbers, and those of the class whose method it is under
-101, -102, ... Where a call says none they are found by matching the types of parameters with what is passed.
"""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.contexts import Relevant, number_of
from sctx_tui.graph.facts import BASES, FLAGS, KIND, PARAMS, PARENT, STATIC, Expr
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_classes import linearized
from sctx_tui.graph.resolve_defaults import MANY_CALLS
from sctx_tui.graph.values import TOO_MANY, Value, Values, is_local, union

#: Types within types that are matched.
DEEP_TYPES = 6
OF_CLASS = -100


def argument_number(parameter: Expr) -> int:
    """The number in a context of what a ``tparam`` stands for."""
    assert parameter is not None
    return -1 - int(parameter[1]) + (OF_CLASS if len(parameter) > 3 else 0)


def type_parameter(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """What a ``tparam`` means as a type: ``t`` values, else its bound."""
    bound = ev.ev(expr[2], file, scope, env)
    if not file.rules.type_arguments or is_of_functions(expr[2]):
        return bound
    found = given(ev, expr, file, scope, env)
    if found and TOO_MANY not in found:
        return tuple([("t", value) for value in found])
    is_told = file.rules.dispatch == "implicit"
    is_open = is_told and not env and any(value[0] == "C" for value in bound)  # calls may still say
    return () if is_open and (not ev.may_guess() or is_known_elsewhere(ev, file, scope)) else bound


def is_known_elsewhere(ev: Evaluator, file: File, scope: int) -> bool:
    """Whether some instance says what the type parameters of a class stand for."""
    is_class = file.symbols[scope][KIND] in ("class", "interface")
    classes = [file.base + scope] if is_class else ev.class_of_method(file, scope)
    for cls in classes:
        ev.watch(cls)
    return any(map(ev.context_counts.get, classes))


def is_of_functions(bound: Expr) -> bool:
    """Whether a bound says that something can be called: what is passed then says more than a type."""
    if bound is None or bound[0] not in ("functype", "any"):
        return False
    return bound[0] == "functype" or any(map(is_of_functions, bound[1]))


def given(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of the types that a type parameter stands for."""
    if file.symbols[scope][KIND] in ("class", "interface"):
        return of_class(ev, file.base + scope, expr[1], env)
    gid = file.base + scope
    is_told = file.rules.dispatch == "implicit"  # else a body calls what the bound has
    number = argument_number(expr)
    context = ev.contexts[ev.context_of(gid, env)] if env else None
    if context is not None:
        is_known, values = context.argument(number)
        if is_known:
            return values or ()
    if len(expr) > 3:
        classes = ev.class_of_method(file, scope)
        if env and (found := union([of_class(ev, cls, expr[1], env) for cls in classes])):
            return found
        receivers = (
            [one for one in ev.receiver(file, scope, 0) if one[0] == "I" and one[2]] if is_told else ()
        )
        return union([of_instance(ev, one, cls, expr[1]) for one in receivers for cls in classes])
    if not is_told:
        return ()
    ev.consult(gid)
    calls = ev.flows.get(gid, ())[:MANY_CALLS]
    return union([inferred(ev, call, file, scope, number) for call in calls])


def of_class(ev: Evaluator, cls: int, position: int, env: int) -> Values:
    """What the class's type parameter stands for in a context of the class, or of an instance's method."""
    while env:
        context = ev.contexts[env]
        assert context is not None
        if context.gid == cls:
            return context.argument(-1 - position)[1] or ()
        receiver = context.receiver
        if receiver is not None and receiver[0] == "I":
            found = of_instance(ev, receiver, cls, position)
            if found:
                return found
        env = context.outer
    return ()


def of_instance(ev: Evaluator, value: Value, cls: int, position: int) -> Values:
    """What the type parameter of ``cls`` stands for in an instance of it, or of a class derived from it."""
    context = ev.contexts[context_of_base(ev, value[1], value[2], cls)]
    return (context.argument(-1 - position)[1] or ()) if context is not None else ()


def context_of_base(ev: Evaluator, gid: int, site: int, cls: int) -> int:
    """The type arguments of the base ``cls`` in an instance of ``gid`` made at ``site``; 0: none known."""
    if gid == cls:
        context = ev.contexts[site]
        return site if context is not None and context.gid == cls else 0
    if cls not in linearized(ev, gid):
        return 0
    file, index = ev.program.where(gid)
    bases = [(file, index, base) for base in file.symbols[index][BASES]]
    for where, scope, base in (*bases, *ev.program.implemented.get(gid, ())):
        if base is None or base == ("this",):
            continue
        for one in ev.on_inst(("inst", base), where, scope, site if where is file and scope == index else 0):
            if one[0] == "I" and one[1] != gid and (found := context_of_base(ev, one[1], one[2], cls)):
                return found
    return 0


def with_arguments(
    ev: Evaluator, values: Values, types: tuple[Expr, ...], file: File, scope: int, env: int
) -> Values:
    """Instances of types with these type arguments."""
    args = [
        (-1 - position, ev.on_inst(("inst", type_), file, scope, env)) for position, type_ in enumerate(types)
    ]
    known = tuple([(number, values) for number, values in args if any(map(is_local, values))])
    if not known:
        return values
    return tuple([("I", one[1], number_of(ev, one[1], known)) if one[0] == "I" else one for one in values])


# calls


def relevant_types(file: File, scope: int, declared: Expr) -> Relevant | None:
    """The type arguments on which a declared result depends; None where there are none."""
    numbers: dict[int, None] = {}
    receiver = False
    is_static = bool(file.symbols[scope][FLAGS] & STATIC)
    for where, parameter in mentioned(file, scope, declared):
        if is_of_functions(parameter[2]):
            continue
        if where != scope:
            receiver = True
        elif len(parameter) == 3 or is_static:
            numbers[argument_number(parameter)] = None
        else:
            receiver = True
    return Relevant(tuple(numbers), receiver) if numbers or receiver else None


def mentioned(file: File, scope: int, type_: Expr) -> list[tuple[int, Any]]:
    """The type parameters in a type, each with the scope that has it."""
    found: list[tuple[int, Any]] = []
    stack: list[Any] = [type_]
    while stack:
        here = stack.pop()
        if not isinstance(here, tuple) or not here:
            continue
        parameter = parameter_of(file, scope, here)
        if parameter is not None:
            found.append(parameter)
        else:
            stack.extend(part for part in here if isinstance(part, tuple))
    return found


def parameter_of(file: File, scope: int, type_: Any) -> tuple[int, Any] | None:
    """The type parameter that a type is, with its scope; None where it is none."""
    if type_[0] == "var" and type(type_[1]) is int:
        where, _, value = file.binds[type_[1]]
        return (where, value) if value is not None and value[0] == "tparam" else None
    if type_[0] == "name":  # of the interface around a method
        around = file.symbols[scope][PARENT]
        bind = file.facts["exits"].get(around, {}).get(type_[1]) if around > 0 else None
        value = file.binds[bind][2] if bind is not None else None
        return (around, value) if value is not None and value[0] == "tparam" else None
    return None


def inferred(ev: Evaluator, call: Call, file: File, scope: int, number: int) -> Values:
    """What the type parameter of that number stands for in a call of the function at ``scope``."""
    from sctx_tui.graph.resolve_calls import argument

    explicit = types_of_callee(call.expr[1])
    if explicit and number > OF_CLASS and -1 - number < len(explicit):
        return ours(ev.on_inst(("inst", explicit[-1 - number]), call.file, call.scope, call.env))
    found: list[Values] = []
    uses = type_uses(ev, file, scope)
    for index, type_, inside in uses:
        if number in inside:
            values = argument(ev, call, file, scope, index)
            found.append(matched(ev, type_, values or (), number, file, scope))
    made = union(found)
    if made:
        return ours(made)
    # `E` of `S ~[]E`
    for other, parameter in {key: one for _, _, inside in uses for key, one in inside.items()}.items():
        if other != number and any(one[0] == scope for one in mentioned(file, scope, parameter[2])):
            found.append(
                matched(ev, parameter[2], inferred(ev, call, file, scope, other), number, file, scope)
            )
    return union(found)


def type_uses(ev: Evaluator, file: File, scope: int) -> list[tuple[int, Expr, dict[int, Any]]]:
    """The parameters whose types mention the function's type parameters: (index, type, those by number)."""
    known: dict[int, list[tuple[int, Expr, dict[int, Any]]]] = ev.program.cache.setdefault("type uses", {})
    found = known.get(file.base + scope)
    if found is None:
        found = known[file.base + scope] = []
        for index, param in enumerate(file.symbols[scope][PARAMS]):
            inside = {
                argument_number(one): one for at, one in mentioned(file, scope, param[1]) if at == scope
            }
            if inside:
                found.append((index, param[1], inside))
    return found


def ours(values: Values) -> Values:
    """The values where some are the repository's: of the types of others nothing is called."""
    return values if any(map(is_local, values)) else ()


def types_of_callee(callee: Any) -> tuple[Expr, ...]:
    """The type arguments that a call says: ``f[T](x)``, ``f::<T>(x)``."""
    if callee is None:
        return ()
    if callee[0] == "args":
        given: tuple[Expr, ...] = callee[2]
        return given
    if callee[0] == "any":
        return next((types for part in callee[1] if (types := types_of_callee(part))), ())
    return ()


def matched(
    ev: Evaluator, type_: Expr, values: Values, number: int, file: File, scope: int, depth: int = 0
) -> Values:
    """What the type parameter of that number is where values are of a type that mentions it."""
    if type_ is None or not values or depth > DEEP_TYPES:
        return ()
    parameter = parameter_of(file, scope, type_)
    if parameter is not None:
        return values if parameter[0] == scope and argument_number(parameter[1]) == number else ()
    if type_[0] == "any":
        return union([matched(ev, one, values, number, file, scope, depth + 1) for one in type_[1]])
    if type_[0] == "functype":
        results = union([result_of(ev, value) for value in values])
        return matched(ev, type_[1], results, number, file, scope, depth + 1)
    if type_[0] != "args":
        return ()
    found: list[Values] = []
    for position, one in enumerate(type_[2]):
        if one is not None and mentioned(file, scope, one):
            parts = union(
                [part_of(ev, value, type_[1], position, len(type_[2]), file, scope) for value in values]
            )
            found.append(matched(ev, one, parts, number, file, scope, depth + 1))
    return union(found)


def result_of(ev: Evaluator, value: Value) -> Values:
    """What a function gives."""
    from sctx_tui.graph.resolve_calls import returned

    if value[0] == "T":
        type_, file, scope, env = ev.boxes[value[1]]
        is_function = type_ is not None and type_[0] == "functype"
        return ev.on_inst(("inst", type_[1]), file, scope, env) if type_ is not None and is_function else ()
    if value[0] not in ("F", "B"):
        return ()
    file, index = ev.program.where(value[1])
    return ev.remembered((value[1], "returns", value[2]), returned, ev, file, index, value[2])


def part_of(
    ev: Evaluator, value: Value, base: Expr, position: int, count: int, file: File, scope: int
) -> Values:
    """The values of the type argument at that position of the type of a value."""
    from sctx_tui.graph.resolve_containers import first_of, item_of

    if value[0] == "I":
        for cls in ev.ev(base, file, scope, 0):
            if cls[0] == "C":
                return of_instance(ev, value, cls[1], position)
    if base == ("lit", "tuple"):
        return item_of(ev, value, ("c", position))
    if base == ("lit", "dict") and position == 0 and count == 2:
        return first_of(ev, value)
    return item_of(ev, value, None)
