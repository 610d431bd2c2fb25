"""Facts of all files -> who calls whom.

At first, parameters mean what their declared types and defaults say. The calls that are found then
(``flows``) say what
is passed: parameters, receivers included, mean that too, which may show more calls, until no more are
found. Values
only grow, so that the result depends on the facts alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sctx_tui.graph.choice import chosen, is_near
from sctx_tui.graph.facts import FLOW_ONLY, FileFacts
from sctx_tui.graph.link_notes import OUTSIDE_TABLES, Notes, Watched
from sctx_tui.graph.points_to import Call, Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.stores import Stores
from sctx_tui.graph.survey import survey, survey_outside_methods, survey_subclasses
from sctx_tui.graph.targets import Site, resolve, sites_of
from sctx_tui.graph.values import Values

#: Rounds of new calls after which no more are followed; real programs end after five to ten.
MANY_ROUNDS = 30


class Edge(NamedTuple):
    """A call: ``caller`` is a symbol's index in its file; ``callee`` (path, symbol's index), None where only
    ``candidates`` are known."""

    caller: int
    line: int
    callee: tuple[str, int] | None
    is_ambiguous: bool = False
    candidates: tuple[tuple[str, int], ...] = ()


class Linker:
    """One link of a program: its sites, and the calls that are not yet in ``ev.flows``."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ev = Watched(program)
        self.sites: dict[str, list[Site]] = {}
        self.new: dict[int, list[Call]] = {}

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
                self.sites[path] = self.look(file)
        for _ in range(MANY_ROUNDS):
            ev.settle()
            if not (self.announce() | stores.announce()):
                if ev.all_known:
                    break
                ev.all_known = True
                ev.changed("guess")

    def look(self, file: File) -> list[Site]:
        """Looks at every site of a file that may call something of the repository."""
        run, look = self.ev.run, self.resolve
        sites = list(sites_of(self.program, file))
        return [site for site in sites if not run(look, file, site) or site.targets or site.by_name]

    def resolve(self, file: File, site: Site) -> Values:
        """What the site may call; notes the calls that are new."""
        before, site.targets = site.targets, resolve(self.ev, file, site)
        for gid, calls in (site.targets or {}).items():
            known = list(before.get(gid, ())) if before else []
            for call in calls:
                if not any(call.is_same(other) for other in known):
                    known.append(call)
                    self.new.setdefault(gid, []).append(call)
        return ()

    def announce(self) -> bool:
        """Adds the new calls to the flows; whether there are any."""
        new, self.new = self.new, {}
        for gid, calls in new.items():
            self.ev.flows.setdefault(gid, []).extend(calls)
            self.ev.changed(gid)
        return bool(new)


class Linked(NamedTuple):
    """The calls of every file, and what a later look at one file alone needs to know."""

    edges: dict[str, list[Edge]]
    notes: Notes


def link(facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None) -> dict[str, list[Edge]]:
    """The calls of every file. ``texts``: project files that say where modules are, by path (``go.mod``,
    ``Cargo.toml``, ``package.json``, ``tsconfig.json``), for ``program.texts``."""
    return link_all(facts, texts).edges


def link_all(facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None) -> Linked:
    """The same with notes."""
    program = Program(facts, facts.get, texts or {})
    survey(program)
    linker = Linker(program)
    linker.run()
    edges = {path: list(edges_of(linker.ev, path, sites)) for path, sites in linker.sites.items()}
    linked = Linked(edges, linker.ev.notes())
    linker.ev.forget()
    return linked


def edges_of(ev: Evaluator, path: str, sites: Iterable[Site]) -> Iterable[Edge]:
    file = ev.program.file(path)
    assert file is not None
    for site in sites:
        if site.flags & FLOW_ONLY or not (site.targets or site.by_name):
            continue
        called, candidates = chosen(ev, file, site.scope, site.expr, site.targets or {})
        if site.by_name:
            is_sure = len(site.by_name) == 1 and is_near(ev, file, site.by_name[0])
            (called if is_sure else candidates).extend(site.by_name)
        for gid in called:
            yield Edge(site.scope, site.line, place(ev, gid))
        if candidates:
            yield Edge(site.scope, site.line, None, True, tuple(place(ev, gid) for gid in candidates))


def place(ev: Evaluator, gid: int) -> tuple[str, int]:
    """Where a symbol stands: path, index in its file."""
    file, index = ev.program.where(gid)
    return file.path, index


__all__ = ["Edge", "Linked", "link", "link_all"]
