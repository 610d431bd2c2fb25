"""``base.name``: of instances, classes, modules, ``super``."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph import resolve_special as special
from sctx_tui.graph.facts import BASES, FLAGS, NAME, PARENT, PROPERTY, Expr
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_classes import (
    all_subclasses,
    bound,
    class_definition,
    in_class,
    is_abstract,
    linearized,
    outside_bases,
    overriding,
)
from sctx_tui.graph.values import OUTSIDE, Value, Values, union

#: Types within types that are looked at.
DEEP_TYPES = 3
#: Begins the path of what a base class from outside provides, whatever that is.
INHERITED = "inherited "


def attribute(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of an ``attr`` Expr."""
    base, name = expr[1], expr[2]
    bases = ev.ev(base, file, scope, env)
    if not bases:
        return ()
    if len(bases) == 1 and len(found := attribute_of(ev, bases[0], name)) < 2:
        return found
    each = [attribute_of(ev, value, name) for value in bases]
    if file.rules.dispatch == "explicit":
        from sctx_tui.graph.dispatch import preferred

        each = [preferred(ev, one, file, scope) if len(one) > 1 else one for one in each]
    return union(each)


def attribute_of(ev: Evaluator, value: Value, name: str) -> Values:
    """What ``value.name`` is, bound to its receiver where it is a method, or a function that takes any
    receiver."""
    tag = value[0]
    if tag == "I":
        found = ev.remembered((value, ".", name), _of_instance, ev, value, name)
    else:
        found = unread_attribute(ev, value, name)
    if tag in ("K", "C") and name in ev.program.property_names:
        found = union([read_accessor(ev, one, value) for one in found])
    own_this = ev.program.own_this
    for one in found:
        if one[0] == "F" and one[1] in own_this:
            return tuple([("B", f[1], f[2], value) if f[0] == "F" and f[1] in own_this else f for f in found])
    return found


def read_accessor(ev: Evaluator, found: Value, owner: Value) -> Values:
    """What reading gives where an object literal, or a class itself, has a getter."""
    is_getter = found[0] in ("F", "B") and ev.constructs(found[1])
    return read_property(ev, found, owner) if is_getter else (found,)


def unread_attribute(ev: Evaluator, value: Value, name: str) -> Values:
    """``value.name`` with getters as they are."""
    tag = value[0]
    if tag == "I":
        return ev.remembered((value, ".", name), _of_instance, ev, value, name)
    if tag == "C":
        return ev.remembered((value, ".", name), _of_class, ev, value, name)
    if tag == "M":
        return ev.remembered((value[1], ".", name), _of_module, ev, value, name)
    if tag == "t":
        return unread_attribute(ev, ("C", value[1][1]), name) if value[1][0] == "I" else ()
    if tag == "X":
        return (("X", f"{value[1]}.{name}"),) if value[1] else OUTSIDE
    if tag == "S":
        from sctx_tui.graph.resolve_super import of_super

        return of_super(ev, value, name)
    if tag == "Y" or tag == "?" or value == ("L", "none"):
        return OUTSIDE if tag == "Y" else ()
    if tag in ("F", "B"):
        stored = foreign_stores(ev, name, value) or mixed_in(ev, value, name)
        return stored or name_of(ev, value, name) or (("Y", value, name),)
    if tag == "K":
        return of_box(ev, value, name)
    if tag == "T":
        return of_typed(ev, value, name)
    return (("Y", value, name),)


def mixed_in(ev: Evaluator, value: Value, name: str) -> Values:
    """What a function or a class has from objects whose properties it was given."""
    from sctx_tui.graph.resolve_containers import items_of_object

    if not ev.program.where(value[1])[0].rules.items_are_attributes:
        return ()
    return items_of_object(ev, value, (".", name))


def of_typed(ev: Evaluator, value: Value, name: str) -> Values:
    """Of a value of a type with arguments: an item, where items of a dictionary are attributes; else a
    method."""
    from sctx_tui.graph.resolve_containers import of_type

    type_, file, _, _ = ev.boxes[value[1]]
    is_dict = type_ is not None and type_[:2] == ("args", ("lit", "dict"))
    if file.rules.items_are_attributes and is_dict and ("T", name) not in file.rules.methods:
        return of_type(ev, value, None)
    return (("Y", value, name),)


def of_box(ev: Evaluator, value: Value, name: str) -> Values:
    """An attribute of a literal: what was stored under the name, or else the container's own method."""
    return held(ev, value, name) or (("Y", value, name),)


def held(ev: Evaluator, value: Value, name: str) -> Values:
    """What an object literal holds as its attribute ``name``: what is stored under computed keys only
    where nothing has that name."""
    from sctx_tui.graph.resolve_containers import content
    from sctx_tui.graph.stores import box_key

    expr, file, _, _ = ev.boxes[value[1]]
    if expr is not None and expr[0] == "record":
        return union([content(ev, value, ("c", name)), foreign_stores(ev, name, value)])
    if not file.rules.items_are_attributes or expr is None or expr[0] != "dict":
        return ()
    found = content(ev, value, (".", name))
    if not any(property_getter(ev, one) for one in found):  # else a store calls the setter
        found = union([found, foreign_stores(ev, name, value)])
    if found or " " in name:  # `set x`: no store makes an accessor
        return found
    key = box_key(ev, value)
    ev.consult(key)
    return content(ev, value, ("c", name)) if key in ev.stores and ev.may_guess() else ()


