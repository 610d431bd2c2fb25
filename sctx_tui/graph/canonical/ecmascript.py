"""JavaScript, TypeScript and JSX: equal streams for what prettier, whatever its options, prints alike.

Every statement and class member gets its semicolon; redundant parentheses, trailing commas and empty
statements go; names need no quotes; ``x => y`` is ``(x) => y``, ``new A`` is ``new A()``.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.ecmascript_literals import (
    LITERAL,
    QUOTES,
    SPACERS,
    attribute_edits,
    meaning,
    name_edits,
    numbers,
    regex_edits,
    template_edits,
    text_edits,
)
from sctx_tui.graph.canonical.stream import Edit, Locate, Spans, Stream

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = {
    "javascript": stream.patterns("ecmascript.scm", "javascript.scm", "jsx.scm"),
    "typescript": stream.patterns("ecmascript.scm", "typescript.scm")
    + "(type_assertion (parenthesized_expression)) @operation",
    "tsx": stream.patterns("ecmascript.scm", "typescript.scm", "jsx.scm"),
}

_FUSING = (b"+ +", b"- -", b"! =")  # would read as `++a`, `--a` and `a != b`
_FUSED = ((b"+++", b"++\x05+"), (b"---", b"--\x05-"))  # `a++ + b` may be written without the space

_PRIMARY = 17
_BINARY = {
    "??": 3, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "===": 8, "!==": 8,
    "<": 9, ">": 9, "<=": 9, ">=": 9, "instanceof": 9, "in": 9, "<<": 10, ">>": 10, ">>>": 10,
    "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 13,
}  # fmt: skip
_SETS = ("union_type", "intersection_type")
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
}
"""How tightly each operand must hold together without parentheses; the last number is for all that follow."""

_BLOCKS = ("program", "statement_block", "switch_case", "switch_default")
_ROOMY = (
    "expression_statement", "return_statement", "throw_statement", "for_statement", "template_substitution",
    "jsx_expression",
    "parenthesized_expression",
)  # fmt: skip
_SEMICOLON, _OPENING = b";("
_SPACE = rb"\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/"
_TRAILER = re.compile(rb"(?:" + _SPACE + rb")*+(?:[.(\[`]|\?\.)|[ \t]*!(?!=)")
_BREAK = rb")(?:[ \t]|/\*(?:[^*\n]|\*(?!/))*\*/)*+(?://|/\*|[\r\n])"
_RESTRICTED = {word: re.compile(b"(" + word + _BREAK) for word in (b"return", b"yield")}
_RESTRICTED_TYPES = ("return_statement", "yield_expression")
_LINE_COMMENT = re.compile(rb"//[^\r\n]*")
_STARTING = b"({fcal/ \t\r\n"
_STARTER = re.compile(rb"\((?:\(|" + _SPACE + rb")*+(?:\{|(?:function|class|async\s+function)\b|let\s*\[)")
_USE = re.compile(rb"use (?<=['\"]use )")
_start = itemgetter(0)
_TRAILING_COMMA = re.compile(rb",\](?<![\[,],\])")  # `[,]` and `[a,,]` have holes


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The canonical stream of code without syntax errors; what ``locate`` finds is marked."""
    found = stream.captures(root, language, PATTERNS[language])
    spans = locate(found)
    text = stream.splice(source, _edits(source, root, found, spans), spans)
    text, payloads = stream.lift(text, LITERAL, meaning, QUOTES)
    if not text.isascii():
        text = text.replace(b"\xc2\xa0", b" ").replace(b"\xef\xbb\xbf", b" ")
    text = stream.squeeze(numbers(text), _FUSING)
    for run, apart in _FUSED:
        text = text.replace(run, apart)
    text = text.replace(b",)", b")").replace(b",}", b"}").replace(b",>", b">")
    return Stream(_TRAILING_COMMA.sub(b"]", text), payloads, spans)


