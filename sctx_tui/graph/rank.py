"""Which files matter most to the file in focus: personalized PageRank over imports and calls.

A surfer starts at the focus, follows a link of the current file (by its weight) with probability `DAMPING`
and returns to the focus otherwise, or where there is no link; a file's rank is the share of time spent
there (Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999). Along imports and calls it
tells what the focus rests on, against them what rests on the focus.

The share is found from the focus outwards by pushing residual probability on, without a look at the rest of
the graph; a file keeps what is too little for its number of links (Andersen, Chung and Lang, "Local Graph
Partitioning using PageRank Vectors", FOCS 2006; Berkhin, "Bookmark-Coloring Algorithm for Personalized
PageRank Computing", Internet Mathematics 3, 2006). Nothing has to go home from a file without links: a
surfer who ends there visits files in the same proportions as one who starts anew, so that it is enough to
scale all shares to 1 (del Corso, Gulli and Romani, "Fast PageRank Computation via a Sparse Linear System",
Internet Mathematics 2, 2005).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

DAMPING = 0.85
PRECISION = 1e-5

Ends = Sequence[tuple[str, float]]
Links = Callable[[Collection[str]], Mapping[str, Ends]]


def personalized(focus: str, links: Links, *, precision: float = PRECISION) -> dict[str, float]:
    """Rank by file, of the focus and the files that can be reached from it; those far away are left out.

    `links(files)` gives, for each of some files, the files that its links lead to, with weights > 0; a file
    without links may be missing. It is asked once about each file, and about many at a time. A file passes
    on what it has as long as each of its links gets `precision` or so. Ranks add up to 1.
    """
    settled: dict[str, float] = {}
    residual = {focus: 1.0}
    known: dict[str, tuple[Ends, float]] = {}  # links, and the least mass that is passed on
    scales: dict[str, float] = {}  # what a weight of 1 gets of a mass of 1
    pending: Iterable[str] = [focus]
    while pending:
        unknown = [file for file in pending if file not in known]
        if unknown:
            found = links(unknown)
            for file in unknown:
                ends = found.get(file, ())
                known[file] = (ends, precision * len(ends) if ends else math.inf)
        pushed: dict[str, None] = {}
        for file in pending:
            ends, least = known[file]
            mass = residual[file]
            if mass <= least:
                continue
            residual[file] = 0.0
            settled[file] = settled.get(file, 0.0) + mass
            if file not in scales:
                scales[file] = DAMPING / sum([weight for _, weight in ends])
            share = mass * scales[file]
            for other, weight in ends:
                residual[other] = grown = residual.get(other, 0.0) + share * weight
                if grown > precision:
                    pushed[other] = None
        pending = pushed
    ranks = {file: settled.get(file, 0.0) + left for file, left in residual.items()}
    total = sum(ranks.values())
    return {file: rank / total for file, rank in ranks.items()}
