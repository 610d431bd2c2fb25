"""Rust: modules and imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.lexical import MAX_DOC
from sctx_tui.graph.languages.rust_macros import Macros

if TYPE_CHECKING:
    from tree_sitter import Node


class Modules(Macros):
    """Walks the items of modules, and binds what is imported."""

    def block_value(self, node: Node | None) -> Expr:
        """What a block gives."""
        raise NotImplementedError

    def statements(self, node: Node) -> Expr:
        """The statements of a block that has been begun; the value of the last."""
        raise NotImplementedError

    def items(self, node: Node | None) -> None:
        """The items of a module: names first, since any may stand before what it uses."""
        children = node.named_children if node is not None else []
        early = ("mod_item", "use_declaration", "extern_crate_declaration")
        for child in children:
            if child.type == "mod_item" and child.child_by_field_id(self.at.body) is None:
                self.expr(child)
        for child in children:
            if child.type in early[1:]:
                self.expr(child)
        for child in children:
            if child.type not in early or (
                child.type == "mod_item" and child.child_by_field_id(self.at.body) is not None
            ):
                self.expr(child)

    def inner_doc(self, root: Node) -> str:
        """The `//!` comment at the top."""
        lines = []
        for child in root.named_children:
            if "comment" not in child.type:
                break
            text = self.text(child)
            if text.startswith(("//!", "/*!")):
                lines.append(text.strip("/*! \t\n"))
        return " ".join(" ".join(lines).split())[:MAX_DOC]

    # modules and imports

    def on_mod_item(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        body = node.child_by_field_id(self.at.body)
        rec = self.rec
        if body is None:
            rec.bind(name, ("import", f"self::{name}"))
            rec.facts["imports"].append((f"self::{name}", self.line(node), ()))
            return None
        # Ids leave inline modules out, as readers of `tests::` and the like do.
        index = rec.open(
            name,
            "namespace",
            self.line(node),
            self.end_line(node),
            doc=self.doc(node),
            qualname=f"{name}.<module>",
        )
        saved = self.module, self.around
        self.module, self.around = ("def", index), (self.module, *self.around)
        self.items(body)
        self.module, self.around = saved
        rec.close()
        rec.bind(name, ("def", index))
        return None

    def on_extern_crate_declaration(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_id(self.at.name))
        alias = node.child_by_field_id(self.at.alias)
        self.rec.bind(self.text(alias) if alias is not None else name, ("import", name))
        return None

    def on_use_declaration(self, node: Node) -> Expr:
        self.use_tree(node.child_by_field_id(self.at.argument), None, "", self.line(node))
        return None

    def use_tree(self, node: Node | None, base: Expr, spec: str, line: int) -> None:
        """Binds what a `use` tree names below ``base`` (None: at its beginning)."""
        if node is None:
            return
        kind = node.type
        if kind == "use_list":
            for child in node.named_children:
                self.use_tree(child, base, spec, line)
        elif kind == "scoped_use_list":
            path = node.child_by_field_id(self.at.path)
            inner = self.use_path(path, base) if path is not None else base
            self.use_tree(node.child_by_field_id(self.at.list), inner, joined(spec, self.text(path)), line)
        elif kind == "use_wildcard":
            path = node.named_children[0] if node.named_children else None
            whole = joined(spec, self.text(path))
            if whole:
                self.rec.facts["stars"].append((self.rec.scope, whole))
                self.rec.facts["imports"].append((whole, line, ()))
        elif kind == "use_as_clause":
            path = node.child_by_field_id(self.at.path)
            self.bind_use(self.text(node.child_by_field_id(self.at.alias)), path, base, spec, line)
        else:
            self.bind_use("", node, base, spec, line)

    def bind_use(self, alias: str, path: Node | None, base: Expr, spec: str, line: int) -> None:
        """Bind one name of a `use`, and record the import."""
        text = self.text(path)
        if text == "self" and spec:  # `use a::b::{self}`
            value, name = base, spec.rpartition("::")[2]
        else:
            value, name = self.use_path(path, base), text.rpartition("::")[2]
        whole = joined(spec, "" if text == "self" and spec else text)
        self.rec.facts["imports"].append((whole.rpartition("::")[0] or whole, line, (name,)))
        if whole.partition("::")[0] in ("std", "core", "alloc"):
            self.standard.add(alias or name)
        if (alias or name) != "_":
            self.declare(alias or name, value)

    def use_path(self, node: Node | None, base: Expr) -> Expr:
        """A path of a `use`: its first part is a crate, unless this file declares a module of that name."""
        if node is None:
            return base
        if node.type in ("scoped_identifier", "scoped_type_identifier"):
            inner = self.use_path(node.child_by_field_id(self.at.path), base)
            name = self.text(node.child_by_field_id(self.at.name))
            return ("attr", inner, name) if inner is not None else ("import", name)
        name = self.text(node)
        if base is not None:
            return ("attr", base, name)
        if node.type in ("crate", "super", "self"):
            return self.path(node)
        known = self.rec.reaching(name)
        return self.use(name) if known is not None else ("import", name)


def joined(spec: str, part: str) -> str:
    """Two parts of a path."""
    return f"{spec}::{part}" if spec and part else spec or part
