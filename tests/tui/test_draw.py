"""Drawing plain data: what a pane says for it, whatever the width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sctx_tui.graph.neighbours import Count, Neighbour, Neighbourhood
from sctx_tui.guidance.model import Problem
from sctx_tui.guidance.validate import validate
from sctx_tui.tui import keys
from sctx_tui.tui.desk import Question
from sctx_tui.tui.draw import cards, chrome, graph, reports
from sctx_tui.tui.draw.lines import Block, plain, width_of
from sctx_tui.tui.draw.tree import RowFacts, tree_line
from sctx_tui.tui.files import Row
from sctx_tui.tui.view import (
    Card,
    CompareView,
    DecisionCard,
    Difference,
    GuidanceView,
    NeighboursView,
    Pattern,
    Source,
)

FOCUS = Question("src/a.py", is_folder=False)
WIDTHS = (37, 50, 80, 140)


def _text(blocks: Iterator[Block]) -> str:
    return "\n".join(plain(line) for block in blocks for line in block.lines)


def _neighbour(name: str, **changes: object) -> Neighbour:
    fields: dict[str, object] = {
        "id": f"src/b.py::{name}", "file": "src/b.py", "name": name,
        "signature": f"def {name}(x: int) -> int", "line": 3, "at_line": 9, "rank": 0.25,
    }  # fmt: skip
    return Neighbour(**{**fields, **changes})  # type: ignore[arg-type]


def _hood(**lists: tuple[Neighbour, ...]) -> Neighbourhood:
    none: dict[str, tuple[Neighbour, ...]] = dict.fromkeys(
        ("functions", "callers", "callees", "imports", "dependents"), ()
    )
    found = {**none, **lists}
    counts = {
        f"all_{name}": Count(len({each.id for each in found[name]}), len(found[name]))
        for name in ("callers", "callees")
    }
    return Neighbourhood(path=FOCUS.path, source="index", **found, **counts)


def _view(hood: Neighbourhood, *, trail: tuple[str, ...] = (), symbol: str = "") -> NeighboursView:
    return NeighboursView(FOCUS._replace(symbol=symbol), hood, trail)


def test_neighbours_say_candidates_taint_and_all_call_sites() -> None:
    candidates = tuple(f"src/c{number}.py::f" for number in range(9))
    text = _text(
        graph.neighbour_blocks(
            _view(
                _hood(
                    callers=(
                        _neighbour("one"),
                        _neighbour("one", at_line=12),
                        _neighbour("two", tainted=True),
                    ),
                    callees=(_neighbour("maybe", ambiguous=True, candidates=candidates),),
                )
            ),
            100,
        )
    )
    assert "one(x: int) -> int" in text
    assert "src/b.py:9, 12" in text
    assert text.count("one(x") == 1
    assert "another signature now" in text
    assert "one of 9: src/c0.py f" in text
    assert "and 3 more" in " ".join(text.split())
    assert "it defines nothing" in text


def test_the_way_is_shown_and_the_focus_is_bright() -> None:
    symbol = "src/a.py::C.run"
    blocks = list(
        graph.neighbour_blocks(
            _view(
                _hood(functions=(_neighbour("run", id=symbol, file="src/a.py"),)),
                trail=("src/z.py", "src/z.py::main", "src/a.py::<module>"),
                symbol=symbol,
            ),
            90,
        )
    )
    assert plain(blocks[0].lines[0]).strip() == "z.py › main › a.py › C.run"
    assert ("C.run", "title") in [span for block in blocks for line in block.lines for span in line[1:]]


@pytest.mark.parametrize("partial", [True, False])
def test_what_was_parsed_says_how_far_that_reached(partial: bool) -> None:
    hood = Neighbourhood(
        FOCUS.path,
        (),
        (_neighbour("f"),),
        (),
        (),
        (),
        Count(1, 1),
        Count(0, 0),
        source="parsed",
        partial=partial,
    )
    text = _text(graph.neighbour_blocks(_view(hood), 80))
    assert ("two seconds" in text) is partial
    assert ("1+" in text) is partial


def test_of_a_hub_the_nearest_are_listed_and_all_are_counted() -> None:
    hood = replace(_hood(callers=(_neighbour("one"), _neighbour("two"))), all_callers=Count(1402, 3000))
    blocks = list(graph.neighbour_blocks(_view(hood), 100))
    text = _text(blocks)
    assert "Called by" in text and "1402" in text
    (more,) = [block for block in blocks if block.action == "show_all"]
    assert plain(more.lines[0]).strip() == "… 1,400 more of lower rank; Enter shows all 1,402"
    assert "show_all" not in {block.action for block in graph.neighbour_blocks(_view(_hood()), 100)}


def test_source_lights_its_line() -> None:
    source = Source("a.py", 11, 10, ("before", "\tit", "after"))
    blocks = list(graph.source_blocks(source, 40))
    assert [plain(block.lines[0]) for block in blocks] == ["  10  before", "▶ 11      it", "  12  after"]
    assert [block.target is not None for block in blocks] == [False, True, False]
    assert "Not there" in _text(graph.source_blocks(Source("a.py", 1, problem="Not there."), 40))


def _card(**changes: object) -> Card:
    card = Card(
        "Use **ESM**.\n- never `require`", "src/AGENTS.yaml", 7, 1,
        (Pattern("**/*.ts", True), Pattern("x", False)), (Pattern("gen/**", False),),
        ("edit", "create"), "after", True, "",
    )  # fmt: skip
    return card._replace(**changes)


def _guidance(*shown: Card, decisions: tuple[DecisionCard, ...] = ()) -> GuidanceView:
    return GuidanceView(FOCUS, shown, decisions, (), (), ("src/AGENTS.yaml",))


def test_a_card_says_everything() -> None:
    text = _text(cards.context_blocks(_guidance(_card()), 100, exclusions=False))
    for part in ("Use ESM.", "• never require", "src/AGENTS.yaml:7", "match **/*.ts x", "exclude gen/**",
                 "on edit create", "when after", "level 1", "src ─"):  # fmt: skip
        assert part in text


def test_only_the_deciding_pattern_is_lit() -> None:
    spans = [
        span
        for block in cards.context_blocks(_guidance(_card()), 100, exclusions=False)
        for line in block.lines
        for span in line
    ]
    assert [text for text, role in spans if role == "lit"] == ["**/*.ts"]


def test_exclusions_stand_where_they_would_apply() -> None:
    out = _card(text="second", line=8, applies=False, reason="other action: on edit, asked read")
    view = _guidance(_card(text="first", line=1), out, _card(text="third", line=9))
    text = _text(cards.context_blocks(view, 80, exclusions=True))
    assert (
        text.index("first")
        < text.index("× second")
        < text.index("other action: on edit")
        < text.index("third")
    )
    assert "second" not in _text(cards.context_blocks(view, 80, exclusions=False))


def test_a_very_long_text_is_cut_and_counted() -> None:
    text = _text(cards.context_blocks(_guidance(_card(text="x" * 1_000_000)), 80, exclusions=False))
    assert "994,000 more characters" in text
    assert len(text) < 20_000


def test_a_decision_says_everything() -> None:
    card = DecisionCard(
        "REST", "simple", (("GraphQL", "nobody knows it"), ("gRPC", "")), "clients change", "2025-01-02",
        "1 year ago", "AGENTS.yaml", 3, 0, (Pattern("**", True),), (), True, "",
    )  # fmt: skip
    text = _text(cards.decision_blocks(_guidance(decisions=(card,)), 90, exclusions=False))
    for part in (
        "REST", "2025-01-02", "1 year ago", "because   simple", "GraphQL: nobody knows it", "rejected  gRPC",
        "revisit   clients change", "AGENTS.yaml:3",
    ):  # fmt: skip
        assert part in text


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_pane(shop: Path, width: int) -> None:
    out = _card(applies=False, reason="excluded by " + "x" * 200)
    problems = (
        *validate(str(shop)),
        Problem("a/" * 60 + "AGENTS.yaml", 1, 1, "error", "c", "m " * 80),
    )
    differences = (
        Difference("word " * 30, "context", "a/" * 40 + "AGENTS.yaml", 1, True, False, "no match " * 9),
        Difference("日本語" * 30, "context", "AGENTS.yaml", 2, False, True, "other"),
        Difference("both " * 30, "context", "AGENTS.yaml", 3, True, True, ""),
    )
    hood = _hood(
        callers=(_neighbour("f" * 90, tainted=True), _neighbour("日" * 60)),
        imports=(_neighbour("", id="src/b.py", signature=""),),
    )
    drawn = {
        "context": cards.context_blocks(_guidance(_card(), out), width, exclusions=True),
        "problems": reports.problem_blocks(problems, width),
        "compare": reports.compare_blocks(CompareView(FOCUS, FOCUS, differences), width),
        "neighbours": graph.neighbour_blocks(_view(hood, trail=("a" * 80, "b::" + "c" * 80)), width),
        "source": graph.source_blocks(Source("a", 1, 1, ("x" * 300,)), width),
    }
    for name, blocks in drawn.items():
        for block in blocks:
            for line in block.lines:
                assert width_of(line) <= width, (name, plain(line))


@pytest.mark.parametrize("width", [3, 10, 79, 200])
def test_a_bar_of_zones_has_exactly_its_width(width: int) -> None:
    for parts in ([], [0, 0, 0, 0], [1, 0, 0, 5_000], [10, 20, 30, 40], [9_999, 9_999, 9_999, 9_999]):
        bar = reports.zone_bar(parts, 8_000, width)
        assert width_of(bar) == width + 2
        shown = {role for text, role in bar if role.startswith("zone") and text}
        if width > 9:
            assert len(shown) >= min(len([part for part in parts if part]), 1)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("current", [keys.PANE_NAMES[0], keys.PANE_NAMES[-1]])
def test_tabs_fit_and_keep_what_matters(width: int, current: str) -> None:
    badges = {"context": "12", "problems": "3"}
    items = chrome.tabs(current, badges, width, on_page=True)
    text = "".join(plain(line) for line, _ in items)
    assert len(text) <= width
    assert "0 Files" in text
    assert all(str(number) in text for number in range(9))
    assert dict(zip(keys.PANE_NAMES, (pane.title for pane in keys.PANES), strict=True))[current] in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_the_title_keeps_project_and_name(width: int) -> None:
    question = Question("very/long/path/of/many/folders/to/a/file.py", is_folder=False, action="edit")
    left, right = chrome.title("project", question, "12 apply · 3 excluded · 900 tok", width)
    shown = plain(left[0][0])
    assert shown.startswith(" project › ")
    assert shown.endswith("file.py")
    assert "edit" in "".join(plain(line) for line, _ in right)


def test_a_row_of_the_tree_is_exactly_as_wide_as_the_tree() -> None:
    facts = RowFacts(12, errors=1, is_tainted=True, is_stale=True)
    for name in ("a.py", "x" * 80, "日本語" * 20):
        for width in (18, 40):
            line = tree_line(Row(name, name, 2, False, False), facts, width)
            assert width_of(line) == width, plain(line)
            assert plain(line).endswith("ETS 12")
