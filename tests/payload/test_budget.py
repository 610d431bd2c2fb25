"""Whatever a repository holds, the document stays within its budget and says what it left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.graph.neighbours import Neighbour
from sctx_tui.graph.store_notes import Danger, Decision, SessionEntry
from sctx_tui.graph.store_records import DirectoryRecord, FileRecord, FunctionRecord
from sctx_tui.graph.store_taint import QueueEntry
from sctx_tui.guidance.resolve import make_query, resolve
from sctx_tui.payload.budget import STEPS, ZONES, fit
from sctx_tui.payload.material import Material


def file_record(path: str, **changes: object) -> FileRecord:
    values: dict[str, object] = {
        "path": path, "language": "python", "problem": None, "system": "shop", "purpose": "Sells things.",
        "exports": ("a", "b"), "imports": (), "used_by": (), "used_by_count": 0, "summary": None,
        "danger": None, "last_change": None, "semantic_hash": "h", "content_hash": "c", "confidence": 1.0,
        "is_stale": False, "lines": 100, "size": 1000,
    }  # fmt: skip
    return FileRecord(**{**values, **changes})  # type: ignore[arg-type]


def function_record(number: int, **changes: object) -> FunctionRecord:
    values: dict[str, object] = {
        "id": f"shop.py::f{number}", "file": "shop.py", "class_name": None, "name": f"f{number}",
        "kind": "function", "signature": f"def f{number}(cart, rate)", "summary": "Adds up a cart.",
        "summary_long": "Adds up a cart. Rounds at the end, never before, because taxes are per line.",
        "mutates": (), "danger": None, "is_tainted": False, "taint_source": None,
        "start_line": number * 10 + 1, "end_line": number * 10 + 9, "docstring": None, "decorators": (),
        "is_exported": True, "semantic_hash": "h", "confidence": 1.0, "is_stale": False,
    }  # fmt: skip
    return FunctionRecord(**{**values, **changes})  # type: ignore[arg-type]


def neighbour(path: str, **changes: object) -> Neighbour:
    values: dict[str, object] = {
        "id": path, "file": path.partition("::")[0], "name": path, "signature": "def g(x)", "line": 1,
        "at_line": 3, "rank": 0.1,
    }  # fmt: skip
    return Neighbour(**{**values, **changes})  # type: ignore[arg-type]


def material(
    root: Path, *, line: int | None = None, size: int = 0, noise: str = "", **parts: object
) -> Material:
    """A file with `size` of everything that grows."""
    query = make_query("shop.py", root=str(root))
    made = Material(query, line, resolve(query))
    made.file = file_record("shop.py")
    made.functions = [function_record(n, signature=f"def f{n}({noise})") for n in range(size)]
    made.imports = tuple(neighbour(f"lib/m{n}.py") for n in range(size))
    made.dependents = tuple(neighbour(f"app{n % 9}/d{n}.py") for n in range(size))
    made.file_records = {n.id: file_record(n.id) for n in (*made.imports, *made.dependents)}
    made.callers = tuple(neighbour(f"app/c{n}.py::g{n}", signature=f"def g({noise})") for n in range(size))
    made.callees = tuple(neighbour(f"app/e{n}.py::g{n}", signature=f"def g({noise})") for n in range(size))
    made.dangers = [
        Danger(n, "*", f"danger {n} {noise}", None, "person", "2026-01-01") for n in range(size // 4)
    ]
    made.decisions = [Decision(n, "*", f"choice {n}", (), noise, "agent", "2026-01-01") for n in range(size)]
    made.session = [SessionEntry(n, "log", f"did {n}", (), "agent", "2026-01-01T00:00:00") for n in range(3)]
    made.taints = [
        QueueEntry(f"shop.py::f{n}", "x.py::y", "signature", False, 1.0, None, "") for n in range(size)
    ]
    made.files_here = [file_record(f"t{n}.py") for n in range(size)]
    made.folders = [("", [DirectoryRecord(f"d{n}", n, None) for n in range(size)])]
    for name, value in parts.items():
        setattr(made, name, value)
    return made


SIZES = (0, 1, 12, 40, 300, 4000)
NOISES = ("", "cart: Cart, rate: float = 0.2", "x" * 5000, "购物车：金额" * 400, "Zq9_ " * 900)


@pytest.mark.parametrize("budget", [1000, 3000, 8000, 20000])
@pytest.mark.parametrize("size", SIZES)
def test_never_above_the_budget(tmp_path: Path, size: int, budget: int, real: Callable[[str], int]) -> None:
    for noise in NOISES:
        document = fit(material(tmp_path, size=size, noise=noise), budget)
        assert document.tokens <= budget
        assert real(document.markdown()) <= document.tokens


def test_small_files_are_said_in_full(tmp_path: Path) -> None:
    document = fit(material(tmp_path, size=4))
    assert document.steps == []
    assert all(not block.omitted for zone in document.zones for block in zone.blocks)


def test_steps_are_named_in_order_with_a_way_to_fetch(tmp_path: Path) -> None:
    document = fit(material(tmp_path, size=300, noise="cart: Cart"))
    names = [step.name for step in document.steps if not step.name.startswith("left out: ")]
    known = [name for name, _, _ in STEPS] + ["lists cut"]
    assert names == [name for name in known if name in names]
    assert len(names) >= 2
    assert all(step.fetch for step in document.steps)
    assert all(step.name in document.markdown() for step in document.steps)


def test_counts_add_up(tmp_path: Path) -> None:
    document = fit(material(tmp_path, size=300))
    for zone in document.zones:
        for block in zone.blocks:
            assert block.total == len(block.items) + block.omitted
            if block.omitted:
                assert f"{len(block.items)} of {block.total}" in document.markdown()


def test_unused_tokens_pass_on(tmp_path: Path) -> None:
    """Calls alone may use what the zones before them left."""
    alone = material(tmp_path, size=0)
    alone.callers = tuple(
        neighbour(f"app/c{n}.py::g{n}", signature="def g(cart, rate, day)") for n in range(150)
    )
    calls = fit(alone).zones[3]
    assert ZONES[3] < calls.tokens <= 8000


def guidance(root: Path, levels: list[str]) -> None:
    (root / "AGENTS.yaml").write_text(
        "context:\n" + "".join(f"  - content: {text!r}\n" for text in levels), encoding="utf-8"
    )


def test_guidance_is_placed_before_everything_else(tmp_path: Path) -> None:
    guidance(tmp_path, [f"rule {n}: " + "keep totals in cents " * 20 for n in range(25)])
    document = fit(material(tmp_path, size=300))
    text = document.markdown()
    assert all(f"rule {n}:" in text for n in range(25))
    assert document.tokens <= 8000


def test_where_guidance_alone_is_too_much_the_least_specific_is_cut_and_counted(tmp_path: Path) -> None:
    guidance(tmp_path, [f"root rule {n}: " + "keep totals in cents " * 60 for n in range(40)])
    (tmp_path / "src").mkdir()
    guidance(tmp_path / "src", [f"near rule {n}: " + "round at the end " * 20 for n in range(10)])
    query = make_query("src/a.py", root=str(tmp_path))
    document = fit(Material(query, None, resolve(query)))
    text = document.markdown()
    assert all(f"near rule {n}:" in text for n in range(10))
    assert "root rule 0:" not in text
    (block,) = (b for z in document.zones for b in z.blocks if b.heading == "Guidance")
    assert block.omitted > 0
    assert f'… {block.omitted} more: get_guidance("src/a.py")' in text
    assert document.tokens <= 8000


def test_fan_in_above_fifteen_becomes_a_count(tmp_path: Path) -> None:
    few, many = material(tmp_path), material(tmp_path)
    few.dependents = tuple(neighbour(f"app/d{n}.py") for n in range(15))
    many.dependents = tuple(neighbour(f"app/d{n}.py") for n in range(16))
    assert sum("app/d" in line for line in fit(few).markdown().splitlines()) == 15
    text = fit(many).markdown()
    assert "Imported by (5 of 16)" in text
    assert "app 16" in text


def test_more_than_thirty_functions_are_paginated_to_the_twenty_nearest(tmp_path: Path) -> None:
    document = fit(material(tmp_path, line=251, functions=[function_record(n) for n in range(50)]))
    (block,) = (b for z in document.zones for b in z.blocks if b.heading == "Functions")
    shown = [item.data["id"] for item in block.items]
    assert shown == [f"shop.py::f{n}" for n in range(15, 35)]
    assert (len(shown), block.total) == (20, 50)


@pytest.mark.parametrize("name", ["x" * 200, "漢字" * 40, "🚀" * 50])
def test_a_path_of_thousands_of_characters(tmp_path: Path, name: str, real: Callable[[str], int]) -> None:
    guidance(tmp_path, ["keep totals in cents"])
    query = make_query("/".join([name] * 12) + "/a.py", root=str(tmp_path))
    made = material(tmp_path, size=300)
    made.query = query
    for budget in (1000, 8000):
        document = fit(made, budget)
        assert real(document.markdown()) <= document.tokens <= budget


@pytest.mark.parametrize("line", [5, 151, 295])
def test_the_nearest_functions_stay_when_the_list_is_cut(tmp_path: Path, line: int) -> None:
    made = material(tmp_path, line=line, functions=[function_record(n) for n in range(30)])
    made.focus = made.functions[line // 10]
    (block,) = (b for z in fit(made, 1000).zones for b in z.blocks if b.heading == "Functions")
    shown = [int(item.data["id"].removeprefix("shop.py::f")) for item in block.items]
    assert 1 < len(shown) < 20
    assert line // 10 in shown
    assert shown == list(range(shown[0], shown[0] + len(shown)))


@pytest.mark.parametrize("budget", [1000, 1500, 8000])
def test_a_list_without_room_is_named(tmp_path: Path, budget: int) -> None:
    guidance(tmp_path, [f"rule {n}: " + "keep totals in cents " * 60 for n in range(60)])
    text = fit(material(tmp_path, size=300, line=5), budget).markdown()
    for heading in ("Functions", "Imports", "Imported by", "Callers", "Calls", "Project tree"):
        left_out = text.partition("left out: ")[2]
        assert f"### {heading} (" in text or re.search(rf"\b{heading} \(\d+\)", left_out), heading


def test_a_huge_text_costs_no_more_than_its_beginning(tmp_path: Path, real: Callable[[str], int]) -> None:
    huge = "购物车" * 200_000
    made = material(tmp_path, functions=[function_record(1, signature=huge, summary=huge, docstring=huge)])
    made.dangers = [Danger(1, "*", huge, huge, "person", "")]
    made.decisions = [Decision(1, "*", huge, (huge,) * 50, huge, "agent", "")]
    made.session = [SessionEntry(1, "log", huge, (), "agent", "2026-01-01T00:00:00")]
    document = fit(made)
    assert real(document.markdown()) <= document.tokens <= 8000
    assert document.markdown().count("购物车购物车") > 10


@pytest.mark.parametrize("budget", [999, 100_001, 0, -5])
def test_impossible_budgets(tmp_path: Path, budget: int) -> None:
    with pytest.raises(ValueError, match="between 1000 and 100000"):
        fit(material(tmp_path), budget)


def test_hostile_text_is_shown_as_text(tmp_path: Path) -> None:
    evil = "\x1b]52;c;ZXZpbA==\x07 \u202ereversed"
    made = material(tmp_path, functions=[function_record(1, signature=evil, summary=evil, docstring=evil)])
    made.dangers = [Danger(1, "*", evil, evil, "agent", "")]
    text = fit(made).markdown()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b]52" in text
