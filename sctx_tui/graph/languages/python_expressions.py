"""Python expressions -> ``Expr``, with the calls in them recorded on the way."""

from __future__ import annotations

import re
from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, KIND, Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.grammars import fields
from sctx_tui.graph.languages.python_types import cast_type, with_bound
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nesting beyond which only plain calls are still looked for, without recursion.
DEEP = 40
#: Longest string literal that is kept as a constant, in bytes.
LONG = 60

STR: Expr = ("inst", ("lit", "str"))
LITERAL: dict[str, Expr] = {
    "float": ("inst", ("lit", "float")),
    "true": ("inst", ("lit", "bool")),
    "false": ("inst", ("lit", "bool")),
    "none": ("inst", ("lit", "none")),
    "ellipsis": ("inst", ("lit", "object")),
}
#: Methods that put their argument into a list, set, deque or dict: name -> index of the argument.
GROWS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1, "put": 0, "put_nowait": 0}
#: Builtin functions whose arguments are names and code.
BY_TEXT = {"getattr", "setattr", "eval", "exec"}
#: Methods that put what their argument holds into the receiver.
EXTENDS = {"extend", "extendleft"}
PUTS = EXTENDS | GROWS.keys()
#: Methods of containers that compare their argument with what is in them.
COMPARES = {"index", "count", "remove"}
#: Nodes that mean the same wherever their text stands again, unless there is something to run in it.
PLAIN = ("string", "integer", "float", "true", "false", "none", "ellipsis")

_DOTTED = re.compile(rb"[^\W\d]\w*(?:\.[^\W\d]\w*)+")


@cache
def handlers(walker: type) -> dict[int, Any]:
    """Node id -> the walker's ``on_<name>``, unbound; ids without one are left out."""
    return {
        index: method
        for name, group in kind_ids().items()
        if (method := getattr(walker, "on_" + name, None)) is not None
        for index in group
    }


@cache
def kind_ids() -> dict[str, tuple[int, ...]]:
    """Grammar node name -> its ids (a name may have several)."""
    from sctx_tui.graph.grammars import language as load

    language = load("python")
    ids: dict[str, tuple[int, ...]] = {}
    for index in range(language.node_kind_count):
        if language.node_kind_is_named(index):
            name = language.node_kind_for_id(index) or ""
            ids[name] = (*ids.get(name, ()), index)
    return ids


