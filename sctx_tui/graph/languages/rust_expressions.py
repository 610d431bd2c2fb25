"""Rust: expressions and patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.rust_types import TRANSPARENT, Types, words
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

# Methods of the standard library that give their receiver, or what it holds, as far as calls are concerned.
SAME = words(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default clone borrow borrow_mut lock read "
    "write as_ref as_mut as_deref as_deref_mut deref deref_mut iter iter_mut into_iter by_ref "
    "to_owned into as_slice as_mut_slice ok take cloned copied rev skip filter peekable collect "
    "ok_or ok_or_else map_err get_mut_ref upgrade downgrade into_inner get_ref to_vec chain sorted "
    "fuse step_by as_pin_mut pin inspect"
)
# Those that give an element of a container.
ELEMENT = words("next first last pop pop_front pop_back front back peek find nth get get_mut remove max min")
# Those that put their last argument into the receiver.
GROW = words("push push_back push_front insert extend")
# Those whose closure gets an element of the receiver.
EACH = words(
    "map for_each filter filter_map flat_map find any all position take_while skip_while map_while "
    "and_then map_or is_some_and unwrap_or_else inspect partition min_by_key max_by_key sort_by_key "
    "retain"
)
# Patterns whose parts capture the whole value.
WHOLE = words("match_pattern or_pattern mut_pattern ref_pattern reference_pattern captured_pattern")
MAX_TOKEN_DEPTH = 30
NUMBER, TEXT = ("inst", ("lit", "int")), ("inst", ("lit", "str"))


class Expressions(Types):
    """Turns expressions into Exprs, reports the calls in them, binds what patterns capture."""

    closure_gets: Expr = None  # what the next closure's first parameter is

    # names and literals

    def on_identifier(self, node: Node) -> Expr:
        return self.use(self.text(node))

    def on_self(self, node: Node) -> Expr:
        return ("this",)

    def on_scoped_identifier(self, node: Node) -> Expr:
        return self.path(node)

    def on_integer_literal(self, node: Node) -> Expr:
        text = self.text(node)
        return ("const", int(text)) if text.isdecimal() and len(text) < 10 else NUMBER

    def on_string_literal(self, node: Node) -> Expr:
        text = self.text(node)
        return (
            ("const", kept(text[1:-1])) if len(text) < 80 and "\\" not in text and text[:1] == '"' else TEXT
        )

    def nothing(self, node: Node) -> Expr:
        return None

    on_boolean_literal = on_char_literal = on_float_literal = on_line_comment = on_block_comment = nothing
    on_attribute_item = on_inner_attribute_item = on_macro_definition = nothing

    def inner(self, node: Node) -> Expr:
        """The value of the one thing inside."""
        value: Expr = None
        for child in node.named_children:
            value = self.expr(child)
        return value

    on_parenthesized_expression = on_try_expression = on_reference_expression = on_unary_expression = inner

    def on_await_expression(self, node: Node) -> Expr:
        value = self.inner(node)
        return ("await", value) if value is not None else None

    def on_type_cast_expression(self, node: Node) -> Expr:
        self.expr(node.child_by_field_name("value"))
        type_ = self.type_expr(node.child_by_field_name("type"))
        return ("inst", type_) if type_ is not None else None

    def on_field_expression(self, node: Node) -> Expr:
        base = self.expr(node.child_by_field_name("value"))
        return self.rec.attr(base, self.text(node.child_by_field_name("field")))

    def on_index_expression(self, node: Node) -> Expr:
        values = [self.expr(child) for child in node.named_children]
        return self.rec.item(values[0], values[1]) if len(values) == 2 else None

    def on_generic_function(self, node: Node) -> Expr:
        return self.expr(node.child_by_field_name("function"))

    def on_tuple_expression(self, node: Node) -> Expr:
        return ("list", tuple(self.expr(child) for child in node.named_children))

    on_array_expression = on_tuple_expression

    def on_struct_expression(self, node: Node) -> Expr:
        type_ = self.struct_type(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        for field in body.named_children if body is not None else ():
            if field.type == "field_initializer":
                name = self.text(field.child_by_field_name("field") or field.named_children[0])
                self.fill(type_, name, self.expr(field.child_by_field_name("value")))
            elif field.type == "shorthand_field_initializer":
                name = self.text(field.named_children[-1])
                self.fill(type_, name, self.use(name))
            else:
                self.expr(field)
        return ("inst", type_) if type_ is not None else None

    def struct_type(self, node: Node | None) -> Expr:
        if node is None:
            return None
        return self.path(node.child_by_field_name("type") if node.type.startswith("generic_type") else node)

    def fill(self, type_: Expr, name: str, value: Expr) -> None:
        if type_ is not None and value is not None:
            self.rec.store(("attr", ("inst", type_), name), value)

    # calls

    def on_call_expression(self, node: Node) -> Expr:
        function = node.child_by_field_name("function")
        while function is not None and function.type == "generic_function":
            function = function.child_by_field_name("function")
        if function is not None and function.type == "field_expression":
            return self.method_call(node, function)
        callee = self.expr(function)
        args = self.arguments(node.child_by_field_name("arguments"))
        if callee is None:
            return None
        made = self.rec.call(self.line(node), ("call", callee, args, ()))
        name = str(callee[-1]) if callee[0] in ("attr", "name") else ""
        base = callee[1] if callee[0] == "attr" and callee[1] is not None else (None,)
        wrapper = str(base[-1]) if name in ("new", "pin", "from", "some") else name
        if wrapper in TRANSPARENT and not self.is_ours(wrapper):  # `Box::new(x)`, `Some(x)`
            return args[0] if args else None
        if callee[0] == "attr" and name[:1].isupper():  # a variant of an enum
            return ("any", (made, ("inst", callee[1])))
        return made

    def arguments(self, node: Node | None) -> tuple[Expr, ...]:
        return tuple(
            self.expr(child)
            for child in (node.named_children if node is not None else ())
            if "comment" not in child.type and child.type != "attribute_item"
        )

    def method_call(self, node: Node, function: Node) -> Expr:
        base = self.expr(function.child_by_field_name("value"))
        name = self.text(function.child_by_field_name("field"))
        element: Expr = ("elem", base) if base is not None else None
        self.closure_gets = ("any", (element, base)) if name in EACH and base is not None else None
        args = self.arguments(node.child_by_field_name("arguments"))
        self.closure_gets = None
        if base is None:
            return None
        made = self.rec.call(self.line(node), ("call", self.rec.attr(base, name), args, ()))
        if name in GROW and args and args[-1] is not None:
            self.rec.store(("item", base, args[0] if len(args) == 2 else None), args[-1])
        if name in SAME:
            return ("any", (made, base))
        if name in ELEMENT:
            key = args[0] if name in ("get", "get_mut", "remove") and args else None
            return ("any", (made, ("item", base, key), ("elem", base)))
        if name == "values" or name == "values_mut":
            return ("any", (made, ("iter", ("elem", base))))
        if name == "enumerate":
            return ("any", (made, ("iter", ("list", (None, element)))))
        return made

    def on_macro_invocation(self, node: Node) -> Expr:
        tree = next((child for child in node.named_children if child.type == "token_tree"), None)
        name = self.text(node.child_by_field_name("macro")).rpartition("::")[2]
        values = self.tokens(tree) if tree is not None else []
        return ("list", tuple(values)) if name == "vec" else None

    def tokens(self, tree: Node, depth: int = 0) -> list[Expr]:
        """Calls in a macro's tokens, which the grammar leaves unparsed; what the arguments are."""
        values: list[Expr] = []
        here: Any = None
        after = ""
        for child in tree.children:
            kind = child.type
            if kind in ("identifier", "self", "crate", "super", "primitive_type"):
                name = self.text(child)
                if after in (".", "::"):
                    here = ("attr", here, name) if here is not None else None
                else:
                    here = self.expr(child) if kind in ("identifier", "self") else self.path(child)
                after = "name"
            elif kind == "token_tree":
                inner = tuple(self.tokens(child, depth + 1)) if depth < MAX_TOKEN_DEPTH else ()
                if after == "name" and here is not None and self.text(child)[:1] == "(":
                    here = self.rec.call(self.line(child), ("call", here, inner, ()))
                    after = "name"
                elif after != "!":
                    here, after = (inner[0] if len(inner) == 1 else None), "name"
            elif kind in (".", "::"):
                after = kind
            elif kind == "&" or kind == "*" or kind == "mutable_specifier":
                here, after = None, ""
            elif kind in ("(", ")", "[", "]", "{", "}"):
                continue
            else:
                if kind == ",":
                    values.append(here)
                here, after = None, "!" if kind == "!" else ""
        if here is not None:
            values.append(here)
        return values

    # patterns

    def bind_pattern(self, node: Node | None, value: Expr) -> None:
        """Declares what a pattern captures of ``value``."""
        if node is None:
            return
        kind = node.type
        parts = [
            child for child in node.named_children if child.type not in ("mutable_specifier", "lifetime")
        ]
        if kind in ("identifier", "shorthand_field_identifier"):
            name = self.text(node)
            if name[:1].islower() or name[:1] == "_":  # capitals: a constant or a unit struct
                self.declare(name, value)
        elif kind in WHOLE:
            for part in parts:
                self.bind_pattern(part, value)
        elif kind in ("tuple_pattern", "slice_pattern"):
            for index, part in enumerate(parts):
                given: Expr = ("item", value, ("const", index)) if value is not None else None
                self.bind_pattern(
                    part, given if kind == "tuple_pattern" else ("elem", value) if value else None
                )
        elif kind == "tuple_struct_pattern":
            self.bind_tuple_struct(node, parts, value)
        elif kind == "struct_pattern":
            self.bind_struct(node, parts, value)

    def bind_tuple_struct(self, node: Node, parts: list[Node], value: Expr) -> None:
        type_ = node.child_by_field_name("type")
        name = self.text(type_).rpartition("::")[2]
        for index, part in enumerate(part for part in parts if part != type_):
            is_whole = name in ("Some", "Ok", "Err")
            self.bind_pattern(part, value if is_whole else self.payload(type_, name, str(index)))

    def payload(self, type_: Node | None, name: str, field: str) -> Expr:
        """A field of a tuple struct or of an enum's variant."""
        path = self.path(type_)
        if path is None:
            return None
        if path[0] == "attr":
            variant: Expr = ("attr", ("inst", path[1]), f"{name}.{field}")
            return ("any", (variant, ("attr", ("inst", path), field)))
        return ("attr", ("inst", path), field)

    def bind_struct(self, node: Node, parts: list[Node], value: Expr) -> None:
        type_ = node.child_by_field_name("type")
        variant = self.text(type_).rpartition("::")[2]
        for field in parts:
            if field.type != "field_pattern":
                continue
            name_node = field.child_by_field_name("name")
            name = self.text(name_node)
            pattern = field.child_by_field_name("pattern") or name_node
            self.bind_pattern(pattern, self.payload(type_, variant, name))
