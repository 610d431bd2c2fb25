"""Themes: everything can be read in light and dark, and nothing is said by colour alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot

from sctx_tui.tui.widgets.lines import ROLES, STATES

DECORATION = {"rule", "bar", "handle"}
ENOUGH = 4.5
"""Contrast of text with what lies behind it, as WCAG AA asks for."""


def _contrast(look: Style) -> float:
    assert look.color is not None and look.bgcolor is not None
    levels = []
    for colour in (look.color, look.bgcolor):
        parts = [each / 255 for each in Color.from_rich_color(colour).rgb]
        linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
        levels.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(levels) + 0.05) / (min(levels) + 0.05)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_role_can_be_read_on_every_line(ui: Any, shop: Path, theme: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        contrasts = {
            f"{role} on {state or 'plain'}": round(_contrast(page.looks(state)[role]), 2)
            for state in ("", *STATES)
            for role in ROLES
            if role not in DECORATION
        }
        assert {name: contrast for name, contrast in contrasts.items() if contrast < ENOUGH} == {}

    ui.run(ui.app(shop, theme=theme), steps)


def test_no_colour_leaves_only_the_attributes_of_text(
    ui: Any, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(pilot: Pilot[None]) -> None:
        rows = pilot.app.screen._compositor.render_strips()
        codes = {segment.style.color for row in rows for segment in row if segment.style} - {None}
        assert all(colour.is_default for colour in codes)
        cursor = next(row for row in rows if "checkout.ts" in row.text and "▌" in row.text)
        assert any(segment.style.reverse for segment in cursor if segment.style)

    ui.run(ui.app(shop, path="src/payments/checkout.ts", is_folder=False), steps)


@pytest.mark.parametrize("name", ["ansi", "nord", "textual-light"])
def test_other_themes_start(ui: Any, shop: Path, name: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert "shop" in ui.text(pilot.app)

    ui.run(ui.app(shop, theme=name), steps)


def test_what_does_not_apply_has_a_mark_and_words(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "x")
        shown = ui.text(pilot.app)
        assert "× Generated: change the schema" in shown
        assert "no match" in shown

    app = ui.app(shop, path="src/payments/checkout.ts", is_folder=False)
    ui.run(app, steps, size=(120, 60))


def test_the_terminal_says_whether_it_is_light(ui: Any, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value, dark in (("0;15", False), ("15;0", True), ("", True), ("default;default", True)):
        monkeypatch.setenv("COLORFGBG", value)
        app = ui.app(shop, theme="")
        assert app.current_theme.dark is dark, value
    assert os.environ["COLORFGBG"] == "default;default"
