"""JavaScript and TypeScript: names and where they are declared (the lowest layer of the walker)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.grammars import fields

if TYPE_CHECKING:
    from tree_sitter import Node, Query

#: Expr tags that are as short as a reference to a bind.
SHORT = frozenset({"var", "name", "param", "def", "const", "this", "import", "lit", "super"})

#: Statements that declare a name of their block: functions, classes and what TypeScript adds.
DECLARES = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "internal_module",
        "module",
    }
)
HOISTED = frozenset({"function_declaration", "generator_function_declaration"})
#: Statements around a declaration: `export declare class C {}` has both.
WRAPPED = frozenset({"export_statement", "ambient_declaration"})


class Frame:
    """A function, class, namespace or module that is being walked, and the names that belong to it."""

    __slots__ = ("arguments", "mutated", "names", "parameters", "parent", "scope", "uses_this")

    def __init__(self, scope: int, parent: Frame | None) -> None:
        self.scope = scope
        self.parent = parent
        self.names: set[str] = set()
        self.parameters: set[str] = set()
        self.mutated: set[str] = set()
        self.uses_this = False
        self.arguments = -1  # the bind of `arguments`, where the body says it


@cache
def kinds(grammar: str) -> dict[str, frozenset[int]]:
    """Name of a named node -> its ids in that grammar (a name may have several)."""
    from sctx_tui.graph.grammars import language as load

    language = load(grammar)
    ids: dict[str, frozenset[int]] = {}
    for index in range(language.node_kind_count):
        if language.node_kind_is_named(index):
            name = language.node_kind_for_id(index) or ""
            ids[name] = ids.get(name, frozenset()) | {index}
    return ids


@cache
def handlers(walker: type, grammar: str) -> dict[int, Any]:
    """Node id -> the walker's ``on_<name>``, unbound; ids without one are left out."""
    return {
        index: method
        for name, group in kinds(grammar).items()
        if (method := getattr(walker, "on_" + name, None)) is not None
        for index in group
    }


@cache
def hoisting_query(grammar: str) -> Query:
    """``javascript.scm`` for that grammar."""
    from tree_sitter import Query

    from sctx_tui.graph.grammars import language as load

    return Query(load(grammar), Path(__file__).with_name("javascript.scm").read_text("utf-8"))


def hoisted_vars(root: Node, grammar: str) -> dict[int, list[Node]]:
    """Function node's ``id`` (0: the module) -> the patterns that ``var`` declares anywhere in it."""
    from tree_sitter import QueryCursor

    captures = QueryCursor(hoisting_query(grammar)).captures(root)
    functions = sorted(captures.get("function", ()), key=lambda node: node.start_byte)
    found: dict[int, list[Node]] = {}
    around: list[Node] = []
    following = 0
    for pattern in sorted(captures.get("var", ()), key=lambda node: node.start_byte):
        at = pattern.start_byte
        while following < len(functions) and functions[following].start_byte <= at:
            while around and around[-1].end_byte <= functions[following].start_byte:
                around.pop()
            around.append(functions[following])
            following += 1
        while around and around[-1].end_byte <= at:
            around.pop()
        found.setdefault(around[-1].id if around else 0, []).append(pattern)
    return found


