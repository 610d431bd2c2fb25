"""Methods of Python's own objects for the linker, said in Exprs like its functions (``python_builtins``)."""

from __future__ import annotations

from sctx_tui.graph.effects import Args, Effect, Make
from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.python_builtins import (
    FIRST,
    LAST,
    STR,
    Kwargs,
    arg,
    calls_back,
    elem,
    iterator,
    mapped,
    one_of,
    run,
    same,
    special,
    submitted,
)

# methods of containers: the base is the container


def found_or(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(one_of(("item", base, arg(args, 0)), arg(args, 1)))


def popped(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(one_of(("item", base, arg(args, 0) if args else LAST), arg(args, 1)))


def first_popped(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("item", base, FIRST))


def values_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", ("item", base, None)))


def items_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", ("list", (elem(base), ("item", base, None)))))


def keys_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(iterator(base))


def pair_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("list", (elem(base), ("item", base, None))))


def itself(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(base)


def joined(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(one_of(base, *args))


def sorted_in_place(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(None, (run(kwargs.get("key"), elem(base)), special(elem(base), "__lt__")))


def entering(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``stack.enter_context(e)``."""
    first = arg(args, 0)
    return Effect(("enter", first), (special(first, "__enter__"), special(first, "__exit__")))


def sent(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(elem(base))


CONTAINER_METHODS: dict[str, Make] = {
    "get": found_or,
    "setdefault": found_or,
    "pop": popped,
    "popleft": first_popped,
    "popitem": pair_of,
    "values": values_of,
    "items": items_of,
    "keys": keys_of,
    "copy": itself,
    "sort": sorted_in_place,
    **dict.fromkeys(
        ("union", "intersection", "difference", "symmetric_difference", "__add__", "__or__"), joined
    ),
    "__getitem__": found_or,
    **dict.fromkeys(("__next__", "send"), sent),
    "__iter__": itself,
}
#: Methods of whatever has one of that name, as far as nothing more is known: they call what they are given.
ANYBODYS: dict[str, Make] = {
    "submit": submitted,
    "apply_async": calls_back(0, "func"),
    "add_done_callback": calls_back(0),
    "call_soon": submitted,
    "call_soon_threadsafe": submitted,
    "call_later": calls_back(1, passes=2),
    "call_at": calls_back(1, passes=2),
    "run_in_executor": calls_back(1, passes=2),
    "run_until_complete": same,
    "create_task": same,
    "enter_context": entering,
    "enter_async_context": entering,
    "sub": calls_back(0, "repl", result=STR),
    "enter": calls_back(2, "action"),
    "callback": calls_back(0, passes=1),
    **dict.fromkeys(("map", "imap", "imap_unordered"), mapped),
    "starmap": mapped,
}
CONTAINERS = ("K", "T", "G", "I", "list", "tuple", "set", "dict")
