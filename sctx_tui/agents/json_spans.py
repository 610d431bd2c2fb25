"""Read JSON, with comments and trailing commas, as a tree that knows where each value stands in the text.

Settings files are edited through these spans, so that everything that is not ours keeps its bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_TRIVIA = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")
_MAX_DEPTH = 200


class JsonSyntaxError(ValueError):
    """Text that is not JSON; the message starts with line and column, both 1-based."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        super().__init__(f"line {line}, column {column}: expected {expected}")


@dataclass
class Node:
    """A value at `text[start:end]`: "object" and "array" have children, "string" its text, "scalar" the rest.

    `text` of a scalar is its source, so that numbers keep their digits.
    """

    kind: str
    start: int
    end: int = -1
    text: str = ""
    children: list[Child] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        """The value of a member; of repeated keys the last, as every reader of the file takes it."""
        found = [child.value for child in self.children if child.key == key]
        return found[-1] if found else None

    @property
    def values(self) -> list[Node]:
        """The values of all members or items."""
        return [child.value for child in self.children]


@dataclass
class Child:
    """A member or an item: `start` is that of the key, or of the value; `comma` its comma's place, or -1."""

    key: str
    start: int
    value: Node
    comma: int = -1


def parse(text: str) -> Node:
    """The tree of one JSON document. Raises JsonSyntaxError."""
    root = _value(text, _skip(text, 0), 0)
    rest = _skip(text, root.end)
    if rest != len(text):
        raise JsonSyntaxError(text, rest, "the end of the file")
    return root


def _skip(text: str, position: int) -> int:
    match = _TRIVIA.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int, depth: int) -> Node:
    if depth > _MAX_DEPTH:
        raise JsonSyntaxError(text, position, f"at most {_MAX_DEPTH} nested values")
    opening = text[position : position + 1]
    if opening == "{":
        return _container(text, Node("object", position), "}", depth)
    if opening == "[":
        return _container(text, Node("array", position), "]", depth)
    if opening == '"':
        return _string(text, position)
    match = _SCALAR.match(text, position)
    if match is None:
        raise JsonSyntaxError(text, position, "a value")
    return Node("scalar", position, match.end(), match.group())


def _string(text: str, position: int) -> Node:
    match = _STRING.match(text, position)
    if match is None:
        raise JsonSyntaxError(text, position, "a string")
    return Node("string", position, match.end(), json.loads(match.group()))


def _container(text: str, node: Node, closing: str, depth: int) -> Node:
    position = _skip(text, node.start + 1)
    while text[position : position + 1] != closing:
        if node.children and node.children[-1].comma < 0:
            raise JsonSyntaxError(text, position, f"',' or '{closing}'")
        child = _child(text, position, node.kind, depth)
        node.children.append(child)
        position = _skip(text, child.value.end)
        if text[position : position + 1] == ",":
            child.comma = position
            position = _skip(text, position + 1)
    node.end = position + 1
    return node


def _child(text: str, position: int, kind: str, depth: int) -> Child:
    if kind == "array":
        return Child("", position, _value(text, position, depth + 1))
    key = _string(text, position)
    colon = _skip(text, key.end)
    if text[colon : colon + 1] != ":":
        raise JsonSyntaxError(text, colon, "':'")
    return Child(key.text, position, _value(text, _skip(text, colon + 1), depth + 1))
