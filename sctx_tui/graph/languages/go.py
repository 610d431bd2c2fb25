"""Go: declarations, statements and control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.graph.facts import ABSTRACT, EXPORTED, Expr, FileFacts, Param
from sctx_tui.graph.flow import Recorder
from sctx_tui.graph.languages.go_expressions import Block, Expressions
from sctx_tui.graph.languages.go_types import result_type, type_expr

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_SIGNATURE = 240
MAX_DOC = 600


def extract(path: str, source: bytes, tree: Tree, language: str) -> FileFacts:
    """The facts of one Go file. The module's name is the package's."""
    rec = Recorder(language)
    root = tree.root_node
    package = next((child for child in root.named_children if child.type == "package_clause"), None)
    walk = Walker(rec)
    name = walk.text(package.named_children[0]) if package is not None and package.named_children else ""
    doc = walk.doc(package) if package is not None else ""
    rec.open(name, "module", 1, root.end_point[0] + 1, qualname="<module>", doc=doc)
    walk.file(root)
    rec.close()
    return rec.facts


class Walker(Expressions):
    """Walks a file: types first, since methods and bodies may stand before them."""

    def file(self, root: Node) -> None:
        """Declarations in the order in which they can refer to each other."""
        children = root.named_children
        for kinds in (
            ("import_declaration",),
            ("type_declaration",),
            ("function_declaration", "method_declaration"),
        ):
            for child in children:
                if child.type in kinds and kinds[0] != "function_declaration":
                    self.expr(child)
        for child in children:
            if child.type in ("const_declaration", "var_declaration"):
                self.expr(child)
        for child in children:
            if child.type in ("function_declaration", "method_declaration"):
                self.expr(child)

    def doc(self, node: Node) -> str:
        """The comment right above a declaration."""
        lines: list[str] = []
        above, line = node.prev_sibling, node.start_point[0]
        while above is not None and above.type == "comment" and above.end_point[0] >= line - 1:
            text = self.text(above)
            lines.insert(0, text.strip("/* \t\n"))
            line = above.start_point[0]
            above = above.prev_sibling
        return " ".join(" ".join(lines).split())[:MAX_DOC]

    def signature(self, node: Node) -> str:
        """A declaration up to its body, on one line."""
        body = node.child_by_field_name("body")
        source = node.text or b""
        head = source[: body.start_byte - node.start_byte] if body is not None else source
        text = " ".join(head.decode("utf-8", "replace").split())
        return text if len(text) <= MAX_SIGNATURE else text[: MAX_SIGNATURE - 1] + "…"

    # imports

    def on_import_spec(self, node: Node) -> Expr:
        spec = self.text(node.child_by_field_name("path")).strip('"`')
        self.rec.facts["imports"].append((spec, self.line(node), ()))
        name = node.child_by_field_name("name")
        if name is not None and name.type == "dot":
            self.rec.facts["stars"].append((0, spec))
        elif name is None or name.type != "blank_identifier":
            for local in [self.text(name)] if name is not None else package_names(spec):
                self.rec.bind(local, ("import", spec))
        return None

    # types

    def on_type_alias(self, node: Node) -> Expr:
        type_ = type_expr(self, node.child_by_field_name("type"))
        if type_ is not None:
            self.rec.bind(self.text(node.child_by_field_name("name")), type_)
        return None

    def on_type_spec(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_name("name"))
        self.define_type(name, node, node.child_by_field_name("type"))
        return None

    def anonymous_type(self, node: Node) -> Expr:
        if not node.named_children:
            return None
        return ("def", self.define_type("", node, node))

    def define_type(self, name: str, node: Node, type_: Node | None) -> int:
        """A named type (or a struct or interface without a name) as a class or an interface."""
        rec = self.rec
        kind = "interface" if type_ is not None and type_.type == "interface_type" else "class"
        owner = node.parent if node.parent is not None and node.parent.type == "type_declaration" else node
        doc = self.doc(node) or self.doc(owner)
        shown = name or "<type>"
        index = rec.open(
            shown,
            kind,
            self.line(node),
            int(node.end_point[0]) + 1,
            signature=f"type {shown} {self.head(type_)}",
            doc=doc,
            bases=self.bases(type_),
            flags=exported(name),
        )
        self.type_parameters(node.child_by_field_name("type_parameters"))
        if type_ is not None and type_.type == "interface_type":
            self.interface(type_)
        rec.close()
        if name:
            rec.bind(name, ("def", index))
        if type_ is not None and type_.type == "struct_type":
            self.fields(index, type_)
        return index

    def head(self, type_: Node | None) -> str:
        """What kind of type it is, in a few words."""
        if type_ is None:
            return ""
        if type_.type in ("struct_type", "interface_type"):
            return type_.type.partition("_")[0]
        return " ".join(self.text(type_).split())[:80]

    def bases(self, type_: Node | None) -> tuple[Expr, ...]:
        """Embedded structs and interfaces; the type that another named type is made of."""
        if type_ is None:
            return ()
        if type_.type == "struct_type":
            return tuple(
                type_expr(self, field.child_by_field_name("type"))
                for field in field_nodes(type_)
                if not field.children_by_field_name("name")
            )
        if type_.type == "interface_type":
            elements = [each for each in type_.named_children if each.type == "type_elem"]
            return tuple(
                type_expr(self, each.named_children[0]) for each in elements if len(each.named_children) == 1
            )
        if type_.type == "function_type":
            return (type_expr(self, type_),)
        return ()

    def fields(self, index: int, type_: Node) -> None:
        base = ("inst", ("def", index))
        for field in field_nodes(type_):
            made = type_expr(self, field.child_by_field_name("type"))
            names = [self.text(name) for name in field.children_by_field_name("name")]
            if not names:
                spelt = self.text(field.child_by_field_name("type")).partition("[")[0]
                names = [spelt.lstrip("*").rpartition(".")[2]]
            for name in names if made is not None else ():
                self.rec.store(("attr", base, name), ("inst", made))

    def interface(self, type_: Node) -> None:
        for method in type_.named_children:
            if method.type != "method_elem":
                continue
            name = self.text(method.child_by_field_name("name"))
            index = self.rec.open(
                name,
                "method",
                self.line(method),
                int(method.end_point[0]) + 1,
                signature=self.signature(method),
                doc=self.doc(method),
                params=(("", None, None, "self"), *self.params(method.child_by_field_name("parameters"))),
                returns=result_type(self, method.child_by_field_name("result")),
                flags=exported(name) | ABSTRACT,
            )
            self.rec.close()
            self.rec.bind(name, ("def", index))

    def type_parameters(self, node: Node | None) -> None:
        """A type parameter stands for its constraint."""
        for each in node.named_children if node is not None else ():
            constraint = type_expr(self, each.child_by_field_name("type"))
            for name in each.children_by_field_name("name"):
                self.rec.bind(self.text(name), constraint)

    # functions

    def params(self, node: Node | None) -> tuple[Param, ...]:
        made: list[Param] = []
        for each in node.named_children if node is not None else ():
            if each.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            type_ = type_expr(self, each.child_by_field_name("type"))
            kind = "*" if each.type.startswith("variadic") else "pos"
            if kind == "*":
                type_ = ("args", ("lit", "list"), (type_,)) if type_ is not None else None
            names = [self.text(name) for name in each.children_by_field_name("name")] or [""]
            made += [(name, type_, None, kind) for name in names]
        return tuple(made)

    def on_function_declaration(self, node: Node) -> Expr:
        name = self.text(node.child_by_field_name("name"))
        index = self.function(node, name, "function")
        if name not in ("init", "_"):
            self.rec.bind(name, ("def", index))
        return None

    def on_method_declaration(self, node: Node) -> Expr:
        receiver = node.child_by_field_name("receiver")
        given = receiver.named_children[0] if receiver is not None and receiver.named_children else None
        type_ = given.child_by_field_name("type") if given is not None else None
        spelt = self.text(type_).strip("()*& ").partition("[")[0]
        names = given.children_by_field_name("name") if given is not None else []
        name = self.text(node.child_by_field_name("name"))
        self.function(
            node,
            name,
            "method",
            owner=self.rec.use(spelt) or ("name", spelt),
            qualname=f"{spelt}.{name}",
            receiver=self.text(names[0]) if names else "_",
        )
        return None

    def on_func_literal(self, node: Node) -> Expr:
        return ("def", self.function(node, "", "lambda"))

    def function(
        self,
        node: Node,
        name: str,
        kind: str,
        *,
        owner: Expr = None,
        qualname: str = "",
        receiver: str = "",
    ) -> int:
        rec = self.rec
        outer = {}
        type_parameters = node.child_by_field_name("type_parameters")
        for each in type_parameters.named_children if type_parameters is not None else ():
            constraint = type_expr(self, each.child_by_field_name("type"))
            for parameter in each.children_by_field_name("name"):
                spelt = self.text(parameter)
                outer[spelt] = rec.shadow(spelt)
                rec.bind(spelt, constraint)
        params = self.params(node.child_by_field_name("parameters"))
        if receiver:
            params = ((receiver, None, None, "self"), *params)
        result = node.child_by_field_name("result")
        index = rec.open(
            name,
            kind,
            self.line(node),
            int(node.end_point[0]) + 1,
            signature=self.signature(node) if name else "",
            doc=self.doc(node) if name else "",
            params=params,
            returns=result_type(self, result),
            flags=exported(name),
            owner=owner,
            qualname=qualname,
        )
        self.blocks.append(Block(index, {param[0]: param[0] for param in params}, True))
        for position, param in enumerate(params):
            if param[0] not in ("", "_"):
                rec.bind(param[0], ("this",) if param[3] == "self" else ("param", position))
        results = self.named_results(result)
        depth, self.depth = self.depth, 0
        body = node.child_by_field_name("body")
        if body is not None:
            self.parts(body)
        self.depth = depth
        if results:
            self.give(results)
        self.blocks.pop()
        rec.close(self.mutated(node, receiver))
        for spelt, saved in outer.items():
            rec.unshadow(spelt, saved)
        return index

    def named_results(self, node: Node | None) -> list[str]:
        names: list[str] = []
        if node is not None and node.type == "parameter_list":
            for name, type_, _, _ in self.params(node):
                if name not in ("", "_"):
                    self.declare(name, ("inst", type_) if type_ is not None else None)
                    names.append(name)
        return names

    def give(self, names: list[str]) -> None:
        values = tuple(self.use(name) for name in names)
        self.rec.returned(values[0] if len(values) == 1 else ("list", values))

    def mutated(self, node: Node, receiver: str) -> tuple[str, ...]:
        """Fields of the receiver that the body assigns."""
        if not receiver:
            return ()
        scope = self.rec.scope
        names = {
            f"{receiver}.{target[2]}"
            for where, target, _ in self.rec.facts["stores"]
            if where == scope and target[0] == "attr" and target[1] == ("this",)
        }
        return tuple(sorted(names))

    # statements

    def block(self, node: Node | None) -> None:
        """A block: what it declares ends with it."""
        if node is None:
            return
        self.begin_block()
        self.parts(node)
        self.blocks.pop()

    def on_block(self, node: Node) -> Expr:
        self.block(node)
        return None

    def begin_block(self) -> None:
        self.blocks.append(Block(self.rec.scope, {}, False))

    def declare(self, name: str, value: Expr) -> None:
        """A new variable of this block."""
        if name in ("", "_"):
            return
        spelt = name
        if self.blocks:
            block = self.blocks[-1]
            if (
                not block.is_function
            ):  # a name of its own: the block's end gives `name` back its outer meaning
                self.block_variables += 1
                spelt = f"{name}@{self.block_variables}"
            block.names[name] = spelt
        self.rec.bind(spelt, value)

    def assign(self, node: Node, value: Expr) -> None:
        """``target = value`` to a variable, field, item or what a pointer points to."""
        while node.type == "parenthesized_expression" or (
            node.type == "unary_expression" and node.children[0].type == "*"
        ):
            inner = node.named_children
            if not inner:
                return
            node = inner[0]
        if node.type == "identifier":
            self.assign_name(self.text(node), value)
        elif node.type in ("selector_expression", "index_expression"):
            base = self.expr(node.child_by_field_name("operand"))
            if base is None:
                return
            if node.type == "selector_expression":
                field = self.text(node.child_by_field_name("field"))
                self.rec.store(("attr", base, field), value)
            else:
                self.rec.store(("item", base, self.expr(node.child_by_field_name("index"))), value)
        else:
            self.expr(node)

    def assign_name(self, name: str, value: Expr) -> None:
        if name == "_":
            return
        symbol, spelt = self.declared(name)
        if symbol == self.rec.scope:
            self.rec.bind(spelt, value)
        else:
            self.rec.bind_in(symbol, spelt, value)

    def spread(self, count: int, values: list[Expr]) -> list[Expr]:
        """As many values as there are targets: a call may give several."""
        if len(values) == count:
            return values
        if len(values) == 1 and values[0] is not None:
            value = values[0]
            if value[0] in ("item", "inst", "elem", "var", "attr") and count == 2:
                return [value, None]  # `v, ok := m[k]`, `x.(T)`, `<-c`
            return [("item", value, ("const", index)) for index in range(count)]
        return [None] * count

    def on_short_var_declaration(self, node: Node) -> Expr:
        left = node.child_by_field_name("left")
        targets = [child for child in left.named_children if child.type == "identifier"] if left else []
        values = self.spread(len(targets), self.values(node.child_by_field_name("right")))
        here = self.blocks[-1].names if self.blocks else {}
        for target, value in zip(targets, values, strict=True):
            name = self.text(target)
            if name in here:
                self.assign_name(name, value)
            else:
                self.declare(name, value)
        return None

    def on_assignment_statement(self, node: Node) -> Expr:
        left = node.child_by_field_name("left")
        targets = [child for child in left.named_children if child.type != "comment"] if left else []
        values = self.spread(len(targets), self.values(node.child_by_field_name("right")))
        operator = node.child_by_field_name("operator")
        if operator is not None and self.text(operator) != "=":
            return None
        for target, value in zip(targets, values, strict=True):
            self.assign(target, value)
        return None

    def on_var_spec(self, node: Node) -> Expr:
        names = [self.text(name) for name in node.children_by_field_name("name")]
        type_ = type_expr(self, node.child_by_field_name("type"))
        values = self.values(node.child_by_field_name("value"))
        spread: list[Expr] = self.spread(len(names), values) if values else [None] * len(names)
        for name, value in zip(names, spread, strict=True):
            typed: Expr = ("inst", type_) if type_ is not None else None
            both = [each for each in (value, typed) if each is not None]
            self.declare(name, ("any", tuple(both)) if len(both) == 2 else both[0] if both else None)
        return None

    on_const_spec = on_var_spec

    def on_send_statement(self, node: Node) -> Expr:
        channel = self.expr(node.child_by_field_name("channel"))
        value = self.expr(node.child_by_field_name("value"))
        if channel is not None and value is not None:
            self.rec.store(("item", channel, None), value)
        return None

    def on_return_statement(self, node: Node) -> Expr:
        values = [value for child in node.named_children for value in self.values(child)]
        if values:
            self.rec.returned(values[0] if len(values) == 1 else ("list", tuple(values)))
        self.rec.dead()
        return None

    def jump(self, node: Node) -> Expr:
        self.rec.jump()
        return None

    on_break_statement = on_continue_statement = jump

    def on_if_statement(self, node: Node) -> Expr:
        rec = self.rec
        self.begin_block()
        self.expr(node.child_by_field_name("initializer"))
        self.expr(node.child_by_field_name("condition"))
        fork = rec.fork()
        self.block(node.child_by_field_name("consequence"))
        alternative = node.child_by_field_name("alternative")
        if alternative is not None:
            rec.arm(fork)
            self.expr(alternative)
        rec.join(fork, exhaustive=alternative is not None)
        self.blocks.pop()
        return None

    def on_for_statement(self, node: Node) -> Expr:
        rec = self.rec
        self.begin_block()
        clause = next(
            (child for child in node.named_children if child.type in ("for_clause", "range_clause")), None
        )
        if clause is not None and clause.type == "for_clause":
            self.expr(clause.child_by_field_name("initializer"))
        ranged = clause is not None and clause.type == "range_clause"
        value = self.expr(clause.child_by_field_name("right")) if ranged and clause is not None else None
        rec.loop()
        if ranged and clause is not None:
            self.range_variables(clause, value)
        elif clause is not None:
            self.expr(clause.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        if clause is None:
            for child in node.named_children:
                if child != body:
                    self.expr(child)
        self.block(body)
        if clause is not None and not ranged:
            self.expr(clause.child_by_field_name("update"))
        rec.end_loop()
        self.blocks.pop()
        return None

    def range_variables(self, clause: Node, value: Expr) -> None:
        left = clause.child_by_field_name("left")
        targets = left.named_children if left is not None else []
        element: Expr = ("elem", value) if value is not None else None
        declares = any(child.type == ":=" for child in clause.children)
        for position, target in enumerate(targets):
            # One variable is the key of a slice or map, yet what a channel gives.
            given = element if position == len(targets) - 1 else None
            if declares and target.type == "identifier":
                self.declare(self.text(target), given)
            else:
                self.assign(target, given)

    def on_expression_switch_statement(self, node: Node) -> Expr:
        self.begin_block()
        self.expr(node.child_by_field_name("initializer"))
        self.expr(node.child_by_field_name("value"))
        self.cases(node, "", None)
        self.blocks.pop()
        return None

    def on_select_statement(self, node: Node) -> Expr:
        self.cases(node, "", None)
        return None

    def on_type_switch_statement(self, node: Node) -> Expr:
        self.begin_block()
        self.expr(node.child_by_field_name("initializer"))
        value = self.expr(node.child_by_field_name("value"))
        alias = node.child_by_field_name("alias")
        self.cases(node, self.text(alias) if alias is not None else "", value)
        self.blocks.pop()
        return None

    def cases(self, node: Node, alias: str, value: Expr) -> None:
        """The arms of a switch or select; ``alias`` has the case's type in a type switch."""
        rec = self.rec
        fork = rec.fork()
        exhaustive = False
        arms = [child for child in node.named_children if child.type.endswith("_case")]
        for position, arm in enumerate(arms):
            if position:
                rec.arm(fork)
            exhaustive = exhaustive or arm.type == "default_case"
            self.begin_block()
            types = arm.children_by_field_name("type")
            if alias:
                known = [type_expr(self, type_) for type_ in types]
                asserted = tuple(("inst", type_) for type_ in known if type_ is not None)
                self.declare(alias, ("any", asserted) if asserted else value)
            for child in arm.named_children:
                if child not in types:
                    self.expr(child)
            self.blocks.pop()
        rec.join(fork, exhaustive=exhaustive)

    def on_receive_statement(self, node: Node) -> Expr:
        value = self.expr(node.child_by_field_name("right"))
        left = node.child_by_field_name("left")
        declares = any(child.type == ":=" for child in node.children)
        for position, target in enumerate(left.named_children if left is not None else ()):
            given = value if position == 0 else None
            if declares and target.type == "identifier":
                self.declare(self.text(target), given)
            else:
                self.assign(target, given)
        return None


def field_nodes(struct: Node) -> list[Node]:
    """The field declarations of a struct type."""
    return [
        field
        for fields in struct.named_children
        if fields.type == "field_declaration_list"
        for field in fields.named_children
        if field.type == "field_declaration"
    ]


def exported(name: str) -> int:
    """Names with a capital are seen by other packages."""
    return EXPORTED if name[:1].isupper() else 0


def package_names(spec: str) -> list[str]:
    """What a package is likely to be called when the import gives it no name: by its path."""
    parts = spec.split("/")
    last = parts[-1]
    if last[:1] == "v" and last[1:].isdecimal() and len(parts) > 1:
        last = parts[-2]
    names = {last, last.partition(".")[0], last.removeprefix("go-"), last.removesuffix("-go")}
    return sorted(name for name in names if name.isidentifier())
