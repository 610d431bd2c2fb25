"""Sources to trees, past what the grammars of JavaScript and Rust don't know.

In JavaScript some things are common, and each would cost the whole file its tree: attributes that are called
as a keyword is (``<p class="a">``), an ``&`` in text between tags or in an attribute (``href="?a=1&b=2"``),
types out of a module (``import("a").B[]``), a line without a semicolon before a name such as ``in2``. Where a
tree has errors, stand-ins of the same length take their place and the source is parsed again: all offsets
hold, and who wants a text takes it from the source.

In Rust, macros stand around whole items (``cfg_rt! { pub fn spawn() {} }``) or tests
(``rgtest!(name, |dir: Dir| { .. })``), which the grammar leaves as tokens. What is in braces and reads as
items, or has closures and reads as a tuple, takes the macro's place; the macro itself is blank.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.grammars import parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Tree

_SCRIPTS = ("javascript", "typescript", "tsx")
_KEYWORD = re.compile(
    rb"(?<=[\s\"'};,{])(?:(?:class|for|in|default|if|new|super|this)(?=\s*=\s*[\"'{]|\?:)"
    rb"|in(?:stanceof)?(?=[0-9_$]))"
)
_MODULE_TYPE = re.compile(rb"\bimport\(\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)(?=\s*[.>])")
_AMPERSAND = re.compile(rb"&(?!(?:#[0-9]{1,5}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{1,30});)")
_MACRO = re.compile(rb"!\s*[{(]")
_CLOSURE = re.compile(rb"[(,]\s*(?:async\s+)?(?:move\s*)?\|")
_ITEMS = ("_item", "_declaration", "_definition", "comment", "macro_invocation")
_WITH_ITEMS = ("mod_item", "impl_item", "trait_item")
_DEEPEST = 4  # macros around items within one another
_TEXTS = ("jsx_text", "string_fragment", "string")
_TYPES = ("nested_type_identifier", "nested_identifier", "type_query")


def parse(source: bytes, grammar: str) -> Tree:
    """The syntax tree of ``source``; never raises on content (a tree with ERROR nodes instead)."""
    tree: Tree = parser(grammar).parse(source)
    if grammar == "rust":
        for _ in range(_DEEPEST):
            bare = _without_macros(source, tree)
            if bare == source:
                break
            bare_tree = parser(grammar).parse(bare)
            if bare_tree.root_node.has_error and not tree.root_node.has_error:
                break
            source, tree = bare, bare_tree
    elif tree.root_node.has_error and grammar in _SCRIPTS:
        amended = _amended(source, grammar)
        if amended != source:
            tree = parser(grammar).parse(amended)
    return tree


def _without_macros(source: bytes, tree: Tree) -> bytes:
    """The source of a tree with blanks for the macros that stand around items or closures."""
    if not _MACRO.search(source):
        return source
    bare = bytearray(source)
    for node, is_top in _macros_among_items(tree):
        opening, end = node.children[-1].start_byte, node.end_byte
        if source[opening] == ord("{"):
            if not _are_items(source[opening + 1 : end - 1]):
                continue
            opening += 1
            bare[end - 1] = ord(" ")
        elif not (is_top and _has_closures(source[opening:end])):
            continue
        bare[node.start_byte : opening] = re.sub(rb"[^\n]", b" ", source[node.start_byte : opening])
    return bytes(bare)


def _macros_among_items(tree: Tree) -> Iterator[tuple[Node, bool]]:
    """The macros where items stand, and whether that is the file itself; functions aren't looked into."""
    root = tree.root_node
    holders: list[Node | None] = [root]
    while holders:
        holder = holders.pop()
        for child in holder.named_children if holder is not None else ():
            if child.type == "expression_statement":
                child = child.named_children[0]
            if child.type == "macro_invocation":
                yield child, holder == root
            elif child.type in _WITH_ITEMS:
                holders.append(child.child_by_field_name("body"))


def _has_closures(text: bytes) -> bool:
    return bool(_CLOSURE.search(text)) and not parser("rust").parse(text + b";").root_node.has_error


def _are_items(text: bytes) -> bool:
    root = parser("rust").parse(text).root_node
    return not root.has_error and all(
        child.type.endswith(_ITEMS)
        or (child.type == "expression_statement" and child.named_children[0].type in _ITEMS)
        for child in root.named_children
    )


def _amended(source: bytes, grammar: str) -> bytes:
    """The source with stand-ins; of those whose place must be known, what turns out to be in place."""
    source = _KEYWORD.sub(lambda word: word.group().upper(), source)
    trial = _MODULE_TYPE.sub(_name, _AMPERSAND.sub(b"|", source))
    if trial == source:
        return source
    root = parser(grammar).parse(trial).root_node
    pieces = []
    for pattern, kinds in ((_AMPERSAND, _TEXTS), (_MODULE_TYPE, _TYPES)):
        for match in pattern.finditer(source):
            start, end = match.span()
            node = root.descendant_for_byte_range(start, end)
            if node is not None and kinds is _TYPES:
                node = node.parent
            if node is not None and node.type in kinds:
                pieces.append((start, end))
    amended = bytearray(source)
    for start, end in pieces:
        amended[start:end] = trial[start:end]
    return bytes(amended)


def _name(match: re.Match[bytes]) -> bytes:
    return b"i" * len(match.group())
