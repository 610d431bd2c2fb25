"""Go: equal streams for what gofmt prints alike.

Line ends become semicolons by the language's own rule, redundant parentheses and trailing commas go, imports
are sorted (gofmt sorts them; their order means nothing). Directive comments (``//go:build``) count; other
comments don't, not even C code above ``import "C"``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.stream import Edit, Locate, Stream, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = stream.patterns("go.scm")

_PRIMARY = 7
_BINARY = {
    "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "|": 4, "^": 4,
    "*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5,
}  # fmt: skip
_UNARY = 6
_LITERAL = re.compile(
    rb"(\x01[^\x02]*\x02"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|`[^`]*+`'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|//[^\r\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)"
)
_DIRECTIVE = re.compile(rb"//(?:go:|export |line |#|\s*\+build )")
_FUSING = (b"+ +", b"- -", b"& &", b"& ^", b"< -", b"< <")
_MARKED_LINE_END = re.compile(rb"([\x04\x7f](?:[\x04\x7f]|[ \t\r])*+)\n")
_MARKED_SEMICOLON = re.compile(rb";([\x04\x7f]+)")
_KEYWORDS = (
    b"case chan const default defer else for func go goto if import interface map package range select"
    b" struct switch type var"
)
_LINE_END = re.compile(
    rb"\n(?:(?<=[0-9_\x80-\xff\x01)\]}]\n)|(?<=[A-Za-z]\n)"
    + b"".join(rb"(?<!\b" + word + rb"\n)" for word in _KEYWORDS.split())
    + rb"|(?<=\+\+\n)|(?<=--\n))"
)
"""Line ends that end a statement (Go specification, semicolons): behind these keywords they don't."""
_TRAILER = re.compile(rb"[ \t]*[.(\[]")
_NUMBER = re.compile(rb"[0-9](?<![A-Za-z0-9_.\x80-\xff][0-9])(?=[0-9A-Fa-fx_.]*[A-FXOP])[0-9A-Za-z_.]+")


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The canonical stream of Go code without syntax errors; what ``locate`` finds is marked."""
    found = stream.captures(root, "go", PATTERNS)
    spans = locate(found)
    code = stream.splice(source, _edits(source, found), spans)
    code, payloads = stream.lift(code, _LITERAL, _meaning, b'"')
    if stream.SYMBOL in code:  # marks must not come between a token and the end of its line
        code = _MARKED_LINE_END.sub(rb"\n\1", code)
    code = b"\n".join(map(bytes.rstrip, code.split(b"\n")))
    code = stream.squeeze(_LINE_END.sub(b";", code), _FUSING)
    if stream.SYMBOL in code:
        code = _MARKED_SEMICOLON.sub(rb"\1;", code)
    code = _NUMBER.sub(lambda number: number.group().lower(), code)
    code = code.replace(b",)", b")").replace(b",]", b"]").replace(b",}", b"}")
    return Stream(code.replace(b";}", b"}").replace(b";)", b")").strip(b";"), payloads, spans)


def _meaning(token: bytes) -> bytes | None:
    if token.startswith(b"/"):
        return token.rstrip() if _DIRECTIVE.match(token) else None
    return (
        token.replace(b"\r", b"") if token.startswith(b"`") else token
    )  # raw strings hold no carriage returns


def _edits(source: bytes, found: stream.Found) -> list[Edit]:
    """All deviations in structure of ``source`` from its canonical spelling."""
    result = _imports(source, found("import"))
    _parentheses(source, found("parentheses"), found("operation"), result)
    for node in found("result"):
        items = [child for child in node.named_children if not child.is_extra]
        if (
            len(items) == 1
            and items[0].child_by_field_name("name") is None
            and ord(",") not in source[node.start_byte : node.end_byte]
        ):
            result += ((node.start_byte, node.start_byte + 1, b" "), (node.end_byte - 1, node.end_byte, b" "))
    for node in found("typed"):
        while node.type == "parenthesized_type":
            result += ((node.start_byte, node.start_byte + 1, b" "), (node.end_byte - 1, node.end_byte, b" "))
            node = node.named_children[-1]
    for node in found("clause"):
        if not any(node.child_by_field_name(name) for name in ("initializer", "update")):
            result += [(mark.start_byte, mark.end_byte, b" ") for mark in node.children if mark.type == ";"]
    return result


def _imports(source: bytes, declarations: list[Node]) -> list[Edit]:
    """All imports of a file, sorted, in place of the first declaration."""
    result: list[Edit] = []
    lines = set()
    for declaration in declarations:
        specs = [child for child in declaration.named_children if child.type == "import_spec"]
        for group in declaration.named_children:
            if group.type == "import_spec_list":
                specs += [child for child in group.named_children if child.type == "import_spec"]
        for spec in specs:
            path = spec.child_by_field_name("path")
            if path is not None:
                name = source[spec.start_byte : path.start_byte].strip()
                lines.add(name + opaque(source[path.start_byte + 1 : path.end_byte - 1]))
        result.append((declaration.start_byte, declaration.end_byte, b""))
    if result:
        first = min(result)
        result.remove(first)
        result.append((first[0], first[1], b"import " + b";".join(sorted(lines))))
    return result


def _parentheses(source: bytes, nodes: list[Node], operations: list[Node], result: list[Edit]) -> None:
    """Takes out all parentheses that no operator needs."""
    needed = {operand.start_byte for operation in operations for operand in _weak_operands(operation)}
    for node in nodes:
        start, end = node.byte_range
        if start in needed or (_TRAILER.match(source, end) and _strength(node) < _PRIMARY):
            continue
        result += ((start, start + 1, b" "), (end - 1, end, b" "))


def _weak_operands(operation: Node) -> list[Node]:
    """The parenthesised operands that would fall apart without their parentheses."""
    operands = [node for node in operation.named_children if not node.is_extra]
    level = _UNARY
    if operation.type == "binary_expression":
        level = _level(operation)
    return [
        operand
        for index, operand in enumerate(operands)
        if operand.type == "parenthesized_expression" and _strength(operand) < level + (index > 0)
    ]


def _level(operation: Node) -> int:
    operator = operation.child_by_field_name("operator")
    return _BINARY.get(operator.type if operator else "", 0)


def _strength(operand: Node) -> int:
    """How tightly the expression in parentheses holds together (Go specification, operator precedence)."""
    node = stream.unwrapped(operand)
    if node.type == "binary_expression":
        return _level(node)
    return _UNARY if node.type == "unary_expression" or node.type.endswith("_type") else _PRIMARY
