"""What an expression may be: demand-driven, memoised evaluation of the facts.

Values flow backwards from a use: a name to its definitions, a parameter to the arguments of the known calls,
a call to what the callee returns, an attribute to the class's definitions and to what is stored in it. A
call's result is looked at in the context of its arguments (a function that returns its parameter gives what
it was given *here*: ``contexts.py``); the body of a function, where its own calls are resolved, is looked at
for all calls together.

Who calls whom is needed for parameters, and parameters for who calls whom: ``link.py`` adds the calls that it
finds to ``flows``, and the solver computes again what that changes, until nothing does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sctx_tui.graph.calls import Call
from sctx_tui.graph.contexts import Context
from sctx_tui.graph.facts import CLASS_LEVEL, FLAGS, KIND, OWNER, PARENT, STATIC, Expr
from sctx_tui.graph.program import CLASSES, File, Program
from sctx_tui.graph.solver import Solver
from sctx_tui.graph.values import EXTERNAL, MANY, OUTSIDE, Value, Values, is_local, narrowed_to_many, union

#: Tags of what is had at once, or remembered by itself.
_LIGHT = frozenset(
    ("def", "const", "lit", "param", "this", "call", "new", "decor", "var", "import", "list", "dict", "iter")
)
#: Tags of what has the values of one result of the solver, or never changes.
COPIED = ("var", "call", "new", "param", "this")


class Evaluator(Solver):
    """Evaluates expressions of a program under the calls (``flows``) and stores that are known."""

    def __init__(self, program: Program) -> None:
        from sctx_tui.graph.dispatch import qualified
        from sctx_tui.graph.resolve_attributes import attribute
        from sctx_tui.graph.resolve_calls import call_result, parameter
        from sctx_tui.graph.resolve_classes import narrowed
        from sctx_tui.graph.resolve_containers import awaited, element, entered, first_of_range, item, sliced
        from sctx_tui.graph.resolve_decorators import decorated
        from sctx_tui.graph.resolve_fixtures import fixture
        from sctx_tui.graph.resolve_generics import type_parameter, with_arguments
        from sctx_tui.graph.resolve_super import super_value
        from sctx_tui.graph.texts import concatenated

        super().__init__()
        self.program = program
        self.contexts: list[Context | None] = [None]
        self.context_numbers: dict[Any, int] = {}
        self.context_counts: dict[int, int] = {}
        self.boxes: list[tuple[Expr, File, int, int]] = []
        self.box_numbers: dict[Any, int] = {}
        self.partials: list[Call] = []
        self.flows: dict[int, list[Call]] = {}
        self.new_calls: dict[int, list[Call]] = {}  # those that will be in ``flows``
        self.stores: dict[Any, list[Any]] = {}  # stores.Tables
        self.progress: dict[Any, Any] = {}  # resolve_calls.Progress by parameter
        self.bare_calls: dict[Any, Call] = {}
        self.with_arguments = partial(with_arguments, self)
        self.on: dict[str, Callable[[Evaluator, Any, File, int, int], Values]] = {
            "name": Evaluator.on_name,
            "var": Evaluator.on_var,
            "phi": Evaluator.on_phi,
            "prefer": Evaluator.on_prefer,
            "any": Evaluator.on_any,
            "else": Evaluator.on_else,
            "def": Evaluator.on_def,
            "this": Evaluator.on_this,
            "inst": Evaluator.on_inst,
            "lit": lambda ev, e, f, s, env: (("l", e[1]),),
            "const": lambda ev, e, f, s, env: (("c", e[1]),),
            "list": Evaluator.on_box,
            "dict": Evaluator.on_box,
            "iter": Evaluator.on_box,
            "args": Evaluator.on_args,
            "tparam": type_parameter,
            "functype": lambda ev, e, f, s, env: (("T", ev.box(e, f, s, env)),),
            "narrow": narrowed,
            "bound": Evaluator.on_bound,
            "import": Evaluator.on_import,
            **dict.fromkeys(("class", "paramof", "star"), lambda ev, e, f, s, env: ()),
            "param": parameter,
            "super": super_value,
            "qualified": qualified,
            "fixture": fixture,
            "attr": attribute,
            "item": item,
            "slice": sliced,
            "concat": concatenated,
            "elem": lambda ev, e, f, s, env: element(ev, ev.ev(e[1], f, s, env)),
            "key": lambda ev, e, f, s, env: first_of_range(ev, ev.ev(e[1], f, s, env)),
            "enter": lambda ev, e, f, s, env: entered(ev, ev.ev(e[1], f, s, env)),
            "await": lambda ev, e, f, s, env: awaited(ev, ev.ev(e[1], f, s, env)),
            "call": call_result,
            "new": call_result,
            "decor": decorated,
        }

    def ev(self, expr: Expr, file: File, scope: int, env: int) -> Values:
        """The values of ``expr`` in that scope and context."""
        if expr is None:
            return ()
        tag = expr[0]
        if tag == "var":
            return self.bind(expr[1], file, env)
        self.nested += 1
        values = self.on[tag](self, expr, file, scope, env)
        self.nested -= 1
        return values

    # names

    def on_name(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return self.lookup(expr[1], file, scope, env)

    def lookup(self, name: str, file: File, scope: int, env: int) -> Values:
        """What ``name`` means in that scope."""
        if name in file.inner_names:
            where, first = scope, True
            symbols = file.symbols
            while where > 0:
                if first or file.rules.class_scope_visible or symbols[where][KIND] not in CLASSES:
                    binds = self.binds_in(file, where, name)
                    if binds:
                        at = self.context_of(file.base + where, env)
                        return self.either(binds, file, at)
                where, first = symbols[where][PARENT], False
        return self.module_name(name, file)

    in_sight = lookup  # where the code need not mention the name

    def binds_in(self, file: File, scope: int, name: str) -> Sequence[int]:
        """The binds that ``name`` of that scope stands for when the scope's code has run."""
        return file.binds_in(scope, name)

    def context_of(self, gid: int, env: int) -> int:
        """The context within ``env`` (or around it) that is a call of ``gid``; 0 where there is none."""
        while env:
            context = self.contexts[env]
            assert context is not None
            if context.gid == gid:
                return env
            env = context.outer
        return 0

    def module_name(self, name: str, file: File) -> Values:
        """What ``name`` means at the top level of the file: own names, star imports, siblings, builtins."""
        return self.remembered((file.base, name), Evaluator._module_name, self, name, file)

    def _module_name(self, name: str, file: File) -> Values:
        own = self.own_name(name, file)
        if own is not None:
            return own
        siblings = map(self.program.file, file.rules.siblings(file.path, name, self.program))
        found = [values for one in siblings if one and (values := self.own_name(name, one)) is not None]
        if found:  # several: for several platforms
            return union(found)
        path = file.rules.builtins.get(name)
        return (("X", path),) if path is not None else ()

    def own_name(self, name: str, file: File, seen: frozenset[str] = frozenset()) -> Values | None:
        """What the module itself, or what it takes in whole with ``*``, calls ``name``; None: nothing."""
        binds = self.binds_in(file, 0, name)
        if binds:
            return self.either(binds, file, 0)
        if file.path in seen:
            return None
        from sctx_tui.graph.dispatch import variant

        taken: list[Values] = []
        for _, spec in file.facts["stars"]:
            paths = file.rules.resolve(spec, file.path, self.program)
            if paths is None and file.rules.dispatch == "explicit":
                taken.append(variant(self, spec, name, file))
            for path in paths or ():
                other = self.program.file(path)
                if other is None or not self.gives_away(name, other):
                    continue
                found = self.exported(name, other, seen | {file.path})
                if found is not None:
                    taken.append(found)
        return union(taken) if taken else None

    def gives_away(self, name: str, file: File) -> bool:
        """Whether ``from file import *`` takes ``name``."""
        public = file.facts["public"]
        return name in public if public is not None else (file.rules.has_exports or not name.startswith("_"))

    def exported(self, name: str, file: File, seen: frozenset[str] = frozenset()) -> Values | None:
        """What other files get when they ask the module for ``name``; None: it has no such name."""
        if file.rules.has_exports:
            found = [e for n, e in file.facts["exports"] if n == name]
            if found:
                return union([self.ev(e, file, 0, 0) for e in found])
            if name == "default":
                return self.whole_export((file.path,)) or None
            if file.facts["exports"] or file.facts["stars"]:
                return self.own_name(name, file, seen) if file.facts["stars"] and name != "default" else None
        return self.own_name(name, file, seen)

    # definitions

    def on_var(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return self.bind(expr[1], file, env)

    def bind(self, index: int, file: File, env: int) -> Values:
        """The values of a definition."""
        scope, _, value = file.binds[index]
        if value is None:
            return ()
        tag = value[0]
        compute = self.on[tag]
        if tag in _LIGHT:
            return compute(self, value, file, scope, env)
        key = -(file.bind_base + index) if not env else (file.base, index, env)
        return self.remembered(key, compute, self, value, file, scope, env)

    def either(self, binds: Sequence[int], file: File, env: int) -> Values:
        """The values of several definitions."""
        if len(binds) == 1:
            return self.bind(binds[0], file, env)
        return union([self.bind(index, file, env) for index in binds])

    def on_phi(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return self.either(expr[1], file, env)

    def on_prefer(self, expr: Any, file: File, scope: int, env: int) -> Values:
        first = self.bind(expr[1][0], file, env)
        if any(is_local(value) for value in first):
            return first
        return union([first, *(self.bind(index, file, env) for index in expr[1][1:])])

    def on_any(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return union([self.ev(part, file, scope, env) for part in expr[1]])

    def on_else(self, expr: Any, file: File, scope: int, env: int) -> Values:
        first = self.ev(expr[1], file, scope, env)
        if any(is_local(value) for value in first):
            return first
        return union([first, self.ev(expr[2], file, scope, env)])

    def on_def(self, expr: Any, file: File, scope: int, env: int) -> Values:
        gid = file.base + expr[1]
        if file.symbols[expr[1]][KIND] in ("class", "interface", "namespace"):
            return (("C", gid),)
        return (("F", gid, env),)

    def on_import(self, expr: Any, file: File, scope: int, env: int) -> Values:
        paths = file.rules.resolve(expr[1], file.path, self.program)
        if paths is None:
            return (("X", expr[1]),)
        if file.rules.has_exports:
            return (*self.whole_export(paths), ("M", paths))
        return (("M", paths),)

    def whole_export(self, paths: tuple[str, ...]) -> Values:
        """What a module is as a whole where its code says so (``module.exports = e``)."""
        return self.remembered((paths, "="), Evaluator._whole_export, self, paths)

    def _whole_export(self, paths: tuple[str, ...]) -> Values:
        files = [file for path in paths if (file := self.program.file(path)) is not None]
        return union(
            [self.ev(e, file, 0, 0) for file in files for name, e in file.facts["exports"] if name == "="]
        )

    def on_box(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return (("K", self.box(expr, file, scope, env)),)

    def on_args(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return self.ev(expr[1], file, scope, env)

    def box(self, expr: Expr, file: File, scope: int, env: int) -> int:
        """The number of what that expression makes in that context."""
        key = (id(expr), env)
        number = self.box_numbers.get(key)
        if number is None:
            number = self.box_numbers[key] = len(self.boxes)
            self.boxes.append((expr, file, scope, env))
        return number

    # types

    def on_inst(self, expr: Any, file: File, scope: int, env: int) -> Values:
        """Values of a type."""
        type_ = expr[1]
        if type_ is None:
            return ()
        tag = type_[0]
        if tag == "any":
            return union([self.on_inst(("inst", part), file, scope, env) for part in type_[1]])
        if tag == "class":
            return self.ev(type_[1], file, scope, env)
        if tag == "paramof":
            return self.parameter_type(type_, file, scope, env)
        if tag == "functype":
            return (("T", self.box(type_, file, scope, env)),)
        made = union(map(self.instance, self.ev(type_, file, scope, env)))
        if tag != "args":
            return made
        if not any(value[0] == "I" for value in made):
            return (("T", self.box(type_, file, scope, env)),)
        return self.with_arguments(made, type_[2], file, scope, env) if file.rules.type_arguments else made

    def parameter_type(self, expr: Any, file: File, scope: int, env: int) -> Values:
        """Values of the type that a function type gives its k-th parameter."""
        found: list[Values] = []
        for value in self.on_inst(("inst", expr[1]), file, scope, env):
            made = self.boxes[value[1]] if value[0] == "T" else None
            if made is not None and made[0] is not None and made[0][0] == "functype" and len(made[0]) > 2:
                types = made[0][2]
                if expr[2] < len(types):
                    found.append(self.on_inst(("inst", types[expr[2]]), *made[1:]))
        return union(found)

    def constructs(self, gid: int) -> bool:
        """Whether the function makes objects when it is called with ``new``."""
        file, index = self.program.where(gid)
        return file.rules.functions_construct and file.symbols[index][KIND] not in ("class", "interface")

    def instance(self, value: Value) -> Values:
        """A value of the type ``value``."""
        if value[0] == "C" or (value[0] in ("F", "B") and self.constructs(value[1])):
            return (("I", value[1], 0),)
        if value[0] == "l":
            return (("L", value[1]),)
        if value[0] == "t":
            return (value[1],)
        return OUTSIDE if value[0] == "X" else ((value,) if value[0] == "T" else ())

    def on_bound(self, expr: Any, file: File, scope: int, env: int) -> Values:
        receivers = self.ev(expr[2], file, scope, env)
        found = [
            tuple(("B", value[1], value[2], receiver) for receiver in receivers)
            if value[0] in ("F", "B") and receivers
            else (value,)
            for value in self.ev(expr[1], file, scope, env)
        ]
        return union(found)

    def on_this(self, expr: Any, file: File, scope: int, env: int) -> Values:
        return self.receiver(file, file.method_of(scope), env)

    def receiver(self, file: File, method: int, env: int) -> Values:
        """What ``this`` is in the method: the receiver of the context, else an instance of its class and
        the known receivers."""
        gid = file.base + method
        if env:
            context = self.contexts[self.context_of(gid, env)]
            if context is not None and context.receiver is not None:
                return (context.receiver,)
        return self.remembered(("this", gid), Evaluator._receivers, self, gid, file, method)

    def _receivers(self, gid: int, file: File, method: int) -> Values:
        self.consult(gid)
        flags = file.symbols[method][FLAGS]
        own = [self.own_receiver(cls, flags) for cls in self.class_of_method(file, method)]
        flowing = [call.receiver for call in self.flows.get(gid, ()) if call.receiver is not None]
        found = tuple(dict.fromkeys((*own, *flowing)))
        if len(found) > MANY and own:
            return tuple(own)  # what its class says is worth more than that they are many
        return found if len(found) <= MANY else narrowed_to_many(found)

    def own_receiver(self, cls: int, flags: int) -> Value:
        """What `self` is in a method of a class, called from anywhere: the class itself or an instance."""
        return ("C", cls) if flags & (CLASS_LEVEL | STATIC) else ("I", cls, 0)

    def watch(self, gid: int) -> None:
        """Edges depend on who calls ``gid``; of a class: on whether instances have type arguments."""

    def class_of_method(self, file: File, method: int) -> list[int]:
        """The classes that the method belongs to (several only where a type's name is ambiguous)."""
        row = file.symbols[method]
        if row[OWNER] is not None:
            owners = self.ev(row[OWNER], file, row[PARENT], 0)
            return [v[1] for v in owners if v[0] == "C" or (v[0] in ("F", "B") and self.constructs(v[1]))]
        parent = row[PARENT]
        if parent >= 0 and file.symbols[parent][KIND] in ("class", "interface"):
            return [file.base + parent]
        if file.rules.functions_construct and row[KIND] == "function":
            return [file.base + method]
        return []

    def bare_call(self, method: Value) -> Call:
        """A call of a bound method that the language makes by itself, without arguments."""
        gid, receiver = method[1], method[3]
        call = self.bare_calls.get((gid, receiver))
        if call is None:
            file, index = self.program.where(gid)
            call = self.bare_calls[gid, receiver] = Call(
                ("call", ("def", index), (), ()), file, 0, 0, receiver
            )
        return call


__all__ = ["EXTERNAL", "Call", "Evaluator"]
