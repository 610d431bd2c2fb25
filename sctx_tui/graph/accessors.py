"""Functions that reading or writing an attribute runs: getters, setters, descriptors, what gives attributes
that aren't there. And where in a file such reads may be, as far as the names of classes tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sctx_tui.graph.calls import Call
from sctx_tui.graph.facts import KIND, NAME, PARENT, FileFacts
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_attributes import class_stores, property_getter, unread_attribute
from sctx_tui.graph.resolve_classes import bases_of, in_class, linearized
from sctx_tui.graph.resolve_special import (
    metaclass_methods,
    missing_methods,
    module_function,
    special_methods,
)
from sctx_tui.graph.values import Value, Values

#: What of a metaclass runs when a class is made, with which arguments (data model, "Customizing class
#: creation").
METACLASS_METHODS = ("__prepare__", "__new__", "__init__")
_CLASS_ARGUMENTS = (("inst", ("lit", "str")), ("list", ()), ("dict", ()))
#: So many definitions of a name are followed to the call that made it.
MANY_STEPS = 4


def called_name(facts: FileFacts, expr: Any) -> str:
    """The last name of an Expr: of a class, as the code around it calls it."""
    if expr is not None and expr[0] == "var":
        expr = facts["binds"][expr[1]][2]
    if expr is None:
        return ""
    if expr[0] == "def":
        return facts["symbols"][expr[1]][NAME]  # type: ignore[no-any-return]
    return expr[-1] if expr[0] in ("name", "attr") else ""


def made_name(file: File, expr: Any, scope: int) -> str:
    """The name of the class (or module) that the object is made by that ``expr`` gives; "" where the code
    doesn't say."""
    for _ in range(MANY_STEPS):
        tag = expr[0] if expr is not None else ""
        if tag in ("call", "decor"):
            return called_name(file.facts, expr[1])
        if tag == "import":
            return expr[1].rpartition(".")[2]  # type: ignore[no-any-return]
        if tag == "this":
            owner = file.symbols[file.method_of(scope)][PARENT]
            return file.symbols[owner][NAME] if owner > 0 else ""
        if tag == "name":
            index = file.facts["exits"].get(0, {}).get(expr[1])
        else:
            index = expr[1] if tag == "var" else None
        if index is None:
            return ""
        expr = file.binds[index][2]
    return ""


def mentioned(facts: FileFacts) -> set[str]:
    """The names of classes that a file defines, of what it imports and of the modules that it comes from."""
    found = {row[NAME] for row in facts["symbols"] if row[KIND] == "class"}
    for spec, _, names in facts["imports"]:
        found.add(spec.rpartition(".")[2])
        found.update(names)
    return found


class Dynamic:
    """Which attributes of a file run functions whatever they are called."""

    def __init__(self, program: Program, file: File) -> None:
        self._file = file
        names: Iterable[str] = mentioned(file.facts) if file.rules.class_roles else ()
        self.reads = {name for name in names if name in program.getattr_names}
        self.writes = {name for name in names if name in program.setattr_names}

    def is_read(self, scope: int, base: Any) -> bool:
        """Whether an attribute of ``base`` may be one that a function gives."""
        return bool(self.reads) and made_name(self._file, base, scope) in self.reads

    def is_written(self, scope: int, base: Any) -> bool:
        """Whether writing an attribute of ``base`` may run a function for any attribute."""
        return bool(self.writes) and made_name(self._file, base, scope) in self.writes


def call_with(ev: Evaluator, site: Any, what: str, *args: Any) -> Any:
    """The call that the site makes with these arguments; always the same Expr."""
    made = ev.program.made_by_calls
    return made.setdefault((id(site.expr), what), ("call", site.expr, args, ()))


def getters(ev: Evaluator, file: File, site: Any) -> Iterable[tuple[int, Call]]:
    """What reading the attribute calls: getters, descriptors, what gives attributes that aren't there."""
    _, base, name = site.expr
    for value in ev.ev(base, file, site.scope, 0):
        if site.what == "any read":
            for gid, receiver in _for_missing(ev, value, name):
                yield (
                    gid,
                    Call(call_with(ev, site, "missing", ("const", name)), file, site.scope, 0, receiver),
                )
        if value[0] == "I":
            values = in_class(ev, value[1], name) or stored_accessors(ev, file, value, name)
        elif value[0] == "S" or (value[0] in ("K", "C") and file.rules.functions_construct):
            values = unread_attribute(ev, value, name)
        else:
            continue
        for found in values:
            getter = property_getter(ev, found)
            if getter is not None:
                yield getter[1], Call(site.read_call(), file, site.scope, 0, value)
            elif found[0] == "I":
                for one in special_methods(ev, found, "__get__"):
                    yield one[1], Call(call_with(ev, site, "get", site.expr[1]), file, site.scope, 0, one[3])


