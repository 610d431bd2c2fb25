"""What runs when a class is made or called, and when an attribute is read or written that an object, its
class or its module gives by a function: metaclasses, descriptors, ``__getattr__`` (Python's data model)."""

from __future__ import annotations

from sctx_tui.graph.calls import Call
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.resolve_classes import bound, in_class
from sctx_tui.graph.values import Value, Values, union


def metaclass_methods(ev: Evaluator, cls: Value, name: str) -> Values:
    """What the metaclass of the repository calls ``name``, bound to the class ``cls``."""
    known = ev.program.callable_names
    if name not in known:
        return ()
    attribute = ev.program.where(cls[1])[0].rules.metaclass_attribute
    if not attribute or attribute not in known:
        return ()
    return union(
        [
            bound(ev, in_class(ev, meta[1], name), cls, from_class=False)
            for meta in in_class(ev, cls[1], attribute)
            if meta[0] == "C" and meta[1] != cls[1]
        ]
    )


def instead_of_attribute(ev: Evaluator, value: Value, name: str) -> Values:
    """What the functions for attributes that an object or a class lacks give for ``name``, which nothing in
    the program has."""
    methods = missing_methods(ev, value, name)
    if name in ev.program.callable_names:
        return ()
    return union([_called_with(ev, method, name) for method in methods])


def _called_with(ev: Evaluator, function: Value, name: str) -> Values:
    """What a function, or a bound method, gives for the name of an attribute."""
    from sctx_tui.graph.resolve_calls import called

    key = (function, name)
    call = ev.bare_calls.get(key)
    if call is None:
        file, index = ev.program.where(function[1])
        expr = ("call", ("def", index), (("const", name),), ())
        receiver = function[3] if function[0] == "B" else None
        call = ev.bare_calls[key] = Call(expr, file, 0, 0, receiver)
    return called(ev, function, call)


def missing_methods(ev: Evaluator, value: Value, name: str) -> Values:
    """The functions that reading an attribute runs which the object, or the class, lacks."""
    rules = ev.program.where(value[1])[0].rules
    method = rules.missing_method
    if not method or method not in ev.program.callable_names or name.startswith("__"):
        return ()
    if value[0] == "C":
        made = metaclass_methods(ev, value, method)
    else:
        made = bound(ev, in_class(ev, value[1], method), value, from_class=False)
    found = tuple(one for one in made if one[0] == "B")
    if found:
        ev.program.given_names.add(name)
    return found


def module_attribute(ev: Evaluator, value: Value, name: str) -> Values:
    """What the module's own function for names that it lacks gives."""
    return union([_called_with(ev, function, name) for function in module_function(ev, value, name)])


def module_function(ev: Evaluator, value: Value, name: str) -> Values:
    """The function that reading an attribute runs which the module lacks."""
    files = [file for path in value[1] if (file := ev.program.file(path)) is not None]
    method = files[0].rules.missing_method if files else ""
    if not method or method not in ev.program.callable_names or name.startswith("__"):
        return ()
    if any(ev.exported(name, file) for file in files):
        return ()
    return tuple(one for file in files for one in ev.own_name(method, file) or () if one[0] == "F")


def is_data_descriptor(ev: Evaluator, value: Value) -> bool:
    """Whether what a class holds under an attribute goes before what its objects hold."""
    return bool(special_methods(ev, value, "__set__"))


def special_methods(ev: Evaluator, value: Value, name: str) -> Values:
    """The method ``name`` of an object of the repository that the language calls by itself: ``__get__``."""
    if value[0] != "I" or name not in ev.program.callable_names:
        return ()
    found = bound(ev, in_class(ev, value[1], name), value, from_class=False)
    return tuple(one for one in found if one[0] == "B")
