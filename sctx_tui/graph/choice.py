"""Of all that a call may run: what is said to be called, and what is only a candidate.

Measured against calls traced at run time (`tests/bench/callgraph.py --runtime`): where a call has one
target, 993 of 1,000
are confirmed; of two or more methods found through different receivers, two of three. So the latter are
candidates,
except the method of the class itself for ``self.m()``, and the two implementations of an operation that
has no more.
"""

from __future__ import annotations

from typing import Any

from sctx_tui.graph.facts import ABSTRACT, FLAGS, KIND, NAME, PARAMS
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_calls import constructors_of
from sctx_tui.graph.resolve_classes import bases_of, class_definition, in_class
from sctx_tui.graph.values import Values

#: So many functions or classes that a name may mean are all said to be called.
ALTERNATIVES = 4
#: So many implementations of an operation, if there are no others.
IMPLEMENTATIONS = 2
#: So many classes make the method that most of them have the usual one.
FEW = 3
#: Longer candidate lists are no help to anybody, and so many implementations of an interface's method
#: (``dispatch.py``) say nothing about any of them.
MANY_CANDIDATES = 12
#: The same where nothing is known of the receiver but the method's name.
MANY_BY_NAME = 3

Targets = dict[int, list[Call]]
Calls = tuple[tuple[int, Call], ...]
"""(symbol, the call as it sees it)."""


def chosen(ev: Evaluator, file: File, scope: int, expr: Any, targets: Targets) -> tuple[list[int], list[int]]:
    """(called, candidates) among the targets of a call."""
    if len(targets) == 1:
        return ([], list(targets)) if is_only_asked_for(ev, *targets) else (list(targets), [])
    groups = grouped(ev, targets)
    if len(groups) <= 1:
        return list(targets), []
    methods = [gid for kind, gid in groups if kind == "method"]
    others = [key for key in groups if key[0] != "method"]
    sure: set[int] = set()
    if len(others) <= ALTERNATIVES:
        sure.update(gid for key in others for gid in groups[key])
    if len(methods) == 1 and not sure:
        sure.update(methods)
    declared = {gid for gid in methods if ev.program.symbol(gid)[FLAGS] & ABSTRACT}
    made = [gid for gid in methods if gid not in declared]
    sure |= {gid for gid in declared if not is_only_asked_for(ev, gid)}
    own = own_method(ev, file, scope, expr) & set(made)
    if own and is_stood_in_for(ev, targets, own):
        made = [gid for gid in made if gid not in own]
        if len(made) == 1 and not sure:
            return made, []
    elif own:
        sure |= own
    elif are_all_meant(ev, file, scope, expr, made) or (
        0 < len(made) <= IMPLEMENTATIONS and (declared or are_all_implementations(ev, made))
    ):
        sure.update(made)
    else:
        sure.update(usual_method(targets, made))
    rest = [gid for gid in targets if gid not in sure]
    return [gid for gid in targets if gid in sure], rest if len(rest) <= MANY_CANDIDATES else []


def is_only_asked_for(ev: Evaluator, gid: int) -> bool:
    """Whether the symbol is what an interface asks for, and something else runs."""
    file, index = ev.program.where(gid)
    return file.rules.dispatch == "implicit" and bool(file.symbols[index][FLAGS] & ABSTRACT)


def fitting(ev: Evaluator, calls: Calls, expr: Any) -> Calls:
    """Of several functions of one name, those with as many parameters as the call has arguments."""
    count = len(expr[2])
    found = tuple([one for one in calls if len(ev.program.symbol(one[0])[PARAMS]) == count])
    return found or calls


def grouped(ev: Evaluator, targets: Targets) -> dict[tuple[str, int], set[int]]:
    """The targets by what is called: a class (with its constructors), a function, a method."""
    groups: dict[tuple[str, int], set[int]] = {}
    for gid, calls in targets.items():
        file, index = ev.program.where(gid)
        row = file.symbols[index]
        hooks = (*file.rules.constructors, file.rules.field_hook)
        constructs = row[KIND] in ("class", "interface") or row[NAME] in hooks
        for call in calls:
            if call.receiver is None:
                key = ("function", gid)
            elif constructs:
                key = ("class", call.receiver[1])
            else:
                key = ("method", gid)
            groups.setdefault(key, set()).add(gid)
    return groups


