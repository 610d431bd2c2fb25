"""YAML as text: the node tree of a guidance file, with source text, lines, and faults that name a place.

Nodes, not Python values: `on` stays `on`, `012` stays `012`, `2.50` stays `2.50`, and every node knows its
line. Composing shares aliased nodes instead of copying them, so an alias bomb costs nothing until it is read,
and reading is metered (`Document.text`).
"""

from __future__ import annotations

import binascii
import codecs
import re
from typing import TYPE_CHECKING, Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from sctx_tui.guidance.globs import Glob

MAX_TEXT = 4 * 1024 * 1024
"""Characters that a document may expand to, aliases followed: four times what a file may hold."""

MAX_PATTERNS = 1024 * 1024
"""Characters that the patterns of a file may expand to, braces written out: as many as a file may hold."""

_TAG = "tag:yaml.org,2002:"
_NULL, _MERGE = f"{_TAG}null", f"{_TAG}merge"
_INT = r"[-+]?(0[bB][01_]+|0[oO]?[0-7_]+|0[xX][0-9a-fA-F_]+|0|[1-9][0-9_]*)"
_FLOAT = r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
_DATE = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_CHECKED_TAGS = {
    _NULL: re.compile(r"|~|null|Null|NULL"),
    f"{_TAG}bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    f"{_TAG}int": re.compile(_INT),
    f"{_TAG}float": re.compile(f"{_INT}|{_FLOAT}"),
    f"{_TAG}timestamp": re.compile(
        rf"{_DATE}([Tt ][0-9]{{1,2}}(:[0-9]{{1,2}}){{2}}(\.[0-9]+)?(Z|[-+][0-9:]+)?)?"
    ),
}
"""How a value looks that a tag such as `!!int` may be written before: YAML 1.2, as the Go tool reads it."""
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _loader() -> Any:
    """A loader for which a value without a tag is text, `null` or `<<`, so that other tags were written."""
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    known = {
        first: [(tag, pattern) for tag, pattern in rows if tag in (_NULL, _MERGE)]
        for first, rows in base.yaml_implicit_resolvers.items()
    }
    return type("TextLoader", (base,), {"yaml_implicit_resolvers": known})


_TextLoader = _loader()