def _for_missing(ev: Evaluator, value: Value, name: str) -> Iterable[tuple[int, Value | None]]:
    """The functions that give an attribute which the object, class or module lacks; or each one."""
    if value[0] == "M":
        for function in module_function(ev, value, name):
            yield function[1], None
    if value[0] not in ("I", "C"):
        return
    found = list(special_methods(ev, value, "__getattribute__"))
    given = missing_methods(ev, value, name)
    if given and name not in ev.program.attribute_names and not in_class(ev, value[1], name):
        found += given
    for method in found:
        yield method[1], method[3]


def stored_accessors(ev: Evaluator, file: File, value: Value, name: str) -> Values:
    """The getters, or setters, that methods of its classes give an object by property descriptors.

    What others define on one object says nothing about all that are made of its class.
    """
    if not file.rules.functions_construct or name not in ev.program.attribute_names:
        return ()
    return class_stores(ev, linearized(ev, value[1]), name, 0)


def setters(ev: Evaluator, file: File, site: Any) -> Iterable[tuple[int, Call]]:
    """What writing the attribute calls."""
    _, base, name = site.expr
    for value in ev.ev(base, file, site.scope, 0):
        if value[0] == "K" and file.rules.functions_construct:
            for setter in (one[1] for one in unread_attribute(ev, value, f"set {name}") if one[0] == "F"):
                yield setter, Call(site.read_call(), file, site.scope, 0, value)
        if value[0] != "I" and not (value[0] == "C" and file.rules.functions_construct):
            continue
        order = linearized(ev, value[1])
        known = [ev.program.setters[cls, name] for cls in order if (cls, name) in ev.program.setters][:1]
        if not known and f"set {name}" in ev.program.attribute_names:
            found = in_class(ev, value[1], f"set {name}") or stored_accessors(ev, file, value, f"set {name}")
            known = [one[1] for one in found if one[0] == "F"]
        for setter in known:
            yield setter, Call(site.read_call(), file, site.scope, 0, value)
        if not file.rules.functions_construct:
            yield from _written(ev, file, site, value)


def _written(ev: Evaluator, file: File, site: Any, value: Value) -> Iterable[tuple[int, Call]]:
    """What writing an attribute of an object runs beside setters that say so where they are defined."""
    name, stored = site.expr[2], site.read_call()[2]
    for found in in_class(ev, value[1], name):
        if found[0] == "Y" and found[2] == "property" and len(found) > 3:
            yield found[3][1], Call(site.read_call(), file, site.scope, 0, value)
        for one in special_methods(ev, found, "__set__"):
            yield one[1], Call(call_with(ev, site, "set", site.expr[1], *stored), file, site.scope, 0, one[3])
    for one in special_methods(ev, value, "__setattr__"):
        yield one[1], Call(call_with(ev, site, "any", ("const", name), *stored), file, site.scope, 0, value)


def created(ev: Evaluator, file: File, site: Any) -> Iterable[tuple[int, Call]]:
    """What a class statement runs: ``__init_subclass__`` of a base, and the metaclass."""
    gid = file.base + site.expr[1][1][1][1]
    cls = ("C", gid)
    call = Call(site.expr, file, site.scope, 0, cls)
    if "__init_subclass__" in ev.program.callable_names:
        for base in bases_of(ev, gid):
            found = in_class(ev, base[1], "__init_subclass__") if base[0] == "C" else ()
            yield from ((one[1], call) for one in found if one[0] == "F")
            if found:
                break
    for name in METACLASS_METHODS:
        for one in metaclass_methods(ev, cls, name):
            if one[0] == "B":
                expr = call_with(ev, site, name, *_CLASS_ARGUMENTS)
                yield one[1], Call(expr, file, site.scope, 0, one[3])
