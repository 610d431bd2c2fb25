"""All files' facts at hand: global symbol numbers, and per-file tables by scope, made when first asked
for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sctx_tui.graph.facts import FLAGS, KIND, NAME, OWN_THIS, OWNER, PARENT, Expr, FileFacts, Row
from sctx_tui.graph.rules import Rules, rules_of

Place = tuple[str, int]
"""A symbol: the path of its file, its index there."""

#: Kinds of symbols whose names last after their code has run.
NAMESPACES = ("module", "class", "interface", "namespace")
#: Those whose names code inside doesn't see without a receiver, unless the language says so.
CLASSES = ("module", "class", "interface")


class File:
    """One file of the program."""

    __slots__ = (
        "_binds_by_scope",
        "_exits",
        "_returns",
        "_spans",
        "_spent",
        "_this_stores",
        "_yields",
        "base",
        "bind_base",
        "binds",
        "facts",
        "inner_names",
        "path",
        "rules",
        "symbols",
    )

    def __init__(self, path: str, facts: FileFacts, base: int) -> None:
        self.path, self.facts, self.base = path, facts, base
        self.bind_base = 0  # numbers the binds of all files
        self.symbols: list[Row] = facts["symbols"]
        self.binds: list[Row] = facts["binds"]
        self.rules: Rules = rules_of(facts["language"])
        #: names bound in some scope other than the module: others are looked up in the module at once
        self.inner_names = {bind[1] for bind in self.binds if bind[0]}
        self._exits = facts["exits"]
        self._binds_by_scope: dict[int, dict[str, list[int]]] = {}
        self._spans: dict[int, tuple[int, int]] | None = None
        self._spent: list[Expr] = []
        self._returns: dict[int, list[Expr]] | None = None
        self._yields: dict[int, list[Expr]] | None = None
        self._this_stores: dict[int, dict[str, list[tuple[int, Expr]]]] | None = None

    def binds_in(self, scope: int, name: str) -> Sequence[int]:
        """The binds that ``name`` of that scope stands for when the scope's code has run."""
        names = self._exits.get(scope)
        if names is not None:
            index = names.get(name)
            if index is not None:
                return (index,)
        of_scope = self._binds_by_scope.get(scope)
        if of_scope is None:
            of_scope = self._binds_by_scope[scope] = self._named(scope)
        return of_scope.get(name, ())

    def _named(self, scope: int) -> dict[str, list[int]]:
        """The binds of one scope, phis left out, and names that its exits have: most are never asked."""
        if self._spans is None:
            self._spans = _spans(self.binds)
        exits = self._exits.get(scope, ())
        found: dict[str, list[int]] = {}
        for index in range(*self._spans.get(scope, (0, 0))):
            where, name, value = self.binds[index]
            is_joined = value is not None and value[0] in ("phi", "prefer")
            if where == scope and name and name not in exits and not is_joined:
                found.setdefault(name, []).append(index)
        return found

    def spend_records(self) -> None:
        """Gives back the rows of calls, reads and writes, which everybody has seen. Their Exprs stay: what
        calls give is known by their identity."""
        facts = self.facts
        self._spent = [row[2] for rows in (facts["calls"], facts["reads"], facts["writes"]) for row in rows]
        facts["reads"], facts["writes"] = [], []
        if not self.rules.functions_construct:  # else what promises resolve with is looked for in the calls
            facts["calls"] = []

    def returns(self, scope: int) -> list[Expr]:
        """The values that the function returns."""
        if self._returns is None:
            self._returns = _by_scope(self.facts["returns"])
        return self._returns.get(scope, [])

    def yields(self, scope: int) -> list[Expr]:
        """The values that the function yields."""
        if self._yields is None:
            self._yields = _by_scope(self.facts["yields"])
        return self._yields.get(scope, [])

    def method_of(self, scope: int) -> int:
        """The method (or function) whose receiver ``this`` is in that scope: lambdas see the outer one's."""
        symbols = self.symbols
        while (
            symbols[scope][KIND] == "lambda"
            and not symbols[scope][FLAGS] & OWN_THIS
            and symbols[scope][PARENT] > 0
        ):
            scope = symbols[scope][PARENT]
        return scope

    def class_at(self, method: int) -> int:
        """The scope of the class whose objects are the method's receiver: a function that constructs is
        its own class."""
        if self.rules.functions_construct and self.symbols[method][KIND] == "function":
            return method
        return self.symbols[method][PARENT]  # type: ignore[no-any-return]

    def this_stores(self, scope: int) -> dict[str, list[tuple[int, Expr]]]:
        """What the methods of the class at ``scope`` store in their receiver: name -> [(scope, value)].

        Under key -1: the same for methods that stand outside their class.
        """
        table = self._this_stores
        if table is None:
            table = self._this_stores = {}
            for where, target, value in self.facts["stores"]:
                if target[0] != "attr" or value is None:
                    continue
                base = target[1]
                if base == ("this",):
                    method = self.symbols[self.method_of(where)]
                    owner = -1 if method[OWNER] is not None else self.class_at(self.method_of(where))
                elif base[0] == "inst" and base[1] is not None and base[1][0] == "def":
                    owner = base[1][1]
                else:
                    continue
                table.setdefault(owner, {}).setdefault(target[2], []).append((where, value))
        return table.get(scope, _NO_STORES)


