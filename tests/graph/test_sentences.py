"""Short descriptions out of docstrings."""

import pytest

from sctx_tui.graph.sentences import first_sentences, summary


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("", "", ""),
        ("Adds.", "Adds.", "Adds."),
        ("Adds two. Returns it. More.", "Adds two.", "Adds two. Returns it."),
        ("No full stop", "No full stop", "No full stop"),
        (
            "  Leading\n    and indented.\n\n    A second paragraph.",
            "Leading and indented.",
            "Leading and indented.",
        ),
        ("Use e.g. this one. Then that.", "Use e.g. this one.", "Use e.g. this one. Then that."),
        ("Version 1.5 is out. Get it.", "Version 1.5 is out.", "Version 1.5 is out. Get it."),
        ("Is it? Yes!", "Is it?", "Is it? Yes!"),
        ("Title\n=====\n\nText.", "Title", "Title"),
        ("-----\nTitle\n-----\nText.", "Title Text.", "Title Text."),
    ],
)
def test_sentences(text: str, one: str, two: str) -> None:
    assert first_sentences(text, 1) == one
    assert first_sentences(text, 2) == two


def test_a_summary_has_fifteen_words_at_most() -> None:
    words = [f"w{n}" for n in range(20)]
    assert summary(" ".join(words)) == " ".join(words[:15]) + "…"
    assert summary(" ".join(words[:15]) + ".") == " ".join(words[:15]) + "."
