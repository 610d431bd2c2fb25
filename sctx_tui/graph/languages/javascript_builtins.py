"""JavaScript's own functions for the linker: what they give, and which functions they call at once.

An effect says both with an Expr of the call's own parts: ``Effect(result, calls)``. A promise is taken for
the value that it will have, as an ``async`` function's result is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.effects import Args, Effect, Make, callback_model, effect_of, result_model
from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.javascript_containers import (
    EMITTERS,
    LISTENS,
    MAPS,
    SETS,
    container,
    promised,
    sliced,
    some,
)
from sctx_tui.graph.languages.javascript_effects import (
    BOOL,
    NUMBER,
    STR,
    Plain,
    apply_to,
    bound_to,
    call_with,
    either,
    literal,
    made,
    run,
)
from sctx_tui.graph.languages.javascript_globals import GLOBAL_FUNCTIONS

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator
    from sctx_tui.graph.values import Values


# arrays, sets and maps


def each(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, some(base), None, base, this=1))


def test(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, some(base), None, base, this=1), result=BOOL)


def transform(base: Expr, args: Args) -> Effect:
    call = run(args, 0, some(base), None, base, this=1)
    return made(call, result=("iter", call) if call is not None else None)


def transform_flat(base: Expr, args: Args) -> Effect:
    call = run(args, 0, some(base), None, base, this=1)
    return made(call, result=("iter", either(some(call), call)) if call is not None else None)


def select(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, some(base), None, base, this=1), result=("iter", some(base)))


def find(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, some(base), None, base, this=1), result=some(base))


def reorder(base: Expr, args: Args) -> Effect:
    return made(run(args, 0, some(base), some(base)), result=base)


def reduce(base: Expr, args: Args) -> Effect:
    start = args[1] if len(args) > 1 else some(base)
    call = run(args, 0, start, some(base), None, base)
    return made(call, result=either(start, call))


def one(base: Expr, args: Args) -> Effect:
    return Effect(some(base))


def at(base: Expr, args: Args) -> Effect:
    return Effect(("item", base, args[0] if args else None))


def same(base: Expr, args: Args) -> Effect:
    return Effect(base)


def all_items(base: Expr, args: Args) -> Effect:
    return Effect(("iter", some(base)))


def pairs(base: Expr, args: Args) -> Effect:
    return Effect(("iter", ("list", (None, some(base)))))


def joined(base: Expr, args: Args) -> Effect:
    return Effect(("iter", either(some(base), *(some(arg) for arg in args), *args)))


def flat(base: Expr, args: Args) -> Effect:
    return Effect(("iter", either(some(base), some(some(base)), some(some(some(base))))))


def looked_up(base: Expr, args: Args) -> Effect:
    return Effect(("item", base, args[0] if args else None))


def next_of(base: Expr, args: Args) -> Effect:
    return Effect(("dict", ((("const", "value"), ("elem", base)),)))


def emitted(base: Expr, args: Args) -> Effect:
    """An event emitter calls the listeners of the event; of a name that isn't constant, all."""
    name = args[0] if args else None
    key: Expr = ("const", ("on", name[1])) if name is not None and name[0] == "const" else None
    return made(("call", ("item", base, key), args[1:], ())) if args else Effect()


def emitting(ev: Evaluator, call: Call) -> Iterable[tuple[int, Call]]:
    """The listeners that ``emit`` calls; the emitter is the receiver of those that have one."""
    from sctx_tui.graph.targets import targets_of

    for inner in effect_of(ev, call, _MAKES[emitted]).calls:
        assert inner is not None
        emitters = ev.ev(inner[1][1], call.file, call.scope, call.env)
        for value in ev.ev(inner[1], call.file, call.scope, call.env):
            if value[0] == "F" and value[1] in ev.program.own_this:
                for one in emitters:
                    yield from targets_of(ev, ("B", value[1], value[2], one), call.of(inner))
            else:
                yield from targets_of(ev, value, call.of(inner))


CONTAINER_METHODS: dict[str, Plain] = {
    **dict.fromkeys(("forEach", "findIndex", "findLastIndex"), each),
    **dict.fromkeys(("some", "every"), test),
    **dict.fromkeys(("find", "findLast"), find),
    **dict.fromkeys(("reduce", "reduceRight"), reduce),
    **dict.fromkeys(("sort", "toSorted"), reorder),
    **dict.fromkeys(("pop", "shift"), one),
    **dict.fromkeys(("reverse", "toReversed", "fill", "splice", "toSpliced", "with", "copyWithin"), same),
    **dict.fromkeys(("set", "add"), same),
    **dict.fromkeys(("has", "delete", "includes"), literal(BOOL)),
    **dict.fromkeys(("indexOf", "lastIndexOf", "push", "unshift"), literal(NUMBER)),
    **dict.fromkeys(("join", "toString"), literal(STR)),
    "map": transform,
    "flatMap": transform_flat,
    "filter": select,
    "at": at,
    "values": all_items,
    "keys": literal(("iter", STR)),
    "entries": pairs,
    "concat": joined,
    "flat": flat,
    "get": looked_up,
    "next": next_of,
}


