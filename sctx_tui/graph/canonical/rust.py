"""Rust: equal streams for what rustfmt, at any width, prints alike.

Match arms and closures lose the braces around a lone expression, arms get their comma, trailing commas and
doubled parentheses go, ``use`` trees are taken apart and sorted, so are ``mod`` and ``extern crate`` items,
adjacent ``derive``s are merged.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.rust_items import item_edits
from sctx_tui.graph.canonical.stream import GAP, LONE, Edit, Locate, Stream, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = stream.patterns("rust.scm")

_LITERAL = re.compile(
    rb"(\x01[^\x02]*\x02"
    rb'|"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    rb"|'(?:[^'\\\n\x80-\xff]|[\xc2-\xf4][\x80-\xbf]{1,3}|\\(?:u\{[^}']*\}|x[0-9A-Fa-f]{2}|[^ux]))'"
    rb"|//[^\n]*)",
    re.DOTALL,
)
_POINT = re.compile(rb"(?<=[0-9]\.) (?=\.[A-Za-z_])")  # `0. .sqrt()` is no range
_PATH = re.compile(rb"pub\(in (crate|self|super)\)")
_DERIVES = re.compile(rb"(#\[derive\([^()]*)\)\]#\[derive\(")
_CLOSING = re.compile(rb"(?:\s|//[^\n]*)*+\}")
_VECTOR = re.compile(rb"\bvec\s*!\s*\Z")
_AND_AND = re.compile(rb"&\s+&")
_OPERAND = re.compile(rb"[\w)\]}'\"?\x80-\xff]\s*\Z")
_LOOPS_AND_SEMICOLON = ("while_expression", "for_expression", "loop_expression", ";")
_LEAVING = ("return_expression", "break_expression", "continue_expression")
_NO_VALUE = (
    "let_declaration",
    "use_declaration",
    "empty_statement",
    "attribute_item",
    "inner_attribute_item",
)


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The canonical stream of Rust code without syntax errors; what ``locate`` finds is marked."""
    found = stream.captures(root, "rust", PATTERNS)
    spans = locate(found)
    code = stream.splice(source, _edits(source, root, found), spans)
    code, payloads = stream.lift(code, _LITERAL, _meaning, b'"')
    if b". ." in code:
        code = _POINT.sub(GAP, code)
    code = stream.squeeze(code)
    code = code.replace(b",)", b")").replace(b",]", b"]").replace(b",}", b"}").replace(b",>", b">")
    if b"pub(in " in code:
        code = _PATH.sub(rb"pub(\1)", code)
    while b")]#[derive(" in code and (merged := _DERIVES.sub(rb"\1,", code)) != code:
        code = merged
    return Stream(code, payloads, spans)


def _meaning(token: bytes) -> bytes | None:
    if token.startswith(b"//"):
        return None
    token = token.replace(b"\r\n", b"\n")
    return token[1:-1] if token.startswith(b'"') else token


def _edits(source: bytes, root: Node, found: stream.Found) -> list[Edit]:
    """All deviations in structure of ``source`` from its canonical spelling."""
    result: list[Edit] = item_edits(source, found)
    for node in found("raw"):
        result.append(
            (
                node.start_byte,
                node.end_byte,
                opaque(source[node.start_byte : node.end_byte].replace(b"\r\n", b"\n")),
            )
        )
    for node in [*found("comment"), *found("nothing")]:
        result.append((node.start_byte, node.end_byte, b" "))
    for node in found("empty"):
        if not _takes_the_value(node):
            result.append((node.start_byte, node.end_byte, b" "))
    unwrapped = set()
    for node in found("wrapped"):
        value = _lone_value(node)
        if value is not None:
            unwrapped.add(node.start_byte)
            result += _without_brackets(node)
            if value.type == "expression_statement" and value.children[-1].type == ";":
                result.append((value.end_byte - 1, value.end_byte, b" "))
    for node in found("nested"):
        result += _without_brackets(node)
    for node in found("arm"):
        if source[node.end_byte - 1] != ord(","):
            result.append((node.end_byte, node.end_byte, b","))
    for node in found("return"):
        end = node.end_byte
        if _CLOSING.match(source, end) and (parent := node.parent) and parent.type == "block":
            if parent.start_byte in unwrapped:
                continue
            result.append((end, end, b";"))
    for node in found("fusing"):
        result.append((node.start_byte, node.start_byte, GAP))
    for node in found("extern"):
        if not node.named_child_count:
            result.append((node.end_byte, node.end_byte, opaque(b"C")))
    for node in found("macro"):
        last = node.children[-3 if node.children[-1].type == ";" else -2]
        if last.type == ";":
            result.append((last.start_byte, last.end_byte, b" "))
    for node in found("where"):
        if not node.named_child_count:
            result.append((node.start_byte, node.end_byte, b" "))
        elif node.children[-1].type == ",":
            result.append((node.children[-1].start_byte, node.end_byte, b""))
    _tuples(source, found, result)
    _macro_tokens(source, root, found, result)
    return result


