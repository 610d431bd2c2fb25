"""Facts of all files -> who calls whom.

At first, parameters mean what their declared types and defaults say. The calls that are found then
(``flows``) say what
is passed: parameters, receivers included, mean that too, which may show more calls, until no more are
found. Values
only grow, so that the result depends on the facts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from sctx_tui.graph.choice import chosen, is_near
from sctx_tui.graph.facts import FLOW_ONLY, FileFacts
from sctx_tui.graph.link_notes import OUTSIDE_TABLES, Notes, Watched
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File, Place, Program
from sctx_tui.graph.stores import Stores
from sctx_tui.graph.survey import survey, survey_outside_methods, survey_subclasses
from sctx_tui.graph.targets import Site, by_symbol, sites_of

#: Rounds of new calls after which no more are followed; real programs end after five to ten.
MANY_ROUNDS = 30


class Edge(NamedTuple):
    """A call: ``caller`` is a symbol's index in its file; ``callee`` is None where only ``candidates`` are
    known."""

    caller: int
    line: int
    callee: Place | None
    is_ambiguous: bool = False
    candidates: tuple[Place, ...] = ()


class Linker:
    """One link of a program."""

    def __init__(self, program: Program, *, spends: bool = False) -> None:
        self.program, self._spends = program, spends
        self.ev = Watched(program)
        self._sites: dict[str, list[Site | Edge]] = {}
        self._places: dict[int, Place] = {}

    def run(self) -> None:
        """Finds all calls."""
        ev, program = self.ev, self.program
        with ev.making("subclasses"):
            with ev.making(*OUTSIDE_TABLES):
                survey_outside_methods(ev)
            survey_subclasses(ev)
        stores = Stores(ev)
        stores.look()
        stores.announce()
        for path in program.paths:
            file = program.file(path)
            if file is not None:
                self._sites[path] = self.look(file)
        ev.fill()
        for _ in range(MANY_ROUNDS):
            ev.settle()
            if not (self.announce() | stores.announce()):
                if ev.all_known:
                    break
                ev.all_known = True
                ev.changed("guess")

    def look(self, file: File) -> list[Site | Edge]:
        """Looks at every site of a file that may call something of the repository; what is known for good
        becomes an edge at once."""
        ev = self.ev
        attend = ev.attend
        ev.mention(file)
        kept: list[Site | Edge] = []
        for site in sites_of(self.program, file):
            site.ev = ev
            if not attend(site) or len(site.calls) > 1 or site.by_name:
                kept.append(site)
            else:
                kept.extend(edges_of(ev, site, self.place))
        if self._spends:
            file.spend_records()
        return kept

    def announce(self) -> bool:
        """Adds the new calls to the flows; whether there are any."""
        ev = self.ev
        new, ev.new_calls = ev.new_calls, {}
        for gid, calls in new.items():
            ev.flows.setdefault(gid, []).extend(calls)
            ev.changed(gid)
        return bool(new)

    def edges(self) -> dict[str, list[Edge]]:
        """The calls that were found, by path; the sites are given back."""
        return {path: list(self._edges_of(self._sites.pop(path))) for path in list(self._sites)}

    def _edges_of(self, sites: Iterable[Site | Edge]) -> Iterable[Edge]:
        for site in sites:
            if isinstance(site, Edge):
                yield site
            else:
                yield from edges_of(self.ev, site, self.place)

    def place(self, gid: int) -> Place:
        """Where a symbol stands; always the same tuple."""
        known = self._places.get(gid)
        if known is None:
            known = self._places[gid] = self.program.place(gid)
        return known


class Linked(NamedTuple):
    """The calls of every file, and what a later look at one file alone needs to know."""

    edges: dict[str, list[Edge]]
    notes: Notes


def link(facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None) -> dict[str, list[Edge]]:
    """The calls of every file. ``texts``: project files that say where modules are, by path (``go.mod``,
    ``Cargo.toml``, ``package.json``, ``tsconfig.json``), for ``program.texts``."""
    return link_all(facts, texts).edges


def link_all(
    facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None, *, spends: bool = False
) -> Linked:
    """The same with notes. ``spends``: nobody needs the calls, reads and writes in the facts afterwards."""
    program = Program(facts, facts.get, texts or {})
    survey(program)
    linker = Linker(program, spends=spends)
    linker.run()
    linked = Linked(linker.edges(), linker.ev.notes())
    linker.ev.forget()
    return linked


def edges_of(ev: Evaluator, site: Site, place_of: Callable[[int], Place]) -> Iterable[Edge]:
    """What a site that was looked at calls."""
    if site.flags & FLOW_ONLY or not (site.calls or site.by_name):
        return
    targets = by_symbol(site.calls)
    called, candidates = chosen(ev, site.file, site.scope, site.expr, targets)
    if site.what == "class":  # all of it runs
        called, candidates = [*called, *candidates], []
    if site.by_name:
        is_sure = len(site.by_name) == 1 and is_near(ev, site.file, site.by_name[0])
        (called if is_sure else candidates).extend(site.by_name)
    for gid in called:
        yield Edge(site.scope, site.line, place_of(gid))
    if candidates:
        yield Edge(site.scope, site.line, None, True, tuple(map(place_of, candidates)))


__all__ = ["Edge", "Linked", "link", "link_all"]
