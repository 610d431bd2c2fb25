"""Rust: expressions and patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, Expr
from sctx_tui.graph.languages.rust_types import TRANSPARENT, Types, words
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

# Methods of the standard library that give their receiver, or what it holds, as far as calls are concerned.
SAME = words(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default clone borrow borrow_mut lock read "
    "write as_ref as_mut as_deref as_deref_mut deref deref_mut iter iter_mut into_iter by_ref "
    "to_owned into as_slice as_mut_slice ok take cloned copied rev skip filter peekable collect "
    "ok_or ok_or_else map_err entry get_mut_ref upgrade downgrade into_inner get_ref to_vec chain sorted "
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
# Those whose closure gets two elements, or an element as its second parameter.
PAIRS = words("sort_by max_by min_by reduce dedup_by sort_unstable_by")
FOLDS = words("fold try_fold scan rfold")
CLOSURES = EACH | PAIRS | FOLDS
# Those that give what their closure gives.
MAPS = words("map flat_map filter_map map_while and_then map_or map_or_else then")
# Those that call their last argument where there is nothing yet.
MAKES = words("or_insert_with unwrap_or_else get_or_insert_with ok_or_else or_else get_or_init map_err")
OUTSIDE = words("Err Ready Break Continue Reverse Wrapping")
# Patterns whose parts capture the whole value.
WHOLE = words("match_pattern or_pattern mut_pattern ref_pattern reference_pattern captured_pattern")
LEAVES = words(
    "attribute_item block_comment boolean_literal char_literal float_literal identifier inner_attribute_item "
    "integer_literal line_comment self string_literal"
)
BESIDE = words("line_comment block_comment attribute_item")  # what may stand among arguments
NUMBER, TEXT = ("inst", ("lit", "int")), ("inst", ("lit", "str"))


class Expressions(Types):
    """Turns expressions into Exprs, reports the calls in them, binds what patterns capture."""

    leaves = LEAVES

    closure_gets: tuple[Expr, ...] = ()  # what the next closure's parameters are

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
        """A literal whose value says nothing about calls."""
        return None

    on_boolean_literal = on_char_literal = on_float_literal = on_line_comment = on_block_comment = nothing
    on_attribute_item = on_inner_attribute_item = nothing

    def inner(self, node: Node) -> Expr:
        """The value of the one thing inside."""
        value: Expr = None
        for child in node.named_children:
            value = self.expr(child)
        return value

    on_parenthesized_expression = on_try_expression = on_reference_expression = inner

    def on_await_expression(self, node: Node) -> Expr:
        value = self.inner(node)
        return ("await", value) if value is not None else None

    def on_type_cast_expression(self, node: Node) -> Expr:
        self.expr(node.child_by_field_id(self.at.value))
        type_ = self.type_expr(node.child_by_field_id(self.at.type))
        return ("inst", type_) if type_ is not None else None

    def on_field_expression(self, node: Node) -> Expr:
        base = self.expr(node.child_by_field_id(self.at.value))
        return self.rec.attr(base, self.text(node.child_by_field_id(self.at.field)))

    def on_generic_function(self, node: Node) -> Expr:
        return self.expr(node.child_by_field_id(self.at.function))

    def on_tuple_expression(self, node: Node) -> Expr:
        return ("list", tuple(self.expr(child) for child in node.named_children))

    on_array_expression = on_tuple_expression

    def on_struct_expression(self, node: Node) -> Expr:
        type_ = self.struct_type(node.child_by_field_id(self.at.name))
        body = node.child_by_field_id(self.at.body)
        for field in body.named_children if body is not None else ():
            if field.type == "field_initializer":
                name = self.text(field.child_by_field_id(self.at.field) or field.named_children[0])
                self.fill(type_, name, self.expr(field.child_by_field_id(self.at.value)))
            elif field.type == "shorthand_field_initializer":
                name = self.text(field.named_children[-1])
                self.fill(type_, name, self.use(name))
            else:
                self.expr(field)
        return ("inst", type_) if type_ is not None else None

    def struct_type(self, node: Node | None) -> Expr:
        """The type of a struct expression, without its arguments."""
        if node is None:
            return None
        return self.path(
            node.child_by_field_id(self.at.type) if node.type.startswith("generic_type") else node
        )

    def fill(self, type_: Expr, name: str, value: Expr) -> None:
        """Store what a field of a type gets."""
        if type_ is not None and value is not None:
            self.rec.store(("attr", ("inst", type_), name), value)

    # calls

    def on_call_expression(self, node: Node) -> Expr:
        function = node.child_by_field_id(self.at.function)
        types: tuple[Expr, ...] = ()
        while function is not None and function.type == "generic_function":
            types = types or self.type_list(function.child_by_field_id(self.at.type_arguments))
            function = function.child_by_field_id(self.at.function)
        if function is not None and function.type == "field_expression":
            return self.method_call(node, function)
        callee = self.expr(function)
        if callee is not None and any(types):
            callee = ("args", callee, types)
        args = self.arguments(node.child_by_field_id(self.at.arguments))
        if callee is None:
            return None
        made = self.rec.call(self.line(node), ("call", callee, args, ()))
        return self.constructed(callee, args, made)

    def constructed(self, callee: Any, args: tuple[Expr, ...], made: Expr) -> Expr:
        """What a call of a path gives: of `Box::new(x)` and the like, what it holds."""
        name = str(callee[-1]) if callee[0] in ("attr", "name") else ""
        base = callee[1] if callee[0] == "attr" and callee[1] is not None else (None,)
        wrapper = str(base[-1]) if name in ("new", "pin", "from", "some") else name
        if wrapper in TRANSPARENT and not self.is_ours(wrapper):  # `Box::new(x)`, `Some(x)`
            return args[0] if args else None
        named = name or self.bound_name(callee)
        if args and named[:1].isupper() and named not in OUTSIDE:  # a tuple struct; a variant of an enum
            for position, arg in enumerate(args):
                self.fill(callee, str(position), arg)
        if callee[0] == "attr" and name[:1].isupper():
            return ("any", (made, ("inst", callee[1])))
        return made

    def bound_name(self, callee: Any) -> str:
        """The name of what a use of a known definition names."""
        return str(self.rec.facts["binds"][callee[1]][1]) if callee[0] == "var" else ""

    def arguments(self, node: Node | None) -> tuple[Expr, ...]:
        """The arguments of a call."""
        return tuple(
            [
                self.expr(child)
                for child in (node.named_children if node is not None else ())
                if child.type not in BESIDE
            ]
        )

    def method_call(self, node: Node, function: Node) -> Expr:
        """`value.method(...)`; closures among the arguments get what such a method gives to them."""
        base = self.expr(function.child_by_field_id(self.at.value))
        name = self.text(function.child_by_field_id(self.at.field))
        element: Expr = ("elem", base) if base is not None else None
        self.closure_gets = ()
        if name in CLOSURES and base is not None:
            gets: Expr = ("any", (element, base))
            self.closure_gets = (gets,) if name in EACH else (gets if name in PAIRS else None, gets)
        arguments = node.child_by_field_id(self.at.arguments)
        args = self.arguments(arguments)
        self.closure_gets = ()
        if base is None:
            return None
        made = self.rec.call(self.line(node), ("call", self.rec.attr(base, name), args, ()))
        if args and (name in EACH or name in MAKES):
            self.passed(arguments, args, element)
        if name in GROW and args and args[-1] is not None:
            self.rec.store(("item", base, args[0] if len(args) == 2 else None), args[-1])
        return self.method_result(base, name, args, made)

    def passed(self, node: Node | None, args: tuple[Expr, ...], element: Expr) -> None:
        """Functions that are given by name to a method that calls them: `xs.iter().map(Item::price)`."""
        for child, arg in zip(node.named_children if node is not None else (), args, strict=False):
            if arg is not None and child.type in ("identifier", "scoped_identifier"):
                self.rec.call(self.line(child), ("call", arg, (element,), ()), IMPLICIT)

    def method_result(self, base: Any, name: str, args: tuple[Expr, ...], made: Expr) -> Expr:
        """What a method gives: where the standard library may have it, what it makes of its receiver."""
        element: Expr = ("elem", base)
        if name in SAME:
            return ("else", made, base)
        if name in ELEMENT:
            key = args[0] if name in ("get", "get_mut", "remove") and args else None
            return ("else", made, ("any", (("item", base, key), element)))
        if name in MAPS and args and args[-1] is not None:
            mapped: Expr = ("call", args[-1], (("any", (element, base)),), ())
            if name == "flat_map":
                return ("else", made, ("iter", ("elem", mapped)))
            return ("else", made, ("any", (("iter", mapped), mapped)))
        if name in MAKES and args:
            return ("else", made, ("any", (base, element, ("call", args[-1], (), ()))))
        if name == "values" or name == "values_mut":
            return ("else", made, ("iter", element))
        if name == "enumerate":
            return ("else", made, ("iter", ("list", (None, element))))
        if name == "zip" and args and args[0] is not None:
            return ("else", made, ("iter", ("list", (element, ("elem", args[0])))))
        return made

    # patterns

    def bind_pattern(self, node: Node | None, value: Expr) -> None:
        """Declares what a pattern captures of ``value``."""
        if node is None:
            return
        kind = node.type
        if kind in ("identifier", "shorthand_field_identifier"):
            name = self.text(node)
            if name[:1].islower() or name[:1] == "_":  # capitals: a constant or a unit struct
                self.declare(name, value)
            return
        parts = [
            child for child in node.named_children if child.type not in ("mutable_specifier", "lifetime")
        ]
        if kind in WHOLE:
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
        """`Variant(a, b)` in a pattern; `Some`, `Ok` and `Err` stand for the value itself."""
        type_ = node.child_by_field_id(self.at.type)
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
        """`Variant { a, b: c }` in a pattern."""
        type_ = node.child_by_field_id(self.at.type)
        variant = self.text(type_).rpartition("::")[2]
        for field in parts:
            if field.type != "field_pattern":
                continue
            name_node = field.child_by_field_id(self.at.name)
            name = self.text(name_node)
            pattern = field.child_by_field_id(self.at.pattern) or name_node
            self.bind_pattern(pattern, self.payload(type_, variant, name))
