"""JavaScript and TypeScript classes; TypeScript's interfaces, type aliases, enums and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import ABSTRACT, CLASS_LEVEL, SETTER, Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.javascript_definitions import comment_text
from sctx_tui.graph.languages.javascript_names import Frame
from sctx_tui.graph.languages.javascript_objects import Objects
from sctx_tui.graph.languages.javascript_types import jsdoc_tags
from sctx_tui.graph.literals import elide

if TYPE_CHECKING:
    from tree_sitter import Node

ANONYMOUS = "<class>"
BASE_TAGS = frozenset({"extends", "augments", "implements"})


class Classes(Objects):
    """The part of the walker that makes symbols of types."""

    def __init__(self, rec: Recorder, grammar: str, root: Node, source: bytes) -> None:
        super().__init__(rec, grammar, root, source)
        self.pending: list[tuple[Node, tuple[str, Expr]]] = []  # decorators that await their member
        self.namespaces: dict[tuple[int, str], list[int]] = {}  # (scope, name) -> their symbols

    # classes

    def on_class_declaration(self, node: Node) -> Expr:
        name_node = node.child_by_field_id(self.at.name)
        name = self.text(name_node) if name_node is not None else ANONYMOUS
        value: Expr = ("def", self.class_definition(node, name))
        if name_node is not None:
            self.assign_name(name, value)
        return value

    on_abstract_class_declaration = on_class_declaration

    def on_class(self, node: Node) -> Expr:
        return ("def", self.class_definition(node, ""))

    def class_definition(self, node: Node, path: str) -> int:
        """Walk a class that is called `path`; its index."""
        doc = self.take_doc()
        name_node = node.child_by_field_id(self.at.name)
        own = self.text(name_node) if name_node is not None else ""
        path = path or own or ANONYMOUS
        body = node.child_by_field_id(self.at.body)
        decorators = self.decorators(node)
        bases = self.bases(node, doc)
        saved_renames = self.renames
        if own and node.type == "class" and own != path:
            self.declare([own])
        index = self.rec.open(
            path.rpartition(".")[2],
            "class",
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=self.signature(node, body, ""),
            doc=comment_text(doc) if doc else "",
            decorators=tuple(text for text, _ in decorators),
            bases=bases,
            qualname=self.qualname(path, member="." not in path and path != own),
        )
        saved = self.frame, self.this, self.this_owner, self.super_
        self.frame, self.super_ = Frame(index, saved[0]), ("super",)
        self.this_owner = self.frame
        outer_types = self.type_parameter
        self.type_parameter = {**outer_types, **self.type_parameters(node)}
        for child in body.named_children if body is not None else ():
            self.class_member(child, index)
        self.frame, self.this, self.this_owner, self.super_ = saved
        self.type_parameter = outer_types
        self.rec.close()
        if own and node.type == "class" and own != path:
            self.assign_name(own, ("def", index))
        self.renames = saved_renames
        for _, decorator in decorators:
            self.rec.call(self.line(node), ("call", decorator, (("def", index),), ()))
        return index

    def bases(self, node: Node, doc: str) -> tuple[Expr, ...]:
        """The superclass, then the interfaces."""
        found: list[Expr] = []
        heritage = next((child for child in node.named_children if child.type == "class_heritage"), None)
        for clause in self.parts(heritage) if heritage is not None else ():
            if clause.type == "implements_clause":
                found += [self.type_expr(part) for part in self.parts(clause)]
            elif clause.type == "extends_clause":
                value = self.brief(self.expr(clause.child_by_field_id(self.at.value)))
                given = clause.child_by_field_id(self.at.type_arguments)
                types = tuple(self.type_expr(part) for part in self.parts(given)) if given is not None else ()
                found.append(("args", value, types) if types else value)
            else:
                found.append(self.brief(self.expr(clause)))
        for tag, type_, name in jsdoc_tags(doc) if "@" in doc and not found else ():
            if tag in BASE_TAGS:
                found.append(self.jsdoc_type(type_ or name))
        return tuple(base for base in found if base is not None)

    def decorators(self, node: Node) -> list[tuple[str, Expr]]:
        """(text, Expr) of the decorators of a class; those before ``export`` stand at its parent."""
        nodes = [child for child in node.named_children if child.type == "decorator"]
        parent = node.parent if node.type in ("class_declaration", "abstract_class_declaration") else None
        if parent is not None and parent.type == "export_statement":
            nodes = [child for child in parent.named_children if child.type == "decorator"] + nodes
        return [self.decorator(child) for child in nodes]

    def decorator(self, node: Node) -> tuple[str, Expr]:
        """A decorator as written, and what is called."""
        text = " ".join(elide((node.text or b"")[1:].decode("utf-8", "replace")).split())
        return text, self.brief(self.expr(self.first(node)))

    # members

    def class_member(self, node: Node, index: int) -> None:
        """Walk one member of the class with this index."""
        kind = node.type
        if kind == "comment":
            self.note_comment(node)
            return
        if kind == "decorator":
            self.pending.append((node, self.decorator(node)))
            return
        waiting, self.pending = self.pending, []
        waiting += [
            (child, self.decorator(child)) for child in node.named_children if child.type == "decorator"
        ]
        static = any(child.type == "static" for child in node.children)
        name_node = node.child_by_field_id(self.at.name) or node.child_by_field_id(self.at.property)
        value: Expr = None
        if kind == "method_definition" and name_node is not None:
            value = self.method(node, name_node, static, tuple(text for _, (text, _) in waiting))
        elif kind in ("public_field_definition", "field_definition") and name_node is not None:
            self.field(node, name_node, index, static)
        elif kind == "class_static_block":
            self.this = ("def", index)
            self.statements(node.child_by_field_id(self.at.body))
        elif kind in ("abstract_method_signature", "method_signature") and name_node is not None:
            self.method_signature(node, name_node, static)
        for child, (_, decorator) in [*waiting, *self.parameter_decorators(node)]:
            self.rec.call(self.line(child), ("call", decorator, (value,), ()))
        self.doc = ""

    def parameter_decorators(self, node: Node) -> list[tuple[Node, tuple[str, Expr]]]:
        """The decorators of a method's parameters, which run with those of its class."""
        listed = node.child_by_field_id(self.at.parameters)
        return [
            (child, self.decorator(child))
            for part in (listed.named_children if listed is not None else ())
            for child in part.named_children
            if child.type == "decorator"
        ]

    def method(self, node: Node, name_node: Node, static: bool, decorators: tuple[str, ...]) -> Expr:
        """Walk a method, getter or setter; the function."""
        key, name = self.property_name(name_node)
        flags = CLASS_LEVEL if static else 0
        index = self.function(node, name, method=True, flags=flags, decorators=decorators, key=name)
        value: Expr = ("def", index)
        if key is not None and key[0] == "const":
            spelled = str(key[1])
            setter = self.rec.facts["symbols"][index][12] & SETTER
            self.rec.bind(f"set {spelled}" if setter else spelled, value)
        return value

    def field(self, node: Node, name_node: Node, index: int, static: bool) -> None:
        """A field: a function there is a method; another value is stored in each object, or in the class."""
        rec = self.rec
        value_node, type_node = node.child_by_field_id(self.at.value), node.child_by_field_id(self.at.type)
        declared = self.declared(type_node) if type_node is not None else self.jsdoc_declared()
        key, name = self.property_name(name_node)
        spelled = str(key[1]) if key is not None and key[0] == "const" else ""
        self.this = ("def", index) if static else ("inst", ("def", index))
        value: Expr = None
        if value_node is not None and value_node.kind_id in self.functions:
            flags = CLASS_LEVEL if static else 0
            self.expected = self.type_expr(type_node)
            value = ("def", self.function(value_node, name, method=True, flags=flags, key=name))
            if spelled and declared is None:
                rec.bind(spelled, value)
                return
        elif value_node is not None:
            value = self.brief(self.named(value_node, name))
        value = self.with_type(value, declared)
        if not spelled or value is None:
            return
        if static:
            rec.bind(spelled, value)
        else:
            rec.store(("attr", ("inst", ("def", index)), spelled), value)

    def method_signature(self, node: Node, name_node: Node, static: bool) -> None:
        """A method without a body: abstract, of an interface, or an overload of what follows."""
        _, name = self.property_name(name_node)
        following = node.next_named_sibling
        while following is not None and following.type in ("comment", node.type):
            other = following.child_by_field_id(self.at.name)
            if following.type == node.type and (other is None or other.text != name_node.text):
                break
            following = following.next_named_sibling
        if following is not None and following.type == "method_definition":
            other = following.child_by_field_id(self.at.name)
            if other is not None and other.text == name_node.text:
                return
        flags = ABSTRACT | (CLASS_LEVEL if static else 0)
        if self.rec.reaching(name) is None:
            self.rec.bind(name, ("def", self.function(node, name, method=True, flags=flags, key=name)))

    # TypeScript's types

    def open_type(self, node: Node, name: str, kind: str, bases: tuple[Expr, ...] = ()) -> Frame:
        """Begin an interface, a type or an enum; the frame to go back to with `close_type`."""
        doc, body = self.take_doc(), node.child_by_field_id(self.at.body)
        index = self.rec.open(
            name,
            kind,
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=self.signature(node, body, "") if kind != "type" else "",
            doc=comment_text(doc) if doc else "",
            bases=bases,
            qualname=self.qualname(name),
        )
        saved, self.frame = self.frame, Frame(index, self.frame)
        return saved

    def close_type(self, saved: Frame, name: str) -> None:
        """End what `open_type` began; its name stands for it, and for what had the name before."""
        index = self.frame.scope
        self.frame = saved
        self.rec.close()
        self.merge_name(name, ("def", index))

    def merge_name(self, name: str, value: Expr) -> None:
        """Gives ``name`` one more meaning: declarations of one name merge (interface and class, namespace
        and function)."""
        before = self.rec.reaching(self.renames.get(name, name))
        if before is not None:
            value = ("any", (("var", before), value))
        self.assign_name(name, value)

    def on_interface_declaration(self, node: Node) -> Expr:
        name_node = node.child_by_field_id(self.at.name)
        if name_node is None:
            return None
        bases: list[Expr] = []
        for child in node.named_children:
            if child.type == "extends_type_clause":
                bases += [self.type_expr(part) for part in child.children_by_field_id(self.at.type)]
        known = tuple(base for base in bases if base is not None)
        saved = self.open_type(node, self.text(name_node), "interface", known)
        self.typed_members(node, node.child_by_field_id(self.at.body))
        self.close_type(saved, self.text(name_node))
        return None

    def typed_members(self, node: Node, body: Node | None) -> None:
        """The members of a type with type parameters."""
        outer_types = self.type_parameter
        self.type_parameter = {**outer_types, **self.type_parameters(node)}
        self.type_members(body)
        self.type_parameter = outer_types

    def type_members(self, body: Node | None) -> None:
        """The members of an interface or object type."""
        index = self.rec.scope
        for child in body.named_children if body is not None else ():
            name_node = child.child_by_field_id(self.at.name)
            if child.type == "comment":
                self.note_comment(child)
                continue
            if child.type == "method_signature" and name_node is not None:
                self.method_signature(child, name_node, static=False)
            elif child.type == "property_signature" and name_node is not None:
                value = self.declared(child.child_by_field_id(self.at.type))
                if value is not None:
                    self.rec.store(("attr", ("inst", ("def", index)), self.text(name_node)), value)
            self.doc = ""

    def on_type_alias_declaration(self, node: Node) -> Expr:
        name_node, value = node.child_by_field_id(self.at.name), node.child_by_field_id(self.at.value)
        if name_node is None or value is None:
            return None
        name = self.text(name_node)
        if value.type == "object_type":
            saved = self.open_type(node, name, "interface")
            self.typed_members(node, value)
            self.close_type(saved, name)
        else:
            self.doc = ""
            self.merge_name(name, self.type_expr(value))
        return None

    def on_enum_declaration(self, node: Node) -> Expr:
        name_node, body = node.child_by_field_id(self.at.name), node.child_by_field_id(self.at.body)
        if name_node is None:
            return None
        saved = self.open_type(node, self.text(name_node), "class")
        for child in body.named_children if body is not None else ():
            value = child.child_by_field_id(self.at.value)
            if value is not None:
                self.expr(value)
        self.close_type(saved, self.text(name_node))
        return None

    def open_namespace(self, node: Node, name: str) -> Frame:
        """A namespace; it sees what earlier ones of its name have."""
        place = (self.rec.scope, self.renames.get(name, name))
        saved = self.open_type(node, name, "namespace")
        exits = self.rec.facts["exits"]
        for before in self.namespaces.setdefault(place, []):
            for inner, index in exits.get(before, {}).items():
                self.frame.names.add(inner)
                self.rec.bind(inner, ("var", index))
        self.namespaces[place].append(self.rec.scope)
        return saved

    def on_internal_module(self, node: Node) -> Expr:
        """``namespace A.B {}``; ``declare module "x" {}`` and ``declare global {}`` only declare."""
        name_node, body = node.child_by_field_id(self.at.name), node.child_by_field_id(self.at.body)
        if name_node is None or name_node.type == "string":
            return None
        first, _, rest = self.text(name_node).partition(".")
        saved = self.open_namespace(node, first)
        if rest:
            self.frame.names.add(rest)
            inner = self.open_namespace(node, rest)
            self.statements(body)
            self.close_type(inner, rest)
        else:
            self.statements(body)
        self.close_type(saved, first)
        return None

    on_module = on_internal_module

    def on_ambient_declaration(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type != "statement_block":
                self.expr(child)
        return None
