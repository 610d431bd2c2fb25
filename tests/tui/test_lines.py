"""Lines, wrapping and the little Markdown."""

import random

import pytest
from rich.cells import cell_len
from textual.geometry import Region

from sctx_tui.tui.draw.lines import cut, cut_start, flow, line, plain, span, spread, width_of, wrap
from sctx_tui.tui.draw.markdown import inline, markdown
from sctx_tui.tui.widgets.page import Page


def _texts(text: str, width: int = 40) -> list[str]:
    return [plain(each) for each in markdown(text, width)]


def test_every_part_is_cleaned() -> None:
    assert span("a\x1b]52;c;x\x07b")[0].isprintable()
    assert plain(line("a\nb", ("\u202ec", "muted"))).isprintable()


@pytest.mark.parametrize("seed", range(30))
def test_wrapped_lines_are_never_too_wide_and_lose_no_word(seed: int) -> None:
    rng = random.Random(seed)
    words = ["a", "bb", "日本語", "longer", "x" * 30, "é", "-", "“quoted”"]
    parts = line(*((" ".join(rng.choices(words, k=rng.randint(1, 9))) + " ", f"r{at}") for at in range(4)))
    width, hang = rng.randint(8, 40), rng.randint(0, 6)
    wrapped = list(wrap(parts, width, hang))
    assert all(width_of(each) <= width for each in wrapped)
    assert "".join("".join(map(plain, wrapped)).split()) == "".join(plain(parts).split())


def test_roles_survive_wrapping() -> None:
    wrapped = list(wrap(line(("one two three ", "a"), ("four five six", "b")), 10))
    assert {role for each in wrapped for text, role in each if "four" in text} == {"b"}


def test_a_later_line_hangs() -> None:
    assert [plain(each) for each in wrap(line("- one two three"), 9, hang=2)] == ["- one two", "  three"]


def test_cut_and_spread() -> None:
    assert plain(cut(line("abcdefgh"), 5)) == "abcd…"
    assert plain(cut(line("日本語"), 4)) == "日…"
    assert plain(spread(line("left"), line("right"), 14)) == "left     right"
    assert width_of(spread(line("x" * 50), line("right"), 20)) == 20
    assert cut_start("src/payments/checkout.ts", 12) == "…checkout.ts"


def test_markdown_is_rendered() -> None:
    assert _texts("# Title\n- one\n  * two\n1. three\n> said\n\nend") == [
        "Title", "• one", "  • two", "1. three", "│ said", "", "end",
    ]  # fmt: skip
    assert inline("use `make gen` **now** or *later*") == line(
        "use ", ("make gen", "code"), " ", ("now", "strong"), " or ", ("later", "em")
    )


@pytest.mark.parametrize(
    "text",
    [
        "a * b * c",
        "2*3*4",
        "**",
        "`",
        "``",
        "snake_case_name",
        "[link]",
        "[/x]",
        "[@click=app.bell]y[/]",
        "*",
    ],
)
def test_what_is_not_markdown_stays(text: str) -> None:
    assert plain(inline(text)) == text


def test_a_fence_keeps_its_lines() -> None:
    assert _texts("```py\nx  =  1\n- no item\n```\nafter") == ["  x  =  1", "  - no item", "after"]


def test_items_hang_under_their_text() -> None:
    assert _texts("- one two three four", 12) == ["• one two", "  three four"]


@pytest.mark.parametrize("seed", range(20))
def test_no_input_breaks_the_renderer(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choices("*`#-> \n[]ab日\x1b1.~", k=300))
    for each in markdown(text, 20):
        assert plain(each).isprintable()
        assert cell_len(plain(each)) == width_of(each)


def test_a_list_that_has_been_removed_draws_nothing() -> None:
    strips = Page(id="gone").render_lines(Region(0, 0, 10, 3))
    assert [strip.text for strip in strips] == [" " * 10] * 3


def test_units_are_kept_in_one_piece() -> None:
    units = [line("match a/**"), line("on edit create"), line("when before"), line("x" * 30)]
    assert [plain(each) for each in flow(units, 28)] == [
        "match a/**   on edit create",
        "when before",
        "x" * 28,
        "xx",
    ]
