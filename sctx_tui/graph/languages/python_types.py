"""Python annotations -> type Exprs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr

if TYPE_CHECKING:
    from tree_sitter import Node

    from sctx_tui.graph.languages.python_expressions import Expressions

BUILTIN_TYPES = {
    "str": "str",
    "bytes": "bytes",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "list": "list",
    "tuple": "tuple",
    "set": "set",
    "frozenset": "set",
    "dict": "dict",
    "object": "object",
    "None": "none",
}
#: Wrappers that say nothing about the value: the (first) argument is the type.
TRANSPARENT = {"Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"}
CONTAINERS = {
    "List": "list",
    "Sequence": "list",
    "MutableSequence": "list",
    "Iterable": "list",
    "Iterator": "list",
    "Collection": "list",
    "Generator": "list",
    "AsyncIterator": "list",
    "AsyncIterable": "list",
    "AsyncGenerator": "list",
    "Deque": "list",
    "deque": "list",
    "Set": "set",
    "FrozenSet": "set",
    "AbstractSet": "set",
    "Tuple": "tuple",
    "Dict": "dict",
    "Mapping": "dict",
    "MutableMapping": "dict",
    "DefaultDict": "dict",
    "defaultdict": "dict",
    "OrderedDict": "dict",
}
#: How deep an annotation is read.
DEEP = 12


def type_expr(walker: Expressions, node: Node | None, depth: int = 0) -> Expr:
    """The type that an annotation names; ``None`` for what says nothing (``Any``, a type variable's call)."""
    if node is None or depth > DEEP:
        return None
    kind = node.type
    if kind in ("identifier", "attribute"):
        return named_type(walker, node)
    parts = walker.parts(node)
    if kind in ("type", "parenthesized_expression", "constrained_type"):
        return type_expr(walker, parts[0], depth + 1) if parts else None
    if kind == "string":
        return quoted_type(walker, node)
    if kind == "none":
        return ("lit", "none")
    if kind in ("union_type", "binary_operator"):
        return one_of([type_expr(walker, part, depth + 1) for part in parts])
    if kind in ("generic_type", "subscript") and parts:
        args = parts[1:]
        if args and args[0].type == "type_parameter":
            args = walker.parts(args[0])
        return with_arguments(walker, parts[0], args, depth)
    return None


def one_of(types: list[Expr]) -> Expr:
    """Any of these types, `None` left out."""
    known = [type_ for type_ in types if type_ is not None and type_ != ("lit", "none")]
    if len(known) <= 1:
        return known[0] if known else None
    return ("any", tuple(known))


def named_type(walker: Expressions, node: Node) -> Expr:
    """A type that is a name, dotted or not."""
    name = (node.text or b"").decode("utf-8", "replace")
    if name in BUILTIN_TYPES:
        return ("lit", BUILTIN_TYPES[name])
    last = name.rpartition(".")[2]
    if last in CONTAINERS:
        return ("lit", CONTAINERS[last])
    return walker.type_name(node)


def quoted_type(walker: Expressions, node: Node) -> Expr:
    """A type in quotes: names, and `|` between them."""
    text = (node.text or b"").decode("utf-8", "replace").strip("\"'rRuU ")
    known = []
    for part in text.split("|"):
        names = part.strip().split(".")
        if all(name.isidentifier() for name in names):
            name = part.strip()
            known.append(("lit", BUILTIN_TYPES[name]) if name in BUILTIN_TYPES else walker.chain(names))
    return one_of(known)


def cast_type(walker: Expressions, arguments: Node, plain: Expr) -> Expr:
    """The type of ``cast(type, value)`` where it is quoted or has arguments; else what it is as a value."""
    parts = walker.parts(arguments)
    return type_expr(walker, parts[0]) if parts and parts[0].type in ("string", "subscript") else plain


def with_bound(walker: Expressions, arguments: Node, kwargs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The keyword arguments of ``TypeVar(name, bound=type)`` with the type, quoted or not."""
    for child in arguments.named_children:
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if name is not None and name.text == b"bound" and value is not None and value.type == "string":
            return tuple(
                (key, type_expr(walker, value)) if key == "bound" else (key, given) for key, given in kwargs
            )
    return kwargs


def with_arguments(walker: Expressions, base: Node, args: list[Node], depth: int) -> Expr:
    """A type with arguments, `base[args]`."""
    name = (base.text or b"").decode("utf-8", "replace").rpartition(".")[2]
    types = [type_expr(walker, arg, depth + 1) for arg in args if arg.type not in ("list", "ellipsis")]
    if name in TRANSPARENT:
        return one_of(types if name == "Union" else types[:1])
    if name in ("Type", "type"):
        return ("class", types[0]) if types and types[0] is not None else None
    if name == "Callable":
        return ("functype", types[-1]) if types else None
    if name in ("Awaitable", "Coroutine"):
        return types[-1] if types else None
    if name in ("Literal", "Any"):
        return None
    return ("args", named_type(walker, base), tuple(types)) if types else named_type(walker, base)
