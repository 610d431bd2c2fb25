"""Go: the file, statements and control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import LEFT_OUT, Expr, FileFacts
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.go_builds import MARK, is_left_out
from sctx_tui.graph.languages.go_definitions import Definitions
from sctx_tui.graph.languages.go_types import type_expr

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one Go file. The module's name is the package's."""
    rec = Recorder(language)
    root = tree.root_node
    package = next((child for child in root.named_children if child.type == "package_clause"), None)
    walk = Walker(rec, source)
    name = walk.text(package.named_children[0]) if package is not None and package.named_children else ""
    doc = walk.doc(package) if package is not None else ""
    end = package.start_byte if package is not None else 0
    rec.open(
        name,
        "module",
        1,
        root.end_point[0] + 1,
        qualname="<module>",
        doc=doc,
        flags=constrained(source[:end]),
    )
    walk.file(root)
    rec.close()
    return rec.facts


def constrained(head: bytes) -> int:
    """The flag of a file that is built only with some tag; ``head``: what stands before the package."""
    at = head.find(MARK)
    if at < 0 or (at and head[at - 1] != 10):
        return 0
    line = head[at + len(MARK) :].partition(b"\n")[0]
    return LEFT_OUT if is_left_out(line.decode("utf-8", "replace")) else 0


class Walker(Definitions):
    """Walks a file: types first, since methods and bodies may stand before them."""

    def file(self, root: Node) -> None:
        """Declarations in the order in which they can refer to each other."""
        children = root.named_children
        for kinds in (
            ("import_declaration",),
            ("type_declaration",),
            ("function_declaration", "method_declaration"),
        ):
            for child in children:
                if child.type in kinds and kinds[0] != "function_declaration":
                    self.expr(child)
        for child in children:
            if child.type in ("const_declaration", "var_declaration"):
                self.expr(child)
        for child in children:
            if child.type in ("function_declaration", "method_declaration"):
                self.expr(child)

    # statements

    def block(self, node: Node | None) -> None:
        """A block: what it declares ends with it."""
        if node is None:
            return
        self.begin_block()
        self.parts(node)
        self.blocks.pop()

    def on_block(self, node: Node) -> Expr:
        self.block(node)
        return None

    def assign(self, node: Node, value: Expr) -> None:
        """``target = value`` to a variable, field, item or what a pointer points to."""
        while node.type == "parenthesized_expression" or (
            node.type == "unary_expression" and node.children[0].type == "*"
        ):
            inner = node.named_children
            if not inner:
                return
            node = inner[0]
        if node.type == "identifier":
            self.assign_name(self.text(node), value)
        elif node.type in ("selector_expression", "index_expression"):
            base = self.expr(node.child_by_field_id(self.at.operand))
            if base is None:
                return
            if node.type == "selector_expression":
                field = self.text(node.child_by_field_id(self.at.field))
                self.rec.store(("attr", base, field), value)
            else:
                self.rec.store(("item", base, self.expr(node.child_by_field_id(self.at.index))), value)
        else:
            self.expr(node)

    def spread(self, count: int, values: list[Expr]) -> list[Expr]:
        """As many values as there are targets: a call may give several."""
        if len(values) == count:
            return values
        if len(values) == 1 and values[0] is not None:
            value = values[0]
            if value[0] in ("item", "inst", "elem", "var", "attr") and count == 2:
                return [value, None]  # `v, ok := m[k]`, `x.(T)`, `<-c`
            return [("item", value, ("const", index)) for index in range(count)]
        return [None] * count

    def on_short_var_declaration(self, node: Node) -> Expr:
        left = node.child_by_field_id(self.at.left)
        targets = [child for child in left.named_children if child.type == "identifier"] if left else []
        values = self.spread(len(targets), self.values(node.child_by_field_id(self.at.right)))
        here = self.blocks[-1].names if self.blocks else {}
        for target, value in zip(targets, values, strict=True):
            name = self.text(target)
            if name in here:
                self.assign_name(name, value)
            else:
                self.declare(name, value)
        return None

    def on_assignment_statement(self, node: Node) -> Expr:
        left = node.child_by_field_id(self.at.left)
        targets = [child for child in left.named_children if child.type != "comment"] if left else []
        values = self.spread(len(targets), self.values(node.child_by_field_id(self.at.right)))
        operator = node.child_by_field_id(self.at.operator)
        if operator is not None and self.text(operator) != "=":
            for target in targets:
                self.expr(target)
            return None
        for target, value in zip(targets, values, strict=True):
            self.assign(target, value)
        return None

    def on_var_spec(self, node: Node) -> Expr:
        names = [self.text(name) for name in node.children_by_field_id(self.at.name)]
        type_ = type_expr(self, node.child_by_field_id(self.at.type))
        values = self.values(node.child_by_field_id(self.at.value))
        spread: list[Expr] = self.spread(len(names), values) if values else [None] * len(names)
        for name, value in zip(names, spread, strict=True):
            typed: Expr = ("inst", type_) if type_ is not None else None
            both = [each for each in (value, typed) if each is not None]
            self.declare(name, ("any", tuple(both)) if len(both) == 2 else both[0] if both else None)
        return None

    def on_const_declaration(self, node: Node) -> Expr:
        """A constant without a type and value has those of the one before."""
        before: Node | None = None
        for spec in node.named_children:
            if spec.type != "const_spec":
                continue
            self.on_var_spec(spec)
            if spec.child_by_field_id(self.at.value) is not None:
                before = spec
            elif before is not None:
                type_ = type_expr(self, before.child_by_field_id(self.at.type))
                for name in spec.children_by_field_id(self.at.name) if type_ is not None else ():
                    self.declare(self.text(name), ("inst", type_))
        return None

    def on_send_statement(self, node: Node) -> Expr:
        channel = self.expr(node.child_by_field_id(self.at.channel))
        value = self.expr(node.child_by_field_id(self.at.value))
        if channel is not None and value is not None:
            self.rec.store(("item", channel, None), value)
        return None

    def on_return_statement(self, node: Node) -> Expr:
        values = [value for child in node.named_children for value in self.values(child)]
        if values:
            self.rec.returned(values[0] if len(values) == 1 else ("list", tuple(values)))
        self.rec.dead()
        return None

    def jump(self, node: Node) -> Expr:
        """`break`, `continue`, `goto`: what follows isn't reached from here."""
        self.rec.jump()
        return None

    on_break_statement = on_continue_statement = jump

    def on_if_statement(self, node: Node) -> Expr:
        rec = self.rec
        self.begin_block()
        self.expr(node.child_by_field_id(self.at.initializer))
        self.expr(node.child_by_field_id(self.at.condition))
        fork = rec.fork()
        self.block(node.child_by_field_id(self.at.consequence))
        alternative = node.child_by_field_id(self.at.alternative)
        if alternative is not None:
            rec.arm(fork)
            self.expr(alternative)
        rec.join(fork, exhaustive=alternative is not None)
        self.blocks.pop()
        return None

    def on_for_statement(self, node: Node) -> Expr:
        rec = self.rec
        self.begin_block()
        clause = next(
            (child for child in node.named_children if child.type in ("for_clause", "range_clause")), None
        )
        if clause is not None and clause.type == "for_clause":
            self.expr(clause.child_by_field_id(self.at.initializer))
        ranged = clause is not None and clause.type == "range_clause"
        value = self.expr(clause.child_by_field_id(self.at.right)) if ranged and clause is not None else None
        rec.loop()
        if ranged and clause is not None:
            self.range_variables(clause, value)
        elif clause is not None:
            self.expr(clause.child_by_field_id(self.at.condition))
        body = node.child_by_field_id(self.at.body)
        if clause is None:
            for child in node.named_children:
                if child != body:
                    self.expr(child)
        self.block(body)
        if clause is not None and not ranged:
            self.expr(clause.child_by_field_id(self.at.update))
        rec.end_loop()
        self.blocks.pop()
        return None

    def range_variables(self, clause: Node, value: Expr) -> None:
        """Bind the variables of `for key, element := range value`."""
        left = clause.child_by_field_id(self.at.left)
        targets = left.named_children if left is not None else []
        first: Expr = ("key", value) if value is not None else None
        second: Expr = ("item", value, None) if value is not None else None
        declares = any(child.type == ":=" for child in clause.children)
        for position, target in enumerate(targets):
            given = second if position else first
            if declares and target.type == "identifier":
                self.declare(self.text(target), given)
            else:
                self.assign(target, given)

    def on_expression_switch_statement(self, node: Node) -> Expr:
        self.begin_block()
        self.expr(node.child_by_field_id(self.at.initializer))
        self.expr(node.child_by_field_id(self.at.value))
        self.cases(node, "", None)
        self.blocks.pop()
        return None

    def on_select_statement(self, node: Node) -> Expr:
        self.cases(node, "", None)
        return None

    def on_type_switch_statement(self, node: Node) -> Expr:
        self.begin_block()
        self.expr(node.child_by_field_id(self.at.initializer))
        value = self.expr(node.child_by_field_id(self.at.value))
        alias = node.child_by_field_id(self.at.alias)
        self.cases(node, self.text(alias) if alias is not None else "", value)
        self.blocks.pop()
        return None

    def cases(self, node: Node, alias: str, value: Expr) -> None:
        """The arms of a switch or select; ``alias`` has the case's type in a type switch."""
        rec = self.rec
        fork = rec.fork()
        exhaustive = False
        arms = [child for child in node.named_children if child.type.endswith("_case")]
        for position, arm in enumerate(arms):
            if position:
                rec.arm(fork)
            exhaustive = exhaustive or arm.type == "default_case"
            self.begin_block()
            types = arm.children_by_field_id(self.at.type)
            if alias:
                known = [type_expr(self, type_) for type_ in types]
                asserted = tuple(("inst", type_) for type_ in known if type_ is not None)
                self.declare(alias, ("any", asserted) if asserted else value)
            for child in arm.named_children:
                if child not in types:
                    self.expr(child)
            self.blocks.pop()
        rec.join(fork, exhaustive=exhaustive)

    def on_receive_statement(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.right))
        left = node.child_by_field_id(self.at.left)
        declares = any(child.type == ":=" for child in node.children)
        for position, target in enumerate(left.named_children if left is not None else ()):
            given = value if position == 0 else None
            if declares and target.type == "identifier":
                self.declare(self.text(target), given)
            else:
                self.assign(target, given)
        return None
