"""Python's strings: constants, texts that are put together, what formatting runs, and code in strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.python_containers import Containers
from sctx_tui.graph.languages.python_expressions import LONG, STR
from sctx_tui.graph.literals import is_part_of_name, kept

if TYPE_CHECKING:
    from tree_sitter import Node

LONG_TEXT = 400
#: Most parts of a text that is put together.
MANY_PARTS = 6

_PLAIN_STRING = re.compile(rb"""[urUR]?(?P<q>'''|\"\"\"|['"])(?P<body>[^\\]*)(?P=q)""")


class Strings(Containers):
    """Strings, and the functions that are given names and code in them."""

    def on_string(self, node: Node) -> Expr:
        start, end = node.start_byte, node.end_byte
        if end - start <= LONG_TEXT:
            match = _PLAIN_STRING.fullmatch(self.source, start, end)
            if match:
                made = self.constant(match["body"].decode("utf-8", "replace"))
                self.known[self.source[start:end]] = made
                return made
        parts: list[Expr] = []
        for child in node.named_children:
            if child.type == "interpolation":
                parts.append(self.interpolation(child))
            elif child.type == "string_content":
                parts.append(self.constant((child.text or b"").decode("utf-8", "replace")))
        return self.joined(parts)

    def interpolation(self, node: Node) -> Expr:
        """``{value!r:spec}`` of an f-string."""
        value = self.expr(node.child_by_field_id(self.at.expression))
        method = "__format__"
        for part in node.named_children[1:]:
            self.expr(part)
            if part.type == "type_conversion":
                method = "__str__" if part.text == b"!s" else "__repr__"
        self.shown(node, value, method)
        return value

    def joined(self, parts: list[Expr]) -> Expr:
        """The text that is made of these, where it may be a name."""
        texts = [self.known_text(part) for part in parts]
        known = [text for text in texts if text is not None]
        if sum(map(len, known)) >= LONG:
            return STR
        if len(known) == len(parts):
            return self.constant("".join(known)) if any(known) else STR
        if len(parts) > MANY_PARTS or not any(known) or not all(map(is_part_of_name, known)):
            return STR
        pairs = zip(texts, parts, strict=True)
        return ("concat", tuple([part if text is None else ("const", text) for text, part in pairs]))

    def on_concatenated_string(self, node: Node) -> Expr:
        for child in node.named_children:
            self.expr(child)
        return STR

    def formatted(self, node: Node, template: Expr, args: tuple[Expr, ...], method: str) -> Expr:
        """``template % args`` and ``template.format(*args)``: which methods of the arguments run."""
        for arg in args:
            self.shown(node, arg, method)
        text = self.known_text(template)
        mark = "%s" if method == "__str__" else "{}"
        if text is None or text.count(mark) != len(args) or text.count(mark[0]) != len(args):
            return STR
        pieces = text.split(mark)
        parts: list[Expr] = [self.constant(pieces[0])]
        for arg, piece in zip(args, pieces[1:], strict=True):
            parts += [arg, self.constant(piece)]
        return self.joined(parts)

    def call_by_text(self, name: str, args: tuple[Expr, ...], node: Node) -> Expr:
        """``getattr``, ``setattr``, ``eval`` and ``exec``, where the text that they are given is known."""
        if name in ("eval", "exec"):
            code = self.known_text(args[0])
            if code:
                return self.embedded(code, node)
            return None
        key = kept(self.known_text(args[1]) or "") if len(args) > 1 else None
        if name == "setattr" and len(args) == 3 and args[0] is not None and key:
            self.rec.store(("attr", args[0], key), args[2], self.line(node))
        elif name == "getattr" and key:
            found = self.rec.attr(args[0], key)
            self.rec.read(self.line(node), found)
            return ("any", (found, args[2])) if len(args) > 2 and args[2] is not None else found
        return None

    def known_text(self, expr: Expr) -> str | None:
        """The text that ``expr`` is, where it is one constant."""
        if expr is not None and expr[0] == "var":
            expr = self.rec.facts["binds"][expr[1]][2]
        known = expr is not None and expr[0] == "const" and isinstance(expr[1], str)
        return self.spelt(expr) if known else None

    def embedded(self, code: str, node: Node) -> Expr:
        """Code in a string: read as if it stood here; gives its last expression."""
        raise NotImplementedError

    def shown_by(self, callee: Any, args: tuple[Expr, ...], node: Node) -> Expr:
        """``"...".format(...)``; None for anything else."""
        if callee[2] != "format" or callee[1] is None or callee[1][0] not in ("const", "var", "inst"):
            return None
        if callee[1] == STR or self.known_text(callee[1]) is not None:
            return self.formatted(node, callee[1], args, "__format__")
        return None
