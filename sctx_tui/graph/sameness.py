"""Whether two versions of a file say the same in some place: Exprs compared with all that they reach.

A bisimulation: definitions that mean each other are taken for the same while nothing contradicts it. Calls
and containers, which the linker tells apart by where they stand, are each the same as one other alone.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from sctx_tui.graph.facts import KIND, FileFacts
from sctx_tui.graph.program import NAMESPACES

#: Exprs that are told apart by where they stand.
_ONE_OF_A_KIND = frozenset(("call", "new", "decor", "list", "dict", "iter", "functype", "args"))


class Names:
    """The definitions within functions by name, and the names that have some in any inner scope."""

    def __init__(self, facts: FileFacts, places: Sequence[int | None]) -> None:
        self.inner: set[str] = set()
        self.binds: dict[str, list[int]] = {}
        symbols = facts["symbols"]
        for index, (scope, name, value) in enumerate(facts["binds"]):
            if scope:
                self.inner.add(name)
            is_single = value is None or value[0] not in ("phi", "prefer")
            if is_single and symbols[scope][KIND] not in NAMESPACES and places[scope] is not None:
                self.binds.setdefault(name, []).append(index)


class Sameness:
    """What is the same in both versions.

    ``kept``: of each symbol before, itself, None where it is gone; ``places``: of each symbol now, its index
    before; ``changed``: parameters (symbol before, index) that mean something else; ``names``: of the module
    that do.
    """

    def __init__(
        self,
        old: FileFacts,
        new: FileFacts,
        kept: Sequence[int | None],
        places: Sequence[int | None],
        changed: Container[tuple[int, int]],
        names: Container[str] = (),
    ) -> None:
        self._old, self._new = old, new
        self._kept, self._places, self._changed = kept, places, changed
        self._other_names = names
        self._names = Names(old, kept), Names(new, places)
        self._same: set[Any] = set()  # pairs of ids, ("bind", before, now), names
        self._alone: dict[tuple[int, bool], int] = {}  # (id, is new) -> id of the other
        self._trail: list[tuple[Any, Any]] = []
        self._pending: list[tuple[Any, Any, int]] = []
        self._held: list[Any] = []  # ids stay theirs

    def scopes(self, before: int, now: int) -> bool:
        """Whether it is the same symbol."""
        return self._kept[before] is not None and self._places[now] == before

    def exprs(self, before: Any, now: Any, scope: int = 0) -> bool:
        """Whether Exprs, or tuples of them, are the same. ``scope``: where they stand, before."""
        self._held.append((before, now))
        return self._settle([(before, now, scope)])

    def binds(self, before: Sequence[int], now: Sequence[int]) -> bool:
        """Whether definitions are the same, one by one."""
        pairs = list(zip(before, now, strict=False))
        return len(before) == len(now) and self._settle([(("var", i), ("var", j), 0) for i, j in pairs])

    def _settle(self, pending: list[tuple[Any, Any, int]]) -> bool:
        mark = len(self._trail)
        self._pending = pending
        while self._pending:
            if not self._one(*self._pending.pop()):
                for container, key in self._trail[mark:]:
                    if container is self._same:
                        container.discard(key)
                    else:
                        del container[key]
                del self._trail[mark:]
                return False
        return True

    def _one(self, before: Any, now: Any, scope: int) -> bool:
        if not isinstance(before, tuple) or not isinstance(now, tuple):
            return type(before) is type(now) and bool(before == now)
        bind = bind_of(before)
        if bind is not None:
            other = bind_of(now)
            return other is not None and self._bind(bind, other)
        if is_def(before):
            return is_def(now) and self.scopes(before[1], now[1])
        if len(before) != len(now):
            return False
        if len(before) == 2 and before[0] == "param" and type(before[1]) is int:
            return before == now and (scope, before[1]) not in self._changed
        if before and before[0] in _ONE_OF_A_KIND:
            known = self._alone.get((id(before), False)), self._alone.get((id(now), True))
            if known != (None, None):
                return known == (id(now), id(before))
            self._note(self._alone, (id(before), False), id(now))
            self._note(self._alone, (id(now), True), id(before))
        elif not self._assume((id(before), id(now))):
            return True
        self._pending.extend((a, b, scope) for a, b in zip(before, now, strict=True))
        if len(before) == 2 and before[0] == "name" and isinstance(before[1], str):
            return self._name(before[1])
        return True

    def _assume(self, pair: Any) -> bool:
        """Whether that wasn't assumed before."""
        if pair in self._same:
            return False
        self._same.add(pair)
        self._trail.append((self._same, pair))
        return True

    def _note(self, container: dict[Any, Any], key: Any, value: Any) -> None:
        container[key] = value
        self._trail.append((container, key))

    def _bind(self, before: int, now: int) -> bool:
        if not self._assume(("bind", before, now)):
            return True
        scope, _, value = self._old["binds"][before]
        other_scope, _, other = self._new["binds"][now]
        if not self.scopes(scope, other_scope):
            return False
        if value is None or other is None:
            return value is other
        if value[0] in ("phi", "prefer"):
            if other[0] != value[0] or len(other[1]) != len(value[1]):
                return False
            self._pending.extend(
                (("var", i), ("var", j), scope) for i, j in zip(value[1], other[1], strict=True)
            )
            return True
        self._pending.append((value, other, scope))
        return True

    def _name(self, name: str) -> bool:
        """Whether the definitions within functions that the name may mean are the same."""
        if name in self._other_names:
            return False
        if not self._assume(name):
            return True
        old, new = self._names
        before, now = old.binds.get(name, ()), new.binds.get(name, ())
        if (name in old.inner) is not (name in new.inner) or len(before) != len(now):
            return False
        self._pending.extend((("var", i), ("var", j), 0) for i, j in zip(before, now, strict=True))
        return True


def is_def(expr: tuple[Any, ...]) -> bool:
    """Whether it is a ``def`` Expr; a keyword argument may be called "def" as well."""
    return len(expr) == 2 and expr[0] == "def" and type(expr[1]) is int


def bind_of(expr: tuple[Any, ...]) -> int | None:
    """The bind that a ``var`` Expr names; a keyword argument may be called "var" as well."""
    return expr[1] if len(expr) == 2 and expr[0] == "var" and type(expr[1]) is int else None
