"""Edits of JSON texts: what they are meant to change, and that nothing else changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.agents.json_edits import append_item, append_member, remove, replace
from sctx_tui.agents.json_spans import JsonSyntaxError, Node, parse

KEYS = st.text(alphabet='ab"\\/é \n', max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])


def value_of(node: Node) -> Any:
    """The value of a tree, by way of the `json` package."""
    if node.kind == "object":
        return {child.key: value_of(child.value) for child in node.children}
    if node.kind == "array":
        return [value_of(value) for value in node.values]
    return node.text if node.kind == "string" else json.loads(node.text)


@given(JSON, INDENTS, st.booleans())
def test_parses_what_json_writes(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    node = parse(f" {text}\n")
    assert value_of(node) == value
    assert f" {text}\n"[node.start : node.end] == text


BAD = [
    "",
    "{",
    "[1 2]",
    '{"a" 1}',
    "{a: 1}",
    "nul",
    "01",
    "1.",
    "+1",
    "'a'",
    '"\n"',
    '"\\x"',
    "[,]",
    "{} {}",
    "/* [1]",
]


@pytest.mark.parametrize("text", [*BAD, "[" * 10_000])
def test_refuses_what_is_not_json(text: str) -> None:
    with pytest.raises(JsonSyntaxError, match=r"^line [12], column"):
        parse(text)


def test_comments_and_trailing_commas() -> None:
    text = '\ufeff// x\n{ /* y */ "a": [1, 2, /* {"b": 3} */ ], // z\n}\n'
    assert value_of(parse(text)) == {"a": [1, 2]}


def test_the_last_of_repeated_keys_counts() -> None:
    node = parse('{"a": 1, "a": 2}').get("a")
    assert node is not None and node.text == "2"


@given(st.dictionaries(KEYS, JSON, max_size=4), INDENTS, JSON, st.sampled_from(["\n", "\r\n"]))
def test_a_member_comes_and_goes(value: dict[str, Any], indent: Any, added: Any, newline: str) -> None:
    text = json.dumps(value, indent=indent).replace("\n", newline) + newline
    root = parse(text)
    longer = append_member(text, root, root, "new key", added)
    assert json.loads(longer) == {**value, "new key": added}
    if newline == "\r\n":
        assert "\n" not in longer.replace("\r\n", "")
    again = parse(longer)
    assert remove(longer, again, again.children[-1]) == text


@given(st.lists(JSON, min_size=1, max_size=4), INDENTS, st.data())
def test_an_item_goes(value: list[Any], indent: Any, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(value) - 1))
    text = json.dumps({"list": value}, indent=indent)
    items = parse(text).children[0].value
    shorter = remove(text, items, items.children[index])
    assert json.loads(shorter) == {"list": value[:index] + value[index + 1 :]}
    if indent is not None and len(value) > 1:
        assert shorter == json.dumps(json.loads(shorter), indent=indent)


@given(st.lists(JSON, min_size=1, max_size=3), INDENTS, JSON)
def test_an_item_comes(value: list[Any], indent: Any, added: Any) -> None:
    text = json.dumps({"list": value}, indent=indent)
    root = parse(text)
    longer = append_item(text, root, root.children[0].value, added)
    assert json.loads(longer) == {"list": [*value, added]}
    if indent is not None and not isinstance(added, dict | list):
        assert (
            longer == json.dumps({"list": [*value, added]}, indent=indent, ensure_ascii=False) or '"' in text
        )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "k": 1\n}'),
        ("{\n}\n", '{\n  "k": 1\n}\n'),
        ('{"a": 1}', '{"a": 1, "k": 1}'),
        ('{ "a": 1 }', '{ "a": 1, "k": 1 }'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": 1\n}'),
        ('{\n    "a": 1,\n}', '{\n    "a": 1,\n    "k": 1,\n}'),
        ('{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "k": 1\n}'),
        ('{\n  "a": 1\n  // end\n}', '{\n  "a": 1,\n  // end\n  "k": 1\n}'),
        ('{"a": 1 /* one */}', '{"a": 1, /* one */ "k": 1}'),
        ("{\n  // nothing yet\n}", '{\n  // nothing yet\n  "k": 1\n}'),
        ('{"a": 1, // one\n}', '{"a": 1, // one\n  "k": 1,\n}'),
    ],
)
def test_where_a_member_goes(text: str, expected: str) -> None:
    root = parse(text)
    assert append_member(text, root, root, "k", 1) == expected
    assert value_of(parse(expected))["k"] == 1


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("[1, 2, 3]", 0, "[2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[ 1 ]", 0, "[ ]"),
        ("[\n  1\n]", 0, "[]"),
        ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        ("[\n  1,\n  2,\n]", 1, "[\n  1,\n]"),
        ("[\n  1, // one\n  2 // two\n]", 1, "[\n  1 // one\n  // two\n]"),
        ("[\n  // first\n  1,\n  // second\n  2\n]", 0, "[\n  // first\n  // second\n  2\n]"),
        ("[\r\n  1,\r\n  2\r\n]", 0, "[\r\n  2\r\n]"),
        ("[/* a */ 1 /* b */, 2]", 0, "[/* a */ /* b */ 2]"),
        ("[1, 2,\n 3]", 1, "[1,\n 3]"),
    ],
)
def test_what_a_removal_takes(text: str, index: int, expected: str) -> None:
    root = parse(text)
    assert remove(text, root, root.children[index]) == expected
    parse(expected)


def test_a_replacement_touches_nothing_else() -> None:
    text = '{"a" :  1e400,"b": "x" /* keep */ }'
    node = parse(text).get("b")
    assert node is not None
    assert replace(text, node, 'é"') == '{"a" :  1e400,"b": "é\\"" /* keep */ }'
