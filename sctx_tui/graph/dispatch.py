"""Interfaces and traits: which methods a call through one may run, and which of several a call means."""

from __future__ import annotations

from posixpath import dirname

from sctx_tui.graph.choice import MANY_CANDIDATES
from sctx_tui.graph.facts import (
    ABSTRACT,
    BASES,
    EXPORTED,
    FLAGS,
    KIND,
    NAME,
    OWNER,
    PARAMS,
    PARENT,
    RECEIVER,
    RETURNS,
    Expr,
    Row,
)
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_attributes import attribute_of
from sctx_tui.graph.resolve_classes import (
    bound,
    class_definition,
    found_in_class,
    in_class,
    is_abstract,
    linearized,
)
from sctx_tui.graph.values import Value, Values, union


def is_dispatched(ev: Evaluator, value: Value) -> bool:
    """Whether calling ``value`` runs whatever implements it: an interface's method, no known class's."""
    file, index = ev.program.where(value[1])
    parent = file.symbols[index][PARENT]
    if not file.rules.dispatch or parent < 0 or file.symbols[parent][KIND] != "interface":
        return False
    if value[0] == "F" or file.rules.dispatch == "implicit":  # there a class may have an interface inside
        return True
    receiver = value[3]
    return receiver[0] == "I" and bool(ev.program.symbol(receiver[1])[KIND] == "interface")


def implementations(ev: Evaluator, value: Value) -> tuple[Value, ...]:
    """What may run for an interface's method; itself where classes say what they implement, and where
    too many do."""
    file, index = ev.program.where(value[1])
    interface = file.base + file.symbols[index][PARENT]
    if value[0] == "B" and value[3][0] == "I" and ev.program.symbol(value[3][1])[KIND] == "interface":
        interface = value[3][1]  # the one that the receiver has may ask for more
    key = ("implementations", value[1], interface)
    made: tuple[Value, ...] = ev.remembered(key, _implementations, ev, value[1], interface)
    return made


def _implementations(ev: Evaluator, method: int, interface: int) -> tuple[Value, ...]:
    file, index = ev.program.where(method)
    row = file.symbols[index]
    explicit = file.rules.dispatch == "explicit"
    itself: tuple[Value, ...] = (("B", method, 0, ("I", interface, 0)),)
    found: dict[int, Value] = {}
    for candidate in ev.program.methods_by_name.get(row[NAME], ()):
        there, at = ev.program.where(candidate)
        if candidate == method or there.symbols[at][FLAGS] & ABSTRACT or there.rules is not file.rules:
            continue
        if not (
            implements(ev, there, at, file.base + row[PARENT]) if explicit else is_like(ev, candidate, method)
        ):
            continue
        for cls in ev.class_of_method(there, at):
            if cls == interface:
                continue
            if interface in linearized(ev, cls) if explicit else has_the_methods(ev, cls, interface):
                found[candidate] = ("B", candidate, 0, ("I", cls, 0))
    if len(found) > MANY_CANDIDATES:
        return itself
    return (*itself, *found.values()) if explicit else tuple(found.values())


def implements(ev: Evaluator, file: File, index: int, trait: int) -> bool:
    """Whether a method stands in an implementation of the trait."""
    return ("C", trait) in traits_of(ev, file, index)


def traits_of(ev: Evaluator, file: File, index: int) -> Values:
    """The trait that a method was written for; () for one of the type's own."""
    row = file.symbols[index]
    return ev.ev(row[BASES][0], file, row[PARENT], 0) if row[BASES] and row[KIND] == "method" else ()


def qualified(ev: Evaluator, expr: Expr, file: File, scope: int, env: int) -> Values:
    """The values of a ``qualified`` Expr."""
    assert expr is not None
    _, type_, trait, name = expr
    wanted = ev.ev(trait, file, scope, env)
    of_trait = union([attribute_of(ev, value, name) for value in wanted])
    found: list[Value] = []
    for value in ev.ev(type_, file, scope, env):
        if value[0] in ("C", "I") and ev.program.symbol(value[1])[KIND] == "class":
            methods = class_definition(ev, value[1], name)
            own = tuple(one for one in methods if one[0] == "F" and is_of(ev, one, wanted))
            made = own or tuple(one for one in of_trait if one[0] == "F" and not is_abstract(ev, one))
            found += bound(ev, made, value, from_class=value[0] == "C")
    return tuple(found) or tuple(one for one in of_trait if one[0] == "F")


def is_of(ev: Evaluator, method: Value, traits: Values) -> bool:
    """Whether a method was written for one of the traits; those from outside are known by their names."""
    mine = traits_of(ev, *ev.program.where(method[1]))
    return any(
        one == other or (one[0] == other[0] == "X" and last_name(one[1]) == last_name(other[1]))
        for one in mine
        for other in traits
    )


def last_name(path: str) -> str:
    """The last name of a path."""
    return path.replace("::", ".").rpartition(".")[2]


