"""Rust's ``use``, ``mod`` and ``extern crate`` items, whose order and grouping mean nothing."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import Edit, Found

if TYPE_CHECKING:
    from tree_sitter import Node

_BETWEEN = re.compile(rb"(?:\s|//[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+")
_COMMENT = re.compile(rb"//[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/")
_OWN_NAME = re.compile(rb"(\w+) as \1\Z")
_LAYOUT = re.compile(rb"\s+|,(?=\s*\))")


def item_edits(source: bytes, found: Found) -> list[Edit]:
    """Runs of such items are sorted; nested ``use`` lists are taken apart into single paths."""
    attributes = sorted((node.end_byte, node.start_byte) for node in found("attribute"))
    result: list[Edit] = []
    for name in ("use", "module", "crate"):
        run: list[tuple[int, int, Node]] = []
        for node in sorted(found(name), key=lambda node: node.start_byte):
            start = _with_attributes(source, node.start_byte, attributes)
            if run and _BETWEEN.fullmatch(source, run[-1][1], start):
                run.append((start, node.end_byte, node))
            else:
                result += _sorted(source, run)
                run = [(start, node.end_byte, node)]
        result += _sorted(source, run)
    return result


def _with_attributes(source: bytes, start: int, attributes: list[tuple[int, int]]) -> int:
    """Where the attributes in front of an item begin."""
    index = bisect_left(attributes, (start, start)) - 1
    while index >= 0 and _BETWEEN.fullmatch(source, attributes[index][0], start):
        start = attributes[index][1]
        index -= 1
    return start


def _sorted(source: bytes, run: list[tuple[int, int, Node]]) -> list[Edit]:
    if not run:
        return []
    texts: list[bytes] = []
    for start, end, node in run:
        before = _plain(source[start : node.start_byte])
        if b"macro_use" in before:  # macros are visible from here on: order counts
            return []
        if node.type == "use_declaration":
            argument = node.child_by_field_name("argument")
            if argument is None:
                return []
            before += b" " + _plain(source[node.start_byte : argument.start_byte])
            texts += [
                before + b" " + path
                for path in _paths(_plain(source[argument.start_byte : argument.end_byte]))
            ]
        else:
            texts.append(before + b" " + _plain(source[node.start_byte : end]).rstrip(b"; "))
    ordered: list[bytes] = sorted(set(texts), key=_order)
    return [(run[0][0], run[-1][1], b";".join(ordered) + b";")]


def _order(text: bytes) -> bytes:
    """Equal for all layouts of an item; a comma may stand behind the last argument of an attribute."""
    return _LAYOUT.sub(b"", text)


def _plain(text: bytes) -> bytes:
    """Without comments, with single spaces."""
    return b" ".join(_COMMENT.sub(b" ", text).split())


def _paths(tree: bytes) -> list[bytes]:
    """The single paths of a ``use`` tree: ``a::{b, c::*}`` is ``a::b`` and ``a::c::*``."""
    paths: list[bytes] = []
    prefixes = [b""]
    current = b""
    for token in re.findall(rb"[{},]|[^{},]+", tree):
        if token == b"{":
            prefixes.append(prefixes[-1] + current)
            current = b""
        elif token in (b"}", b","):
            if current:
                paths.append(prefixes[-1] + current)
            current = b""
            if token == b"}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            current = re.sub(rb"\s*::\s*", b"::", token.strip())
    if current:
        paths.append(prefixes[-1] + current)
    return [_OWN_NAME.sub(rb"\1", path) for path in paths]
