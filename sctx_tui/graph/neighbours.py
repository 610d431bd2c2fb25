"""Who calls, is called by, imports and is imported by a file or a symbol."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sctx_tui.graph import store_edges, store_records
from sctx_tui.graph.ids import file_of
from sctx_tui.graph.rank import Ends, Links, personalized
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_edges import Sites
from sctx_tui.graph.store_records import Outline

MOST_KEPT = 50_000  # files whose links are kept in memory
READ_AHEAD = 400  # files whose links are read in one step: some milliseconds
OUTWARD = (
    3e-5  # precision enough to order what the focus itself imports; its dependents are nearer to each other
)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One end of an edge: a function, class or module (`path::qualname`), or a file (`id` is its path)."""

    id: str
    file: str  # posix, relative to the root
    name: str
    signature: str  # "" for files
    line: int  # where it is defined, 1-based
    at_line: int  # where the call or import stands, in the file that makes it; 0 for a file's own functions
    rank: float  # personalized PageRank from the focus file, >= 0; files add up to 1
    ambiguous: bool = False  # one of several candidates of a call that could not be decided
    candidates: tuple[str, ...] = ()  # all of them, ids; empty when not ambiguous
    tainted: bool = False
    via: str = ""  # id of the focus's symbol at the other end of the call; "" for files


@dataclass(frozen=True, slots=True)
class Count:
    """How many callers or callees there are, listed or not."""

    functions: int
    pairs: int  # a function for each of the focus's symbols that it calls or is called by


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is one step away from `path`; each tuple is sorted by rank, highest first, then by id.

    Callers and callees may be the first only; the counts are of all.
    """

    path: str  # the file, or `path::qualname` when a symbol was asked for
    functions: tuple[Neighbour, ...]  # of the file, in source order
    callers: tuple[Neighbour, ...]
    callees: tuple[Neighbour, ...]
    imports: tuple[Neighbour, ...]
    dependents: tuple[Neighbour, ...]
    all_callers: Count
    all_callees: Count
    source: str  # "index" or "parsed" (on the fly, without an index)
    partial: bool = False  # the on-the-fly parse ran out of time: what is listed is true, more may exist


def neighbourhood(
    store: Store,
    path_or_symbol: str,
    *,
    most: int | None = None,
    source: str = "index",
    partial: bool = False,
) -> Neighbourhood:
    """What is one step away from a file (`src/a.py`) or a symbol (`src/a.py::Class.method`).

    For a file, calls within it are left out; a class stands for its methods too. Of callers and callees, the
    `most` functions of the highest rank, None for all. KeyError: the index doesn't know it.
    """
    path = file_of(path_or_symbol)
    if not store_records.is_known(store, path):
        raise KeyError(path)
    own = store_records.outlines_of(store, path)
    focus = {each.id for each in own}
    if path_or_symbol != path:
        focus = {i for i in focus if i == path_or_symbol or i.startswith(f"{path_or_symbol}.")}
        if path_or_symbol not in focus:
            raise KeyError(path_or_symbol)
    outward = _Ranks(personalized(path, _links(store, "along", store_edges.links_from), precision=OUTWARD))
    inward = _Ranks(personalized(path, _links(store, "against", store_edges.links_to)))
    callers, all_callers = _ends(store, store_edges.sites_to(store, focus), inward, most)
    callees, all_callees = _ends(store, store_edges.sites_from(store, focus), outward, most)
    return Neighbourhood(
        path=path_or_symbol,
        functions=tuple(_function(each, each.line, 0.0) for each in own),
        callers=callers,
        callees=callees,
        imports=_files(
            outward, ((link.target, link.import_line) for link in store_edges.imports(store, path))
        ),
        dependents=_files(
            inward, ((link.source, link.import_line) for link in store_edges.dependents(store, path))
        ),
        all_callers=all_callers,
        all_callees=all_callees,
        source=source,
        partial=partial,
    )


def _links(store: Store, name: str, ask: Callable[[Store, Collection[str]], Mapping[str, Ends]]) -> Links:
    """Links as the index has them, each asked for once until the index changes."""
    known = _known(store, name)

    def links(files: Collection[str]) -> Mapping[str, Ends]:
        if len(known) > MOST_KEPT:
            known.clear()
        unknown = [file for file in files if file not in known]
        if unknown:
            known.update(dict.fromkeys(unknown, ()), **ask(store, unknown))
        return known

    return links


def _known(store: Store, name: str) -> dict[str, Ends]:
    return store.kept(f"links {name}", dict[str, Ends])


def read_ahead(store: Store) -> Iterator[None]:
    """Read every link that ranks may need, a little with each step; without it, who asks waits for them.

    What has been read stays when this is given up in between.
    """
    done = store.kept("all links", list[bool])
    if done:
        return
    files = store_edges.linked(store)
    yield
    for name, ask in (("along", store_edges.links_from), ("against", store_edges.links_to)):
        known = _known(store, name)
        missing = [file for file in files if file not in known] if len(files) <= MOST_KEPT else []
        for start in range(0, len(missing), READ_AHEAD):
            _links(store, name, ask)(missing[start : start + READ_AHEAD])
            yield
    done.append(True)


class _Ranks(dict[str, float]):
    """Rank by file; files too far away for one have 0."""

    def __missing__(self, _: str) -> float:
        return 0.0


def _ends(store: Store, sites: Sites, ranks: _Ranks, most: int | None) -> tuple[tuple[Neighbour, ...], Count]:
    """One neighbour for each (far end, near end), of the `most` functions of the highest rank; how many there
    are.

    Hubs have thousands: only those that are wanted are read from the index.
    """
    is_possible: dict[str, bool] = dict.fromkeys((far for far, _ in sites.possible), True)
    is_possible.update(dict.fromkeys((far for far, _ in sites.certain), False))
    wanted: Collection[str] = is_possible
    if most is not None and most < len(is_possible):
        order = ((-ranks[file_of(far)], possible, far) for far, possible in is_possible.items())
        wanted = {far for _, _, far in heapq.nsmallest(most, order)}
    known = store_records.outlines(store, wanted)
    found = [
        _function(known[far], line, ranks[file_of(far)], candidates, near)
        for far, near, line, candidates in _flat(sites)
        if far in known
    ]
    count = Count(len(is_possible), len(sites.certain) + len(sites.possible))
    if wanted is is_possible:  # the far end of a call may have gone since it was linked
        count = Count(len(known), len(found))
    return tuple(sorted(found, key=lambda n: (-n.rank, n.ambiguous, n.id, n.via))), count


def _flat(sites: Sites) -> Iterator[tuple[str, str, int, str]]:
    """Far end, near end, line, candidates as they are kept."""
    for (far, near), line in sites.certain.items():
        yield far, near, line, ""
    for (far, near), (line, candidates) in sites.possible.items():
        yield far, near, line, candidates


def _function(outline: Outline, at_line: int, rank: float, candidates: str = "", via: str = "") -> Neighbour:
    return Neighbour(
        id=outline.id,
        file=outline.file,
        name=outline.name,
        signature=outline.signature,
        line=outline.line,
        at_line=at_line,
        rank=rank,
        ambiguous=bool(candidates),
        candidates=tuple(json.loads(candidates)) if candidates else (),
        tainted=outline.is_tainted,
        via=via,
    )


def _files(ranks: _Ranks, links: Iterable[tuple[str, int]]) -> tuple[Neighbour, ...]:
    found = (Neighbour(path, path, path.rpartition("/")[2], "", 1, line, ranks[path]) for path, line in links)
    return tuple(sorted(found, key=lambda n: (-n.rank, n.id)))
