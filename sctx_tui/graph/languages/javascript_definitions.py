"""JavaScript and TypeScript definitions: functions, parameters, signatures and comments."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import (
    ABSTRACT,
    ASYNC,
    FLAGS,
    GENERATOR,
    OWN_THIS,
    PROPERTY,
    RETURNS,
    SETTER,
    Expr,
    Param,
)
from sctx_tui.graph.flow import parameter
from sctx_tui.graph.languages.javascript_assignments import WRAPPERS, Assignments
from sctx_tui.graph.languages.javascript_expressions import DEEP, SHALLOW
from sctx_tui.graph.languages.javascript_names import Frame
from sctx_tui.graph.languages.javascript_types import jsdoc_tags
from sctx_tui.graph.literals import elide

if TYPE_CHECKING:
    from tree_sitter import Node

#: Longest head of a function that becomes its signature, in bytes.
LONGEST_HEAD = 2000
PARAMETER_TAGS = frozenset({"param", "arg", "argument"})
RETURN_TAGS = frozenset({"return", "returns"})

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_AROUND = re.compile(r"(?<=[(){}\[\]<>,:;=|&?])\s+|\s+(?=[(){}\[\]<>,:;=|&?])")
_WORD = re.compile(r">(?=\w)")
_LAST_COMMA = re.compile(r",(?=[)}\]>])")
_MARGIN = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


@lru_cache(maxsize=4096)
def tidy(head: str) -> str:
    """The head of a definition in one spelling, whatever a formatter makes of it."""
    if "/" in head:
        head = _COMMENT.sub(" ", head)
    head = elide(head)
    head = _AROUND.sub("", " ".join(head.split()))
    head = _LAST_COMMA.sub("", head).replace("'", '"').replace(";}", "}")
    head = head.replace(",", ", ").replace(":", ": ").replace("=>", "\0").replace("=", " = ")
    return _WORD.sub("> ", head).replace("\0", " => ").replace("|", " | ").replace("&", " & ").strip()


def comment_text(comment: str) -> str:
    """What a ``/** */`` comment says, without its frame."""
    return _MARGIN.sub("", comment[3:-2]).strip()


class Definitions(Assignments):
    """The part of the walker that makes symbols of functions."""

    doc: str = ""  # the `/** */` comment before what is being walked

    # names

    def prefix(self) -> str:
        """The qualname that definitions here are under."""
        symbols = self.rec.facts["symbols"]
        scope = self.rec.scope
        while scope > 0 and symbols[scope][2] in ("lambda", "namespace"):
            scope = symbols[scope][3]
        return symbols[scope][1] if scope > 0 else ""

    def qualname(self, path: str, *, member: bool = False) -> str:
        """The qualname of ``path`` here; what a constructor makes is a member of its class."""
        prefix = self.prefix()
        if member:
            prefix = prefix.removesuffix("constructor").removesuffix(".")
        return f"{prefix}.{path}" if prefix else path

    def named(
        self, node: Node, path: str, *, method: bool = False, owner: Expr = None, this: Expr = None
    ) -> Expr:
        """The Expr of ``node``; a function, class or object literal there is called ``path``."""
        kind = node.type
        if node.kind_id in self.functions and path:
            member = method and owner is None
            return ("def", self.function(node, path, method=method, owner=owner, this=this, member=member))
        if (kind == "object" or kind in WRAPPERS) and self.depth < DEEP:
            self.depth += 1
            value = self.object_literal(node, path) if kind == "object" else self.wrapped(node, path, this)
            self.depth -= 1
            return self.brief(value) if self.depth % SHALLOW == 0 else value
        if kind == "class":
            return ("def", self.class_definition(node, path))
        if kind in ("binary_expression", "ternary_expression", "call_expression"):
            self.doc = ""
        return self.expr(node)

    def wrapped(self, node: Node, path: str, this: Expr) -> Expr:
        """``(e)``, ``e as T``, ``e!``."""
        parts = self.parts(node)
        value = self.named(parts[0], path, method=this is not None, this=this) if parts else None
        return self.with_type(value, self.declared(parts[1]) if len(parts) > 1 else None)

    def class_definition(self, node: Node, path: str) -> int:
        """Walk a class that is called `path`; its index."""
        raise NotImplementedError

    def object_literal(self, node: Node, path: str) -> Expr:
        """An object whose functions are called after `path`."""
        raise NotImplementedError

    def statements(self, node: Node | None) -> None:
        """Walk the statements of a function's body."""
        raise NotImplementedError

    def take_doc(self) -> str:
        """The comment before this definition; those inside don't get it again."""
        doc, self.doc = self.doc, ""
        return doc

    def note_comment(self, node: Node) -> None:
        """Remembers a ``/** */`` comment for the definition that follows it."""
        raw = node.text or b""
        if raw.startswith(b"/**") and len(raw) > 4:
            self.doc = raw.decode("utf-8", "replace")

    def jsdoc_declared(self) -> Expr:
        """What ``@type`` before a declaration says."""
        if "@type" not in self.doc:
            return None
        for tag, type_, _ in jsdoc_tags(self.doc):
            if tag == "type" and (found := self.jsdoc_type(type_)) is not None:
                return ("inst", found)
        return None

    # functions

    def on_function_expression(self, node: Node) -> Expr:
        name = node.child_by_field_id(self.at.name)
        self.doc = ""
        return ("def", self.function(node, self.text(name) if name is not None else ""))

    on_arrow_function = on_generator_function = on_function_expression

    def on_function_declaration(self, node: Node) -> Expr:
        name_node = node.child_by_field_id(self.at.name)
        name = self.text(name_node) if name_node is not None else "default"
        value: Expr = ("def", self.function(node, name))
        self.define(node, name, value)
        return value

    on_generator_function_declaration = on_function_declaration

    def define(self, node: Node, name: str, value: Expr) -> None:
        """Gives ``name`` its definition; a hoisted one had a bind from the beginning of its block."""
        placeholder = self.placeholders.get(node.id)
        if placeholder is None:
            if name not in self.frame.names:
                self.assign_name(name, value)
            return
        binds = self.rec.facts["binds"]
        binds[placeholder] = (*binds[placeholder][:2], value)

    def on_function_signature(self, node: Node) -> Expr:
        """An overload, or a function that is declared elsewhere."""
        name_node = node.child_by_field_id(self.at.name)
        name = self.text(name_node) if name_node is not None else "default"
        if self.rec.reaching(self.renames.get(name, name)) is None:
            self.assign_name(name, ("def", self.function(node, name, flags=ABSTRACT)))
        return None

    def function(
        self,
        node: Node,
        path: str,
        *,
        method: bool = False,
        owner: Expr = None,
        this: Expr = None,
        member: bool = False,
        flags: int = 0,
        decorators: tuple[str, ...] = (),
        key: str = "",
    ) -> int:
        """Walks a function of any form and gives its symbol.

        ``path``: its name below the scope, "" for an anonymous one; ``owner``: the class whose prototype it
        joins; ``this``: what its receiver is known to be besides; ``key``: its name in its class, where
        ``path`` says more.
        """
        rec, doc = self.rec, self.take_doc()
        arrow = node.type == "arrow_function"
        for child in node.children:
            kind = child.type
            if kind == "async":
                flags |= ASYNC
            elif kind == "*":
                flags |= GENERATOR
            elif kind in ("get", "set") and not child.is_named:
                flags |= PROPERTY if kind == "get" else SETTER
            elif kind in ("formal_parameters", "statement_block"):
                break
        if node.type.startswith("generator_function"):
            flags |= GENERATOR
        body = node.child_by_field_id(self.at.body)
        outer_this = self.arrow_this(node, named=bool(path)) if arrow else None
        index = rec.open(
            key or (path.rpartition(".")[2] if "[" not in path else path),
            "lambda" if not path else "method" if method else "function",
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            signature=self.signature(node, body, path),
            doc=comment_text(doc) if doc else "",
            decorators=decorators,
            flags=flags,
            owner=owner,
            qualname=self.qualname(path, member=member) if path else "",
        )
        saved = self.frame, self.renames, self.this, self.this_owner
        outer_types = self.type_parameter
        frame = self.frame = Frame(index, saved[0])
        if arrow:
            self.this = outer_this
        else:
            receiver: Expr = ("this",)
            self.this_owner = frame
            self.this = receiver if this is None or owner is not None else ("any", (receiver, this))
        own_name = node.child_by_field_id(self.at.name)
        if node.type in ("function_expression", "generator_function") and own_name is not None:
            frame.names.add(self.text(own_name))
            rec.bind(self.text(own_name), ("def", index))
        self.head(node, frame, doc, index)
        if body is not None and body.type != "statement_block":
            if body.kind_id in self.functions:
                self.expected = rec.facts["symbols"][index][RETURNS]
            rec.returned(self.brief(self.expr(body)))
        else:
            self.statements(body)
        self.frame, self.renames, self.this, self.this_owner = saved
        self.type_parameter = outer_types
        if frame.uses_this:
            self.set_flags(index, OWN_THIS)
        if not path:
            saved[0].mutated |= {name for name in frame.mutated if name.startswith("this.") and arrow}
        rec.close(tuple(sorted(frame.mutated)))
        return index

    def set_flags(self, index: int, flags: int) -> None:
        """Add flags to a symbol that has been recorded."""
        symbols = self.rec.facts["symbols"]
        row = symbols[index]
        symbols[index] = (*row[:FLAGS], row[FLAGS] | flags, *row[FLAGS + 1 :])

    def arrow_this(self, node: Node, *, named: bool) -> Expr:
        """``this`` of the function around an arrow function, as the arrow function can refer to it."""
        if not named or self.this is None or self.this[0] in ("var", "inst", "def"):
            return self.this
        return self.keep(self.this) if b"this" in (node.text or b"") else self.this

    def head(self, node: Node, frame: Frame, doc: str, index: int) -> None:
        """Type parameters, parameters and result: binds them and completes the symbol's row."""
        rec = self.rec
        tags = jsdoc_tags(doc) if "@" in doc else ()
        documented = {name: type_ for tag, type_, name in tags if tag in PARAMETER_TAGS and type_}
        own = self.type_parameters(node)
        if self.type_parameter and own:  # which hide those of the class
            self.type_parameter = {k: v for k, v in self.type_parameter.items() if k not in own}
        for tag, type_, name in tags:
            if tag == "template" and type_ and name:
                rec.bind(name, self.jsdoc_type(type_))
        listed = node.child_by_field_id(self.at.parameters)
        nodes = self.parts(listed) if listed is not None else []
        if listed is None and (single := node.child_by_field_id(self.at.parameter)) is not None:
            nodes = [single]
        expected, self.expected = self.expected, None
        found = [self.parameter(child, documented) for child in nodes]
        patterns = [
            self.expecting(one, expected, position)
            for position, one in enumerate(one for one in found if one is not None)
        ]
        for target, _, _ in patterns:
            frame.parameters.update(self.pattern_names(target))
        frame.names |= frame.parameters
        for target in self.vars.get(node.id, ()):
            frame.names.update(self.pattern_names(target))
        if self.renames:
            self.renames = {name: to for name, to in self.renames.items() if name not in frame.names}
        returns = self.type_expr(node.child_by_field_id(self.at.return_type))
        if returns is None:
            text = next((type_ for tag, type_, _ in tags if tag in RETURN_TAGS and type_), "")
            returns = self.jsdoc_type(text)
        params = [param for _, param, _ in patterns]
        row = rec.facts["symbols"][index]
        rec.facts["symbols"][index] = (*row[:10], tuple(params), returns, *row[12:])
        for position, (target, param, child) in enumerate(patterns):
            self.bind_parameter(position, target, param, child)

    def bind_parameter(self, position: int, target: Node, param: Param, child: Node) -> None:
        """Binds a parameter's names, evaluates its default, and makes a field of a parameter property."""
        rec = self.rec
        value: Expr = parameter(position)
        default = child.child_by_field_id(self.at.value) or child.child_by_field_id(self.at.right)
        if default is not None and child.type != "rest_pattern":
            row = rec.facts["symbols"][rec.scope]
            fallback = self.brief(self.expr(default))
            params = list(row[10])
            params[position] = (param[0], param[1], fallback, param[3])
            rec.facts["symbols"][rec.scope] = (*row[:10], tuple(params), *row[11:])
        if param[1] is None:
            value = self.with_type(value, self.declared(child.child_by_field_id(self.at.type)))
        if target.kind_id == self.identifier:
            rec.bind(self.text(target), value)
            if child.type != "identifier" and any(
                part.type in ("accessibility_modifier", "override_modifier", "readonly")
                for part in child.children
            ):
                rec.store(("attr", ("this",), self.text(target)), self.use(self.text(target)))
        else:
            self.assign(target, self.brief(value))

    def parameter(self, node: Node, documented: dict[str, str]) -> tuple[Node, Param, Node] | None:
        """(pattern, row, node) of one parameter; None for TypeScript's ``this``."""
        target: Node | None = node
        kind = "pos"
        if node.type in ("required_parameter", "optional_parameter"):
            target = node.child_by_field_id(self.at.pattern)
        elif node.type == "assignment_pattern":
            target = node.child_by_field_id(self.at.left)
        if target is not None and target.type == "rest_pattern":
            target, kind = self.first(target), "*"
        if target is None or target.type == "this":
            if (
                target is not None
                and (type_ := self.type_expr(node.child_by_field_id(self.at.type))) is not None
            ):
                self.this = ("any", (self.this, ("inst", type_)))
            return None
        name = self.text(target) if target.kind_id == self.identifier else ""
        type_ = self.type_expr(node.child_by_field_id(self.at.type))
        if type_ is None and name in documented:
            type_ = self.jsdoc_type(documented[name])
        return target, (name, type_, None, kind), node

    def expecting(
        self, parameter: tuple[Node, Param, Node], expected: Expr, position: int
    ) -> tuple[Node, Param, Node]:
        """The parameter with its type from the declared type of the function, where it has none itself."""
        target, param, node = parameter
        if expected is None or param[3] != "pos" or node.child_by_field_id(self.at.type) is not None:
            return parameter
        return target, (param[0], ("paramof", expected, position), *param[2:]), node

    def type_parameters(self, node: Node) -> dict[str, Expr]:
        """Binds each type parameter to its bound; gives the binds by name."""
        made: dict[str, Expr] = {}
        listed = node.child_by_field_id(self.at.type_parameters)
        for index, child in enumerate(self.parts(listed) if listed is not None else ()):
            name, bound = child.child_by_field_id(self.at.name), child.child_by_field_id(self.at.constraint)
            if name is not None:
                made[self.text(name)] = ("var", len(self.rec.facts["binds"]))
                self.rec.bind(self.text(name), ("tparam", index, self.type_expr(bound)))
        return made

    def signature(self, node: Node, body: Node | None, path: str) -> str:
        """The head of a definition in one line."""
        end = body.start_byte if body is not None else node.end_byte
        start = node.start_byte
        raw = self.source[start : min(end, start + LONGEST_HEAD)]
        single = node.child_by_field_id(self.at.parameter) if node.type == "arrow_function" else None
        if single is not None:
            raw = raw.replace(single.text or b"", b"(" + (single.text or b"") + b")", 1)
        head = tidy(raw.decode("utf-8", "replace"))
        if path and node.kind_id in self.functions:
            return f"{path.rpartition('.')[2]} = {head}"
        return head
