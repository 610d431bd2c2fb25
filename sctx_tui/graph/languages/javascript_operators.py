"""JavaScript and TypeScript operators, casts, ``await``, JSX and iteration -> ``Expr``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import IMPLICIT, Expr
from sctx_tui.graph.languages.javascript_conversions import TO_PRIMITIVE, TO_TEXT, first_method
from sctx_tui.graph.languages.javascript_expressions import BOOL, LONG, NUMBER, SHALLOW, STR, Expressions
from sctx_tui.graph.literals import is_part_of_name

if TYPE_CHECKING:
    from tree_sitter import Node

LOGICAL = frozenset({"&&", "||", "??"})
#: Most parts of a text that is put together.
MANY_PARTS = 6
#: Operators that take objects as they are.
NO_CONVERSION = frozenset({*LOGICAL, "==", "===", "!=", "!==", "in", "instanceof"})
COMPARES = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})


class Operators(Expressions):
    """The part of the walker that reads what combines expressions."""

    # operators

    def on_parenthesized_expression(self, node: Node) -> Expr:
        return self.expr(self.first(node))

    def on_sequence_expression(self, node: Node) -> Expr:
        value: Expr = None
        for part in self.parts(node):
            value = self.expr(part)
        return value

    def operands(self, node: Node) -> tuple[str, list[Node]]:
        """The operator of a binary expression, and its operands with those of the same kind to its left."""
        operator = node.child_by_field_id(self.at.operator)
        name = operator.type if operator is not None else ""
        logical = name in LOGICAL
        found: list[Node] = []
        here: Node | None = node
        while here is not None:
            right = here.child_by_field_id(self.at.right)
            if right is not None:
                found.append(right)
            here = here.child_by_field_id(self.at.left)
            if here is None:
                break
            inner = here.child_by_field_id(self.at.operator) if here.type == "binary_expression" else None
            if inner is None or (inner.type != name if logical else inner.type in LOGICAL):
                found.append(here)
                break
        return name, found[::-1]

    def on_binary_expression(self, node: Node) -> Expr:
        name, operands = self.operands(node)
        if name == "&&":
            return self.conjunction(operands)
        values = [self.expr(operand) for operand in operands]
        if name not in NO_CONVERSION:
            for operand, value in zip(operands, values, strict=True):
                self.converted(operand, value, TO_PRIMITIVE)
        elif name == "instanceof" and self.has_instances and values[-1] is not None:
            self.rec.call(
                self.line(node), ("call", ("attr", values[-1], "[Symbol.hasInstance]"), (), ()), IMPLICIT
            )
        if name in LOGICAL:
            known = tuple(self.brief(value) for value in values if value is not None)[:SHALLOW]
            return ("any", known) if len(known) > 1 else known[0] if known else None
        if name == "+":
            return self.added(values)
        return BOOL if name in COMPARES else NUMBER

    def conjunction(self, operands: list[Node]) -> Expr:
        """``a && b && c``: each operand is read where those before it hold; the value is the last."""
        value: Expr = None
        saved: list[tuple[str, int | None]] = []
        for operand in operands:
            value = self.expr(operand)
            if operand is not operands[-1]:
                saved += self.assume(operand)
        value = self.brief(value) if saved else value
        for name, bind in reversed(saved):
            self.rec.unshadow(name, bind)
        return value

    def assume(self, condition: Node | None, *, negated: bool = False) -> list[tuple[str, int | None]]:
        """Narrows the names that ``condition`` says to be instances of a class, for the code that follows;
        gives what ``unshadow`` takes to undo it. ``negated``: the condition doesn't hold."""
        saved: list[tuple[str, int | None]] = []
        while condition is not None and condition.type in ("parenthesized_expression", "unary_expression"):
            if condition.type == "unary_expression":
                if condition.children[0].type != "!":
                    return saved
                negated = not negated
            condition = self.first(condition)
        if condition is None or condition.type != "binary_expression":
            return saved
        name, operands = self.operands(condition)
        if name == ("||" if negated else "&&"):
            for operand in operands:
                saved += self.assume(operand, negated=negated)
        elif negated:
            return saved
        elif name == "instanceof" and len(operands) == 2 and operands[0].kind_id == self.identifier:
            target = self.renames.get(self.text(operands[0]), self.text(operands[0]))
            if operands[1].type in ("identifier", "member_expression"):
                saved.append((target, self.rec.shadow(target)))
                narrowed = ("narrow", self.rec.use(target), self.brief(self.silent(operands[1])))
                self.rec.bind(target, narrowed)
        return saved

    def silent(self, node: Node) -> Expr:
        """A plain name ``a.b.c``, without recording a read."""
        names = self.text(node).split(".")
        made = self.use(names[0].strip())
        for name in names[1:SHALLOW]:
            made = self.rec.attr(made, name.strip())
        return made

    def added(self, values: list[Expr]) -> Expr:
        """The value of ``a + b + c``: a constant where all of them are."""
        total = ""
        if any(value is not None and value[0] == "const" and type(value[1]) is str for value in values):
            values = [self.digits(value) for value in values]
        for value in values:
            constant = self.constant_of(value)
            if constant is None:
                if any(
                    v is not None and (v == STR or (v[0] == "const" and type(v[1]) is str)) for v in values
                ):
                    return self.joined(values)
                numbers = any(
                    v is not None and (v == NUMBER or (v[0] == "const" and type(v[1]) is int)) for v in values
                )
                return NUMBER if numbers else None
            total += constant
        return self.constant(total) if len(total) <= 4 * LONG else STR

    def digits(self, value: Expr) -> Expr:
        """A number as the text that it becomes beside one."""
        is_number = value is not None and value[0] == "const" and type(value[1]) is int
        return self.constant(str(value[1])) if value is not None and is_number else value

    def joined(self, parts: list[Expr]) -> Expr:
        """The text that is made of these, where it may be a name."""
        texts = [self.constant_of(part) for part in parts]
        known = [text for text in texts if text is not None]
        is_name = any(known) and len(parts) <= MANY_PARTS and all(map(is_part_of_name, known))
        if not is_name or None in parts or sum(map(len, known)) > LONG:
            return STR
        return (
            "concat",
            tuple([p if t is None else ("const", t) for t, p in zip(texts, parts, strict=True)]),
        )

    def on_template_string(self, node: Node) -> Expr:
        parts: list[Expr] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                value = self.brief(self.expr(self.first(child)))
                self.converted(child, value, TO_TEXT)
                parts.append(value)
            elif child.type == "string_fragment":
                parts.append(self.constant(self.text(child)))
        if all(child.type != "template_substitution" for child in node.named_children):
            return self.on_string(node)
        known = [text for part in parts if (text := self.constant_of(part)) is not None]
        is_known = len(known) == len(parts) and sum(map(len, known)) <= LONG
        return self.constant("".join(known)) if is_known else self.joined(parts)

    def converted(self, node: Node, value: Expr, methods: tuple[str, ...]) -> None:
        """Records what makes a text or number of an object that is made here: the first of the methods that
        it has."""
        made = value
        while made is not None and made[0] == "var":
            made = self.rec.facts["binds"][made[1]][2]
        if made is not None and made[0] in ("new", "dict"):
            self.rec.call(
                self.line(node), ("call", first_method(self.brief(value), methods), (), ()), IMPLICIT
            )

    def constant_of(self, value: Expr) -> str | None:
        """The string constant that ``value`` certainly is."""
        while value is not None and value[0] == "var":
            value = self.rec.facts["binds"][value[1]][2]
        known = value is not None and value[0] == "const" and type(value[1]) is str
        return self.spelt(value) if known else None

    def on_unary_expression(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_id(self.at.argument))
        operator = node.children[0].type
        if operator in ("-", "+", "~"):
            self.converted(node, value, TO_PRIMITIVE)
        return STR if operator == "typeof" else NUMBER if operator in ("-", "+", "~") else BOOL

    def on_update_expression(self, node: Node) -> Expr:
        argument = node.child_by_field_id(self.at.argument)
        if argument is not None:
            self.assign(argument, NUMBER)
        return NUMBER

    def on_ternary_expression(self, node: Node) -> Expr:
        values: list[Expr] = []
        here: Node | None = node
        while here is not None and here.type == "ternary_expression":
            condition = here.child_by_field_id(self.at.condition)
            self.expr(condition)
            saved = self.assume(condition)
            values.append(self.brief(self.expr(here.child_by_field_id(self.at.consequence))))
            for name, bind in reversed(saved):
                self.rec.unshadow(name, bind)
            here = here.child_by_field_id(self.at.alternative)
        values.append(self.expr(here))
        known = tuple(value for value in values if value is not None)
        return ("any", known) if len(known) > 1 else known[0] if known else None

    def on_await_expression(self, node: Node) -> Expr:
        value = self.brief(self.expr(self.first(node)))
        return ("await", value) if value is not None else None

    def on_yield_expression(self, node: Node) -> Expr:
        value = self.brief(self.expr(self.first(node)))
        if any(child.type == "*" for child in node.children):
            self.rec.yielded(("elem", value) if value is not None else None)
        else:
            self.rec.yielded(value)
        return None

    def on_as_expression(self, node: Node) -> Expr:
        parts = self.parts(node)
        if not parts:
            return None
        value = self.expr(parts[0])
        return self.with_type(value, self.declared(parts[1])) if len(parts) > 1 else value

    on_satisfies_expression = on_as_expression

    def on_type_assertion(self, node: Node) -> Expr:
        parts = self.parts(node)
        if len(parts) < 2:
            return None
        return self.with_type(self.expr(parts[1]), self.declared(self.first(parts[0])))

    # JSX: an element of a component calls it

    def on_jsx_self_closing_element(self, node: Node) -> Expr:
        name_node = node.child_by_field_id(self.at.name)
        component: Expr = None
        if name_node is not None:
            name = self.text(name_node)
            if "." in name or not name[:1].islower():
                component = self.silent(name_node)
        pairs: list[Any] = []
        for part in node.named_children:
            if part.type == "jsx_attribute":
                inside = part.named_children
                value = self.expr(inside[1]) if len(inside) > 1 else None
                if value is not None and inside[0].type == "property_identifier":
                    pairs.append((("const", self.text(inside[0])), self.brief(value)))
            elif part.type == "jsx_expression":
                inner = self.first(part)
                spread = inner is not None and inner.type == "spread_element"
                value = self.expr(self.first(inner) if spread and inner is not None else inner)
                if spread:
                    pairs.append((("**",), self.brief(value)))
        if component is None:
            return None
        props: Expr = ("dict", tuple(pairs))
        return self.rec.call(self.line(node), ("call", component, (props,), ()))

    def on_jsx_element(self, node: Node) -> Expr:
        opening = node.child_by_field_id(self.at.open_tag)
        value = self.on_jsx_self_closing_element(opening) if opening is not None else None
        for child in node.named_children:
            if child.type not in ("jsx_text", "jsx_opening_element", "jsx_closing_element"):
                self.expr(child)
        return value

    def on_jsx_expression(self, node: Node) -> Expr:
        return self.expr(self.first(node))

    # iteration

    def iterated(self, node: Node, value: Expr, *, asynchronous: bool = False) -> Expr:
        """An element of ``value``; iterating it may run a method of its class."""
        if value is None:
            return None
        value = self.brief(value)
        if value is not None and value[0] in ("var", "name", "param", "this", "new"):
            method = "[Symbol.asyncIterator]" if asynchronous else "[Symbol.iterator]"
            iterator = ("call", ("attr", value, method), (), ())
            self.rec.call(self.line(node), iterator, IMPLICIT)
            self.rec.call(self.line(node), ("call", ("attr", iterator, "next"), (), ()), IMPLICIT)
        return ("elem", value)
