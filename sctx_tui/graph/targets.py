"""What a place in the code may call: sites, and the symbols that they run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sctx_tui.graph.choice import Targets, candidates_by_name, fitting
from sctx_tui.graph.contexts import converted
from sctx_tui.graph.dispatch import implementations, is_dispatched
from sctx_tui.graph.facts import FLOW_ONLY, IMPLICIT, KIND
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_attributes import (
    INHERITED,
    attribute_of,
    property_getter,
    unread_attribute,
)
from sctx_tui.graph.resolve_calls import constructors_of
from sctx_tui.graph.resolve_classes import in_class, linearized
from sctx_tui.graph.rules import Callback, callback_names
from sctx_tui.graph.values import OUTSIDE, Value, Values

_OUTSIDE_TAGS = frozenset(("X", "Y", "l"))


class Site:
    """One place that may call, and what is known of whom."""

    __slots__ = ("by_name", "expr", "flags", "line", "made", "scope", "targets", "what")

    def __init__(
        self, what: str, scope: int, line: int, expr: Any, flags: int = IMPLICIT, made: Any = None
    ) -> None:
        self.what, self.scope, self.line, self.expr, self.flags = what, scope, line, expr, flags
        self.made = made
        self.targets: Targets | None = None
        self.by_name: Sequence[int] = ()  # where nothing is known of the receiver

    def read_call(self) -> Any:
        """The call that reading or writing the attribute makes; always the same Expr."""
        if self.made is None:
            self.made = ("call", self.expr, (), ())
        return self.made


def sites_of(program: Program, file: File) -> Iterable[Site]:
    """Every place in the file that may call something of the repository, as far as the names tell, in
    program order by kind."""
    facts, inner_names = file.facts, file.inner_names
    properties, has_stars = program.property_names, bool(facts["stars"])
    callable_names, callbacks = program.callable_names, callback_names(file.rules)
    for scope, line, expr, flags in facts["calls"]:
        callee = expr[1]
        if callee is None:
            continue
        tag = callee[0]
        if tag == "attr":
            name = callee[2]
            if name in properties:
                yield Site("read", scope, line, callee)
        elif tag == "name" and not has_stars and callee[1] not in inner_names:
            name = callee[1]
        else:
            name = callee[3] if tag == "qualified" else None
        if name is None or name in callable_names or name in callbacks:
            yield Site(expr[0], scope, line, expr, flags)
    for scope, line, expr in facts["reads"]:
        if expr[2] in properties:
            yield Site("read", scope, line, expr)
    setters, any_setter = program.setter_names, file.rules.functions_construct
    for scope, line, expr, value in facts["writes"]:
        if any_setter or expr[2] in setters:
            yield Site("write", scope, line, expr, made=("call", expr, (value,), ()))


def resolve(ev: Evaluator, file: File, site: Site) -> Targets | None:
    """The symbols that the site may call, with the calls as they see them; None where there are none."""
    if site.what == "read":
        return property_targets(ev, file, site)
    if site.what == "write":
        return setter_targets(ev, file, site)
    return call_targets(ev, file, site)


def call_targets(ev: Evaluator, file: File, site: Site) -> Targets | None:
    expr = site.expr
    callee = expr[1]
    values = ev.ev(callee, file, site.scope, 0)
    targets: Targets = {}
    call: Call | None = None
    for value in values or OUTSIDE:
        tag = value[0]
        if tag in _OUTSIDE_TAGS:
            rule = callback_of(file.rules.callbacks, value, callee)
            if rule is None:
                continue
        if call is None:
            call = Call(expr, file, site.scope, 0)
        if tag == "F" and expr[0] != "new" and not file.rules.dispatch:
            targets.setdefault(value[1], []).append(call)
            continue
        for gid, made in targets_of(ev, value, call):
            targets.setdefault(gid, []).append(made)
    if targets:
        site.by_name = ()
        return fitting(ev, targets, expr) if len(targets) > 1 and file.rules.near is not None else targets
    is_open = callee[0] == "attr" and not site.flags & (IMPLICIT | FLOW_ONLY) and is_unknown(values)
    if is_open and not (file.rules.near is not None and ev.ev(callee[1], file, site.scope, 0)):
        site.by_name = candidates_by_name(ev, file, callee[2])
    else:
        site.by_name = ()
    return None


def is_unknown(values: Values) -> bool:
    """Whether nothing is known of a method's receiver, or only that a base class from outside provides it."""
    return all(value[0] == "X" and value[1].startswith(INHERITED) and "." in value[1] for value in values)


