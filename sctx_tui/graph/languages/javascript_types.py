"""TypeScript annotations and JSDoc types -> ``Expr``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.javascript_names import Names
from sctx_tui.graph.literals import specifier

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

LIST: Expr = ("lit", "list")
PREDEFINED: dict[str, Expr] = {
    "string": ("lit", "str"),
    "number": ("lit", "float"),
    "bigint": ("lit", "int"),
    "boolean": ("lit", "bool"),
    "symbol": ("lit", "object"),
}
#: Library types that hold others, by the container that they are to us.
CONTAINERS: dict[str, str] = {
    "Array": "list",
    "ReadonlyArray": "list",
    "Iterable": "list",
    "Iterator": "list",
    "IterableIterator": "list",
    "AsyncIterable": "list",
    "Generator": "list",
    "AsyncGenerator": "list",
    "ArrayLike": "list",
    "Set": "set",
    "ReadonlySet": "set",
    "WeakSet": "set",
    "Map": "dict",
    "ReadonlyMap": "dict",
    "WeakMap": "dict",
    "Record": "dict",
}
#: Library types that stand for their first argument; a promise for what it will be, as everywhere.
TRANSPARENT = frozenset(
    {"Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable", "Awaited", "Promise", "PromiseLike"}
)
#: What the parser makes of one JSDoc type may not be longer than this.
LONGEST_TYPE = 300
#: Types within types that are read.
DEEPEST_TYPE = 12

_TAG = re.compile(
    r"@(?P<tag>param|arg|argument|returns?|type|typedef|template|this|extends|augments|implements)\b\s*"
    r"(?=(?P<brace>\{)?)"
)
_NAME = re.compile(r"\s*\[?\s*([A-Za-z_$][\w$.]*)")


def braced(text: str, start: int) -> tuple[str, int]:
    """What stands between the brace at ``start`` and its partner, and where it ends; ("", start) if none."""
    depth = 0
    for index in range(start, min(len(text), start + LONGEST_TYPE)):
        if text[index] == "{":
            depth += 1
        elif text[index] == "}":
            depth -= 1
            if depth == 0:
                return text[start + 1 : index], index + 1
    return "", start


@lru_cache(maxsize=1024)
def jsdoc_tags(comment: str) -> tuple[tuple[str, str, str], ...]:
    """The (tag, type, name) of each typed tag of a ``/** */`` comment; ``type`` as it is written there."""
    tags = []
    for match in _TAG.finditer(comment):
        type_, after = braced(comment, match.end()) if match["brace"] else ("", match.end())
        name = _NAME.match(comment, after)
        tags.append((match["tag"], type_, name[1] if name else ""))
    return tuple(tags)


@lru_cache(maxsize=4096)
def parsed_type(text: str) -> tuple[bytes, Tree] | None:
    """One JSDoc type, read as TypeScript, and its tree; None where it can't be."""
    from sctx_tui.graph.extract import parse

    text = text.strip().rstrip("=").removeprefix("...").strip("?!").replace(".<", "<")
    if not text or text == "*" or len(text) > LONGEST_TYPE:
        return None
    source = f"let _: {text};".encode("utf-8", "replace")
    tree = parse(source, "typescript")
    return None if tree.root_node.has_error else (source, tree)


