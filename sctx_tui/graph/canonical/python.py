"""Python: equal streams for equal syntax trees (docstrings aside), whatever the layout.

Marks stand for the ends of blocks and statements, literals become their values
(adjacent strings are joined), a bare tuple gets parentheses, redundant parentheses and trailing commas go,
``else: if`` becomes ``elif``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.python_parentheses import CLOSED, OPENED, parentheses
from sctx_tui.graph.canonical.python_strings import is_text, lift_literals, string_edits
from sctx_tui.graph.canonical.stream import LONE, OPAQUE, Edit, Locate, Stream

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = stream.patterns("python.scm")

_HASH = ord("#")
_ALONE = b"'"  # a string that stands alone as a statement
_CLOSE = b"`"  # after the last statement of a block: sorts after all else that may end there
_MEMORABLE = 4  # brackets on a line, of kinds in every order
_DEPTH = 40  # levels of brackets that are taken out all at once; deeper ones are counted line by line
_NOT_BRACKETS = bytes(code for code in range(256) if code not in b"()[]{}\n" + OPENED + CLOSED)
_NO_PARENTHESES = bytes.maketrans(OPENED + CLOSED, b"  ")

_MARKS = stream.SYMBOL + stream.END
_BEFORE_STATEMENT = (b"?", b"`", b"")
_LONE_STRING = re.compile(rb"\x01(?=[?`]|\Z)(?<![^?`\x04\x7f]\x01)")
_KEYWORD = re.compile(rb"[\w\s]=[^=][^\n]*,\s*\Z")
_INTEGER = re.compile(
    rb"[0-9](?<![A-Za-z0-9_.\x80-\xff][0-9])(?=[0-9]*[_xXoObBjJlLaefin]|0)[0-9_]*(?:(?<=0)[xXoObB][0-9a-fA-F_]+)?[jJlL]?"
)


class _Rises(dict[bytes, int]):
    """By brackets on a line: how many more are opened than closed."""

    def __missing__(self, brackets: bytes) -> int:
        rise = 2 * len(brackets.translate(None, b")]}" + CLOSED)) - len(brackets)
        if len(brackets) < _MEMORABLE:
            self[brackets] = rise
        return rise


_RISES = _Rises()


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The canonical stream of Python code without syntax errors; what ``locate`` finds is marked."""
    found = stream.captures(root, "python", PATTERNS)
    spans = locate(found)
    text, payloads = lift_literals(stream.splice(source, _edits(source, root, found), spans))
    text = _logical_lines(text).translate(_NO_PARENTHESES)
    text = _INTEGER.sub(_integer, stream.squeeze(text))
    text = text.replace(b",)", b")").replace(b",]", b"]").replace(b",}", b"}")
    text = text.replace(b"::]", b":]").replace(b"::,", b":,")  # slices
    if stream.SYMBOL in text:  # marks must not come between what belongs together
        text = stream.marks_behind(text, (b"?", _CLOSE), merged=b"?")
    text = text.replace(b":?", b":").replace(b"`?", b"`").replace(b"?`", b"`")
    if _LONE_STRING.search(text):
        text = _without_lone_strings(text, payloads)
    return Stream(text, payloads, spans)


def _edits(source: bytes, root: Node, found: stream.Found) -> list[Edit]:
    """All deviations in structure of ``source`` from its canonical spelling."""
    result: list[Edit] = []
    blocks = found("block")
    inlined = _else_ifs(found("else"), result)
    for block in blocks:
        if block.start_byte not in inlined:
            end = block.end_byte
            result.append((end, end, _CLOSE))
            if _HASH in source[source.rfind(b"\n", 0, end) + 1 : end]:
                result.append(
                    (end, end, b"\n")
                )  # the block may end in a comment, which must not swallow the mark
    silent = _first_strings(source, root, found, result)
    result += string_edits(source, found("strings"), found("template"), silent)
    bracketed = found("parentheses")
    if silent:
        bracketed = [node for node in bracketed if node.start_byte not in silent]
    parentheses(source, bracketed, found("operation"), result)
    patterns = [*found("sequence"), *found("alternative")]
    items = {node.start_byte for node in found("items")}  # `with (a as b,):` has no tuple
    tuples = [node for node in found("tuple") if node.start_byte not in items]
    _tuples(tuples, found("bare_tuple"), found("annotated"), patterns, result)
    lists = [*found("index"), *found("match"), *found("case"), *found("except")]  # once for each comma
    for node in {(node.start_byte, node.end_byte): node for node in lists}.values():
        _bare_list(node, result)
    _patterns(patterns, {node.start_byte for node in found("alternative")}, result)
    for node in found("float"):
        start, end = node.byte_range
        result.append((start, end, _number(source[start:end]) + _space(source, end)))
    for node in [*found("list"), *found("items")]:
        _unbracketed(node, result)
    for node in found("bases"):
        if not node.named_child_count:
            result.append((node.start_byte, node.end_byte, b""))
    for node in found("generator"):
        parent = node.parent
        while parent is not None and parent.type == "parenthesized_expression":
            parent = parent.parent
        if parent is not None and parent.type == "argument_list" and parent.named_child_count == 1:
            _strip(node, result)
    late = [
        node
        for node in found("splat")
        if _KEYWORD.search(source, max(0, node.start_byte - 300), node.start_byte)
    ]
    for parent in {node.id: node for node in (splat.parent for splat in late) if node}.values():
        if parent.type == "argument_list":
            _splats_forward(source, parent, result)
    return result