def targets_of(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    """The symbols that calling ``value`` runs."""
    tag = value[0]
    if tag in ("F", "B") and call.expr[0] == "new" and ev.constructs(value[1]):
        yield value[1], call.on(("I", value[1], 0))
    elif tag in ("F", "B") and is_dispatched(ev, value):
        for target in of_first_argument(ev, implementations(ev, value), value, call):
            yield target[1], call.on(target[3])
    elif tag == "F":
        yield value[1], call
    elif tag == "B":
        yield value[1], call.on(value[3])
    elif tag == "P":
        yield from targets_of(ev, value[1], call.after(ev.partials[value[2]]))
    elif tag == "C":
        yield from constructed(ev, value, call)
    elif tag == "I":
        file, _ = ev.program.where(value[1])
        method = file.rules.call_method
        for target in attribute_of(ev, value, method) if method else converted(ev, value):
            if target[0] in ("F", "B"):
                yield from targets_of(ev, target, call)
    elif tag in ("X", "Y", "l"):
        yield from called_back(ev, value, call)


def of_first_argument(
    ev: Evaluator, targets: tuple[Value, ...], value: Value, call: Call
) -> tuple[Value, ...]:
    """Of the implementations that ``Trait::method(x)`` may run, those of the classes that ``x`` may be."""
    args = call.expr[2]
    if value[0] != "F" or not args or call.expr[0] != "call":
        return targets
    given = ev.ev(args[0], call.file, call.scope, call.env)
    classes = {one[1] for one in given if one[0] == "I" and ev.program.symbol(one[1])[KIND] == "class"}
    if not classes or len(classes) < len(given):
        return targets
    found = tuple(target for target in targets if target[3][1] in classes)
    return found or targets[:1]


def constructed(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    receiver = ("I", value[1], 0)
    own = False
    made = call.on(receiver)
    for _, constructor, _ in constructors_of(ev, value[1]):
        file, index = ev.program.where(constructor)
        own = own or file.base + file.symbols[index][3] == value[1]
        yield constructor, made
    if not own and ev.program.where(value[1])[0].rules.construction_is_a_call:
        yield value[1], call.on(receiver)


def called_back(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    """Functions of the repository that outside code calls at once when it is given them."""
    rule = callback_of(call.file.rules.callbacks, value, call.expr[1])
    if rule is not None:
        yield from rule(ev, call.on(value[1] if value[0] == "Y" else call.receiver))


def callback_of(callbacks: Mapping[Any, Callback], value: Value, callee: Any) -> Callback | None:
    """What the language says about functions that are given to the outside function ``value``."""
    tag = value[0]
    key: Any = value[1]
    if tag == "Y":
        inner = value[1]
        key = (inner[1] if inner[0] == "L" else inner[0], value[2])
    elif tag == "l":
        key = "type " + value[1]
    rule = callbacks.get(key)
    if rule is None and callee[0] == "attr":
        rule = callbacks.get(("", callee[2]))
    return rule


def property_targets(ev: Evaluator, file: File, site: Site) -> Targets | None:
    """The getters that reading the attribute calls."""
    _, base, name = site.expr
    targets: Targets = {}
    for value in ev.ev(base, file, site.scope, 0):
        if value[0] == "I":
            values = in_class(ev, value[1], name)
        elif value[0] == "S" or (value[0] in ("K", "C") and file.rules.functions_construct):
            values = unread_attribute(ev, value, name)
        else:
            continue
        for found in values:
            getter = property_getter(ev, found)
            if getter is not None:
                call = Call(site.read_call(), file, site.scope, 0, value)
                targets.setdefault(getter[1], []).append(call)
    return targets or None


def setter_targets(ev: Evaluator, file: File, site: Site) -> Targets | None:
    _, base, name = site.expr
    targets: Targets = {}
    for value in ev.ev(base, file, site.scope, 0):
        if value[0] == "K" and file.rules.functions_construct:
            for setter in (one[1] for one in unread_attribute(ev, value, f"set {name}") if one[0] == "F"):
                targets.setdefault(setter, []).append(Call(site.read_call(), file, site.scope, 0, value))
        if value[0] != "I" and not (value[0] == "C" and file.rules.functions_construct):
            continue
        order = linearized(ev, value[1])
        setters = [ev.program.setters[cls, name] for cls in order if (cls, name) in ev.program.setters][:1]
        for setter in setters:
            targets.setdefault(setter, []).append(Call(site.read_call(), file, site.scope, 0, value))
    return targets or None
