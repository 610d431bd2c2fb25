"""Python's own functions for the linker, said in Exprs: what they give, and which functions they call at
once."""

from __future__ import annotations

from collections.abc import Mapping

from sctx_tui.graph.effects import Args, Effect, Make
from sctx_tui.graph.facts import Expr

Kwargs = Mapping[str, Expr]

INT: Expr = ("inst", ("lit", "int"))
STR: Expr = ("inst", ("lit", "str"))
BOOL: Expr = ("inst", ("lit", "bool"))
LAST: Expr = ("const", -1)
FIRST: Expr = ("const", 0)
NONE: Expr = ("inst", ("lit", "none"))


# parts of effects


def arg(args: Args, at: int) -> Expr:
    """The ``at``-th argument; None where there is none or a spread."""
    found = args[at] if at < len(args) else None
    return None if found is not None and found[0] == "star" else found


def elem(expr: Expr) -> Expr:
    return ("elem", expr) if expr is not None else None


def iterator(expr: Expr) -> Expr:
    return ("iter", elem(expr))


def one_of(*exprs: Expr) -> Expr:
    known = tuple(expr for expr in exprs if expr is not None)
    return ("any", known) if known else None


def run(function: Expr, *given: Expr) -> Expr:
    return ("call", function, given, ()) if function is not None else None


def special(expr: Expr, method: str, *given: Expr) -> Expr:
    """A call of a special method."""
    return ("call", ("attr", expr, method), given, ()) if expr is not None else None


def iterating(expr: Expr) -> tuple[Expr, ...]:
    """The calls that iterating makes."""
    first = special(expr, "__iter__")
    return (first, special(first, "__next__"))


# functions of one argument that run a special method


