"""What a place in the code may call: sites, and the symbols that they run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sctx_tui.graph.accessors import Dynamic, created, getters, made_name, setters
from sctx_tui.graph.choice import Calls, Targets, candidates_by_name, fitting
from sctx_tui.graph.contexts import converted
from sctx_tui.graph.dispatch import implementations, is_dispatched
from sctx_tui.graph.facts import FLOW_ONLY, IMPLICIT, KIND, NAME
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_attributes import INHERITED, attribute_of
from sctx_tui.graph.resolve_calls import constructors_of
from sctx_tui.graph.rules import Callback, callback_names
from sctx_tui.graph.solver import Task
from sctx_tui.graph.values import OUTSIDE, Value, Values

_OUTSIDE_TAGS = frozenset(("X", "Y", "l"))


class Site(Task):
    """One place that may call, and what is known of whom."""

    __slots__ = (
        "by_name",
        "calls",
        "ev",
        "expr",
        "file",
        "flags",
        "line",
        "made",
        "scope",
        "what",
    )

    def __init__(
        self,
        what: str,
        file: File,
        scope: int,
        line: int,
        expr: Any,
        flags: int = IMPLICIT,
        made: Any = None,
    ) -> None:
        self.what, self.file, self.scope, self.line, self.expr = what, file, scope, line, expr
        self.flags, self.made = flags, made
        self.calls: Calls = ()
        self.by_name: Sequence[int] = ()  # where nothing is known of the receiver
        self.ev: Evaluator | None = None
        self.fixed = self.running = self.stale = False

    def read_call(self) -> Any:
        """The call that reading or writing the attribute makes; always the same Expr."""
        if self.made is None:
            self.made = ("call", self.expr, (), ())
        return self.made

    def perform(self) -> None:
        """Finds what the site may call; the evaluator gets the calls that are new."""
        ev = self.ev
        assert ev is not None
        known, self.calls = list(self.calls), calls_at(ev, self)
        for gid, call in self.calls:
            for of, other in known:
                if of == gid and call.is_same(other):
                    break
            else:
                known.append((gid, call))
                ev.new_calls.setdefault(gid, []).append(call)


def sites_of(program: Program, file: File) -> Iterable[Site]:
    """Every place in the file that may call something of the repository, as far as the names tell, in
    program order by kind."""
    facts, inner_names = file.facts, file.inner_names
    properties, has_stars = program.property_names, bool(facts["stars"])
    callable_names, callbacks = program.callable_names, callback_names(file.rules)
    dynamic = Dynamic(program, file)
    has_any_name = dynamic.reads
    for scope, line, expr, flags in facts["calls"]:
        callee = expr[1]
        if callee is None:
            continue
        tag = callee[0]
        if tag == "attr":
            name = callee[2]
            if has_any_name and dynamic.is_read(scope, callee[1]):
                yield Site("any read", file, scope, line, callee)
                name = None
            elif name in properties:
                yield Site("read", file, scope, line, callee)
            elif name == "__set_name__" and made_name(file, callee[1], scope) not in program.descriptor_names:
                continue
            elif name == "__init_subclass__" and flags and callee[1][0] == "super" and len(callee[1]) == 3:
                if file.symbols[callee[1][1][1]][NAME] in program.created_names:
                    yield Site("class", file, scope, line, expr, flags)
                continue
        elif tag == "name" and not has_stars and callee[1] not in inner_names:
            name = callee[1]
        else:
            name = callee[3] if tag == "qualified" else None
        if name is None or name in callable_names or name in callbacks:
            yield Site(expr[0], file, scope, line, expr, flags)
    for scope, line, expr in facts["reads"]:
        is_any = has_any_name and dynamic.is_read(scope, expr[1])
        if is_any or expr[2] in properties:
            yield Site("any read" if is_any else "read", file, scope, line, expr)
    known, any_setter = program.setter_names, file.rules.functions_construct
    for scope, line, expr, value in facts["writes"]:
        if any_setter or expr[2] in known or dynamic.is_written(scope, expr[1]):
            yield Site("write", file, scope, line, expr, made=("call", expr, (value,), ()))


def by_symbol(calls: Calls) -> Targets:
    """The calls of each symbol."""
    targets: Targets = {}
    for gid, call in calls:
        targets.setdefault(gid, []).append(call)
    return targets


def calls_at(ev: Evaluator, site: Site) -> Calls:
    """The calls that the site may make."""
    file = site.file
    if site.what in ("read", "any read"):
        return tuple(getters(ev, file, site))
    if site.what == "class":
        return tuple(created(ev, file, site))
    if site.what == "write":
        return tuple(setters(ev, file, site))
    return calls_of(ev, file, site)


def calls_of(ev: Evaluator, file: File, site: Site) -> Calls:
    """The calls that a ``call``, ``new`` or ``decor`` Expr may mean, by what its callee may be."""
    expr, scope, rules = site.expr, site.scope, file.rules
    callee = expr[1]
    values = ev.ev(callee, file, scope, 0)
    is_plain = expr[0] != "new" and not rules.dispatch
    found: list[tuple[int, Call]] = []
    for value in values or OUTSIDE:
        tag = value[0]
        if tag in _OUTSIDE_TAGS and callback_of(rules.callbacks, value, callee) is None:
            continue
        if is_plain and tag == "B":
            found.append((value[1], Call(expr, file, scope, 0, value[3])))
        elif is_plain and tag == "F":
            found.append((value[1], Call(expr, file, scope, 0)))
        else:
            found += targets_of(ev, value, Call(expr, file, scope, 0))
    site.by_name = ()
    if found:
        return fitting(ev, tuple(found), expr) if rules.near is not None else tuple(found)
    is_open = callee[0] == "attr" and not site.flags & (IMPLICIT | FLOW_ONLY) and is_unknown(values)
    if is_open and not (rules.near is not None and ev.ev(callee[1], file, scope, 0)):
        site.by_name = candidates_by_name(ev, file, callee[2])
    return ()


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


def constructed(
    ev: Evaluator, value: Value, call: Call, *, is_of_metaclass: bool = False
) -> Iterable[tuple[int, Call]]:
    """What calling a class runs; ``is_of_metaclass``: that is what its metaclass does."""
    receiver = ("I", value[1], 0)
    own, made = False, call.on(receiver)
    constructors = constructors_of(ev, value[1])
    if constructors and constructors[0][0] == "B" and not is_of_metaclass:
        yield constructors[0][1], call.on(value)
        return
    fields = False
    for kind, constructor, *_ in constructors:
        if kind == "O":
            fields = True
        elif kind == "F":
            file, index = ev.program.where(constructor)
            own = own or file.base + file.symbols[index][3] == value[1]
            yield constructor, made
    if (fields or not own) and ev.program.where(value[1])[0].rules.construction_is_a_call:
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
