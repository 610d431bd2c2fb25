"""JavaScript and TypeScript expressions -> ``Expr``, with the calls in them recorded on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.javascript_names import handlers, kinds
from sctx_tui.graph.languages.javascript_types import Types
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

#: Levels of syntax that are walked by recursion; what lies deeper is walked when the rest is done.
DEEP = 120
#: Every so many levels (a power of 2) a value goes under a bind, which keeps any Expr shallow.
SHALLOW = 8
#: Longest string literal that is kept as a constant, in bytes.
LONG = 200

STR: Expr = ("inst", ("lit", "str"))
NUMBER: Expr = ("inst", ("lit", "float"))
BOOL: Expr = ("inst", ("lit", "bool"))
NONE: Expr = ("inst", ("lit", "none"))
LITERAL: dict[str, Expr] = {
    "true": BOOL,
    "false": BOOL,
    "null": NONE,
    "undefined": NONE,
    "regex": ("inst", ("lit", "regexp")),
}
#: Values to keep under a bind where they are part of another.
MADE = frozenset({"call", "new", "await", "any", "narrow"})
FUNCTIONS = ("function_expression", "arrow_function", "generator_function")
#: Nodes that mean the same wherever their text stands again.
PLAIN = ("string", "number", "true", "false", "null", "undefined")
#: Names that may mean more than what they are bound to.
SPECIAL = frozenset({"arguments", "exports"})


class Expressions(Types):
    """The part of the walker that reads expressions."""

    def __init__(self, rec: Recorder, grammar: str, root: Node, source: bytes) -> None:
        super().__init__(rec, grammar, root, source)
        self.depth = 0
        self.deferred: list[tuple[Any, ...]] = []
        self.constants: dict[str | int, Expr] = {}
        self.literals: dict[str | int, str] = {}  # what facts say of a text -> the text
        self.known: dict[bytes, Expr] = {}  # what plain literals of this file mean, by their text
        walker: Any = type(self)
        self.on = handlers(walker, grammar)
        ids = kinds(grammar)
        self.calls = ids["call_expression"]
        self.members = ids["member_expression"]
        self.subscripts = ids["subscript_expression"]
        self.chained = self.calls | self.members | self.subscripts
        self.chained |= ids.get("non_null_expression", frozenset())
        self.import_keyword, self.super_keyword = ids["import"], ids["super"]
        self.template_string, self.spread = ids["template_string"], ids["spread_element"]
        self.functions = frozenset().union(*(ids[name] for name in FUNCTIONS))
        self.plain = frozenset().union(*(ids[name] for name in PLAIN))
        self.this: Expr = None
        self.this_owner = self.frame  # the frame whose receiver ``this`` is
        self.super_: Expr = ("super",)
        self.exports: Expr = None  # the bind of a module's own `exports`
        self.uses_exports = False
        self.has_instances = b"hasInstance" in source  # whether a class may say what its instances are

    # what the layers above give

    def named(
        self, node: Node, path: str, *, method: bool = False, owner: Expr = None, this: Expr = None
    ) -> Expr:
        """A value; if it is a function or class without a name, it is called `path`."""
        raise NotImplementedError

    def object_literal(self, node: Node, path: str) -> Expr:
        """An object whose functions are called after `path`."""
        raise NotImplementedError

    def assign(self, target: Node, value: Expr) -> None:
        """Assign to a name, a member or a pattern."""
        raise NotImplementedError

    def call(self, node: Node, callee_node: Node, callee: Expr) -> Expr:
        """A call, whose callee has been walked."""
        raise NotImplementedError

    # the walk

    def expr(self, node: Node | None) -> Expr:
        """The Expr of ``node``; calls in it are recorded."""
        if node is None:
            return None
        kind = node.kind_id
        if kind == self.identifier:
            return self.on_identifier(node)
        if kind in self.plain:
            known = self.known.get(self.source[node.start_byte : node.end_byte])
            if known is not None and self.depth < DEEP:
                return known if self.depth % SHALLOW else self.brief(known)
        if self.depth >= DEEP:
            here = (node, self.frame, self.renames, self.this, self.this_owner, self.super_)
            self.deferred.append(here)
            return None
        handler = self.on.get(kind)
        self.depth += 1
        made: Expr = None
        if handler is not None:
            made = handler(self, node)
        else:
            for child in node.named_children:
                self.expr(child)
        self.depth -= 1
        return made if self.depth % SHALLOW else self.brief(made)

    def finish_deferred(self) -> None:
        """Walks what lay too deep, each piece in its own scope; the values around it stay unknown."""
        rec = self.rec
        while self.deferred:
            node, self.frame, self.renames, self.this, self.this_owner, self.super_ = self.deferred.pop()
            rec.revisit(self.frame.scope)
            self.depth = 0
            self.expr(node)
            rec.leave()

    def constant(self, value: str | int) -> Expr:
        """A constant, the same Expr each time; a long text is shortened."""
        made = self.constants.get(value)
        if made is None:
            shown = value
            if isinstance(value, str) and (shown := kept(value)) != value:
                self.literals[shown] = value
            made = self.constants[value] = ("const", shown)
        return made

    def spelt(self, constant: Any) -> Any:
        """The value of a constant, whatever the facts say of it."""
        return self.literals.get(constant[1], constant[1])

    # names and literals

    def on_identifier(self, node: Node) -> Expr:
        raw = self.source[node.start_byte : node.end_byte]
        name = self.texts.get(raw) or self.new_text(raw)
        if name in SPECIAL:
            if name == "exports":
                self.uses_exports = True
            elif self.owner_of(name) is None:
                return self.arguments_object()
        return self.rec.use(self.renames.get(name, name) if self.renames else name)

    on_shorthand_property_identifier = on_identifier

    def arguments_object(self) -> Expr:
        """``arguments``: the parameters of the function around this point, and a rest parameter that takes
        what else it was given."""
        rec, frame = self.rec, self.frame
        if rec.kind() in ("module", "class", "namespace"):
            return None
        if frame.arguments < 0:
            row = rec.facts["symbols"][frame.scope]
            params = row[10]
            items: list[Expr] = [("param", index) for index in range(len(params))]
            if not params or params[-1][3] != "*":
                rec.facts["symbols"][frame.scope] = (
                    *row[:10],
                    (*params, ("arguments", None, None, "*")),
                    *row[11:],
                )
                items.append(("param", len(params)))
            rest, frame.arguments = items[-1], len(rec.facts["binds"])
            self.slot(("list", (*items[:-1], ("star", rest))) if len(items) > 1 else rest)
        return ("var", frame.arguments)

    def on_this(self, node: Node) -> Expr:
        self.this_owner.uses_this = True
        return self.this

    def on_meta_property(self, node: Node) -> Expr:
        """``new.target``: the class of the object that is made; nothing is known of ``import.meta``."""
        if not self.source.startswith(b"new", node.start_byte):
            return None
        self.this_owner.uses_this = True
        return ("attr", self.this, "constructor") if self.this is not None else None

    def on_super(self, node: Node) -> Expr:
        self.this_owner.uses_this = True
        return self.super_

    def literal(self, node: Node) -> Expr:
        """A literal whose value says nothing about calls; remembered by its text."""
        made = self.known[self.source[node.start_byte : node.end_byte]] = LITERAL[node.type]
        return made

    on_true = on_false = on_null = on_undefined = on_regex = literal

    def on_number(self, node: Node) -> Expr:
        raw = self.source[node.start_byte : node.end_byte]
        made = self.constant(int(raw)) if raw.isdigit() and len(raw) < 6 else NUMBER
        self.known[raw] = made
        return made

    def on_string(self, node: Node) -> Expr:
        raw = self.source[node.start_byte : node.end_byte]
        if len(raw) > LONG or b"\\" in raw:
            return STR
        made = self.known[raw] = self.constant(raw[1:-1].decode("utf-8", "replace"))
        return made

    def on_array(self, node: Node) -> Expr:
        return ("list", self.items(node))

    def items(self, node: Node) -> tuple[Expr, ...]:
        """The values of an array literal or argument list; ``...e`` is ``("star", e)``."""
        made: list[Expr] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind == self.identifier:
                made.append(self.on_identifier(child))
            elif kind == self.comment:
                continue
            elif kind in self.spread:
                made.append(("star", self.brief(self.expr(self.first(child)))))
            else:
                value = self.expr(child)
                if value is not None and value[0] in MADE:
                    value = self.slot(value)
                made.append(value)
        return tuple(made)

    def on_object(self, node: Node) -> Expr:
        return self.object_literal(node, "")

    # chains: calls, members and subscripts, which nest to the left

    def chain(self, node: Node) -> Expr:
        """Calls and members in a row, `a.b(c).d`: walked from the inside, for they may be nested thousands
        deep."""
        calls, members, chained = self.calls, self.members, self.chained
        function, object_ = self.at.function, self.at.object
        links: list[tuple[Node, int]] = []
        here, kind = node, node.kind_id
        while True:
            links.append((here, kind))
            inner = here.child_by_field_id(function if kind in calls else object_)
            if inner is None:
                inner = self.first(here)
            if inner is None:
                return None
            here, kind = inner, inner.kind_id
            if kind not in chained:
                break
        value = self.expr(here)
        if value is not None and value[0] in MADE:
            value = self.slot(value)
        inner = here
        for index in range(len(links) - 1, -1, -1):
            link, kind = links[index]
            if kind in calls:
                value = self.call(link, inner, value)
                if index:
                    value = self.keep(value)
            else:
                if kind in members:
                    value = self.member(link, inner, value)
                elif kind in self.subscripts:
                    value = self.subscript(link, value)
                if value is not None and not (index and links[index - 1][1] in calls):
                    self.rec.read(link.start_point[0] + 1, value)
            if index % SHALLOW == SHALLOW - 1:
                value = self.brief(value)
            inner = link
        return value

    on_call_expression = on_member_expression = on_subscript_expression = on_non_null_expression = chain

    def member(self, node: Node, base_node: Node, base: Expr) -> Expr:
        """``base.name``, as an Expr."""
        name_node = node.child_by_field_id(self.at.property)
        if name_node is None:
            return None
        name = self.text(name_node)
        if name == "exports" and self.text(base_node) == "module" and self.owner_of("module") is None:
            self.uses_exports = True
            return self.use("exports")
        if name == "prototype" and base is not None:
            return ("inst", self.brief(base))
        return self.rec.attr(base, name)

    def subscript(self, node: Node, base: Expr) -> Expr:
        """``base[index]``, as an Expr."""
        return self.read_place(self.place(base, self.expr(node.child_by_field_id(self.at.index))))

    def place(self, base: Expr, key: Expr) -> Expr:
        """``base[key]`` as a target: a constant name is a property like any other."""
        if base is None:
            return None
        if key is not None and key[0] == "const" and type(key[1]) is str:
            if not key[1].isdigit():
                return ("attr", base, key[1])
            key = self.constant(int(key[1])) if len(key[1]) < 6 else key
        return ("item", base, self.brief(key))

    def read_place(self, place: Expr) -> Expr:
        """What is read at ``place``: what was just stored there, if something was."""
        if place is None:
            return None
        return (self.rec.attr if place[0] == "attr" else self.rec.item)(place[1], place[2])

    def on_new_expression(self, node: Node) -> Expr:
        callee = self.expr(node.child_by_field_id(self.at.constructor))
        arguments = node.child_by_field_id(self.at.arguments)
        args = self.items(arguments) if arguments is not None else ()
        made = self.rec.call(self.line(node), ("new", self.brief(callee), args, ()))
        held = self.held_types(node)
        return ("any", (self.brief(made), ("inst", held))) if held is not None else made
