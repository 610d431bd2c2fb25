"""Python: the extractor. statements and control flow (definitions: ``python_definitions``)."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from sctx_tui.graph.extract import parse
from sctx_tui.graph.facts import IMPLICIT, Expr, FileFacts
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.python_definitions import Definitions
from sctx_tui.graph.languages.python_types import type_expr

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one Python file."""
    rec = Recorder(language)
    name = path.rpartition("/")[2].removesuffix(".py")
    rec.open(name, "module", 1, tree.root_node.end_point[0] + 1, qualname="<module>")
    walker = Walker(rec, source)
    rec.set_doc(walker.docstring(tree.root_node))
    walker.block(tree.root_node)
    rec.close()
    return rec.facts


class Walker(Definitions):
    """Walks statements in program order."""

    def block(self, node: Node | None) -> None:
        """All statements of a block or module."""
        if node is None:
            return
        self.nesting += 1
        comment = self.comment
        visit = self.expr if self.nesting <= 60 else self.flat
        for child in node.named_children:
            if child.kind_id != comment:
                visit(child)
        self.nesting -= 1

    on_block = block

    def embedded(self, code: str, node: Node) -> Expr:
        """Walk code that stands in a string; what its last expression gives."""
        if self.fixed_line:
            return None  # code within code
        self.fixed_line = self.line(node)
        outer, self.source = self.source, textwrap.dedent(code).encode("utf-8", "replace")
        root = parse(self.source, "python").root_node
        values = [self.expr(child) for child in root.named_children]
        self.source = outer
        self.fixed_line = 0
        return values[-1] if values else None

    def declare(self, node: Node) -> Expr:
        """`global` and `nonlocal`: assignments to these names go outwards."""
        outer = 0 if node.type == "global_statement" else self.rec.enclosing_function()
        for part in self.parts(node):
            self.outer[self.text(part)] = outer
        return None

    on_global_statement = on_nonlocal_statement = declare

    def raise_class(self, node: Node) -> Expr:
        """`raise`: a class that is raised is called, and nothing behind it is reached."""
        parts = self.parts(node)
        values = [self.expr(part) for part in parts]
        if values and values[0] is not None and parts[0].type in ("identifier", "attribute"):
            self.rec.call(self.line(node), ("call", values[0], (), ()), IMPLICIT)
        self.rec.dead()
        return None

    on_raise_statement = raise_class

    # control flow

    def on_return_statement(self, node: Node) -> Expr:
        self.rec.returned(self.expr(self.first(node)))
        self.rec.dead()
        return None

    def jump(self, node: Node) -> Expr:
        """`break` and `continue`: what follows isn't reached from here."""
        self.rec.jump()
        return None

    on_break_statement = on_continue_statement = jump

    def on_if_statement(self, node: Node) -> Expr:
        rec, forks = self.rec, []
        for clause in [node, *node.children_by_field_id(self.at.alternative)]:
            if clause.type == "else_clause":
                self.block(clause.child_by_field_id(self.at.body))
                break
            condition = clause.child_by_field_id(self.at.condition)
            self.condition(condition)
            forks.append(rec.fork())
            self.assume(self.narrowed(condition, True))
            self.block(clause.child_by_field_id(self.at.consequence))
            rec.arm(forks[-1])
            self.assume(self.narrowed(condition, False))
        for fork in reversed(forks):
            rec.join(fork, exhaustive=True)
        return None

    def on_assert_statement(self, node: Node) -> Expr:
        parts = self.parts(node)
        for part in parts[1:]:
            self.expr(part)
        if parts:
            self.condition(parts[0])
            self.assume(self.narrowed(parts[0], True))
        return None

    def on_while_statement(self, node: Node) -> Expr:
        rec, condition = self.rec, node.child_by_field_id(self.at.condition)
        rec.loop()
        self.condition(condition)
        self.assume(self.narrowed(condition, True))
        self.block(node.child_by_field_id(self.at.body))
        rec.end_loop()
        self.loop_else(node)
        return None

    def on_for_statement(self, node: Node) -> Expr:
        rec = self.rec
        left, right = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        value = self.expr(right)
        element = self.iterate(node, value, asynchronous=node.children[0].type == "async")
        rec.loop()
        if left is not None:
            self.assign(left, element)
        self.block(node.child_by_field_id(self.at.body))
        rec.end_loop()
        self.loop_else(node)
        return None

    def loop_else(self, node: Node) -> None:
        """The `else` of a loop, which always runs where nothing breaks out."""
        alternative = node.child_by_field_id(self.at.alternative)
        if alternative is None:
            return
        fork = self.rec.fork()
        self.block(alternative.child_by_field_id(self.at.body))
        self.rec.join(fork, exhaustive=b"break" not in (node.text or b""))

    def on_try_statement(self, node: Node) -> Expr:
        rec = self.rec
        fork = rec.fork()
        self.block(node.child_by_field_id(self.at.body))
        finale, stand_in = None, False
        for clause in self.parts(node)[1:]:
            kind = clause.type
            if kind == "else_clause":
                self.block(clause.child_by_field_id(self.at.body))
            elif kind == "except_clause":
                rec.handler(fork)
                stand_in = stand_in or b"ImportError" in (clause.text or b"")[:80]
                self.handler(clause)
            elif kind == "finally_clause":
                finale = clause
        rec.join(fork, exhaustive=True, prefer=stand_in)
        if finale is not None:
            self.block(self.parts(finale)[-1])
        return None

    def handler(self, clause: Node) -> None:
        """One `except` clause."""
        value = clause.child_by_field_id(self.at.value)
        if value is not None and value.type == "as_pattern" and value.named_children:
            caught = self.expr(value.named_children[0])
            alias = value.child_by_field_id(self.at.alias)
            if alias is not None:
                types = caught[1] if caught is not None and caught[0] == "list" else (caught,)
                self.assign(alias, ("any", tuple(("inst", type_) for type_ in types if type_ is not None)))
        elif value is not None:
            self.expr(value)
        if clause.named_children:
            self.block(clause.named_children[-1])

    def on_with_statement(self, node: Node) -> Expr:
        enter, leave = "__enter__", "__exit__"
        if node.children[0].type == "async":
            enter, leave = "__aenter__", "__aexit__"
        clause = next((child for child in node.named_children if child.type == "with_clause"), None)
        for item in self.parts(clause) if clause is not None else ():
            value_node, alias = item.child_by_field_id(self.at.value), None
            if value_node is not None and value_node.type == "as_pattern":
                alias = value_node.child_by_field_id(self.at.alias)
                value_node = value_node.named_children[0] if value_node.named_children else None
            value = self.expr(value_node)
            self.implicit(item, value, enter)
            self.implicit(item, value, leave)
            if alias is not None:
                self.assign(alias, ("enter", value) if value is not None else None)
        self.block(node.child_by_field_id(self.at.body))
        return None

    def on_match_statement(self, node: Node) -> Expr:
        rec, forks = self.rec, []
        subjects = node.children_by_field_id(self.at.subject)
        value = self.expr(subjects[0]) if len(subjects) == 1 else None
        name = self.text(subjects[0]) if len(subjects) == 1 and subjects[0].kind_id == self.identifier else ""
        body = node.child_by_field_id(self.at.body)
        for case in body.named_children if body is not None else ():
            if case.type != "case_clause":
                continue
            forks.append(rec.fork())
            for pattern in case.named_children:
                if pattern.type == "case_pattern":
                    matched = self.match_pattern(pattern, value)
                    if name and matched is not value:
                        self.assign_name(name, matched)
            self.expr(case.child_by_field_id(self.at.guard))
            self.block(case.child_by_field_id(self.at.consequence))
            rec.arm(forks[-1])
        for fork in reversed(forks):
            rec.join(fork, exhaustive=True)
        return None

    def match_pattern(self, node: Node, value: Expr) -> Expr:
        """Binds what a pattern captures; gives ``value`` narrowed to the pattern's class, if it has one."""
        kind = node.type
        parts = self.parts(node)
        if kind == "case_pattern":
            if len(parts) == 1 and parts[0].type == "dotted_name" and b"." not in (parts[0].text or b""):
                self.assign_name(self.text(parts[0]), value)
                return value
            return self.match_pattern(parts[0], value) if len(parts) == 1 else value
        if kind == "class_pattern" and parts:
            matched: Expr = ("narrow", value, self.type_name(parts[0]))
            for part in parts[1:]:
                inner = self.parts(part)
                if inner and inner[0].type == "keyword_pattern":
                    name, *rest = self.parts(inner[0])
                    if rest:
                        self.captured(rest[0], self.rec.attr(matched, self.text(name)))
                else:
                    self.match_pattern(part, None)
            return matched
        if kind == "as_pattern" and len(parts) == 2:
            matched = self.match_pattern(parts[0], value)
            self.assign(parts[1], matched)
            return matched
        if kind in ("list_pattern", "tuple_pattern"):
            for index, part in enumerate(parts):
                self.match_pattern(part, self.part_of(value, index))
            return value
        if kind in ("keyword_pattern", "dict_pattern", "union_pattern", "splat_pattern"):
            for part in parts:
                if part.type != "identifier":
                    self.match_pattern(part, None)
        return value

    def captured(self, pattern: Node, value: Expr) -> None:
        """What a pattern that is a bare name binds; others are looked into."""
        if pattern.type == "dotted_name" and b"." not in (pattern.text or b""):
            self.assign_name(self.text(pattern), value)
        else:
            self.match_pattern(pattern, value)

    # imports

    def on_import_statement(self, node: Node) -> Expr:
        line = self.line(node)
        for name in node.children_by_field_id(self.at.name):
            alias = name.child_by_field_id(self.at.alias)
            dotted = name.child_by_field_id(self.at.name) if alias is not None else name
            spec = self.dotted_text(dotted)
            self.rec.facts["imports"].append((spec, line, ()))
            if alias is not None:
                self.assign_name(self.text(alias), ("import", spec))
            else:
                top = spec.partition(".")[0]
                self.assign_name(top, ("import", top))
        return None

    def dotted_text(self, node: Node | None) -> str:
        """A dotted name without white space; "" for none."""
        return "".join((node.text or b"").decode("utf-8", "replace").split()) if node is not None else ""

    def on_import_from_statement(self, node: Node) -> Expr:
        spec = self.dotted_text(node.child_by_field_id(self.at.module_name))
        module, taken = ("import", spec), []
        for name in node.children_by_field_id(self.at.name):
            alias = name.child_by_field_id(self.at.alias)
            source = self.dotted_text(name.child_by_field_id(self.at.name) if alias is not None else name)
            taken.append(source)
            self.assign_name(self.text(alias) if alias is not None else source, ("attr", module, source))
        if any(child.type == "wildcard_import" for child in node.named_children):
            self.rec.facts["stars"].append((self.rec.scope, spec))
        self.rec.facts["imports"].append((spec, self.line(node), tuple(taken)))
        return None

    def on_type_alias_statement(self, node: Node) -> Expr:
        left, right = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        if left is not None and right is not None:
            self.assign_name(self.dotted_text(left).partition("[")[0], type_expr(self, right))
        return None
