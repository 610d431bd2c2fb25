"""Python definitions and assignments: functions, classes, parameters, comprehensions, targets."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import ABSTRACT, ASYNC, CLASS_LEVEL, EXPORTED, PROPERTY, SETTER, STATIC, Expr, Param
from sctx_tui.graph.flow import THIS, Recorder, parameter
from sctx_tui.graph.languages.python_classes import Classes
from sctx_tui.graph.languages.python_operators import OPERATORS
from sctx_tui.graph.languages.python_types import type_expr
from sctx_tui.graph.literals import elide

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods whose receiver is the class without a decorator saying so.
CLASS_METHODS = {"__new__", "__init_subclass__", "__class_getitem__"}
FLAGS_OF_DECORATOR = {
    "staticmethod": STATIC,
    "classmethod": CLASS_LEVEL,
    "property": PROPERTY,
    "cached_property": PROPERTY,
    "functools.cached_property": PROPERTY,
    "abc.abstractproperty": PROPERTY,
    "abstractproperty": PROPERTY,
}
SELF: Param = ("self", None, None, "self")  # one for all
_SELF = (*SELF[:3], "pos")
_NO_MORE = (None, None, "pos")  # a parameter without type and default
_FIXTURE = re.compile(r"(pytest\.|pytest_asyncio\.)?fixture\b")
_UNIMPLEMENTED = b"raise NotImplementedError"
#: A docstring that means what it shows: no escapes, and no line ends that Python would change.
_PLAIN_DOCSTRING = re.compile(rb"""(?P<q>'''|\"\"\"|['"])(?P<body>[^\\\r\0]*)(?P=q)""")
REST = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}


class Definitions(Classes):
    """Functions, classes and what is assigned to."""

    def __init__(self, rec: Recorder, source: bytes) -> None:
        super().__init__(rec, source)
        self.nesting = 0
        self.outer: dict[str, int] = {}  # names declared global or nonlocal here -> the scope they belong to
        self.mutated: set[str] = set()
        self.parameters: frozenset[str] = frozenset()

    # definitions

    def docstring(self, body: Node | None) -> str:
        """The docstring of a body, "" if there is none."""
        first = self.first(body)
        if first is None or first.kind_id != self.string:
            return ""
        plain = _PLAIN_DOCSTRING.fullmatch(self.source, first.start_byte, first.end_byte)
        if plain:
            return plain["body"].decode("utf-8", "replace").strip()
        try:
            value = ast.literal_eval((first.text or b"").decode("utf-8", "replace"))
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return ""
        return value.strip() if isinstance(value, str) else ""

    def on_decorated_definition(self, node: Node) -> Expr:
        definition = node.child_by_field_id(self.at.definition)
        decorators = [child for child in node.named_children if child.type == "decorator"]
        values = [(child, self.expr(child.named_children[0])) for child in decorators if child.named_children]
        if definition is None:
            return None
        texts = tuple(
            " ".join(elide((child.text or b"")[1:].decode("utf-8", "replace")).split())
            for child in decorators
        )
        name, value = self.definition(definition, texts)
        for child, decorator in reversed(values):
            value = self.rec.call(self.line(child), ("decor", decorator, (value,), ()))
        self.assign_name(name, value)
        return None

    def on_function_definition(self, node: Node) -> Expr:
        self.assign_name(*self.definition(node, ()))
        return None

    on_class_definition = on_function_definition

    def definition(self, node: Node, decorators: tuple[str, ...]) -> tuple[str, Expr]:
        """Walks a function or class; gives its name and the Expr of the thing itself."""
        name_node = node.child_by_field_id(self.at.name)
        name = self.text(name_node) if name_node is not None else "_"
        make = self.class_definition if node.type == "class_definition" else self.function
        return name, ("def", make(node, name, decorators))

    def class_body(self, body: Node | None) -> None:
        outer, self.outer = self.outer, {}
        self.block(body)
        self.outer = outer

    def signature(self, node: Node, body: Node | None) -> str:
        """The head of a definition in one line, comments left out."""
        start = node.start_byte
        end = body.start_byte if body is not None else node.end_byte
        head = self.source[start : end if body is None else min(end, start + 4000)]
        if b" #" in head:
            head = b" ".join([line.split(b" #", 1)[0] for line in head.split(b"\n")])
        text = " ".join(elide(head.decode("utf-8", "replace")).split())
        return text.rstrip(": ").replace("( ", "(").replace(", )", ")").replace(" )", ")")

    def function(self, node: Node, name: str, decorators: tuple[str, ...]) -> int:
        """Walk a function or method; its index."""
        rec = self.rec
        in_class = rec.kind() == "class"
        flags = 0 if name.startswith("_") and not name.endswith("__") else EXPORTED
        if node.children and node.children[0].type == "async":
            flags |= ASYNC
        if in_class and name in CLASS_METHODS:
            flags |= CLASS_LEVEL
        for decorator in decorators:
            flags |= FLAGS_OF_DECORATOR.get(decorator, 0)
            if decorator.endswith(".setter"):
                flags |= SETTER
            elif decorator.endswith((".getter", "_property")) and in_class:
                flags |= PROPERTY
        body = node.child_by_field_id(self.at.body)
        if in_class and self.is_abstract(body, decorators):
            flags |= ABSTRACT
        params = self.params(node.child_by_field_id(self.at.parameters), in_class and not flags & STATIC)
        returns = node.child_by_field_id(self.at.return_type)
        index = rec.open(
            name,
            "method" if in_class else "function",
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=self.signature(node, body),
            doc=self.docstring(body),
            decorators=decorators,
            params=params,
            returns=type_expr(self, returns) if returns is not None else None,
            flags=flags,
        )
        is_fixture = any(_FIXTURE.match(decorator) for decorator in decorators)
        gets_fixtures = is_fixture or (name.startswith("test") and not flags & SETTER)
        self.body(params, body, gets_fixtures=gets_fixtures)
        if is_fixture:  # what a fixture yields is what tests get
            yields = rec.facts["yields"]
            rec.facts["returns"] += [row for row in yields if row[0] == index]
            rec.facts["yields"] = [row for row in yields if row[0] != index]
        return index

    def is_abstract(self, body: Node | None, decorators: tuple[str, ...]) -> bool:
        """A method that says it is to be overridden: by decorator, or because all it does is raise
        NotImplementedError."""
        if any(decorator.endswith("abstractmethod") for decorator in decorators):
            return True
        if body is None or self.source.find(_UNIMPLEMENTED, body.start_byte, body.end_byte) < 0:
            return False
        statements = [child for child in self.parts(body) if child.kind_id != self.string]
        return len(statements) == 1 and (statements[0].text or b"").startswith(_UNIMPLEMENTED)

    def body(self, params: tuple[Param, ...], body: Node | None, *, gets_fixtures: bool = False) -> None:
        """Binds the parameters, walks the body (an expression for a lambda) and closes the symbol;
        ``gets_fixtures``: pytest may give it its arguments."""
        rec = self.rec
        saved = self.outer, self.mutated, self.parameters
        self.outer, self.mutated, self.parameters = {}, set(), frozenset(param[0] for param in params)
        for index, param in enumerate(params):
            value = THIS if param[3] == "self" else parameter(index)
            if gets_fixtures and param[1:] == _NO_MORE:
                value = ("any", (value, ("call", ("fixture", param[0]), (), ())))
            rec.bind(param[0], value)
        if body is not None and body.type != "block":
            rec.returned(self.expr(body))
        else:
            self.block(body)
        mutates = tuple(sorted(self.mutated))
        self.outer, self.mutated, self.parameters = saved
        rec.close(mutates)

    def params(self, node: Node | None, has_receiver: bool) -> tuple[Param, ...]:
        """Parameters as facts have them; `has_receiver`: the first is `self` or `cls`."""
        made: list[Param] = []
        kind = "pos"
        for child in self.parts(node) if node is not None else ():
            if child.type == "keyword_separator":
                kind = "kw"
                continue
            name, annotation, default, rest = child, child.child_by_field_id(self.at.type), None, ""
            if child.type in ("default_parameter", "typed_default_parameter"):
                name_node = child.child_by_field_id(self.at.name)
                default = self.expr(child.child_by_field_id(self.at.value))
                name = name_node if name_node is not None else child
            elif child.type == "typed_parameter" and child.named_children:
                name = child.named_children[0]
            if name.type in REST and name.named_children:
                rest, name = REST[name.type], name.named_children[0]
            if name.kind_id != self.identifier:
                continue
            type_ = type_expr(self, annotation) if annotation is not None else None
            made.append((self.text(name), type_, default, rest or kind))
            if rest == "*":
                kind = "kw"
        if has_receiver and made and made[0][3] == "pos":
            made[0] = SELF if made[0] == _SELF else (*made[0][:3], "self")
        return tuple(made)

    def on_lambda(self, node: Node) -> Expr:
        params = self.params(node.child_by_field_id(self.at.parameters), False)
        index = self.rec.open("", "lambda", node.start_point[0] + 1, node.end_point[0] + 1, params=params)
        self.body(params, node.child_by_field_id(self.at.body))
        return ("def", index)

    # comprehensions

    def on_list_comprehension(self, node: Node) -> Expr:
        return ("iter", self.comprehension(node))

    on_set_comprehension = on_generator_expression = on_list_comprehension

    def on_dictionary_comprehension(self, node: Node) -> Expr:
        return ("dict", ((None, self.comprehension(node)),))

    def comprehension(self, node: Node) -> Expr:
        """The Expr of one element."""
        saved: list[tuple[str, int | None]] = []
        for child in node.named_children:
            if child.type == "for_in_clause":
                right = child.children_by_field_id(self.at.right)
                value = self.expr(right[0]) if right else None
                left = child.child_by_field_id(self.at.left)
                if left is None:
                    continue
                saved += [(name, self.rec.shadow(name)) for name in self.target_names(left)]
                asynchronous = child.children[0].type == "async"
                self.assign(left, self.iterate(child, value, asynchronous=asynchronous))
            elif child.type == "if_clause":
                for part in child.named_children:
                    self.condition(part)
                    saved += self.assume(self.narrowed(part, True))
        body = node.child_by_field_id(self.at.body)
        if body is not None and body.type == "pair":
            self.expr(body.child_by_field_id(self.at.key))
            body = body.child_by_field_id(self.at.value)
        element = self.expr(body)
        for name, bind in reversed(saved):
            self.rec.unshadow(name, bind)
        return element

    def target_names(self, node: Node) -> list[str]:
        """The names that a target of an assignment binds."""
        stack, names = [node], []
        while stack:
            here = stack.pop()
            if here.kind_id == self.identifier:
                names.append(self.text(here))
            elif here.type not in ("attribute", "subscript", "call"):
                stack.extend(here.named_children)
        return names

    # assignment

    def assign_name(self, name: str, value: Expr) -> None:
        """Bind a name where it belongs: here, or outwards after `global` and `nonlocal`."""
        scope = self.outer.get(name)
        if scope is None:
            self.rec.bind(name, value)
        else:
            self.rec.bind_in(scope, name, value)
            self.mutated.add(f"global {name}" if scope == 0 else f"nonlocal {name}")

    def assign(self, target: Node, value: Expr) -> None:
        """Binds or stores ``value`` to a target; tuples are taken apart."""
        if target.kind_id == self.identifier:
            self.assign_name(self.text(target), value)
            return
        kind = target.type
        if kind == "attribute":
            base, name = self.base_and_name(target)
            place = ("attr", base, name) if base is not None else None
            self.note_mutation(place)
            self.rec.store(place, value, self.line(target))
        elif kind == "subscript":
            self.assign_item(target, value)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            if self.is_made(value):
                self.iterate(target, value)
            parts = self.parts(target)
            splat = next((i for i, part in enumerate(parts) if "splat" in part.type), len(parts))
            for index, part in enumerate(parts):
                if index < splat:
                    self.assign(part, self.part_of(value, index))
                elif index > splat:
                    self.assign(part, self.part_of(value, index - len(parts)))
                else:
                    self.assign(part, self.between(value, index, index + 1 - len(parts) or None))
        elif kind in ("list_splat_pattern", "as_pattern_target", "parenthesized_expression", "list_splat"):
            for part in self.parts(target)[:1]:
                self.assign(part, value)

    def part_of(self, value: Expr, index: int) -> Expr:
        """What unpacking puts at a place; from the end where the index is negative."""
        if value is None:
            return None
        if value[0] == "list":
            items = value[1][: index + 1] if index >= 0 else value[1][index:]
            if not any(item is not None and item[0] == "star" for item in items):
                return value[1][index] if -len(value[1]) <= index < len(value[1]) else None
        return ("item", value, self.constant(index))

    def assign_item(self, target: Node, value: Expr) -> None:
        """`container[key] = value`, and the `__setitem__` that this may call."""
        base = self.expr(target.child_by_field_id(self.at.value))
        keys = [self.expr(key) for key in target.children_by_field_id(self.at.subscript)]
        key = keys[0] if len(keys) == 1 else None
        self.shown(target, key, "__hash__")
        self.note_mutation(("item", base, None))
        self.implicit(target, base, "__setitem__", (key, value))
        if base is not None:
            self.rec.store(("item", base, key), value)

    def note_mutation(self, place: Any) -> None:
        """Note that a place changes, if it is one of `self` or of a parameter."""
        base = place[1] if place else None
        if base == THIS and place[0] == "attr":
            self.mutated.add(f"self.{place[2]}")
        while base is not None and base[0] in ("attr", "item"):
            if base[0] == "attr" and base[1] == THIS:
                self.mutated.add(f"self.{base[2]}")
            base = base[1]
        if base is not None and base[0] == "var":
            name = self.rec.facts["binds"][base[1]][1]
            if name in self.parameters:
                self.mutated.add(name)

    def grow(self, callee: Any, args: tuple[Expr, ...]) -> None:
        """As without mutations: what grows a container changes it."""
        stores = len(self.rec.facts["stores"])
        super().grow(callee, args)
        if len(self.rec.facts["stores"]) > stores:
            self.note_mutation(("item", callee[1], None))

    def on_assignment(self, node: Node) -> Expr:
        at = self.at
        left, right = node.child_by_field_id(at.left), node.child_by_field_id(at.right)
        annotation = node.child_by_field_id(at.type)
        type_ = type_expr(self, annotation) if annotation is not None else None
        value = self.expr(right)
        if type_ is not None:
            declared = ("inst", type_)
            value = ("any", (value, declared)) if value is not None else declared
        if left is not None and (right is not None or type_ is not None):
            self.assign(left, value)
            if self.rec.kind() == "class" and self.is_made(value):
                self.implicit(node, value, "__set_name__", (("def", self.rec.scope), None))
            if left.kind_id == self.identifier and self.text(left) == "__all__":
                self.publish(value)
        return value

    def publish(self, value: Expr, *, more: bool = False) -> None:
        """``__all__ = [...]``; anything but plain strings leaves the language's rule in force."""
        items: tuple[Expr, ...] = value[1] if value is not None and value[0] == "list" else ()
        names = tuple(item[1] for item in items if item is not None and item[0] == "const")
        before = self.rec.facts["public"] if more else ()
        is_known = items and len(names) == len(items) and before is not None
        self.rec.facts["public"] = (*before, *names) if is_known and before is not None else None

    def on_augmented_assignment(self, node: Node) -> Expr:
        left, operator = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.operator)
        right = self.expr(node.child_by_field_id(self.at.right))
        if left is None or operator is None:
            return None
        value = self.expr(left)
        method = OPERATORS.get(operator.type[:-1], "")
        if left.kind_id == self.identifier and self.text(left) == "__all__":
            self.publish(right, more=True)
        in_place = self.implicit(node, value, method.replace("__", "__i", 1), (right,)) if method else None
        self.assign(
            left, ("any", (value, in_place, right)) if operator.type == "+=" else ("any", (value, in_place))
        )
        return None

    def on_delete_statement(self, node: Node) -> Expr:
        for part in self.parts(node):
            for target in self.parts(part) if part.type == "expression_list" else [part]:
                if target.type == "subscript":
                    base = self.expr(target.child_by_field_id(self.at.value))
                    self.note_mutation(("item", base, None))
                    self.implicit(target, base, "__delitem__")
                elif target.kind_id == self.attribute:
                    base, name = self.base_and_name(target)
                    self.implicit(target, base, "__delattr__", (self.constant(name),))
                elif target.kind_id != self.identifier:
                    self.expr(target)
        return None
