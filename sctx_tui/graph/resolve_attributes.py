"""``base.name``: classes and their bases, instances, modules, ``super``."""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import (
    ABSTRACT,
    BASES,
    CLASS_LEVEL,
    FLAGS,
    KIND,
    OWN_THIS,
    PARENT,
    PROPERTY,
    STATIC,
    Expr,
)
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import NAMESPACES, File
from sctx_tui.graph.values import EXTERNAL, OUTSIDE, Value, Values, union

#: Begins the path of what a base class from outside provides, whatever that is.
INHERITED = "inherited "
#: With more subclasses than this they say nothing about any of them.
MANY_SUBCLASSES = 40


def attribute(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of an ``attr`` Expr."""
    base, name = expr[1], expr[2]
    bases = ev.ev(base, file, scope, env)
    if not bases:
        return ()
    if len(bases) == 1:
        return attribute_of(ev, bases[0], name)
    return union([attribute_of(ev, value, name) for value in bases])


def attribute_of(ev: Evaluator, value: Value, name: str) -> Values:
    """What ``value.name`` is, bound to its receiver where it is a method, or a function that takes any
    receiver."""
    found = unread_attribute(ev, value, name)
    if value[0] in ("K", "C") and name in ev.program.property_names:
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
    if tag == "X":
        return (("X", f"{value[1]}.{name}"),) if value[1] else OUTSIDE
    if tag == "S":
        return of_super(ev, value, name)
    if tag == "Y" or tag == "?" or value == ("L", "none"):
        return OUTSIDE if tag == "Y" else ()
    if tag in ("F", "B"):
        stored = foreign_stores(ev, name, value)
        return stored or (("Y", value, name),)
    if tag == "K":
        return of_box(ev, value, name)
    if tag == "T":
        return of_typed(ev, value, name)
    return (("Y", value, name),)


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
    from sctx_tui.graph.resolve_containers import content

    expr, file, _, _ = ev.boxes[value[1]]
    if file.rules.items_are_attributes and expr is not None and expr[0] == "dict":
        found = content(ev, value, ("c", name))
        if not any(property_getter(ev, one) for one in found):  # else a store calls the setter
            found = union([found, foreign_stores(ev, name, value)])
        if found:
            return found
    return (("Y", value, name),)


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
    return union([foreign_stores(ev, name, value)])


# classes


def bases_of(ev: Evaluator, gid: int) -> tuple[Value, ...]:
    """The values of a class's bases, in order: ``C`` and ``X`` alone."""
    return ev.remembered(("bases", gid), _bases_of, ev, gid)


def _bases_of(ev: Evaluator, gid: int) -> Values:
    file, index = ev.program.where(gid)
    row = file.symbols[index]
    found = [
        value
        for base in row[BASES]
        for value in ev.ev(base[1] if base is not None and base[0] == "args" else base, file, row[PARENT], 0)
    ]
    for where, scope, trait in ev.program.implemented.get(gid, ()):
        found += ev.ev(trait, where, scope, 0)
    classes = [
        ("C", value[1]) if value[0] in ("F", "B") and ev.constructs(value[1]) else value for value in found
    ]
    return tuple(
        dict.fromkeys(
            value for value in classes if (value[0] == "C" and value[1] != gid) or value[0] in ("X", "l", "K")
        )
    )


def linearized(ev: Evaluator, gid: int) -> tuple[int, ...]:
    """The method resolution order of a class: itself first, known classes only."""
    made = ev.remembered(("order", gid), _linearized, ev, gid)
    return made[-1][1] if made else (gid,)


def _linearized(ev: Evaluator, gid: int) -> Values:
    bases = [value[1] for value in bases_of(ev, gid) if value[0] == "C"]
    orders = [list(linearized(ev, base)) for base in bases]
    file, _ = ev.program.where(gid)
    if file.rules.c3:
        merged = merge([*orders, list(bases)])
        if merged is not None and gid not in merged:
            return (("O", (gid, *merged)),)
    flat = dict.fromkeys(one for order in orders for one in order if one != gid)
    return (("O", (gid, *flat)),)


def merge(orders: list[list[int]]) -> list[int] | None:
    """The C3 merge (K. Barrett et al., OOPSLA 1996); None where the orders contradict one another."""
    merged: list[int] = []
    orders = [order for order in orders if order]
    while orders:
        for order in orders:
            head = order[0]
            if not any(head in other[1:] for other in orders):
                break
        else:
            return None
        merged.append(head)
        orders = [rest for order in orders if (rest := order[1:] if order[0] == head else order)]
    return merged


def is_subclass(ev: Evaluator, gid: int, of: int) -> bool:
    """Whether ``gid`` is ``of`` or derives from it."""
    return of in linearized(ev, gid)


def class_definition(ev: Evaluator, gid: int, name: str) -> Values:
    """What the class's own body (or a method declared outside of it) calls ``name``; () where it has no
    such name."""
    file, index = ev.program.where(gid)
    if file.symbols[index][KIND] in NAMESPACES:
        binds = ev.binds_in(file, index, name)
        found = union([ev.bind(bind, file, 0) for bind in binds]) if binds else ()
    else:  # a function that constructs
        found = (("F", gid, 0),) if name in file.rules.constructors[:1] else ()
    if not found:
        outside = ev.program.methods_outside.get((gid, name))
        if outside:
            return tuple(("F", method, 0) for method in outside)
        defined = ev.program.defined_outside.get((gid, name))
        if defined:
            return union([ev.ev(expr, other, scope, 0) for other, scope, expr in defined])
        if gid in ev.program.implemented:
            return mixed_in(ev, gid, name)
    return found


def mixed_in(ev: Evaluator, gid: int, name: str) -> Values:
    """What objects whose properties the class was given call ``name``."""
    from sctx_tui.graph.resolve_containers import content

    return union([content(ev, base, ("c", name)) for base in bases_of(ev, gid) if base[0] == "K"])


def found_in_class(ev: Evaluator, order: tuple[int, ...], name: str) -> Values:
    """What the first class of the order that has ``name`` means by it."""
    for gid in order:
        found = class_definition(ev, gid, name)
        if found:
            return found
    return ()


def in_class(ev: Evaluator, gid: int, name: str) -> Values:
    """What ``name`` is in the class or the nearest of its bases that has it."""
    return ev.remembered((gid, name), _in_class, ev, gid, name)


def _in_class(ev: Evaluator, gid: int, name: str) -> Values:
    return found_in_class(ev, linearized(ev, gid), name)


def bound(ev: Evaluator, values: Values, receiver: Value, *, from_class: bool) -> Values:
    """Functions found in a class become methods of ``receiver``."""
    made: list[Value] = []
    for value in values:
        if value[0] != "F":
            made.append(value)
            continue
        row = ev.program.symbol(value[1])
        flags = row[FLAGS]
        if flags & STATIC or (row[KIND] == "lambda" and not flags & OWN_THIS):
            made.append(value)
        elif flags & CLASS_LEVEL:
            cls = receiver if receiver[0] == "C" else ("C", receiver[1])
            made.append(("B", value[1], value[2], cls))
        elif from_class:
            made.append(value)
        else:
            made.append(("B", value[1], value[2], receiver))
    return tuple(made)


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
    if stored:
        return stored
    rules = ev.program.where(value[1])[0].rules
    instead = rules.stand_ins.get(name)
    if instead is not None and value[0] == "I":
        found = tuple(one for one in attribute_of(ev, value, instead) if one[0] == "B")
        if found:
            return found
    outside = [base for base in outside_bases(ev, order) if base[1] not in rules.empty_types]
    if any(base[1] in rules.container_types for base in outside):
        return (("Y", value, name),)
    if (value[0], name) in rules.methods and (value[0] == "C" or not rules.container_types):
        return (("Y", value, name),)
    return (("X", INHERITED + name),) if outside else ()


def outside_bases(ev: Evaluator, order: tuple[int, ...]) -> list[Value]:
    """The bases from outside the repository of the classes in ``order``."""
    return [base for gid in order for base in bases_of(ev, gid) if base[0] in ("X", "l")]


def is_function_type(ev: Evaluator, value: Value) -> bool:
    """Whether all that is known of a value is that it can be called: which function, others have to say."""
    if value[0] == "T":
        expr = ev.boxes[value[1]][0]
        return expr is not None and expr[0] == "functype"
    if value[0] == "I":
        bases = ev.program.symbol(value[1])[BASES]
        return bool(bases) and bases[0] is not None and bases[0][0] == "functype"
    return False


def _of_instance(ev: Evaluator, value: Value, name: str) -> Values:
    gid = value[1]
    file, _ = ev.program.where(gid)
    if name == file.rules.class_attribute:
        return (("C", gid),)
    order = linearized(ev, gid)
    defined = in_class(ev, gid, name)
    stored = class_stores(ev, order, name, value[2])
    if not stored and not defined:
        return missing(ev, order, value, name)
    made = bound(ev, defined, value, from_class=False)
    if not file.rules.types_decide:
        made = union([overriding(ev, v) if is_abstract(ev, v) and v[0] == "B" else (v,) for v in made])
    if name in ev.program.property_names:
        made = union([read_property(ev, v, value) for v in made])
    if file.rules.types_decide and (made or not all(is_function_type(ev, v) for v in stored)):
        return union([made, stored])  # the declared type of a field says all there is to say
    return union([made, stored, foreign_stores(ev, name, value)])


def read_property(ev: Evaluator, value: Value, receiver: Value) -> Values:
    """What reading an attribute gives whose class-level value is ``value``: a property is called."""
    from sctx_tui.graph.resolve_calls import called

    getter = property_getter(ev, value)
    if getter is None:
        return (value,)
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
    if name not in ev.program.attribute_names:
        return ()
    found: list[Values] = []
    for gid in order:
        file, index = ev.program.where(gid)
        for scope, expr in file.this_stores(index).get(name, ()):
            given = type_argument(ev, order, gid, expr) if gid != order[0] else ()
            found.append(given or ev.ev(expr, file, scope, constructor_context(ev, file, scope, site)))
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


# subclasses


def all_subclasses(ev: Evaluator, gid: int) -> list[int]:
    """Every known class that derives from ``gid``, nearest first; none where they are very many."""
    found: dict[int, None] = {}
    pending = [gid]
    while pending:
        for cls in ev.program.subclasses.get(pending.pop(0), ()):
            if cls not in found and cls != gid:
                found[cls] = None
                pending.append(cls)
        if len(found) > MANY_SUBCLASSES:
            return []
    return list(found)


def in_subclasses(ev: Evaluator, value: Value, name: str) -> Values:
    """What subclasses provide under a name that the class itself only expects to be there."""
    if value[0] != "I" or not ev.program.subclasses.get(value[1]):
        return ()
    found: list[Values] = []
    for cls in all_subclasses(ev, value[1]):
        receiver = ("I", cls, 0)
        made = bound(ev, class_definition(ev, cls, name), receiver, from_class=False)
        if name in ev.program.property_names:
            made = union([read_property(ev, one, receiver) for one in made])
        found += [made, class_stores(ev, (cls,), name, 0)]
    return union(found)


def overriding(ev: Evaluator, method: Value) -> Values:
    """The methods of subclasses that stand in for an abstract one; itself where there are none."""
    receiver = method[3]
    name = ev.program.name(method[1])
    found = [
        bound(ev, class_definition(ev, cls, name), ("I", cls, 0), from_class=False)
        for cls in all_subclasses(ev, receiver[1])
    ]
    made = tuple(one for one in union(found) if not is_abstract(ev, one))
    return made or (method,)


def is_abstract(ev: Evaluator, value: Value) -> bool:
    return value[0] in ("F", "B") and bool(ev.program.symbol(value[1])[FLAGS] & ABSTRACT)


# super


def super_value(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """``super()``, or ``super(cls, obj)``, in the method at ``scope``."""
    if len(expr) == 3:
        classes = [value[1] for value in ev.ev(expr[1], file, scope, env) if value[0] == "C"]
        receivers = ev.ev(expr[2], file, scope, env)
    else:
        method = enclosing_method(file, scope)
        classes = ev.class_of_method(file, method)
        receivers = ev.receiver(file, method, env)
    return tuple(("S", cls, value) for cls in classes for value in receivers if value[0] in ("I", "C"))


def enclosing_method(file: File, scope: int) -> int:
    """The method around (or at) that scope."""
    while scope > 0 and file.symbols[file.symbols[scope][PARENT]][KIND] not in ("class", "interface"):
        if file.symbols[scope][14] is not None:
            return scope
        scope = file.symbols[scope][PARENT]
    return scope


def of_super(ev: Evaluator, value: Value, name: str) -> Values:
    cls, receiver = value[1], value[2]
    order = linearized(ev, receiver[1])
    rest = order[order.index(cls) + 1 :] if cls in order else linearized(ev, cls)[1:]
    method = name
    found = found_in_class(ev, rest, method)
    if found:
        return bound(ev, found, receiver, from_class=receiver[0] == "C")
    if any(base[0] in ("X", "l") for gid in (cls, *rest) for base in bases_of(ev, gid)) or not rest:
        return (("Y", ("S", cls, receiver), name),) if name == "__new__" else (EXTERNAL,)
    return ()
