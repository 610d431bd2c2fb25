"""JavaScript and TypeScript: the extractor. Statements and control flow (below it: ``javascript_*``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import RETURNS, Expr, FileFacts, Row
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages import BY_NAME
from sctx_tui.graph.languages.javascript_exports import Exports
from sctx_tui.graph.languages.javascript_names import Frame
from sctx_tui.graph.languages.javascript_types import jsdoc_tags

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one JavaScript, TypeScript or TSX file."""
    rec = Recorder(language)
    name = path.rpartition("/")[2].partition(".")[0]
    root = tree.root_node
    rec.open(name, "module", 1, root.end_point[0] + 1, qualname="<module>")
    walker = Walker(rec, BY_NAME[language].grammar, root, source)
    walker.module(root)
    rec.close()
    walker.finish_captured()
    walker.finish_module()
    if any(map(is_computed, rec.facts["stores"])):
        walker.keys.update(text for text in walker.constants if isinstance(text, str) and text.isidentifier())
    rec.facts["keys"] = sorted(walker.keys)
    return rec.facts


def is_computed(store: Row) -> bool:
    """Whether something is stored under a name that is made while the code runs."""
    target = store[1]
    return target[0] == "item" and target[2] is not None and target[2][0] not in ("const", "**")


LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement"})


