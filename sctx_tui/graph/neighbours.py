"""Who calls, is called by, imports and is imported by a file or a symbol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from sctx_tui.graph import store_edges, store_records
from sctx_tui.graph.ids import file_of
from sctx_tui.graph.rank import Ends, Links, personalized
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_edges import Call
from sctx_tui.graph.store_records import FunctionRecord

MOST_KEPT = 50_000  # files whose links are kept in memory
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
class Neighbourhood:
    """Everything one step away from `path`; each tuple is sorted by rank, highest first, then by id."""

    path: str  # the file, or `path::qualname` when a symbol was asked for
    functions: tuple[Neighbour, ...]  # of the file, in source order
    callers: tuple[Neighbour, ...]
    callees: tuple[Neighbour, ...]
    imports: tuple[Neighbour, ...]
    dependents: tuple[Neighbour, ...]
    source: str  # "index" or "parsed" (on the fly, without an index)
    partial: bool = False  # the on-the-fly parse ran out of time: what is listed is true, more may exist


def neighbourhood(
    store: Store, path_or_symbol: str, *, source: str = "index", partial: bool = False
) -> Neighbourhood:
    """What is one step away from a file (`src/a.py`) or a symbol (`src/a.py::Class.method`).

    For a file, calls within it are left out; a class stands for its methods too. KeyError: the index doesn't
    know it.
    """
    path = file_of(path_or_symbol)
    own = store_records.functions_of(store, path)
    if store_records.file(store, path) is None:
        raise KeyError(path)
    focus = {record.id for record in own}
    if path_or_symbol != path:
        focus = {i for i in focus if i == path_or_symbol or i.startswith(f"{path_or_symbol}.")}
        if path_or_symbol not in focus:
            raise KeyError(path_or_symbol)
    outward = _Ranks(personalized(path, _links(store, "along", store_edges.links_from), precision=OUTWARD))
    inward = _Ranks(personalized(path, _links(store, "against", store_edges.links_to)))
    calls_in = [call for call in store_edges.callers(store, focus) if call.caller not in focus]
    calls_out = [call for call in store_edges.callees(store, focus) if call.callee not in focus]
    known = store_records.functions(store, {c.caller for c in calls_in} | {c.callee for c in calls_out})
    return Neighbourhood(
        path=path_or_symbol,
        functions=tuple(_function(record, record.start_line, 0.0) for record in own),
        callers=_ends(known, inward, ((call.caller, call.callee, call) for call in calls_in)),
        callees=_ends(known, outward, ((call.callee, call.caller, call) for call in calls_out)),
        imports=_files(
            outward, ((link.target, link.import_line) for link in store_edges.imports(store, path))
        ),
        dependents=_files(
            inward, ((link.source, link.import_line) for link in store_edges.dependents(store, path))
        ),
        source=source,
        partial=partial,
    )


def _links(store: Store, name: str, ask: Callable[[Store, Collection[str]], Mapping[str, Ends]]) -> Links:
    """Links as the index has them, each asked for once until the index changes."""
    known: dict[str, Ends] = store.kept(f"links {name}", dict)

    def links(files: Collection[str]) -> Mapping[str, Ends]:
        if len(known) > MOST_KEPT:
            known.clear()
        unknown = [file for file in files if file not in known]
        if unknown:
            known.update(dict.fromkeys(unknown, ()), **ask(store, unknown))
        return known

    return links


class _Ranks(dict[str, float]):
    """Rank by file; files too far away for one have 0."""

    def __missing__(self, _: str) -> float:
        return 0.0


def _ends(
    known: dict[str, FunctionRecord], ranks: _Ranks, ends: Iterable[tuple[str, str, Call]]
) -> tuple[Neighbour, ...]:
    """One neighbour for each (far end, near end): its first call, a certain one before a candidate."""
    found: dict[tuple[str, str], Neighbour] = {}
    for far, near, call in sorted(ends, key=lambda end: (end[2].ambiguous, end[2].line)):
        record = known.get(far)
        if record is not None and (far, near) not in found:
            found[far, near] = _function(record, call.line, ranks[record.file], call, near)
    return tuple(sorted(found.values(), key=lambda n: (-n.rank, n.ambiguous, n.id, n.via)))


def _function(
    record: FunctionRecord, at_line: int, rank: float, call: Call | None = None, via: str = ""
) -> Neighbour:
    return Neighbour(
        id=record.id,
        file=record.file,
        name=record.name,
        signature=record.signature,
        line=record.start_line,
        at_line=at_line,
        rank=rank,
        ambiguous=call is not None and call.ambiguous,
        candidates=call.candidates if call is not None else (),
        tainted=record.is_tainted,
        via=via,
    )


def _files(ranks: _Ranks, links: Iterable[tuple[str, int]]) -> tuple[Neighbour, ...]:
    found = (Neighbour(path, path, path.rpartition("/")[2], "", 1, line, ranks[path]) for path, line in links)
    return tuple(sorted(found, key=lambda n: (-n.rank, n.id)))
