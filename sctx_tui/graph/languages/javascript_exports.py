"""JavaScript and TypeScript modules: what a file imports and exports, in every form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import EXPORTED, FLAGS, KIND, NAME, PARENT, SIGNATURE, Expr
from sctx_tui.graph.languages.javascript_calls import Calls
from sctx_tui.graph.literals import kept, specifier

if TYPE_CHECKING:
    from tree_sitter import Node

DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})


class Exports(Calls):
    """The part of the walker that reads imports and exports."""

    def spec(self, node: Node | None) -> str:
        """The text of a module specifier."""
        return specifier((node.text or b"")[1:-1].decode("utf-8", "replace")) if node is not None else ""

    # imports

    def on_import_statement(self, node: Node) -> Expr:
        source = node.child_by_field_id(self.at.source)
        clause = next((child for child in node.named_children if child.type.startswith("import_")), None)
        if clause is not None and clause.type == "import_require_clause":
            source = clause.child_by_field_id(self.at.source)
        spec = self.spec(source)
        module: Expr = ("import", spec)
        taken: list[str] = []
        for child in clause.named_children if clause is not None else ():
            if child.type == "identifier":
                whole = clause is not None and clause.type == "import_require_clause"
                self.assign_name(self.text(child), module if whole else ("attr", module, "default"))
                taken += [] if whole else ["default"]
            elif child.type == "namespace_import":
                name = self.first(child)
                if name is not None:
                    self.assign_name(self.text(name), module)
            elif child.type == "named_imports":
                taken += self.named_imports(child, module)
        self.rec.facts["imports"].append((spec, self.line(node), tuple(taken)))
        return None

    def named_imports(self, node: Node, module: Expr) -> list[str]:
        """Bind what `import {a, b as c}` takes from a module; the names there."""
        taken: list[str] = []
        for child in node.named_children:
            name = child.child_by_field_id(self.at.name)
            if child.type != "import_specifier" or name is None:
                continue
            alias = child.child_by_field_id(self.at.alias)
            imported = self.export_name(name)
            taken.append(imported)
            self.assign_name(self.text(alias if alias is not None else name), ("attr", module, imported))
        return taken

    def on_import_alias(self, node: Node) -> Expr:
        """``import A = B.C``."""
        parts = self.parts(node)
        if len(parts) == 2:
            self.assign_name(self.text(parts[0]), self.nested_type(parts[1]))
        return None

    # exports

    def export_name(self, node: Node) -> str:
        """The name of an export, which may be a string."""
        return kept(self.text(node)[1:-1]) if node.type == "string" else self.text(node)

    def export(self, name: str, value: Expr) -> None:
        """Record what the file offers under a name; within a namespace, nothing."""
        if self.frame.parent is None:
            self.rec.facts["exports"].append((name, value))

    def on_export_statement(self, node: Node) -> Expr:
        source = node.child_by_field_id(self.at.source)
        if source is not None:
            self.re_export(node, self.spec(source))
            return None
        declaration = node.child_by_field_id(self.at.declaration)
        tokens = {child.type for child in node.children if not child.is_named}
        if "default" in tokens:
            self.export_default(node, declaration or node.child_by_field_id(self.at.value))
        elif declaration is not None:
            self.expr(declaration)
            for name in self.declared_names(declaration):
                self.export(name, ("name", name))
        elif "=" in tokens:
            value = self.first(node)
            if value is not None:
                self.export("=", self.brief(self.nameless(value, "exports")))
        else:
            for child in node.named_children:
                if child.type == "export_clause":
                    self.export_local(child)
        return None

    def export_default(self, node: Node, value_node: Node | None) -> None:
        """`export default`: an expression, a function, a class or a name."""
        if value_node is None:
            return
        if value_node.type in ("class", "class_declaration", "abstract_class_declaration"):
            value = self.expr(value_node)
        elif value_node.kind_id == self.identifier:
            value = ("name", self.text(value_node))
        elif value_node.type == "interface_declaration":
            self.expr(value_node)
            value = ("name", next(iter(self.declared_names(value_node)), ""))
        elif value_node.type in ("function_declaration", "generator_function_declaration"):
            value = self.expr(value_node)
        else:
            value = self.nameless(value_node, "default")
        self.export("default", self.brief(value))

    def declared_names(self, declaration: Node) -> list[str]:
        """The names that a declaration declares."""
        if declaration.type == "ambient_declaration":
            inner = self.first(declaration)
            return self.declared_names(inner) if inner is not None else []
        if declaration.type in DECLARATIONS:
            patterns = [child.child_by_field_id(self.at.name) for child in declaration.named_children]
            return [name for one in patterns if one is not None for name in self.pattern_names(one)]
        name = declaration.child_by_field_id(self.at.name)
        return [self.text(name).partition(".")[0]] if name is not None and name.type != "string" else []

    def export_local(self, clause: Node) -> None:
        """`export {a, b as c}` of names in this file."""
        for child in clause.named_children:
            name, alias = child.child_by_field_id(self.at.name), child.child_by_field_id(self.at.alias)
            if name is not None:
                self.export(self.export_name(alias if alias is not None else name), ("name", self.text(name)))

    def re_export(self, node: Node, spec: str) -> None:
        """``export ... from "spec"``."""
        module: Expr = ("import", spec)
        taken: list[str] = []
        clauses = [
            child for child in node.named_children if child.type in ("export_clause", "namespace_export")
        ]
        for clause in clauses:
            if clause.type == "namespace_export":
                name = self.first(clause)
                if name is not None:
                    self.export(self.export_name(name), module)
                continue
            for child in clause.named_children:
                name, alias = child.child_by_field_id(self.at.name), child.child_by_field_id(self.at.alias)
                if name is None:
                    continue
                imported = self.export_name(name)
                taken.append(imported)
                self.export(
                    self.export_name(alias if alias is not None else name), ("attr", module, imported)
                )
        if not clauses and any(child.type == "*" for child in node.children):
            self.rec.facts["stars"].append((0, spec))
        self.rec.facts["imports"].append((spec, self.line(node), tuple(taken)))

    # the end of the file

    def finish_exports(self) -> None:
        """CommonJS: what ``module.exports`` is when the module's code has run; and who is visible outside."""
        binds = enumerate(self.rec.facts["binds"])
        own = {index for index, bind in binds if bind[1] == "exports" and bind[0] == 0}
        stored = [
            value
            for _, target, value in self.rec.facts["stores"]
            if target[0] == "attr" and target[1] is not None and target[1][0] == "var" and target[1][1] in own
        ]
        reached = self.rec.reaching("exports")
        if reached is not None and (self.uses_exports or stored):
            self.rec.facts["exports"].append(("=", ("var", reached)))
        for _, value in self.rec.facts["exports"]:
            self.mark(value)
        for value in stored:
            self.mark(value)
        self.mark_members()

    def mark(self, value: Expr) -> None:
        """Marks the definitions that an exported value stands for."""
        binds = self.rec.facts["binds"]
        stack: list[Any] = [value]
        seen: set[int] = set()
        while stack:
            here = stack.pop()
            if here is None:
                continue
            tag = here[0]
            if tag == "name":
                reached = self.rec.reaching(here[1])
                here, tag = (("var", reached), "var") if reached is not None else (here, tag)
            if tag == "var" and here[1] not in seen:
                seen.add(here[1])
                stack.append(binds[here[1]][2])
            elif tag == "phi":
                stack += [("var", index) for index in here[1]]
            elif tag == "any":
                stack += here[1]
            elif tag == "dict":
                stack += [item for _, item in here[1]]
            elif tag == "def":
                self.set_flags(here[1], EXPORTED)

    def mark_members(self) -> None:
        """Members of what is exported are, but for private ones."""
        symbols = self.rec.facts["symbols"]
        for index, row in enumerate(symbols):
            parent = row[PARENT]
            if parent <= 0 or symbols[parent][KIND] not in ("class", "interface"):
                continue
            private = row[NAME].startswith("#") or row[SIGNATURE].startswith("private ")
            if symbols[parent][FLAGS] & EXPORTED and not private:
                self.set_flags(index, EXPORTED)
