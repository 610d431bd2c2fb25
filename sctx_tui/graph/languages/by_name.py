"""Languages at the depth of symbols and calls by name: one query file each, nothing else.

A query names what it finds: ``@class``, ``@interface`` and ``@function`` with their ``@name`` (and
``@owner``, where a method stands outside its class), ``@base``; ``@call`` and ``@new`` with ``@callee`` and
``@receiver``; ``@import`` with ``@spec`` and ``@alias``; ``@typed`` with ``@name`` and ``@type``, a variable
whose type is said. ``@extension`` holds methods of the type that its ``@name`` names.
Where a language hides a function's name in a declarator, ``@declarator`` names the ``@function`` around it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.facts import EXPORTED, PARENT, Expr, FileFacts, Param
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.literals import elide, specifier

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

_SIGNATURE = 240  # characters
_DOC = 600
# What marks a definition as hidden from other files.
_HIDDEN = {
    "java": re.compile(r"\bprivate\b"),
    "c": re.compile(r"\bstatic\b"),
    "cpp": re.compile(r"\bstatic\b"),
    "csharp": re.compile(r"\bprivate\b"),
    "php": re.compile(r"\bprivate\b"),
    "kotlin": re.compile(r"\bprivate\b"),
    "swift": re.compile(r"\b(?:file)?private\b"),
    "scala": re.compile(r"\bprivate\b"),
    "lua": re.compile(r"^local\b"),
}
# Where a method calls the object's other methods without saying so.
_IMPLICIT_THIS = {"java", "cpp", "csharp", "kotlin", "swift", "scala", "ruby"}
# Where strings may stand in single quotes, not characters alone.
_SINGLE_QUOTED = {"ruby", "php", "lua", "bash"}
_THIS = {"this", "self", "$this", "static", "Self"}
_SUPER = {"super", "base", "parent"}
# What a variable of a type that the project doesn't have can be called on: nothing of ours.
_OUTSIDE: Expr = ("inst", ("lit", "object"))
# Words that leave the type to the value.
_UNSAID = {"var", "auto", "let", "val", "dynamic"}
_VARIABLE = re.compile(r"[^\W\d]\w*")
_TYPE = re.compile(r"[^\W\d]\w*(?=\W*(?:<|\[|$))")
_OWN_FIELD = re.compile(r"(?:\$?this|self)(?:\??\.|\??->)([^\W\d]\w*)")
_TYPE_ARGUMENTS = re.compile(r"<.*>", re.S)
_RULER = re.compile(r"[^\w\s]{4,}")
# Where functions don't stand in functions: one inside another is one that the parser doesn't see the end of.
_FLAT = {"c", "cpp"}
# Where one name has several functions, told apart by their parameters or by the preprocessor.
_OVERLOADS = {"java", "c", "cpp", "csharp", "kotlin", "scala", "swift"}
_LISTS = re.compile(r"(?:formal_)?parameter(?:s|_list)|function_value_parameters")
_KEYWORDS = frozenset("if else for while do switch case return sizeof catch try defined".split())
_SELECTORS = re.compile(r"^(.*)\{(.*)\}$", re.S)
_NAME = re.compile(r"\$?[^\W\d]\w*")
_COMMENT_MARKS = re.compile(r"^\s*(?:/\*+!?|\*+/|//[/!]?|#+|--+|\*)|\*+/\s*$", re.M)


@cache
def _query(language: str) -> Query:
    from tree_sitter import Query

    from sctx_tui.graph.grammars import language as load
    from sctx_tui.graph.languages import BY_NAME

    text = files(__package__).joinpath(f"{language}.scm").read_text(encoding="utf-8")
    return Query(load(BY_NAME[language].grammar), text)


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one file of a language that is known by its query alone."""
    from tree_sitter import QueryCursor

    rec = Recorder(language)
    rec.open(path.rpartition("/")[2], "module", 1, tree.root_node.end_point[0] + 1, qualname="<module>")
    walk = _Walk(rec, language)
    for found in _in_order(QueryCursor(_query(language)).matches(tree.root_node)):
        walk.visit(*found)
    walk.leave_until(len(source) + 1)
    rec.close()
    return rec.facts


def _in_order(matches: list[tuple[int, dict[str, list[Node]]]]) -> list[tuple[Node, str, dict[str, Node]]]:
    """(node, what it is, captures) by position, what encloses first; a definition before what it holds."""
    found: list[tuple[Node, str, dict[str, Node]]] = []
    named: dict[int, dict[str, Node]] = {}
    for _, captures in matches:
        first = {name: nodes[0] for name, nodes in captures.items()}
        what = next((each for each in _KINDS if each in first), None)
        if what == "declarator":
            named[_definition_of(first["declarator"])] = first
        elif what is not None:
            found.append((first[what], what, first))
    for index, (node, kind, parts) in enumerate(found):
        if kind == "function" and "name" not in parts and node.id in named:
            found[index] = (node, kind, {**parts, **named[node.id]})
    order = {kind: number for number, kind in enumerate(_KINDS)}
    return sorted(found, key=lambda each: (each[0].start_byte, -each[0].end_byte, order[each[1]]))


