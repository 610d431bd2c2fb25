"""What a model wrote, and what of it goes into the index."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.sanitize import clean
from sctx_tui.summaries.prompts import Batch, Item
from sctx_tui.summaries.replies import LONGEST, fields, is_description, one_line, texts_by_id
from sctx_tui.summaries.sources import excerpt
from sctx_tui.summaries.transport import BadReply


def is_safe(text: str) -> bool:
    """One line without anything that acts on a terminal or hides."""
    return clean(text) == text


PLAIN = '{"1": "Adds two numbers."}'


@pytest.mark.parametrize(
    "written",
    [
        PLAIN,
        f"```json\n{PLAIN}\n```",
        f"Here you are:\n\n{PLAIN}\n\nAnything else?",
        f'<think>Perhaps {{"1": "no"}}?\n</think>\n{PLAIN}',
        '{"1": "- **Adds two numbers.**"}',
        '{"1": "\\"Adds two numbers.\\""}',
        '{"1": "1. Adds\\n two\\tnumbers."}',
    ],
)
def test_a_sentence_is_found_in_what_models_write(written: str) -> None:
    assert texts_by_id(written, ["1", "2"]) == {"1": "Adds two numbers."}


@pytest.mark.parametrize(
    "written",
    [
        "",
        "Sorry.",
        "[1, 2]",
        '{"1": "x y',
        '{"3": "Foreign words."}',
        '{"0": "a b", "1": "c d"}',
        '{"1": 1, "1": 2}',
    ],
)
def test_a_reply_that_says_nothing_for_certain(written: str) -> None:
    with pytest.raises(BadReply):
        texts_by_id(written, ["1", "2"])


def test_texts_that_are_none_are_missing() -> None:
    written = json.dumps({"1": "", "2": None, "3": "...", "4": ["x"], "5": {"a": "b"}, "6": "Fine words."})
    assert texts_by_id(written, list("123456")) == {"6": "Fine words."}


@given(st.text(max_size=400))
def test_any_reply_is_refused_or_clean(written: str) -> None:
    try:
        found = texts_by_id(written, ["1"])
    except BadReply as error:
        assert is_safe(str(error))
        return
    assert all(is_safe(text) for text in found.values())


@given(st.text(max_size=6000), st.sampled_from(["function", "file", "directory"]))
def test_any_text_becomes_short_printable_lines(text: str, kind: str) -> None:
    line = one_line(text)
    assert is_safe(line)
    for name, value in fields(kind, line).items():
        assert is_safe(value)
        assert len(value) <= LONGEST
        if name == "summary":
            assert len(value.split()) <= 15


def test_a_file_gets_a_purpose_and_a_short_form() -> None:
    text = "Keeps the prices of everything that the shop sells in one place so that tax is right. More."
    assert fields("file", text) == {
        "purpose": "Keeps the prices of everything that the shop sells in one place so that tax is right.",
        "summary": "Keeps the prices of everything that the shop sells in one place so that tax…",
    }
    assert fields("directory", text) == {"purpose": fields("file", text)["purpose"]}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Adds two numbers.", True),
        ("Tests for a.py::f", True),
        ("Adds.", False),
        ("a.py::f", False),
        ("./a.py::f — a.py::f!", False),
        ("The example.", False),
        ("", False),
    ],
)
def test_echoes_are_no_descriptions(text: str, answer: bool) -> None:
    assert is_description(text, ["The example.", "a.py::f"]) is answer


def test_halves() -> None:
    batch = Batch("file", tuple(Item(None, str(n)) for n in range(5)))  # type: ignore[arg-type]
    assert [len(half.items) for half in batch.halves()] == [3, 2]
    assert batch.halves()[1].halves()[0].halves() == ()


@given(st.lists(st.text(alphabet="ab\n é", max_size=60), max_size=80), st.integers(20, 400))
def test_an_excerpt_keeps_to_its_size_and_says_what_is_missing(lines: list[str], most: int) -> None:
    lines = [line.replace("\n", "") for line in lines]
    found = excerpt(lines, 1, len(lines), most)
    assert len(found) <= most + len("[80 lines left out]") + 2
    kept = [line for line in found.split("\n") if not line.endswith("lines left out]")]
    if "left out" in found:
        number = int(found.split(" lines left out")[0].rpartition("[")[2])
        assert number + len(kept) == len(lines)
