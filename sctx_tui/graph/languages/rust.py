"""Rust: statements, blocks and control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr, FileFacts
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.rust_definitions import Definitions

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one Rust file."""
    rec = Recorder(language)
    root = tree.root_node
    walk = Walker(rec, source)
    name = path.rpartition("/")[2].removesuffix(".rs")
    rec.open(name, "module", 1, root.end_point[0] + 1, qualname="<module>", doc=walk.inner_doc(root))
    walk.items(root)
    rec.close()
    return rec.facts


class Walker(Definitions):
    """Walks statements in program order."""

    def block_value(self, node: Node | None) -> Expr:
        """What a block gives: its last expression, if no semicolon follows."""
        if node is None:
            return None
        if node.type != "block":
            return self.expr(node)
        self.begin_block()
        value = self.statements(node)
        self.blocks.pop()
        return value

    def statements(self, node: Node) -> Expr:
        """The statements of a block that has been begun; the value of the last."""
        value: Expr = None
        children = [child for child in node.named_children if "comment" not in child.type]
        for child in children:
            if child.type == "use_declaration":
                self.expr(child)
        for child in children:
            if child.type == "expression_statement":
                inner = child.named_children[0] if child.named_children else None
                value = self.expr(inner)
                if child.children and child.children[-1].type == ";":
                    value = None
            elif child.type != "use_declaration":
                value = self.expr(child)
        return value

    def on_block(self, node: Node) -> Expr:
        return self.block_value(node)

    def last_block(self, node: Node) -> Expr:
        """`unsafe { }`, `async { }`, `const { }`."""
        return self.block_value(node.named_children[-1]) if node.named_children else None

    on_unsafe_block = on_async_block = on_const_block = on_gen_block = last_block

    def on_expression_statement(self, node: Node) -> Expr:
        self.parts(node)
        return None

    def on_let_declaration(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.value))
        alternative = node.child_by_field_id(self.at.alternative)
        if alternative is not None:
            fork = self.rec.fork()
            self.block_value(alternative)
            self.rec.join(fork, exhaustive=False)
        type_ = self.type_expr(node.child_by_field_id(self.at.type))
        typed: Expr = ("inst", type_) if type_ is not None else None
        if typed is not None and self.converted(node.child_by_field_id(self.at.value), type_):
            value = None
        both = tuple(each for each in (value, typed) if each is not None)
        pattern = node.child_by_field_id(self.at.pattern)
        self.bind_pattern(pattern, ("any", both) if len(both) == 2 else both[0] if both else None)
        return None

    def on_assignment_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.right))
        left = node.child_by_field_id(self.at.left)
        while left is not None and left.type in ("unary_expression", "parenthesized_expression"):
            left = left.named_children[-1] if left.named_children else None
        if left is None:
            return None
        if left.type == "identifier":
            self.assign_name(self.text(left), value)
        elif left.type == "field_expression":
            base = self.expr(left.child_by_field_id(self.at.value))
            if base is not None:
                self.rec.store(("attr", base, self.text(left.child_by_field_id(self.at.field))), value)
        elif left.type == "index_expression":
            values = [self.expr(child) for child in left.named_children]
            if len(values) == 2 and values[0] is not None:
                self.rec.store(("item", values[0], values[1]), value)
        else:
            self.expr(left)
        return None

    # control flow

    def on_return_expression(self, node: Node) -> Expr:
        value = self.inner(node)
        if value is not None:
            self.rec.returned(value)
        self.rec.dead()
        return None

    def jump(self, node: Node) -> Expr:
        """`break` and `continue`: what follows isn't reached from here."""
        self.parts(node)
        self.rec.jump()
        return None

    on_break_expression = on_continue_expression = jump

    def condition(self, node: Node | None) -> None:
        """An `if` or `while` condition; `let` patterns in it are declared in the block begun for it."""
        if node is None:
            return
        if node.type == "let_condition":
            value = self.expr(node.child_by_field_id(self.at.value))
            self.bind_pattern(node.child_by_field_id(self.at.pattern), value)
        elif node.type == "let_chain":
            for part in node.named_children:
                self.condition(part)
        else:
            self.expr(node)

    def on_if_expression(self, node: Node) -> Expr:
        rec = self.rec
        self.begin_block()
        self.condition(node.child_by_field_id(self.at.condition))
        fork = rec.fork()
        values = [self.block_value(node.child_by_field_id(self.at.consequence))]
        self.blocks.pop()
        alternative = node.child_by_field_id(self.at.alternative)
        if alternative is not None:
            rec.arm(fork)
            values += [self.expr(child) for child in alternative.named_children]
        rec.join(fork, exhaustive=alternative is not None)
        return either(values)

    def on_match_expression(self, node: Node) -> Expr:
        rec = self.rec
        value = self.expr(node.child_by_field_id(self.at.value))
        body = node.child_by_field_id(self.at.body)
        arms = [arm for arm in body.named_children if arm.type == "match_arm"] if body is not None else []
        values: list[Expr] = []
        fork = rec.fork()
        for position, arm in enumerate(arms):
            if position:
                rec.arm(fork)
            self.begin_block()
            pattern = arm.child_by_field_id(self.at.pattern)
            self.bind_pattern(pattern, value)
            guard = pattern.child_by_field_id(self.at.condition) if pattern is not None else None
            self.condition(guard)
            values.append(self.block_value(arm.child_by_field_id(self.at.value)))
            self.blocks.pop()
        rec.join(fork, exhaustive=bool(arms))
        return either(values)

    def on_match_pattern(self, node: Node) -> Expr:
        return None

    def on_for_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.value))
        self.begin_block()
        element = self.iterated(node, value)
        self.rec.loop()
        self.bind_pattern(node.child_by_field_id(self.at.pattern), element)
        self.block_value(node.child_by_field_id(self.at.body))
        self.rec.end_loop()
        self.blocks.pop()
        return None

    def on_while_expression(self, node: Node) -> Expr:
        self.begin_block()
        self.rec.loop()
        self.condition(node.child_by_field_id(self.at.condition))
        self.block_value(node.child_by_field_id(self.at.body))
        self.rec.end_loop()
        self.blocks.pop()
        return None

    def on_loop_expression(self, node: Node) -> Expr:
        self.rec.loop()
        self.block_value(node.child_by_field_id(self.at.body))
        self.rec.end_loop()
        return None


def either(values: list[Expr]) -> Expr:
    """One of several values, or None."""
    known = tuple(value for value in values if value is not None)
    return ("any", known) if len(known) > 1 else known[0] if known else None