# promises and functions


def then(base: Expr, args: Args) -> Effect:
    done, failed = run(args, 0, base), run(args, 1, None)
    return made(done, failed, result=either(done if done is not None else base, failed))


def caught(base: Expr, args: Args) -> Effect:
    failed = run(args, 0, None)
    return made(failed, result=either(base, failed))


def settled(base: Expr, args: Args) -> Effect:
    return made(run(args, 0), result=base)


EMITTER_METHODS: dict[str, Plain] = {
    **dict.fromkeys((*LISTENS, "off", "removeListener", "removeAllListeners", "setMaxListeners"), same),
    "emit": emitted,
}
PROMISE_METHODS = {"then": then, "catch": caught, "finally": settled}


def bind_to(base: Expr, args: Args) -> Effect:
    return Effect(bound_to(base, args))


def bound_with(ev: Evaluator, call: Call) -> Values:
    """``f.bind(this, ...)``."""
    from sctx_tui.graph.resolve_partials import partial

    return partial(ev, bind_results(ev, call), call.expr[2][1:], call)


FUNCTION_METHODS = {"call": call_with, "apply": apply_to, "bind": bind_to}


def replace(base: Expr, args: Args) -> Effect:
    return made(run(args, 1, STR), result=STR)


STRING_METHODS = {
    "replace": replace,
    "replaceAll": replace,
    "split": literal(("iter", STR)),
    **dict.fromkeys(
        ("trim", "slice", "substring", "toLowerCase", "toUpperCase", "padStart", "padEnd", "concat"),
        literal(STR),
    ),
}


OBJECT_METHODS = """
hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString valueOf constructor clear size length
charAt charCodeAt codePointAt endsWith startsWith match matchAll normalize repeat search substr
localeCompare at exec test toFixed toPrecision getTime toISOString toJSON parse stringify assign create
now random resolve reject log info warn error debug trace on once off emit addListener removeListener
addEventListener removeEventListener dispatchEvent querySelector querySelectorAll getElementById
createElement appendChild removeChild insertBefore setAttribute getAttribute removeAttribute remove append
prepend before after closest contains focus blur click submit open close read write end pipe send start
stop abort preventDefault stopPropagation use next return throw
"""

# effects as the linker's rules


def made_of(plain: Plain) -> Make:
    """The effect as the linker asks for it."""

    def make(base: Expr, args: Args, kwargs: Mapping[str, Expr]) -> Effect:
        return plain(base, args)

    return make


#: Receivers of promise methods: any value may be awaited.
ANY = (
    "c",
    "K",
    "T",
    "G",
    "F",
    "B",
    "C",
    "I",
    "M",
    "X",
    "str",
    "float",
    "int",
    "bool",
    "none",
    "object",
    "regexp",
)
CONTAINERS = ("K", "T", "G", "list", "set", "dict", "tuple", "I")

_PLAIN: dict[tuple[str, str], Plain] = {
    **{(kind, name): make for kind in ANY for name, make in PROMISE_METHODS.items()},
    **{(kind, name): make for kind in ("F", "B", "C") for name, make in FUNCTION_METHODS.items()},
    **{(kind, name): make for kind in ("str", "c") for name, make in STRING_METHODS.items()},
    **{(kind, name): make for kind in CONTAINERS for name, make in CONTAINER_METHODS.items()},
    **{("K", name): make for name, make in EMITTER_METHODS.items()},
    **{("X", name): make for name, make in EMITTER_METHODS.items()},
}
_MAKES = {plain: made_of(plain) for plain in (*_PLAIN.values(), *GLOBAL_FUNCTIONS.values())}
bind_results = result_model(_MAKES[bind_to])
METHODS: dict[tuple[str, str], Any] = {
    **{key: result_model(_MAKES[plain]) for key, plain in _PLAIN.items()},
    **{(kind, "bind"): bound_with for kind in ("F", "B", "C")},
    **{(kind, "slice"): sliced for kind in CONTAINERS},
}
MODELS: dict[str, Any] = {
    **{name: result_model(_MAKES[plain]) for name, plain in GLOBAL_FUNCTIONS.items()},
    **dict.fromkeys(("Array", *MAPS, *SETS, *EMITTERS), container),
    "Promise": promised,
}
_UNKNOWN = {**CONTAINER_METHODS, **PROMISE_METHODS}
CALLBACKS: dict[Any, Any] = {
    **{key: callback_model(_MAKES[plain]) for key, plain in _PLAIN.items()},
    **{name: callback_model(_MAKES[plain]) for name, plain in GLOBAL_FUNCTIONS.items()},
    # whatever has a method of that name calls the function that it is given
    **{("", name): callback_model(_MAKES[plain]) for name, plain in _UNKNOWN.items()},
    ("K", "emit"): emitting,
    ("", "emit"): emitting,
}
#: Names of methods that so many objects of the language and its platforms have that the name says nothing.
COMMON_METHODS = frozenset(
    {
        *CONTAINER_METHODS,
        *PROMISE_METHODS,
        *FUNCTION_METHODS,
        *STRING_METHODS,
        *OBJECT_METHODS.split(),
    }
)