def preferred(ev: Evaluator, found: Values, file: File, scope: int) -> Values:
    """Of several methods of one name that a type has, those that a call means: its own before its traits',
    those that take less of the receiver first, and of traits' those of the traits in sight.

    The Rust Reference, "Method call expressions".
    """
    ranked: dict[tuple[int, bool], list[Value]] = {}
    for value in found:
        if value[0] not in ("F", "B"):
            return found
        there, index = ev.program.where(value[1])
        row = there.symbols[index]
        if row[KIND] != "method" or row[OWNER] is None:
            return found
        is_hidden = not (row[BASES] or row[FLAGS] & EXPORTED or there is file)
        if not is_hidden:
            ranked.setdefault((_receiver_rank(row), bool(row[BASES])), []).append(value)
    if not ranked:
        return found
    best = ranked[min(ranked)]
    if len(best) > 1 and min(ranked)[1]:
        seen = [value for value in best if in_sight(ev, value, file, scope)]
        best = seen or best
    return tuple(best)


def _receiver_rank(row: Row) -> int:
    kinds = [param[0] for param in row[PARAMS] if param[3] == RECEIVER]
    _, _, held = kinds[0].partition("<") if kinds else ("", "", "")
    if held:  # `self: Pin<&mut Self>`: other receivers come first
        return 3
    if not kinds or "&" not in kinds[0]:
        return 0
    return 2 if "mut " in kinds[0] else 1


def in_sight(ev: Evaluator, method: Value, file: File, scope: int) -> bool:
    """Whether the trait of a method is known by its name at a place."""
    traits = traits_of(ev, *ev.program.where(method[1]))
    return any(
        trait in ev.in_sight(ev.program.name(trait[1]), file, scope, 0) for trait in traits if trait[0] == "C"
    )


def has_the_methods(ev: Evaluator, cls: int, interface: int) -> bool:
    """Whether the class has all methods of the interface."""
    return bool(ev.remembered((cls, "has", interface), _has_the_methods, ev, cls, interface))


def _has_the_methods(ev: Evaluator, cls: int, interface: int) -> Values:
    order = linearized(ev, cls)
    for each in linearized(ev, interface):
        file, index = ev.program.where(each)
        if file.symbols[index][KIND] != "interface":
            continue
        for name, bind in file.facts["exits"].get(index, {}).items():
            wanted = file.binds[bind][2]
            found = found_in_class(ev, order, name)
            if not found or (
                wanted is not None
                and wanted[0] == "def"
                and not any(one[0] != "F" or is_like(ev, one[1], file.base + wanted[1]) for one in found)
            ):
                return ()
    return (("C", cls),)


def is_like(ev: Evaluator, made: int, wanted: int) -> bool:
    """Whether a method may be what an interface asks for: as many parameters and results, of types that may
    be the same."""
    if made == wanted:
        return True
    (here, index), (there, at) = ev.program.where(made), ev.program.where(wanted)
    mine, asked = here.symbols[index], there.symbols[at]
    if shape(mine) != shape(asked):
        return False
    if not asked[FLAGS] & EXPORTED and dirname(here.path) != dirname(there.path):
        return False  # small names of two packages are two names
    pairs = zip(types(mine), types(asked), strict=True)
    return all(may_be_same(ev, one, here, index, other, there, at) for one, other in pairs)


def may_be_same(ev: Evaluator, one: Expr, here: File, index: int, other: Expr, there: File, at: int) -> bool:
    """Whether two types may be the same as far as they are known: containers by kind alone."""
    mine, asked = named_types(ev, one, here, index), named_types(ev, other, there, at)
    return not mine or not asked or bool(mine & asked)


def named_types(ev: Evaluator, type_: Expr, file: File, scope: int) -> frozenset[Value]:
    """What a type names; nothing where that isn't known."""
    if type_ is None or type_[0] == "functype":
        return frozenset()
    found = ev.ev(type_, file, scope, 0)
    return frozenset(value for value in found if value[0] in ("C", "l") or (value[0] == "X" and value[1]))


def shape(row: Row) -> tuple[tuple[str, ...], int]:
    """The kinds of a method's parameters beside its receiver, and how many results it declares."""
    return tuple(param[3] for param in row[PARAMS] if param[3] != RECEIVER), len(results(row))


def types(row: Row) -> list[Expr]:
    """The types of a method's parameters beside its receiver, and of its results."""
    return [param[1] for param in row[PARAMS] if param[3] != RECEIVER] + results(row)


def results(row: Row) -> list[Expr]:
    """The types of a method's results."""
    result = row[RETURNS]
    if result == ("lit", "none"):
        return []
    is_tuple = result is not None and result[0] == "args" and result[1] == ("lit", "tuple")
    return list(result[2]) if result is not None and is_tuple else [result]


def variant(ev: Evaluator, spec: str, name: str, file: File) -> Values:
    """What an enum whose variants are taken in whole (`use path::Enum::*`) calls ``name``."""
    module, _, enum = spec.rpartition("::")
    if enum == name:
        return ()
    paths = file.rules.resolve(module or "self", file.path, ev.program) or (file.path,)
    files = [other for path in paths if (other := ev.program.file(path)) is not None]
    classes = union([ev.own_name(enum, other, frozenset((file.path,))) or () for other in files])
    return union([in_class(ev, one[1], name) for one in classes if one[0] == "C"])
