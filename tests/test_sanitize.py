"""No text that is shown can move a cursor, reverse a line or hide."""

from __future__ import annotations

import os
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sctx_tui.sanitize import clean, clean_for_agent

SHOWN = {
    "plain": ("plain é 日本 👍", "plain é 日本 👍"),
    "escape": ("\x1b[31m", "\\x1b[31m"),
    "bell-and-delete": ("\x07\x7f", "\\x07\\x7f"),
    "c1": ("\x9b\x85", "\\x9b\\x85"),
    "nul": ("\x00", "\\x00"),
    "tab": ("a\tb", "a    b"),
    "newline": ("a\nb", "a\\x0ab"),
    "right-to-left-override": ("a\u202eb", "a\\u202eb"),
    "isolate": ("\u2066", "\\u2066"),
    "zero-width": ("a\u200bb\u200d\ufeff", "a\\u200bb\\u200d\\ufeff"),
    "tag": ("\U000e0041", "\\U000e0041"),
    "line-separator": ("\u2028", "\\u2028"),
    "byte-of-a-name": (os.fsdecode(b"\xff"), "\\xff"),
    "lone-surrogate": ("\ud83d", "\\ud83d"),
    "markup": ("[red]x[/]", "[red]x[/]"),
}


@pytest.mark.parametrize("case", SHOWN)
def test_one_line(case: str) -> None:
    text, shown = SHOWN[case]
    assert clean(text) == shown


def test_several_lines() -> None:
    assert clean("a\r\n\tb\rc\n", multiline=True) == "a\n    b\\x0dc\n"


def test_for_an_agent() -> None:
    assert clean_for_agent("a\r\n\tb 👩\u200d💻 \x1b\u202e\u200b") == "a\n\tb 👩\u200d💻 \\x1b\\u202e\\u200b"
    assert clean_for_agent("a\u2028b\u2029c") == "a\u2028b\u2029c"


@given(st.text(st.characters()))
@example("\u2028\u2029")
def test_nothing_unsafe_stays(text: str) -> None:
    for shown, kept in (
        (clean(text), "\n\t"),
        (clean(text, multiline=True), "\n\t"),
        (clean_for_agent(text), "\n\t\u2028\u2029"),
    ):
        for character in shown:
            unsafe = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
            assert not unsafe or character in kept
    assert "\n" not in clean(text)
    assert clean(clean(text)) == clean(text)
    clean(text).encode()