class Names:
    """Texts, scopes of names, and values under names."""

    def __init__(self, rec: Recorder, grammar: str, root: Node, source: bytes) -> None:
        self.rec = rec
        self.grammar = grammar
        self.source = source  # of the tree that is being walked
        self.texts: dict[bytes, str] = {}
        ids = kinds(grammar)
        self.identifier = next(iter(ids["identifier"]))
        self.comment = next(iter(ids["comment"]))
        self.at = fields(grammar, "tsx")
        self.vars = hoisted_vars(root, grammar) if b"var" in source else {}
        self.has_namespaces = b"namespace" in source
        self.renames: dict[str, str] = {}  # name -> what it is called here, where an inner block declares it
        self.captured: dict[tuple[int, str], list[int]] = {}
        self.placeholders: dict[int, int] = {}  # id of a function declaration -> the bind that awaits it
        self.frame = Frame(0, None)
        self.keys: set[str] = set()  # of object literals, with values that aren't defined there

    # texts

    def text(self, node: Node) -> str:
        """The identifier at ``node``."""
        raw = self.source[node.start_byte : node.end_byte]  # half the price of `node.text`
        return self.texts.get(raw) or self.new_text(raw)

    def new_text(self, raw: bytes) -> str:
        """The text of an identifier that has not been met before."""
        name = self.texts[raw] = intern(raw.decode("utf-8", "replace"))
        return name

    def line(self, node: Node) -> int:
        """The line where a node begins, 1-based."""
        return node.start_point[0] + 1

    def parts(self, node: Node) -> list[Node]:
        """The named children without comments."""
        comment, children = self.comment, node.named_children
        for child in children:
            if child.kind_id == comment:
                return [child for child in children if child.kind_id != comment]
        return children

    def first(self, node: Node) -> Node | None:
        """The first named child that isn't a comment."""
        if not node.named_child_count:
            return None
        comment = self.comment
        first = node.named_child(0)
        if first is None or first.kind_id != comment:
            return first
        return next((child for child in node.named_children if child.kind_id != comment), None)

    # names

    def use(self, name: str) -> Expr:
        """The Expr for reading ``name`` here."""
        return self.rec.use(self.renames.get(name, name) if self.renames else name)

    def owner_of(self, name: str) -> Frame | None:
        """The frame that declares ``name``, seen from here; None: nobody, so it is global."""
        unique = self.renames.get(name, name)
        frame: Frame | None = self.frame
        while frame is not None and unique not in frame.names:
            frame = frame.parent
        return frame

    def keep(self, value: Expr) -> Expr:
        """``value`` under a bind without a name, so that other scopes can refer to it."""
        if value is None or (value[0] in SHORT and value[0] not in ("name", "param", "this", "super")):
            return value
        return self.slot(value)

    def slot(self, value: Expr = None) -> Expr:
        """A new bind without a name."""
        binds = self.rec.facts["binds"]
        binds.append((self.rec.scope, "", value))
        return ("var", len(binds) - 1)

    def brief(self, value: Expr) -> Expr:
        """``value`` as an Expr that isn't deep."""
        return value if value is None or value[0] in SHORT else self.slot(value)

    def assign_name(self, name: str, value: Expr) -> None:
        """``name = value``, whoever declares the name."""
        frame, owner = self.frame, self.owner_of(name)
        unique = self.renames.get(name, name)
        if owner is None:  # an undeclared name is the global object's
            owner = frame
            while owner.parent is not None:
                owner = owner.parent
            owner.names.add(unique)
        if owner is frame:
            self.rec.bind(unique, value)
            return
        frame.mutated.add(("global " if owner.parent is None else "nonlocal ") + name)
        if value is None:
            return
        kept = self.keep(value)
        self.captured.setdefault((owner.scope, unique), []).append(len(self.rec.facts["binds"]))
        self.rec.bind_in(owner.scope, unique, kept)

    def finish_captured(self) -> None:
        """What closures assign to a variable may reach every use of it: adds that to each of its
        definitions."""
        if not self.captured:
            return
        binds = self.rec.facts["binds"]
        for index, (scope, name, value) in enumerate(binds):
            extra = self.captured.get((scope, name))
            if extra and index not in extra and not (value is not None and value[0] == "phi"):
                others = tuple(("var", other) for other in extra)
                binds[index] = (scope, name, ("any", (value, *others)))

    def finish_module(self) -> None:
        """Functions may run between two assignments of a module's variable: they see all of its values."""
        binds, exits = self.rec.facts["binds"], self.rec.facts["exits"][0]
        found: dict[str, list[int]] = {}
        for index, (scope, name, value) in enumerate(binds):
            if scope == 0 and name in exits and name != "exports" and (value is None or value[0] != "phi"):
                found.setdefault(name, []).append(index)
        for name, indexes in found.items():
            if len(indexes) > 1:
                exits[name] = len(binds)
                binds.append((0, name, ("phi", tuple(indexes))))

    # declarations

    def pattern_names(self, node: Node) -> list[str]:
        """The names that a binding pattern declares."""
        if node.kind_id == self.identifier:
            return [self.text(node)]
        names: list[str] = []
        stack = [node]
        while stack:
            here = stack.pop()
            kind = here.type
            if kind in ("identifier", "shorthand_property_identifier_pattern"):
                names.append(self.text(here))
            elif kind == "pair_pattern":
                stack += [child for child in (here.child_by_field_id(self.at.value),) if child is not None]
            elif kind in ("assignment_pattern", "object_assignment_pattern"):
                stack += [child for child in (here.child_by_field_id(self.at.left),) if child is not None]
            else:
                stack += here.named_children
        return names

    def declare(self, names: list[str]) -> None:
        """Declares ``names`` in the block that begins here (the caller saves and restores ``renames``)."""
        frame = self.frame
        for name in names:
            unique = name
            if name in frame.names:
                number = 2
                while (unique := f"{name}#{number}") in frame.names:
                    number += 1
            frame.names.add(unique)
            if self.renames.get(name, name) != unique:
                self.renames = {**self.renames, name: unique}

    def declare_block(self, statements: list[Node], *, of_frame: bool) -> None:
        """Declares what the statements of a block declare; ``of_frame``: the block is the body of a
        function (or module), whose names need no names of their own."""
        lexical: list[str] = []
        functions: dict[str, Node] = {}
        for statement in statements:
            node: Node | None = statement
            kind = statement.type
            while node is not None and kind in WRAPPED:
                node = node.child_by_field_id(self.at.declaration) or self.first(node)
                kind = node.type if node is not None else ""
            if node is None:
                continue
            if kind == "lexical_declaration":
                for child in node.named_children:
                    pattern = child.child_by_field_id(self.at.name)
                    if pattern is not None:
                        lexical += self.pattern_names(pattern)
            elif kind in DECLARES:
                name_node = node.child_by_field_id(self.at.name)
                if name_node is not None and name_node.type != "string":
                    name = self.text(name_node)
                    if kind in HOISTED:
                        functions[name] = node
                    lexical.append(name)
            elif kind == "import_statement":
                lexical += self.imported_names(node)
            elif kind == "expression_statement" and self.has_namespaces:
                inner = self.first(node)
                if inner is not None and inner.type == "internal_module":
                    name_node = inner.child_by_field_id(self.at.name)
                    if name_node is not None:
                        lexical.append(self.text(name_node).partition(".")[0])
        names = list(dict.fromkeys(lexical))
        if of_frame:
            self.frame.names.update(names)
            if self.renames:
                own = self.frame.names
                self.renames = {name: unique for name, unique in self.renames.items() if name not in own}
        elif names:
            self.declare(names)
        for name, node in functions.items():
            self.placeholders[node.id] = self.rec.bind(self.renames.get(name, name), None)

    def imported_names(self, node: Node) -> list[str]:
        """The local names that an import statement declares."""
        names: list[str] = []
        stack = [child for child in node.named_children if child.type != "string"]
        while stack:
            here = stack.pop()
            if here.type == "identifier":
                names.append(self.text(here))
            elif here.type == "import_specifier":
                alias = here.child_by_field_id(self.at.alias) or here.child_by_field_id(self.at.name)
                stack += [alias] if alias is not None else []
            elif here.type != "string":
                stack += here.named_children
        return names
