"""Which symbols of two versions of a file are the same, and which rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from sctx_tui.graph.facts import KIND, NAME, PARENT, FileFacts

#: Pairs that are compared with one another.
MANY_PAIRS = 1_000_000


def common(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int]]:
    """A long common subsequence, by index; what begins and ends both, where they are long."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    before, now = old[first : len(old) - last], new[first : len(new) - last]
    found = [(i, i) for i in range(first)]
    if len(before) * len(now) <= MANY_PAIRS:
        blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
        found += [(first + a + i, first + b + i) for a, b, size in blocks for i in range(size)]
    found += [(len(old) - i, len(new) - i) for i in range(last, 0, -1)]
    return found


def places_of(old: FileFacts, new: FileFacts) -> list[int | None]:
    """Of each symbol now, its index before; None for new ones. Children of the same symbol are compared:
    by kind and name; lambdas by what they call, and those that are left by their order."""
    versions = [_Children(old), _Children(new)]
    found: list[int | None] = [None] * len(new["symbols"])
    found[0] = 0
    pending = [(0, 0)]
    while pending:
        before, now = pending.pop()
        children = [version.of(index) for version, index in zip(versions, (before, now), strict=True)]
        keys = [
            [version.key(index) for index in each] for version, each in zip(versions, children, strict=True)
        ]
        for i, j in _with_gaps(*keys):
            found[children[1][j]] = children[0][i]
            pending.append((children[0][i], children[1][j]))
    return found


def _with_gaps(old: Sequence[tuple[Any, Any]], new: Sequence[tuple[Any, Any]]) -> Iterable[tuple[int, int]]:
    """What both have in common, and between that what is of one kind; each a pair (kind, content)."""
    anchors = common(old, new)
    yield from anchors
    start = (0, 0)
    for end in [*anchors, (len(old), len(new))]:
        kinds = [
            [kind for kind, _ in each[first:last]]
            for each, first, last in zip((old, new), start, end, strict=True)
        ]
        yield from ((start[0] + i, start[1] + j) for i, j in common(*kinds))
        start = (end[0] + 1, end[1] + 1)


class _Children:
    def __init__(self, facts: FileFacts) -> None:
        self._symbols = facts["symbols"]
        self._children: dict[int, list[int]] = {}
        for index, row in enumerate(self._symbols):
            self._children.setdefault(row[PARENT], []).append(index)
        self._called: dict[int, list[Any]] = {}
        for scope, _, call, _ in facts["calls"]:
            if call[1] is not None and isinstance(call[1][-1], str):
                self._called.setdefault(scope, []).append(call[1][-1])

    def of(self, index: int) -> list[int]:
        return self._children.get(index, [])

    def key(self, index: int) -> tuple[Any, Any]:
        """(kind and name, what it is told apart by)."""
        row = self._symbols[index]
        if row[KIND] != "lambda":
            return (row[KIND], row[NAME]), None
        return ("lambda", None), self._content(index)

    def _content(self, index: int) -> Any:
        called = tuple(self._called.get(index, ()))
        return called, tuple([self._content(child) for child in self.of(index)])
