"""A top-down solver for results that depend on one another, each a set of values that only grows.

B. Le Charlier and P. Van Hentenryck, "A Universal Top-Down Fixpoint Algorithm" (1992): a result is computed when it is
first asked for; one that is being computed gives what is known so far. Results remember who read them: when more
becomes known of one, its readers are computed again (``settle``), and theirs only if they gave something new. So a
result is computed once, or until nothing changes, whatever is asked first.

Results that can't change any more (they read nothing that may) remember no readers. What may change from outside is
a *source*: whoever computes with it says ``consult(source)``, and ``changed(source)`` makes those results stale.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

from sctx_tui.graph.values import MANY, TOO_MANY, Values, narrowed_to_many

#: Nested computations beyond which one is put off and its reader computed again afterwards.
DEEPEST = 45
DEEPEST_EXPR = 80

_STALE, _RUNNING = 1, 2


class Solver:
    """Results by key."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, int] = {}
        self._values: list[Values] = []
        self._computes: list[tuple[Any, ...]] = []  # (function, its arguments)
        self._flags = bytearray()
        self._fixed = bytearray()  # 1: can't change any more
        self._readers: list[set[int] | None] = []
        self._copies: dict[int, set[int]] = {}  # result -> results that hold all that it does
        self._of_source: dict[Hashable, set[int]] = {}
        self._wide: set[int] = set()
        self._stale: deque[int] = deque()
        self._depth = 0
        self.nested = 0  # Exprs in evaluation, one within another
        self._current = -1
        self._last = -1  # the result that was read last
        self._open = False  # whether what is running read something that may change

    def remembered(self, key: Hashable, compute: Callable[..., Values], *args: Any) -> Values:
        """The result named ``key``: ``compute(*args)``, from memory where it is known."""
        index = self._ids.get(key)
        if index is None:
            index = self._ids[key] = self._add((compute, *args))
            if self._depth < DEEPEST and self.nested < DEEPEST_EXPR:
                self._compute(index)
            else:
                self._flags[index] = _STALE
                self._stale.append(index)
        elif self._fixed[index]:
            self._last = index
            return self._values[index]
        elif self._flags[index] == _STALE and self._depth < DEEPEST:
            self._compute(index)
        if not self._fixed[index]:
            self._open = True
            readers = self._readers[index]
            if readers is None:
                self._readers[index] = {self._current}
            else:
                readers.add(self._current)
        self._last = index
        return self._values[index]

    def copied(self, compute: Callable[..., Values], *args: Any) -> Values:
        """``compute(*args)``, which gives one result as it is or what never changes: what is running holds all of it, now
        and whenever more becomes known, without being computed again."""
        target, self._current, self._last = self._current, -1, -1
        values = compute(*args)
        self._current = target
        if self._last >= 0 and not self._fixed[self._last]:
            self._copies.setdefault(self._last, set()).add(target)
            self._open = True
        return values

    def known(self, key: Hashable) -> Values:
        """What is known of a result, without asking for more; for whoever computes it."""
        index = self._ids.get(key)
        return self._values[index] if index is not None else ()

    def run(self, compute: Callable[..., Values], *args: Any) -> None:
        """Computes something for its effect, and again whenever what it read changes."""
        index = self._add((compute, *args))
        self._compute(index)
        if self._fixed[index]:
            self._computes[index] = ()

    def consult(self, source: Hashable) -> None:
        """What is running depends on ``source``."""
        self._open = True
        readers = self._of_source.get(source)
        if readers is None:
            self._of_source[source] = {self._current}
        else:
            readers.add(self._current)

    def changed(self, source: Hashable) -> None:
        """What consulted ``source`` is stale."""
        self._make_stale(self._of_source.pop(source, ()))

    def settle(self) -> None:
        """Computes what is stale until nothing is."""
        stale, flags = self._stale, self._flags
        while stale:
            index = stale.popleft()
            if flags[index] == _STALE:
                self._compute(index)

    def _add(self, compute: tuple[Any, ...]) -> int:
        self._values.append(())
        self._computes.append(compute)
        self._flags.append(0)
        self._fixed.append(0)
        self._readers.append(None)
        return len(self._values) - 1

    def _make_stale(self, readers: Any) -> None:
        flags = self._flags
        for reader in readers:
            if reader >= 0 and not flags[reader] & _STALE:
                flags[reader] |= _STALE
                if not flags[reader] & _RUNNING:
                    self._stale.append(reader)

    def _compute(self, index: int) -> None:
        """Computes a result until nothing that it read has changed since."""
        flags = self._flags
        outer, outer_open = self._current, self._open
        self._current = index
        self._depth += 1
        compute, *args = self._computes[index]
        while True:
            flags[index] = _RUNNING
            self._open = False
            after = compute(*args)
            before = self._values[index]
            if after != before:
                after = self._joined(index, before, after)
                if after != before:
                    self._grow(index, after)
            if flags[index] == _RUNNING:
                break
        flags[index] = 0
        self._fixed[index] = not self._open
        self._depth -= 1
        self._current, self._open = outer, outer_open

    def _grow(self, index: int, values: Values) -> None:
        """Gives a result more values, and those who hold or read it."""
        pending = [(index, values)]
        while pending:
            index, values = pending.pop()
            self._values[index] = values
            readers, self._readers[index] = self._readers[index], None
            if readers:
                self._make_stale(readers)
            for copy in self._copies.get(index, ()):
                before = self._values[copy]
                after = self._joined(copy, before, values)
                if after != before:
                    pending.append((copy, after))

    def _joined(self, index: int, before: Values, after: Values) -> Values:
        if not before and index not in self._wide:
            return after
        made = dict.fromkeys((*before, *after))
        if index in self._wide or len(made) > MANY:
            self._wide.add(index)
            return narrowed_to_many(made)
        return (TOO_MANY,) if TOO_MANY in made else tuple(made)