class Expressions:
    """The half of the walker that reads expressions; statements are in ``python.py``."""

    def __init__(self, rec: Recorder, source: bytes) -> None:
        self.rec = rec
        self.source = source  # of the tree that is being walked
        self.depth = 0
        self.fixed_line = 0  # of code in a string: where the string is run
        self.names: dict[bytes, str] = {}
        self.dotted: dict[bytes, tuple[str, ...] | None] = {}
        self.constants: dict[Any, Expr] = {}
        self.literals: dict[str | int, str] = {}  # what facts say of a text -> the text
        ids = kind_ids()
        walker: Any = type(self)
        self.on = handlers(walker)
        self.at = fields("python")
        self.identifier = ids["identifier"][0]
        self.comment = ids["comment"][0]
        self.attribute = ids["attribute"][0]
        self.keyword_argument = ids["keyword_argument"][0]
        self.dictionary_splat = ids["dictionary_splat"][0]
        self.generator_expression = ids["generator_expression"][0]
        self.string = ids["string"][0]
        self.known: dict[bytes, Expr] = {}  # what plain literals of this file mean, by their text
        self.plain = frozenset(index for name in PLAIN for index in ids[name])

    # names and texts

    def text(self, node: Node) -> str:
        """The identifier at ``node``."""
        raw = self.source[node.start_byte : node.end_byte]  # half the price of `node.text`
        return self.names.get(raw) or self.named(raw)

    def named(self, raw: bytes) -> str:
        """The text of an identifier that has not been met before."""
        name = self.names[raw] = intern(raw.decode("utf-8", "replace"))
        return name

    def constant(self, value: str | int) -> Expr:
        """A constant, the same Expr each time; a long text is shortened."""
        key = (type(value), value)
        made = self.constants.get(key)
        if made is None:
            shown = value
            if isinstance(value, str) and (shown := kept(value)) != value:
                self.literals[shown] = value
            made = self.constants[key] = ("const", shown)
        return made

    def spelt(self, constant: Any) -> Any:
        """The value of a constant, whatever the facts say of it."""
        return self.literals.get(constant[1], constant[1])

    def line(self, node: Node) -> int:
        """The line where a node begins, 1-based; of code in a string, where the string does."""
        return self.fixed_line or node.start_point[0] + 1

    def parts(self, node: Node) -> list[Node]:
        """The named children without comments."""
        comment, children = self.comment, node.named_children
        for child in children:
            if child.kind_id == comment:
                return [child for child in children if child.kind_id != comment]
        return children

    def first(self, node: Node | None) -> Node | None:
        """The first named child that isn't a comment."""
        if node is None or not node.named_child_count:
            return None
        first = node.named_child(0)
        if first is None or first.kind_id != self.comment:
            return first
        return next(iter(self.parts(node)), None)

    # the walk

    def expr(self, node: Node | None) -> Expr:
        """The Expr of ``node``; calls in it are recorded."""
        if node is None:
            return None
        kind = node.kind_id
        if kind == self.identifier:
            raw = self.source[node.start_byte : node.end_byte]
            return self.rec.use(self.names.get(raw) or self.named(raw))
        if self.depth > DEEP:
            return self.flat(node)
        if kind in self.plain:
            known = self.known.get(self.source[node.start_byte : node.end_byte])
            if known is not None:
                return known
        handler = self.on.get(kind)
        self.depth += 1
        if handler is not None:
            made: Expr = handler(self, node)
        else:
            made = None
            for child in node.named_children:
                self.expr(child)
        self.depth -= 1
        return made

    def flat(self, node: Node) -> Expr:
        """Plain calls (``f(...)``, ``a.b(...)``) anywhere below ``node``, found without recursion."""
        stack = [node]
        while stack:
            here = stack.pop()
            if here.type == "call":
                callee = here.child_by_field_id(self.at.function)
                if callee is not None and callee.end_byte - callee.start_byte < 200:
                    names = (callee.text or b"").decode("utf-8", "replace").split(".")
                    if all(name.isidentifier() for name in names):
                        self.rec.call(self.line(here), ("call", self.chain(names), (), ()))
            stack.extend(reversed(here.named_children))
        return None

    def chain(self, names: list[str] | tuple[str, ...]) -> Expr:
        """The Expr of ``a.b.c``."""
        base = self.rec.use(names[0])
        for name in names[1:DEEP]:
            base = self.rec.attr(base, name)
        return base

    def type_name(self, node: Node) -> Expr:
        """A class named by an identifier or dotted name, without recording anything."""
        raw = node.text or b""
        names = raw.decode("utf-8", "replace").split(".") if len(raw) < LONG else [""]
        return self.chain(names) if all(name.isidentifier() for name in names) else None

    def member(self, node: Node) -> Expr:
        """The Expr of an attribute node, not recorded as a read."""
        base, name = self.base_and_name(node)
        return self.rec.attr(base, name)

    def base_and_name(self, node: Node) -> tuple[Expr, str]:
        """The object and the name of an attribute."""
        start, end = node.start_byte, node.end_byte
        if end - start < LONG:
            raw = self.source[start:end]
            names = self.dotted.get(raw)
            if names is None and _DOTTED.fullmatch(raw):
                names = self.dotted[raw] = tuple(
                    [intern(n.decode("utf-8", "replace")) for n in raw.split(b".")]
                )
            if names is not None:
                if len(names) == 2:
                    return self.rec.use(names[0]), names[1]
                base = self.chain(names[:-1])
                self.rec.read(self.line(node), base)
                return base, names[-1]
        base = self.expr(node.child_by_field_id(self.at.object))
        name = node.child_by_field_id(self.at.attribute)
        return base, self.text(name) if name is not None else ""

    def on_attribute(self, node: Node) -> Expr:
        base, name = self.base_and_name(node)
        made = self.rec.attr(base, name)
        if made is not None:
            self.rec.read(self.fixed_line or node.start_point[0] + 1, made)
        return made

    def on_integer(self, node: Node) -> Expr:
        raw = self.source[node.start_byte : node.end_byte]
        made: Expr = self.constant(int(raw)) if raw.isdigit() and len(raw) < 6 else ("inst", ("lit", "int"))
        self.known[raw] = made
        return made

    def literal(self, node: Node) -> Expr:
        """A literal whose value says nothing about calls; remembered by its text."""
        made = self.known[self.source[node.start_byte : node.end_byte]] = LITERAL[node.type]
        return made

    on_float = on_true = on_false = on_none = on_ellipsis = literal

    def on_parenthesized_expression(self, node: Node) -> Expr:
        return self.expr(self.first(node))

    # calls

    def implicit(self, node: Node, receiver: Expr, method: str, args: tuple[Expr, ...] = ()) -> Expr:
        """Records that ``method`` of the receiver runs, where its class has one; gives the result."""
        if receiver is None or receiver[0] in ("const", "inst", "list", "dict", "iter"):
            return None
        call = ("call", ("attr", receiver, method), args, ())
        return self.rec.call(self.line(node), call, IMPLICIT)

    def shown(self, node: Node, value: Expr, method: str) -> None:
        """Records that ``method`` runs, where the object is made here: others are seldom the repository's."""
        if self.is_made(value):
            self.implicit(node, value, method)

    def is_made(self, value: Expr) -> bool:
        """Whether ``value`` is an object that was made here, as far as the class's name tells."""
        binds = self.rec.facts["binds"]
        if value is not None and value[0] == "var":
            value = binds[value[1]][2]
            if value is not None and value[0] == "phi":
                value = binds[value[1][0]][2]
        callee = value[1] if value is not None and value[0] == "call" else None
        if callee is None:
            return False
        if callee[0] == "var":
            made = binds[callee[1]][2]
            if made is not None and made[0] == "def":
                return bool(self.rec.facts["symbols"][made[1]][KIND] == "class")
            callee = made
        return callee is not None and callee[0] in ("name", "attr") and callee[-1][:1].isupper()

    def on_call(self, node: Node) -> Expr:
        function = node.child_by_field_id(self.at.function)
        arguments = node.child_by_field_id(self.at.arguments)
        if function is None or arguments is None:
            return None
        kind = function.kind_id
        if kind == self.attribute:
            base, name = self.base_and_name(function)
            callee = self.rec.attr(base, name)
        elif kind == self.identifier:
            raw = self.source[function.start_byte : function.end_byte]
            name = self.names.get(raw) or self.named(raw)
            if name == "super":
                return self.super_call(arguments)
            callee = self.rec.use(name)
        else:
            callee, name = self.expr(function), ""
        args, kwargs = self.arguments(arguments)
        if name == "namedtuple" and len(args) > 1:
            args = self.named_tuple(args)
        elif name == "cast" and len(args) == 2:
            args = (cast_type(self, arguments, args[0]), args[1])
        elif name == "TypeVar" and kwargs:
            kwargs = with_bound(self, arguments, kwargs)
        call = ("call", callee, args, kwargs)
        if callee is not None and callee[0] == "name" and callee[1] in BY_TEXT and args:
            made = self.call_by_text(callee[1], args, arguments)
            if made is not None:
                return made
        if callee is None or callee[0] != "attr":
            return self.rec.call(self.line(arguments), call)
        shown = self.shown_by(callee, args, node) if args else None
        if shown is not None:
            return shown
        if args and callee[2] in PUTS:
            self.grow(callee, args)
            if callee[2] == "add":
                self.shown(node, args[0], "__hash__")
        elif args and callee[2] in COMPARES:
            self.shown(node, args[0], "__eq__")
        self.rec.call(self.fixed_line or arguments.start_point[0] + 1, call)
        if callee[2] == "update":
            self.grow_by_key(callee, args, kwargs)
        return call

    def call_by_text(self, name: str, args: tuple[Expr, ...], node: Node) -> Expr:
        """What a call of one of BY_TEXT gives, where the text is known."""
        raise NotImplementedError

    def named_tuple(self, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The arguments of ``namedtuple`` with the fields as a list of names."""
        raise NotImplementedError

    def shown_by(self, callee: Any, args: tuple[Expr, ...], node: Node) -> Expr:
        """What ``"...".format(...)`` gives; None for anything else."""
        raise NotImplementedError

    def arguments(self, node: Node) -> tuple[tuple[Expr, ...], tuple[Any, ...]]:
        """(args, kwargs) of an argument list; a bare generator expression is the only argument."""
        if node.kind_id == self.generator_expression:
            return (self.expr(node),), ()
        args: list[Expr] = []
        kwargs: list[tuple[str, Expr]] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind == self.keyword_argument:
                name = child.child_by_field_id(self.at.name)
                value = self.expr(child.child_by_field_id(self.at.value))
                if name is not None:
                    kwargs.append((self.text(name), value))
            elif kind == self.dictionary_splat:
                kwargs.append(("**", self.expr(child.named_children[-1] if child.named_children else None)))
            elif kind == self.identifier:
                raw = self.source[child.start_byte : child.end_byte]
                args.append(self.rec.use(self.names.get(raw) or self.named(raw)))
            elif kind != self.comment:
                args.append(self.expr(child))
        return tuple(args), tuple(kwargs)

    def super_call(self, arguments: Node) -> Expr:
        """`super()`, or `super(Class, object)`."""
        args, _ = self.arguments(arguments)
        return ("super", *args[:2]) if len(args) == 2 else ("super",)

    def grow(self, callee: Any, args: tuple[Expr, ...]) -> None:
        """Container growth: ``xs.append(v)`` stores v in xs."""
        _, base, name = callee
        at = GROWS.get(name)
        if at is not None and at < len(args):
            key = args[0] if name == "setdefault" else None
            self.rec.store(("item", base, key), args[at])
        elif name in EXTENDS:
            self.rec.store(("item", base, None), ("elem", args[0]))

    def grow_by_key(self, callee: Any, args: tuple[Expr, ...], kwargs: tuple[Any, ...]) -> None:
        """``d.update({"key": v}, key=v)`` stores v in d under that key."""
        given = args[0] if args else None
        pairs = given[1] if given is not None and given[0] == "dict" else ((("**",), given),)
        for key, value in (*pairs, *((self.constant(name), value) for name, value in kwargs if name != "**")):
            if value is not None:
                self.rec.store(("item", callee[1], key), value)