_KINDS = tuple("typed class interface extension function declarator import base new call".split())


def _definition_of(node: Node) -> int:
    """The id of the function definition that a declarator belongs to; 0 where it only declares."""
    parent = node.parent
    while parent is not None and parent.type.endswith("_declarator"):
        parent = parent.parent
    return parent.id if parent is not None and parent.type == "function_definition" else 0


class _Walk:
    """Opens and closes symbols while matches come in the order of the source."""

    def __init__(self, rec: Recorder, language: str) -> None:
        self.rec = rec
        self.language = language
        self.ends: list[tuple[int, str, bool]] = []  # (end byte, name, is it bound in its parent)
        self.extension = (0, "")  # (end byte, type) of the one around this point

    def visit(self, node: Node, what: str, captures: dict[str, Node]) -> None:
        self.leave_until(node.start_byte)
        if what in ("class", "interface", "function"):
            if "name" in captures and not self.is_keyword(captures["name"]):
                self.define(node, what, captures)
        elif what == "extension":
            self.extension = (node.end_byte, self.name(captures["name"]))
        elif what == "base":
            self.base(node)
        elif what == "import":
            self.import_(node, captures)
        elif what == "typed":
            self.typed(node, captures)
        else:
            self.call(node, what, captures)

    def is_keyword(self, name: Node) -> bool:
        """Whether a parser that lost its way took a statement for a function."""
        return self.language in _FLAT and _text(name) in _KEYWORDS

    def define(self, node: Node, what: str, captures: dict[str, Node]) -> None:
        rec = self.rec
        name = self.name(captures["name"])
        while what == "function" and self.language in _FLAT and rec.kind() in ("function", "method"):
            self.leave()
        in_class = rec.kind() in ("class", "interface")
        owner = _TYPE_ARGUMENTS.sub("", self.name(captures["owner"])) if "owner" in captures else ""
        if what == "function" and not in_class and node.start_byte < self.extension[0]:
            owner = self.extension[1]
        kind = what if what != "function" else "method" if in_class or owner else "function"
        signature = _signature(node, self.language)
        hidden = _HIDDEN.get(self.language)
        flags = 0 if hidden is not None and hidden.search(signature) else EXPORTED
        rec.open(
            name,
            kind,
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=signature,
            doc=_doc(node),
            params=_params(captures.get("declarator", node)) if self.language in _OVERLOADS else (),
            flags=flags,
            owner=_name(owner) if owner else None,
            qualname=f"{owner}.{name}" if owner else "",
        )
        self.ends.append((node.end_byte, name, not owner))

    def leave_until(self, position: int) -> None:
        """Close what ends at or before `position`."""
        while self.ends and self.ends[-1][0] <= position:
            self.leave()

    def leave(self) -> None:
        """Close the innermost symbol."""
        _, name, is_bound = self.ends.pop()
        index = self.rec.close()
        if is_bound:
            made: Expr = ("def", index)
            before = self.rec.reaching(name) if self.language in _OVERLOADS else None
            if before is not None:
                known = self.rec.facts["binds"][before][2]
                others = known[1] if known is not None and known[0] == "any" else (known,)
                made = ("any", (*others, made))
            self.rec.bind(name, made)

    def name(self, node: Node) -> str:
        """A name as the source has it; in a shell any word may be one, quotes and all."""
        return elide(_text(node), single=self.language in _SINGLE_QUOTED)

    def base(self, node: Node) -> None:
        rec = self.rec
        symbols = rec.facts["symbols"]
        row = symbols[rec.scope]
        if row[2] in ("class", "interface"):
            symbols[rec.scope] = (*row[:9], (*row[9], _name(_text(node))), *row[10:])

    def import_(self, node: Node, captures: dict[str, Node]) -> None:
        if "spec" not in captures:
            return
        for text in _specs(_text(captures["spec"]).strip("\"'<> ")):
            spec = specifier(text.replace("\\", "/"))
            if "\\" in text:
                spec = spec.replace("/", "\\")
            self.rec.facts["imports"].append((spec, node.start_point[0] + 1, ()))
            if "alias" in captures:
                self.rec.bind(_text(captures["alias"]), _name(text.replace("\\", ".").rpartition(".")[2]))

    def typed(self, node: Node, captures: dict[str, Node]) -> None:
        """A variable, parameter or field of a type; variables have names apart from what can be called."""
        name = _VARIABLE.search(_text(captures["name"]))
        type_ = _TYPE.search(_text(captures["type"]).rstrip("?*& "))
        if name is not None and type_ is not None and type_[0] not in _UNSAID:
            value: Expr = ("else", ("inst", ("name", type_[0])), _OUTSIDE)
            self.rec.bind(f"={name[0]}", value)
            if node.type == "property_promotion_parameter":  # PHP: a parameter and a field
                self.rec.bind_in(self.rec.facts["symbols"][self.rec.scope][PARENT], f"={name[0]}", value)

    def call(self, node: Node, what: str, captures: dict[str, Node]) -> None:
        if "callee" not in captures or self.is_keyword(captures["callee"]):
            return
        name = self.name(captures["callee"])
        callee: Any = ("name", name)
        if self.language in _IMPLICIT_THIS and what == "call" and self.rec.kind() == "method":
            callee = ("any", (callee, ("attr", ("this",), name)))
        if "receiver" in captures:
            receiver = captures["receiver"]
            callee = ("attr", _receiver(_text(receiver)), name)
            around = receiver.parent
            if around is not None and around.type == "qualified_identifier" and _text(receiver) != "std":
                callee = ("else", callee, ("name", name))  # of a C++ namespace, which is no symbol
        tag = "new" if what == "new" else "call"
        if self.language == "ruby" and name == "new" and callee[0] == "attr":
            tag, callee = "new", callee[1]
        args = _args(node) if self.language in _OVERLOADS else ()
        self.rec.call(node.start_point[0] + 1, (tag, callee, args, ()))


