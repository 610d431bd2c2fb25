"""The grammar of the glob dialect, second half: the tokens of a brace alternative -> its segments.

Only needed when a guidance file is read for the first time; `globs` matches what this module returns.

The dialect: `*` and `?` stay in one segment, `**` as a whole segment crosses; `{a,b}` nests and may hold `/`;
`[a-z]`, `[!a]`, `[^a]`; `\\` escapes. A leading `./` or `/` is dropped, a trailing `/` makes a directory
pattern; `./` and `/` name the directory that holds the file.
wcmatch knows other things (`{1..3}`, `[[:alpha:]]`, `@(a|b)`, bash's braces), so the pattern is tokenised
first and each segment handed to wcmatch in a form that means the same to both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from wcmatch import fnmatch

from sctx_tui.guidance.crossing import crossing_of
from sctx_tui.guidance.globs import ANY_NAME, GLOBSTAR, MAX_LENGTH
from sctx_tui.guidance.pattern_tokens import (
    ANY,
    SEPARATOR,
    STAR,
    BadPattern,
    CharacterClass,
    Special,
    Token,
    escaped,
    expand,
    fits_every_name,
    literal_run,
)

if TYPE_CHECKING:
    from sctx_tui.guidance.globs import Alternative, Crossing, Segment

__all__ = ["BadPattern", "parse_pattern"]


def parse_pattern(pattern: str) -> tuple[list[Alternative], list[Crossing]]:
    """The alternatives that can match anything at all, and how they cross segments; raises BadPattern."""
    if len(pattern) > MAX_LENGTH:
        raise BadPattern(f"longer than {MAX_LENGTH} characters")
    found: dict[object, Alternative] = {}
    crossings: list[Crossing] = []
    for tokens in expand(normalize("NFC", pattern)):
        names, is_directory = _names(tokens)
        crossing = crossing_of(names, is_directory)
        if crossing is not None:
            crossings.append(crossing)
        segments = _segments(names)
        if segments is not None:
            found.setdefault((is_directory, *map(repr, segments)), (segments, is_directory))
    return list(found.values()), crossings


def _names(tokens: list[Token]) -> tuple[list[list[Token]], bool]:
    """The tokens between slashes, and whether they name a directory; none for the file's own directory."""
    names: list[list[Token]] = [[]]
    for token in tokens:
        if token is SEPARATOR:
            names.append([])
        else:
            names[-1].append(token)
    if len(names) > 1 and (not names[0] or names[0] == ["."]):
        del names[0]
        if names == [[]]:
            return [], True
    if len(names) > 1 and not names[-1]:
        return names[:-1], True
    if names[-1][-3:] == [STAR, STAR, STAR]:
        # `***` at the end takes one character at least: so it is in the Go tool's library.
        names[-1] = [*_without_stars(names[-1]), STAR, ANY]
    return names, False


def _without_stars(name: list[Token]) -> list[Token]:
    end = len(name)
    while end and name[end - 1] is STAR:
        end -= 1
    return name[:end]


def _segments(names: list[list[Token]]) -> list[Segment] | None:
    """The segments of one alternative, or None if it can match nothing."""
    if names == [["."]]:
        return ["."]  # fits no file; but whoever asks about the directory of the guidance file is meant
    segments: list[Segment] = []
    for name in names:
        segment = _segment(name)
        if segment is None:
            return None
        if segment != GLOBSTAR or segments[-1:] != [GLOBSTAR]:
            segments.append(segment)
    return segments


def _segment(tokens: list[Token]) -> Segment | None:
    """One segment, or None if no name fits it."""
    tokens = [ANY if isinstance(token, CharacterClass) and token.is_any else token for token in tokens]
    prefix = literal_run(tokens)
    if len(prefix) == len(tokens):
        return None if prefix in ("", ".", "..") else prefix
    if tokens == [STAR, STAR]:
        return GLOBSTAR
    if any(isinstance(token, CharacterClass) and token.is_empty for token in tokens):
        return None
    if fits_every_name(tokens):
        return ANY_NAME
    suffix = literal_run(tokens[::-1])[::-1]
    middle = tokens[len(prefix) : len(tokens) - len(suffix)]
    if any(token is ANY or isinstance(token, CharacterClass) for token in middle):
        return [prefix, suffix, _expression("".join(_written(token) for token in middle))]
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


@lru_cache(maxsize=4096)
def _expression(written: str) -> str:
    """wcmatch's expression for what stands between the literal ends of a segment, anchored at both ends.

    From wcmatch 12 on, the stars are atomic groups: each takes the leftmost fit and never gives it back.
    """
    include, _ = fnmatch.translate(written, flags=fnmatch.CASE | fnmatch.DOTMATCH | fnmatch.FORCEUNIX)
    return str(include[0])


def _written(token: Token) -> str:
    if isinstance(token, CharacterClass):
        ranges = "".join(
            escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}" for low, high in token.ranges
        )
        return f"[{'!' if token.negated else ''}{ranges}]"
    return token.value if isinstance(token, Special) else escaped(token)
