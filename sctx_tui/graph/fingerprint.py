"""Semantic hashes: layout, comments and docstrings leave them alone, a change of meaning does not.

The parser's tree says, through one query a language, where a source deviates from a canonical spelling
(``canonical/``, one module a language family); those places are rewritten, literals and comments are taken
out, white space is normalised, and what is left is hashed. Code that does not parse is taken more literally
(``canonical/plain.py``), so that no two meanings ever share a hash for want of understanding.
"""

from __future__ import annotations

import functools
import importlib
import marshal
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import END, OPAQUE, SYMBOL, Stream, TooDeep
from sctx_tui.graph.grammars import parser

try:
    from _blake2 import blake2b  # hashlib brings OpenSSL along, and every commit waits for `ctx validate`
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from tree_sitter import Tree

_METHOD = b"sctx-1"  # to be changed with whatever changes hashes
_MODULES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "go": "go",
    "rust": "rust",
}
_MARK = re.compile(rb"([\x04\x7f])")

Span = tuple[int, int]


def file_hash(source: bytes, language: str, tree: Tree | None = None) -> str:
    """The semantic hash of a file: 32 hexadecimal digits.

    ``language`` is a name of ``languages.LANGUAGES``; a ``tree`` of the very same source spares parsing.
    """
    return fingerprints(source, language, (), tree)[0]


def symbol_hashes(source: bytes, language: str, spans: Sequence[Span], tree: Tree | None = None) -> list[str]:
    """The semantic hashes of parts of a file, each the byte range of a node (function, class, signature).

    Where the part stands, and what surrounds it, has no influence.
    """
    return fingerprints(source, language, spans, tree)[1]


def fingerprints(
    source: bytes, language: str, spans: Sequence[Span] = (), tree: Tree | None = None
) -> tuple[str, list[str]]:
    """Both at the price of one: the hash of the file and those of the byte ranges in ``spans``, in order."""
    if tree is None:
        tree = parser(language).parse(source)
    stream = canonical(source, language, spans, tree)
    if not spans:
        return _digest(stream.text, stream.payloads), []
    starts: list[tuple[int, int]] = []
    ends: list[tuple[int, int]] = []
    offset = literals = 0
    chunks = _MARK.split(stream.text)
    for chunk, mark in zip(chunks[::2], chunks[1::2], strict=False):
        offset += len(chunk)
        literals += chunk.count(OPAQUE)
        (starts if mark == SYMBOL else ends).append((offset, literals))
    if not len(starts) == len(ends) == len(spans):  # a range that begins or ends within a comment or literal
        return file_hash(source, language, tree), [_digest(*_literally(source, span)) for span in spans]
    text = stream.text.translate(None, SYMBOL + END)
    begin = dict(zip(_order(spans, 0), starts, strict=True))
    finish = dict(zip(_order(spans, 1), ends, strict=True))
    hashes = []
    for index in range(len(spans)):
        (start, first), (end, last) = begin[index], finish[index]
        # the separator behind a symbol is its own in one layout, its neighbour's in another
        hashes.append(_digest(text[start:end].strip(b";?`,"), stream.payloads[first:last]))
    return _digest(text, stream.payloads), hashes


def _literally(source: bytes, span: Span) -> tuple[bytes, list[bytes]]:
    return b" ".join(source[span[0] : span[1]].split()), []


def _order(spans: Sequence[Span], side: int) -> list[int]:
    return sorted(range(len(spans)), key=lambda index: spans[index][side])


def canonical(source: bytes, language: str, spans: Sequence[Span], tree: Tree) -> Stream:
    """The stream that is hashed: equal for sources of equal meaning, as far as the language's module goes."""
    root = tree.root_node
    module = "plain" if root.has_error else _MODULES.get(language, "plain")
    try:
        stream: Stream = _module(module).canonical(source, root, language, spans)
    except TooDeep:
        stream = _module("plain").canonical(source, root, language, spans)
    return stream


@functools.cache
def _module(name: str):  # type: ignore[no-untyped-def]
    return importlib.import_module(f"sctx_tui.graph.canonical.{name}")


def _digest(text: bytes, payloads: list[bytes]) -> str:
    # version 2 of marshal writes lengths and bytes, nothing that depends on the process
    state = blake2b(text, digest_size=16, person=_METHOD)
    state.update(b"\0" + marshal.dumps(payloads, 2))
    return state.hexdigest()
