"""The short ways into the standard library give what the long ones give."""

from __future__ import annotations

import builtins
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.accelerators import checksum, digest, read_json

numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@pytest.fixture(params=["accelerated", "plain"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With CPython's accelerator modules, and without."""
    if request.param == "plain":
        real: Callable[..., object] = builtins.__import__

        def without(name: str, *rest: object) -> object:
            if name in ("_json", "_blake2", "_imp"):
                raise ImportError(name)
            return real(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without)


@pytest.mark.usefixtures("way")
def test_digest() -> None:
    assert digest(b"x") == hashlib.blake2b(b"x", digest_size=16).hexdigest()


@pytest.mark.usefixtures("way")
def test_checksums_tell_data_apart() -> None:
    found = {checksum(data) for data in (b"", b"x", b"y", b"xy", b"yx", b"x" * 1000, b"x" * 1001)}
    assert len(found) == 7
    assert checksum(b"x") in found


def test_checksums_are_the_same_in_every_process() -> None:
    code = "from sctx_tui.accelerators import checksum; print(checksum(b'x'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == checksum(b"x")


@given(values)
def test_reads_what_json_writes(value: object) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(f" \n{json.dumps(value, ensure_ascii=False, indent=1)}\t") == value


NOT_JSON = ["", "{", "[1,]", "{} x", "NaN", "[Infinity]", "nul", "'a'", '{"a" 1}', "\ufeff{}"]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("text", NOT_JSON)
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_errors_in_a_process_that_never_imported_json() -> None:
    program = (
        "import sys\n"
        "from sctx_tui.accelerators import read_json\n"
        "assert 'json' not in sys.modules\n"
        f"for text in {NOT_JSON!r}:\n"
        "    try:\n"
        "        read_json(text)\n"
        "    except ValueError:\n"
        "        print('error')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["error"] * len(NOT_JSON), done.stderr


@given(st.text())
def test_noise_is_a_value_or_an_error(text: str) -> None:
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return
    assert json.loads(text) == value
