"""What calling Python's own functions and methods does, as the linker's rules want it: those that are said in
Exprs, and those that can't be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.effects import callback_model, result_model
from sctx_tui.graph.languages.python_builtins import FUNCTIONS, arg
from sctx_tui.graph.languages.python_methods import ANYBODYS, CONTAINER_METHODS, CONTAINERS, sorted_in_place
from sctx_tui.graph.values import OUTSIDE, Value, Values, union

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator


def given(ev: Evaluator, call: Call, at: int) -> Values:
    """The values of the ``at``-th argument."""
    found = arg(call.expr[2], at)
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
    """``property(getter, ...)``: reading it calls the getter."""
    return tuple(("Y", value, "property") for value in given(ev, call, 0) if value[0] == "F")


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
}
CALLBACKS: dict[Any, Any] = {
    **{path: callback_model(make) for path, make in FUNCTIONS.items()},
    **{(kind, "sort"): callback_model(sorted_in_place) for kind in CONTAINERS},
    **{("", name): callback_model(make) for name, make in ANYBODYS.items()},
}
