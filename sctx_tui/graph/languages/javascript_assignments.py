"""JavaScript and TypeScript assignments: variables, destructuring, properties, prototypes and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import OWNER, Expr
from sctx_tui.graph.languages.javascript_expressions import DEEP, NUMBER, STR
from sctx_tui.graph.languages.javascript_operators import Operators
from sctx_tui.graph.literals import kept

if TYPE_CHECKING:
    from tree_sitter import Node

WRAPPERS = frozenset(
    {"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"}
)


class Assignments(Operators):
    """The part of the walker that gives names and properties their values."""

    expected: Expr = None  # the declared type of the function that is walked next

    # targets

    def assign(self, target: Node, value: Expr) -> None:
        """Binds or stores ``value`` to a target; patterns are taken apart."""
        if target.kind_id == self.identifier:
            self.assign_name(self.text(target), value)
            return
        handler = TARGETS.get(target.type)
        if handler is not None and self.depth < DEEP:
            self.depth += 1
            handler(self, target, value)
            self.depth -= 1

    def to_name(self, target: Node, value: Expr) -> None:
        """`name = value`."""
        self.assign_name(self.text(target), value)

    def to_wrapped(self, target: Node, value: Expr) -> None:
        """A target in parentheses, or behind `...`."""
        inner = self.first(target)
        if inner is not None:
            self.assign(inner, value)

    def to_member(self, target: Node, value: Expr) -> None:
        """`object.name = value`; `module.exports = value` too."""
        base_node, name_node = (
            target.child_by_field_id(self.at.object),
            target.child_by_field_id(self.at.property),
        )
        if base_node is None or name_node is None:
            return
        name = self.text(name_node)
        if name == "exports" and self.text(base_node) == "module" and self.owner_of("module") is None:
            self.uses_exports = True
            self.assign_name("exports", value)
            return
        base = self.expr(base_node)
        base = base if base is not None and base[0] == "inst" else self.brief(base)
        self.note_mutation(base_node, name)
        if self.is_prototype_method(value):
            return
        if name == "prototype":
            self.set_prototype(("inst", base), value)
        elif base is not None:
            self.rec.store(("attr", base, name), value, self.line(target))
            if name == "__proto__":
                self.inherit(base, value)

    def is_prototype_method(self, value: Expr) -> bool:
        """Whether the function that is assigned says itself whose method it is."""
        while value is not None and value[0] == "var":
            value = self.rec.facts["binds"][value[1]][2]
        return (
            value is not None and value[0] == "def" and self.rec.facts["symbols"][value[1]][OWNER] is not None
        )

    def to_subscript(self, target: Node, value: Expr) -> None:
        """`object[key] = value`."""
        base_node = target.child_by_field_id(self.at.object)
        base = self.brief(self.expr(base_node))
        if base_node is not None:
            self.note_mutation(base_node, "")
        place = self.place(base, self.expr(target.child_by_field_id(self.at.index)))
        self.rec.store(place, value, self.line(target))

    def to_array(self, target: Node, value: Expr) -> None:
        """`[a, , b, ...rest] = value`."""
        value = self.brief(value)
        index = 0
        for child in target.children:
            if child.type == ",":
                index += 1
            elif child.is_named and child.kind_id != self.comment:
                if child.type in ("rest_pattern", "spread_element"):
                    self.to_wrapped(child, self.rest_of(value, index))
                else:
                    self.assign(child, self.rec.item(value, self.constant(index)))

    def rest_of(self, value: Expr, index: int) -> Expr:
        """The items of ``value`` from ``index`` on."""
        if value is None:
            return None
        return self.slot(("call", ("attr", value, "slice"), (self.constant(index),), ()))

    def to_object(self, target: Node, value: Expr) -> None:
        """`{a, b: c, d = e, ...rest} = value`."""
        value = self.brief(value)
        for child in target.named_children:
            kind = child.type
            if kind in ("shorthand_property_identifier_pattern", "shorthand_property_identifier"):
                name = self.text(child)
                self.assign_name(name, self.part(child, value, name))
            elif kind in ("pair_pattern", "pair"):
                key, inner = child.child_by_field_id(self.at.key), child.child_by_field_id(self.at.value)
                if key is not None and inner is not None:
                    self.assign(inner, self.keyed(child, value, key))
            elif kind in ("object_assignment_pattern", "assignment_pattern"):
                left, right = child.child_by_field_id(self.at.left), child.child_by_field_id(self.at.right)
                if left is not None:
                    name = self.text(left)
                    self.assign_name(name, self.or_default(self.part(child, value, name), right, name))
            elif kind in ("rest_pattern", "spread_element"):
                self.to_wrapped(child, value)

    def part(self, node: Node, value: Expr, name: str) -> Expr:
        """A property that a pattern takes out of a value; a getter may run."""
        made = self.rec.attr(value, name)
        self.rec.read(self.line(node), made)
        return made

    def keyed(self, node: Node, value: Expr, key: Node) -> Expr:
        """What a pattern takes of ``value`` by ``key``."""
        if key.type == "property_identifier":
            return self.part(node, value, self.text(key))
        constant = self.expr(self.first(key) if key.type == "computed_property_name" else key)
        return self.read_place(self.place(value, constant))

    def to_default(self, target: Node, value: Expr) -> None:
        """`target = default` within a pattern."""
        left, right = target.child_by_field_id(self.at.left), target.child_by_field_id(self.at.right)
        if left is not None:
            self.assign(left, self.or_default(value, right, ""))

    def or_default(self, value: Expr, default: Node | None, name: str) -> Expr:
        """``value``, or the default's where there is none."""
        fallback = self.brief(self.named(default, name)) if default is not None else None
        if value is None or fallback is None:
            return value if fallback is None else fallback
        return ("any", (value, fallback))

    # prototypes

    def set_prototype(self, instance: Expr, value: Expr) -> None:
        """``C.prototype = value``: what an instance of C has; another instance there is C's superclass."""
        if value is None:
            return
        shown = value
        while shown is not None and shown[0] == "var":
            shown = self.rec.facts["binds"][shown[1]][2]
        if shown is not None and shown[0] == "dict":
            for key, item in shown[1]:
                if key is not None and key[0] == "const":
                    self.rec.store(("attr", instance, str(key[1])), item)
                elif key is not None and key[0] == "**":
                    self.inherit(instance, item)
            return
        self.inherit(instance, value)

    def inherit(self, instance: Expr, parent: Expr) -> None:
        """``instance`` (``C.prototype``, or any object) has what ``parent`` has."""
        if instance is None or parent is None:
            return
        if instance[0] == "inst":
            kind = parent[1] if parent[0] == "inst" else parent
            self.rec.facts["impls"].append((self.rec.scope, instance[1], self.brief(self.class_of(kind))))
        else:
            self.rec.store(("item", self.brief(instance), ("**",)), parent)

    def class_of(self, value: Expr) -> Expr:
        """The class in ``new C()``; other values stand for themselves."""
        while value is not None and value[0] == "var":
            shown = self.rec.facts["binds"][value[1]][2]
            if shown is None or shown[0] not in ("new", "inst", "var"):
                break
            value = shown
        return value[1] if value is not None and value[0] in ("new", "inst") else value

    # mutation

    def note_mutation(self, base: Node, name: str) -> None:
        """Remembers that something of ``this`` or of a parameter is written."""
        while base.type in ("member_expression", "subscript_expression", "non_null_expression"):
            inner = base.child_by_field_id(self.at.object) or self.first(base)
            if inner is None:
                return
            property_ = base.child_by_field_id(self.at.property)
            name = self.text(property_) if property_ is not None else ""
            base = inner
        if base.type == "this" and name:
            self.frame.mutated.add(f"this.{name}")
        elif base.kind_id == self.identifier and self.text(base) in self.frame.parameters:
            self.frame.mutated.add(self.text(base))

    # statements and expressions that assign

    def target_path(self, target: Node) -> tuple[str, Node | None]:
        """What a function assigned to ``target`` is called, and the object that it becomes a member of."""
        if target.kind_id == self.identifier:
            return self.text(target), None
        if target.type not in ("member_expression", "subscript_expression"):
            return "", None
        names: list[str] = []
        here: Node | None = target
        while here is not None and here.type in ("member_expression", "subscript_expression"):
            part = here.child_by_field_id(self.at.property) or here.child_by_field_id(self.at.index)
            if part is None or part.type not in (
                "property_identifier",
                "private_property_identifier",
                "string",
            ):
                return "", None
            names.append(kept(self.text(part)[1:-1]) if part.type == "string" else self.text(part))
            here = here.child_by_field_id(self.at.object)
        if here is None:
            return "", None
        root = here.type if here.type in ("this", "super") else self.text(here)
        if here.type not in ("this", "super", "identifier"):
            return "", None
        names = [root, *reversed(names)]
        if names[:2] == ["module", "exports"]:
            names = names[1:]
        if names[0] in ("exports", "this") and len(names) > 1:
            names = names[1:]
        if len(names) > 2 and names[-2] == "prototype":
            names = [*names[:-2], names[-1]]
        return ".".join(names), target.child_by_field_id(self.at.object)

    def on_assignment_expression(self, node: Node) -> Expr:
        left, right = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        if left is None or right is None:
            return None
        value = self.brief(self.assigned(left, right))
        self.assign(left, value)
        return value

    def assigned(self, left: Node, right: Node) -> Expr:
        """The value of the right side; a function there is called what it is assigned to."""
        path, holder = self.target_path(left)
        if path == "exports":
            return self.nameless(right, path)
        if holder is None:
            return self.named(right, path)
        inner = right
        while inner.type in WRAPPERS and self.first(inner) is not None:
            inner = self.first(inner) or inner
        if inner.kind_id not in self.functions:
            return self.named(right, path)
        owner: Expr = None
        this: Expr = None
        if holder.type == "member_expression" and self.text(holder).endswith(".prototype"):
            owner = self.brief(self.silent_object(holder))
        elif holder.type == "this":
            this = self.keep(self.this)
        elif holder.kind_id == self.identifier:
            this = self.brief(self.use(self.text(holder)))
        return self.named(right, path, method=True, owner=owner, this=this)

    def nameless(self, node: Node, path: str) -> Expr:
        """A whole export: it keeps its own name, and ``path`` is for an anonymous function alone."""
        own = node.child_by_field_id(self.at.name) if node.kind_id in self.functions else None
        if own is not None:
            path = self.text(own)
        return self.named(node, path if node.kind_id in self.functions else "")

    def silent_object(self, node: Node) -> Expr:
        """The object of a member expression, if it is a plain name."""
        inner = node.child_by_field_id(self.at.object)
        if inner is None or inner.type not in ("identifier", "member_expression"):
            return None
        return self.silent(inner)

    def on_augmented_assignment_expression(self, node: Node) -> Expr:
        left, right = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        operator = node.child_by_field_id(self.at.operator)
        if left is None or right is None or operator is None:
            return None
        old = self.brief(self.expr(left))
        logical = operator.type in ("||=", "&&=", "??=")
        new = self.assigned(left, right) if logical else self.expr(right)
        if logical:
            value: Expr = ("any", (old, self.brief(new)))
        elif operator.type == "+=":
            value = self.added([old, new])
        else:
            value = NUMBER
        self.assign(left, value)
        return value if value in (STR, NUMBER) else self.brief(value)

    def on_lexical_declaration(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type == "variable_declarator":
                self.declarator(child, var=node.type == "variable_declaration")
        return None

    on_variable_declaration = on_using_declaration = on_lexical_declaration

    def declarator(self, node: Node, *, var: bool) -> None:
        """One variable of a declaration, with its value or else what its type says."""
        target, right = node.child_by_field_id(self.at.name), node.child_by_field_id(self.at.value)
        if target is None:
            return
        type_ = node.child_by_field_id(self.at.type)
        declared = self.declared(type_) if type_ is not None else self.jsdoc_declared()
        if right is None:
            if not var or declared is not None:
                self.assign(target, declared)
            return
        if target.kind_id == self.identifier:
            value = self.typed(right, type_, self.text(target))
        else:
            value = self.expr(right)
        self.assign(target, self.with_type(value, declared))

    def typed(self, node: Node, type_: Node | None, path: str) -> Expr:
        """The value of ``node``; a function there has its parameters' types from the declared type."""
        if type_ is not None and node.kind_id in self.functions:
            self.expected = self.type_expr(type_)
        return self.named(node, path)

    def jsdoc_declared(self) -> Expr:
        """What the JSDoc comment before a declaration says of its type."""
        raise NotImplementedError


TARGETS: dict[str, Any] = {
    "shorthand_property_identifier_pattern": Assignments.to_name,
    "undefined": Assignments.to_name,
    "parenthesized_expression": Assignments.to_wrapped,
    "non_null_expression": Assignments.to_wrapped,
    "as_expression": Assignments.to_wrapped,
    "satisfies_expression": Assignments.to_wrapped,
    "rest_pattern": Assignments.to_wrapped,
    "member_expression": Assignments.to_member,
    "subscript_expression": Assignments.to_subscript,
    "array_pattern": Assignments.to_array,
    "array": Assignments.to_array,
    "object_pattern": Assignments.to_object,
    "object": Assignments.to_object,
    "assignment_pattern": Assignments.to_default,
}
