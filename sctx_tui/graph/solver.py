"""A top-down solver for mutually dependent results, each a set of values that only grows.

B. Le Charlier and P. Van Hentenryck, "A Universal Top-Down Fixpoint Algorithm" (1992): a result is computed when it is
first asked for; one that is already being computed gives what is known so far, and who read that is computed again
when more becomes known. Without cycles every result is computed once; with cycles, until nothing changes. Whatever
is asked first, the results are the same (the least solution), as long as computing is monotone.

Beside its values each result has the *sources* that it consulted (numbers that the caller chooses): ``forget`` drops
what consulted a source that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable

from sctx_tui.graph.values import MANY, TOO_MANY, Values, without_context

#: Nested computations beyond which one is put off and its reader computed again afterwards.
DEEPEST = 45

#: Beyond this many sources a result is taken to have consulted them all.
MANY_SOURCES = 24
ALL: frozenset[Hashable] = frozenset(["all"])

Compute = Callable[[], Values]


class Solver:
    """Results by key. ``solve`` is the way in from outside, ``remembered`` the way to ask from within a computation."""

    def __init__(self) -> None:
        self.consulted: set[Hashable] = set()
        self._done: dict[Hashable, tuple[Values, frozenset[Hashable]]] = {}
        # Of the running solve:
        self._values: dict[Hashable, Values] = {}
        self._computes: dict[Hashable, Compute] = {}
        self._sources: dict[Hashable, set[Hashable]] = {}
        self._readers: dict[Hashable, set[Hashable]] = {}
        self._stale: dict[Hashable, None] = {}
        self._wide: set[Hashable] = set()
        self._stack: list[Hashable] = []
        self._on_stack: set[Hashable] = set()
        self._cyclic = False

    def solve(self, compute: Compute) -> tuple[Values, frozenset[Hashable]]:
        """What ``compute`` gives, and the sources that it consulted."""
        root: Hashable = None
        self._computes[root] = compute
        self._compute(root)
        while self._stale:
            key = next(iter(self._stale))
            self._compute(key)
        values = self._values.pop(root)
        sources = few(self._sources.pop(root))
        self._keep()
        return values, sources

    def _keep(self) -> None:
        """Every result of the solve that ends is final."""
        done = self._done
        if self._cyclic:
            everything: set[Hashable] = set()
            for key in self._values:
                everything |= self._sources[key]
            shared = few(everything)
            for key, values in self._values.items():
                done[key] = (values, shared)
        else:
            for key, values in self._values.items():
                done[key] = (values, few(self._sources[key]))
        self._values.clear()
        self._computes.clear()
        self._sources.clear()
        self._readers.clear()
        self._wide.clear()
        self._cyclic = False

    def remembered(self, key: Hashable, compute: Compute) -> Values:
        """The result named ``key``; ``compute`` says how it is had."""
        hit = self._done.get(key)
        if hit is not None:
            if hit[1]:
                self.consulted |= hit[1]
            return hit[0]
        if not self._stack:
            self.solve(lambda: self.remembered(key, compute))
            return self.remembered(key, compute)
        if key not in self._values:
            self._computes[key] = compute
            if len(self._stack) < DEEPEST:
                self._compute(key)
            else:
                self._values[key], self._sources[key] = (), set()
                self._stale[key] = None
                self._cyclic = True
        elif key in self._on_stack:
            self._cyclic = True
        elif key in self._stale and len(self._stack) < DEEPEST:
            self._compute(key)
        self._readers.setdefault(key, set()).add(self._stack[-1])
        self.consulted |= self._sources[key]
        return self._values[key]

    def _compute(self, key: Hashable) -> None:
        """Computes the result named ``key`` until nothing that it read has changed since."""
        self._stack.append(key)
        self._on_stack.add(key)
        compute = self._computes[key]
        outer = self.consulted
        while True:
            self._stale.pop(key, None)
            self.consulted = set(self._sources.get(key, ()))
            before = self._values.setdefault(key, ())
            self._sources.setdefault(key, set())
            after = self._joined(key, before, compute())
            if len(self.consulted) > MANY_SOURCES:
                self.consulted = set(ALL)
            self._sources[key] = self.consulted
            if after != before:
                self._values[key] = after
                self._spread(key)
            if key not in self._stale:
                break
        self.consulted = outer
        self._on_stack.discard(key)
        self._stack.pop()

    def _joined(self, key: Hashable, before: Values, after: Values) -> Values:
        if not before and key not in self._wide:
            return after
        made = dict.fromkeys((*before, *after))
        if key in self._wide or len(made) > MANY:
            self._wide.add(key)
            made = dict.fromkeys(without_context(value) for value in made)
        if len(made) > MANY or TOO_MANY in made:
            return (TOO_MANY,)
        return tuple(made)

    def _spread(self, key: Hashable) -> None:
        """What read the result is out of date, and what read that."""
        pending = [key]
        while pending:
            for reader in self._readers.pop(pending.pop(), ()):
                if reader not in self._stale:
                    self._stale[reader] = None
                    pending.append(reader)

    def forget(self, changed: Collection[Hashable]) -> None:
        """Drops the results that consulted one of the sources."""
        gone = frozenset(changed) | ALL if changed else frozenset()
        self._done = {
            key: entry for key, entry in self._done.items() if not entry[1] or gone.isdisjoint(entry[1])
        }


def few(sources: set[Hashable]) -> frozenset[Hashable]:
    """The sources, or ``ALL`` where they are too many to keep."""
    return frozenset(sources) if len(sources) <= MANY_SOURCES and "all" not in sources else ALL