def _edits(source: bytes, root: Node, found: stream.Found, spans: Spans) -> list[Edit]:
    """All deviations in structure of ``source`` from its canonical spelling."""
    result = name_edits(source, found("key"))
    result += attribute_edits(source, found("attribute"))
    result += template_edits(source, found("template"))
    result += regex_edits(source, found("regex"))
    references = [node for node in found("reference") if (parent := node.parent) and parent.type != "string"]
    result += text_edits(source, [*found("text"), *references], _spacers(source, root))
    result += [(start, start, b"#") for start in _directives(source, root)]
    for node in [*found("comment"), *found("nothing")]:
        result.append((node.start_byte, node.end_byte, b" "))
    for node in found("empty"):
        if (parent := node.parent) and parent.type in _BLOCKS:
            result.append((node.start_byte, node.end_byte, b" "))
    _terminators(source, found("end"), spans, result)
    result += [(end, end, b";") for end in [node.end_byte for node in found("member")]]
    for node in found("parameter"):
        start, end = node.byte_range
        result += ((start, start, b"("), (end, end, b")"))
    for node in found("new"):
        result.append((node.end_byte, node.end_byte, b"()"))
    for node in found("constructor"):
        if _has_bracketed_call(node):  # `new (a()).b()` is `new (a().b)()`
            result += ((node.start_byte, node.start_byte, b"("), (node.end_byte, node.end_byte, b")"))
    _parentheses(source, found, _broken_off(source, root, result), result)
    _type_parentheses(source, found("parenthesized_type"), found("type_operation"), result)
    return result


def _spacers(source: bytes, root: Node) -> list[tuple[int, int]]:
    """Where a space stands between tags as an expression with a string."""
    spacers = []
    for spelling in SPACERS:
        start = source.find(spelling)
        while start >= 0:
            end = start + len(spelling)
            node = root.descendant_for_byte_range(start, end)
            if node is not None and node.type == "jsx_expression" and node.byte_range == (start, end):
                parent = node.parent
                spacers += [(start, end)] if parent and parent.type != "jsx_attribute" else []
            start = source.find(spelling, end)
    return spacers


def _terminators(source: bytes, statements: list[Node], spans: Spans, result: list[Edit]) -> None:
    """Semicolons that were left to the parser; such a statement may reach behind its last comment."""
    commented = {match.end() for match in _LINE_COMMENT.finditer(source)}
    ends = [node.end_byte for node in statements]
    for end in ends:
        if source[end - 1] != _SEMICOLON:
            result.append((end, end, b";"))
            if end in commented:
                result.append((end, end, b"\n"))
    result += [(end, end, b"\n") for end in commented.intersection([end for _, end in spans])]
    if not commented.isdisjoint(ends):
        for node, end in zip(statements, ends, strict=True):
            if source[end - 1] == _SEMICOLON and end in commented and node.children[-1].type != ";":
                result += ((end, end, b"\n"), (end, end, b";"))


def _broken_off(source: bytes, root: Node, result: list[Edit]) -> list[int]:
    """A line break after ``return`` ends the statement, not for the parser; gives where the rest begins."""
    starts = []
    for word, pattern in _RESTRICTED.items():
        for broken in pattern.finditer(source) if word in source else ():
            keyword = root.descendant_for_byte_range(broken.start(), broken.start() + 1)
            statement = keyword.parent if keyword is not None and not keyword.is_named else None
            rest = [child for child in statement.named_children if not child.is_extra] if statement else []
            if rest and statement is not None and statement.type in _RESTRICTED_TYPES:
                result.append((broken.end(1), broken.end(1), b";"))
                starts += [child.start_byte for child in rest]
    return starts


def _directives(source: bytes, root: Node) -> list[int]:
    """Where strings such as ``"use strict"`` stand in the prologue of a file or function."""
    starts: list[int] = []
    prologues: dict[int, set[int]] = {}
    for match in _USE.finditer(source):
        quote = root.descendant_for_byte_range(match.start() - 1, match.start())
        string = quote.parent if quote else None
        statement = string.parent if string and string.type == "string" else None
        block = statement.parent if statement and statement.type == "expression_statement" else None
        if statement is None or block is None:
            continue
        if block.id not in prologues:
            prologues[block.id] = _prologue(block)
        if statement.start_byte in prologues[block.id]:
            starts.append(statement.start_byte)
    return starts


def _prologue(block: Node) -> set[int]:
    """Where the strings begin that open a file or the body of a function."""
    owner = block.parent
    if block.type not in ("program", "statement_block") or (
        owner is not None and not any(owner.child_by_field_name(name) for name in ("parameters", "parameter"))
    ):
        return set()
    starts = set()
    for node in block.named_children:
        if node.type == "expression_statement" and node.named_children[0].type == "string":
            starts.add(node.start_byte)
        elif not node.is_extra:
            break
    return starts


def _parentheses(source: bytes, found: stream.Found, broken_off: list[int], result: list[Edit]) -> None:
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


def _has_bracketed_call(node: Node | None) -> bool:
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
            if (_strength(inner) < limit and not is_chain) or (
                operation.type == "new_expression" and _has(inner, "call_expression")
            ):
                weak.append(operand)
    return weak


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


def _type_parentheses(source: bytes, nodes: list[Node], operations: list[Node], result: list[Edit]) -> None:
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
