"""Rust: what runs without being named as a method: operators, loops, conversions to an expected type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import IMPLICIT, Expr
from sctx_tui.graph.languages.rust_expressions import NUMBER, TEXT, Expressions

if TYPE_CHECKING:
    from tree_sitter import Node

ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "rem",
    "&": "bitand",
    "|": "bitor",
    "^": "bitxor",
    "<<": "shl",
    ">>": "shr",
}
# What `!=` and the comparisons do where a type has nothing else for them.
COMPARISON = {"==": "eq", "!=": "eq", **dict.fromkeys(("<", "<=", ">", ">="), "partial_cmp")}
UNARY = {"-": "neg", "!": "not"}
# Methods that make what is expected of them, and what of the expected type does it.
CONVERSIONS = {"into": "from", "try_into": "try_from", "parse": "from_str", "collect": "from_iter"}
# What may stand around a conversion without changing what is expected of it.
_AROUND = ("try_expression", "await_expression", "parenthesized_expression", "reference_expression")
_UNWRAPS = frozenset(("unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "map_err"))


class Operators(Expressions):
    """Reports calls that operators and conversions make."""

    def implicit(self, node: Node, base: Expr, name: str, *args: Expr) -> Expr:
        """A call of a method that the language makes by itself, where the receiver may have one."""
        if base is None or base[0] == "const" or base in (NUMBER, TEXT):
            return None
        return self.rec.call(self.line(node), ("call", ("attr", base, name), args, ()), IMPLICIT)

    def on_binary_expression(self, node: Node) -> Expr:
        left = self.expr(node.child_by_field_id(self.at.left))
        right = self.expr(node.child_by_field_id(self.at.right))
        operator = self.text(node.child_by_field_id(self.at.operator))
        if operator in ARITHMETIC:
            return self.implicit(node, left, ARITHMETIC[operator], right)
        if operator in COMPARISON:
            self.implicit(node, left, COMPARISON[operator], right)
        return None

    def on_compound_assignment_expr(self, node: Node) -> Expr:
        left = self.expr(node.child_by_field_id(self.at.left))
        right = self.expr(node.child_by_field_id(self.at.right))
        operator = self.text(node.child_by_field_id(self.at.operator)).removesuffix("=")
        if operator in ARITHMETIC:
            self.implicit(node, left, f"{ARITHMETIC[operator]}_assign", right)
        return None

    def on_unary_expression(self, node: Node) -> Expr:
        value = self.inner(node)
        name = UNARY.get(node.children[0].type)
        return self.implicit(node, value, name) or value if name is not None else value

    def on_index_expression(self, node: Node) -> Expr:
        values = [self.expr(child) for child in node.named_children]
        if len(values) != 2:
            return None
        self.implicit(node, values[0], "index", values[1])
        return self.rec.item(values[0], values[1])

    def iterated(self, node: Node, value: Expr) -> Expr:
        """What ``for`` takes from a value: it calls `into_iter` once, and `next` of what that gives."""
        made = self.implicit(node, value, "into_iter")
        if made is None:
            return None
        self.implicit(node, ("any", (made, value)), "next")
        return ("elem", value)

    def converted(self, node: Node | None, type_: Expr) -> bool:
        """Whether an expression makes what is expected of it, and if so the call of the type's method."""
        while node is not None:
            if node.type in _AROUND:
                node = node.named_child(0)
                continue
            if node.type != "call_expression":
                return False
            function = node.child_by_field_id(self.at.function)
            if function is None or function.type != "field_expression":
                break
            name = self.text(function.child_by_field_id(self.at.field))
            if name in CONVERSIONS:
                self.implicit(node, type_, CONVERSIONS[name])
                return name != "collect"
            if name not in _UNWRAPS:
                return False
            node = function.child_by_field_id(self.at.value)
        if node is not None and self.text(node) == "Default::default()":
            self.implicit(node, type_, "default")
            return True
        return False
