"""What a place in the code may call: sites, and the symbols that they run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sctx_tui.graph.choice import Targets, candidates_by_name
from sctx_tui.graph.dispatch import implementations, is_dispatched
from sctx_tui.graph.facts import FLOW_ONLY, IMPLICIT
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_attributes import (
    INHERITED,
    attribute_of,
    in_class,
    linearized,
    property_getter,
    unread_attribute,
)
from sctx_tui.graph.resolve_calls import constructors_of
from sctx_tui.graph.rules import callback_names
from sctx_tui.graph.values import OUTSIDE, Value, Values


class Site:
    """One place that may call, and what is known of whom."""

    __slots__ = ("by_name", "expr", "flags", "line", "made", "scope", "targets", "what")

    def __init__(self, what: str, scope: int, line: int, expr: Any, flags: int) -> None:
        self.what, self.scope, self.line, self.expr, self.flags = what, scope, line, expr, flags
        self.made: Any = None
        self.targets: dict[int, list[Call]] = {}
        self.by_name: list[int] = []  # where nothing is known of the receiver

    def read_call(self) -> Any:
        """The call that reading or writing the attribute makes; always the same Expr."""
        if self.made is None:
            self.made = ("call", self.expr, (), ())
        return self.made


def sites_of(file: File, properties: Collection[str]) -> Iterable[Site]:
    """Every place in the file that may call, in program order by kind. ``properties``: names whose reading
    may call."""
    for scope, line, expr, flags in file.facts["calls"]:
        callee = expr[1]
        if callee is not None:
            if callee[0] == "attr" and callee[2] in properties:
                yield Site("read", scope, line, callee, IMPLICIT)
            yield Site(expr[0], scope, line, expr, flags)
    for scope, line, expr in file.facts["reads"]:
        yield Site("read", scope, line, expr, IMPLICIT)
    for scope, line, expr, value in file.facts["writes"]:
        site = Site("write", scope, line, expr, IMPLICIT)
        site.made = ("call", expr, (value,), ())
        yield site


def resolve(ev: Evaluator, file: File, site: Site) -> Targets:
    """The symbols that the site may call, with the calls as they see them."""
    if site.what == "read":
        return property_targets(ev, file, site)
    if site.what == "write":
        return setter_targets(ev, file, site)
    return call_targets(ev, file, site)


def is_hopeless(ev: Evaluator, file: File, site: Site) -> bool:
    """Whether the name alone shows that the site calls nothing of the repository."""
    program = ev.program
    if site.what == "read":
        return site.expr[2] not in program.property_names
    if site.what == "write":
        return site.expr[2] not in program.setter_names and not file.rules.functions_construct
    callee = site.expr[1]
    if callee[0] == "attr":
        name = callee[2]
    elif callee[0] == "name" and callee[1] not in file.inner_names and not file.facts["stars"]:
        name = callee[1]
    else:
        return False
    return name not in program.callable_names and name not in callback_names(file.rules)


def call_targets(ev: Evaluator, file: File, site: Site) -> Targets:
    callee = site.expr[1]
    values = ev.ev(callee, file, site.scope, 0)
    targets: Targets = {}
    call = Call(site.expr, file, site.scope, 0)
    for value in values or OUTSIDE:
        for gid, made in targets_of(ev, value, call):
            targets.setdefault(gid, []).append(made)
    site.by_name = []
    if not targets and callee[0] == "attr" and is_unknown(values) and not site.flags & (IMPLICIT | FLOW_ONLY):
        site.by_name = candidates_by_name(ev, file, callee[2])
    return targets


def is_unknown(values: Values) -> bool:
    """Whether nothing is known of a method's receiver, or only that a base class from outside provides it."""
    return all(value[0] == "X" and value[1].startswith(INHERITED) and "." in value[1] for value in values)


def targets_of(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    """The symbols that calling ``value`` runs."""
    tag = value[0]
    if tag in ("F", "B") and call.expr[0] == "new" and ev.constructs(value[1]):
        yield value[1], call._replace(receiver=("I", value[1], 0))
    elif tag in ("F", "B") and is_dispatched(ev, value):
        for target in implementations(ev, value[1]):
            yield target[1], call._replace(receiver=target[3])
    elif tag == "F":
        yield value[1], call
    elif tag == "B":
        yield value[1], call._replace(receiver=value[3])
    elif tag == "C":
        yield from constructed(ev, value, call)
    elif tag == "I":
        file, _ = ev.program.where(value[1])
        for target in attribute_of(ev, value, file.rules.call_method) if file.rules.call_method else ():
            if target[0] in ("F", "B"):
                yield from targets_of(ev, target, call)
    elif tag in ("X", "Y", "l"):
        yield from called_back(ev, value, call)


def constructed(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    receiver = ("I", value[1], 0)
    own = False
    made = call._replace(receiver=receiver)
    for _, constructor, _ in constructors_of(ev, value[1]):
        file, index = ev.program.where(constructor)
        own = own or file.base + file.symbols[index][3] == value[1]
        yield constructor, made
    if not own and ev.program.where(value[1])[0].rules.construction_is_a_call:
        yield value[1], call._replace(receiver=receiver)


def called_back(ev: Evaluator, value: Value, call: Call) -> Iterable[tuple[int, Call]]:
    """Functions of the repository that outside code calls at once when it is given them."""
    callbacks = call.file.rules.callbacks
    key: Any = value[1]
    receiver = call.receiver
    if value[0] == "Y":
        inner = value[1]
        key = (inner[1] if inner[0] == "L" else inner[0], value[2])
        receiver = inner
    elif value[0] == "l":
        key = "type " + value[1]
    rule = callbacks.get(key)
    if rule is None and call.expr[1][0] == "attr":
        rule = callbacks.get(("", call.expr[1][2]))
    if rule is not None:
        yield from rule(ev, call._replace(receiver=receiver))


def property_targets(ev: Evaluator, file: File, site: Site) -> dict[int, list[Call]]:
    """The getters that reading the attribute calls."""
    _, base, name = site.expr
    targets: dict[int, list[Call]] = {}
    for value in ev.ev(base, file, site.scope, 0):
        if value[0] == "I":
            values = in_class(ev, value[1], name)
        elif value[0] in ("K", "C", "S") and file.rules.functions_construct:
            values = unread_attribute(ev, value, name)
        else:
            continue
        for found in values:
            getter = property_getter(ev, found)
            if getter is not None:
                call = Call(site.read_call(), file, site.scope, 0, value)
                targets.setdefault(getter[1], []).append(call)
    return targets


def setter_targets(ev: Evaluator, file: File, site: Site) -> dict[int, list[Call]]:
    _, base, name = site.expr
    targets: dict[int, list[Call]] = {}
    if name not in ev.program.setter_names and not file.rules.functions_construct:
        return targets
    for value in ev.ev(base, file, site.scope, 0):
        if value[0] == "K" and file.rules.functions_construct:
            for setter in (one[1] for one in unread_attribute(ev, value, f"set {name}") if one[0] == "F"):
                targets.setdefault(setter, []).append(Call(site.read_call(), file, site.scope, 0, value))
        if value[0] != "I":
            continue
        order = linearized(ev, value[1])
        setters = [ev.program.setters[cls, name] for cls in order if (cls, name) in ev.program.setters][:1]
        for setter in setters:
            targets.setdefault(setter, []).append(Call(site.read_call(), file, site.scope, 0, value))
    return targets
