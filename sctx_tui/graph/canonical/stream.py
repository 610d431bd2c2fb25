"""How a source becomes the canonical stream that is hashed.

1. A language says through one query over the tree where its source deviates from the canonical spelling;
   ``splice`` carries those ``Edit``s out.
2. ``lift`` takes comments out, and literals, whose text must be kept as it is: one ``OPAQUE`` byte stands in
   place of a literal and its value joins the list of payloads.
3. What is left is code alone; byte replacements and regular expressions finish the work (``squeeze`` and what
   the language adds).

All loops over the text run in C; Python sees captured nodes and literals only.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.graph.grammars import language

if TYPE_CHECKING:
    from tree_sitter import Node, Query

Edit = tuple[int, int, bytes]
"""``(start, end, text)``: put ``text`` in place of ``source[start:end]``.

Insertions at one offset (start == end) are carried out in the order of their texts, before a replacement that
starts there; an edit that starts inside the range of an earlier one is dropped.
"""

Found = Callable[[str], list["Node"]]
"""Gives the nodes that a query captured under a name, in no order."""

Spans = Sequence[tuple[int, int]]
"""Ranges of bytes."""

Locate = Callable[[Found], Spans]
"""Gives the byte ranges of symbols; what the language's query captured helps to find them."""

OPAQUE = b"\x01"  # stands for a literal; opens one that an edit puts in
_OPAQUE_END = b"\x02"
_ESCAPE = b"\x03"
SYMBOL = b"\x04"  # a symbol begins: sorts before every bracket
GAP = b"\x05"  # a space that counts
LONE = b"\x06"  # after a comma that makes a tuple of one, so that it isn't taken for a trailing comma
JOINED = b"\x07"  # what follows belongs to the point before it
TEXT, TEXT_END = b"\x0e", b"\x0f"  # around a literal with code in it
END = b"\x7f"  # a symbol ends: sorts after everything else

BACKSLASH, NEWLINE = b"\\\n"  # as numbers, which are found in bytes at a fraction of the cost

WORD = rb"A-Za-z0-9_$\x80-\xff"
_BETWEEN_WORDS = re.compile(rb" (?<=[" + WORD + rb"] )(?=[" + WORD + rb"])")
_BETWEEN_MARKED_WORDS = re.compile(
    rb" (?<=[" + WORD + rb"] )(?=[\x04\x7f]*[" + WORD + rb"])"
)  # marks have no width
_KEPT = b"\x08"  # a space between words, while the others are taken out
_SPACE_AGAIN = bytes.maketrans(_KEPT, b" ")
_MATCH_LIMIT = 1024  # searches in progress: every operator around a node is one
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A search is only fast for a pattern that begins with a character or a set: no repetition, no `^`.
_ORDINARY = bytes(code for code in range(256) if 9 <= code <= 13 or (code >= 32 and code != 127))
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class TooDeep(Exception):
    """The code is nested too deeply for the method of its language."""


class Stream(NamedTuple):
    """Canonical code, the values that were taken out of it, in order, and the byte ranges that it marks."""

    text: bytes
    payloads: list[bytes]
    spans: Spans


def opaque(value: bytes) -> bytes:
    """A literal with this value, to be put in by an edit."""
    if 1 in value or 2 in value or 3 in value:
        for number, mark in enumerate((_ESCAPE, OPAQUE, _OPAQUE_END)):
            value = value.replace(mark, _ESCAPE + b"%d" % number)
    return OPAQUE + value + _OPAQUE_END


def splice(source: bytes, edits: list[Edit], spans: Spans) -> bytes:
    """Carries the edits out and marks where the symbols at ``spans`` (byte ranges) begin and end."""
    edits += [(start, start, SYMBOL) for start in {start for start, _ in spans}]
    edits += [(end, end, END) for end in {end for _, end in spans}]
    if source.startswith(_BYTE_ORDER_MARK):
        edits.append((0, len(_BYTE_ORDER_MARK), b""))
    edits.sort()
    if source.translate(None, _ORDINARY):  # control characters must not be taken for marks of ours
        edits = _disarmed(source, edits)
    pieces: list[bytes] = []
    position = 0
    for start, end, text in edits:
        if start >= position:
            pieces += (source[position:start], text)
            position = end
        elif text in (END, SYMBOL):
            pieces.append(text)  # a symbol within a replaced range keeps its place in the order
    pieces.append(source[position:])
    return b"".join(pieces)


