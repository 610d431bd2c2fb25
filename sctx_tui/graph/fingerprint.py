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
from collections.abc import Sequence
from itertools import accumulate
from operator import methodcaller
from typing import TYPE_CHECKING

from sctx_tui.graph.canonical.stream import END, OPAQUE, SYMBOL, Found, Locate, Stream, TooDeep
from sctx_tui.graph.parsing import parse

try:
    from _blake2 import blake2b  # hashlib brings OpenSSL along, and every commit waits for `ctx validate`
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from tree_sitter import Tree

_METHOD = b"sctx-3"  # to be changed with whatever changes hashes, as is facts.FACTS_VERSION
_EMPTY = blake2b(digest_size=16, person=_METHOD)
_MODULES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "go": "go",
    "rust": "rust",
}
_DEEPEST = 60_000
_STEPS = dict(zip(b"([{)]}", (1,) * 3 + (-1,) * 3, strict=True))
_literals = methodcaller("count", OPAQUE)

Span = tuple[int, int]
_Point = tuple[int, int]  # how many bytes and how many literals stand before


def file_hash(source: bytes, language: str, tree: Tree | None = None) -> str:
    """The semantic hash of a file: 32 hexadecimal digits.

    ``language`` is a name of ``languages.LANGUAGES``; a ``tree`` of the very same source spares parsing.
    """
    text, payloads, _ = canonical(source, language, _nothing, tree or parse(source, language))
    return _digest(text, payloads)


def symbol_hashes(source: bytes, language: str, spans: Sequence[Span], tree: Tree | None = None) -> list[str]:
    """The semantic hashes of parts of a file, each the byte range of a node (function, class, signature).

    Where the part stands, and what surrounds it, has no influence.
    """
    return fingerprints(source, language, spans, tree)[1]


def fingerprints(
    source: bytes, language: str, spans: Sequence[Span], tree: Tree | None = None
) -> tuple[str, list[str]]:
    """Both at the price of one: the hash of the file and those of the byte ranges in ``spans``, in order."""
    return located_fingerprints(source, language, lambda found: spans, tree)


def located_fingerprints(
    source: bytes, language: str, locate: Locate, tree: Tree | None = None
) -> tuple[str, list[str]]:
    """The same for the byte ranges that ``locate`` gives, which sees what the language's query captured."""
    if tree is None:
        tree = parse(source, language)
    text, payloads, spans = canonical(source, language, locate, tree)
    marks = _marks(text, spans)
    if marks is None:  # a range that begins or ends within a comment or literal
        return file_hash(source, language, tree), [_digest(*_literally(source, span)) for span in spans]
    text = text.translate(None, SYMBOL + END)
    starts, ends = marks
    hashes = []
    for first, last in spans:
        (start, before), (end, after) = starts[first], ends[last]
        # separators around a symbol are its own in one layout, its neighbours' in another
        own = text[start:end].lstrip(b";?`,)").rstrip(b";?`,(#")
        hashes.append(_digest(own, payloads[before:after]))
    return _digest(text, payloads), hashes


def _marks(text: bytes, spans: Sequence[Span]) -> tuple[dict[int, _Point], dict[int, _Point]] | None:
    """Where the starts and ends of ``spans`` are in ``text``, all marks left out; None if some got lost."""
    starts = _points(text.translate(None, END).split(SYMBOL))
    ends = _points(text.translate(None, SYMBOL).split(END))
    firsts, lasts = sorted({start for start, _ in spans}), sorted({end for _, end in spans})
    if len(starts) != len(firsts) or len(ends) != len(lasts):
        return None
    return dict(zip(firsts, starts, strict=True)), dict(zip(lasts, ends, strict=True))


def _points(chunks: list[bytes]) -> list[_Point]:
    """The ends of all chunks but the last."""
    before = chunks[:-1]
    return list(zip(accumulate(map(len, before)), accumulate(map(_literals, before)), strict=True))


def _literally(source: bytes, span: Span) -> tuple[bytes, list[bytes]]:
    return b" ".join(source[span[0] : span[1]].split()), []


def _nothing(found: Found) -> Sequence[Span]:
    return ()


def canonical(source: bytes, language: str, locate: Locate, tree: Tree) -> Stream:
    """The stream that is hashed: equal for sources of equal meaning, as far as the language's module goes."""
    root = tree.root_node
    literally = root.has_error or _is_deep(source)
    module = "plain" if literally else _MODULES.get(language, "plain")
    try:
        stream: Stream = _module(module).canonical(source, root, language, locate)
    except TooDeep:
        stream = _module("plain").canonical(source, root, language, locate)
    return stream


def _is_deep(source: bytes) -> bool:
    """Whether brackets are nested as deeply as a search of the tree can count (16 bits), or nearly."""
    if sum(map(source.count, (b"(", b"[", b"{"))) < _DEEPEST:
        return False
    steps = _STEPS
    return max(accumulate([steps[byte] for byte in source if byte in steps], initial=0)) >= _DEEPEST


@functools.cache
def _module(name: str):  # type: ignore[no-untyped-def]
    return importlib.import_module(f"sctx_tui.graph.canonical.{name}")


def _digest(text: bytes, payloads: list[bytes]) -> str:
    state = _EMPTY.copy()
    state.update(text)
    # version 2 of marshal writes lengths and bytes, nothing that depends on the process
    state.update(b"\0" + marshal.dumps(payloads, 2))
    return state.hexdigest()
