"""Rust: macros, whose arguments and bodies the grammar leaves as tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, Expr
from sctx_tui.graph.languages.rust_expressions import TEXT
from sctx_tui.graph.languages.rust_operators import Operators
from sctx_tui.graph.languages.rust_types import words

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TOKEN_DEPTH = 30
#: Macros that call macros, beyond which no body is looked at.
MAX_EXPANSIONS = 3
# Macros that show what they are given.
FORMATS = words(
    "print println eprint eprintln format format_args write writeln panic todo unreachable unimplemented"
    " error warn info debug trace log bail anyhow"
)
# A placeholder of a format string: a name, or nothing; how it is shown.
_PLACEHOLDER = re.compile(r"\{\s*([^\W\d]\w*|\d*)\s*(?::([^{}]*))?\}")
DISPLAY, DEBUG = ("import", "std::fmt::Display"), ("import", "std::fmt::Debug")


class Macros(Operators):
    """Finds the calls in a macro's arguments, and in its body where this file has it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.macros: dict[str, list[Node]] = {}  # rules of the macros that were defined so far
        self.given: dict[str, Expr] = {}  # what the variables of the macro that is looked into stand for
        self.called_at = 0  # the line of its call; 0 outside of macros
        self.expansions = 0

    def on_macro_definition(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        self.macros[name] = [rule for rule in node.named_children if rule.type == "macro_rule"]
        return None

    def on_macro_invocation(self, node: Node) -> Expr:
        tree = next((child for child in node.named_children if child.type == "token_tree"), None)
        name = self.text(node.child_by_field_id(self.at.macro)).rpartition("::")[2]
        values = self.tokens(tree) if tree is not None else []
        if name in self.macros and self.rec.kind() in ("function", "method", "lambda"):
            return self.expand(node, self.macros[name], values)
        if name in FORMATS and tree is not None and len(values) > 0:
            self.formatted(tree, values)
        return ("list", tuple(values)) if name == "vec" else None

    def line(self, node: Node) -> int:
        """The line of a node; of what a macro's body says, that of the macro's call."""
        return self.called_at or int(node.start_point[0]) + 1

    def expand(self, node: Node, rules: list[Node], values: list[Expr]) -> Expr:
        """The calls in the body of a macro's rule, which are made where the macro is called."""
        if not rules or self.expansions >= MAX_EXPANSIONS:
            return None
        variables = [variables_of(rule) for rule in rules]
        chosen = next((at for at, names in enumerate(variables) if len(names) == len(values)), 0)
        body = rules[chosen].child_by_field_id(self.at.right)
        saved = self.given, self.called_at
        self.called_at = self.line(node)
        names = [self.text(name) for name in variables[chosen]]
        self.given = dict(zip(names, values, strict=False))
        self.expansions += 1
        made = self.tokens(body) if body is not None else []
        self.expansions -= 1
        self.given, self.called_at = saved
        return made[-1] if made else None

    def tokens(self, tree: Node, depth: int = 0) -> list[Expr]:
        """Calls in a macro's tokens; what the arguments are."""
        values: list[Expr] = []
        here: Any = None
        after = ""
        for child in tree.children:
            kind = child.type
            if kind in ("identifier", "self", "crate", "super", "primitive_type", "metavariable"):
                name = self.text(child)
                if after in (".", "::"):
                    here = ("attr", here, name) if here is not None else None
                elif kind == "metavariable":
                    here = self.given.get(name)
                else:
                    here = self.expr(child) if kind in ("identifier", "self") else self.path(child)
                after = "name"
            elif kind == "token_tree":
                inner = tuple(self.tokens(child, depth + 1)) if depth < MAX_TOKEN_DEPTH else ()
                if after == "name" and here is not None and self.source.startswith(b"(", child.start_byte):
                    here = self.called(child, here, inner)
                elif after != "!":
                    here, after = (inner[0] if len(inner) == 1 else None), "name"
            elif kind in (".", "::"):
                after = kind
            elif kind == "&" or kind == "*" or kind == "mutable_specifier":
                here, after = None, ""
            elif kind == "string_literal":
                here, after = TEXT, ""
            elif kind in ("(", ")", "[", "]", "{", "}"):
                continue
            else:
                if kind in (",", ";"):
                    values.append(here)
                here, after = None, "!" if kind == "!" else ""
        if here is not None:
            values.append(here)
        return values

    def called(self, node: Node, callee: Any, args: tuple[Expr, ...]) -> Expr:
        """A call among tokens."""
        if callee[0] == "attr" and callee[1] is not None and str(callee[2])[:1].islower():
            made = self.rec.call(self.line(node), ("call", callee, args, ()))
            if callee[1][0] == "name" and str(callee[1][1])[:1].isupper():
                return self.constructed(callee, args, made)
            return self.method_result(callee[1], callee[2], args, made)
        return self.constructed(callee, args, self.rec.call(self.line(node), ("call", callee, args, ())))

    def formatted(self, tree: Node, values: list[Expr]) -> None:
        """`println!("{} {x:?}", value)` shows its arguments: calls what `Display` or `Debug` says."""
        text, position = None, 0
        for child in tree.children:
            position += child.type == ","
            if child.type == "string_literal":
                text = self.text(child)
                break
        if text is None or "{" not in text:
            return
        rest = iter(values[position + 1 :])
        for found in _PLACEHOLDER.finditer(text.replace("{{", "").replace("}}", "")):
            name, how = found[1], found[2] or ""
            value = next(rest, None) if not name or name.isdecimal() else self.use(name)
            self.shown(tree, value, DEBUG if "?" in how else DISPLAY)

    def shown(self, node: Node, value: Expr, trait: Expr) -> None:
        """A call of `fmt` as a trait means it."""
        if value is not None and value[0] not in ("const", "list", "inst", "item"):
            self.rec.call(self.line(node), ("call", ("qualified", value, trait, "fmt"), (), ()), IMPLICIT)


def variables_of(rule: Node) -> list[Node]:
    """The variables of a macro's rule, in order."""
    pattern = rule.child_by_field_name("left")
    bindings = (
        [each for each in pattern.named_children if each.type == "token_binding_pattern"] if pattern else []
    )
    return [name for each in bindings if (name := each.child_by_field_name("name")) is not None]
