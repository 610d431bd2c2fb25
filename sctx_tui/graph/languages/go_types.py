"""Go's types as type Exprs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr

if TYPE_CHECKING:
    from tree_sitter import Node

    from sctx_tui.graph.languages.go_expressions import Expressions

BASIC = {
    "string": "str",
    "bool": "bool",
    "error": "",
    "any": "",
    "byte": "int",
    "rune": "int",
    "uintptr": "int",
    **{f"{sign}int{bits}": "int" for sign in ("", "u") for bits in ("", "8", "16", "32", "64")},
    **dict.fromkeys(("float32", "float64", "complex64", "complex128"), "float"),
}
DEEP = 12
NOTHING = ("lit", "none")


def type_expr(walk: Expressions, node: Node | None, depth: int = 0) -> Expr:
    """The type that a node spells; pointers mean what they point to; None for what says nothing."""
    if node is None or depth > DEEP:
        return None
    kind = node.type
    if kind in ("type_identifier", "identifier"):
        name = walk.text(node)
        if name in BASIC and walk.rec.reaching(name) is None:
            return ("lit", BASIC[name]) if BASIC[name] else None
        return walk.use(name)
    if kind == "pointer_type":
        parts = node.named_children
        return type_expr(walk, parts[0], depth + 1) if len(parts) == 1 else None
    if kind == "qualified_type":
        parts = node.named_children
        return ("attr", walk.use(walk.text(parts[0])), walk.text(parts[1])) if len(parts) == 2 else None
    if kind in ("slice_type", "array_type", "implicit_length_array_type"):
        element = type_expr(walk, node.child_by_field_id(walk.at.element), depth + 1)
        return ("args", ("lit", "list"), (element,))
    if kind == "channel_type":
        return ("args", ("lit", "list"), (type_expr(walk, node.child_by_field_id(walk.at.value), depth + 1),))
    if kind == "map_type":
        key = type_expr(walk, node.child_by_field_id(walk.at.key), depth + 1)
        value = type_expr(walk, node.child_by_field_id(walk.at.value), depth + 1)
        return ("args", ("lit", "dict"), (key, value))
    if kind == "generic_type":
        arguments = node.child_by_field_id(walk.at.type_arguments)
        inner = type_expr(walk, node.child_by_field_id(walk.at.type), depth + 1)
        given = [type_expr(walk, each, depth + 1) for each in (arguments.named_children if arguments else ())]
        return ("args", inner, tuple(given))
    if kind == "function_type":
        return ("functype", result_type(walk, node.child_by_field_id(walk.at.result), depth + 1))
    if kind in ("struct_type", "interface_type"):
        return walk.anonymous_type(node)
    if kind in ("parenthesized_type", "type_elem", "type_constraint", "negated_type"):
        parts = node.named_children
        return type_expr(walk, parts[0], depth + 1) if len(parts) == 1 else None
    return None


def result_type(walk: Expressions, node: Node | None, depth: int = 0) -> Expr:
    """The type of what a function gives: a tuple where there are several, `none` where it gives nothing."""
    if node is None:
        return NOTHING
    if node.type != "parameter_list":
        return type_expr(walk, node, depth)
    types: list[Expr] = []
    for each in node.named_children:
        if each.type == "parameter_declaration":
            made = type_expr(walk, each.child_by_field_id(walk.at.type), depth)
            types += [made] * max(1, len(each.children_by_field_id(walk.at.name)))
    if len(types) == 1:
        return types[0]
    return ("args", ("lit", "tuple"), tuple(types)) if any(t is not None for t in types) else None
