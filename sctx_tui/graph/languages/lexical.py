"""What extractors of block-scoped languages share: walking by node type, names that end with their block."""

from __future__ import annotations

from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import MAX_DEPTH, PARAMS, RETURNS, Expr, Param
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.grammars import fields
from sctx_tui.graph.literals import elide

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

MAX_NESTING = 150  # nodes within nodes, beyond which only calls by plain name are seen
DEEPEST = MAX_DEPTH - 4  # an Expr that is under way
MAX_SIGNATURE = 240  # characters
MAX_DOC = 600
LONGEST_NAME = 64  # bytes of a text that is likely to come again


class Block:
    """The names that a block declares, and what the facts call them."""

    __slots__ = ("is_function", "names", "symbol")

    def __init__(self, symbol: int, names: dict[str, str], is_function: bool) -> None:
        self.symbol = symbol
        self.names = names
        self.is_function = is_function  # the outermost block of a function, its parameters included


@cache
def _handlers(walker: type, kind: str) -> dict[int, Callable[[Any, Node], Expr]]:
    """What the walkers of one class (of one grammar) have looked up of "leaf" or "other", by node id."""
    return {}


class Lexical:
    """Walks a tree: a node of type ``t`` goes to the method ``on_t``, or to ``parts`` where there is none."""

    leaves: frozenset[str] = frozenset()  # types of nodes that nothing is looked for in

    def __init__(self, rec: Recorder, source: bytes) -> None:
        self.rec = rec
        self.source = source
        self._texts: dict[bytes, str] = {}
        self.depth = 0  # of Exprs, in this function
        self.nesting = 0  # of calls of `expr`, in the file
        self.blocks: list[Block] = []  # around this point, functions' own included
        self.block_variables = 0
        walker: Any = type(self)
        self._leaf, self._on = _handlers(walker, "leaf"), _handlers(walker, "other")
        self.at = fields(rec.facts["language"])

    def text(self, node: Node | None) -> str:
        """The source of a node."""
        if node is None:
            return ""
        raw = self.source[node.start_byte : node.end_byte]  # half the price of `node.text`
        return self._texts.get(raw) or self._text(raw)

    def _text(self, raw: bytes) -> str:
        text = raw.decode("utf-8", "replace")
        if len(raw) <= LONGEST_NAME:
            text = self._texts[raw] = intern(text)
        return text

    def line(self, node: Node) -> int:
        """The first line of a node, 1-based."""
        return int(node.start_point[0]) + 1

    def end_line(self, node: Node) -> int:
        """The last line of a node, 1-based."""
        return int(node.end_point[0]) + 1

    # walking

    def expr(self, node: Node | None) -> Expr:
        """What the node may be; statements give None."""
        if node is None:
            return None
        if self.depth > DEEPEST or self.nesting > MAX_NESTING:
            self.flat(node)
            return None
        kind = node.kind_id
        leaf = self._leaf.get(kind)
        if leaf is not None:
            return leaf(self, node)
        handler = self._on.get(kind) or self._handler(node)
        self.depth += 1
        self.nesting += 1
        value: Expr = handler(self, node)
        self.nesting -= 1
        self.depth -= 1
        return value

    def _handler(self, node: Node) -> Callable[[Any, Node], Expr]:
        """The method for a kind of nodes that hasn't been met before."""
        found: Callable[[Any, Node], Expr] = getattr(type(self), f"on_{node.type}", type(self).parts)
        (self._leaf if node.type in self.leaves else self._on)[node.kind_id] = found
        return found

    def parts(self, node: Node) -> Expr:
        """Whatever is inside, for its calls."""
        for child in node.named_children:
            self.expr(child)
        return None

    def flat(self, node: Node) -> None:
        """Calls by plain name in code that is nested too deeply to be followed."""
        cursor = node.walk()
        while True:
            here = cursor.node
            if here is not None and here.type == "call_expression":
                function = here.child_by_field_id(self.at.function)
                if function is not None and function.type == "identifier":
                    self.rec.call(self.line(here), ("call", self.use(self.text(function)), (), ()))
            if cursor.goto_first_child() or cursor.goto_next_sibling():
                continue
            while cursor.goto_parent():
                if cursor.goto_next_sibling():
                    break
            else:
                return

    # names

    def use(self, name: str) -> Expr:
        """What a name means here."""
        for block in reversed(self.blocks):
            spelt = block.names.get(name)
            if spelt is not None:
                return self.rec.use(spelt)
        return self.rec.use(name)

    def declared(self, name: str) -> tuple[int, str]:
        """The function that declares a name (0: none does), and what the facts call it."""
        for block in reversed(self.blocks):
            spelt = block.names.get(name)
            if spelt is not None:
                return block.symbol, spelt
        return 0, name

    def begin_block(self) -> None:
        """Begins a block inside a function; ``blocks.pop()`` ends it."""
        self.blocks.append(Block(self.rec.scope, {}, False))

    def declare(self, name: str, value: Expr) -> None:
        """A new variable of this block."""
        if name in ("", "_"):
            return
        spelt = name
        if self.blocks:
            block = self.blocks[-1]
            # A name of its own: the block's end gives `name` back its outer meaning, and in a function
            # what was said before (`path := path.Clean(p)`) goes on meaning what is outside.
            if not block.is_function or name in self.rec.asked:
                self.block_variables += 1
                spelt = f"{name}@{self.block_variables}"
            block.names[name] = spelt
        self.rec.bind(spelt, value)

    def assign_name(self, name: str, value: Expr) -> None:
        """``name = value`` to a variable that is declared already, and keeps its type where nothing is known
        of the value."""
        if name == "_" or value is None:
            return
        symbol, spelt = self.declared(name)
        if symbol == self.rec.scope:
            self.rec.bind(spelt, value)
        else:
            self.rec.bind_in(symbol, spelt, value)

    def set_types(self, params: tuple[Param, ...], returns: Expr) -> None:
        """Gives the current symbol its parameters and result, whose types only its inside knows."""
        symbols = self.rec.facts["symbols"]
        row = symbols[self.rec.scope]
        symbols[self.rec.scope] = (*row[:PARAMS], params, returns, *row[RETURNS + 1 :])

    # what a definition says of itself

    def doc(self, node: Node) -> str:
        """The comment right above a declaration."""
        lines: list[str] = []
        above, line = node.prev_sibling, node.start_point[0]
        while above is not None and ("comment" in above.type or above.type == "attribute_item"):
            # A Rust doc comment's node has its line break in it, and ends at the beginning of the next line.
            if above.end_point[0] - (above.end_point[1] == 0) < line - 1:
                break
            if above.type != "attribute_item":
                lines.insert(0, self.text(above).strip("/*! \t\n"))
            line = above.start_point[0]
            above = above.prev_sibling
        return " ".join(" ".join(lines).split())[:MAX_DOC]

    def signature(self, node: Node) -> str:
        """A declaration up to its body, on one line."""
        body = node.child_by_field_id(self.at.body)
        head = self.source[node.start_byte : body.start_byte if body is not None else node.end_byte]
        text = " ".join(elide(head.decode("utf-8", "replace"), single=False).split()).rstrip(" ;")
        return text if len(text) <= MAX_SIGNATURE else text[: MAX_SIGNATURE - 1] + "…"
