"""The recorder that extractors report to: builds ``FileFacts`` and finds which definition each use of a name
sees.

An extractor walks the tree in program order and calls, for instance, for ``a = f`` then ``a()``::

    rec.bind("a", rec.use("f"))
    rec.call(line, ("call", rec.use("a"), (), ()))

Reaching definitions are found as in M. Braun et al., "Simple and Efficient Construction of Static Single
Assignment Form" (CC 2013): an environment per scope maps a name (or an attribute or item of a known
definition) to the bind that reaches this point; where branches meet a ``phi`` bind joins them; in loops a
phi is opened at the first use of what was defined before the loop and is completed at the loop's end.

Control flow::

    fork = rec.fork()            if c:        rec.loop()        while c:
    ...                              ...      ...                   ...
    rec.arm(fork)                else:        rec.end_loop()
    ...                              ...      rec.dead()        after return, raise
    rec.join(fork, exhaustive=True)           rec.jump()        break, continue (of a loop)
                                              (the rest of this arm can't run; nothing more flows out of it)

``exhaustive``: one of the arms is always taken (there is an ``else``). ``try`` is an exhaustive fork too: the
body is an arm, ``rec.handler(fork)`` begins each handler.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sctx_tui.graph.facts import IMPLICIT, Expr, Param, no_facts

THIS = ("this",)
#: The parameters of a function as their names' first values: the same few tuples everywhere.
parameter = cache(lambda k: ("param", k))

Key = Any  # a name, (bind, attribute name) or (bind, ("const", key))
Env = dict[Key, int]


class Recorder:
    """Collects the facts of one file. ``scope`` is the symbol that is being walked."""

    def __init__(self, language: str) -> None:
        self.facts = no_facts(language)
        self.scope = -1
        self._env: Env = {}
        self._dead = False
        self._loops: list[tuple[Env, dict[Key, int], list[Env], bool]] = []
        self._stack: list[tuple[Any, ...]] = []
        self._held: dict[Any, set[Key]] = {}  # what has attributes or items in some environment -> their keys
        self.asked: dict[str, Expr] = {}  # names that the linker has to look up
        self._reads: dict[int, Expr] = {}  # bind -> the Expr for reading it
        self._attrs: dict[tuple[int, str], Expr] = {}  # said once, however often the source says it
        self._binds = self.facts["binds"]
        self._calls = self.facts["calls"]
        self._lambdas: dict[int, int] = {}

    # symbols

    def open(
        self,
        name: str,
        kind: str,
        start: int,
        end: int,
        *,
        signature: str = "",
        doc: str = "",
        decorators: tuple[str, ...] = (),
        bases: tuple[Expr, ...] = (),
        params: tuple[Param, ...] = (),
        returns: Expr = None,
        flags: int = 0,
        owner: Expr = None,
        qualname: str = "",
    ) -> int:
        """Begins a symbol and makes it the scope; ``close`` ends it. An empty ``name`` makes a ``<lambdaN>``.

        Nothing is bound: bind its parameters (``("param", k)``), and after ``close`` its name (``("def",
        index)``).
        """
        symbols = self.facts["symbols"]
        index, parent = len(symbols), self.scope
        if not name:
            self._lambdas[parent] = number = self._lambdas.get(parent, 0) + 1
            name = f"<lambda{number}>"
        if not qualname:
            outer = symbols[parent][1] if parent > 0 else ""
            qualname = f"{outer}.{name}" if outer else name
        row = (
            name,
            qualname,
            kind,
            parent,
            start,
            end,
            signature,
            doc,
            decorators,
            bases,
            params,
            returns,
            flags,
            (),
            owner,
        )
        symbols.append(row)
        self._stack.append((parent, self._env, self._dead, self._loops))
        self.scope, self._env, self._dead, self._loops = index, {}, False, []
        return index

    def close(self, mutates: tuple[str, ...] = ()) -> int:
        """Ends the symbol that ``open`` began and returns its index."""
        index = self.scope
        row = self.facts["symbols"][index]
        if mutates:
            self.facts["symbols"][index] = (*row[:13], mutates, row[14])
        if row[2] in ("module", "class", "interface", "namespace"):
            self.facts["exits"][index] = {key: bind for key, bind in self._env.items() if type(key) is str}
        self.scope, self._env, self._dead, self._loops = self._stack.pop()
        return index

    def revisit(self, symbol: int) -> None:
        """Makes ``symbol``, which was closed, the scope again for code that was put off; ``leave`` ends it.

        What the environment was is forgotten: names are found by the linker.
        """
        self._stack.append((self.scope, self._env, self._dead, self._loops))
        self.scope, self._env, self._dead, self._loops = symbol, {}, False, []

    def leave(self) -> None:
        """Ends what ``revisit`` began."""
        self.scope, self._env, self._dead, self._loops = self._stack.pop()

    def kind(self) -> str:
        """The kind of the symbol that is being walked."""
        kind: str = self.facts["symbols"][self.scope][2]
        return kind

    def enclosing_function(self) -> int:
        """The scope of the function around this one; the module where there is none."""
        symbols = self.facts["symbols"]
        scope: int = symbols[self.scope][3]
        while scope > 0 and symbols[scope][2] == "class":
            scope = symbols[scope][3]
        return max(scope, 0)

    def set_doc(self, doc: str) -> None:
        """Gives the current symbol its documentation."""
        row = self.facts["symbols"][self.scope]
        self.facts["symbols"][self.scope] = (*row[:7], doc, *row[8:])

    # names

    def bind(self, name: str, value: Expr) -> int:
        """Defines ``name`` in this scope; earlier definitions no longer reach what follows."""
        binds = self._binds
        self._env[name] = index = len(binds)
        binds.append((self.scope, name, value))
        return index

    def bind_in(self, scope: int, name: str, value: Expr) -> None:
        """Defines ``name`` of an enclosing scope (``global``, ``nonlocal``, assignment to an outer variable
        in JavaScript): one more meaning beside those that it has there."""
        binds = self.facts["binds"]
        index = len(binds)
        binds.append((scope, name, value))
        for entry in self._stack:
            if entry[0] == scope:
                env: Env = entry[1]
                old = env.get(name)
                if old is not None:
                    binds.append((scope, name, ("phi", (old, index))))
                env[name] = len(binds) - 1

    def use(self, name: str) -> Expr:
        """The Expr for reading ``name`` here."""
        bind = self._env.get(name)
        if bind is None:
            return self.asked.get(name) or self.asked.setdefault(name, ("name", name))
        if self._loops and self._binds[bind][2] != THIS:
            bind = self._through_loops(name, bind)
        made = self._reads.get(bind)
        if made is None:
            made = self._reads[bind] = THIS if self._binds[bind][2] == THIS else ("var", bind)
        return made

    def reaching(self, name: str) -> int | None:
        """The bind that reaches this point, or None."""
        return self._env.get(name)

    def _through_loops(self, key: Key, bind: int) -> int:
        """A phi for each loop around this point that began with ``bind`` (redefined further down, maybe)."""
        binds = self.facts["binds"]
        for before, phis, _, _ in self._loops:
            if before.get(key) == bind and key not in phis:
                index = len(binds)
                binds.append((binds[bind][0], binds[bind][1], ("phi", (bind,))))
                phis[key] = self._env[key] = bind = index
        return bind

    # attributes and items

    def attr(self, base: Expr, name: str) -> Expr:
        """The Expr for reading ``base.name`` here: what was just stored there, if it was."""
        if base is None:
            return None
        if self._held and base[0] in ("var", "this") and (stored := self._stored(base, name)) is not None:
            return stored
        key = (id(base), name)  # `base` lives as long as what is kept under it
        return self._attrs.get(key) or self._attrs.setdefault(key, ("attr", base, name))

    def item(self, base: Expr, key: Expr) -> Expr:
        """The Expr for reading ``base[key]`` here."""
        if base is None:
            return None
        return (self._stored(base, key) if key is not None and key[0] == "const" else None) or (
            "item",
            base,
            key,
        )

    def _stored(self, base: Any, name: Any) -> Expr:
        if base[0] != "var" and base != THIS:
            return None
        bind = self._env.get(key := (base[-1], name))
        if bind is None:
            return None
        return ("var", self._through_loops(key, bind) if self._loops else bind)

    def store(self, target: Expr, value: Expr, line: int = 0) -> None:
        """Records ``target = value`` where target is ``("attr", base, name)`` or ``("item", base, key)``.

        With ``line`` it may also call a setter.
        """
        if target is None:
            return
        facts = self.facts
        facts["stores"].append((self.scope, target, value))
        if line and target[0] == "attr":
            facts["writes"].append((self.scope, line, target, value))
        base, key = target[1], target[2]
        if base is None or (base[0] != "var" and base != THIS):
            return
        if target[0] == "item" and (key is None or key[0] != "const"):
            self.escape(base)
            return
        held = (base[-1], key)
        self._held.setdefault(base[-1], set()).add(held)
        self._env[held] = len(facts["binds"])
        facts["binds"].append((self.scope, "", value))

    def escape(self, value: Expr) -> None:
        """``value`` went to code that may change its attributes and items (done for arguments)."""
        if value is not None and ((tag := value[0]) == "var" or tag == "this"):
            for key in self._held.get(value[-1], ()):
                self._env.pop(key, None)

    # code

    def call(self, line: int, call: Expr, flags: int = 0) -> Expr:
        """Records a call (``call`` or ``new`` Expr) and returns it, for use as a value."""
        if call is not None:
            self._calls.append((self.scope, line, call, flags))
            if self._held and not flags & IMPLICIT:
                callee = call[1]
                if callee is not None and callee[0] == "attr":
                    self.escape(callee[1])
                for arg in call[2]:
                    if arg is not None and ((tag := arg[0]) == "var" or tag == "this"):
                        self.escape(arg)
        return call

    def read(self, line: int, target: Expr) -> None:
        """Records that the attribute ``target`` (from ``attr``) is read there, other than to be called."""
        if target is not None and target[0] == "attr":
            self.facts["reads"].append((self.scope, line, target))

    def returned(self, value: Expr) -> None:
        """``return value``; the caller says ``dead()`` afterwards."""
        self.facts["returns"].append((self.scope, value))

    def yielded(self, value: Expr) -> None:
        """``yield value``."""
        self.facts["yields"].append((self.scope, value))

    # control flow

    def dead(self) -> None:
        """The rest of this arm can't be reached."""
        self._dead = True

    def fork(self) -> list[Any]:
        """Begins the first of several alternative arms."""
        return [dict(self._env), self._dead, [], len(self.facts["binds"])]

    def arm(self, fork: list[Any]) -> None:
        """Begins the next arm: what was defined in the arm before is out of sight until ``join``."""
        before, was_dead, ends, _ = fork
        if not self._dead:
            ends.append(self._env)
        self._env, self._dead = dict(before), was_dead

    def handler(self, fork: list[Any]) -> None:
        """Begins an arm that any point of the first arm may jump to: ``except``, ``catch``. It sees every
        definition there."""
        self.arm(fork)
        binds = self.facts["binds"]
        made: dict[str, tuple[int, ...]] = {}
        for index in range(fork[3], len(binds)):
            scope, name, _ = binds[index]
            if scope == self.scope and name:
                made[name] = (*made.get(name, ()), index)
        for name, indexes in made.items():
            before = self._env.get(name)
            reaching = indexes if before is None else (before, *indexes)
            self._env[name] = len(binds)
            binds.append((self.scope, name, ("phi", reaching)))

    def join(self, fork: list[Any], *, exhaustive: bool, prefer: bool = False) -> None:
        """Ends the last arm; what follows sees the definitions of every arm that gets here.

        ``prefer``: those of an earlier arm alone, where they are known (``try: import x``, and else a
        stand-in).
        """
        before, was_dead, ends, _ = fork
        if not self._dead:
            ends.append(self._env)
        if not exhaustive:
            ends.append(before)
        self._dead = was_dead or not ends
        self._env = self._merged(ends, "prefer" if prefer else "phi") if ends else before

    def _merged(self, ends: list[Env], tag: str = "phi") -> Env:
        binds = self.facts["binds"]
        merged = dict(ends[0])
        for other in ends[1:]:
            if other == merged:
                continue
            for key, bind in other.items():
                mine = merged.get(key)
                if mine is None:
                    if type(key) is str:
                        merged[key] = bind
                elif mine != bind:
                    merged[key] = len(binds)
                    binds.append((binds[mine][0], binds[mine][1], (tag, (mine, bind))))
            for key in [key for key in merged if type(key) is tuple and key not in other]:
                del merged[key]
        return merged

    def loop(self) -> None:
        """Begins a loop's body, which may run any number of times."""
        self._loops.append((dict(self._env), {}, [], self._dead))

    def jump(self) -> None:
        """``break`` or ``continue`` of the innermost loop: what is defined here reaches the loop's end."""
        if self._loops and not self._dead:
            self._loops[-1][2].append(self._env)
        self._dead = True

    def end_loop(self) -> None:
        """Ends the loop: definitions in its body reach its own beginning and what follows."""
        before, phis, ends, was_dead = self._loops.pop()
        if not self._dead:
            ends.append(self._env)
        binds = self.facts["binds"]
        for key, phi in phis.items():
            scope, name, (_, reached) = binds[phi]
            reached += tuple({last: 0 for end in ends if (last := end.get(key)) is not None and last != phi})
            binds[phi] = (scope, name, ("phi", reached))
            before[key] = phi
        self._env = self._merged([before, *ends])
        self._dead = was_dead

    #: To be called before a block binds a name for itself alone (``let``, comprehension variables).
    shadow = reaching

    def unshadow(self, name: str, saved: int | None) -> None:
        """Ends what ``shadow`` began: ``name`` means again what it meant outside the block."""
        if saved is None:
            self._env.pop(name, None)
        else:
            self._env[name] = saved