def _of_module(ev: Evaluator, value: Value, name: str) -> Values:
    found: list[Values] = []
    for path in value[1]:
        file = ev.program.file(path)
        if file is None:
            continue
        made = ev.exported(name, file)
        if made is not None:
            found.append(made)
    values = union(found)
    if values:
        return values
    for path in value[1]:
        inner = ev.program.submodule(path, name)
        if inner is not None:
            return (("M", inner),)
    stored = foreign_stores(ev, name, value)
    if stored:
        return stored
    return special.module_attribute(ev, value, name)


def _of_class(ev: Evaluator, value: Value, name: str) -> Values:
    gid = value[1]
    order = linearized(ev, gid)
    found = bound(ev, in_class(ev, gid, name), value, from_class=True)
    stored = class_stores(ev, order, name, 0)
    if found or stored:
        return union([found, stored])
    return missing(ev, order, value, name)


def missing(ev: Evaluator, order: tuple[int, ...], value: Value, name: str) -> Values:
    """An attribute that no class of the repository defines: external where a base is, else what others
    store in it."""
    stored = foreign_stores(ev, name, value) or in_subclasses(ev, value, name)
    if not stored and value[0] == "C":
        stored = mixed_in(ev, value, name)
    if stored:
        return stored
    rules = ev.program.where(value[1])[0].rules
    if value[0] == "C":
        if name == rules.name_attribute:
            return name_of(ev, value, name)
        made = special.metaclass_methods(ev, value, name)
        if made:
            return union([read_property(ev, one, value) for one in made])
    if rules.deref_method and value[0] == "I" and name != rules.deref_method:
        from sctx_tui.graph.resolve_containers import of_special_method

        held = of_special_method(ev, value, rules.deref_method)
        found = union([attribute_of(ev, one, name) for one in held])
        if found:
            return found
    instead = rules.stand_ins.get(name)
    if instead is not None and value[0] == "I":
        found = tuple(one for one in attribute_of(ev, value, instead) if one[0] == "B")
        if found:
            return found
    outside = [base for base in outside_bases(ev, order) if base[1] not in rules.empty_types]
    given = special.instead_of_attribute(ev, value, name)
    if given:
        return (*given, ("X", INHERITED + name)) if outside else given
    if any(base[1] in rules.container_types for base in outside):
        return (("Y", value, name),)
    if (value[0], name) in rules.methods and (value[0] == "C" or not rules.container_types):
        return (("Y", value, name),)
    return (("X", INHERITED + name),) if outside else ()


def name_of(ev: Evaluator, value: Value, attribute: str) -> Values:
    """What the attribute of a class or function is that holds its name; () for any other attribute."""
    file, index = ev.program.where(value[1])
    return (("c", file.symbols[index][NAME]),) if attribute == file.rules.name_attribute else ()


def is_function_type(ev: Evaluator, value: Value, depth: int = 0) -> bool:
    """Whether all that is known of a value is that it, or what it holds, can be called: which function,
    others have to say."""
    if value[0] == "T":
        return holds_functions(ev, *ev.boxes[value[1]], depth)
    if value[0] == "I":
        file, index = ev.program.where(value[1])
        bases = file.symbols[index][BASES]
        return bool(bases) and holds_functions(ev, bases[0], file, index, 0, depth)
    return False


def is_plain_function(ev: Evaluator, typed: Values) -> bool:
    """Whether the type is a function's own, and no container's."""
    return all(value[0] == "T" and (ev.boxes[value[1]][0] or ("",))[0] == "functype" for value in typed)


def holds_functions(ev: Evaluator, type_: Expr, file: File, scope: int, env: int, depth: int) -> bool:
    """Whether a type is a function's, or a builtin container's of functions."""
    if type_ is None or depth > DEEP_TYPES:
        return False
    if type_[0] == "args" and type_[1] is not None and type_[1][0] == "lit":
        return any(holds_functions(ev, one, file, scope, env, depth + 1) for one in type_[2])
    if depth and type_[0] in ("name", "var", "attr"):
        classes = [value for value in ev.ev(type_, file, scope, env) if value[0] == "C"]
        return bool(classes) and all(is_function_type(ev, ("I", one[1], 0), depth + 1) for one in classes)
    return bool(type_[0] == "functype")


