"""Sources to trees, past what the grammars of JavaScript don't know.

Some things are common, and each would cost the whole file its tree: attributes that are called as a keyword
is (``<p class="a">``), an ``&`` in text between tags or in an attribute (``href="?a=1&b=2"``), types out of a
module (``import("a").B[]``), a line without a semicolon before a name such as ``in2``. Where a tree has
errors, stand-ins of the same length take their place and the source is parsed again: all offsets hold, and
who wants a text takes it from the source.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.grammars import parser

if TYPE_CHECKING:
    from tree_sitter import Tree

_SCRIPTS = ("javascript", "typescript", "tsx")
_KEYWORD = re.compile(
    rb"(?<=[\s\"'};,{])(?:(?:class|for|in|default|if|new|super|this)(?=\s*=\s*[\"'{]|\?:)"
    rb"|in(?:stanceof)?(?=[0-9_$]))"
)
_MODULE_TYPE = re.compile(rb"\bimport\(\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)(?=\s*[.>])")
_AMPERSAND = re.compile(rb"&(?!(?:#[0-9]{1,5}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{1,30});)")
_TEXTS = ("jsx_text", "string_fragment", "string")
_TYPES = ("nested_type_identifier", "nested_identifier", "type_query")


def parse(source: bytes, grammar: str) -> Tree:
    """The syntax tree of ``source``; never raises on content (a tree with ERROR nodes instead)."""
    tree: Tree = parser(grammar).parse(source)
    if tree.root_node.has_error and grammar in _SCRIPTS:
        amended = _amended(source, grammar)
        if amended != source:
            tree = parser(grammar).parse(amended)
    return tree


def _amended(source: bytes, grammar: str) -> bytes:
    """The source with stand-ins; of those whose place must be known, what turns out to be in place."""
    source = _KEYWORD.sub(lambda word: word.group().upper(), source)
    trial = _MODULE_TYPE.sub(_name, _AMPERSAND.sub(b"|", source))
    if trial == source:
        return source
    root = parser(grammar).parse(trial).root_node
    pieces = []
    position = 0
    for pattern, kinds in ((_AMPERSAND, _TEXTS), (_MODULE_TYPE, _TYPES)):
        for match in pattern.finditer(source):
            start, end = match.span()
            node = root.descendant_for_byte_range(start, end)
            if node is not None and kinds is _TYPES:
                node = node.parent
            if node is not None and node.type in kinds:
                pieces.append((start, end))
    amended = b""
    for start, end in sorted(pieces):
        amended += source[position:start] + trial[start:end]
        position = end
    return amended + source[position:]


def _name(match: re.Match[bytes]) -> bytes:
    return b"i" * len(match.group())
