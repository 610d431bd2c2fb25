"""Character classes that fit `/`: `a[!x]b` fits `a/b` too, which no list of segments can say.

Such an alternative gets an expression for whole paths beside its segments. Stars take as little as they can,
for good, and so does `**`, so nothing backtracks without bound: every star and every `**` is an atomic group.
Where a class can't stand for `/`, being the first or last of a segment (`[!_]*.py`), nothing is needed, for
no path holds an empty name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.guidance.pattern_tokens import (
    ANY,
    SEPARATOR,
    STAR,
    CharacterClass,
    Token,
    escaped,
    fits_every_name,
    literal_run,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from sctx_tui.guidance.globs import Crossing

    Name: TypeAlias = list[Token]

MOST = 8
"""Classes in one alternative that may stand for `/`; where there are more, none does."""

_END = r"\Z"
_TAIL = r"(?:/(?s:.*))?\Z"
"""What follows in `a/**`, which fits `a` too."""


def crossing_of(names: list[Name], is_directory: bool) -> Crossing | None:
    """How an alternative crosses segments, given the tokens between its slashes; None if it doesn't."""
    count = sum(_crosses(name, index) for name in names for index in range(len(name)))
    if not 0 < count <= MOST:
        return None
    runs, is_open = _runs(names)
    end = _END if not is_open else _TAIL if runs[-1] else "(?s:.*)"
    below = [] if is_directory else list(_below(runs))
    return (
        is_directory,
        literal_run(_joined(runs[0])),
        "" if is_open else literal_run(_joined(runs[-1])[::-1])[::-1],
        _in_order([*map(_followed, runs[:-1]), _expression(_joined(runs[-1]), end)]),
        [expression for expression, _ in below],
        [expression for expression, takes_any in below if takes_any],
    )


def _crosses(name: Name, index: int) -> bool:
    token = name[index]
    return isinstance(token, CharacterClass) and token.fits("/") and 0 < index < len(name) - 1


def _runs(names: list[Name]) -> tuple[list[list[Name]], bool]:
    """The names between one `**` and the next, and whether the last is a `**`."""
    runs: list[list[Name]] = [[]]
    is_open = names[-1] == [STAR, STAR]
    for name in names[:-1] if is_open else names:
        if name == [STAR, STAR]:
            runs.append([])
        else:
            runs[-1].append(name)
    return runs, is_open


def _below(runs: list[list[Name]]) -> Iterator[tuple[str, bool]]:
    """For each class that may take the slash after a directory: an expression for the path and that slash.

    Also whether any one name may follow then.
    """
    for number, run in enumerate(runs):
        for place, name in enumerate(run):
            is_last = number == len(runs) - 1 and place == len(run) - 1
            for index in range(len(name)):
                if _crosses(name, index):
                    lead, rest = _joined([*run[:place], name[: index + 1]]), name[index + 1 :]
                    # Before a star, what comes first is settled; else more could still come out differently.
                    end = _expression(lead) + _END if rest[0] is STAR else _expression(lead, _END)
                    yield _in_order([*map(_followed, runs[:number]), end]), is_last and fits_every_name(rest)


def _joined(names: list[Name]) -> list[Token]:
    """The tokens of several names, with their slashes."""
    return [token for name in names for token in (SEPARATOR, *name)][1:]


def _followed(run: list[Name]) -> str:
    """The expression for names that more follow."""
    return _expression([*_joined(run), SEPARATOR] if run else [])


def _in_order(expressions: list[str]) -> str:
    """The first expression, and each other one behind as few directories as possible."""
    first, *others = expressions
    return first + "".join(f"(?>(?:[^/]*+/)*?{expression})" for expression in others)


def _expression(tokens: list[Token], end: str = "") -> str:
    """The expression for tokens without `**`."""
    chunks: list[list[Token]] = [[]]
    for index, token in enumerate(tokens):
        if token is not STAR:
            chunks[-1].append(token)
        elif index == 0 or tokens[index - 1] is not STAR:
            chunks.append([])
    first, *others = ("".join(map(_one, chunk)) for chunk in chunks)
    if not others:
        return first + end
    *inner, last = others
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in inner) + f"(?>[^/]*?{last}{end})"


def _one(token: Token) -> str:
    if isinstance(token, CharacterClass):
        if token.is_any:
            return "(?s:.)"
        if token.is_empty:
            return "(?!)"
        ranges = "".join(f"{escaped(low)}-{escaped(high)}" for low, high in token.ranges)
        return f"[{'^' if token.negated else ''}{ranges}]"
    if token is ANY:
        return "[^/]"
    return "/" if token is SEPARATOR else escaped(str(token))
