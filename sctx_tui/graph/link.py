"""Facts of all files -> who calls whom.

``link`` goes round in strata. In the first, parameters mean what their declared types and defaults say. Each further
stratum knows the calls found so far (``flows``): parameters, receivers included, also mean what those calls pass. It
ends when no function is called from a new place, after ``STRATA`` rounds at the latest. The result depends on the facts
alone, not on the order of files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sctx_tui.graph.choice import candidates_by_name, chosen
from sctx_tui.graph.dispatch import implementations, is_dispatched
from sctx_tui.graph.facts import FLOW_ONLY, IMPLICIT, KIND, NAME, FileFacts
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_attributes import (
    INHERITED,
    attribute_of,
    found_in_class,
    linearized,
    property_getter,
    unread_attribute,
)
from sctx_tui.graph.resolve_calls import constructors_of
from sctx_tui.graph.rules import callback_names
from sctx_tui.graph.solver import ALL
from sctx_tui.graph.stores import Stores
from sctx_tui.graph.survey import survey, survey_outside_methods, survey_subclasses
from sctx_tui.graph.values import OUTSIDE, Value, Values

#: Rounds of parameter flow after the first.
STRATA = 5


class Edge(NamedTuple):
    """A call: ``caller`` is a symbol's index in its file; ``callee`` (path, symbol's index), None where only
    ``candidates`` are known."""

    caller: int
    line: int
    callee: tuple[str, int] | None
    is_ambiguous: bool = False
    candidates: tuple[tuple[str, int], ...] = ()


class Site:
    """One place that may call: its targets so far, and whose parameters they were found through."""

    __slots__ = ("by_name", "consulted", "expr", "flags", "line", "made", "scope", "targets", "what")

    def __init__(self, what: str, scope: int, line: int, expr: Any, flags: int) -> None:
        self.what, self.scope, self.line, self.expr, self.flags = what, scope, line, expr, flags
        self.made: Any = None
        self.targets: dict[int, list[Call]] = {}
        self.by_name: list[int] = []  # where nothing is known of the receiver
        self.consulted: frozenset[Any] = frozenset()

    def read_call(self) -> Any:
        """The call that reading or writing the attribute makes; always the same Expr."""
        if self.made is None:
            self.made = ("call", self.expr, (), ())
        return self.made


def link(facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None) -> dict[str, list[Edge]]:
    """The calls of every file. ``texts``: project files that say where modules are, by path (``go.mod``,
    ``Cargo.toml``, ``package.json``, ``tsconfig.json``), for ``program.texts``."""
    program = Program(facts, facts.get, texts or {})
    survey(program)
    ev = Evaluator(program)
    survey_outside_methods(ev)
    survey_subclasses(ev)
    sites = {
        path: list(sites_of(file, program.property_names))
        for path in program.paths
        if (file := program.file(path)) is not None
    }
    stores = Stores(program)
    changed: set[Any] = stores.look(ev, ())
    for stratum in range(STRATA + 1):
        ev.forget(changed)
        resolve_all(ev, sites, changed if stratum else None)
        stored = stores.look(ev, changed)
        flows, before = collect_flows(sites), ev.flows
        made = constructed_classes(ev, flows)
        changed = stored | {gid for gid in flows if len(flows[gid]) != len(before.get(gid, ()))}
        changed |= {("made", cls) for cls in made - ev.constructed}
        ev.flows, ev.constructed = flows, made
        if not changed:
            break
    return {path: list(edges_of(ev, path, sites[path])) for path in sites}


def sites_of(file: File, properties: Collection[str]) -> Iterable[Site]:
    """Every place in the file that may call, in program order by kind. ``properties``: names whose reading may call."""
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


def resolve_all(ev: Evaluator, sites: Mapping[str, list[Site]], changed: set[Any] | None) -> None:
    """Looks at every site (first stratum), or at those that depend on flows that changed."""
    gone = None if changed is None else changed | ALL
    for path, of_file in sites.items():
        file = ev.program.file(path)
        assert file is not None
        for site in of_file:
            if gone is None or not gone.isdisjoint(site.consulted):
                resolve_site(ev, file, site)


def resolve_site(ev: Evaluator, file: File, site: Site) -> None:
    if site.what == "read" and site.expr[2] not in ev.program.property_names:
        return

    def compute() -> Values:
        if site.what == "read":
            site.targets = property_targets(ev, file, site)
        elif site.what == "write":
            site.targets = setter_targets(ev, file, site)
        else:
            resolve_call(ev, file, site)
        return ()

    _, site.consulted = ev.solve(compute)


def resolve_call(ev: Evaluator, file: File, site: Site) -> None:
    callee = site.expr[1]
    if (
        callee[0] == "attr"
        and callee[2] not in ev.program.callable_names
        and callee[2] not in callback_names(file.rules)
    ):
        return
    values = ev.ev(callee, file, site.scope, 0)
    targets: dict[int, list[Call]] = {}
    call = Call(site.expr, file, site.scope, 0)
    for value in values or OUTSIDE:
        for gid, made in targets_of(ev, value, call):
            targets.setdefault(gid, []).append(made)
    site.targets = targets
    site.by_name = []
    if not targets and callee[0] == "attr" and is_unknown(values) and not site.flags & (IMPLICIT | FLOW_ONLY):
        site.by_name = candidates_by_name(ev, file, callee[2])


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
    for constructor in constructors_of(ev, value[1]):
        file, index = ev.program.where(constructor)
        own = own or file.base + file.symbols[index][3] == value[1]
        yield constructor, call._replace(receiver=receiver)
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
            values = found_in_class(ev, linearized(ev, value[1]), name)
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


def collect_flows(sites: Mapping[str, list[Site]]) -> dict[int, list[Call]]:
    """The calls found so far, by callee."""
    flows: dict[int, list[Call]] = {}
    for of_file in sites.values():
        for site in of_file:
            for gid, calls in site.targets.items():
                flows.setdefault(gid, []).extend(calls)
    return flows


def constructed_classes(ev: Evaluator, flows: dict[int, list[Call]]) -> set[int]:
    """The classes of which some known call makes an instance."""
    made: set[int] = set()
    for gid, calls in flows.items():
        row = ev.program.symbol(gid)
        if row[KIND] in ("class", "interface") or row[NAME] in ev.program.where(gid)[0].rules.constructors:
            made.update(
                call.receiver[1] for call in calls if call.receiver is not None and call.receiver[0] == "I"
            )
    return made


def edges_of(ev: Evaluator, path: str, sites: Iterable[Site]) -> Iterable[Edge]:
    file = ev.program.file(path)
    assert file is not None
    for site in sites:
        if site.flags & FLOW_ONLY:
            continue
        called, candidates = chosen(ev, file, site.scope, site.expr, site.targets)
        if site.by_name:
            (called if len(site.by_name) == 1 else candidates).extend(site.by_name)
        for gid in called:
            yield Edge(site.scope, site.line, place(ev, gid))
        if candidates:
            yield Edge(site.scope, site.line, None, True, tuple(place(ev, gid) for gid in candidates))


def place(ev: Evaluator, gid: int) -> tuple[str, int]:
    """Where a symbol stands: path, index in its file."""
    file, index = ev.program.where(gid)
    return file.path, index


__all__ = ["Edge", "Values", "link"]
