"""Fuzzy search over many paths: a cheap test for all, a good score for the few that are left.

Works in slices and never blocks: the caller gives the event loop a turn between them, and the next keystroke
drops the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

SLICE = 4_000
"""Paths tested between two turns of the event loop, about 2 ms."""
SCORED = 1_000
"""Paths that get a score; the rest keep their order behind them."""


def is_in(query: str) -> re.Pattern[str]:
    """A pattern that fits every text that holds the query's characters in this order; capitals demand
    capitals."""
    flags = 0 if any(letter.isupper() for letter in query) else re.IGNORECASE
    first, *rest = [re.escape(letter) for letter in query if not letter.isspace()] or [""]
    return re.compile(first + "".join(f"[^{letter}]*{letter}" for letter in rest), flags)


def filtered(query: str, paths: Sequence[str]) -> Iterator[list[str]]:
    """The paths that fit, slice by slice, in their own order."""
    search = is_in(query).search
    for start in range(0, len(paths), SLICE):
        yield [path for path in paths[start : start + SLICE] if search(path)]


def nearest(query: str, paths: list[str]) -> list[str]:
    """Of paths that fit, those that hold the query in one piece; where there are none, all of them."""
    wanted = "".join(query.split()).casefold()
    return [path for path in paths if wanted in path.casefold()] or paths


def spots(query: str, path: str) -> tuple[int, ...]:
    """The characters of a path that show best why it fits: in one piece if they can be, in the file name if
    they can be."""
    letters = "".join(query.split())
    folded, wanted = path.casefold(), letters.casefold()
    if len(folded) != len(path) or not wanted:
        return ()
    whole = folded.find(wanted, folded.rfind("/") + 1)
    if whole < 0:
        whole = folded.rfind(wanted)
    if whole >= 0:
        return tuple(range(whole, whole + len(wanted)))
    return _from(folded, wanted, folded.rfind("/") + 1) or _from(folded, wanted, 0)


def _from(text: str, letters: str, start: int) -> tuple[int, ...]:
    found: list[int] = []
    for letter in letters:
        start = text.find(letter, start) + 1
        if not start:
            return ()
        found.append(start - 1)
    return tuple(found)


def score(query: str, path: str) -> tuple[float, int, str]:
    """Sort key, best first: whole words and name starts before scattered letters, short paths before long
    ones."""
    places = spots(query, path)
    name = path.rfind("/") + 1
    points = 0.0
    for number, at in enumerate(places):
        points += 1.0
        if number and places[number - 1] == at - 1:
            points += 1.5
        if (
            at == name
            or at == 0
            or not path[at - 1].isalnum()
            or (path[at].isupper() and path[at - 1].islower())
        ):
            points += 1.0
        if at >= name:
            points += 0.5
    if places and places[0] == name:
        points += 2.0
    return (-points, len(path), path)


def ranked(query: str, paths: list[str]) -> list[str]:
    """Paths that fit, best first; of very many, those with the query in the file name get their score."""
    if len(paths) > SCORED:
        wanted = "".join(query.split()).casefold()
        paths = sorted(paths, key=lambda path: wanted not in path.rpartition("/")[2].casefold())
    return sorted(paths[:SCORED], key=lambda path: score(query, path)) + paths[SCORED:]
