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

from collections.abc import Callable, Collection, Mapping, Sequence

DAMPING = 0.85
PRECISION = 1e-4

Ends = Sequence[tuple[str, float]]
Links = Callable[[Collection[str]], Mapping[str, Ends]]


def personalized(focus: str, links: Links, *, precision: float = PRECISION) -> dict[str, float]:
    """Rank by file, of the focus and the files that can be reached from it; those far away are left out.

    `links(files)` gives, for each of some files, the files that its links lead to, with weights > 0; a file
    without links may be missing. It is asked once about each file, and about many at a time. Ranks are true
    to about `precision`, and add up to no more than 1.
    """
    settled: dict[str, float] = {}
    residual = {focus: 1.0}
    known: dict[str, tuple[Ends, float]] = {}
    home: Ends = ((focus, 1.0),)  # where the surfer goes from a file without links
    pending = [focus]
    while pending:
        unknown = [file for file in pending if file not in known]
        if unknown:
            found = links(unknown)
            for file in unknown:
                ends = found.get(file) or home
                known[file] = (ends, sum(weight for _, weight in ends))
        pushed: dict[str, None] = {}
        for file in pending:
            mass, residual[file] = residual[file], 0.0
            settled[file] = settled.get(file, 0.0) + (1 - DAMPING) * mass
            ends, total = known[file]
            share = DAMPING * mass / total
            for other, weight in ends:
                residual[other] = residual.get(other, 0.0) + share * weight
                pushed[other] = None
        pending = [file for file in pushed if residual[file] > precision]
    return {file: settled.get(file, 0.0) + (1 - DAMPING) * left for file, left in residual.items()}
