"""How many tokens a text costs a model: an upper bound that needs no vocabulary.

Vocabularies differ and the real ones weigh tens of megabytes, so a text is cut where byte-pair tokenizers
cut it (letters, digits, punctuation, white space) and each piece is charged by its shape; characters beyond
ASCII by a table. The charges were fitted so that the sum lies above the count of both o200k and cl100k for
code, prose, other scripts and noise; for code and prose by a third to a half as a rule. The tests hold them
against those vocabularies.
"""

from __future__ import annotations

import math
import re
import zlib
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

# A single space before a letter or a sign is part of the token that follows; before digits it isn't.
_PIECES = re.compile(
    r" ?(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|[A-Z]|[0-9]+|\n[ \t\r\n]*|[ \t\r\f\v]+|[^\x00-\x7f]+"
    r"| ?[!-/:-@\[-`{-~]+|[\x00-\x1f\x7f]"
)

_RARE = 4.0  # beyond the basic plane: as many as bytes in UTF-8


REMEMBERED = 400  # characters of the longest text whose estimate is kept: the same lines come again and again


def estimate(text: str) -> int:
    """An upper bound on the tokens of `text`; 0 for the empty text."""
    return _remembered(text) if len(text) <= REMEMBERED else _estimated(text)


def _estimated(text: str) -> int:
    return math.ceil(sum(map(_charge, _PIECES.findall(text))))


_remembered = lru_cache(maxsize=1 << 14)(_estimated)


@lru_cache(maxsize=1 << 15)
def _charge(piece: str) -> float:
    first = piece[-1]
    if first.isascii():
        if first.isalpha():
            return _word(piece.lstrip(" "))
        if first.isdigit():
            return 1 + math.ceil(len(piece) / 3) if len(piece) > 1 else 1.5
        if first.isspace():
            return 1.0 + _changes(piece) + len(piece) / 16
        return _signs(piece.lstrip(" "))
    return sum(map(_character, piece))


def _word(word: str) -> float:
    length = len(word)
    if length < 4:
        return min(length, 1.0 + 0.22 * (length - 1) + 0.5 * _rare_pairs(word))
    if word[1:].islower() and word.lower() in _common_words():
        return 1.05
    capitals = 0.06 * length if word.isupper() else 0.0
    return min(length, 0.8 + 0.28 * length + 0.44 * _rare_pairs(word) + capitals)


def _rare_pairs(word: str) -> int:
    lower, pairs = word.lower(), _common_pairs()
    return sum(lower[i : i + 2] not in pairs for i in range(len(lower) - 1))


def _signs(run: str) -> float:
    changes = _changes(run)
    return min(len(run), 1.0 + 0.72 * changes + 0.15 * (len(run) - 1 - changes))


def _changes(run: str) -> int:
    """How often a character differs from the one before it."""
    return sum(one != other for one, other in pairwise(run))


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    """Words of code and English that are one token in both vocabularies."""
    return _listed("common_words.txt")


@lru_cache(maxsize=1)
def _common_pairs() -> frozenset[str]:
    """The 250 letter pairs most frequent in identifiers and English.

    A pair outside them is where a vocabulary that was made from text has to break.
    """
    return _listed("common_pairs.txt")


def _listed(name: str) -> frozenset[str]:
    return frozenset(files(__package__).joinpath(name).read_text(encoding="ascii").split())


def _character(character: str) -> float:
    code = ord(character)
    return _costs()[code] if code < 0x10000 else _RARE


@lru_cache(maxsize=1)
def _costs() -> bytes:
    """What each character of the basic plane costs by itself, in the vocabulary where it costs more.

    A test makes the same table from the vocabularies.
    """
    return zlib.decompress(files(__package__).joinpath("character_costs.zlib").read_bytes())