class Walker(Exports):
    """Walks statements in program order."""

    def __init__(self, rec: Recorder, grammar: str, root: Node, source: bytes) -> None:
        super().__init__(rec, grammar, root, source)
        self.thrown: list[tuple[int, Expr]] = []  # (function, value) of the throws in the innermost `try`

    def module(self, root: Node) -> None:
        """Walk a whole file."""
        self.frame = Frame(0, None)
        for pattern in self.vars.get(0, ()):
            self.frame.names.update(self.pattern_names(pattern))
        index = self.rec.bind("exports", ("dict", ()))
        self.exports = self.this = ("var", index)
        self.block(root.named_children, of_frame=True)
        self.finish_deferred()
        self.frame, self.renames = Frame(0, None), {}
        self.finish_exports()

    # blocks

    def block(self, statements: list[Node], *, of_frame: bool) -> None:
        """The statements of a block, function or module."""
        saved = self.renames
        self.declare_block(statements, of_frame=of_frame)
        comment = self.comment
        for statement in statements:
            if statement.kind_id == comment:
                self.note_comment(statement)
                if "@typedef" in self.doc:
                    self.typedef()
                continue
            self.expr(statement)
            self.doc = ""
        self.renames = saved

    def statements(self, node: Node | None) -> None:
        """The body of a function, class block or namespace."""
        if node is not None:
            self.doc = ""
            self.block(node.named_children, of_frame=True)

    def on_statement_block(self, node: Node) -> Expr:
        self.block(node.named_children, of_frame=False)
        return None

    def body(self, node: Node | None) -> None:
        """A statement, or a block, under a condition or loop."""
        if node is not None:
            self.expr(node)

    def typedef(self) -> None:
        """``@typedef {T} Name``."""
        for tag, type_, name in jsdoc_tags(self.doc):
            if tag == "typedef" and type_ and name and (found := self.jsdoc_type(type_)) is not None:
                self.assign_name(name, found)
        self.doc = ""

    def on_expression_statement(self, node: Node) -> Expr:
        self.expr(self.first(node))
        return None

    # control flow

    def on_return_statement(self, node: Node) -> Expr:
        value = self.first(node)
        if value is not None and value.kind_id in self.functions:
            self.expected = self.rec.facts["symbols"][self.rec.scope][RETURNS]
        self.rec.returned(self.brief(self.named(value, "")) if value is not None else None)
        self.rec.dead()
        return None

    def on_throw_statement(self, node: Node) -> Expr:
        thrown = self.brief(self.expr(self.first(node)))
        if thrown is not None:
            self.thrown.append((self.rec.scope, thrown))
        self.rec.dead()
        return None

    def on_continue_statement(self, node: Node) -> Expr:
        self.rec.jump()
        return None

    def on_break_statement(self, node: Node) -> Expr:
        if self.switches:  # out of a switch: what follows is in the same arm still
            return None
        self.rec.jump()
        return None

    switches = 0  # switch statements around this point, within the innermost loop

    def on_if_statement(self, node: Node) -> Expr:
        rec, forks = self.rec, []
        here: Node | None = node
        while here is not None and here.type == "if_statement":
            condition = here.child_by_field_id(self.at.condition)
            self.expr(condition)
            forks.append(rec.fork())
            self.assume(condition)
            self.body(here.child_by_field_id(self.at.consequence))
            rec.arm(forks[-1])
            alternative = here.child_by_field_id(self.at.alternative)
            here = self.first(alternative) if alternative is not None else None
        self.body(here)
        for fork in reversed(forks):
            rec.join(fork, exhaustive=True)
        if here is None and len(forks) == 1 and self.leaves(node.child_by_field_id(self.at.consequence)):
            self.assume(node.child_by_field_id(self.at.condition), negated=True)
        return None

    def leaves(self, node: Node | None) -> bool:
        """Whether what follows a statement isn't run after it."""
        if node is not None and node.type == "statement_block":
            node = node.named_children[-1] if node.named_children else None
        return node is not None and node.type in LEAVES

    def on_while_statement(self, node: Node) -> Expr:
        saved, self.switches = self.switches, 0
        self.rec.loop()
        condition = node.child_by_field_id(self.at.condition)
        if node.type == "while_statement":
            self.expr(condition)
        self.body(node.child_by_field_id(self.at.body))
        if node.type != "while_statement":
            self.expr(condition)
        self.rec.end_loop()
        self.switches = saved
        return None

    on_do_statement = on_while_statement

    def on_for_statement(self, node: Node) -> Expr:
        renames, saved, self.switches = self.renames, self.switches, 0
        initializer = node.child_by_field_id(self.at.initializer)
        if initializer is not None and initializer.type == "lexical_declaration":
            self.declare(self.declared_names(initializer))
        self.expr(initializer)
        self.rec.loop()
        self.expr(node.child_by_field_id(self.at.condition))
        self.body(node.child_by_field_id(self.at.body))
        self.expr(node.child_by_field_id(self.at.increment))
        self.rec.end_loop()
        self.renames, self.switches = renames, saved
        return None

    def on_for_in_statement(self, node: Node) -> Expr:
        renames, saved, self.switches = self.renames, self.switches, 0
        left, right = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.right)
        kind, operator = node.child_by_field_id(self.at.kind), node.child_by_field_id(self.at.operator)
        value = self.expr(right)
        element: Expr = None
        if operator is not None and operator.type == "of":
            asynchronous = any(child.type == "await" for child in node.children)
            element = self.iterated(node, value, asynchronous=asynchronous)
        if left is not None and kind is not None and kind.type != "var":
            self.declare(self.pattern_names(left))
        self.rec.loop()
        if left is not None:
            self.assign(left, element)
        self.body(node.child_by_field_id(self.at.body))
        self.rec.end_loop()
        self.renames, self.switches = renames, saved
        return None

    def on_switch_statement(self, node: Node) -> Expr:
        """The cases are arms; a case that falls through is followed by the next in the same arm."""
        rec = self.rec
        self.expr(node.child_by_field_id(self.at.value))
        body = node.child_by_field_id(self.at.body)
        cases = (
            [case for case in body.named_children if case.kind_id != self.comment] if body is not None else []
        )
        renames = self.renames
        self.switches += 1
        self.declare_block([s for case in cases for s in self.case_body(case)], of_frame=False)
        fork = rec.fork()
        default = False
        for case in cases:
            default |= case.type == "switch_default"
            self.expr(case.child_by_field_id(self.at.value))
            statements = self.case_body(case)
            ends = bool(statements) and statements[-1].type in (
                "break_statement",
                "return_statement",
                "throw_statement",
                "continue_statement",
                "statement_block",
            )
            inner = None if ends else rec.fork()
            for statement in statements:
                self.expr(statement)
            if inner is None:
                rec.arm(fork)
            else:
                rec.join(inner, exhaustive=False)
        rec.join(fork, exhaustive=default)
        self.switches -= 1
        self.renames = renames
        return None

    def case_body(self, case: Node) -> list[Node]:
        """The statements of one case."""
        return [child for child in case.children_by_field_id(self.at.body) if child.kind_id != self.comment]

    def on_try_statement(self, node: Node) -> Expr:
        rec = self.rec
        fork = rec.fork()
        outer, self.thrown = self.thrown, []
        self.body(node.child_by_field_id(self.at.body))
        caught = tuple(thrown for scope, thrown in self.thrown if scope == rec.scope)
        self.thrown = outer
        handler = node.child_by_field_id(self.at.handler)
        if handler is not None:
            rec.arm(fork)
            renames = self.renames
            parameter = handler.child_by_field_id(self.at.parameter)
            if parameter is not None:
                self.declare(self.pattern_names(parameter))
                self.assign(parameter, ("any", caught) if caught else None)
            self.body(handler.child_by_field_id(self.at.body))
            self.renames = renames
        rec.join(fork, exhaustive=True)
        finalizer = node.child_by_field_id(self.at.finalizer)
        if finalizer is not None:
            self.body(finalizer.child_by_field_id(self.at.body))
        return None

    def on_labeled_statement(self, node: Node) -> Expr:
        self.body(node.child_by_field_id(self.at.body))
        return None