def runs(method: str, result: Expr = None) -> Make:
    def make(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
        call = special(arg(args, 0), method)
        return Effect(result if result is not None else call, (call,))

    return make


def iter_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    if len(args) == 2:
        made = run(arg(args, 0))
        return Effect(("iter", made) if made is not None else None, (made,))
    call = special(arg(args, 0), "__iter__")
    return Effect(one_of(call, iterator(arg(args, 0))), (call,))


def next_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(one_of(elem(arg(args, 0)), arg(args, 1)), (special(arg(args, 0), "__next__"),))


def shows(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    shown = [special(one, "__str__") for one in args if one is not None and one[0] != "star"]
    return Effect(STR, (*shown, special(kwargs.get("file"), "write", STR)))


# functions over iterables


def collects(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    first = arg(args, 0)
    key = kwargs.get("key")
    made: Expr = iterator(first) if first is not None else ("list", ())
    return Effect(made, (*iterating(first), run(key, elem(first))))


def sorts(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    effect = collects(base, args, kwargs)
    return Effect(effect.result, (*effect.calls, special(elem(arg(args, 0)), "__lt__")))


def picks(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``min`` and ``max``."""
    candidates = one_of(*args) if len(args) > 1 else elem(arg(args, 0))
    calls = (run(kwargs.get("key"), candidates), special(candidates, "__lt__"))
    return Effect(one_of(candidates, kwargs.get("default")), calls)


def consumes(result: Expr) -> Make:
    return lambda base, args, kwargs: Effect(result, iterating(arg(args, 0)))


def totals(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    item = elem(arg(args, 0))
    added = (special(item, "__radd__"), special(item, "__add__", item))
    return Effect(one_of(item, added[1]), (*iterating(arg(args, 0)), *added))


def mapped(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    calls = tuple(run(arg(args, at), *(elem(one) for one in args[at + 1 :])) for at in range(len(args)))
    return Effect(("iter", calls[0]) if calls and calls[0] is not None else None, calls)


def filtered(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    item = elem(arg(args, 1))
    call = special(item, "__bool__") if arg(args, 0) == NONE else run(arg(args, 0), item)
    return Effect(iterator(arg(args, 1)), (call, *iterating(arg(args, 1))))


def grouped(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``itertools.groupby``."""
    call = run(kwargs.get("key", arg(args, 1)), elem(arg(args, 0)))
    return Effect(("iter", ("list", (call, iterator(arg(args, 0))))), (call, *iterating(arg(args, 0))))


def reduced(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    item = elem(arg(args, 1))
    call = run(arg(args, 0), one_of(item, arg(args, 2)), item)
    return Effect(one_of(call, item, arg(args, 2)), (call,))


def enumerated(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", ("list", (INT, elem(arg(args, 0))))), iterating(arg(args, 0)))


def zipped(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", ("list", tuple(elem(one) for one in args))))


def chained(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", one_of(*(elem(one) for one in args))))


def flattened(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("iter", elem(elem(arg(args, 0)))))


# containers


def dict_of(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    first = arg(args, 0)
    pairs = tuple((("**",) if key == "**" else ("const", key), value) for key, value in kwargs.items())
    by_pairs: Expr = ("dict", ((None, ("item", elem(first), ("const", 1))),)) if first is not None else None
    return Effect(one_of(first, ("dict", pairs) if pairs or first is None else None, by_pairs))


def default_dict(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("dict", ((None, run(arg(args, 0))),)))


def same(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(arg(args, 0))


def cast(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``cast(type, value)``: the value as far as it is of that type, else an instance of the type; where the
    repository doesn't know the type, the value."""
    type_, value = arg(args, 0), arg(args, 1)
    if type_ is None or value is None:
        return Effect(value if type_ is None else ("inst", type_))
    return Effect(("else", ("narrow", value, type_), ("else", ("inst", type_), value)))


def type_variable(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``TypeVar(name, *constraints, bound=type)``: as a type it means what it may be."""
    return Effect(one_of(*args[1:], kwargs.get("bound")))


def copied(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(arg(args, 0), tuple(special(arg(args, 0), name) for name in ("__copy__", "__reduce__")))


def deeply_copied(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(arg(args, 0), (special(arg(args, 0), "__deepcopy__"),))


def pickled(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``pickle.dumps``."""
    hooks = ("__reduce_ex__", "__reduce__", "__getstate__")
    return Effect(STR, tuple(special(arg(args, 0), name) for name in hooks))


def entered(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    first = arg(args, 0)
    return Effect(("enter", first) if first is not None else None, (special(first, "__enter__"),))


def gathered(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    return Effect(("list", args))


def same_keys(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``dict.fromkeys``."""
    return Effect(("dict", ((None, arg(args, 1)),)), iterating(arg(args, 0)))


def closed(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``contextlib.closing``: used in a ``with``, which ends by closing."""
    return Effect(arg(args, 0), (special(arg(args, 0), "close"),))


def calls_back(at: int, key: str = "", *, passes: int = -1, result: Expr = None) -> Make:
    """A function that calls its ``at``-th argument (or that named ``key``), with those from ``passes`` on."""

    def make(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
        callee = kwargs.get(key) if key in kwargs else arg(args, at)
        call = run(callee, *(args[passes:] if passes >= 0 else ()))
        return Effect(call if passes >= 0 and result is None else result, (call,))

    return make


def submitted(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``executor.submit(f, *args)``."""
    call: Expr = ("call", arg(args, 0), args[1:], tuple(kwargs.items())) if args else None
    return Effect(call, (call,))


def namespace(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``types.SimpleNamespace(**fields)``."""
    return Effect(("record", tuple(("const", key) for key in kwargs), (), tuple(kwargs.items())))


def pushed(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``heapq.heappush(heap, item)``: the others are in the heap."""
    return Effect(None, (special(arg(args, 1), "__lt__"),))


def literal(value: Expr) -> Make:
    return lambda base, args, kwargs: Effect(value)


def backwards(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
    """``reversed``."""
    first = arg(args, 0)
    call = special(first, "__reversed__")
    return Effect(one_of(call, iterator(first)), (call, special(first, "__len__")))


def operates(method: str) -> Make:
    """``operator.add`` and the like."""

    def make(base: Expr, args: Args, kwargs: Kwargs) -> Effect:
        call = special(arg(args, 0), method, *args[1:])
        return Effect(call, (call,))

    return make


#: Functions of ``operator`` that are called like the special method that they run.
OPERATIONS = (
    "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge eq ne neg pos invert "
    "contains setitem delitem iadd isub imul index".split()
)


FUNCTIONS: dict[str, Make] = {
    "builtins.len": runs("__len__", INT),
    "builtins.str": runs("__str__", STR),
    "builtins.repr": runs("__repr__", STR),
    "builtins.format": runs("__format__", STR),
    "builtins.bool": runs("__bool__", BOOL),
    "builtins.hash": runs("__hash__", INT),
    "builtins.int": runs("__int__", INT),
    "builtins.float": runs("__float__", INT),
    "builtins.bytes": runs("__bytes__", STR),
    "builtins.abs": runs("__abs__"),
    "builtins.round": runs("__round__"),
    "builtins.dir": runs("__dir__", ("iter", STR)),
    "builtins.aiter": runs("__aiter__"),
    "builtins.anext": runs("__anext__"),
    "os.fspath": runs("__fspath__", STR),
    "builtins.iter": iter_of,
    "builtins.next": next_of,
    "builtins.print": shows,
    **dict.fromkeys(
        (
            "builtins.list",
            "builtins.tuple",
            "builtins.set",
            "builtins.frozenset",
            "collections.deque",
            "itertools.islice",
            "itertools.cycle",
            "heapq.nlargest",
            "heapq.nsmallest",
            "random.sample",
        ),
        collects,
    ),
    "builtins.sorted": sorts,
    **dict.fromkeys(("builtins.min", "builtins.max"), picks),
    **dict.fromkeys(("builtins.any", "builtins.all"), consumes(BOOL)),
    "builtins.sum": totals,
    "itertools.groupby": grouped,
    "builtins.divmod": runs("__divmod__"),
    "builtins.pow": runs("__pow__"),
    "builtins.reversed": backwards,
    "builtins.dict.fromkeys": same_keys,
    "functools.cmp_to_key": calls_back(0),
    **dict.fromkeys(("re.sub", "re.subn"), calls_back(1, "repl", result=STR)),
    **dict.fromkeys(("json.dumps", "json.dump"), calls_back(9, "default", result=STR)),
    **dict.fromkeys(("json.loads", "json.load"), calls_back(9, "object_hook")),
    "asyncio.to_thread": submitted,
    "operator.call": submitted,
    **{f"operator.{name}": operates(f"__{name}__") for name in OPERATIONS},
    "operator.getitem": lambda base, args, kwargs: Effect(
        ("item", arg(args, 0), arg(args, 1)), (special(arg(args, 0), "__getitem__", arg(args, 1)),)
    ),
    "builtins.map": mapped,
    "itertools.starmap": mapped,
    **dict.fromkeys(("builtins.filter", "itertools.takewhile", "itertools.dropwhile"), filtered),
    "functools.reduce": reduced,
    "builtins.enumerate": enumerated,
    **dict.fromkeys(("builtins.zip", "itertools.zip_longest", "itertools.product"), zipped),
    "itertools.chain": chained,
    "itertools.chain.from_iterable": flattened,
    "builtins.dict": dict_of,
    "collections.OrderedDict": dict_of,
    "collections.defaultdict": default_dict,
    **dict.fromkeys(
        (
            "functools.update_wrapper",
            "types.MappingProxyType",
            "asyncio.run",
            "asyncio.create_task",
            "asyncio.ensure_future",
            "asyncio.wait_for",
            "asyncio.shield",
            "weakref.proxy",
            "inspect.unwrap",
        ),
        same,
    ),
    "typing.cast": cast,
    "typing.TypeVar": type_variable,
    "random.choice": lambda base, args, kwargs: Effect(elem(arg(args, 0))),
    "asyncio.gather": gathered,
    "contextlib.closing": closed,
    "copy.copy": copied,
    "copy.deepcopy": deeply_copied,
    "contextlib.enter_context": entered,
    "contextlib.ExitStack.enter_context": entered,
    "builtins.input": literal(STR),
    **dict.fromkeys(("pickle.dumps", "pickle.dump"), pickled),
    **dict.fromkeys(("heapq.heappush", "bisect.insort", "bisect.bisect"), pushed),
    "heapq.heappop": lambda base, args, kwargs: Effect(
        elem(arg(args, 0)), (special(elem(arg(args, 0)), "__lt__"),)
    ),
    "contextlib.nullcontext": lambda base, args, kwargs: Effect(("iter", arg(args, 0))),
    "builtins.range": literal(("iter", INT)),
}