class Fault(Exception):
    """Something that can't be read, at a 1-based line and column."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class DocumentFault(Fault):
    """A fault that spoils the whole document."""


def position(node: Node) -> tuple[int, int]:
    """1-based line and column where a node begins."""
    return node.start_mark.line + 1, node.start_mark.column + 1


class Document:
    """The first YAML document of a file. `root` is None when there is none; raises DocumentFault.

    `second` is the 1-based line of a further document, or None.
    """

    def __init__(self, data: bytes | str) -> None:
        self._left = MAX_TEXT
        self._left_for_patterns = MAX_PATTERNS
        self._patterns: set[str] = set()
        self._fields: dict[int, dict[str, tuple[Node, Node]] | None] = {}
        self.root: Node | None = None
        self.second: int | None = None
        try:
            reader = _TextLoader(data if isinstance(data, str) else decoded(data))
            if reader.check_node():
                self.root = reader.get_node()
        except yaml.YAMLError as error:
            raise _fault(error) from None
        except RecursionError:
            raise DocumentFault("nested too deeply") from None
        try:
            if self.root is not None and reader.check_node():
                second = reader.get_node()
                self.second = position(second)[0] if second is not None else None
        except (yaml.YAMLError, RecursionError):
            self.second = self.root.end_mark.line + 1 if self.root is not None else None

    def is_null(self, node: Node) -> bool:
        """Whether a node stands for nothing: empty, `~`, `null`."""
        return (
            isinstance(node, ScalarNode)
            and node.tag == _NULL
            and bool(_CHECKED_TAGS[_NULL].fullmatch(node.value))
        )

    def text(self, node: Node) -> str:
        """The source text of a scalar ("" for null); raises Fault for a list or mapping."""
        if not isinstance(node, ScalarNode):
            raise Fault(f"expected text, found {kind_of(node)}", *position(node))
        self._spend(len(node.value) + 32, node)
        if self.is_null(node):
            return ""
        if node.tag == f"{_TAG}binary":
            return _from_base64(node)
        if node.tag in _CHECKED_TAGS and not _CHECKED_TAGS[node.tag].fullmatch(node.value):
            raise Fault(f"the value is not what its tag `!!{node.tag[len(_TAG) :]}` says", *position(node))
        return str(node.value)

    def _spend(self, size: int, node: Node) -> None:
        self._left -= size
        if self._left < 0:
            raise DocumentFault(f"expands to more than {MAX_TEXT >> 20} MiB of text", *position(node))

    def count_pattern(self, glob: Glob, node: Node) -> None:
        """Count what a pattern expands to, once; raises DocumentFault when all of them are too much."""
        if glob.pattern not in self._patterns:
            self._patterns.add(glob.pattern)
            self._left_for_patterns -= glob.size
            if self._left_for_patterns < 0:
                message = f"its patterns expand to more than {MAX_PATTERNS >> 20} MiB of text"
                raise DocumentFault(message, *position(node))

    def items(self, node: Node) -> list[Node]:
        """The nodes of a list; a scalar is a list of one, null an empty list; raises Fault for a mapping."""
        if self.is_null(node):
            return []
        if isinstance(node, SequenceNode):
            return list(node.value)
        if isinstance(node, ScalarNode):
            return [node]
        raise Fault(f"expected a list, found {kind_of(node)}", *position(node))

    def fields(self, node: Node) -> dict[str, tuple[Node, Node]]:
        """A mapping's keys as text -> (key node, value node), `<<` merged in.

        Raises Fault for anything but a mapping, DocumentFault for a key that stands twice.
        """
        if not isinstance(node, MappingNode):
            raise Fault(f"expected a mapping, found {kind_of(node)}", *position(node))
        found = self._fields.get(id(node))
        if found is None:
            if id(node) in self._fields:
                raise Fault("`<<` leads back to itself", *position(node))
            self._fields[id(node)] = None
            found = self._fields[id(node)] = self._read_fields(node)
        return found

    def _read_fields(self, node: MappingNode) -> dict[str, tuple[Node, Node]]:
        own: dict[str, tuple[Node, Node]] = {}
        merged: dict[str, tuple[Node, Node]] = {}
        for key, value in node.value:
            name = self._key(key)
            if name is None:
                continue
            if name in own:
                line = position(own[name][0])[0]
                raise DocumentFault(
                    f"mapping key {quoted(name)} already defined at line {line}", *position(key)
                )
            if key.tag != _MERGE:
                own[name] = key, value
                continue
            for base in value.value if isinstance(value, SequenceNode) else [value]:
                if not isinstance(base, MappingNode):
                    raise Fault("`<<` needs a mapping or a list of mappings", *position(value))
                pairs = self.fields(base)
                self._spend(len(pairs) + 1, base)
                for each, pair in pairs.items():
                    merged.setdefault(each, pair)
        return {**merged, **own}

    def _key(self, key: Node) -> str | None:
        if not isinstance(key, ScalarNode):
            raise Fault(f"expected text as a key, found {kind_of(key)}", *position(key))
        return None if self.is_null(key) else self.text(key)


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 with a byte order mark; raises DocumentFault."""
    encoding = "utf-8"
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise DocumentFault(f"not valid {encoding.upper()[:6].rstrip('-')} text", line, column) from None


def _fault(error: yaml.YAMLError) -> DocumentFault:
    """libyaml's message and place, with a hint at the most likely mistake."""
    parts = [str(part) for part in (getattr(error, "problem", None), getattr(error, "context", None)) if part]
    message = " ".join(parts) or str(error).splitlines()[0]
    if "alias" in message:
        message += "; a pattern that begins with `*` must be quoted"
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return DocumentFault(message, mark.line + 1, mark.column + 1) if mark else DocumentFault(message)


def _from_base64(node: ScalarNode) -> str:
    try:
        return binascii.a2b_base64("".join(node.value.split()), strict_mode=True).decode()
    except ValueError:
        raise Fault("`!!binary` holds no base64 text", *position(node)) from None


def kind_of(node: Node) -> str:
    """What a node is, in words."""
    if isinstance(node, MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, SequenceNode) else "text"


def quoted(text: str) -> str:
    """Text in double quotes, shortened to what a message can hold."""
    return f'"{text}"' if len(text) <= 80 else f'"{text[:77]}..."'
