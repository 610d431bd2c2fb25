"""The short ways into the standard library give what the long ones give."""

from __future__ import annotations

import builtins
import hashlib
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.accelerators import digest, read_json

values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@pytest.fixture(params=["accelerated", "plain"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With CPython's accelerator modules, and without."""
    if request.param == "plain":
        real: Callable[..., object] = builtins.__import__

        def without(name: str, *rest: object) -> object:
            if name in ("_json", "_blake2"):
                raise ImportError(name)
            return real(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without)


@pytest.mark.usefixtures("way")
def test_digest() -> None:
    assert digest(b"x") == hashlib.blake2b(b"x", digest_size=16).hexdigest()


@given(values)
def test_reads_what_json_writes(value: object) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(f" \n{json.dumps(value, ensure_ascii=False, indent=1)}\t") == value


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "text", ["", "{", "[1,]", "{} x", "NaN", "[Infinity]", "nul", "'a'", '{"a" 1}', "\ufeff{}"]
)
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r""):
        read_json(text)


@given(st.text())
def test_noise_is_a_value_or_an_error(text: str) -> None:
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return
    assert json.loads(text) == value
