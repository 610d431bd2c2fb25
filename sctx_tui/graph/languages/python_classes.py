"""Python classes: their definition, what making one runs, and the fields by which its objects are made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import EXPORTED, IMPLICIT, Expr
from sctx_tui.graph.languages.python_operators import Operators

if TYPE_CHECKING:
    from tree_sitter import Node

#: Decorators that make ``__init__`` of the annotated names in the class's body.
_MAKES_FIELDS = re.compile(
    r"(?:dataclasses\.|attrs?\.|pydantic\.dataclasses\.)?(?:dataclass|define|frozen)\b"
)
#: The attributes under which such a class, and a named tuple, list their fields: of the latter one that
#: programs don't have themselves, other than ``_fields``.
DATACLASS_FIELDS, TUPLE_FIELDS = "__dataclass_fields__", "__tuple_fields__"
#: The attribute of a class that is its metaclass: as Python 2 spelt it, since no class has one of that name.
METACLASS = "__metaclass__"


class Classes(Operators):
    """Definitions of classes."""

    def docstring(self, body: Node | None) -> str:
        """The documentation at the beginning of a body."""
        raise NotImplementedError

    def signature(self, node: Node, body: Node | None) -> str:
        """The head of a definition."""
        raise NotImplementedError

    def block(self, node: Node | None) -> None:
        """All statements of a block."""
        raise NotImplementedError

    def class_body(self, body: Node | None) -> None:
        """The statements of a class's body."""
        raise NotImplementedError

    def class_definition(self, node: Node, name: str, decorators: tuple[str, ...]) -> int:
        rec = self.rec
        superclasses = node.child_by_field_id(self.at.superclasses)
        bases, kwargs = self.arguments(superclasses) if superclasses is not None else ((), ())
        body = node.child_by_field_id(self.at.body)
        index = rec.open(
            name,
            "class",
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=self.signature(node, body),
            doc=self.docstring(body),
            decorators=decorators,
            bases=tuple(base for base in bases if base is not None),
            flags=0 if name.startswith("_") else EXPORTED,
        )
        options = [(key, value) for key, value in kwargs if key != "metaclass"]
        if len(options) < len(kwargs):
            rec.bind(METACLASS, dict(kwargs)["metaclass"])
        self.bind_fields(body, bases, decorators)
        self.class_body(body)
        rec.close()
        if bases or kwargs:
            made = ("def", index)
            callee = ("attr", ("super", made, made), "__init_subclass__")
            rec.call(self.line(node), ("call", callee, (), tuple(options)), IMPLICIT)
        return index

    def bind_fields(self, body: Node | None, bases: tuple[Expr, ...], decorators: tuple[str, ...]) -> None:
        """Says which fields the objects of a dataclass or named tuple are made of, in order."""
        if any(map(_MAKES_FIELDS.match, decorators)):
            self.rec.bind(DATACLASS_FIELDS, self.name_list(self.annotated(body)))
        for base in bases:
            if base is not None and base[0] == "call" and self.named_tuple_fields(base) is not None:
                self.rec.bind(TUPLE_FIELDS, base[2][1])
            elif base is not None and self.last_name(base) == "NamedTuple":
                self.rec.bind(TUPLE_FIELDS, self.name_list(self.annotated(body)))

    def last_name(self, expr: Expr) -> str:
        """The name that an Expr ends with; the imported one of a name that an import bound."""
        if expr is not None and expr[0] == "var":
            expr = self.rec.facts["binds"][expr[1]][2]
        return expr[-1] if expr is not None and expr[0] in ("name", "attr") else ""

    def name_list(self, names: list[str]) -> Expr:
        return ("list", tuple([self.constant(name) for name in names]))

    def annotated(self, body: Node | None) -> list[str]:
        """The names that statements of the body declare with a type."""
        found = []
        for statement in self.parts(body) if body is not None else ():
            node = statement if statement.type == "assignment" else self.first(statement)
            if node is None or node.type != "assignment":
                continue
            left, type_ = node.child_by_field_id(self.at.left), node.child_by_field_id(self.at.type)
            if left is None or type_ is None or left.kind_id != self.identifier:
                continue
            if b"ClassVar" not in self.source[type_.start_byte : type_.end_byte]:
                found.append(self.text(left))
        return found

    def named_tuple_fields(self, call: Expr) -> Expr:
        """The fields that ``namedtuple(name, fields)`` was given, as `named_tuple` wrote them; None for
        another call."""
        if call is None or self.last_name(call[1]) != "namedtuple" or len(call[2]) < 2:
            return None
        fields: Expr = call[2][1]
        if fields is None or fields[0] != "list":
            return None
        return fields if all(one is not None and one[0] == "const" for one in fields[1]) else None

    def named_tuple(self, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The arguments of ``namedtuple`` with the fields as a list of names."""
        text = self.known_text(args[1])
        return args if text is None else (args[0], self.name_list(text.replace(",", " ").split()), *args[2:])
