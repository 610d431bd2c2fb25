"""Python's containers, parts of them, iteration, ``await`` and ``yield``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.python_expressions import Expressions

if TYPE_CHECKING:
    from tree_sitter import Node

_BOUNDS = re.compile(rb"\s*(-?\d{1,4})?\s*:\s*(-?\d{1,4})?\s*")


class Containers(Expressions):
    """Literals of containers, and what is taken out of them."""

    def on_list(self, node: Node) -> Expr:
        return ("list", tuple([self.expr(child) for child in self.parts(node)]))

    on_tuple = on_expression_list = on_list

    def on_set(self, node: Node) -> Expr:
        values = tuple([self.expr(child) for child in self.parts(node)])
        for value in values:
            self.shown(node, value, "__hash__")
        return ("list", values)

    def on_list_splat(self, node: Node) -> Expr:
        value = self.expr(node.named_children[-1] if node.named_children else None)
        if self.is_made(value):
            self.iterate(node, value)
        return ("star", value)

    on_parenthesized_list_splat = on_list_splat

    def on_dictionary(self, node: Node) -> Expr:
        pairs: list[tuple[Expr, Expr]] = []
        for child in self.parts(node):
            if child.type == "pair":
                key = self.expr(child.child_by_field_id(self.at.key))
                self.shown(child, key, "__hash__")
                pairs.append((key, self.expr(child.child_by_field_id(self.at.value))))
            elif child.type == "dictionary_splat":
                pairs.append((("**",), self.expr(child.named_children[-1] if child.named_children else None)))
        return ("dict", tuple(pairs))

    def on_subscript(self, node: Node) -> Expr:
        base = self.expr(node.child_by_field_id(self.at.value))
        keys = node.children_by_field_id(self.at.subscript)
        values = [self.expr(key) for key in keys]
        if len(keys) == 1 and keys[0].type == "slice":
            self.implicit(node, base, "__getitem__", (None,))
            return self.part(base, keys[0])
        key = values[0] if len(values) == 1 else ("list", tuple(values))
        found = self.rec.item(base, key)
        self.implicit(node, base, "__getitem__", (key,))
        return found

    def part(self, base: Expr, bounds: Node) -> Expr:
        """``base[start:stop]``."""
        plain = _BOUNDS.fullmatch(self.source, bounds.start_byte, bounds.end_byte)
        if base is None or plain is None:
            return base
        return self.between(base, *(int(found) if found else None for found in plain.groups()))

    def between(self, base: Expr, start: int | None, stop: int | None) -> Expr:
        """The items of ``base`` in that range."""
        if base is None or base[0] in ("const", "inst") or (start is None and stop is None):
            return base
        if base[0] == "list" and not any(item is not None and item[0] == "star" for item in base[1]):
            return ("list", base[1][start:stop])
        return ("slice", base, start, stop)

    def on_named_expression(self, node: Node) -> Expr:
        name, value = node.child_by_field_id(self.at.name), self.expr(node.child_by_field_id(self.at.value))
        if name is None:
            return value
        self.rec.bind(self.text(name), value)
        return self.rec.use(self.text(name))

    def on_await(self, node: Node) -> Expr:
        parts = self.parts(node)
        return ("await", self.expr(parts[0])) if parts else None

    def on_yield(self, node: Node) -> Expr:
        parts = self.parts(node)
        value = self.expr(parts[0]) if parts else None
        if any(child.type == "from" for child in node.children):
            self.rec.yielded(("elem", value))
            return ("await", value) if value is not None else None
        self.rec.yielded(value)
        return None

    def iterate(self, node: Node, value: Expr, *, asynchronous: bool = False) -> Expr:
        """Iteration of ``value`` runs its ``__iter__`` and ``__next__``; gives an element."""
        first, then = ("__aiter__", "__anext__") if asynchronous else ("__iter__", "__next__")
        if value is not None and value[0] not in ("inst", "const", "list", "dict", "iter"):
            iterator = self.implicit(node, value, first)
            self.implicit(node, iterator, then)
        return ("elem", value) if value is not None else None
