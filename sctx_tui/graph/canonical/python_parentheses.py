"""Parentheses of Python: which of them no operator needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.stream import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

OPENED, CLOSED = b"\x10", b"\x11"  # parentheses that go, but not before line ends within them are gone

_PRIMARY = 16
_BINARY = {
    "|": 7, "^": 8, "&": 9, "<<": 10, ">>": 10, "+": 11, "-": 11,
    "*": 12, "/": 12, "//": 12, "%": 12, "@": 12, "**": 14, "or": 3, "and": 4,
}  # fmt: skip
_STRENGTH = {
    "yield": 0,
    "named_expression": 0,
    "lambda": 1,
    "conditional_expression": 2,
    "not_operator": 5,
    "comparison_operator": 6,
    "unary_operator": 13,
    "await": 15,
}
"""How tightly an expression holds together (Python reference 6.17); all others are primaries."""

_LIMITS = {
    "comparison_operator": (7,),
    "not_operator": (5,),
    "unary_operator": (13,),
    "await": (_PRIMARY,),
    "conditional_expression": (3, 3, 1),
    "lambda": (1,),
    "for_in_clause": (0, 3),
    "if_clause": (3,),
    "interpolation": (2,),
}
"""How tightly each operand must hold together without parentheses; the last number is for all that follow."""

_TRAILER = re.compile(rb"(?:\s|\\|#[^\n]*)*+[.(\[]")


def parentheses(source: bytes, nodes: list[Node], operations: list[Node], result: list[Edit]) -> None:
    """Takes out all parentheses that no operator needs."""
    needed = {operand.start_byte for operation in operations for operand in _weak_operands(operation)}
    for node in nodes:
        start, end = node.start_byte, node.end_byte
        if start not in needed and not _is_called(source, node, end):
            result += ((start, start + 1, OPENED), (end - 1, end, CLOSED))


def _is_called(source: bytes, node: Node, end: int) -> bool:
    """Whether ``.name``, ``(arguments)`` or ``[index]`` acts on something weaker than a primary."""
    found = _TRAILER.match(source, end)
    if not found or _strength(node) >= _PRIMARY:
        return False
    if stream.NEWLINE not in found.group():
        return True
    parent = node.parent  # the bracket may as well begin the next statement
    return parent is not None and parent.type in ("attribute", "call", "subscript")


def _weak_operands(operation: Node) -> list[Node]:
    """The parenthesised operands that would fall apart without their parentheses."""
    operands = [node for node in operation.named_children if node.type != "comment"]
    limits = _LIMITS.get(operation.type)
    if operation.type == "if_clause" and (parent := operation.parent) and parent.type == "case_clause":
        limits = (0,)  # a guard is an expression of any kind, the condition of a comprehension is not
    if limits is None:
        operator = _operator(operation)
        level = _BINARY.get(operator, _PRIMARY)
        # `(a or b) or c` is another tree than `a or b or c`; a power binds from the right
        before = 15 if operator == "**" else level + 1 if operator in ("or", "and") else level
        limits = (before, 13 if operator == "**" else level + 1)
    last = len(limits) - 1
    return [
        operand
        for index, operand in enumerate(operands)
        if operand.type == "parenthesized_expression" and _strength(operand) < limits[min(index, last)]
    ]


def _operator(operation: Node) -> str:
    operator = operation.child_by_field_name("operator")
    return operator.type if operator else ""


def _strength(operand: Node) -> int:
    node = stream.unwrapped(operand)
    if node.type in ("binary_operator", "boolean_operator"):
        return _BINARY.get(_operator(node), 0)
    return _STRENGTH.get(node.type, _PRIMARY)
