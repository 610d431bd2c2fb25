"""Change one value of a JSON text and leave every other byte alone: comments, order, digits, line ends.

Each function takes the text and nodes of its current parse and returns the new text.
"""

from __future__ import annotations

import json

from sctx_tui.agents.json_spans import Child, Node


def replace(text: str, node: Node, value: object) -> str:
    """The text with `value` in place of a scalar or string node."""
    return text[: node.start] + json.dumps(value, ensure_ascii=False) + text[node.end :]


def append_member(text: str, root: Node, container: Node, key: str, value: object) -> str:
    """The text with a new last member in the object `container`."""
    return _append(text, root, container, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def append_item(text: str, root: Node, container: Node, value: object) -> str:
    """The text with a new last item in the array `container`."""
    return _append(text, root, container, "", value)


def remove(text: str, container: Node, child: Child) -> str:
    """The text without one member or item, its comma, and the line or blanks that only it needed.

    What `append_member` or `append_item` added last is taken out to the byte, unless it stands alone.
    """
    before, after = text[: child.start], text[child.value.end :]
    index = container.children.index(child)
    if child.comma >= 0:
        at = child.comma - child.value.end
        after = after[:at] + after[at + 1 :]
    elif index > 0:
        at = container.children[index - 1].comma
        before = before[:at] + before[at + 1 :]
    left, right = before.rstrip(" \t"), after.lstrip(" \t")
    if len(before.rstrip()) == container.start + 1 and len(after.lstrip()) == len(text) - container.end + 1:
        return before.rstrip() + (after.lstrip() if "\n" in right[: -len(after.lstrip())] else after)
    is_last = right.startswith(("}", "]"))
    if right.startswith(("\r", "\n")) or (is_last and _is_bare(text, container, index)):
        return before.rstrip() + after
    return left + after if is_last else before + right


def holds_only(text: str, container: Node, child: Child) -> bool:
    """Whether there is nothing in a container but one member or item: not a comment either."""
    around = text[container.start + 1 : child.start] + text[child.value.end : container.end - 1]
    return len(container.children) == 1 and not around.replace(",", "").strip()


def ordered(members: dict[str, object], *, into_empty: bool) -> dict[str, object]:
    """Members of an object of ours, in the order that says whether its container was there and empty.

    Removal asks `was_into_empty`. Nothing else in the file could say so: comments aren't JSON, and whoever
    writes the file anew keeps the order of keys.
    """
    return dict(reversed(members.items())) if into_empty else members


def was_into_empty(node: Node, first: str, last: str) -> bool:
    """Whether an object stands as `ordered` has it for an empty container; these are keys of it, in order."""
    keys = [child.key for child in node.children]
    return {first, last} <= set(keys) and keys.index(last) < keys.index(first)


def _is_bare(text: str, container: Node, index: int) -> bool:
    """Whether no comment that lasts to the end of its line would come before what follows a child."""
    child = container.children[index]
    previous = container.children[index - 1] if index else None
    start = container.start if previous is None else previous.value.end
    if previous is not None and child.comma >= 0:
        start = previous.comma
    return "//" not in text[start : child.start]


def _append(text: str, root: Node, container: Node, label: str, value: object) -> str:
    close = container.end - 1
    children = container.children
    body_end = len(text[:close].rstrip())
    lead = text[container.start + 1 : children[0].start] if children else text[root.start : root.end]
    on_lines = "\n" in lead or (container is root and not children)
    if children and "//" in text[children[-1].value.end : body_end]:
        on_lines = True
    if on_lines:
        newline = "\r\n" if "\r\n" in text else "\n"
        unit = _indent_unit(text, root)
        indent = _line_indent(text, container.start)
        inner = _line_indent(text, children[0].start) if children and "\n" in lead else indent + unit
        rendered = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + inner)
        addition = f"{newline}{inner}{label}{rendered}"
    else:
        separator = " " if children else ""
        addition = separator + label + json.dumps(value, ensure_ascii=False)
    head, tail = text[:body_end], text[body_end:]
    if children and children[-1].comma < 0:
        comma = children[-1].value.end
        head = head[:comma] + "," + head[comma:]
    elif children:
        addition += ","
    elif on_lines and "\n" not in text[body_end:close]:
        return f"{head}{addition}{newline}{indent}{text[close:]}"
    return head + addition + tail


def _line_indent(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_unit(text: str, root: Node) -> str:
    """The indentation of one level, taken from the first member that stands on a line of its own."""
    for child in root.children:
        if "\n" in text[root.start : child.start]:
            unit = _line_indent(text, child.start)[len(_line_indent(text, root.start)) :]
            return unit or "  "
    return "  "