def _logical_lines(code: bytes) -> bytes:
    """Line ends that end a statement become ``?``; ``code`` has neither literals nor comments.

    Only lines whose brackets don't match within the line are looked at one by one.
    """
    if b"\r" in code:
        code = code.replace(b"\r\n", b"\n")
    if b"\\" in code:
        code = code.replace(b"\\\n", b" ")
    code = code.replace(b";", b"\n")
    lines = code.split(b"\n")
    brackets = code.translate(None, _NOT_BRACKETS)
    length = -1
    for _ in range(_DEPTH):
        if length == len(brackets):
            break
        length = len(brackets)
        brackets = (
            brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"").replace(b"\x10\x11", b"")
        )
    if length >= len(lines):
        depth = start = 0
        for index, rest in enumerate(brackets.split(b"\n")):
            if rest:
                if not depth:
                    start = index
                depth = max(0, depth + _RISES[rest])
                if not depth and start != index:
                    lines[start : index + 1] = [b" ".join(lines[start : index + 1]), *[b""] * (index - start)]
    return b"?".join(filter(None, map(bytes.strip, lines)))


def _first_strings(source: bytes, root: Node, found: stream.Found, result: list[Edit]) -> set[int]:
    """Drops docstrings, marks other strings that stand alone first in a block; gives the offsets of all."""
    first = root.named_child(0) if root.named_child_count else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    docstrings = {node.start_byte for node in found("docstring")}
    strings = found("first")
    if first is not None and stream.unwrapped(first).type in ("string", "concatenated_string"):
        docstrings.add(first.start_byte)
        strings = [*strings, first]
    done = set()
    for node in strings:
        if is_text(source, stream.unwrapped(node)):
            start, end = node.byte_range
            done.add(start)
            if start not in docstrings:
                result.append((start, end, _ALONE))
            elif node == first or _has_successor(node):
                result.append((start, end, b""))
            else:
                result.append((start, end, b"pass"))
    return done


def _has_successor(node: Node) -> bool:
    """Whether another statement follows in the block."""
    after = node.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    return after is not None


def _without_lone_strings(text: bytes, payloads: list[bytes]) -> bytes:
    """Strings that stand alone as statements say nothing to the program: what counts is where they stand."""
    kept, position = 0, 0
    for match in _LONE_STRING.finditer(text):
        kept += text.count(OPAQUE, position, match.start())
        position = match.end()
        before = text[max(0, match.start() - 64) : match.start()].rstrip(_MARKS)
        if before[-1:] in _BEFORE_STATEMENT and not payloads[kept].startswith(b"\0b"):
            del payloads[kept]
            text = text[: match.start()] + _ALONE + text[match.end() :]
        else:
            kept += 1
    return text


def _else_ifs(clauses: list[Node], result: list[Edit]) -> set[int]:
    """``else: if`` alone in its block is ``elif``; gives the offsets of the blocks that dissolve."""
    inlined = set()
    for clause in clauses:
        body = clause.child_by_field_name("body")
        if body is None:
            continue
        statements = [node for node in body.named_children if node.type != "comment"]
        if len(statements) == 1 and statements[0].type == "if_statement":
            result.append((clause.start_byte, statements[0].start_byte + len("if"), b"elif"))
            inlined.add(body.start_byte)
    return inlined


def _strip(node: Node, result: list[Edit]) -> None:
    start, end = node.start_byte, node.end_byte
    result += ((start, start + 1, OPENED), (end - 1, end, CLOSED))


