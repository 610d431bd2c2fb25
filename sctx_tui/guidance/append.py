"""One more decision in a guidance file, at the end of its decisions, with every other byte as it is.

The text is edited, not written anew: comments and layout stay. Whether the edit says what it should is not
reasoned about but read back: if the result isn't the old entries and the new one, nothing comes of it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from sctx_tui.guidance.model import ContextEntry, Decision
from sctx_tui.guidance.parse import parse_guidance

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node, SequenceNode


class CannotAppend(Exception):
    """Why the file was not edited: its own fault, or a layout that isn't understood."""


def with_decision(data: bytes, path: str, decision: Decision) -> tuple[bytes, int]:
    """The file's content with the decision, and the 1-based line where that stands.

    `path` is for messages. Raises CannotAppend for a file with errors in it.
    """
    before = parse_guidance(data, path)
    for problem in before.problems:
        if problem.severity == "error":
            place = f"{path}:{problem.line}:{problem.column}"
            raise CannotAppend(f"{place}: {problem.message}; mend it first (`sctx validate` shows all)")
    try:
        text = data.decode("utf-8")
        edited = _appended(text, _root(text), _fields(decision)).encode()
    except (UnicodeError, yaml.YAMLError, RecursionError) as error:
        raise CannotAppend(f"{path}: can't be edited: {type(error).__name__}") from error
    after = parse_guidance(edited, path)
    wanted = [*map(_content, before.decisions), _content(decision)]
    if (
        any(problem.severity == "error" for problem in after.problems)
        or list(map(_content, after.decisions)) != wanted
        or list(map(_content, after.context)) != list(map(_content, before.context))
    ):
        raise CannotAppend(f"{path}: its layout can't be edited safely; add the decision by hand")
    return edited, after.decisions[-1].line


def _content(entry: ContextEntry | Decision) -> list[object]:
    return [getattr(entry, name) for name in entry.__slots__ if name != "line"]


def _root(text: str) -> MappingNode | None:
    """The mapping of the first document, the only one that is read."""
    node = next(yaml.compose_all(text, Loader=yaml.SafeLoader), None)
    return node if isinstance(node, yaml.MappingNode) else None


def _fields(decision: Decision) -> list[tuple[str, object]]:
    """The fields that say something, in the order in which people write them."""
    rejected = [{"option": a.option, "reason_rejected": a.reason_rejected} for a in decision.alternatives]
    fields: list[tuple[str, object]] = [
        ("decision", decision.decision),
        ("rationale", decision.rationale),
        ("alternatives", rejected),
        ("date", decision.date),
        ("match", list(decision.match) if decision.match != ("**",) else []),
    ]
    return [(name, value) for name, value in fields if value]


def _appended(text: str, root: MappingNode | None, fields: list[tuple[str, object]]) -> str:
    found = next((pair for pair in root.value if pair[0].value == "decisions"), None) if root else None
    if found is None:
        margin = " " * (root.start_mark.column if root else 0)
        lines = [f"{margin}decisions:", *_block(fields, len(margin) + 2)]
        return _with_lines(text, len(text.split("\n")), ["", *lines] if text.strip() else lines)
    key, value = found
    if isinstance(value, yaml.SequenceNode) and value.value:
        if value.flow_style:
            index = value.value[-1].end_mark.index
            return f"{text[:index]}, {_quoted(dict(fields))}{text[index:]}"
        return _with_lines(text, _line_behind(text, value), _block(fields, value.start_mark.column))
    # `decisions:` with nothing behind it, or an empty list
    start, end = value.start_mark.index, value.end_mark.index
    if start != end:
        text = text[:start].rstrip(" ") + text[end:]
    number = text.count("\n", 0, key.end_mark.index) + 1
    return _with_lines(text, number, _block(fields, key.start_mark.column + 2))


def _block(fields: list[tuple[str, object]], column: int) -> list[str]:
    """The lines of one item of a list whose dashes stand in `column`."""
    margin = " " * column
    lines = []
    for name, value in fields:
        if isinstance(value, list) and isinstance(value[0], dict):
            lines.append(f"{margin}  {name}:")
            for each in value:
                (first, *rest) = [f"{key}: {_quoted(text)}" for key, text in each.items()]
                lines += [f"{margin}    - {first}", *[f"{margin}      {line}" for line in rest]]
        elif isinstance(value, list):
            lines.append(f"{margin}  {name}: [{', '.join(map(_quoted, value))}]")
        else:
            lines.append(f"{margin}  {name}: {value if name == 'date' else _quoted(value)}")
    lines[0] = f"{margin}- {lines[0].lstrip()}"
    return lines


def _quoted(value: object) -> str:
    """Text in double quotes, and all else, as JSON has it, with what can't be seen spelt out."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else _escape(ord(letter)) for letter in text)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _line_behind(text: str, sequence: SequenceNode) -> int:
    """The number (from 0) of the line behind a block sequence and the comments that are indented like it."""
    lines = text.split("\n")
    behind = text.count("\n", 0, _end(text, sequence)) + 1
    for number in range(behind, len(lines)):
        line = lines[number].strip()
        if line.startswith("#") and lines[number].index("#") > sequence.start_mark.column:
            behind = number + 1
        elif line:
            break
    return behind


def _end(text: str, node: Node) -> int:
    """The offset of the last character of a node."""
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    return start + len(text[start:end].rstrip()) - (1 if end > start else 0)


def _with_lines(text: str, number: int, lines: list[str]) -> str:
    """The text with some lines put in before the one with this number (from 0), or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    existing = [line + "\n" for line in text.split("\n")]
    existing[-1] = existing[-1][:-1]
    if not existing[-1]:
        existing.pop()
    before, after = existing[:number], existing[number:]
    if before and not before[-1].endswith("\n"):
        before[-1] += newline
    return "".join([*before, *(line + newline for line in lines), *after])
