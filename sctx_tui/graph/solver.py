"""A top-down solver for results that depend on one another, each a set of values that only grows.

B. Le Charlier and P. Van Hentenryck, "A Universal Top-Down Fixpoint Algorithm" (1992): a result is
computed when it is
first asked for; one that is being computed gives what is known so far. Results remember who read them:
when more
becomes known of one, its readers are computed again (``settle``), and theirs only if they gave something
new. So a
result is computed once, or until nothing changes, whatever is asked first.

Results that can't change any more (they read nothing that may) remember no readers. What may change from
outside is
a *source*: whoever computes with it says ``consult(source)``, and ``changed(source)`` makes those results
stale.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from typing import Any

from sctx_tui.graph.values import FULL, MANY, TOO_MANY, Values, narrowed_to_many

#: Nested computations, and nested Exprs, beyond which a computation is put off and its reader computed
#: again afterwards.
DEEPEST = 45
DEEPEST_EXPR = 80


class Node:
    """What is computed, and again whenever something that it read has changed."""

    __slots__ = ("fixed", "running", "stale")

    args: tuple[Any, ...] = ()
    values: Values = ()

    def __init__(self) -> None:
        self.fixed = self.running = self.stale = False


class Task(Node):
    """What is done for its effect alone."""

    __slots__ = ()

    def perform(self) -> None:
        """Do it, for the first time or again."""
        raise NotImplementedError


class Result(Node):
    """One result: its values, how they are computed, and who read them (some more than once)."""

    __slots__ = ("args", "compute", "copies", "readers", "values", "wide")

    def __init__(self, compute: Callable[..., Values], args: tuple[Any, ...]) -> None:
        self.compute, self.args = compute, args
        self.values: Values = ()
        self.readers: list[Node] | None = None
        self.copies: dict[Result, None] | None = None  # results that hold all that this one does
        self.fixed = self.running = self.stale = self.wide = False


class Solver:
    """Results by key; those that can't change any more are values alone."""

    def __init__(self) -> None:
        self._results: dict[Hashable, Result | Values] = {}
        self._of_source: dict[Hashable, list[Node]] = {}
        self._stale: deque[Node] = deque()
        self._depth = 0
        self.nested = 0  # Exprs in evaluation, one within another
        self._current: Node | None = None
        self._last: Result | None = None  # what was read last, if it may change
        self.all_known = False  # whether no more calls are found
        self._open = False  # whether what is running read something that may change

    def remembered(self, key: Hashable, compute: Callable[..., Values], *args: Any) -> Values:
        """The result named ``key``: ``compute(*args)``, from memory where it is known."""
        known: Any = self._results.get(key)
        if type(known) is tuple:
            self._last = None
            return known
        result: Result = known
        if known is None:
            result = self._results[key] = Result(compute, args)
            if self._depth < DEEPEST and self.nested < DEEPEST_EXPR:
                self._compute(result)
            else:
                result.stale = True
                self._stale.append(result)
        elif result.stale and not (result.running or result.fixed) and self._depth < DEEPEST:
            self._compute(result)
        if result.fixed:
            self._last = None
            values = self._results[key] = result.values
            return values
        self._last = result
        self._open = True
        reader = self._current
        if reader is not None:
            readers = result.readers
            if readers is None:
                result.readers = [reader]
            elif readers[-1] is not reader:
                readers.append(reader)
        return result.values

    def copied(self, compute: Callable[..., Values], *args: Any) -> Values:
        """``compute(*args)``, which gives one result as it is or what never changes: what is running holds
        all of it, now
        and whenever more becomes known, without being computed again."""
        target, self._current, self._last = self._current, None, None
        values = compute(*args)
        self._current = target
        source = self._last
        if source is not None and target is not None:
            self._open = True
            if source.copies is None:
                source.copies = {target: None}
            else:
                source.copies[target] = None
        return values

    def known(self, key: Hashable) -> Values:
        """What is known of a result, without asking for more; for whoever computes it."""
        result = self._results.get(key)
        return result.values if isinstance(result, Result) else result or ()

    def attend(self, task: Task) -> bool:
        """Does a task, and again whenever what it read changes; whether that can't happen."""
        outer, outer_open = self._current, self._open
        self._current = task
        self._depth += 1
        task.running = True
        while True:
            task.stale = self._open = False
            task.perform()
            if not task.stale:
                break
        task.running = False
        task.fixed = fixed = not self._open
        self._depth -= 1
        self._current, self._open = outer, outer_open
        return fixed

    def consult(self, source: Hashable) -> None:
        """What is running depends on ``source``."""
        self._open = True
        reader = self._current
        if reader is not None:
            readers = self._of_source.get(source)
            if readers is None:
                self._of_source[source] = [reader]
            elif readers[-1] is not reader:
                readers.append(reader)

    def may_guess(self) -> bool:
        """Whether all that calls and stores say is known, so that what they leave open may be guessed."""
        self.consult("guess")
        return self.all_known

    def changed(self, source: Hashable) -> None:
        """What consulted ``source`` is stale."""
        self._make_stale(self._of_source.pop(source, ()))

    def settle(self) -> None:
        """Computes what is stale until nothing is."""
        stale = self._stale
        while stale:
            node = stale.popleft()
            if node.stale and not (node.running or node.fixed):
                if type(node) is Result:
                    self._compute(node)
                else:
                    self.attend(node)  # type: ignore[arg-type]

    def forget(self) -> None:
        """Ends the solver and gives back its memory: results hold one another and the solver, and the
        cycle collector may be off."""
        for result in chain(self._results.values(), *self._of_source.values()):
            if isinstance(result, Result):
                result.args, result.readers, result.copies = (), None, None
        vars(self).clear()

    def _make_stale(self, readers: Iterable[Node]) -> None:
        for reader in readers:
            if not (reader.stale or reader.fixed):
                reader.stale = True
                if not reader.running:
                    self._stale.append(reader)

    def _compute(self, result: Result) -> None:
        """Computes a result until nothing that it read has changed since."""
        outer, outer_open = self._current, self._open
        self._current = result
        self._depth += 1
        result.running = True
        compute, args = result.compute, result.args
        while True:
            result.stale = self._open = False
            after = compute(*args)
            before = result.values
            if after and after != before:
                if before or result.wide:
                    after = _joined(result, before, after)
                    if after != before:
                        self._grow(result, after)
                else:
                    self._grow(result, after)
            if not result.stale:
                break
        result.running = False
        if not self._open or result.values == FULL:
            result.fixed = True
        self._depth -= 1
        self._current, self._open = outer, outer_open

    def _grow(self, result: Result, values: Values) -> None:
        """Gives a result more values, and those who hold or read it."""
        pending = [(result, values)]
        while pending:
            result, values = pending.pop()
            result.values = values
            if values == FULL:
                result.fixed = True  # more can't be known
            readers, result.readers = result.readers, None
            if readers:
                self._make_stale(readers)
            for copy in result.copies or ():
                after = _joined(copy, copy.values, values)
                if after != copy.values:
                    pending.append((copy, after))


def _joined(result: Result, before: Values, after: Values) -> Values:
    """Both results' values; in few words where they are many."""
    if not before and not result.wide:
        return after
    made = dict.fromkeys((*before, *after))
    if result.wide or len(made) > MANY:
        result.wide = True
        return narrowed_to_many(made)
    return FULL if TOO_MANY in made else tuple(made)
