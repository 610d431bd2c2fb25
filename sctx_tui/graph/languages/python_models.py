"""What calling Python's own functions and methods does, as the linker's rules want it: those that are said in
Exprs, and those that can't be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.effects import callback_model, result_model
from sctx_tui.graph.languages.python_builtins import FUNCTIONS, arg
from sctx_tui.graph.languages.python_methods import ANYBODYS, CONTAINER_METHODS, CONTAINERS, sorted_in_place
from sctx_tui.graph.values import OUTSIDE, Value, Values, union

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator


def given(ev: Evaluator, call: Call, at: int, name: str = "") -> Values:
    """The values of the ``at``-th argument, or that of that name."""
    found = arg(call.expr[2], at) or (dict(call.expr[3]).get(name) if name else None)
    return ev.ev(found, call.file, call.scope, call.env)


def get_attribute(ev: Evaluator, call: Call) -> Values:
    """``getattr(obj, name[, default])``."""
    from sctx_tui.graph.resolve_attributes import attribute_of
    from sctx_tui.graph.texts import attributes_like, names_like

    names = [value[1] for value in given(ev, call, 1) if value[0] == "c" and isinstance(value[1], str)]
    found = [attribute_of(ev, value, name) for value in given(ev, call, 0) for name in names]
    if not names and ev.may_guess():
        pattern = names_like(ev, arg(call.expr[2], 1), call.file, call.scope, call.env)
        for value in given(ev, call, 0):
            found += [attribute_of(ev, value, name) for name in attributes_like(ev, value, pattern)]
    return union([*found, given(ev, call, 2)])


def class_of(ev: Evaluator, call: Call) -> Values:
    """``type(x)``."""
    if len(call.expr[2]) != 1:
        return OUTSIDE
    return union([class_value(value) for value in given(ev, call, 0)])


def class_value(value: Value) -> Values:
    if value[0] == "I":
        return (("C", value[1]),)
    return OUTSIDE if value[0] in ("X", "L", "K", "c") else ()


def new_object(ev: Evaluator, call: Call) -> Values:
    """``object.__new__(cls)``."""
    return tuple(("I", value[1], 0) for value in given(ev, call, 0) if value[0] == "C") or OUTSIDE


def anything(ev: Evaluator, call: Call) -> Values:
    """What may give objects of the repository, nobody knows which: ``eval``."""
    return ()


def own_module(ev: Evaluator, call: Call) -> Values:
    """``globals()``."""
    return (("M", (call.file.path,)),)


def imported(ev: Evaluator, call: Call) -> Values:
    """``importlib.import_module("a.b")``."""
    names = [value[1] for value in given(ev, call, 0) if value[0] == "c" and isinstance(value[1], str)]
    return union([ev.ev(("import", name), call.file, call.scope, call.env) for name in names])


def weak_reference(ev: Evaluator, call: Call) -> Values:
    """``weakref.ref(x)``: calling it gives x."""
    return tuple(("Y", value, "weakref") for value in given(ev, call, 0) if value[0] in ("I", "C"))


def referent(ev: Evaluator, call: Call) -> Values:
    return (call.receiver,) if call.receiver is not None else ()


def property_of(ev: Evaluator, call: Call) -> Values:
    """``property(getter, setter)``: reading it calls the getter, writing it the setter."""
    setters = [value for value in given(ev, call, 1, "fset") if value[0] == "F"][:1]
    return tuple(
        ("Y", value, "property", *setters) for value in given(ev, call, 0, "fget") if value[0] == "F"
    )


def wrapped_as(kind: str) -> Callable[[Any, Any], Values]:
    """``classmethod(f)`` and the like: what it is to an object or a class says
    ``resolve_classes.rebound``."""

    def model(ev: Evaluator, call: Call) -> Values:
        return tuple(("Y", value, kind) if value[0] == "F" else value for value in given(ev, call, 0))

    return model


def constructed(ev: Evaluator, call: Call) -> Values:
    """``super().__call__(...)`` of a metaclass: the object that the class makes."""
    from sctx_tui.graph.resolve_calls import made_by

    receiver = call.receiver[2] if call.receiver is not None else ()
    return made_by(ev, receiver, call) if receiver[:1] == ("C",) else OUTSIDE


def constructing(ev: Evaluator, call: Call) -> Iterable[tuple[int, Call]]:
    """The symbols that it runs."""
    from sctx_tui.graph.targets import constructed as symbols

    receiver = call.receiver[2] if call.receiver is not None else ()
    return symbols(ev, receiver, call, is_of_metaclass=True) if receiver[:1] == ("C",) else ()


def named_tuple(ev: Evaluator, call: Call) -> Values:
    """``namedtuple(name, fields)``: its name, as far as calls of it need it, is the list of fields."""
    fields = arg(call.expr[2], 1)
    if fields is None or fields[0] != "list" or any(one is None or one[0] != "const" for one in fields[1]):
        return OUTSIDE
    return (("Y", ("K", ev.box(fields, call.file, call.scope, call.env)), "namedtuple"),)


def record_of(ev: Evaluator, call: Call) -> Values:
    """What calling such a type makes."""
    from sctx_tui.graph.resolve_calls import kept

    assert call.receiver is not None
    names = ev.boxes[call.receiver[1]][0]
    expr = ("record", names[1] if names is not None else (), call.expr[2], call.expr[3])
    return kept(ev, call, ("record", id(names)), expr)


def held(ev: Evaluator, expr: Any, file: Any, scope: int, env: int, key: Any) -> Values:
    """What is in a record under a field's name or index; key None: in any."""
    _, names, args, kwargs = expr
    by_name = dict(kwargs)
    found = []
    for at, name in enumerate(names):
        if key is None or key[1] in (at, name[1]) or key[1] == at - len(names):
            given_for = args[at] if at < len(args) else by_name.get(name[1])
            found.append(ev.ev(given_for, file, scope, env))
    return union(found)


