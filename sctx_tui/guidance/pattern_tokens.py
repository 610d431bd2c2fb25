"""The grammar of the glob dialect, first half: a pattern as written -> its brace alternatives as tokens."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from sctx_tui.guidance.globs import MAX_ALTERNATIVES


class BadPattern(ValueError):
    """A pattern that the dialect has no meaning for; the message says why."""


class Special(Enum):
    """A character that doesn't stand for itself."""

    STAR = "*"
    ANY = "?"
    SEPARATOR = "/"


STAR, ANY, SEPARATOR = Special


class CharacterClass:
    """`[a-z]`: ranges of characters, negated or not."""

    __slots__ = ("negated", "ranges")

    def __init__(self, negated: bool, ranges: list[tuple[str, str]]) -> None:
        self.negated = negated
        self.ranges = ranges

    @property
    def is_empty(self) -> bool:
        """Whether no character at all fits, as in `[z-a]`."""
        return not self.negated and not self.ranges

    @property
    def is_any(self) -> bool:
        """Whether every character fits, as in `[!z-a]`."""
        return self.negated and not self.ranges

    def fits(self, character: str) -> bool:
        """Whether a character is one of those that the class stands for."""
        return any(low <= character <= high for low, high in self.ranges) != self.negated


# A string is one character that stands for itself.
Token: TypeAlias = str | Special | CharacterClass

SPECIALS: dict[str, Token] = {special.value: special for special in Special}


def expand(pattern: str) -> list[list[Token]]:
    """The tokens of each brace alternative."""
    # One frame per open brace: the alternatives that are complete, and those that are being read.
    frames: list[tuple[list[list[Token]], list[list[Token]]]] = [([], [[]])]
    position = 0
    while position < len(pattern):
        character = pattern[position]
        done, current = frames[-1]
        if character == "{":
            frames.append(([], [[]]))
        elif character == "," and len(frames) > 1:
            frames[-1] = (done + current, [[]])
        elif character == "}":
            if len(frames) == 1:
                raise BadPattern("`}` without `{`; a literal one is written `\\}`")
            frames.pop()
            outer_done, outer = frames[-1]
            frames[-1] = (outer_done, _product(outer, done + current))
        else:
            token, position = _token(pattern, position)
            for tokens in current:
                tokens.append(token)
            continue
        position += 1
    if len(frames) > 1:
        raise BadPattern("`{` without `}`; a literal one is written `\\{`")
    return frames[0][1]


def _product(left: list[list[Token]], right: list[list[Token]]) -> list[list[Token]]:
    if len(left) * len(right) > MAX_ALTERNATIVES:
        raise BadPattern(f"more than {MAX_ALTERNATIVES} alternatives after the braces are expanded")
    return [[*before, *after] for before in left for after in right]


def _token(pattern: str, position: int) -> tuple[Token, int]:
    """The token at `position`, and the position behind it."""
    character = pattern[position]
    if character == "[":
        return _character_class(pattern, position + 1)
    if character == "\\":
        escaped = pattern[position + 1 : position + 2]
        if not escaped:
            raise BadPattern("ends in a lone `\\`")
        return (SEPARATOR if escaped == "/" else escaped), position + 2
    return SPECIALS.get(character, character), position + 1


def _character_class(pattern: str, position: int) -> tuple[Token, int]:
    """The class whose `[` stands before `position`, and the position behind its `]`."""
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    if pattern[position : position + 1] == "]":
        raise BadPattern("`[]` is empty; a literal `]` in it is written `\\]`")
    ranges: list[tuple[str, str]] = []
    while pattern[position : position + 1] != "]":
        low, position = _class_member(pattern, position)
        high = low
        if pattern[position : position + 1] == "-" and pattern[position + 1 : position + 2] != "]":
            high, position = _class_member(pattern, position + 1)
        if low <= high:
            ranges.append((low, high))
    return CharacterClass(negated, ranges), position + 1


def _class_member(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position : position + 1] == "\\":
        position += 1
    member = pattern[position : position + 1]
    if not member:
        raise BadPattern("`[` without `]`; a literal one is written `\\[`")
    return member, position + 1


def literal_run(tokens: list[Token]) -> str:
    """What a list of tokens begins with, as far as it is literal."""
    run = ""
    for token in tokens:
        if not isinstance(token, str):
            break
        run += token
    return run


def escaped(character: str) -> str:
    """A character that means itself in an expression."""
    return character if character.isalnum() else f"\\{character}"


def fits_every_name(tokens: list[Token]) -> bool:
    """Whether any name fits: `*`, `***`, `?*`, stars and at most one `?`, because no name is empty."""
    stars = tokens.count(STAR)
    return stars > 0 and stars + min(tokens.count(ANY), 1) == len(tokens)
