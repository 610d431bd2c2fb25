"""Rust: type parameters of types, functions and implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.lexical import Block
from sctx_tui.graph.languages.rust_modules import Modules
from sctx_tui.graph.languages.rust_types import one_of

if TYPE_CHECKING:
    from tree_sitter import Node


class Generics(Modules):
    """Declares type parameters where they are seen."""

    #: The implementation that is being walked: name of its type, trait, type parameters by name: which of the
    #: type's (-1: none), bound.
    impl: tuple[str, Expr, dict[str, tuple[int, Expr]]] = ("", None, {})

    def parameters_of(self, node: Node, type_node: Node | None) -> dict[str, tuple[int, Expr]]:
        """The type parameters of an implementation, each with its place among its type's arguments."""
        if node.child_by_field_id(self.at.type_parameters) is None:
            return {}
        arguments = type_node.child_by_field_id(self.at.type_arguments) if type_node is not None else None
        spelt = [self.text(each) for each in (arguments.named_children if arguments is not None else ())]
        given = [each for each in spelt if not each.startswith("'")]
        bounds = self.bounds_of(node)
        return {name: (given.index(name) if name in given else -1, one) for name, one in bounds.items()}

    def begin_type(self, node: Node, index: int) -> bool:
        """Begins the inside of a type that was defined, where its type parameters are; whether it has any."""
        if node.child_by_field_id(self.at.type_parameters) is None:
            return False
        self.rec.revisit(index)
        self.blocks.append(Block(index, {}, True))
        self.declare_parameters(node)
        return True

    def end_type(self) -> None:
        """Ends what ``begin_type`` began."""
        self.blocks.pop()
        self.rec.leave()

    def begin_parameters(self, node: Node) -> bool:
        """Type parameters mean their bounds, in a block of their own; whether one was begun."""
        if node.child_by_field_id(self.at.type_parameters) is None:
            return False
        names = self.bounds_of(node)
        self.blocks.append(Block(self.rec.scope, {}, False))
        for name, bound in names.items():
            self.declare(name, bound)
        return True

    def bounds_of(self, node: Node) -> dict[str, Expr]:
        """The type parameters of an item, with their bounds."""
        given = node.child_by_field_id(self.at.type_parameters)
        where = next((child for child in node.named_children if child.type == "where_clause"), None)
        names: dict[str, list[Expr]] = {}
        for each in given.named_children if given is not None else ():
            if each.type in ("type_parameter", "optional_type_parameter", "constrained_type_parameter"):
                name = self.text(each.child_by_field_id(self.at.name) or each.child_by_field_id(self.at.left))
                names[name] = [self.bounds(each.child_by_field_id(self.at.bounds))]
        for predicate in where.named_children if where is not None else ():
            left = self.text(predicate.child_by_field_id(self.at.left))
            if left in names:
                names[left].append(self.bounds(predicate.child_by_field_id(self.at.bounds)))
        return {name: one_of(bounds) for name, bounds in names.items()}

    def declare_parameters(self, node: Node) -> None:
        """The type parameters of the symbol that was begun, and of the implementation around it."""
        owner = self.self_type
        parameters = self.impl[2]
        for name, (position, bound) in parameters.items():
            self.declare(name, ("tparam", position, bound, owner) if position >= 0 else bound)
        if parameters and self.rec.kind() == "method":
            places = {position: name for name, (position, _) in parameters.items() if position >= 0}
            own = [
                self.use(places[at]) if at in places else None for at in range(max(places, default=-1) + 1)
            ]
            self.self_type = ("args", owner, tuple(own)) if own else owner
            self.associated = {
                name: self.type_expr(type_) if type_ is not None else self.associated.get(name)
                for name, type_ in self.associated_nodes.items()
            }
        for position, (name, bound) in enumerate(self.bounds_of(node).items()):
            self.declare(name, ("tparam", position, bound))
