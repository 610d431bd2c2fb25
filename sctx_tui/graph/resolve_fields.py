"""What makes the objects of a class: its constructors, that of its metaclass, fields of dataclasses and named
tuples, for which the language writes the constructor."""

from __future__ import annotations

from sctx_tui.graph.contexts import number_of
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.resolve_attributes import is_function_type
from sctx_tui.graph.resolve_classes import class_definition, in_class, linearized
from sctx_tui.graph.resolve_special import metaclass_methods
from sctx_tui.graph.values import TOO_MANY, Value, Values, union

#: So many calls of a class are looked at for what they give to a field.
MANY_CALLS = 64


def fields_of(ev: Evaluator, gid: int) -> tuple[str, ...]:
    """The names of the fields with which the class ``gid`` is called, in order; () for other classes."""
    if not ev.program.field_names:
        return ()
    found = ev.remembered((gid, "fields"), _fields_of, ev, gid)
    fields: tuple[str, ...] = found[0][1] if found else ()
    return fields


def _fields_of(ev: Evaluator, gid: int) -> Values:
    rules = ev.program.where(gid)[0].rules
    names = [name for name in rules.field_lists if name in ev.program.callable_names]
    if not names:
        return ()
    constructor = rules.constructors[0]
    found: dict[str, None] = {}
    for cls in reversed(linearized(ev, gid)):
        for name in names:
            for value in class_definition(ev, cls, name):
                expr = ev.boxes[value[1]][0] if value[0] == "K" else None
                if expr is not None and expr[0] == "list":
                    found.update(
                        (str(one[1]), None) for one in expr[1] if one is not None and one[0] == "const"
                    )
    if not found or in_class(ev, gid, constructor):
        return ()
    return (("O", tuple(found)),)


def made_of(ev: Evaluator, gid: int, fields: tuple[str, ...], call: Call) -> Value:
    """The object that calling the class makes of its fields."""
    args = tuple([(at, given(ev, call, name, at)) for at, name in enumerate(fields)])
    return ("I", gid, number_of(ev, gid, tuple(one for one in args if one[1])))


def given(ev: Evaluator, call: Call, name: str, at: int) -> Values | None:
    """What a call passes for the field; None: nothing."""
    from sctx_tui.graph.resolve_calls import positional

    for key, value in call.expr[3]:
        if key == name:
            return ev.ev(value, call.file, call.scope, call.env)
    return positional(ev, call, at)


def field(ev: Evaluator, value: Value, name: str, defined: Values) -> Values:
    """What is in the field ``name`` of an object beside what its class says (``defined``)."""
    fields = fields_of(ev, value[1])
    if name not in fields:
        return defined
    at = fields.index(name)
    context = ev.contexts[value[2]]
    if context is not None and context.gid == value[1]:
        return context.argument(at)[1] or defined
    if any(one[0] == "I" for one in defined) and not all(is_function_type(ev, one) for one in defined):
        return defined
    return union([defined, ev.remembered((value[1], "field", at), _given_by_all, ev, value[1], name, at)])


def _given_by_all(ev: Evaluator, gid: int, name: str, at: int) -> Values:
    ev.consult(gid)
    calls = ev.flows.get(gid, ())[:MANY_CALLS]
    return union([given(ev, call, name, at) or () for call in calls])


def field_at(ev: Evaluator, value: Value, key: Value | None) -> Values:
    """The item of a named tuple under that index; of any, where None."""
    from sctx_tui.graph.resolve_attributes import attribute_of

    fields = fields_of(ev, value[1])
    if not fields or not in_class(ev, value[1], ev.program.where(value[1])[0].rules.field_lists[-1]):
        return ()
    if key is not None and type(key[1]) is int:
        fields = fields[key[1] :][:1]
    return union([attribute_of(ev, value, name) for name in fields])


def constructors_of(ev: Evaluator, gid: int) -> Values:
    """The functions of the repository that run when the class is called, as ``F`` values; before them that
    of its metaclass, bound to the class, and ``("O", fields)`` where objects are made of fields."""
    found = ev.remembered((gid, "constructors", 0), _constructors_of, ev, gid)
    return () if TOO_MANY in found else found


def _constructors_of(ev: Evaluator, gid: int) -> Values:
    rules = ev.program.where(gid)[0].rules
    found = tuple(
        value for name in rules.constructors for value in in_class(ev, gid, name) if value[0] == "F"
    )
    if not rules.metaclass_attribute:
        return found
    fields = fields_of(ev, gid)
    if fields:
        found += tuple(one for one in in_class(ev, gid, rules.field_hook) if one[0] == "F")
    if not ev.program.calling_metaclasses:
        return (("O", fields), *found) if fields else found
    made = tuple(one for one in metaclass_methods(ev, ("C", gid), rules.call_method) if one[0] == "B")
    return (*made, ("O", fields), *found) if fields else (*made, *found)