def usual_method(targets: Targets, methods: list[int]) -> list[int]:
    """The method that most of several receivers' classes have (the others override it)."""
    receivers = {gid: {call.receiver[:2] for call in targets[gid] if call.receiver} for gid in methods}
    total = sum(map(len, receivers.values()))
    return [gid for gid in methods if len(receivers[gid]) >= FEW and 2 * len(receivers[gid]) > total]


def own_method(ev: Evaluator, file: File, scope: int, expr: Any) -> set[int]:
    """For ``self.m()``: what ``m`` is in the class at hand, unless that is abstract."""
    callee = expr[1]
    if callee[0] != "attr" or callee[1] != ("this",):
        return set()
    found: set[int] = set()
    for cls in ev.class_of_method(file, file.method_of(scope)):
        found |= concrete(ev, in_class(ev, cls, callee[2]))
    return found


def are_all_meant(ev: Evaluator, file: File, scope: int, expr: Any, methods: list[int]) -> bool:
    """Whether the receivers' classes are what a type parameter stands for, each in some call: types say what
    a variable holds, and no interface or trait is called."""
    from sctx_tui.graph.dispatch import is_dispatched

    if not file.rules.type_arguments or expr[1] is None or len(methods) > ALTERNATIVES:
        return False
    values = ev.ev(expr[1], file, scope, 0)
    if len({value[3][1] for value in values if value[0] == "B"}) < len(methods):
        return False
    return all(value[0] == "B" and not is_dispatched(ev, value) for value in values)


def is_stood_in_for(ev: Evaluator, targets: Targets, own: set[int]) -> bool:
    """Whether nobody makes an object whose class has the method at hand, but subclasses that override it are
    made."""
    made: dict[bool, set[int]] = {True: set(), False: set()}
    for gid, calls in targets.items():
        made[gid in own].update(call.receiver[1] for call in calls if call.receiver)
    others, owners = (any(is_made(ev, cls) for cls in made[key]) for key in (False, True))
    return others and not owners


def is_made(ev: Evaluator, cls: int) -> bool:
    """Whether some known call makes an object of that class itself."""
    for gid in (cls, *(value[1] for value in constructors_of(ev, cls) if value[0] == "F")):
        ev.watch(gid)
        if any(call.receiver is not None and call.receiver[1] == cls for call in ev.flows.get(gid, ())):
            return True
    return False


def concrete(ev: Evaluator, values: Values) -> set[int]:
    """The functions among the values that have a body of their own."""
    return {
        value[1] for value in values if value[0] == "F" and not ev.program.symbol(value[1])[FLAGS] & ABSTRACT
    }


def are_all_implementations(ev: Evaluator, methods: list[int]) -> bool:
    """Whether the methods are what all subclasses of some class make of an operation that it has none for
    itself."""
    name = ev.program.name(methods[0])
    owners = [cls for gid in methods for cls in ev.class_of_method(*ev.program.where(gid))]
    for owner in owners[:1]:
        for base in bases_of(ev, owner):
            if base[0] != "C" or concrete(ev, class_definition(ev, base[1], name)):
                continue
            made = [concrete(ev, in_class(ev, cls, name)) for cls in ev.program.subclasses.get(base[1], ())]
            if all(made) and set().union(*made) == set(methods):
                return True
    return False


def candidates_by_name(ev: Evaluator, file: File, name: str) -> list[int]:
    """The methods of that name, where nothing is known of the receiver; none where the name is common or
    they are many."""
    rules = file.rules
    if not rules.by_name or name in rules.common_methods or name.startswith("__"):
        return []
    found: list[int] = []
    near = rules.near(file.path, ev.program) if rules.near is not None else ()
    for gid in ev.program.methods_by_name.get(name, ()):
        there = ev.program.where(gid)[0]
        if there.rules is rules:  # JavaScript and TypeScript call one another
            found.append(gid)
            if len(found) > MANY_BY_NAME and not near:
                return []
    found = [gid for gid in found if near and is_near(ev, file, gid)] or found
    return found if len(found) <= MANY_BY_NAME else []


def is_near(ev: Evaluator, file: File, gid: int) -> bool:
    """Whether a method is one that the name alone is enough for."""
    near = file.rules.near
    return near is None or ev.program.where(gid)[0].path in near(file.path, ev.program)
