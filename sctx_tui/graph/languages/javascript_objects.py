"""JavaScript and TypeScript object literals, and the names of properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import FLAGS, SETTER, Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.javascript_definitions import Definitions
from sctx_tui.graph.languages.javascript_expressions import MADE
from sctx_tui.graph.literals import elide

if TYPE_CHECKING:
    from tree_sitter import Node


class Objects(Definitions):
    """The part of the walker that reads object literals."""

    def __init__(self, rec: Recorder, grammar: str, root: Node, source: bytes) -> None:
        super().__init__(rec, grammar, root, source)
        self.inherited: list[Expr] = []  # what literals around this point name as their ``__proto__``

    def object_literal(self, node: Node, path: str) -> Expr:
        """``{...}``; its functions are called ``path.key`` and may have it as their ``this``."""
        slot: Expr = None
        pairs: list[Any] = []
        known = len(self.inherited)
        outer_doc = self.take_doc()
        saved_super = self.super_
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.note_comment(child)
                continue
            if kind == "shorthand_property_identifier":
                self.keys.add(self.text(child))
                pairs.append((("const", self.text(child)), self.on_identifier(child)))
            elif kind == "pair":
                key_node, value_node = (
                    child.child_by_field_id(self.at.key),
                    child.child_by_field_id(self.at.value),
                )
                if key_node is not None and value_node is not None:
                    if value_node.kind_id in self.functions:
                        slot = slot or self.slot()
                    pairs.append(self.pair(key_node, value_node, path, slot))
            elif kind == "method_definition":
                slot = slot or self.slot()
                self.super_ = ("attr", slot, "__proto__")
                name_node = child.child_by_field_id(self.at.name)
                if name_node is not None:
                    key, name = self.property_name(name_node)
                    where = f"{path}.{name}" if path else name
                    symbol = self.function(child, where, method=True, this=slot, key=name, member=True)
                    if self.rec.facts["symbols"][symbol][FLAGS] & SETTER and key is not None:
                        key = ("const", f"set {key[1]}") if key[0] == "const" else key
                    pairs.append((key, ("def", symbol)))
                self.super_ = saved_super
            elif kind == "spread_element":
                pairs.append((("**",), self.brief(self.expr(self.first(child)))))
            self.doc = ""
        self.doc = outer_doc
        parents, self.inherited = self.inherited[known:], self.inherited[:known]
        made: Expr = ("dict", (*((("**",), parent) for parent in parents), *pairs))
        if slot is None:
            return made
        binds = self.rec.facts["binds"]
        binds[slot[1]] = (*binds[slot[1]][:2], made)
        return slot

    def pair(self, key_node: Node, value_node: Node, path: str, slot: Expr) -> Any:
        """A key of an object literal and its value, whose functions are called after both."""
        key, name = self.property_name(key_node)
        if name == "__proto__":
            parent = self.brief(self.named(value_node, f"{path}.{name}" if path else name))
            self.inherited.append(parent)
            return key, parent
        where = f"{path}.{name}" if path else name
        method = value_node.kind_id in self.functions
        value = self.named(value_node, where, method=method, this=slot if method else None)
        if value is not None and value[0] in MADE:
            value = self.slot(value)
        if not method and value is not None and value[0] not in ("const", "inst"):
            self.keys.add(str(key[1]) if key is not None and key[0] == "const" else name)
        return key, value

    def property_name(self, node: Node) -> tuple[Expr, str]:
        """The key of a property, and what it is called in a qualname."""
        kind = node.type
        if kind in ("property_identifier", "private_property_identifier"):
            return ("const", self.text(node)), self.text(node)
        if kind == "computed_property_name":
            inner = self.first(node)
            key = self.expr(inner)
            text = self.spelling(node)
            if inner is not None and inner.type == "member_expression":
                key = ("const", text)  # [Symbol.iterator] and the like
            return self.brief(self.settled(key)), text
        key = self.expr(node)
        if key is not None and key[0] == "const":
            if type(key[1]) is str and key[1].isdigit() and len(key[1]) < 6:
                return self.constant(int(key[1])), key[1]
            return key, str(key[1])
        return key, self.spelling(node)

    def settled(self, key: Expr) -> Expr:
        """A key by the only definition that its name has in the file, where that is a constant."""
        if key is None or key[0] not in ("name", "var"):
            return key
        binds = self.rec.facts["binds"]
        found = [bind[2] for bind in binds if bind[1] == key[1]] if key[0] == "name" else [binds[key[1]][2]]
        constant = found[0] if len(found) == 1 else None
        return constant if constant is not None and constant[0] == "const" else key

    def spelling(self, node: Node) -> str:
        """How the source writes a key, in one line."""
        return " ".join(elide((node.text or b"").decode("utf-8", "replace")).split())[:80]
