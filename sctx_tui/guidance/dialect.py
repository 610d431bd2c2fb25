"""The grammar of the glob dialect: a pattern as written -> its alternatives, split into segments.

Only needed when a guidance file is read for the first time; `globs` matches what this module returns.

The dialect: `*` and `?` stay in one segment, `**` as a whole segment crosses; `{a,b}` nests and may hold `/`;
`[a-z]`, `[!a]`, `[^a]`; `\\` escapes. A leading `./` or `/` is dropped, a trailing `/` makes a directory
pattern; `.`, `./` and `/` name the directory that holds the file.
wcmatch knows other things (`{1..3}`, `[[:alpha:]]`, `@(a|b)`, bash's braces), so the pattern is tokenised
here and each segment handed to wcmatch in a form that means the same to both.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import normalize

from wcmatch import fnmatch

from sctx_tui.guidance.globs import ANY_NAME, GLOBSTAR, MAX_ALTERNATIVES, MAX_LENGTH

if TYPE_CHECKING:
    from sctx_tui.guidance.globs import Alternative, Segment


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
        return not self.ranges


# A string is one character that stands for itself.
Token: TypeAlias = str | Special | CharacterClass

SPECIALS: dict[str, Token] = {special.value: special for special in Special}


def parse_pattern(pattern: str) -> list[Alternative]:
    """The alternatives of a pattern that can match anything at all; raises BadPattern."""
    if len(pattern) > MAX_LENGTH:
        raise BadPattern(f"longer than {MAX_LENGTH} characters")
    found: list[Alternative] = []
    for tokens in _expand(normalize("NFC", pattern)):
        alternative = _alternative(tokens)
        if alternative is not None and alternative not in found:
            found.append(alternative)
    return found


def _expand(pattern: str) -> list[list[Token]]:
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
    if negated and not ranges:  # `[!z-a]`
        return ANY, position + 1
    return CharacterClass(negated, ranges), position + 1


def _class_member(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position : position + 1] == "\\":
        position += 1
    member = pattern[position : position + 1]
    if not member:
        raise BadPattern("`[` without `]`; a literal one is written `\\[`")
    return member, position + 1


def _alternative(tokens: list[Token]) -> Alternative | None:
    """The segments of one alternative, or None if it can match nothing."""
    names: list[list[Token]] = [[]]
    for token in tokens:
        if token is SEPARATOR:
            names.append([])
        else:
            names[-1].append(token)
    if names == [["."]]:
        return [], True
    if len(names) > 1 and (not names[0] or names[0] == ["."]):
        del names[0]
        if names == [[]]:
            return [], True
    is_directory = len(names) > 1 and not names[-1]
    if is_directory:
        del names[-1]
    segments: list[Segment] = []
    for name in names:
        segment = _segment(name)
        if segment is None:
            return None
        if segment != GLOBSTAR or segments[-1:] != [GLOBSTAR]:
            segments.append(segment)
    return segments, is_directory


def _segment(tokens: list[Token]) -> Segment | None:
    """One segment, or None if no name fits it."""
    prefix = _literal_run(tokens)
    if len(prefix) == len(tokens):
        return None if prefix in ("", ".", "..") else prefix
    if tokens == [STAR, STAR]:
        return GLOBSTAR
    if any(isinstance(token, CharacterClass) and token.is_empty for token in tokens):
        return None
    if _fits_every_name(tokens):
        return ANY_NAME
    suffix = _literal_run(tokens[::-1])[::-1]
    middle = tokens[len(prefix) : len(tokens) - len(suffix)]
    if any(token is ANY or isinstance(token, CharacterClass) for token in middle):
        return [prefix, suffix, _expression(tokens)]
    return [prefix, suffix, "", *_between_stars(middle)]


def _between_stars(tokens: list[Token]) -> list[str]:
    """The texts between stars: `*a*b*` -> `a`, `b`."""
    texts = [""]
    for token in tokens:
        if isinstance(token, str):
            texts[-1] += token
        else:
            texts.append("")
    return [text for text in texts if text]


def _fits_every_name(tokens: list[Token]) -> bool:
    """`*`, `***`, `?*`: stars and at most one `?`, because no name is empty."""
    stars = tokens.count(STAR)
    return stars > 0 and stars + min(tokens.count(ANY), 1) == len(tokens)


def _literal_run(tokens: list[Token]) -> str:
    run = ""
    for token in tokens:
        if not isinstance(token, str):
            break
        run += token
    return run


def _expression(tokens: list[Token]) -> str:
    """wcmatch's expression for one segment, anchored at both ends.

    From wcmatch 12 on, the stars are atomic groups: each takes the leftmost fit and never gives it back.
    """
    written = "".join(_written(token) for token in tokens)
    flags = fnmatch.CASE | fnmatch.DOTMATCH | fnmatch.FORCEUNIX
    include, _ = fnmatch.translate(written, flags=flags)
    return str(include[0])


def _written(token: Token) -> str:
    if isinstance(token, CharacterClass):
        ranges = "".join(
            _escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}"
            for low, high in token.ranges
        )
        return f"[{'!' if token.negated else ''}{ranges}]"
    return token.value if isinstance(token, Special) else _escaped(token)


def _escaped(character: str) -> str:
    return character if character.isalnum() else f"\\{character}"