def _takes_the_value(semicolon: Node) -> bool:
    """Whether it ends `if`, `match` or the like, which are worth nothing then."""
    before = semicolon.prev_named_sibling
    while before is not None and before.type in ("line_comment", "block_comment"):
        before = before.prev_named_sibling
    return (
        before is not None
        and before.type == "expression_statement"
        and before.children[-1].type not in _LOOPS_AND_SEMICOLON
    )


def _without_brackets(node: Node) -> list[Edit]:
    start, end = node.byte_range
    return [(start, start + 1, b" "), (end - 1, end, b" ")]


def _lone_value(block: Node) -> Node | None:
    """The expression in a block that holds nothing else, so that its braces are a matter of taste."""
    items = [node for node in block.named_children if node.type not in ("line_comment", "block_comment")]
    if len(items) != 1 or block.children[0].type != "{":
        return None
    kind = items[0].type
    if kind == "expression_statement":
        is_value = items[0].children[-1].type != ";" or items[0].named_children[0].type in _LEAVING
    else:
        is_value = kind not in _NO_VALUE and not kind.endswith("_item")
    return items[0] if is_value else None


def _tuples(source: bytes, found: stream.Found, result: list[Edit]) -> None:
    """Marks tuples of one, in macro arguments whatever looks like one; ``vec!(...)`` is ``vec![...]``."""
    for node in found("tuple"):
        elements = [child.type for child in node.children if not child.is_extra]
        if len(elements) == 4 and elements[2] == ",":
            result.append((node.end_byte - 1, node.end_byte - 1, LONE))
    for node in found("tokens"):
        start, end = node.byte_range
        if (
            source[start] == ord("(")
            and source[start : end - 1].rstrip()[-1:] == b","
            and _stands_free(source, start)
            and sum(child.type == "," for child in node.children) == 1
        ):
            result.append((end - 1, end - 1, LONE))
    for node in found("arguments"):
        start, end = node.byte_range
        if source[start] in b"({" and _VECTOR.search(source, max(0, start - 20), start):
            result += ((start, start + 1, b"["), (end - 1, end, b"]"))


def _macro_tokens(source: bytes, root: Node, found: stream.Found, result: list[Edit]) -> None:
    """What a macro tells apart: ``$(x,)*`` and ``$(x)*``, ``a & &b`` and ``a && b``."""
    for node in found("repeated"):
        marks = [child for child in node.children if not child.is_extra]
        for before, after in pairwise(marks):
            if before.type == "," and after.type in (")", "]", "}"):
                result.append((before.end_byte, before.end_byte, LONE))
    for spot in _AND_AND.finditer(source):
        start, end = spot.span()
        token = root.descendant_for_byte_range(start, start + 1)
        is_tokens = token is not None and token.parent is not None and token.parent.type.startswith("token_")
        if is_tokens and _OPERAND.search(source, max(0, start - 40), start):
            result.append((end - 1, end - 1, GAP))


def _stands_free(source: bytes, start: int) -> bool:
    """Whether no name or ``!`` stands before the parenthesis, as before the arguments of a call."""
    before = source[max(0, start - 40) : start].rstrip()[-1:]
    return not (before.isalnum() or before in b"_!>)]")
