"""Rust's paths and types as Exprs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.lexical import Lexical

if TYPE_CHECKING:
    from tree_sitter import Node

BASIC = {
    "str": "str",
    "String": "str",
    "bool": "bool",
    "char": "str",
    "f32": "float",
    "f64": "float",
    **dict.fromkeys(
        (f"{sign}{bits}" for sign in "iu" for bits in ("8", "16", "32", "64", "128", "size")), "int"
    ),
}


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Types that give access to what they hold: `Box<T>` is called like `T`, `Option<T>` after `?` or a pattern.
TRANSPARENT = words(
    "Box Rc Arc RefCell Cell Mutex RwLock MutexGuard RwLockReadGuard RwLockWriteGuard Ref RefMut Pin Cow"
    " Weak Option Result ManuallyDrop MaybeUninit OnceCell OnceLock LazyLock Lazy NonNull Poll Some Ok Future"
)
LISTS = words(
    "Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList Iter IntoIter Iterator IntoIterator Stream"
)
DICTS = frozenset(("HashMap", "BTreeMap", "IndexMap"))
FUNCTIONS = frozenset(("Fn", "FnMut", "FnOnce"))
DEEP = 12


class Types(Lexical):
    """Reads paths and types in the scope of the item that is being walked."""

    self_type: Expr = None  # what `Self` means
    module: Expr = ("import", "self")  # the (inline) module around this point
    around: tuple[Expr, ...] = ()  # the modules of this file around that one, the nearest first

    def __init__(self, rec: Recorder, source: bytes) -> None:
        super().__init__(rec, source)
        self.associated: dict[str, Expr] = {}  # the types of the trait or implementation that is walked
        self.associated_nodes: dict[str, Node | None] = {}
        self.standard: set[str] = set()  # names imported from the standard library

    def is_ours(self, name: str) -> bool:
        """Whether a name of the standard library is bound here to something else."""
        return name not in self.standard and self.rec.reaching(self.declared(name)[1]) is not None

    def path(self, node: Node | None) -> Expr:
        """What a path names."""
        if node is None:
            return None
        kind = node.type
        if kind in ("identifier", "type_identifier"):
            return self.named(self.text(node))
        if kind == "crate":
            return ("import", "crate")
        if kind == "super":
            return self.above(1)
        if kind == "self":
            return self.module
        if kind in ("scoped_identifier", "scoped_type_identifier"):
            base_node, name = (
                node.child_by_field_id(self.at.path),
                self.text(node.child_by_field_id(self.at.name)),
            )
            if base_node is None:  # `::name`
                return ("import", name)
            if name == "super":
                return self.above(self.text(node).count("super"))
            if name in self.associated and self.text(base_node) == "Self":
                return self.associated[name]
            if base_node.type == "bracketed_type":
                return self.qualified(base_node.named_child(0), name)
            base = self.path(base_node)
            if base is not None and base == ("name", self.text(base_node)):  # nothing here: perhaps a crate
                base = ("any", (base, ("import", base[1])))
            return ("attr", base, name) if base is not None else None
        if kind in ("generic_type", "generic_function"):
            return self.path(node.child_by_field_id(self.at.type) or node.child_by_field_id(self.at.function))
        if kind in ("bracketed_type", "qualified_type", "generic_type_with_turbofish"):
            inner = node.child_by_field_id(self.at.type) or node.named_child(0)
            return self.path(inner)
        return None

    def above(self, levels: int) -> Expr:
        """The module that many levels above this one."""
        if levels <= len(self.around):
            return self.around[levels - 1]
        return ("import", "::".join(["super"] * (levels - len(self.around))))

    def qualified(self, node: Node | None, name: str) -> Expr:
        """``<Type as Trait>::name``, ``<Type>::name``."""
        trait = node.child_by_field_id(self.at.alias) if node is not None else None
        if node is None or trait is None:
            base = self.type_expr(node)
            return ("attr", base, name) if base is not None else None
        type_ = node.child_by_field_id(self.at.type)
        if name in self.associated and self.text(type_) == "Self":
            return self.associated[name]
        return ("qualified", self.type_expr(type_), self.path(trait), name)

    def named(self, name: str) -> Expr:
        """What a single name means."""
        if name == "Self":
            return self.self_type
        return self.use(name)

    def type_expr(self, node: Node | None, depth: int = 0) -> Expr:
        """The type that a node spells; references and smart pointers mean what they point to."""
        if node is None or depth > DEEP:
            return None
        kind = node.type
        if kind == "primitive_type":
            name = BASIC.get(self.text(node))
            return ("lit", name) if name else None
        if kind in ("reference_type", "pointer_type"):
            return self.type_expr(node.child_by_field_id(self.at.type), depth + 1)
        if kind in ("dynamic_type", "abstract_type"):
            return self.type_expr(node.child_by_field_id(self.at.trait), depth + 1)
        if kind in ("array_type", "slice_type"):
            element = node.child_by_field_id(self.at.element) or node.named_child(0)
            return ("args", ("lit", "list"), (self.type_expr(element, depth + 1),))
        if kind == "tuple_type":
            given = tuple(self.type_expr(each, depth + 1) for each in node.named_children)
            return ("args", ("lit", "tuple"), given) if any(given) else None
        if kind == "function_type":
            trait = node.child_by_field_id(self.at.trait)
            if trait is None or self.text(trait) in FUNCTIONS:
                return ("functype", self.type_expr(node.child_by_field_id(self.at.return_type), depth + 1))
            return None
        if kind in ("bounded_type", "higher_ranked_trait_bound", "parenthesized_type"):
            found = [
                self.type_expr(each, depth + 1) for each in node.named_children if each.type != "lifetime"
            ]
            return one_of(found)
        if kind == "generic_type":
            return self.generic(node, depth)
        if kind in ("type_identifier", "identifier"):
            text = self.text(node)
            if text in BASIC and self.declared(text) == (0, text):
                return ("lit", BASIC[text])
            return self.named(text)
        if kind == "scoped_type_identifier":
            return self.path(node)
        return None

    def type_list(self, node: Node | None, depth: int = 0) -> tuple[Expr, ...]:
        """The types among type arguments."""
        return tuple(
            [
                self.type_expr(each.named_children[-1] if each.type == "type_binding" else each, depth)
                for each in (node.named_children if node is not None else ())
                if each.type != "lifetime"
            ]
        )

    def generic(self, node: Node, depth: int) -> Expr:
        """A type with arguments; `Box`, `Option` and their like are what they hold."""
        base_node = node.child_by_field_id(self.at.type)
        name = self.text(base_node).rpartition("::")[2]
        given = self.type_list(node.child_by_field_id(self.at.type_arguments), depth + 1)
        if name in TRANSPARENT:
            inner = given[0] if given else None
            if not self.is_ours(name):
                return inner
            return one_of([("args", self.path(base_node), given), inner])
        if name in LISTS:
            return ("args", ("lit", "list"), given[:1])
        if name in DICTS:
            return ("args", ("lit", "dict"), given[:2])
        base = self.path(base_node)
        return ("args", base, given) if base is not None else None

    def bounds(self, node: Node | None) -> Expr:
        """What a type parameter with these bounds may be: any of the traits."""
        if node is None:
            return None
        return one_of([self.type_expr(each) for each in node.named_children if each.type != "lifetime"])


def one_of(types: list[Expr]) -> Expr:
    """The known ones of several types."""
    known = tuple(type_ for type_ in types if type_ is not None)
    return ("any", known) if len(known) > 1 else known[0] if known else None
