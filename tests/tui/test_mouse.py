"""The mouse: rows, tabs, keys and marking text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot

CHECKOUT = {"path": "src/payments/checkout.ts", "is_folder": False, "opened": ["src", "src/payments"]}


async def _click(pilot: Pilot[None], ui: Any, text: str, *, times: int = 1) -> None:
    """Click on the first place where a text is shown."""
    for y, row in enumerate(ui.text(pilot.app).splitlines()):
        if text in row:
            await pilot.click(offset=(row.index(text), y), times=times)
            await ui.press(pilot)
            return
    raise AssertionError(f"{text!r} is not shown")


def test_a_click_selects_a_file(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _click(pilot, ui, "refund.ts")
        assert ui.main(pilot.app).desk.question.path == "src/payments/refund.ts"

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_a_click_on_the_twisty_opens_and_closes(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _click(pilot, ui, "▸ orders")
        assert "cart.ts" in ui.text(pilot.app)
        await _click(pilot, ui, "▾ orders")
        assert "cart.ts" not in ui.text(pilot.app)

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_tabs_and_keys_can_be_clicked(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        await _click(pilot, ui, "2 Decisions")
        assert main.desk.pane == "decisions"
        await _click(pilot, ui, "action all")
        assert main.desk.question.action == "read"
        await _click(pilot, ui, "x exclusions")
        assert main.desk.exclusions
        await _click(pilot, ui, "0 Files")
        assert main.files.file_tree.has_focus
        await _click(pilot, ui, "ignored i")
        assert "build.log" in ui.text(pilot.app)

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_a_click_on_an_entry_puts_the_cursor_there(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _click(pilot, ui, "AGENTS.yaml:14")
        assert ui.main(pilot.app).side.page.target == ("AGENTS.yaml", 14, "")

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_a_double_click_walks(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "3")
        await _click(pilot, ui, "charge(cents", times=2)
        assert ui.main(pilot.app).desk.question.symbol == "src/payments/charge.ts::charge"

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_the_line_between_the_sides_can_be_drawn(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        edge = main.files.outer_size.width - 1
        await pilot.mouse_down(offset=(edge, 10))
        await pilot.hover(offset=(50, 12))
        await pilot.mouse_up(offset=(50, 12))
        await ui.press(pilot)
        assert main.files.outer_size.width == main.split == 51
        await pilot.hover(offset=(30, 12))
        await ui.press(pilot)
        assert main.files.outer_size.width == 51, "let go"
        await pilot.mouse_down(offset=(50, 10))
        await pilot.hover(offset=(2, 12))
        await pilot.mouse_up(offset=(2, 12))
        await ui.press(pilot)
        assert main.files.outer_size.width == 20, "the tree keeps a width of use"
        await ui.press(pilot, "greater_than_sign")
        assert main.files.outer_size.width == 24

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_the_scroll_bar_can_be_drawn(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        assert page.handle().start == 0
        right, top = page.region.right - 1, page.region.y
        await pilot.mouse_down(offset=(right, top))
        await pilot.hover(offset=(right, top + page.window))
        await pilot.mouse_up(offset=(right, top + page.window))
        await ui.press(pilot)
        assert page.scroll_y == page.max_scroll_y > 0
        assert page.handle().stop == page.window
        await pilot.mouse_down(offset=(right, top))
        await pilot.mouse_up(offset=(right, top))
        assert page.scroll_y == 0

    ui.run(ui.app(shop, **CHECKOUT), steps, size=(100, 18))


def test_text_can_be_marked(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        y = next(at for at, row in enumerate(ui.text(pilot.app).splitlines()) if "Answer in" in row)
        await pilot.mouse_down(page, offset=(0, y - page.region.y))
        await pilot.hover(page, offset=(40, y - page.region.y))
        await pilot.mouse_up(page, offset=(40, y - page.region.y))
        await pilot.pause()
        assert "Answer in English" in (pilot.app.screen.get_selected_text() or "")

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_the_wheel_scrolls_without_moving_the_cursor(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        target = page.target
        for _ in range(3):
            event = events.MouseScrollDown(page, 60, 8, 0, 0, 0, False, False, False)
            pilot.app.screen._forward_event(event)
            await pilot.pause()
        assert page.scroll_y > 0
        assert page.target == target

    ui.run(ui.app(shop, **CHECKOUT), steps, size=(100, 18))
