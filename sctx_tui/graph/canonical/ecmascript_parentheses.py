"""Parentheses of JavaScript and TypeScript: which of them no operator and no statement needs."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.ecmascript_literals import SPACE
from sctx_tui.graph.canonical.stream import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

_PRIMARY = 17
_BINARY = {
    "??": 3, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "===": 8, "!==": 8,
    "<": 9, ">": 9, "<=": 9, ">=": 9, "instanceof": 9, "in": 9, "<<": 10, ">>": 10, ">>>": 10,
    "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 13,
}  # fmt: skip
_SETS = ("union_type", "intersection_type")
_TYPE_OPERATORS = ("|", "&", "<")
_LOGICAL = ("&&", "||", "??")  # `a && (b && c)` is `a && b && c`
_STRENGTH = {
    "sequence_expression": 0,
    "yield_expression": 1,
    "arrow_function": 1,
    "assignment_expression": 1,
    "augmented_assignment_expression": 1,
    "ternary_expression": 2,
    "as_expression": 9,
    "satisfies_expression": 9,
    "unary_expression": 14,
    "await_expression": 14,
    "type_assertion": 14,
    "update_expression": 15,
    "conditional_type": 0,
    "function_type": 0,
    "constructor_type": 0,
    "infer_type": 1,
    "union_type": 2,
    "intersection_type": 3,
    "index_type_query": 4,
    "readonly_type": 4,
}
"""How tightly an expression, or a type, holds together (ECMA-262 clause 13); all others are primaries."""

_LIMITS = {
    "unary_expression": (14,),
    "await_expression": (14,),
    "type_assertion": (0, 14),
    "ternary_expression": (3, 1),
    "as_expression": (9, 0),
    "satisfies_expression": (9, 0),
    "new_expression": (_PRIMARY, 0),
    "class_heritage": (_PRIMARY,),
    "extends_clause": (_PRIMARY,),
    "decorator": (_PRIMARY,),
    "union_type": (3,),
    "intersection_type": (4,),
    "index_type_query": (4,),
    "readonly_type": (4,),
    "conditional_type": (2, 2, 0),
    "rest_type": (0,),
    "optional_type": (0,),
}
"""How tightly each operand must hold together without parentheses; the last number is for all that follow."""

_ROOMY = (
    "expression_statement", "return_statement", "throw_statement", "for_statement", "template_substitution",
    "jsx_expression",
    "parenthesized_expression",
)  # fmt: skip
_OPENING = ord("(")
_TRAILER = re.compile(rb"(?:" + SPACE + rb")*+(?:[.(\[`]|\?\.)|[ \t]*!(?!=)")
_STARTING = b"({fcal/ \t\r\n"
_STARTER = re.compile(rb"\((?:\(|" + SPACE + rb")*+(?:\{|(?:function|class|async\s+function)\b|let\s*\[)")
_start = itemgetter(0)


def parentheses(source: bytes, found: stream.Found, broken_off: list[int], result: list[Edit]) -> None:
    """Takes out all parentheses that neither a statement nor an operator needs."""
    nodes = found("parentheses")
    if not nodes:
        return
    fixed = {node.start_byte for node in found("fixed")}
    kept = {node.start_byte for node in found("body") if stream.unwrapped(node).type == "object"}
    kept.update(
        operand.start_byte for operation in found("operation") for operand in _weak_operands(operation)
    )
    starters = []
    inside: dict[int, Node] = {}  # what each holds: inner ones are seen first, none is searched twice
    for start, end, node in sorted(((*node.byte_range, node) for node in nodes), key=_start, reverse=True):
        if start in fixed:
            continue
        # only the outermost one can begin a statement
        if source[start + 1] in _STARTING and source[start - 1] != _OPENING and _STARTER.match(source, start):
            starters.append(start)
        child = node.named_child(0) or node
        if child.is_extra:
            child = next((child for child in node.named_children if not child.is_extra), node)
        inner = inside[start] = inside.get(child.start_byte, child) if child.type == node.type else child
        if start in kept:
            continue
        trailer = _TRAILER.match(source, end)
        if (trailer and _is_weak(inner, trailer[0][-2:])) or (
            inner.type == "sequence_expression" and not _has_room(node)
        ):
            continue
        result += ((start, start + 1, b" "), (end - 1, end, b" "))
    if starters:
        statements = {node.start_byte for node in found("end") if node.type == "expression_statement"}
        statements.update(broken_off, [node.start_byte for node in found("exported")])
        result += [(start, start, b"(") for start in starters if start in statements]


def _has_room(node: Node) -> bool:
    """Whether a comma operator may stand here without parentheses."""
    parent = node.parent
    if parent is None or parent.type in _ROOMY:
        return True
    return parent.type == "subscript_expression" and parent.child_by_field_name("object") != node


def _is_weak(inner: Node, trailer: bytes) -> bool:
    """Whether ``.name``, ``(arguments)`` and the like would mean another thing without the parentheses."""
    if inner.type == "number":
        return trailer.endswith(b".")
    return _strength(inner) < _PRIMARY or (trailer != b"?." and _has(inner, "optional_chain"))


def _has(node: Node | None, what: str) -> bool:
    """Whether there is an optional link, or a call, in a chain of members and calls."""
    while node is not None:
        if node.type == what or node.child_by_field_name(what) is not None:
            return True
        if node.type == "non_null_expression":
            node = node.named_child(0)
        else:
            node = node.child_by_field_name("object") or node.child_by_field_name("function")
    return False


def has_bracketed_call(node: Node | None) -> bool:
    """Whether a chain of members begins with parentheses that have a call in them."""
    while node is not None and node.type != "parenthesized_expression":
        node = node.child_by_field_name("object")
    return node is not None and _has(stream.unwrapped(node), "call_expression")


def _weak_operands(operation: Node) -> list[Node]:
    """The parenthesised operands that would fall apart without their parentheses."""
    operands = [node for node in operation.named_children if not node.is_extra]
    limits = _LIMITS.get(operation.type)
    operator = ""
    if limits is None:
        operator = _operator(operation)
        level = _BINARY.get(operator, _PRIMARY)
        limits = (15, 13) if operator == "**" else (level, level + 1)
    weak = []
    for index, operand in enumerate(operands):
        if operand.type == "parenthesized_expression":
            inner = stream.unwrapped(operand)
            limit = limits[min(index, len(limits) - 1)]
            is_chain = operator in _LOGICAL and _operator(inner) == operator
            if (
                (_strength(inner) < limit and not is_chain)
                or (operation.type == "new_expression" and _has(inner, "call_expression"))
                or (operator in _TYPE_OPERATORS and index == 0 and _ends_in_type(inner))
            ):
                weak.append(operand)
    return weak


def _ends_in_type(node: Node | None) -> bool:
    """Whether what follows could go on with a type: ``(a as B) | c`` is not ``a as B | c``."""
    while node is not None and node.type in ("binary_expression", "unary_expression", "await_expression"):
        node = node.named_child(node.named_child_count - 1)
    return node is not None and node.type in ("as_expression", "satisfies_expression")


def _operator(operation: Node) -> str:
    operator = operation.child_by_field_name("operator")
    return operator.type if operator else ""


def _strength(node: Node) -> int:
    if node.type == "binary_expression":
        return _BINARY.get(_operator(node), 0)
    return _STRENGTH.get(node.type, _PRIMARY)


def _is_whole(operation: Node) -> bool:
    """Whether a union or intersection is not the first part of a longer one."""
    return operation.parent is None or operation.parent.type not in _SETS


def _may_be_extended(source: bytes, operation: Node, operand: Node) -> bool:
    """Whether ``A extends (() => B) ? C : D`` reads alike without its parentheses."""
    return (
        operation.type == "conditional_type"
        and operand.type in ("function_type", "constructor_type")
        and b"extends" not in source[operand.start_byte : operand.end_byte]
    )


def type_parentheses(source: bytes, nodes: list[Node], operations: list[Node], result: list[Edit]) -> None:
    """The same for types: ``(A | B)[]`` needs them, ``x: (A | B)`` does not."""
    kept = set()
    for operation in operations:
        limits = _LIMITS.get(operation.type, (5,))
        operands = [node for node in operation.named_children if not node.is_extra]
        if len(operands) == 1 and operation.type in _SETS and _is_whole(operation):
            continue  # `| A`
        for index, operand in enumerate(operands):
            if operand.type == "parenthesized_type":
                inner = operand
                while inner.type == "parenthesized_type" and inner.named_child_count:
                    inner = next((child for child in inner.named_children if not child.is_extra), operation)
                if index == 1 and _may_be_extended(source, operation, inner):
                    continue
                if _STRENGTH.get(inner.type, _PRIMARY) < limits[min(index, len(limits) - 1)]:
                    kept.add(operand.start_byte)
    for node in nodes:
        start, end = node.byte_range
        if start not in kept:
            result += ((start, start + 1, b" "), (end - 1, end, b" "))
