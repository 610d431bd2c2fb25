"""The neighbourhood of a file as a tree, and as text, JSON, Graphviz and Mermaid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sctx_tui.graph import store_edges, store_records
from sctx_tui.graph.ids import MODULE, file_of
from sctx_tui.graph.rank import personalized
from sctx_tui.graph.store import Store
from sctx_tui.sanitize import clean


@dataclass
class Node:
    """A file or function, and what is one step further away from the root of the tree."""

    id: str
    children: list[Node] = field(default_factory=list)
    left_out: int = 0  # children beyond the width
    is_repeated: bool = False  # shown with its children elsewhere in the tree


@dataclass
class Tree:
    """What can be reached in one direction; `inward`: the children point to their parent."""

    title: str
    inward: bool
    roots: list[Node]


def trees(store: Store, path: str, *, calls: bool, depth: int, width: int | None) -> list[Tree]:
    """The trees around a file: imports and dependents, or what its functions call and are called by."""
    outward = personalized(path, lambda files: store_edges.links_from(store, files))
    inward = personalized(path, lambda files: store_edges.links_to(store, files))

    def ranked(ids: list[str], ranks: dict[str, float]) -> list[str]:
        return sorted(dict.fromkeys(ids), key=lambda i: (-ranks.get(file_of(i), 0.0), i))

    if calls:
        own = [record.id for record in store_records.functions_of(store, path)]

        def callees(function: str) -> list[str]:
            return ranked([call.callee for call in store_edges.callees(store, (function,))], outward)

        def callers(function: str) -> list[str]:
            return ranked([call.caller for call in store_edges.callers(store, (function,))], inward)

        return [
            _tree("calls", False, own, callees, depth, width),
            _tree("called by", True, own, callers, depth, width),
        ]

    def imports(file: str) -> list[str]:
        return ranked([link.target for link in store_edges.imports(store, file)], outward)

    def dependents(file: str) -> list[str]:
        return ranked([link.source for link in store_edges.dependents(store, file)], inward)

    return [
        _tree("imports", False, [path], imports, depth, width),
        _tree("imported by", True, [path], dependents, depth, width),
    ]


def _tree(
    title: str,
    inward: bool,
    roots: list[str],
    ends: Callable[[str], list[str]],
    depth: int,
    width: int | None,
) -> Tree:
    """Breadth first, so that a node has its children where it is nearest to the root."""
    nodes = [Node(root) for root in roots]
    seen = set(roots)
    level = nodes
    for _ in range(depth):
        below: list[Node] = []
        for node in level:
            found = ends(node.id)
            for end in found[:width]:
                child = Node(end, is_repeated=end in seen)
                seen.add(end)
                node.children.append(child)
                if not child.is_repeated:
                    below.append(child)
            node.left_out = len(found) - len(node.children)
        level = below
    return Tree(title, inward, nodes)


def as_text(path: str, found: list[Tree]) -> str:
    """Two trees with lines, each below its title."""
    lines = [clean(path)]
    for tree in found:
        lines.append(tree.title)
        roots = [root for root in tree.roots if root.children or root.left_out]
        if len(tree.roots) == 1:
            roots = tree.roots[0].children
            lines.extend(_branches(roots, tree.roots[0].left_out, ""))
        else:
            lines.extend(_branches(roots, 0, ""))
        if not roots:
            lines.append("  nothing")
    return "\n".join(lines)


def _branches(nodes: list[Node], left_out: int, indent: str) -> Iterator[str]:
    for position, node in enumerate(nodes):
        is_last = position == len(nodes) - 1 and not left_out
        yield f"{indent}{'└─ ' if is_last else '├─ '}{clean(node.id)}{' ↺' if node.is_repeated else ''}"
        yield from _branches(node.children, node.left_out, indent + ("   " if is_last else "│  "))
    if left_out:
        yield f"{indent}└─ … and {left_out:,} more; --all shows every one"


def as_json(path: str, found: list[Tree]) -> dict[str, Any]:
    """The trees as nested objects."""

    def node(each: Node) -> dict[str, Any]:
        return {
            "id": each.id,
            "left_out": each.left_out,
            "children": [node(child) for child in each.children],
        }

    return {"file": path} | {
        tree.title.replace(" ", "_"): [node(root) for root in tree.roots]
        if len(tree.roots) != 1
        else [node(child) for child in tree.roots[0].children]
        for tree in found
    }


def edges(found: list[Tree]) -> list[tuple[str, str]]:
    """Every edge of the trees once, from the one that imports or calls."""
    pairs: dict[tuple[str, str], None] = {}

    def walk(node: Node, inward: bool) -> None:
        for child in node.children:
            pairs[(child.id, node.id) if inward else (node.id, child.id)] = None
            walk(child, inward)

    for tree in found:
        for root in tree.roots:
            walk(root, tree.inward)
    return list(pairs)


def as_dot(found: list[Tree]) -> str:
    """A digraph in Graphviz's language."""
    lines = [f"  {_quoted(source)} -> {_quoted(target)};" for source, target in edges(found)]
    return "\n".join(["digraph {", "  rankdir=LR;", "  node [shape=box];", *lines, "}"])


def _quoted(name: str) -> str:
    return '"' + clean(name).replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_mermaid(found: list[Tree]) -> str:
    """A flowchart in Mermaid's language; node names are numbers, for a path may hold anything."""
    pairs = edges(found)
    numbers = {name: n for n, name in enumerate(dict.fromkeys(name for pair in pairs for name in pair))}
    lines = [f'  n{number}["{_label(name)}"]' for name, number in numbers.items()]
    return "\n".join(["flowchart LR", *lines, *(f"  n{numbers[a]} --> n{numbers[b]}" for a, b in pairs)])


def _label(name: str) -> str:
    shown = clean(name).replace(f"::{MODULE}", " (module)")
    return "".join(f"#{ord(letter)};" if letter in '"#&<>`' else letter for letter in shown)