def _params(node: Node) -> tuple[Param, ...]:
    """As many parameters as a definition has."""
    children = node.named_children
    found = next((child for child in children if _LISTS.fullmatch(child.type)), None)
    if found is not None:
        children = [] if _text(found) == "(void)" else found.named_children
    return (("", None, None, "pos"),) * sum("parameter" in child.type for child in children)


def _args(node: Node) -> tuple[None, ...]:
    """As many arguments as a call has."""
    found = node.child_by_field_name("arguments")
    if found is None:
        found = next(
            (each for each in node.named_children if each.type in ("call_suffix", "argument_list")), node
        )
    count = 0
    for child in found.named_children if found is not node else ():
        if child.type == "value_arguments":
            count += child.named_child_count
        elif "comment" not in child.type:
            count += 1
    return (None,) * count


def _receiver(text: str) -> Expr:
    if text in _THIS:
        return ("this",)
    if text in _SUPER:
        return ("super",)
    own = _OWN_FIELD.fullmatch(text)
    if own is not None:
        return ("attr", ("this",), f"={own[1]}")
    name = _name(text)
    return ("else", ("name", f"={text.lstrip('$')}"), name) if name is not None else None


def _specs(text: str) -> list[str]:
    """The modules of an import; Scala has several in braces, and the word `import` before them."""
    text = text.removeprefix("import ").strip()
    several = _SELECTORS.match(text)
    names = (
        [name.split("=>")[0].split(" as ")[0].strip() for name in several[2].split(",")] if several else [""]
    )
    return [
        f"{several[1] if several else text}{name}".removesuffix("._").removesuffix(".*") for name in names
    ]


def _name(text: str) -> Expr:
    """A plain name, to be looked up; None for anything else."""
    return ("name", text) if _NAME.fullmatch(text) else None


def _text(node: Any) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _signature(node: Node, language: str) -> str:
    """The definition up to its body, on one line."""
    body = node.child_by_field_name("body")
    if body is None:
        body = next((each for each in node.named_children if each.type.endswith(("body", "block"))), None)
    comments = [each for each in node.named_children if "comment" in each.type]
    if comments and (body is None or comments[0].start_byte < body.start_byte):
        body = comments[0]
    head = (node.text or b"")[: body.start_byte - node.start_byte] if body is not None else node.text or b""
    shown = elide(head[: 4 * _SIGNATURE].decode("utf-8", "replace"), single=language in _SINGLE_QUOTED)
    text = " ".join(shown.split()).rstrip(" {=;:")
    return text if len(text) <= _SIGNATURE else text[: _SIGNATURE - 1] + "…"


def _doc(node: Node) -> str:
    """The comment right above."""
    lines: list[str] = []
    above, line = node.prev_sibling, node.start_point[0]
    while above is not None and "comment" in above.type and above.end_point[0] >= line - 1:
        text = (above.text or b"")[: 2 * _DOC].decode("utf-8", "replace")
        lines.insert(0, _RULER.sub("", _COMMENT_MARKS.sub("", text)))
        line = above.start_point[0]
        above = above.prev_sibling
    return " ".join(" ".join(lines).split())[:_DOC]
