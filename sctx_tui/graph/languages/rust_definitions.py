"""Rust: types, traits, implementations and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import ABSTRACT, ASYNC, EXPORTED, STATIC, Expr, Param
from sctx_tui.graph.flow import parameter
from sctx_tui.graph.languages.lexical import Block
from sctx_tui.graph.languages.rust_generics import Generics

if TYPE_CHECKING:
    from tree_sitter import Node


class Definitions(Generics):
    """Opens the symbols of a file."""

    # types

    def on_type_item(self, node: Node) -> Expr:
        type_ = self.type_expr(node.child_by_field_id(self.at.type))
        if type_ is not None and self.self_type is None:
            self.declare(self.text(node.child_by_field_id(self.at.name)), type_)
        return None

    def on_struct_item(self, node: Node) -> Expr:
        index = self.define(node, "class")
        is_generic = self.begin_type(node, index)
        self.fields(node.child_by_field_id(self.at.body), index, "")
        if is_generic:
            self.end_type()
        return None

    on_union_item = on_struct_item

    def on_enum_item(self, node: Node) -> Expr:
        body = node.child_by_field_id(self.at.body)
        variants = (
            [each for each in body.named_children if each.type == "enum_variant"] if body is not None else []
        )
        index = self.define(
            node, "class", [self.text(each.child_by_field_id(self.at.name)) for each in variants]
        )
        is_generic = self.begin_type(node, index)
        for variant in variants:
            prefix = self.text(variant.child_by_field_id(self.at.name)) + "."
            self.fields(variant.child_by_field_id(self.at.body), index, prefix)
        if is_generic:
            self.end_type()
        return None

    def define(self, node: Node, kind: str, variants: list[str] | None = None) -> int:
        """Record a struct, an enum or the like with its variants; its index."""
        rec = self.rec
        name = self.text(node.child_by_field_id(self.at.name))
        index = rec.open(
            name,
            kind,
            self.line(node),
            self.end_line(node),
            signature=self.signature(node),
            doc=self.doc(node),
            flags=visible(node),
            qualname=self.qualname(name),
        )
        for variant in variants or ():
            rec.bind(variant, ("inst", ("def", index)))
        rec.close()
        rec.bind(name, ("def", index))
        return index

    def qualname(self, name: str) -> str:
        """The name with the functions and types around it; inline modules are left out."""
        symbols = self.rec.facts["symbols"]
        scope = self.rec.scope
        while scope > 0 and symbols[scope][2] == "namespace":
            scope = symbols[scope][3]
        return f"{symbols[scope][1]}.{name}" if scope > 0 else name

    def fields(self, body: Node | None, index: int, prefix: str) -> None:
        """Store the types of a struct's or a variant's fields; those without names are called by number."""
        if body is None:
            return
        base = ("inst", ("def", index))
        position = 0
        for field in body.named_children:
            if field.type == "field_declaration":
                name, type_node = (
                    self.text(field.child_by_field_id(self.at.name)),
                    field.child_by_field_id(self.at.type),
                )
            elif body.type == "ordered_field_declaration_list" and field.type not in (
                "visibility_modifier",
                "attribute_item",
                "line_comment",
                "block_comment",
            ):
                name, type_node = str(position), field
                position += 1
            else:
                continue
            type_ = self.type_expr(type_node)
            if type_ is not None:
                self.rec.store(("attr", base, prefix + name), ("inst", type_))

    # traits and implementations

    def on_trait_item(self, node: Node) -> Expr:
        rec = self.rec
        name = self.text(node.child_by_field_id(self.at.name))
        parameters = self.begin_parameters(node)
        bounds = node.child_by_field_id(self.at.bounds)
        bases = (
            [self.type_expr(each) for each in bounds.named_children if each.type != "lifetime"]
            if bounds
            else []
        )
        index = rec.open(
            name,
            "interface",
            self.line(node),
            self.end_line(node),
            signature=self.signature(node),
            doc=self.doc(node),
            bases=tuple(base for base in bases if base is not None),
            flags=visible(node),
            qualname=self.qualname(name),
        )
        saved, self.self_type = self.self_type, ("def", index)
        self.members(node.child_by_field_id(self.at.body))
        self.self_type = saved
        rec.close()
        if parameters:
            self.blocks.pop()
        rec.bind(name, ("def", index))
        return None

    def on_impl_item(self, node: Node) -> Expr:
        parameters = self.begin_parameters(node)
        type_node = node.child_by_field_id(self.at.type)
        type_ = self.type_expr(type_node)
        if type_ is not None and type_[0] == "args" and type_[1] is not None and type_[1][0] != "lit":
            type_ = type_[1]
        trait_node = node.child_by_field_id(self.at.trait)
        trait = self.path(trait_node) if trait_node is not None else None
        if trait is not None and type_ is not None:
            self.rec.facts["impls"].append((self.rec.scope, type_, trait))
        saved, self.self_type = self.self_type, type_
        name = plain_name(self.text(type_node))
        saved_impl, self.impl = self.impl, (name, trait, self.parameters_of(node, type_node))
        self.members(node.child_by_field_id(self.at.body))
        self.self_type, self.impl = saved, saved_impl
        if parameters:
            self.blocks.pop()
        return None

    def members(self, body: Node | None) -> None:
        """What stands in a trait or an implementation: types first, since the others use them."""
        children = body.named_children if body is not None else []
        saved, self.associated = self.associated, {}
        saved_nodes, self.associated_nodes = self.associated_nodes, {}
        for child in children:
            if child.type in ("type_item", "associated_type"):
                name = self.text(child.child_by_field_id(self.at.name))
                type_ = child.child_by_field_id(self.at.type)
                bounds = child.child_by_field_id(self.at.bounds)
                self.associated[name] = self.type_expr(type_) if type_ is not None else self.bounds(bounds)
                self.associated_nodes[name] = type_
        for child in children:
            self.expr(child)
        self.associated, self.associated_nodes = saved, saved_nodes

    # functions

    def on_function_item(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        in_trait = self.rec.kind() == "interface"
        of_type, trait, _ = self.impl
        if of_type and not in_trait:
            bases = (trait,) if trait is not None else ()
            qualname = f"{of_type}.{name}"
            self.function(node, name, "method", owner=self.self_type, qualname=qualname, bases=bases)
        else:
            index = self.function(node, name, "method" if in_trait else "function")
            self.bind_item(name, index)
        return None

    def bind_item(self, name: str, index: int) -> None:
        """A function is seen by the whole block that holds it."""
        made: Expr = ("def", index)
        before = self.rec.reaching(name)
        known = self.rec.facts["binds"][before][2] if before is not None else None
        if known is not None and known[0] in ("def", "any"):  # for another platform (`#[cfg(...)]`)
            made = ("any", (*(known[1] if known[0] == "any" else (known,)), made))
        self.rec.bind(name, made)
        if self.blocks and self.blocks[-1].symbol == self.rec.scope:
            self.blocks[-1].names[name] = name

    def on_function_signature_item(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        kind = "method" if self.rec.kind() == "interface" else "function"
        self.rec.bind(name, ("def", self.function(node, name, kind)))
        return None

    def on_closure_expression(self, node: Node) -> Expr:
        return ("def", self.function(node, "", "lambda"))

    def params(self, node: Node | None) -> tuple[tuple[Param, ...], list[Node | None]]:
        """The parameters, and the pattern of each."""
        made: list[Param] = []
        patterns: list[Node | None] = []
        for each in node.named_children if node is not None else ():
            if each.type == "self_parameter":
                made.append((self.text(each), None, None, "self"))
                patterns.append(None)
            elif each.type == "parameter":
                pattern = each.child_by_field_id(self.at.pattern)
                type_node = each.child_by_field_id(self.at.type)
                if self.text(pattern).endswith("self"):
                    made.append((self.text(each), None, None, "self"))
                    patterns.append(None)
                    continue
                made.append((self.text(pattern), self.type_expr(type_node), None, "pos"))
                patterns.append(pattern)
            elif node is not None and node.type == "closure_parameters" and "comment" not in each.type:
                made.append((self.text(each), None, None, "pos"))
                patterns.append(each)
        return tuple(made), patterns

    def function(
        self,
        node: Node,
        name: str,
        kind: str,
        *,
        owner: Expr = None,
        qualname: str = "",
        bases: tuple[Expr, ...] = (),
    ) -> int:
        """Walk a function, a method or a closure; its index."""
        rec = self.rec
        given, self.closure_gets = self.closure_gets, ()
        saved = self.impl, self.self_type, self.associated
        is_generic = bool(name) and (
            (owner is not None and bool(self.impl[2]))
            or node.child_by_field_id(self.at.type_parameters) is not None
        )
        parameters = node.child_by_field_id(self.at.parameters)
        return_type = node.child_by_field_id(self.at.return_type)
        params, patterns = ((), []) if is_generic else self.params(parameters)
        returns = None if is_generic else self.type_expr(return_type)
        has_receiver = takes_self(self, parameters)
        body = node.child_by_field_id(self.at.body)
        flags = visible(node) if name else 0
        flags |= STATIC if kind == "method" and not has_receiver else 0
        flags |= ABSTRACT if body is None else 0
        modifiers = next((child for child in node.children if child.type == "function_modifiers"), None)
        flags |= ASYNC if "async" in self.text(modifiers).split() else 0
        index = rec.open(
            name,
            kind,
            self.line(node),
            self.end_line(node),
            signature=self.signature(node) if name else "",
            doc=self.doc(node) if name else "",
            bases=bases,
            params=params,
            returns=returns,
            flags=flags,
            owner=owner,
            qualname=qualname or (self.qualname(name) if name else ""),
        )
        self.blocks.append(Block(index, {}, True))
        if is_generic:
            self.declare_parameters(node)
            params, patterns = self.params(parameters)
            returns = self.type_expr(return_type)
            self.set_types(params, returns)
        if name:
            self.impl = ("", None, {})  # not that of functions inside this one
        for position, (param, pattern) in enumerate(zip(params, patterns, strict=True)):
            if param[3] == "self":
                rec.bind("self", ("this",))
                continue
            value: Expr = parameter(position)
            if position < len(given) and given[position] is not None:
                value = ("any", (value, given[position]))
            self.bind_pattern(pattern, value)
        depth, self.depth = self.depth, 0
        value = self.statements(body) if body is not None and body.type == "block" else self.expr(body)
        if returns is not None and body is not None and body.named_child_count:
            self.converted(body.named_child(body.named_child_count - 1), returns)
        self.depth = depth
        if value is not None:
            rec.returned(value)
        self.blocks.pop()
        rec.close(self.mutated(index) if has_receiver else ())
        self.impl, self.self_type, self.associated = saved
        return index

    def mutated(self, index: int) -> tuple[str, ...]:
        """Fields of the receiver that the body assigns."""
        names = {
            f"self.{target[2]}"
            for where, target, _ in self.rec.facts["stores"]
            if where == index and target[0] == "attr" and target[1] == ("this",)
        }
        return tuple(sorted(names))

    def on_const_item(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.value))
        type_ = self.type_expr(node.child_by_field_id(self.at.type))
        typed: Expr = ("inst", type_) if type_ is not None else None
        known = tuple(each for each in (value, typed) if each is not None)
        if self.self_type is None:
            name = self.text(node.child_by_field_id(self.at.name))
            self.rec.bind(name, ("any", known) if len(known) > 1 else known[0] if known else None)
        return None

    on_static_item = on_const_item


def takes_self(walk: Definitions, parameters: Node | None) -> bool:
    """Whether a function has a receiver."""
    first = parameters.named_child(0) if parameters is not None and parameters.named_child_count else None
    while first is not None and (first.type == "attribute_item" or "comment" in first.type):
        first = first.next_named_sibling
    if first is None or first.type == "self_parameter":
        return first is not None
    return first.type == "parameter" and walk.text(first.child_by_field_id(walk.at.pattern)).endswith("self")


def visible(node: Node) -> int:
    """`pub` items are seen outside."""
    return EXPORTED if any(child.type == "visibility_modifier" for child in node.children) else 0


def plain_name(text: str) -> str:
    """The last name of a type, without references and type arguments."""
    name = text.partition("<")[0].strip("&*() \t\n").rpartition("::")[2]
    words = name.replace("mut ", "").replace("dyn ", "").split()
    return words[-1] if words and words[-1].isidentifier() else "<type>"
