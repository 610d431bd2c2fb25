"""Personalized PageRank: the local approximation against networkx's whole-graph computation."""

from __future__ import annotations

import random
from collections.abc import Collection

import networkx
import pytest
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

from sctx_tui.graph.rank import DAMPING, Links, personalized

Adjacency = dict[str, list[tuple[str, float]]]


def exact(links: Adjacency, focus: str) -> dict[str, float]:
    graph = networkx.DiGraph()
    graph.add_nodes_from(links)
    for source, ends in links.items():
        for target, weight in ends:
            graph.add_edge(source, target, weight=weight)
    return _pagerank_python(graph, alpha=DAMPING, personalization={focus: 1}, tol=1e-11, max_iter=1000)


def layered_project(seed: int, files: int = 150) -> Adjacency:
    """Imports as projects have them: mostly of older, popular files, some of neighbours, a few cycles."""
    rng = random.Random(seed)
    links: Adjacency = {f"f{n}": [] for n in range(files)}
    popular = [0]
    for n in range(1, files):
        ends = {rng.choice(popular) for _ in range(rng.randint(0, 9))}
        ends |= {rng.randrange(max(0, n - 20), n) for _ in range(rng.randint(0, 3))}
        if rng.random() < 0.1:
            ends.add(rng.randrange(files))
        links[f"f{n}"] = [(f"f{end}", 1 + rng.randint(0, 30) ** 0.5) for end in sorted(ends - {n})]
        popular += [n, *ends]
    return links


def against(links: Adjacency) -> Adjacency:
    turned: Adjacency = {file: [] for file in links}
    for source, ends in links.items():
        for target, weight in ends:
            turned[target].append((source, weight))
    return turned


def many(links: Adjacency) -> Links:
    return lambda files: {file: links[file] for file in files}


def top(rank: dict[str, float], focus: str, count: int = 12) -> list[str]:
    others = (file for file in rank if file != focus and rank[file] > 1e-9)
    return sorted(others, key=lambda file: (-rank[file], file))[:count]


@pytest.mark.parametrize("turn", [False, True], ids=["along", "against"])
def test_the_same_top_twelve_as_an_exact_computation(turn: bool) -> None:
    agreed = asked = 0
    for seed in range(3):
        links = layered_project(seed)
        if turn:
            links = against(links)
        for focus in random.Random(seed).sample(sorted(links), 10):
            truth = exact(links, focus)
            expected = top(truth, focus)
            found = top(personalized(focus, many(links)), focus)
            # Files of one rank may stand for each other.
            lowest = truth[expected[-1]] - 1e-9 if expected else 0
            asked += 1
            agreed += len(found) == len(expected) and all(truth[file] >= lowest for file in found)
    assert agreed >= 0.95 * asked, f"{agreed} of {asked}"


def test_ranks_are_close_to_the_exact_ones() -> None:
    links = layered_project(7)
    truth = exact(links, "f149")
    found = personalized("f149", many(links))
    assert max(abs(found.get(file, 0.0) - truth[file]) for file in truth) < 1e-3
    assert 0.98 < sum(found.values()) <= 1 + 1e-9


def test_a_file_without_links_keeps_everything() -> None:
    assert personalized("a", lambda _: {}) == pytest.approx({"a": 1.0}, abs=1e-3)


def test_only_files_near_the_focus_are_looked_at() -> None:
    chain = {f"f{n}": [(f"f{n + 1}", 1.0)] for n in range(10_000)}
    asked: list[str] = []

    def links(files: Collection[str]) -> dict[str, list[tuple[str, float]]]:
        asked.extend(files)
        return {file: chain[file] for file in files}

    rank = personalized("f0", links)
    assert len(asked) == len(set(asked)) < 100
    assert top(rank, "f0")[:3] == ["f1", "f2", "f3"]


def test_a_cycle_ends() -> None:
    links = {"a": [("b", 1.0)], "b": [("a", 2.0), ("b", 1.0)]}
    truth = exact(links, "a")
    assert personalized("a", many(links)) == pytest.approx(truth, abs=1e-3)