_NO_STORES: dict[str, list[tuple[int, Expr]]] = {}


def _spans(binds: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """Between which indexes the binds of each scope are; those of others may be among them."""
    first: dict[int, int] = {}
    end: dict[int, int] = {}
    for index, bind in enumerate(binds):
        scope = bind[0]
        first.setdefault(scope, index)
        end[scope] = index + 1
    return {scope: (index, end[scope]) for scope, index in first.items()}


def _by_scope(rows: Iterable[Row]) -> dict[int, list[Expr]]:
    table: dict[int, list[Expr]] = {}
    for scope, value in rows:
        table.setdefault(scope, []).append(value)
    return table


class Program:
    """The files that one link looks at. ``load(path)`` gives a file's facts, or None where there are none."""

    def __init__(
        self,
        paths: Iterable[str],
        load: Callable[[str], FileFacts | None],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.texts = texts or {}  # project files by path: go.mod, Cargo.toml, package.json, tsconfig.json
        self.paths = sorted(paths)
        self.path_set = frozenset(self.paths)
        self._load = load
        self.files: dict[str, File | None] = {}
        self._of_symbol: list[File | None] = [None]
        self._next = 1
        self._next_bind = 1
        self.cache: dict[Any, Any] = {}  # of the language rules' module resolution
        self.relevant: dict[int, Any] = {}  # contexts.Relevant by function; by -constructor
        self.made_by_calls: dict[Any, Expr] = {}
        #: names of attributes that are stored in something else than a method's receiver
        self.stored_names: set[str] = set()
        #: (class, name) -> methods that stand outside the class; -> stores in their receivers
        self.methods_outside: dict[tuple[int, str], list[int]] = {}
        #: (class, name) -> what is stored in the class's prototype: [(file, scope, Expr)]
        self.defined_outside: dict[tuple[int, str], list[tuple[File, int, Expr]]] = {}
        #: class -> what is said elsewhere that it implements or inherits from: [(file, scope, Expr)]
        self.implemented: dict[int, list[tuple[File, int, Expr]]] = {}
        self.stores_outside: dict[tuple[int, str], list[tuple[File, int, Expr]]] = {}
        #: class -> classes that name it as a base
        self.subclasses: dict[int, list[int]] = {}
        #: names that a callee, a property, a setter may have
        self.callable_names: set[str] = set()
        self.property_names: set[str] = set()
        #: functions that take whatever they are called on as their receiver
        self.own_this: set[int] = set()
        #: names of attributes that are stored in anything
        self.attribute_names: set[str] = set()
        self.setter_names: set[str] = set()
        #: names of classes (and modules) whose objects are descriptors, that give attributes by a function,
        #: that run one when any attribute is written
        self.descriptor_names: set[str] = set()
        self.data_descriptor_names: set[str] = set()  # of those that are told what is written
        self.created_names: set[str] = set()  # of those that run something when a subclass is made
        self.field_names: set[str] = set()
        #: names of metaclasses that have a method for calls of their classes
        self.calling_metaclasses: set[str] = set()
        self.getattr_names: set[str] = set()
        self.setattr_names: set[str] = set()
        #: names for which a function was asked that gives attributes that are missing
        self.given_names: set[str] = set()
        self.setters: dict[tuple[int, str], int] = {}
        self.methods_by_name: dict[str, list[int]] = {}

    def file(self, path: str) -> File | None:
        """The file at ``path``, loaded when first asked for."""
        try:
            return self.files[path]
        except KeyError:
            facts = self._load(path) if path in self.path_set else None
            made = File(path, facts, self._next) if facts is not None else None
            if made is not None:
                self._next += len(made.symbols)
                self._of_symbol += [made] * len(made.symbols)
                made.bind_base = self._next_bind
                self._next_bind += len(made.binds)
            self.files[path] = made
            return made

    def submodule(self, path: str, name: str) -> tuple[str, ...] | None:
        """The module ``name`` within the module at ``path``, by the language's rule."""
        file = self.file(path)
        rules = file.rules if file is not None else rules_of("python")
        return rules.submodule(path, name, self)

    def where(self, gid: int) -> tuple[File, int]:
        """(file, index of the symbol) of a global symbol number."""
        file = self._of_symbol[gid]
        assert file is not None
        return file, gid - file.base

    def place(self, gid: int) -> Place:
        """Where a symbol stands, for everybody else."""
        file, index = self.where(gid)
        return file.path, index

    def symbol(self, gid: int) -> Row:
        """The symbol with that number."""
        file, index = self.where(gid)
        return file.symbols[index]

    def name(self, gid: int) -> str:
        """Its simple name."""
        name: str = self.symbol(gid)[NAME]
        return name
