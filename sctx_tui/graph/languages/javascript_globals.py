"""Functions of JavaScript's global object for the linker: what they give, and which functions they call.

The base of a plain effect is the function's own name here, and means nothing.
"""

from __future__ import annotations

from sctx_tui.graph.effects import Args, Effect
from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.javascript_containers import some
from sctx_tui.graph.languages.javascript_conversions import TO_PRIMITIVE, TO_TEXT, first_method
from sctx_tui.graph.languages.javascript_effects import BOOL, NUMBER, STR, Plain, apply_to, literal, made, run
from sctx_tui.graph.languages.javascript_react import REACT_FUNCTIONS


def first(base: Expr, args: Args) -> Effect:
    return Effect(args[0] if args else None)


def values_of(base: Expr, args: Args) -> Effect:
    return Effect(("iter", some(args[0]))) if args else Effect()


def entries_of(base: Expr, args: Args) -> Effect:
    return Effect(("iter", ("list", (STR, some(args[0]))))) if args else Effect()


def from_entries(base: Expr, args: Args) -> Effect:
    return Effect(("dict", ((None, ("item", ("elem", args[0]), ("const", 1))),))) if args else Effect()


def array_from(base: Expr, args: Args) -> Effect:
    if not args:
        return Effect()
    item: Expr = ("elem", args[0])
    call = run(args, 1, item, None, this=2)
    return made(call, result=("iter", call if call is not None else item))


def array_of(base: Expr, args: Args) -> Effect:
    return Effect(("list", args))


def outcomes(base: Expr, args: Args) -> Effect:
    return Effect(("iter", ("dict", ((("const", "value"), some(args[0])),)))) if args else Effect()


def race(base: Expr, args: Args) -> Effect:
    return Effect(some(args[0])) if args else Effect()


def later(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, *args[2:]))


def soon(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, *args[1:]))


def reflect_apply(base: Expr, args: Args) -> Effect:
    return apply_to(args[0], args[1:]) if args else Effect()


def reflect_construct(base: Expr, args: Args) -> Effect:
    if not args or args[0] is None:
        return Effect()
    given = (("star", args[1]),) if len(args) > 1 and args[1] is not None else ()
    call: Expr = ("new", args[0], given, ())
    return Effect(call, (call,))


def executor(base: Expr, args: Args) -> Effect:
    return made(run(args, 0))


def parsed(base: Expr, args: Args) -> Effect:
    return made(run(args, 1))


def written(base: Expr, args: Args) -> Effect:
    """``JSON.stringify``: objects may say themselves what is written of them."""
    own = [
        ("call", ("attr", one, "toJSON"), (), ())
        for one in (*args[:1], some(args[0] if args else None))
        if one
    ]
    return made(run(args, 1), *own, result=STR)


def converted(names: tuple[str, ...], result: Expr) -> Plain:
    """``String(e)``, ``Number(e)``: a method of the object says what it is."""

    def plain(base: Expr, args: Args) -> Effect:
        call: Expr = ("call", first_method(args[0], names), (), ()) if args and args[0] is not None else None
        return made(call, result=result)

    return plain


def reflect_get(base: Expr, args: Args) -> Effect:
    return Effect(("item", args[0], args[1])) if len(args) > 1 and args[0] is not None else Effect()


GLOBAL_FUNCTIONS: dict[str, Plain] = {
    **REACT_FUNCTIONS,
    **dict.fromkeys(("Object.freeze", "Object.seal", "Object.preventExtensions", "Object.assign"), first),
    **dict.fromkeys(("Promise.resolve", "Promise.all", "structuredClone", "Proxy"), first),
    **dict.fromkeys(("Promise.race", "Promise.any"), race),
    **dict.fromkeys(("setTimeout", "setInterval"), later),
    **dict.fromkeys(("setImmediate", "queueMicrotask", "requestAnimationFrame", "process.nextTick"), soon),
    "JSON.parse": parsed,
    "JSON.stringify": written,
    "Object.values": values_of,
    "Object.entries": entries_of,
    "Object.keys": literal(("iter", STR)),
    "Object.fromEntries": from_entries,
    "Array.from": array_from,
    "Array.of": array_of,
    "Promise.allSettled": outcomes,
    "Promise": executor,
    "Reflect.apply": reflect_apply,
    "Reflect.construct": reflect_construct,
    "Reflect.get": reflect_get,
    "String": converted(TO_TEXT, STR),
    "Number": converted(TO_PRIMITIVE, NUMBER),
    "Boolean": literal(BOOL),
}
