"""Our reading and writing of JSON against the `json` package."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.agents.wire import quoted, read_object

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(), JSON, max_size=4), st.booleans(), st.sampled_from(["", " ", "\r\n", "\ufeff"])
)
def test_reads_what_json_writes(value: dict[str, object], ascii_only: bool, before: str) -> None:
    text = before + json.dumps(value, ensure_ascii=ascii_only) + "\n"
    assert read_object(text.encode()) == value


@given(st.text())
def test_quotes_as_json_does(text: str) -> None:
    assert quoted(text) == json.dumps(text)
    assert json.loads(quoted(text)) == text


BAD = [
    "", " ", "[]", "1", "null", '"x"', "{", "{}}", "{} x", '{"a"}', '{"a":}', '{"a":1,}', "{'a':1}",
    '{"a":01}', '{"a":NaN}', '{"a":Infinity}', '{"a":"\x01"}', '{"a":"\\x"}', '{"a":"', '{"a"', '{"a',
    "{1:2}", '{"a":nul}', '{"a":[1', '{"a":[1,', "{}{}", "\ufeff\ufeff{}",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_none(text: str) -> None:
    assert read_object(text.encode()) is None


def test_anything_else_is_none_where_json_is_not_imported() -> None:
    """CPython 3.11 and 3.12 report syntax errors in another way then; this is how the hook runs."""
    code = (
        "import sys; from sctx_tui.agents.wire import read_object; assert 'json' not in sys.modules; "
        "bad = [line for line in sys.stdin.buffer.read().split(b'\\0') if read_object(line) is not None]; "
        "print(bad)"
    )
    given_text = "\0".join(BAD).encode()
    done = subprocess.run([sys.executable, "-c", code], input=given_text, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_numbers_of_any_size() -> None:
    assert read_object(b'{"a": ' + b"9" * 10_000 + b', "b": 1e999, "c": [2]}') == {
        "a": float("inf"),
        "b": float("inf"),
        "c": [2],
    }


def test_bytes_that_are_not_utf8_are_kept_as_in_file_names() -> None:
    assert read_object(b'{"path": "x\xff.py"}') == {"path": "x\udcff.py"}
