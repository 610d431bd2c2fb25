"""Semantic hashes of what is no program, or an odd one: there is always one, in reasonable time."""

from __future__ import annotations

import pytest

from sctx_tui.graph.canonical.plain import LEXIS
from sctx_tui.graph.fingerprint import file_hash


@pytest.mark.parametrize("language", sorted(LEXIS))
@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00\x01\x7f",
        b"((((((((((",
        b'"\'`/* <<A @" r#"',
        b"{" * 3000 + b"}" * 3000,
        b"a" * 300_000,
        b"a + " * 20_000 + b"a",
    ],
)
def test_any_input_has_a_hash(language: str, source: bytes) -> None:
    assert len(file_hash(source, language)) == 32


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = %s1%s\n"),
        ("javascript", "x = %s1%s"),
        ("typescript", "type x = %sA%s"),
        ("go", "package a\nvar x = %s1%s\n"),
        ("rust", "const X: u8 = %s1%s;"),
    ],
)
@pytest.mark.parametrize("depth", [20_000, 70_000])
def test_deeply_nested_brackets_are_hashed_all_the_same(language: str, code: str, depth: int) -> None:
    """The time it takes grows with the length; counts of a search end at 16 bits."""
    source = code % ("(" * depth, ")" * depth)
    assert file_hash(source.encode(), language) == file_hash(source.encode() + b"\n", language)
    assert file_hash(source.encode(), language) != file_hash(
        (code % ("", "")).replace("x", "y").encode(), language
    )


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "x = (a + b)  %s\ny\n"),
        ("javascript", "x = (a + b) %s\ny\n"),
        ("typescript", "return (a + b) %s\ny\n"),
        ("rust", "fn f() { loop { break %s\n; } }"),
    ],
)
def test_comments_of_many_marks_are_passed_once(language: str, source: str) -> None:
    """A pattern that may split such a comment in every way would not come back."""
    mark = "# " if language == "python" else "// "
    commented = source % (mark * 60)
    assert file_hash(commented.encode(), language) == file_hash((source % "").encode(), language)
