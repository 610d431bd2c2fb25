"""JavaScript and TypeScript calls, and those of the language's own functions that change what names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, OWN_THIS, Expr
from sctx_tui.graph.languages.javascript_containers import LISTENS
from sctx_tui.graph.languages.javascript_expressions import BOOL
from sctx_tui.graph.languages.javascript_names import Frame
from sctx_tui.graph.languages.javascript_properties import MIXES_AS, Properties
from sctx_tui.graph.literals import kept, specifier

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods that put an argument into their receiver: name -> (index of the key, or None; index of the value).
GROWS: dict[str, tuple[int | None, int]] = {
    "push": (None, 0),
    "unshift": (None, 0),
    "add": (None, 0),
    "fill": (None, 0),
    "set": (0, 1),
    **dict.fromkeys(LISTENS, (0, 1)),
}
#: Longest text of code in a string that is read.
LONGEST_CODE = 2000


class Calls(Properties):
    """The part of the walker that reads calls."""

    code_depth = 0  # code in strings within code in strings

    def call(self, node: Node, callee_node: Node, callee: Expr) -> Expr:
        """Records the call at ``node`` and gives its value."""
        arguments = node.child_by_field_id(self.at.arguments)
        if arguments is None:
            return None
        kind = callee_node.kind_id
        if kind in self.import_keyword:
            return self.dynamic_import(arguments)
        if kind in self.super_keyword:
            callee = ("attr", callee, "constructor") if callee is not None else None
        name = self.global_name(callee_node)
        if name == "require" and (spec := self.required(arguments)):
            self.rec.facts["imports"].append((spec, self.line(node), ()))
            return ("import", spec)
        if (
            name == ""
            and callee is not None
            and callee[-1] == "call"
            and (borrowed := self.borrowed(callee_node)) is not None
        ):
            return self.borrowed_call(node, borrowed, self.items(arguments))
        if arguments.kind_id in self.template_string:
            args: tuple[Expr, ...] = (self.on_template_strings(arguments), *self.substitutions(arguments))
        else:
            args = self.items(arguments)
        special = GLOBALS.get(name) if name else None
        if special is not None:
            made = special(self, node, args)
            if made is not None:
                return made  # type: ignore[no-any-return]
        elif callee is not None and callee[0] == "attr" and callee[2] in GROWS:
            self.grow(callee, args)
        elif callee is not None and callee[0] in MIXES_AS and self.mixes(callee):
            made = self.assign_properties(node, tuple(one for one in args if one != BOOL))
            if made is not None:
                return made
        if callee is not None and callee[0] != "attr":
            callee = self.brief(callee)
        return self.rec.call(arguments.start_point[0] + 1, ("call", callee, args, ()))

    def global_name(self, callee: Node) -> str:
        """``f`` or ``A.f`` where the callee is spelled so and the repository's file doesn't declare it; else
        ""."""
        base: Node | None = callee
        name = ""
        if callee.kind_id in self.members:
            if not self.source.startswith(HOLDERS, callee.start_byte):
                return ""
            base, part = callee.child_by_field_id(self.at.object), callee.child_by_field_id(self.at.property)
            name = "." + self.text(part) if part is not None else ""
        if base is None or base.kind_id != self.identifier:
            return ""
        name = self.text(base) + name
        if name not in GLOBALS and name != "require":
            return ""
        return name if self.owner_of(self.text(base)) is None or name in HELPERS else ""

    def borrowed(self, callee: Node) -> str | None:
        """The array method in ``Array.prototype.forEach.call`` or ``[].forEach.call``."""
        method = callee.child_by_field_id(self.at.object) if callee.kind_id in self.members else None
        name = callee.child_by_field_id(self.at.property)
        if method is None or name is None or method.kind_id not in self.members or name.text != b"call":
            return None
        owner, property_ = (
            method.child_by_field_id(self.at.object),
            method.child_by_field_id(self.at.property),
        )
        if owner is None or property_ is None or owner.text not in (b"Array.prototype", b"[]"):
            return None
        return self.text(property_)

    def borrowed_call(self, node: Node, method: str, args: tuple[Expr, ...]) -> Expr:
        """``[].map.call(list, f)`` is ``list.map(f)``."""
        callee: Expr = ("attr", self.brief(args[0]), method) if args and args[0] is not None else None
        return self.rec.call(self.line(node), ("call", callee, args[1:], ()))

    def required(self, arguments: Node) -> str:
        """The module that ``require("...")`` names."""
        first = self.first(arguments)
        value = (
            self.expr(first) if first is not None and first.type in ("string", "template_string") else None
        )
        return specifier(str(self.spelt(value))) if value is not None and value[0] == "const" else ""

    def dynamic_import(self, arguments: Node) -> Expr:
        """``import("...")``: a promise of the module."""
        spec = self.required(arguments)
        if not spec:
            self.items(arguments)
            return None
        self.rec.facts["imports"].append((spec, self.line(arguments), ()))
        return ("call", ("attr", ("name", "Promise"), "resolve"), (("import", spec),), ())

    def on_template_strings(self, node: Node) -> Expr:
        return ("list", ())

    def substitutions(self, node: Node) -> list[Expr]:
        """What stands in the `${}` of a template."""
        return [
            self.brief(self.expr(self.first(child)))
            for child in node.named_children
            if child.type == "template_substitution"
        ]

    def grow(self, callee: Any, args: tuple[Expr, ...]) -> None:
        """Container growth: ``xs.push(v)`` stores v in xs."""
        at = GROWS.get(callee[2])
        if at is None or len(args) <= at[1]:
            return
        key, index = at
        under = args[key] if key is not None else None
        if callee[2] in LISTENS:
            event = self.constant_of(under)
            under = ("const", ("on", kept(event) if event is not None else ""))
        values = args[index:] if callee[2] in ("push", "unshift") else args[index : index + 1]
        for value in values:
            if value is not None and value[0] == "star":
                value = ("elem", value[1])
            if value is not None:
                self.rec.store(("item", callee[1], under), value)

    # the language's own functions

    def define_module(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """AMD: ``define([name,] [dependencies,] factory)``; ``require([dependencies], f)``."""
        arguments = node.child_by_field_id(self.at.arguments)
        if not args or arguments is None:
            return None
        factory = args[-1]
        dependencies: list[Expr] = [("name", "require"), self.exports, None]
        listed = self.shown(args[-2]) if len(args) > 1 else None
        if listed is not None and listed[0] == "list":
            dependencies = []
            for item in listed[1]:
                spec = self.spelt(item) if item is not None and item[0] == "const" else ""
                if spec in ("require", "exports", "module") or not isinstance(spec, str) or not spec:
                    dependencies.append(self.exports if spec == "exports" else None)
                    self.uses_exports |= spec == "exports"
                    continue
                spec = specifier(spec)
                self.rec.facts["imports"].append((spec, self.line(node), ()))
                dependencies.append(("import", spec))
        shown = self.shown(factory)
        if shown is None or shown[0] not in ("def", "dict"):
            return None
        made: Expr = factory
        if shown[0] == "def":
            call: Expr = ("call", factory, tuple(dependencies), ())
            made = self.slot(self.rec.call(self.line(node), call, IMPLICIT))
        self.uses_exports = True
        self.assign_name("exports", ("any", (self.exports, made)))
        return made

    # code in strings

    def evaluated(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``eval("code")``: the code runs here."""
        code = self.constant_of(args[0]) if args else None
        if code is not None:
            self.walk_code(code)
        return None

    def timed(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``setTimeout(f)`` calls f; ``setTimeout("code")`` runs the code."""
        self.evaluated(node, args[:1])
        return None

    def made_function(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``new Function("a", "code")``: a function of the global scope."""
        code = self.constant_of(args[-1]) if args else None
        if code is None or self.code_depth:
            return None
        line = self.line(node)
        index = self.rec.open("", "lambda", line, line, flags=OWN_THIS)
        saved, self.frame = self.frame, Frame(index, self.frame)
        self.walk_code(code)
        self.frame = saved
        self.rec.close()
        return ("def", index)

    def walk_code(self, code: str) -> None:
        """Walks code that stands in a string as if it stood here (its lines are counted from 1)."""
        from sctx_tui.graph.extract import parse

        if self.code_depth or len(code) > LONGEST_CODE:
            return
        source = code.encode("utf-8", "replace")
        tree = parse(source, "javascript")
        if self.grammar != "javascript" or tree.root_node.has_error:
            return
        self.code_depth += 1
        outer, self.source = self.source, source
        for statement in tree.root_node.named_children:
            self.expr(statement)
        self.source = outer
        self.code_depth -= 1

    def on_new_expression(self, node: Node) -> Expr:
        constructor = node.child_by_field_id(self.at.constructor)
        arguments = node.child_by_field_id(self.at.arguments)
        named = constructor is not None and constructor.kind_id == self.identifier
        if (
            named
            and arguments is not None
            and constructor is not None
            and self.text(constructor) == "Function"
        ):
            return self.made_function(node, self.items(arguments))
        return super().on_new_expression(node)


#: Functions of the language (and of compilers) that are more than a call, by what they are called.
GLOBALS: dict[str, Any] = {
    "Object.assign": Calls.assign_properties,
    "Reflect.set": Calls.reflect_set,
    "Object.create": Calls.create_object,
    "Object.defineProperty": Calls.define_property,
    "Reflect.defineProperty": Calls.define_property,
    "Object.defineProperties": Calls.define_properties,
    "Object.setPrototypeOf": Calls.set_prototype_of,
    "Reflect.setPrototypeOf": Calls.set_prototype_of,
    "util.inherits": Calls.inherit_classes,
    "inherits": Calls.inherit_classes,
    "__extends": Calls.inherit_classes,
    "_inherits": Calls.inherit_classes,
    "_inheritsLoose": Calls.inherit_classes,
    "define": Calls.define_module,
    "require": Calls.define_module,
    "requirejs": Calls.define_module,
    "eval": Calls.evaluated,
    "setTimeout": Calls.timed,
    "setInterval": Calls.timed,
    "Function": Calls.made_function,
}
#: What those that are properties begin with.
HOLDERS = tuple({name.partition(".")[0].encode() for name in GLOBALS if "." in name})
#: Those that count although a file declares or imports them.
HELPERS = frozenset(
    {"util.inherits", "inherits", "__extends", "_inherits", "_inheritsLoose", "define", "requirejs"}
)
