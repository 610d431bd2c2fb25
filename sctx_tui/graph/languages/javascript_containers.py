"""JavaScript's containers for the linker: what maps, sets, parts of arrays and promises hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import PARENT, Expr
from sctx_tui.graph.values import OUTSIDE, Value, Values, union

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator
    from sctx_tui.graph.program import File

MAPS = frozenset({"Map", "WeakMap"})
SETS = frozenset({"Set", "WeakSet"})
#: The classes of event emitters, by every path under which they are had.
EMITTERS = frozenset(
    module + name
    for module in ("events", "node:events")
    for name in ("", ".EventEmitter", ".default", ".default.EventEmitter")
)
#: Methods of an event emitter that put a listener into it, under the name of the event.
LISTENS = ("on", "once", "addListener", "prependListener", "prependOnceListener")


def some(base: Expr) -> Expr:
    """Any item of a container."""
    return ("item", base, None) if base is not None else None


def container(ev: Evaluator, call: Call) -> Values:
    """``new Map(...)`` and the like: the call itself stands for what it makes."""
    return (("K", ev.box(call.expr, call.file, call.scope, call.env)),)


def sliced(ev: Evaluator, call: Call) -> Values:
    """``xs.slice(a, b)``: of an array literal the items in that range."""
    receiver = call.receiver
    if receiver is None or receiver[0] != "K":
        return (receiver,) if receiver is not None else OUTSIDE
    expr, file, scope, env = ev.boxes[receiver[1]]
    bounds = [ev.ev(arg, call.file, call.scope, call.env) for arg in call.expr[2][:2]]
    numbers = [
        found[0][1] for found in bounds if len(found) == 1 and found[0][0] == "c" and type(found[0][1]) is int
    ]
    if expr is None or expr[0] != "list" or len(numbers) != len(bounds) or not numbers:
        return (receiver,)
    spread = next((i for i, item in enumerate(expr[1]) if item is not None and item[0] == "star"), None)
    if spread is not None and (spread < numbers[0] or len(numbers) > 1):
        return (("K", ev.box(same_box(ev, expr, "slice", ("iter", some(expr))), file, scope, env)),)
    part: Expr = ("list", expr[1][numbers[0] : numbers[1] if len(numbers) > 1 else None])
    return (("K", ev.box(same_box(ev, expr, ("slice", *numbers), part), file, scope, env)),)


def same_box(ev: Evaluator, expr: Expr, what: Any, made_expr: Expr) -> Expr:
    """One Expr for what is made of ``expr``, however often it is asked for."""
    return ev.program.made_by_calls.setdefault((id(expr), what), made_expr)


def held(ev: Evaluator, expr: Any, file: File, scope: int, env: int, key: Value | None) -> Values:
    """What a container that the call ``expr`` made holds from the beginning under ``key``."""
    callee, args = expr[1], expr[2]
    kinds = {value[1] for value in ev.ev(callee, file, scope, env) if value[0] == "X"}
    if not args or kinds & EMITTERS:
        return ()
    if kinds & MAPS:
        found: list[Values] = []
        for pair in ev.ev(("elem", args[0]), file, scope, env):
            names = item_of(ev, pair, ("c", 0))
            constants = [name for name in names if name[0] == "c"]
            if key is None or not constants or any(name[1] == key[1] for name in constants):
                found.append(item_of(ev, pair, ("c", 1)))
        return union(found)
    if kinds & SETS:
        return ev.ev(("elem", args[0]), file, scope, env)
    return union([ev.ev(arg, file, scope, env) for arg in args])


def item_of(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """What a container holds under a key, in any place where that isn't known."""
    from sctx_tui.graph.resolve_containers import item_of as item

    return item(ev, value, key)


def iterated(ev: Evaluator, value: Value) -> Values | None:
    """What iterating gives: of a map pairs, of an object what its iterators say; None: the items."""
    if value[0] == "I":
        return from_iterators(ev, value)
    expr, file, scope, env = ev.boxes[value[1]]
    if expr is not None and expr[:2] == ("args", ("lit", "dict")):
        pair_type = same_box(ev, expr, "pair", ("args", ("lit", "tuple"), expr[2]))
        return (("T", ev.box(pair_type, file, scope, env)),)
    if expr is None or expr[0] not in ("new", "call"):
        return None
    if not any(one[0] == "X" and one[1] in MAPS for one in ev.ev(expr[1], file, scope, env)):
        return None
    pair = same_box(ev, expr, "pair", ("list", (None, ("item", expr, None))))
    return (("K", ev.box(pair, file, scope, env)),)


def from_iterators(ev: Evaluator, value: Value) -> Values:
    """What the iterators of an object give: generators, other iterables, objects with a ``next`` method."""
    from sctx_tui.graph.resolve_attributes import attribute_of
    from sctx_tui.graph.resolve_containers import elements_of

    found: list[Values] = []
    for name in ("[Symbol.iterator]", "[Symbol.asyncIterator]"):
        for iterator in method_results(ev, value, name):
            steps = method_results(ev, iterator, "next") if iterator[0] in ("I", "K") else ()
            found += [attribute_of(ev, step, "value") for step in steps]
            if not steps and iterator != value:
                found.append(elements_of(ev, iterator))
    return union(found)


def method_results(ev: Evaluator, value: Value, name: str) -> Values:
    """What the value's method of that name gives when the language calls it."""
    from sctx_tui.graph.resolve_attributes import attribute_of
    from sctx_tui.graph.resolve_calls import called

    methods = [
        ("B", found[1], found[2], value) for found in attribute_of(ev, value, name) if found[0] in ("F", "B")
    ]
    return union([called(ev, method, ev.bare_call(method)) for method in methods])


def promised(ev: Evaluator, call: Call) -> Values:
    """``new Promise(executor)``: what the executor passes to its first parameter."""
    found: list[Values] = []
    for executor in ev.ev(call.expr[2][0], call.file, call.scope, call.env) if call.expr[2] else ():
        if executor[0] in ("F", "B"):
            file, index = ev.program.where(executor[1])
            found += [ev.ev(value, file, scope, 0) for scope, value in resolutions(ev, file, index)]
    return union(found) or OUTSIDE


def resolutions(ev: Evaluator, file: File, executor: int) -> list[tuple[int, Expr]]:
    """(scope, argument) of the calls of an executor's first parameter, in it or in functions inside."""
    key = ("resolutions", file.path, executor)
    known: list[tuple[int, Expr]] | None = ev.program.cache.get(key)
    if known is not None:
        return known
    binds = [
        (index, name)
        for index, (scope, name, value) in enumerate(file.binds)
        if scope == executor and value == ("param", 0)
    ]
    callees: set[Any] = {("var", index) for index, _ in binds}
    callees |= {("name", name) for _, name in binds}
    known = ev.program.cache[key] = [
        (scope, expr[2][0])
        for scope, _, expr, _ in file.facts["calls"]
        if expr[1] in callees and expr[2] and is_inside(file, scope, executor)
    ]
    return known


def is_inside(file: File, scope: int, outer: int) -> bool:
    """Whether the scope is ``outer`` or within it."""
    while scope > outer:
        scope = file.symbols[scope][PARENT]
    return scope == outer
