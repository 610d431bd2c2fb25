"""Pictures of every pane and state, as SVG and as text; look at them after UPDATE_SNAPSHOTS=1."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

CHECKOUT: dict[str, Any] = {
    "path": "src/payments/checkout.ts",
    "is_folder": False,
    "opened": ["src", "src/payments"],
}
SIZES = {"wide": (120, 36), "usual": (80, 24), "small": (60, 20)}
PANES = ("context", "decisions", "neighbours", "delivered", "compare", "problems", "coverage", "search")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("pane", PANES)
def test_pane(ui: Any, snap: Any, shop: Path, pane: str, theme: str, size: str) -> None:
    keys = {"search": ["s", *"money", "enter"], "neighbours": ["3", "j"]}.get(
        pane, [str(PANES.index(pane) + 1)]
    )
    snap(ui.app(shop, theme=theme, **CHECKOUT), *keys, size=SIZES[size])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_tree(ui: Any, snap: Any, shop: Path, theme: str, size: str) -> None:
    snap(ui.app(shop, theme=theme, **CHECKOUT), size=SIZES[size])


@pytest.mark.parametrize("theme", ["dark", "light", "ansi"])
def test_exclusions(ui: Any, snap: Any, shop: Path, theme: str) -> None:
    snap(ui.app(shop, theme=theme, action="read", **CHECKOUT), "x", "1", "j")


def test_no_colour(ui: Any, snap: Any, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    snap(ui.app(shop, action="read", **CHECKOUT), "x", "1", "j")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_help(ui: Any, snap: Any, shop: Path, theme: str) -> None:
    snap(ui.app(shop, theme=theme, **CHECKOUT), "question_mark", size=(120, 50))


def test_finder(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, **CHECKOUT), "f", *"ord")


def test_filter(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, **CHECKOUT), "slash", *"ch")


def test_compare_of_two_actions(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, action="read", **CHECKOUT), "d", "a")


def test_compare_of_two_paths(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, **CHECKOUT), "d", "0", "k")


def test_neighbours_after_a_walk(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, **CHECKOUT), "3", "j", "enter")


def test_first_run(ui: Any, snap: Any, tmp_path: Path) -> None:
    root = tmp_path / "bare"
    root.mkdir()
    (root / "main.py").write_text("print('hello')\n")
    snap(ui.app(root), "1")


def test_nothing_applies(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, path="package.json", is_folder=False), "1")


def test_broken_guidance(ui: Any, snap: Any, shop: Path) -> None:
    (shop / "src" / "AGENTS.yaml").write_text("context:\n  - content: [\n")
    snap(ui.app(shop, **CHECKOUT), "1")


def test_no_problems(ui: Any, snap: Any, shop: Path) -> None:
    shutil.rmtree(shop / "src" / "catalog")
    snap(ui.app(shop), "6")


def test_too_small(ui: Any, snap: Any, shop: Path) -> None:
    snap(ui.app(shop, **CHECKOUT), size=(30, 8))


def test_error(ui: Any, snap: Any, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = ui.app(shop, **CHECKOUT)

    def fail() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(app.project, "problems", fail)
    snap(app, "6")


@pytest.mark.parametrize("pane", ["decisions", "neighbours", "delivered", "search"])
def test_with_an_index(ui: Any, snap: Any, indexed: Path, pane: str) -> None:
    keys = {"search": ["s", *"charge", "enter"]}.get(pane, [str(PANES.index(pane) + 1)])
    keys += ["G"] if pane == "delivered" else []
    snap(ui.app(indexed, **CHECKOUT), *keys)


@pytest.mark.parametrize(("name", "theme"), [("app", "dark"), ("app-light", "light")])
def test_pictures_of_the_docs_are_those_of_the_tests(name: str, theme: str) -> None:
    root = Path(__file__).resolve().parents[2]
    shown, drawn = root / "docs" / "images" / f"{name}.svg", root / "snapshots" / f"exclusions-{theme}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        shown.parent.mkdir(exist_ok=True)
        shutil.copyfile(drawn, shown)
    assert shown.read_bytes() == drawn.read_bytes()
