"""Go: imports, types and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import ABSTRACT, EXPORTED, Expr, Param
from sctx_tui.graph.flow import THIS, parameter
from sctx_tui.graph.languages.go_expressions import Expressions
from sctx_tui.graph.languages.go_types import result_type, type_expr
from sctx_tui.graph.languages.lexical import Block
from sctx_tui.graph.literals import elide, specifier

if TYPE_CHECKING:
    from tree_sitter import Node


# What a named type may be made of that says what its values hold or give.
MADE_OF = frozenset(
    (
        "array_type",
        "channel_type",
        "function_type",
        "generic_type",
        "map_type",
        "pointer_type",
        "qualified_type",
        "slice_type",
        "type_identifier",
    )
)


class Definitions(Expressions):
    """Opens the symbols of a file."""

    # imports

    def on_import_spec(self, node: Node) -> Expr:
        spec = specifier(self.text(node.child_by_field_id(self.at.path)).strip('"`'))
        self.rec.facts["imports"].append((spec, self.line(node), ()))
        name = node.child_by_field_id(self.at.name)
        if name is not None and name.type == "dot":
            self.rec.facts["stars"].append((0, spec))
        elif name is None or name.type != "blank_identifier":
            for local in [self.text(name)] if name is not None else package_names(spec):
                self.rec.bind(local, ("import", spec))
        return None

    # types

    def on_type_alias(self, node: Node) -> Expr:
        type_ = type_expr(self, node.child_by_field_id(self.at.type))
        if type_ is not None:
            self.rec.bind(self.text(node.child_by_field_id(self.at.name)), type_)
        return None

    def on_type_spec(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        self.define_type(name, node, node.child_by_field_id(self.at.type))
        return None

    def anonymous_type(self, node: Node) -> Expr:
        """A type that is written where it is used."""
        if not node.named_children:
            return None
        return ("def", self.define_type("", node, node))

    def define_type(self, name: str, node: Node, type_: Node | None) -> int:
        """A named type (or a struct or interface without a name) as a class or an interface."""
        rec = self.rec
        kind = "interface" if type_ is not None and type_.type == "interface_type" else "class"
        owner = node.parent if node.parent is not None and node.parent.type == "type_declaration" else node
        doc = self.doc(node) or self.doc(owner)
        shown = name or "<type>"
        index = rec.open(
            shown,
            kind,
            self.line(node),
            self.end_line(node),
            signature=f"type {shown} {self.head(type_)}",
            doc=doc,
            bases=self.bases(type_),
            flags=exported(name),
        )
        type_parameters = node.child_by_field_id(self.at.type_parameters)
        self.type_parameters(type_parameters)
        if type_ is not None and type_.type == "interface_type":
            self.interface(type_)
        rec.close()
        if name:
            rec.bind(name, ("def", index))
        if type_ is not None and type_.type == "struct_type":
            if type_parameters is not None:
                rec.revisit(index)  # where the type parameters are
            self.fields(index, type_)
            if type_parameters is not None:
                rec.leave()
        return index

    def head(self, type_: Node | None) -> str:
        """What kind of type it is, in a few words."""
        if type_ is None:
            return ""
        if type_.type in ("struct_type", "interface_type"):
            return type_.type.partition("_")[0]
        return " ".join(elide(self.text(type_), single=False).split())[:80]

    def bases(self, type_: Node | None) -> tuple[Expr, ...]:
        """Embedded structs and interfaces; the type that another named type is made of."""
        if type_ is None:
            return ()
        if type_.type == "struct_type":
            return tuple(
                type_expr(self, field.child_by_field_id(self.at.type))
                for field in field_nodes(type_)
                if not field.children_by_field_id(self.at.name)
            )
        if type_.type == "interface_type":
            elements = [each for each in type_.named_children if each.type == "type_elem"]
            return tuple(
                type_expr(self, each.named_children[0]) for each in elements if len(each.named_children) == 1
            )
        if type_.type in MADE_OF:
            return (type_expr(self, type_),)
        return ()

    def fields(self, index: int, type_: Node) -> None:
        """Store the types of a struct's fields; an embedded one is called by its type's name."""
        base = ("inst", ("def", index))
        for field in field_nodes(type_):
            made = type_expr(self, field.child_by_field_id(self.at.type))
            names = [self.text(name) for name in field.children_by_field_id(self.at.name)]
            if not names:
                spelt = self.text(field.child_by_field_id(self.at.type)).partition("[")[0]
                names = [spelt.lstrip("*").rpartition(".")[2]]
            for name in names if made is not None else ():
                self.rec.store(("attr", base, name), ("inst", made))

    def interface(self, type_: Node) -> None:
        """Record the methods that an interface asks for."""
        for method in type_.named_children:
            if method.type != "method_elem":
                continue
            name = self.text(method.child_by_field_id(self.at.name))
            index = self.rec.open(
                name,
                "method",
                self.line(method),
                self.end_line(method),
                signature=self.signature(method),
                doc=self.doc(method),
                params=(("", None, None, "self"), *self.params(method.child_by_field_id(self.at.parameters))),
                returns=result_type(self, method.child_by_field_id(self.at.result)),
                flags=exported(name) | ABSTRACT,
            )
            self.rec.close()
            self.rec.bind(name, ("def", index))

    def type_parameters(self, node: Node | None) -> None:
        """Type parameters, which may stand for whatever their constraints let them."""
        position = 0
        for each in node.named_children if node is not None else ():
            constraint = type_expr(self, each.child_by_field_id(self.at.type))
            for name in each.children_by_field_id(self.at.name):
                self.rec.bind(self.text(name), ("tparam", position, constraint))
                position += 1

    def receiver_parameters(self, type_: Node | None, owner: Expr) -> None:
        """What a method calls the type parameters of its receiver's type."""
        arguments = type_.child_by_field_id(self.at.type_arguments) if type_ is not None else None
        for position, each in enumerate(arguments.named_children if arguments is not None else ()):
            self.rec.bind(self.text(each), ("tparam", position, None, owner))

    # functions

    def params(self, node: Node | None) -> tuple[Param, ...]:
        """Parameters as facts have them; one without a name is called ""."""
        made: list[Param] = []
        for each in node.named_children if node is not None else ():
            if each.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            type_ = type_expr(self, each.child_by_field_id(self.at.type))
            kind = "*" if each.type.startswith("variadic") else "pos"
            if kind == "*":
                type_ = ("args", ("lit", "list"), (type_,)) if type_ is not None else None
            names = [self.text(name) for name in each.children_by_field_id(self.at.name)] or [""]
            made += [(name, type_, None, kind) for name in names]
        return tuple(made)

    def on_function_declaration(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        index = self.function(node, name, "function")
        if name not in ("init", "_"):
            self.rec.bind(name, ("def", index))
        return None

    def on_method_declaration(self, node: Node) -> Expr:
        receiver = node.child_by_field_id(self.at.receiver)
        given = receiver.named_children[0] if receiver is not None and receiver.named_children else None
        type_ = given.child_by_field_id(self.at.type) if given is not None else None
        spelt = self.text(type_).strip("()*& ").partition("[")[0]
        names = given.children_by_field_id(self.at.name) if given is not None else []
        name = self.text(node.child_by_field_id(self.at.name))
        while type_ is not None and type_.type in ("pointer_type", "parenthesized_type"):
            type_ = type_.named_child(0)
        self.function(
            node,
            name,
            "method",
            generic=type_ if type_ is not None and type_.type == "generic_type" else None,
            owner=self.rec.use(spelt) or ("name", spelt),
            qualname=f"{spelt}.{name}",
            receiver=self.text(names[0]) if names else "_",
        )
        return None

    def on_func_literal(self, node: Node) -> Expr:
        return ("def", self.function(node, "", "lambda"))

    def function(
        self,
        node: Node,
        name: str,
        kind: str,
        *,
        owner: Expr = None,
        qualname: str = "",
        receiver: str = "",
        generic: Node | None = None,
    ) -> int:
        """Walk a function, a method or a function literal; its index."""
        rec = self.rec
        type_parameters = node.child_by_field_id(self.at.type_parameters)
        is_generic = type_parameters is not None or generic is not None
        params = () if is_generic else self.types(node, receiver)
        result = node.child_by_field_id(self.at.result)
        index = rec.open(
            name,
            kind,
            self.line(node),
            self.end_line(node),
            signature=self.signature(node) if name else "",
            doc=self.doc(node) if name else "",
            params=params,
            returns=None if is_generic else result_type(self, result),
            flags=exported(name),
            owner=owner,
            qualname=qualname,
        )
        if is_generic:
            self.type_parameters(type_parameters)
            self.receiver_parameters(generic, owner)
            params = self.types(node, receiver)
            self.set_types(params, result_type(self, result))
        stores = len(rec.facts["stores"])
        self.blocks.append(Block(index, {param[0]: param[0] for param in params}, True))
        for position, param in enumerate(params):
            if param[0] not in ("", "_"):
                rec.bind(param[0], THIS if param[3] == "self" else parameter(position))
        results = self.named_results(result)
        depth, self.depth = self.depth, 0
        body = node.child_by_field_id(self.at.body)
        if body is not None:
            self.parts(body)
        self.depth = depth
        if results:
            self.give(results)
        self.blocks.pop()
        rec.close(self.mutated(stores, receiver))
        return index

    def types(self, node: Node, receiver: str) -> tuple[Param, ...]:
        """The parameters of a function, its receiver first."""
        params = self.params(node.child_by_field_id(self.at.parameters))
        return ((receiver, None, None, "self"), *params) if receiver else params

    def named_results(self, node: Node | None) -> list[str]:
        """Declare the results that have names; those names."""
        names: list[str] = []
        if node is not None and node.type == "parameter_list":
            for name, type_, _, _ in self.params(node):
                if name not in ("", "_"):
                    self.declare(name, ("inst", type_) if type_ is not None else None)
                    names.append(name)
        return names

    def give(self, names: list[str]) -> None:
        """Return the variables with these names."""
        values = tuple(self.use(name) for name in names)
        self.rec.returned(values[0] if len(values) == 1 else ("list", values))

    def mutated(self, stores: int, receiver: str) -> tuple[str, ...]:
        """Fields of the receiver that the body assigns; there were ``stores`` stores before it."""
        if not receiver:
            return ()
        scope = self.rec.scope
        names = {
            f"{receiver}.{target[2]}"
            for where, target, _ in self.rec.facts["stores"][stores:]
            if where == scope and target[0] == "attr" and target[1] == ("this",)
        }
        return tuple(sorted(names))


def field_nodes(struct: Node) -> list[Node]:
    """The field declarations of a struct type."""
    return [
        field
        for fields in struct.named_children
        if fields.type == "field_declaration_list"
        for field in fields.named_children
        if field.type == "field_declaration"
    ]


def exported(name: str) -> int:
    """Names with a capital are seen by other packages."""
    return EXPORTED if name[:1].isupper() else 0


def package_names(spec: str) -> list[str]:
    """What a package is likely to be called when the import gives it no name: by its path."""
    parts = spec.split("/")
    last = parts[-1]
    if last[:1] == "v" and last[1:].isdecimal() and len(parts) > 1:
        last = parts[-2]
    names = {last, last.partition(".")[0], last.removeprefix("go-"), last.removesuffix("-go")}
    return sorted(name for name in names if name.isidentifier())
