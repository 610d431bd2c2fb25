"""``base[key]``, iteration, ``with`` and ``await``: what containers, generators and objects with the
methods for it hold."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import BASES, Expr
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_attributes import attribute_of, held
from sctx_tui.graph.resolve_classes import linearized
from sctx_tui.graph.resolve_fields import field_at
from sctx_tui.graph.values import OUTSIDE, Value, Values, is_local, union


def item(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of an ``item`` Expr."""
    from sctx_tui.graph.texts import attributes_like, names_like

    bases = ev.ev(expr[1], file, scope, env)
    if not bases:
        return ()
    wanted: tuple[Value | None, ...] = (None,)
    if expr[2] is not None:
        keys = ev.ev(expr[2], file, scope, env)
        if keys and all(value[0] == "c" for value in keys):
            wanted = keys
        elif file.rules.items_are_attributes and any(value[0] == "I" for value in bases) and ev.may_guess():
            pattern = names_like(ev, expr[2], file, scope, env)
            likely = [(value, name) for value in bases for name in attributes_like(ev, value, pattern)]
            return union([attribute_of(ev, value, name) for value, name in likely])
    return union([item_of(ev, value, key) for value in bases for key in wanted])


def item_of(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What ``value[key]`` is; key None: some key."""
    tag = value[0]
    if tag == "K":
        return held(ev, value, key[1]) if key is not None and key[0] == "." else content(ev, value, key)
    if tag == "T":
        return of_type(ev, value, key)
    if tag == "I":
        file, _ = ev.program.where(value[1])
        if key is not None and file.rules.items_are_attributes and isinstance(key[1], str):
            named = attribute_of(ev, value, key[1])
            return named if any(map(is_local, named)) else items_of_object(ev, value, key) or named
        found = field_at(ev, value, key) if file.rules.field_lists else ()
        found = (
            found or of_special_method(ev, value, file.rules.item_method) or items_of_object(ev, value, key)
        )
        found = union([found, items_of_base(ev, value, key)])
        return found or (iterated(ev, value) if key is not None and type(key[1]) is int else ())
    if tag == "C" or (tag == "F" and ev.program.where(value[1])[0].rules.type_arguments):
        return (value,)
    if tag == "M" and key is not None and isinstance(key[1], str):
        return attribute_of(ev, value, key[1])
    if tag == "G":
        return elements_of(ev, value)
    return OUTSIDE if tag in ("X", "L") else ()


def sliced(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of a ``slice`` Expr."""
    found: list[Values] = []
    for value in ev.ev(expr[1], file, scope, env):
        if value[0] == "K":
            found.append((between(ev, value, expr[2], expr[3]),))
        elif value[0] == "I":
            found.append(item_of(ev, value, None) or (value,))
        else:
            found.append((value,))
    return union(found)


def between(ev: Evaluator, value: Value, start: int | None, stop: int | None) -> Value:
    """The part of a container from ``start`` to ``stop``: of a list literal the items in that range."""
    expr, file, scope, env = ev.boxes[value[1]]
    if expr is None or expr[0] != "list":
        return value
    spread = next((i for i, one in enumerate(expr[1]) if one is not None and one[0] == "star"), None)
    is_plain = spread is None or (0 <= (start or 0) <= spread and stop is None)
    part: Expr = ("list", expr[1][start:stop]) if is_plain else ("iter", ("item", expr, None))
    key = ("slice", start, stop) if is_plain else "slice"
    made = ev.program.made_by_calls.setdefault((id(expr), key), part)
    return ("K", ev.box(made, file, scope, env))


def items_of_object(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What is stored in an object whose class derives from a builtin container."""
    from sctx_tui.graph.stores import stored_items

    return ev.remembered((value, "[", key), stored_items, ev, value, key)


def items_of_base(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What an object holds whose class is made of a builtin container type: Go's ``type Items []*Item``."""
    made = ev.remembered((value[1], "made of"), _made_of, ev, value[1])
    return union([of_type(ev, one, key) for one in made])


def _made_of(ev: Evaluator, cls: int) -> Values:
    found: list[Value] = []
    for gid in linearized(ev, cls):
        file, index = ev.program.where(gid)
        for base in file.symbols[index][BASES]:
            if base is not None and base[0] == "args" and base[1] is not None and base[1][0] == "lit":
                found.append(("T", ev.box(base, file, index, 0)))
    return tuple(found)


def of_special_method(ev: Evaluator, value: Value, method: str) -> Values:
    """What ``value.method()`` gives."""
    from sctx_tui.graph.resolve_calls import called

    if not method:
        return ()
    found: list[Values] = []
    for target in attribute_of(ev, value, method):
        if target[0] == "B":
            found.append(called(ev, target, ev.bare_call(target)))
        elif target[0] == "X":
            found.append(OUTSIDE)
    return union(found)


def of_type(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """An item of a value of a type with arguments: a tuple's by index, else of the last argument's type."""
    type_, file, scope, env = ev.boxes[value[1]]
    if type_ is None or type_[0] != "args":
        return ()
    base, args = type_[1], type_[2]
    if not args:
        return ()
    at = -1
    if base == ("lit", "tuple") and key is not None and isinstance(key[1], int) and key[1] < len(args):
        at = key[1]
    return ev.ev(("inst", args[at]), file, scope, env)


def content(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What a container holds under ``key`` (a ``c`` value); None: under any."""
    return ev.remembered((value, "[", key), _content, ev, value, key)


def _content(ev: Evaluator, value: Value, key: Value | None) -> Values:
    from sctx_tui.graph.resolve_calls import rest_content
    from sctx_tui.graph.stores import stored_items

    expr, file, scope, env = ev.boxes[value[1]]
    if expr is None:
        return ()
    tag = expr[0]
    if tag == "list":
        found = listed(ev, expr[1], file, scope, env, key)
    elif tag == "dict":
        found = mapped(ev, expr[1], file, scope, env, key)
    elif tag == "iter":
        found = ev.ev(expr[1], file, scope, env)
    elif tag == "rest":
        found = rest_content(ev, expr[1], expr[2], expr[3], key)
    elif file.rules.held is not None:
        found = file.rules.held(ev, expr, file, scope, env, key)
    else:
        found = ()
    stored = stored_items(ev, value, key)
    return union([found, stored]) if stored else found


def listed(
    ev: Evaluator, items: tuple[Expr, ...], file: File, scope: int, env: int, key: Value | None
) -> Values:
    """What a literal list or tuple holds at an index, at any where the key isn't known."""
    spread = next((i for i, one in enumerate(items) if one is not None and one[0] == "star"), len(items))
    if key is not None and isinstance(key[1], int):
        at = key[1]
        if 0 <= at < spread or (at < 0 and spread == len(items) and -at <= spread):
            return ev.ev(items[at], file, scope, env)
        if spread == len(items):
            return ()
    found = [
        element(ev, ev.ev(one[1], file, scope, env))
        if one is not None and one[0] == "star"
        else ev.ev(one, file, scope, env)
        for one in items
    ]
    return union(found)


def mapped(
    ev: Evaluator, pairs: tuple[Any, ...], file: File, scope: int, env: int, key: Value | None
) -> Values:
    """What a literal dict holds under a key, under any where it isn't known; later pairs win."""
    exact: Values | None = None
    others: list[Values] = []
    for name, expr in pairs:
        if name is not None and name == ("**",):
            spread = ev.ev(expr, file, scope, env)
            held = union([item_of(ev, inner, key) for inner in spread])
            if spread and all(surely_holds(ev, inner, key) for inner in spread):
                exact = held
            elif exact is not None:
                exact = union([exact, held])
            else:
                others.append(held)
            continue
        names = ev.ev(name, file, scope, env) if name is not None else ()
        constants = [value for value in names if value[0] == "c"]
        if key is None or not constants:
            others.append(ev.ev(expr, file, scope, env))
        elif any(value[1] == key[1] and type(value[1]) is type(key[1]) for value in constants):
            exact = ev.ev(expr, file, scope, env)
    if exact is not None:
        return exact
    return union(others)


def surely_holds(ev: Evaluator, value: Value, key: Value | None) -> bool:
    """Whether the literal that made a container has that very key."""
    expr = ev.boxes[value[1]][0] if value[0] == "K" and key is not None else None
    if expr is None or expr[0] != "dict" or key is None:
        return False
    return any(name is not None and name[0] == "const" and name[1] == key[1] for name, _ in expr[1])


def element(ev: Evaluator, values: Values) -> Values:
    """What iterating gives."""
    return union([elements_of(ev, value) for value in values])


def elements_of(ev: Evaluator, value: Value) -> Values:
    """What iterating ``value`` gives."""
    tag = value[0]
    if tag in ("K", "T"):
        hook = ev.boxes[value[1]][1].rules.iterated
        if hook is not None and (made := hook(ev, value)) is not None:
            return made  # type: ignore[no-any-return]
    if tag == "K":
        expr, file, _, _ = ev.boxes[value[1]]
        if expr is not None and expr[0] == "dict" and not file.rules.items_are_attributes:
            return ev.remembered((value, "keys"), keys_of, ev, value)
        return content(ev, value, None)
    if tag == "T":
        type_ = ev.boxes[value[1]][0]
        if type_ is not None and type_[0] == "args" and type_[1] == ("lit", "dict") and type_[2]:
            _, file, scope, env = ev.boxes[value[1]]
            return (
                ev.ev(("inst", type_[2][0]), file, scope, env) if file.rules.c3 else of_type(ev, value, None)
            )
        return of_type(ev, value, None)
    if tag == "G":
        return ev.remembered((value, "yields"), yielded, ev, value)
    if tag == "I":
        return iterated(ev, value)
    return OUTSIDE if tag in ("X", "L") else ()


def first_of_range(ev: Evaluator, values: Values) -> Values:
    """What the first variable of a ``range`` clause gets."""
    return union([first_of(ev, value) for value in values])


def first_of(ev: Evaluator, value: Value) -> Values:
    """What the first type argument of a container says that it holds."""
    if value[0] == "I":
        made = ev.remembered((value[1], "made of"), _made_of, ev, value[1])
        return first_of_range(ev, made)
    if value[0] not in ("K", "T"):
        return ()
    expr, file, scope, env = ev.boxes[value[1]]
    if expr is not None and expr[0] == "args" and expr[2]:
        return ev.ev(("inst", expr[2][0]), file, scope, env)
    return elements_of(ev, value)


def keys_of(ev: Evaluator, value: Value) -> Values:
    """The keys of a literal dict."""
    expr, file, scope, env = ev.boxes[value[1]]
    pairs: tuple[Any, ...] = expr[1] if expr is not None else ()
    return union([ev.ev(key, file, scope, env) for key, _ in pairs if key is not None and key != ("**",)])


def yielded(ev: Evaluator, value: Value) -> Values:
    """What a generator yields."""
    file, index = ev.program.where(value[1])
    return union([ev.ev(expr, file, index, value[2]) for expr in file.yields(index)])


def iterated(ev: Evaluator, value: Value) -> Values:
    """Iterating an object runs its iterator method, and the next method of what that gives."""
    file, _ = ev.program.where(value[1])
    rules = file.rules
    if rules.iterated is not None and (made := rules.iterated(ev, value)) is not None:
        return made  # type: ignore[no-any-return]
    found: list[Values] = []
    for iterator in of_special_method(ev, value, rules.iterator_method):
        if iterator[0] == "I":
            found.append(of_special_method(ev, iterator, rules.next_method))
        elif iterator != value:
            found.append(elements_of(ev, iterator))
    instead = rules.next_method if rules.dispatch else rules.item_method
    values = union(found) or of_special_method(ev, value, instead)
    if not values and rules.field_lists:
        values = field_at(ev, value, None)
    return values or union([items_of_object(ev, value, None), items_of_base(ev, value, None)])


def entered(ev: Evaluator, values: Values) -> Values:
    """What ``with`` binds."""
    found: list[Values] = []
    for value in values:
        if value[0] == "I":
            file, _ = ev.program.where(value[1])
            found.append(of_special_method(ev, value, file.rules.enter_method))
        elif value[0] == "G":
            found.append(elements_of(ev, value))
        elif value[0] in ("X", "L"):
            found.append(OUTSIDE)
    return union(found)


def awaited(ev: Evaluator, values: Values) -> Values:
    """What ``await`` gives, and ``yield from``: calling an ``async`` function is taken for its result
    already; a generator's is what it returns."""
    return (
        union([returned_by(ev, value) for value in values])
        if any(one[0] == "G" for one in values)
        else values
    )


def returned_by(ev: Evaluator, value: Value) -> Values:
    """What a generator returns in the end; anything else as it is."""
    from sctx_tui.graph.resolve_calls import returned

    if value[0] != "G":
        return (value,)
    file, index = ev.program.where(value[1])
    return ev.remembered((value[1], "returns", value[2]), returned, ev, file, index, value[2])