def _unbracketed(node: Node, result: list[Edit]) -> None:
    """Takes the parentheses from a list of imports or context managers, and the comma before the last one."""
    marks = [child for child in node.children if not child.is_named]
    closing = marks[-1]
    for mark in marks:
        if mark.type in ("(", ")"):
            result.append((mark.start_byte, mark.end_byte, OPENED if mark.type == "(" else CLOSED))
    last = [
        child for child in node.children if child.type != "comment" and child.end_byte <= closing.start_byte
    ][-1]
    if last.type == ",":
        result.append((last.start_byte, last.end_byte, b""))


def _splats_forward(source: bytes, arguments: Node, result: list[Edit]) -> None:
    """``f(key=1, *names)`` is ``f(*names, key=1)``: the program takes positional arguments first."""
    children = arguments.named_children
    first = next((node for node in children if node.type == "keyword_argument"), None)
    moved = [
        (children[index - 1].end_byte, node)
        for index, node in enumerate(children)
        if node.type == "list_splat" and first is not None and node.start_byte > first.start_byte
    ]
    if first is None or any(node.named_children[0].type != "identifier" for _, node in moved):
        return
    for start, node in moved:
        text = source[node.start_byte : node.end_byte] + b","
        result += ((first.start_byte, first.start_byte, text), (start, node.end_byte, b""))


def _tuples(
    bracketed: list[Node], bare: list[Node], annotated: list[Node], patterns: list[Node], result: list[Edit]
) -> None:
    """All tuples get parentheses, tuples of one a mark that keeps their comma."""
    kept = {node.start_byte for node in annotated}
    others = {node.start_byte for node in patterns}
    for node in bracketed:
        second = node.named_child(1) if node.named_child_count > 1 else None
        if (second is not None and second.type != "comment") or node.start_byte in others:
            continue
        elements = [child for child in node.children if child.type != "comment"]
        if len(elements) == 4:  # ( x , )
            result.append((node.end_byte - 1, node.end_byte - 1, LONE))
        elif len(elements) == 3 and node.type == "tuple_pattern" and node.start_byte not in kept:
            _strip(node, result)
    for node in bare:
        start, end = node.byte_range
        is_lone = node.named_child_count == 1  # no comment can stand within
        result += ((start, start, b"("), (end, end, LONE + b")" if is_lone else b")"))


def _bare_list(node: Node, result: list[Edit]) -> None:
    """Brackets for the tuple in ``a[b, c]``, ``match a, b:``, ``case a, b:`` and ``except A, B:``."""
    is_case = node.type == "case_clause"
    field = {"match_statement": "subject", "except_clause": "value"}.get(node.type)
    items: list[Node] = []
    for index, child in enumerate(node.children):
        if child.type == "[":
            items = []
        elif field:
            if child.type == "," or node.field_name_for_child(index) == field:
                items.append(child)
        elif not is_case or child.type in (",", "case_pattern"):
            items.append(child)
    items = [child for child in items if child.type not in ("]", "comment")]
    if any(child.type == "," for child in items):
        opening, closing = (b"[", b"]") if is_case else (b"(", b")")
        mark = LONE if len(items) == 2 and not is_case else b""
        result.append((items[0].start_byte, items[0].start_byte, opening))
        result.append((items[-1].end_byte, items[-1].end_byte, mark + closing))


def _patterns(nodes: list[Node], alternatives: set[int], result: list[Edit]) -> None:
    """``case (a, b)`` is ``case [a, b]``; parentheses around one pattern go, but for nested alternatives."""
    for node in nodes:
        start, end = node.start_byte, node.end_byte
        elements = [child for child in node.children if child.type != "comment"]
        if len(elements) != 3:
            result += ((start, start + 1, b"["), (end - 1, end, b"]"))
        elif start not in alternatives or not any(
            child.type in ("union_pattern", "as_pattern") for child in elements[1].named_children
        ):
            _strip(node, result)


def _integer(match: re.Match[bytes]) -> bytes:
    return _number(match.group()) + _space(match.string, match.end())


def _space(source: bytes, end: int) -> bytes:
    """Between a number and the word on its heels: ``1if a else b``."""
    return b" " if source[end : end + 1].isalpha() else b""


def _number(text: bytes) -> bytes:
    """A number by its value: ``0XFF``, ``0xff`` and ``255`` are one."""
    text = text.lower().replace(b"_", b"")
    try:
        if text[:2] in (b"0x", b"0o", b"0b"):
            return str(int(text, 0)).encode()
        if text.isdigit() or text.endswith(b"l"):
            return text if text.strip(b"0") else b"0"
        imaginary = text.endswith(b"j")
        value = repr(float(text.rstrip(b"j"))).encode()
    except ValueError:  # more digits than Python reads
        return text
    return value.replace(b"inf", b"1e999") + (b"j" if imaginary else b"")
