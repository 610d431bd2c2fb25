"""JavaScript: properties that the language's and packages' functions give to objects, and prototypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import FLOW_ONLY, IMPLICIT, NAME, PROPERTY, SETTER, Expr
from sctx_tui.graph.languages.javascript_classes import Classes

if TYPE_CHECKING:
    from tree_sitter import Node

_COLLECTIONS = ("lodash", "lodash-es", "underscore")
#: Packages' functions that give their first argument the properties of the others, by their name there ("":
#: the package is one) -> packages.
MIXERS: dict[str, tuple[str, ...]] = {
    "": (
        *("merge-descriptors", "object-assign", "utils-merge", "xtend/mutable", "extend"),
        *(
            f"lodash{sep}{name}"
            for sep in "./"
            for name in ("assign", "assignin", "assignIn", "extend", "merge")
        ),
    ),
    "assign": _COLLECTIONS,
    "assignIn": _COLLECTIONS,
    "extend": (*_COLLECTIONS, "jquery"),
    "merge": _COLLECTIONS,
    "defaults": _COLLECTIONS,
    "_extend": ("util", "node:util"),
}
MIXING = frozenset(package for packages in MIXERS.values() for package in packages)
MIXES_AS = frozenset(("attr", "name", "var"))
#: Names that pages have without asking for them -> package.
PACKAGE_GLOBALS = {"_": "lodash", "$": "jquery", "jQuery": "jquery"}


class Properties(Classes):
    """The part of the walker that reads what gives objects properties."""

    def assign_properties(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``Object.assign(target, ...sources)``."""
        if not args or args[0] is None:
            return None
        target = self.object_of(args)
        for source in args[1:]:
            self.mix_in(target, source)
        return target

    def mixes(self, callee: Any) -> bool:
        """Whether ``callee`` is a package's function that does what ``Object.assign`` does."""
        if callee[2] not in MIXERS if callee[0] == "attr" else not self.imports_mixers():
            return False
        shown = self.imported(callee)
        name = ""
        if shown is not None and shown[0] == "attr":
            name = "" if shown[2] == "default" else shown[2]
            shown = self.imported(shown[1])
        if shown is None or shown[0] not in ("import", "name"):
            return False
        package = shown[1] if shown[0] == "import" else PACKAGE_GLOBALS.get(shown[1])
        return package in MIXERS.get(name, ())

    _imports, _mixers = 0, False  # how many imports were looked at; whether one of these packages is there

    def imports_mixers(self) -> bool:
        """Whether the file imports a package that mixes properties into objects."""
        imports = self.rec.facts["imports"]
        if len(imports) > self._imports:
            self._mixers |= any(spec in MIXING for spec, *_ in imports[self._imports :])
            self._imports = len(imports)
        return self._mixers

    def imported(self, value: Expr) -> Any:
        """``value``, looked through binds and, for what the module imports, names."""
        owner = self.owner_of(value[1]) if value is not None and value[0] == "name" else None
        if owner is None or value is None:
            return self.shown(value)
        if owner.parent is not None:
            return None
        binds = self.rec.facts["binds"]
        return self.shown(next((made for scope, name, made in binds if (scope, name) == (0, value[1])), None))

    def reflect_set(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``Reflect.set(object, name, value)``."""
        if len(args) > 2:
            self.rec.store(self.place(self.object_of(args), args[1]), args[2], self.line(node))
        return None

    def mix_in(self, target: Expr, source: Expr) -> None:
        """``target`` gets the properties of ``source``."""
        if target is None or source is None:
            return
        shown = self.shown(source)
        if shown is not None and shown[0] == "dict" and target[0] != "inst":
            for key, value in shown[1]:
                if key is not None and key[0] == "const":
                    self.rec.store(("attr", target, str(key[1])), value)
                else:
                    self.rec.store(("item", target, key if key == ("**",) else None), value)
        elif target[0] == "inst":
            self.set_prototype(target, source)
        else:
            self.rec.store(("item", target, ("**",)), source)

    def create_object(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``Object.create(prototype, descriptors)``."""
        if not args:
            return None
        pairs: list[Any] = []
        prototype = args[0]
        descriptors = self.shown(args[1]) if len(args) > 1 else None
        if prototype is not None and prototype != ("inst", ("lit", "none")):
            pairs.append((("**",), self.brief(prototype)))
        made = self.slot(("dict", tuple(pairs)))
        self.define_all(node, made, descriptors)
        return made

    def shown(self, value: Expr) -> Any:
        """``value``, looked through binds."""
        binds = self.rec.facts["binds"]
        for _ in range(20):
            if value is None or value[0] != "var":
                break
            value = binds[value[1]][2]
        return value

    def define_all(self, node: Node, target: Expr, descriptors: Any) -> None:
        """Define each property of a literal of descriptors."""
        if descriptors is not None and descriptors[0] == "dict":
            for key, descriptor in descriptors[1]:
                self.define_one(node, target, key, descriptor)

    def define_one(self, node: Node, target: Expr, key: Expr, descriptor: Expr) -> None:
        """One property by its descriptor: a value, or what its getter gives."""
        found = self.shown(descriptor)
        if target is None or key is None or key[0] != "const" or found is None or found[0] != "dict":
            return
        place: Any = ("attr", target, str(key[1]))
        for name, value in found[1]:
            if name == ("const", "value"):
                self.rec.store(place, value)
            elif name in (("const", "get"), ("const", "set")):
                call: Expr = ("call", ("attr", self.brief(value), "call"), (target,), ())
                self.rec.call(self.line(node), call, IMPLICIT | FLOW_ONLY)
                if self.is_own(target) and self.is_accessor(value, PROPERTY if name[1] == "get" else SETTER):
                    named = place[2] if name[1] == "get" else f"set {place[2]}"
                    self.rec.facts["stores"].append((self.rec.scope, ("attr", target, named), value))
                    self.rec.escape(target)
                elif name[1] == "get":
                    self.rec.store(place, self.slot(call))

    def is_own(self, target: Expr) -> bool:
        """Whether an object is made at hand, so that reading what it has says that it is this one."""
        shown = self.shown(target)
        return shown is not None and shown[0] in ("this", "inst", "dict", "new", "def")

    def is_accessor(self, value: Expr, flag: int) -> bool:
        """Whether a function is defined in the descriptor itself, so that reading or writing the property is
        all that calls it; it is marked so."""
        if value is None or value[0] != "def":
            return False
        if self.rec.facts["symbols"][value[1]][NAME] not in ("get", "set"):
            return False
        self.set_flags(value[1], flag)
        return True

    def define_property(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """`Object.defineProperty(target, key, descriptor)`; the target."""
        target = self.object_of(args)
        if len(args) == 3:
            self.define_one(node, target, args[1], args[2])
        return target

    def define_properties(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """`Object.defineProperties(target, descriptors)`; the target."""
        target = self.object_of(args)
        if len(args) == 2:
            self.define_all(node, target, self.shown(args[1]))
        return target

    def object_of(self, args: tuple[Expr, ...]) -> Expr:
        """The object that is the first argument; a prototype stays recognizable."""
        first = args[0] if args else None
        return first if first is None or first[0] == "inst" else self.brief(first)

    def set_prototype_of(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``Object.setPrototypeOf(object, prototype)``."""
        if len(args) < 2 or args[0] is None:
            return None
        target = self.object_of(args)
        if target is not None and target[0] == "inst":
            self.set_prototype(target, args[1])
        else:
            self.rec.store(("attr", target, "__proto__"), args[1])
            self.inherit(target, args[1])
        return target

    def inherit_classes(self, node: Node, args: tuple[Expr, ...]) -> Expr:
        """``util.inherits(Sub, Super)`` and the helpers that compilers write for ``extends``."""
        if len(args) >= 2 and args[0] is not None and args[1] is not None:
            self.inherit(("inst", self.brief(args[0])), self.brief(args[1]))
        return None
