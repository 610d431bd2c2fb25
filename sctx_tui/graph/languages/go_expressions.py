"""Go: expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.go_types import type_expr
from sctx_tui.graph.languages.lexical import Lexical
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

TYPE_NODES = frozenset(
    (
        "type_identifier",
        "qualified_type",
        "slice_type",
        "array_type",
        "map_type",
        "channel_type",
        "pointer_type",
        "generic_type",
        "function_type",
        "struct_type",
        "interface_type",
    )
)
SHIFTS = frozenset(("<<", ">>"))
ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "&^"))
LEAVES = frozenset(
    (
        "comment",
        "false",
        "float_literal",
        "identifier",
        "int_literal",
        "interpreted_string_literal",
        "nil",
        "raw_string_literal",
        "rune_literal",
        "true",
    )
)
NUMBER, TEXT = ("inst", ("lit", "int")), ("inst", ("lit", "str"))


class Expressions(Lexical):
    """Turns expressions into Exprs, and reports the calls in them."""

    leaves = LEAVES

    def __init__(self, rec: Recorder, source: bytes) -> None:
        super().__init__(rec, source)
        self.constants: dict[str, Expr] = {}

    def values(self, node: Node | None) -> list[Expr]:
        """The values of an expression list, in order."""
        if node is None:
            return []
        if node.type == "expression_list":
            return [self.expr(child) for child in node.named_children if child.type != "comment"]
        return [self.expr(node)]

    # names and literals

    def on_identifier(self, node: Node) -> Expr:
        raw = self.source[node.start_byte : node.end_byte]
        return self.use(self._texts.get(raw) or self._text(raw))

    def on_int_literal(self, node: Node) -> Expr:
        text = self.text(node)
        return self.constants.get(text) or self.constants.setdefault(
            text, ("const", int(text)) if text.isdecimal() and len(text) < 10 else NUMBER
        )

    def on_interpreted_string_literal(self, node: Node) -> Expr:
        text = self.text(node)
        known = self.constants.get(text)
        if known is None:
            is_short = len(text) < 80 and "\\" not in text
            known = self.constants[text] = ("const", kept(text[1:-1])) if is_short else TEXT
        return known

    def on_raw_string_literal(self, node: Node) -> Expr:
        return TEXT

    def literal(self, node: Node) -> Expr:
        """A literal whose value says nothing about calls."""
        return None

    on_nil = on_true = on_false = on_float_literal = on_rune_literal = on_comment = literal

    def on_parenthesized_expression(self, node: Node) -> Expr:
        return self.expr(node.named_children[0]) if node.named_children else None

    def on_unary_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.operand))
        sign = node.children[0].type if node.children else ""
        if sign in ("&", "*"):
            return value
        if sign == "<-":
            return ("elem", value) if value is not None else None
        return value if sign in ("-", "+", "^") else None

    def on_binary_expression(self, node: Node) -> Expr:
        left = self.expr(node.child_by_field_id(self.at.left))
        right = self.expr(node.child_by_field_id(self.at.right))
        operator = self.text(node.child_by_field_id(self.at.operator))
        if operator in SHIFTS:
            return left
        # Both sides have one type; a constant without a type takes the other's.
        return one_of(left, right) if operator in ARITHMETIC else None

    def on_selector_expression(self, node: Node) -> Expr:
        base = self.expr(node.child_by_field_id(self.at.operand))
        return self.rec.attr(base, self.text(node.child_by_field_id(self.at.field)))

    def on_index_expression(self, node: Node) -> Expr:
        base = self.expr(node.child_by_field_id(self.at.operand))
        return self.rec.item(base, self.expr(node.child_by_field_id(self.at.index)))

    def on_slice_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.operand))
        for field in (self.at.start, self.at.end, self.at.capacity):
            self.expr(node.child_by_field_id(field))
        return value

    def on_type_instantiation_expression(self, node: Node) -> Expr:
        base, *given = node.named_children
        return ("args", self.expr(base), tuple([type_expr(self, each) for each in given]))

    def on_type_assertion_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.operand))
        return self.asserted(value, type_expr(self, node.child_by_field_id(self.at.type)))

    def asserted(self, value: Expr, type_: Expr) -> Expr:
        """A value known to have a type."""
        return ("inst", type_) if type_ is not None else value

    # composite literals

    def on_composite_literal(self, node: Node) -> Expr:
        return self.composite(
            type_expr(self, node.child_by_field_id(self.at.type)), node.child_by_field_id(self.at.body)
        )

    def composite(self, type_: Expr, body: Node | None) -> Expr:
        """The value of ``T{...}``; literals inside may leave out the element's type."""
        shape: str = ""
        args: tuple[Expr, ...] = ()
        if type_ is not None and type_[0] == "args" and type_[1] is not None and type_[1][0] == "lit":
            shape, args = type_[1][1], type_[2]
        items: list[Any] = []
        pairs: list[tuple[Expr, Expr]] = []
        for element in body.named_children if body is not None else ():
            kind = element.type
            if kind == "keyed_element":
                key_node = element.child_by_field_id(self.at.key)
                value_node = element.child_by_field_id(self.at.value)
                value = self.element(value_node, args[-1] if args else None)
                if shape == "":
                    field = self.text(key_node)
                    if value is not None and type_ is not None and field.isidentifier():
                        self.rec.store(("attr", ("inst", type_), field), value)
                else:
                    pairs.append((self.element(key_node, args[0] if shape == "dict" else None), value))
                    items.append(value)
            elif kind == "literal_element":
                items.append(self.element(element, args[-1] if args else None))
        made: Expr = ("inst", type_) if type_ is not None else None
        if shape in ("dict", "list"):
            literal: Expr = ("dict", tuple(pairs)) if shape == "dict" else ("list", tuple(items))
            # What is put into an empty one may come from anywhere.
            return literal if items else ("any", (literal, made))
        return made

    def element(self, node: Node | None, type_: Expr) -> Expr:
        """An element of a composite literal, whose own type may be left out."""
        inner = node.named_child(0) if node is not None and node.named_child_count else None
        if inner is None:
            return None
        if inner.type == "literal_value":
            return self.composite(type_, inner)
        value = self.expr(inner)
        # A constant without a type takes the element's.
        is_bare = value is None or value[0] == "const" or value in (NUMBER, TEXT)
        return ("inst", type_) if is_bare and type_ is not None and type_[0] != "lit" else value

    # calls

    def on_call_expression(self, node: Node) -> Expr:
        function = node.child_by_field_id(self.at.function)
        arguments = node.child_by_field_id(self.at.arguments)
        name = self.text(function) if function is not None and function.type == "identifier" else ""
        if name in ("new", "make") and self.declared(name) == (0, name):
            return self.made(arguments)
        callee = self.expr(function)
        if callee is not None and callee[0] == "item":  # `xs[i]()`, or `f[T]()` of a generic function
            callee = ("any", (callee, ("args", callee[1], (callee[2],))))
        args = self.arguments(arguments)
        if name == "append" and args and self.declared(name) == (0, name):
            return self.appended(args)
        if callee is None:
            return None
        return self.rec.call(self.line(node), ("call", callee, args, ()))

    def arguments(self, node: Node | None) -> tuple[Expr, ...]:
        """The arguments of a call; types among them are None."""
        made: list[Expr] = []
        for child in node.named_children if node is not None else ():
            kind = child.type
            if kind == "identifier":
                made.append(self.expr(child))
            elif kind == "variadic_argument":
                made.append(("star", self.expr(child.named_children[0])))
            elif kind in TYPE_NODES:
                made.append(None)
            elif kind != "comment":
                made.append(self.expr(child))
        return tuple(made)

    def made(self, arguments: Node | None) -> Expr:
        """``new(T)``, ``make(T, n)``."""
        given = arguments.named_children if arguments is not None else []
        for child in given[1:]:
            self.expr(child)
        type_ = type_expr(self, given[0]) if given else None
        made: Expr = ("inst", type_) if type_ is not None else None
        if type_ is not None and type_[0] == "args" and type_[2][-1:] and holds_functions(type_[2][-1]):
            return ("any", (("list", ()), made))
        return made

    def appended(self, args: tuple[Expr, ...]) -> Expr:
        """``append(xs, v...)``: the slice, and what is stored in it."""
        target, *values = args
        for value in values:
            item = ("elem", value[1]) if value is not None and value[0] == "star" else value
            if target is not None and item is not None:
                self.rec.store(("item", target, None), item)
        return ("any", (target, ("list", tuple(values))))

    def on_type_conversion_expression(self, node: Node) -> Expr:
        """``T[A](x)``: the conversion to a generic type, or the call of a generic function."""
        value = self.expr(node.child_by_field_id(self.at.operand))
        type_ = type_expr(self, node.child_by_field_id(self.at.type))
        inner = type_[1] if type_ is not None and type_[0] == "args" else type_
        if inner is None or inner[0] == "lit":
            return None
        return self.rec.call(self.line(node), ("call", type_, (value,), ()))

    def anonymous_type(self, node: Node) -> Expr:
        """A struct or interface type without a name."""
        raise NotImplementedError


def one_of(left: Expr, right: Expr) -> Expr:
    """The operand of arithmetic that says what type it has."""
    if left is None or left[0] == "const" or left in (NUMBER, TEXT):
        return right if right is not None else left
    return left


def holds_functions(element: Expr) -> bool:
    """Whether a container with such elements may hold functions: what is put in says which."""
    return element is not None and element[0] == "functype"