def _of_instance(ev: Evaluator, value: Value, name: str) -> Values:
    gid = value[1]
    file, _ = ev.program.where(gid)
    if name == file.rules.class_attribute:
        return (("C", gid),)
    order = linearized(ev, gid)
    defined = in_class(ev, gid, name)
    stored = class_stores(ev, order, name, value[2])
    if name in ev.program.field_names:
        from sctx_tui.graph.resolve_fields import field

        defined = field(ev, value, name, defined)
    if not stored and not defined:
        return missing(ev, order, value, name)
    if (
        defined
        and name in ev.program.property_names
        and any(special.is_data_descriptor(ev, one) for one in defined)
    ):
        return union([read_property(ev, one, value) for one in bound(ev, defined, value, from_class=False)])
    made = bound(ev, defined, value, from_class=False)
    if not file.rules.types_decide:
        made = union([overriding(ev, v) if is_abstract(ev, v) and v[0] == "B" else (v,) for v in made])
    if name in ev.program.property_names:
        made = union([read_property(ev, v, value) for v in made])
        if file.rules.functions_construct:
            stored = union([read_property(ev, v, value) for v in stored])
    if file.rules.types_decide and (made or not all(is_function_type(ev, v) for v in stored)):
        return union([made, stored])  # the declared type of a field says all there is to say
    foreign = foreign_stores(ev, name, value)
    if foreign and file.rules.functions_construct and name in ev.program.property_names:
        foreign = union([read_property(ev, v, value) for v in foreign])
    return union([made, stored, foreign])


def read_property(ev: Evaluator, value: Value, receiver: Value) -> Values:
    """What reading an attribute gives whose class-level value is ``value``: a property is called."""
    from sctx_tui.graph.resolve_calls import called

    getter = property_getter(ev, value)
    if getter is None:
        methods = special.special_methods(ev, value, "__get__")
        return union([called(ev, one, ev.bare_call(one)) for one in methods]) or (value,)
    method = ("B", getter[1], getter[2], receiver)
    return called(ev, method, ev.bare_call(method))


def property_getter(ev: Evaluator, value: Value) -> Value | None:
    """The function that reading the attribute calls: of ``@property``, of ``property(getter)``; None: not
    a property."""
    if value[0] in ("F", "B") and ev.program.symbol(value[1])[FLAGS] & PROPERTY:
        return value
    if value[0] == "Y" and value[2] == "property":
        getter: Value = value[1]
        return getter
    return None


def class_stores(ev: Evaluator, order: tuple[int, ...], name: str, site: int) -> Values:
    """What the classes' own methods store under ``name``, as the object made at ``site`` sees it."""
    from sctx_tui.graph.resolve_generics import context_of_base

    if name not in ev.program.attribute_names:
        return ()
    found: list[Values] = []
    for gid in order:
        file, index = ev.program.where(gid)
        for scope, expr in file.this_stores(index).get(name, ()):
            given = type_argument(ev, order, gid, expr) if gid != order[0] else ()
            at = constructor_context(ev, file, scope, site)
            if site and gid != order[0] and scope == index and file.rules.type_arguments:
                at = context_of_base(ev, order[0], site, gid)
            found.append(given or ev.ev(expr, file, scope, at))
        for other, scope, expr in ev.program.stores_outside.get((gid, name), ()):
            found.append(ev.ev(expr, other, scope, 0))
    return union(found)


def type_argument(ev: Evaluator, order: tuple[int, ...], gid: int, declared: Any) -> Values:
    """What a field of the base class ``gid`` is to the class ``order[0]``, where the field's type is a
    type parameter."""
    file, index = ev.program.where(gid)
    if declared[0] != "inst" or declared[1] is None or declared[1][0] != "var":
        return ()
    scope, _, value = file.binds[declared[1][1]]
    if scope != index or value is None or value[0] != "tparam":
        return ()
    for sub in order[: order.index(gid)]:
        other, at = ev.program.where(sub)
        row = other.symbols[at]
        for base in row[BASES]:
            if base is None or base[0] != "args" or value[1] >= len(base[2]):
                continue
            if ("C", gid) in ev.ev(base[1], other, row[PARENT], 0):
                given: Expr = ("inst", base[2][value[1]])
                return type_argument(ev, order, sub, given) or ev.ev(given, other, at, 0)
    return ()


def constructor_context(ev: Evaluator, file: File, scope: int, site: int) -> int:
    """The context of the constructor at ``scope`` when it made the object of ``site``; 0 for other
    methods."""
    if not site:
        return 0
    context = ev.contexts[site]
    return site if context is not None and context.gid == file.base + scope else 0


def foreign_stores(ev: Evaluator, name: str, value: Value) -> Values:
    """What code elsewhere stores in ``value`` as its attribute ``name``."""
    from sctx_tui.graph.stores import stored_attribute

    if name not in ev.program.stored_names:
        return ()
    return ev.remembered((value, "=", name), stored_attribute, ev, value, name)


def in_subclasses(ev: Evaluator, value: Value, name: str) -> Values:
    """What subclasses provide under a name that the class itself only expects to be there."""
    if value[0] != "I" or not ev.program.subclasses.get(value[1]):
        return ()
    if ev.program.where(value[1])[0].rules.dispatch:
        return ()  # what has a struct or a trait in it is no subclass
    found: list[Values] = []
    for cls in all_subclasses(ev, value[1]):
        receiver = ("I", cls, 0)
        made = bound(ev, class_definition(ev, cls, name), receiver, from_class=False)
        if name in ev.program.property_names:
            made = union([read_property(ev, one, receiver) for one in made])
        found += [made, class_stores(ev, (cls,), name, 0)]
    return union(found)
