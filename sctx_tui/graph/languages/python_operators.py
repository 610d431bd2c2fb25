"""Python operators and conditions: which methods they run, what a condition says about a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, Expr
from sctx_tui.graph.languages.python_expressions import DEEP, LITERAL, STR
from sctx_tui.graph.languages.python_strings import Strings

if TYPE_CHECKING:
    from tree_sitter import Node

OPERATORS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "@": "__matmul__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
    "==": "__eq__",
    "!=": "__ne__",
}
#: What the other operand runs where one has no such method (data model of the language reference).
REFLECTED = {
    **{name: name.replace("__", "__r", 1) for name in list(OPERATORS.values())[:13]},
    "__lt__": "__gt__",
    "__le__": "__ge__",
    "__gt__": "__lt__",
    "__ge__": "__le__",
    "__eq__": "__eq__",
    "__ne__": "__ne__",
}
UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


def given_to(right: Expr) -> tuple[Expr, ...]:
    """What ``template % right`` fills in."""
    items: tuple[Expr, ...] = right[1] if right is not None and right[0] == "list" else (right,)
    return items


def texts_of(expr: Any) -> tuple[Expr, ...]:
    """The parts of a text that is put together."""
    parts: tuple[Expr, ...] = expr[1] if expr[0] == "concat" else (expr,)
    return parts


class Operators(Strings):
    """Operators, conditional expressions and ``isinstance``."""

    # operators

    def on_binary_operator(self, node: Node) -> Expr:
        spine = [node]
        left = node.child_by_field_id(self.at.left)
        while left is not None and left.kind_id == node.kind_id:
            spine.append(left)
            left = left.child_by_field_id(self.at.left)
        value = self.expr(left)
        for step, here in enumerate(reversed(spine)):
            right = self.expr(here.child_by_field_id(self.at.right))
            operator = here.child_by_field_id(self.at.operator)
            value = self.operation(here, value, operator.type if operator else "", right)
            if step >= DEEP:
                value = None
        return value

    def operation(self, node: Node, left: Expr, operator: str, right: Expr) -> Expr:
        """What a binary operator gives, and the special method that it may call."""
        if operator == "%" and self.is_text(left):
            return self.formatted(node, left, given_to(right), "__str__")
        if operator == "+" and left is not None and right is not None:
            if left[0] == right[0] == "const" and type(left[1]) is type(right[1]):
                return self.constant(self.spelt(left) + self.spelt(right))
            if left[0] in ("list", "iter", "any"):
                return ("any", (left, right))
            if self.is_text(left) or self.is_text(right):
                return self.joined([*texts_of(left), *texts_of(right)])
        if operator == "|" and left is not None and right is not None and "dict" in (left[0], right[0]):
            return ("dict", ((("**",), left), (("**",), right)))
        return self.operated(node, OPERATORS.get(operator), left, right)

    def operated(self, node: Node, method: str | None, left: Expr, right: Expr) -> Expr:
        """The special method of the left operand; that of the right one beside a literal, and where an
        object that was made here is beside one without such a method."""
        if method is None:
            return None
        if left is None or left[0] in ("const", "inst", "list", "dict", "iter"):
            return (
                self.implicit(node, right, REFLECTED[method], (left,))
                if left or self.is_made(right)
                else None
            )
        if self.is_made(right):
            callee = ("else", ("attr", left, method), ("attr", right, REFLECTED[method]))
            return self.rec.call(self.line(node), ("call", callee, (("any", (right, left)),), ()), IMPLICIT)
        return self.implicit(node, left, method, (right,))

    def is_text(self, expr: Expr) -> bool:
        """Whether an Expr is surely a string."""
        return expr == STR or (expr is not None and expr[0] == "concat") or self.known_text(expr) is not None

    def on_comparison_operator(self, node: Node) -> Expr:
        operands = [self.expr(child) for child in self.parts(node)]
        operators = [child.type for child in node.children_by_field_id(self.at.operators)]
        for left, operator, right in zip(operands, operators, operands[1:], strict=False):
            if operator in ("in", "not in"):
                self.implicit(node, right, "__contains__", (left,))
                self.shown(node, left, "__eq__")
            else:
                self.operated(node, OPERATORS.get(operator), left, right)
        return None

    def on_unary_operator(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.argument))
        operator = node.child_by_field_id(self.at.operator)
        sign = operator.type if operator else ""
        if sign == "-" and value is not None and value[0] == "const" and type(value[1]) is int:
            return self.constant(-value[1])
        return self.implicit(node, value, UNARY.get(sign, "__neg__"))

    def on_not_operator(self, node: Node) -> Expr:
        self.condition(node.child_by_field_id(self.at.argument))
        return LITERAL["true"]

    def condition(self, node: Node | None) -> Expr:
        """An expression whose truth is asked for."""
        value = self.expr(node)
        if node is not None and value is not None:
            self.shown(node, value, "__bool__")
        return value

    def on_boolean_operator(self, node: Node) -> Expr:
        left_node, right_node = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        left = self.condition(left_node)
        operator = node.child_by_field_id(self.at.operator)
        narrowed = self.narrowed(left_node, operator is not None and operator.type == "and")
        saved = self.assume(narrowed)
        right = self.expr(right_node)
        self.forget(saved)
        return ("any", (left, right)) if left != right else left

    def on_conditional_expression(self, node: Node) -> Expr:
        parts = self.parts(node)
        if len(parts) != 3:
            return None
        body, condition, other = parts
        self.condition(condition)
        saved = self.assume(self.narrowed(condition, True))
        value = self.expr(body)
        self.forget(saved)
        saved = self.assume(self.narrowed(condition, False))
        otherwise = self.expr(other)
        self.forget(saved)
        return ("any", (value, otherwise))

    # narrowing: isinstance(x, C)

    def narrowed(self, node: Node | None, truth: bool) -> list[tuple[str, Expr]]:
        """Names that are instances of a known type where the condition ``node`` has the value ``truth``."""
        found: list[tuple[str, Expr]] = []
        while node is not None:
            kind = node.type
            if kind == "parenthesized_expression":
                parts = self.parts(node)
                node = parts[0] if parts else None
            elif kind == "not_operator":
                node, truth = node.child_by_field_id(self.at.argument), not truth
            elif kind == "boolean_operator":
                operator = node.child_by_field_id(self.at.operator)
                if (operator is not None and operator.type == "and") is not truth:
                    return found
                found += self.narrowed(node.child_by_field_id(self.at.right), truth)
                node = node.child_by_field_id(self.at.left)
            else:
                if kind == "call" and truth:
                    found += self.is_instance(node)
                return found
        return found

    def is_instance(self, node: Node) -> list[tuple[str, Expr]]:
        """What `isinstance(name, classes)` says of a name where it holds; nothing for other conditions."""
        raw = node.text or b""
        if not raw.startswith(b"isinstance"):
            return []
        arguments = node.child_by_field_id(self.at.arguments)
        parts = self.parts(arguments) if arguments is not None else []
        if len(parts) != 2 or parts[0].kind_id != self.identifier:
            return []
        name = self.text(parts[0])
        if self.rec.reaching(name) is None:
            return []
        classes = self.parts(parts[1]) if parts[1].type == "tuple" else [parts[1]]
        types = [self.type_name(child) for child in classes]
        return [(name, ("narrow", self.rec.use(name), ("any", tuple(types)) if len(types) > 1 else types[0]))]

    def assume(self, narrowed: list[tuple[str, Expr]]) -> list[tuple[str, int | None]]:
        """Binds narrowed names; give the result to ``forget`` where the condition no longer holds."""
        saved = [(name, self.rec.reaching(name)) for name, _ in narrowed]
        for name, value in narrowed:
            self.rec.bind(name, value)
        return saved

    def forget(self, saved: list[tuple[str, int | None]]) -> None:
        """Undo what held for names within a condition."""
        for name, bind in saved:
            self.rec.unshadow(name, bind)
