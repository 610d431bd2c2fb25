"""How many tokens a text costs a model: an upper bound that needs no vocabulary.

Vocabularies differ and the real ones weigh tens of megabytes, so a text is cut where byte-pair tokenizers
cut it (letters, digits, punctuation, white space) and each piece is charged by its shape. The charges were
fitted so that the sum lies above the count of both o200k and cl100k for code, prose and other scripts, by a
third to a half as a rule; the tests hold them against those vocabularies.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

# A single space before a letter or a sign is part of the token that follows; before digits it isn't.
_PIECES = re.compile(
    r" ?(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|[A-Z]|[0-9]+|\n[ \t\r\n]*|[ \t\r\f\v]+|[^\x00-\x7f]+"
    r"| ?[!-/:-@\[-`{-~]+|[\x00-\x1f\x7f]"
)

# (first code point after the block, tokens a character), in ascending order.
_SCRIPTS = (
    (0x0250, 1.15),  # Latin with marks
    (0x0370, 2.0),  # phonetic signs, combining marks
    (0x0530, 1.05),  # Greek, Cyrillic
    (0x0590, 2.2),  # Armenian
    (0x0700, 1.15),  # Hebrew, Arabic
    (0x0900, 2.0),
    (0x0980, 1.7),  # Devanagari
    (0x0E00, 3.0),  # the other scripts of India
    (0x0E80, 1.7),  # Thai
    (0x1E00, 3.0),
    (0x2000, 2.0),  # Latin with two marks (Vietnamese), Greek with marks
    (0x2070, 1.2),  # typographic punctuation
    (0x2C00, 2.2),  # signs, arrows, box drawing
    (0x3000, 3.0),
    (0xA000, 2.0),  # Japanese, Chinese
    (0xAC00, 3.0),
    (0xD7B0, 1.7),  # Korean
    (0xF900, 3.2),
    (0x10000, 2.5),
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
            return 1 + len(piece) / 16 if piece[0] != "\n" else 1.2 + piece.count("\n", 1) / 4
        return _signs(piece.lstrip(" "))
    return sum(map(_character, piece))


def _word(word: str) -> float:
    length = len(word)
    if length < 4:
        return min(length, 1.0 + 0.22 * (length - 1) + 0.3 * _rare_pairs(word))
    if word[1:].islower() and word.lower() in _common_words():
        return 1.05
    capitals = 0.06 * length if word.isupper() else 0.0
    return min(length, 0.8 + 0.27 * length + 0.42 * _rare_pairs(word) + capitals)


def _rare_pairs(word: str) -> int:
    lower, pairs = word.lower(), _common_pairs()
    return sum(lower[i : i + 2] not in pairs for i in range(len(lower) - 1))


def _signs(run: str) -> float:
    changes: int = sum(one != other for one, other in pairwise(run))
    return min(len(run), 1.0 + 0.72 * changes + 0.15 * (len(run) - 1 - changes))


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
    return next((charge for end, charge in _SCRIPTS if code < end), _RARE)