class Types(Names):
    """The part of the walker that reads types. A type is what ``("inst", type)`` takes."""

    type_depth = 0
    type_parameter: Mapping[str, Expr] = MappingProxyType({})  # those of the classes around this point

    def type_expr(self, node: Node | None) -> Expr:
        """The type at ``node``; None where nothing useful is known."""
        if node is None:
            return None
        handler = TYPES.get(node.type)
        if handler is None or self.type_depth >= DEEPEST_TYPE:
            return None
        self.type_depth += 1
        made: Expr = handler(self, node)
        self.type_depth -= 1
        return made

    def declared(self, node: Node | None) -> Expr:
        """A value of the type at ``node``: an object type gives an object with its members."""
        while node is not None and node.type in ("type_annotation", "parenthesized_type", "readonly_type"):
            node = self.first(node)
        if node is None:
            return None
        if node.type == "object_type":
            return self.object_of_type(node)
        if node.type == "union_type":
            parts = [self.declared(part) for part in self.union_parts(node)]
            known = tuple(part for part in parts if part is not None)
            return known[0] if len(known) == 1 else ("any", known) if known else None
        type_ = self.type_expr(node)
        return ("inst", type_) if type_ is not None else None

    def object_of_type(self, node: Node) -> Expr:
        """An object type as the object that it describes."""
        pairs: list[Any] = []
        for member in node.named_children:
            name = member.child_by_field_name("name")
            if name is None or name.type != "property_identifier":
                continue
            if member.type == "property_signature":
                value = self.declared(member.child_by_field_name("type"))
            elif member.type == "method_signature":
                value = ("inst", ("functype", self.type_expr(member.child_by_field_name("return_type"))))
            else:
                continue
            if value is not None:
                pairs.append((("const", self.text(name)), value))
        if pairs:
            return ("dict", tuple(pairs))
        indexed = self.indexed(node)
        return ("inst", indexed) if indexed is not None else None

    def indexed(self, node: Node) -> Expr:
        """``{ [key: string]: T }`` and ``{ [K in Keys]: T }``: a dictionary of T."""
        for member in node.named_children:
            if member.type == "index_signature":
                value = self.type_expr(member.child_by_field_name("type"))
                return ("args", ("lit", "dict"), (("lit", "str"), value)) if value is not None else None
        return None

    def type_name(self, name: str) -> Expr:
        """The type that a name stands for."""
        return self.type_parameter.get(name) or ("name", self.renames.get(name, name))

    def held_types(self, node: Node) -> Expr:
        """The container type that ``new Map<K, V>()`` and the like say, where they do."""
        given = node.child_by_field_id(self.at.type_arguments)
        constructor = node.child_by_field_id(self.at.constructor) if given is not None else None
        kind = CONTAINERS.get(self.text(constructor)) if constructor is not None else None
        if given is None or kind is None:
            return None
        return ("args", ("lit", kind), tuple(self.type_expr(part) for part in self.parts(given)))

    def with_type(self, value: Expr, declared: Expr) -> Expr:
        """``value``, which is declared to be like ``declared``."""
        if declared is None:
            return value
        return ("any", (value, declared)) if value is not None else declared

    # kinds of types

    def inner_type(self, node: Node) -> Expr:
        """What stands in parentheses, or behind `readonly` and its like."""
        return self.type_expr(self.first(node))

    def identifier_type(self, node: Node) -> Expr:
        """A type that is one name; a container without arguments holds anything."""
        name = self.text(node)
        if name in CONTAINERS:
            return ("args", ("lit", CONTAINERS[name]), ())
        return self.type_name(name)

    def predefined(self, node: Node) -> Expr:
        """`string`, `number` and their like."""
        return PREDEFINED.get(self.text(node))

    def nested_type(self, node: Node) -> Expr:
        """``A.B.C``."""
        names = self.text(node).replace(" ", "").split(".")
        made = self.type_name(names[0])
        for name in names[1:8]:
            made = ("attr", made, name)
        return made

    def generic(self, node: Node) -> Expr:
        """A type with arguments."""
        name = node.child_by_field_name("name")
        arguments = node.child_by_field_name("type_arguments")
        if name is None:
            return None
        text = self.text(name)
        args = tuple(self.type_expr(part) for part in self.parts(arguments)) if arguments is not None else ()
        if text in CONTAINERS:
            return ("args", ("lit", CONTAINERS[text]), args)
        if text in TRANSPARENT:
            return args[0] if args else None
        if text == "InstanceType" and args and args[0] is not None and args[0][0] == "class":
            return args[0][1]  # type: ignore[no-any-return]
        return ("args", self.type_expr(name), args)

    def array(self, node: Node) -> Expr:
        """`T[]`."""
        return ("args", LIST, (self.inner_type(node),))

    def tuple_type(self, node: Node) -> Expr:
        """`[A, B]`."""
        return ("args", ("lit", "tuple"), tuple(self.type_expr(part) for part in self.parts(node)))

    def union_parts(self, node: Node) -> list[Node]:
        """The alternatives of a union, which the grammar nests to the left."""
        found: list[Node] = []
        stack = [node]
        while stack:
            here = stack.pop()
            if here.type == node.type:
                stack += self.parts(here)
            else:
                found.append(here)
        return found[::-1]

    def union(self, node: Node) -> Expr:
        """Any of the types of `A | B`; of long unions the first only."""
        parts = [self.type_expr(part) for part in self.union_parts(node)[:40]]
        known = tuple(part for part in parts if part is not None)
        return known[0] if len(known) == 1 else ("any", known) if known else None

    def function_type(self, node: Node) -> Expr:
        """`(a: A) => B`: what it gives, and what it gets if that is known."""
        result = self.type_expr(node.child_by_field_name("return_type"))
        listed = node.child_by_field_name("parameters")
        params = tuple(
            self.type_expr(part.child_by_field_name("type"))
            for part in (self.parts(listed) if listed is not None else ())
            if (pattern := part.child_by_field_name("pattern")) is None or pattern.type != "this"
        )
        return ("functype", result, params) if any(params) else ("functype", result)

    def constructor_type(self, node: Node) -> Expr:
        """`new () => A`: the class A."""
        type_ = self.type_expr(node.child_by_field_name("type"))
        return ("class", type_) if type_ is not None else None

    def type_query(self, node: Node) -> Expr:
        """``typeof x``: an "instance" of it is x itself."""
        inner = self.first(node)
        if inner is None or inner.type not in ("identifier", "member_expression"):
            return None
        return ("class", self.nested_type(inner))

    def imported_type(self, node: Node) -> Expr:
        """``import('./x').Foo``."""
        call, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        spec = self.imported_spec(call) if call is not None and call.type == "call_expression" else ""
        if not spec or name is None:
            return self.nested_type(node)
        self.rec.facts["imports"].append((spec, self.line(node), (self.text(name),)))
        return ("attr", ("import", spec), self.text(name))

    def imported_spec(self, call: Node) -> str:
        """The module that ``import("...")`` names; "" where it isn't a constant."""
        callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        spec = self.first(arguments) if arguments is not None else None
        if callee is None or callee.type != "import" or spec is None or spec.type != "string":
            return ""
        return specifier((spec.text or b"")[1:-1].decode("utf-8", "replace"))

    # JSDoc

    def jsdoc_type(self, text: str) -> Expr:
        """The type that a JSDoc tag writes between braces."""
        parsed = parsed_type(text) if text else None
        if parsed is None:
            return None
        outer, (self.source, tree) = self.source, parsed
        declaration = tree.root_node.named_children[0].named_children[0]
        made = self.type_expr(declaration.child_by_field_name("type"))
        self.source = outer
        return made


TYPES: dict[str, Any] = {
    "type_annotation": Types.inner_type,
    "parenthesized_type": Types.inner_type,
    "readonly_type": Types.inner_type,
    "optional_type": Types.inner_type,
    "rest_type": Types.inner_type,
    "constraint": Types.inner_type,
    "default_type": Types.inner_type,
    "type_identifier": Types.identifier_type,
    "identifier": Types.identifier_type,
    "predefined_type": Types.predefined,
    "nested_type_identifier": Types.nested_type,
    "nested_identifier": Types.nested_type,
    "generic_type": Types.generic,
    "object_type": Types.indexed,
    "array_type": Types.array,
    "tuple_type": Types.tuple_type,
    "union_type": Types.union,
    "intersection_type": Types.union,
    "function_type": Types.function_type,
    "constructor_type": Types.constructor_type,
    "type_query": Types.type_query,
    "member_expression": Types.imported_type,
}