def partial_of(ev: Evaluator, call: Call) -> Values:
    """``functools.partial(f, ...)``."""
    from sctx_tui.graph.resolve_partials import partial

    return partial(ev, given(ev, call, 0), call.expr[2][1:], call)


MODELS: dict[str, Callable[[Any, Any], Values]] = {
    **{path: result_model(make) for path, make in FUNCTIONS.items()},
    "builtins.getattr": get_attribute,
    "builtins.type": class_of,
    "builtins.object.__new__": new_object,
    "builtins.globals": own_module,
    "builtins.property": property_of,
    "functools.partial": partial_of,
    "functools.partialmethod": partial_of,
    "collections.namedtuple": named_tuple,
    **{f"builtins.{kind}": wrapped_as(kind) for kind in ("classmethod", "staticmethod")},
    **dict.fromkeys(
        ("builtins.eval", "builtins.vars", "builtins.locals", "pickle.loads", "pickle.load"), anything
    ),
    **dict.fromkeys(("importlib.import_module", "builtins.__import__"), imported),
    **dict.fromkeys(("weakref.ref", "_weakref.ref", "weakref.WeakMethod"), weak_reference),
}
METHODS: dict[tuple[str, str], Callable[[Any, Any], Values]] = {
    **{(kind, name): result_model(make) for kind in CONTAINERS for name, make in CONTAINER_METHODS.items()},
    **{("X", name): result_model(make) for name, make in ANYBODYS.items()},
    **{(kind, "weakref"): referent for kind in ("I", "C")},
    ("S", "__new__"): new_object,
    ("S", "__call__"): constructed,
    ("K", "namedtuple"): record_of,
}
CALLBACKS: dict[Any, Any] = {
    **{path: callback_model(make) for path, make in FUNCTIONS.items()},
    **{(kind, "sort"): callback_model(sorted_in_place) for kind in CONTAINERS},
    **{("", name): callback_model(make) for name, make in ANYBODYS.items()},
    ("S", "__call__"): constructing,
}
