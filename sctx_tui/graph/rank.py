"""Which files matter most to the file in focus: personalized PageRank over imports and calls.

A surfer starts at the focus, follows a link of the current file (by its weight) with probability `DAMPING`
and returns to the focus otherwise, or where there is no link; a file's rank is the share of time spent
there (Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999). Along imports and calls it
tells what the focus rests on, against them what rests on the focus.

The share is found from the focus outwards by pushing residual probability on, without a look at the rest of
the graph (Andersen, Chung and Lang, "Local Graph Partitioning using PageRank Vectors", FOCS 2006; Berkhin,
"Bookmark-Coloring Algorithm for Personalized PageRank Computing", Internet Mathematics 3, 2006). What is
still residual in the end is less than `PRECISION` a file and counts for the file where it lies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

DAMPING = 0.85
PRECISION = 3e-5

Links = Callable[[str], Sequence[tuple[str, float]]]


def personalized(focus: str, links: Links, *, precision: float = PRECISION) -> dict[str, float]:
    """Rank by file, of the focus and the files that can be reached from it; those far away are left out.

    `links(file)` gives the files that its links lead to, with weights > 0; it is called at most once for
    each file. Ranks are true to about `precision`, and add up to no more than 1.
    """
    settled: dict[str, float] = {}
    residual = {focus: 1.0}
    known: dict[str, tuple[Sequence[tuple[str, float]], float]] = {}
    pending = deque((focus,))
    while pending:
        file = pending.popleft()
        mass = residual[file]
        if file not in known:
            found = links(file)
            known[file] = (found, sum(weight for _, weight in found))
        ends, total = known[file]
        residual[file] = 0.0
        settled[file] = settled.get(file, 0.0) + (1 - DAMPING) * mass
        for other, weight in ends or ((focus, 1.0),):
            before = residual.get(other, 0.0)
            after = residual[other] = before + DAMPING * mass * weight / (total or 1.0)
            if before <= precision < after:
                pending.append(other)
    return {file: settled.get(file, 0.0) + (1 - DAMPING) * left for file, left in residual.items()}