def _disarmed(source: bytes, edits: list[Edit]) -> list[Edit]:
    """Adds edits for control characters in ``source``, which are valid in literals and comments only."""
    found = [
        (match.start(), match.end(), b"\x1a%02x" % match.group()[0]) for match in _CONTROL.finditer(source)
    ]
    return sorted(edits + found)


def lift(
    text: bytes, literal: re.Pattern[bytes], meaning: Callable[[bytes], bytes | None], plain: bytes = b""
) -> tuple[bytes, list[bytes]]:
    """Takes comments and literals out of ``text``.

    ``literal`` matches either in one group and nothing else; ``meaning`` gives the value of what it matched,
    None for a comment. A literal in one of the quotes of ``plain`` that has no backslash is what it reads.
    """
    tokens = literal.split(text)
    payloads = []
    for index in range(1, len(tokens), 2):
        token = tokens[index]
        first = token[0]
        if first in plain and BACKSLASH not in token:
            payloads.append(token[1:-1])
            tokens[index] = OPAQUE
            continue
        value = lifted(token) if first == 1 else meaning(token)
        if value is None:
            tokens[index] = b"\n" if NEWLINE in token else b" "  # a comment with line ends counts as one
        else:
            tokens[index] = OPAQUE
            payloads.append(value)
    return b"".join(tokens), payloads


def lifted(token: bytes) -> bytes:
    """The value of a literal that ``opaque`` wrote."""
    value = token[1:-1]
    if 3 in value:
        for number, mark in enumerate((_OPAQUE_END, OPAQUE, _ESCAPE)):
            value = value.replace(_ESCAPE + b"%d" % (2 - number), mark)
    return value


def squeeze(text: bytes, fusing: Iterable[bytes] = ()) -> bytes:
    """Leaves one space between words and none elsewhere.

    ``fusing`` are spots, three bytes each, where a space is kept because what stands beside it would read as
    another token without it (``+ +`` in JavaScript).
    """
    text = b" ".join(text.split())
    between = _BETWEEN_WORDS
    if SYMBOL in text:
        between = _BETWEEN_MARKED_WORDS
        text = marks_behind(text, (b" ",), merged=b" ")
    for spot in fusing:
        while spot in text:
            text = text.replace(spot, spot.replace(b" ", GAP))
    return between.sub(_KEPT, text).translate(_SPACE_AGAIN, b" ")


def marks_behind(text: bytes, separators: Iterable[bytes], merged: bytes) -> bytes:
    """Moves the marks of symbols behind separators, which belong together whatever is marked between them.

    Two ``merged`` ones with a mark between them become one.
    """
    turns = []
    for mark in (END, SYMBOL):
        turns.append((merged + mark + merged, merged + mark))
        turns += [(mark + separator, separator + mark) for separator in separators]
    before = None
    while text is not before:  # `replace` gives the very same bytes when there is nothing to replace
        before = text
        for run, turned in turns:
            text = text.replace(run, turned)
    return text


def patterns(*names: str) -> str:
    """The text of query files of this folder."""
    return "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)


@functools.cache
def compiled(grammar: str, query: str) -> Query:
    """The query for a grammar, compiled once in a process."""
    from tree_sitter import Query

    return Query(language(grammar), query)


def captures(root: Node, grammar: str, query: str) -> Found:
    """Runs the query over the tree; the result gives the nodes of a capture by its name.

    TooDeep: operators are nested so deeply that the search would take quadratic time.
    """
    from tree_sitter import QueryCursor

    cursor = QueryCursor(compiled(grammar, query), match_limit=_MATCH_LIMIT)
    found = cursor.captures(root)
    if cursor.did_exceed_match_limit:
        raise TooDeep
    return lambda name: found.get(name, [])


def unwrapped(node: Node) -> Node:
    """What stands inside parentheses, however many."""
    while node.type == "parenthesized_expression":
        inner = next((child for child in node.named_children if not child.is_extra), None)
        if inner is None:
            break
        node = inner
    return node
