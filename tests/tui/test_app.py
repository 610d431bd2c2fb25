"""The app as a whole: it starts, answers, and the panes show what was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

CHECKOUT = {"path": "src/payments/checkout.ts", "is_folder": False}


def test_starts_on_the_root_and_lists_the_files(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        shown = ui.text(pilot.app)
        assert "▸ src" in shown
        assert "2 ignored" in shown
        assert "Answer in English" in shown

    ui.run(ui.app(shop), steps)


def test_the_selected_path_is_what_the_panes_are_about(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert "Money values are integers in cents" in ui.text(pilot.app)
        await ui.press(pilot, "end", "k")
        assert ui.main(pilot.app).desk.question.path == "package.json"
        assert "No context applies to package.json" in ui.text(pilot.app)

    ui.run(ui.app(shop, **CHECKOUT), steps)
