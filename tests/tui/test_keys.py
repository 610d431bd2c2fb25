"""Every row of the key table: its keys do what it says; help, palette and docs come from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.tui import keys
from sctx_tui.tui.watch import Changes

CHECKOUT = {
    "path": "src/payments/checkout.ts",
    "is_folder": False,
    "opened": ["src", "src/payments"],
}
Check = Callable[[Any, str], object]

# Row of the table (its keys) -> keys pressed before, and what must hold after each of its keys.
# `m` is the main screen, `text` what is shown.
CASES: dict[str, tuple[str, Check]] = {
    "a": ("", lambda m, text: m.desk.question.action == "read" and "action read" in text),
    "A": ("", lambda m, text: m.desk.question.action == "create"),
    "t": ("", lambda m, text: m.desk.question.timing == "before" and "timing before" in text),
    "x": ("", lambda m, text: "× Generated" in text),
    **{
        str(number): ("", lambda m, text, name=pane.name: m.desk.pane == name and m.side.page.has_focus)
        for number, pane in enumerate(keys.PANES, 1)
    },
    "0": ("1", lambda m, text: m.files.file_tree.has_focus),
    "d": ("", lambda m, text: m.desk.pane == "compare" and m.desk.pinned is not None and "Pinned" in text),
    "p": ("", lambda m, text: m.desk.pane == "problems" and "onn" in text),
    "v": ("", lambda m, text: m.desk.pane == "coverage" and "files have context" in text),
    "s": ("", lambda m, text: m.desk.pane == "search" and m.side.prompt.has_focus),
    "tab": ("", lambda m, text: m.side.page.has_focus),
    "z": ("", lambda m, text: not m.files.region and m.side.page.has_focus),
    "less_than_sign": ("", lambda m, text: m.files.size.width == 35 - 4),
    "greater_than_sign": ("", lambda m, text: m.files.size.width == 35 + 4),
    "j,down": ("", lambda m, text: m.desk.question.path == "src/payments/refund.ts"),
    "k,up": ("", lambda m, text: m.desk.question.path == "src/payments/charge.ts"),
    "g,home": ("", lambda m, text: m.desk.question.path == ""),
    "G,end": ("", lambda m, text: m.desk.question.path == "README.md"),
    "ctrl+d": ("g", lambda m, text: m.desk.question.path == "README.md"),
    "ctrl+u": ("", lambda m, text: m.desk.question.path == ""),
    "pagedown,ctrl+f": ("g", lambda m, text: m.desk.question.path == "README.md"),
    "pageup,ctrl+b": ("", lambda m, text: m.desk.question.path == ""),
    "left_square_bracket": ("3 j j j j enter", lambda m, text: m.desk.question.path == CHECKOUT["path"]),
    "right_square_bracket": (
        "3 j j j j enter left_square_bracket",
        lambda m, text: m.desk.question.path != CHECKOUT["path"] and m.desk.pane == "neighbours",
    ),
    "enter": ("k k k k", lambda m, text: "src/payments" not in m.files.file_tree.opened),
    "l,right": ("", lambda m, text: m.side.page.has_focus),
    "h,left": ("", lambda m, text: m.desk.question.path == "src/payments"),
    "slash": ("", lambda m, text: m.files.prompt.has_focus),
    "escape": (
        "slash r e f",
        lambda m, text: not m.files.wanted and m.desk.question.path == CHECKOUT["path"],
    ),
    "f": ("", lambda m, text: type(m.app.screen).__name__ == "Finder"),
    "full_stop": ("minus", lambda m, text: m.files.file_tree.path == m.desk.question.path == "src"),
    "minus": ("", lambda m, text: not m.files.file_tree.opened and m.desk.question.path == "src"),
    "w": ("", lambda m, text: "with guidance" in text and "package.json" not in text),
    "i": ("", lambda m, text: "build.log" in text and "ignored shown" in text),
    "page enter": ("3 j j j j", lambda m, text: m.desk.question.symbol and "checkout.ts › " in text),
    "page h,left": ("1", lambda m, text: m.files.file_tree.has_focus),
    "backspace": ("3 j j j j enter", lambda m, text: m.desk.question.symbol == ""),
    "e": ("1", lambda m, text: "No editor can be opened from here" in text),
    "o": ("1", lambda m, text: "No editor can be opened from here" in text),
    "y": ("1", lambda m, text: m.app.clipboard == "AGENTS.yaml:2"),
    "Y": ("1", lambda m, text: "Use ESM imports" in m.app.clipboard),
    "r": ("", lambda m, text: "Money values" in text),
    "c": ("", lambda m, text: "--no-index" in text),
    "ctrl+p,colon": ("", lambda m, text: type(m.app.screen).__name__ == "CommandPalette"),
    "question_mark,f1": ("", lambda m, text: type(m.app.screen).__name__ == "Help" and "Next action" in text),
    "q": ("", lambda m, text: m.app._exit),
    "ctrl+c,ctrl+q": ("", lambda m, text: m.app._exit),
    "ctrl+z": ("", lambda m, text: True),  # stops the process; see test_terminal.py
}


def _row(key: keys.Key) -> str:
    return f"page {key.keys}" if key.where == "page" and f"page {key.keys}" in CASES else key.keys


def test_every_row_of_the_table_has_a_case() -> None:
    assert {_row(key) for key in keys.KEYS} == set(CASES)


@pytest.mark.parametrize("row", [row for row in CASES if row != "ctrl+z"])
def test_key(ui: Any, shop: Path, row: str) -> None:
    before, holds = CASES[row]
    for name in row.removeprefix("page ").split(","):

        async def steps(pilot: Pilot[None], name: str = name) -> None:
            main = ui.main(pilot.app)
            await ui.press(pilot, *before.split())
            await ui.press(pilot, name)
            shown = ui.text(pilot.app) if pilot.app.is_running and pilot.app.screen_stack else ""
            assert holds(main, shown), shown

        ui.run(ui.app(shop, **CHECKOUT), steps, size=(120, 44))


def test_reload_reads_again(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        main.project.watch.look = lambda *_: Changes()  # not by itself
        (shop / "new.ts").write_text("")
        (shop / "AGENTS.yaml").write_text("context:\n  - content: quite new\n")
        await ui.press(pilot, "r")
        shown = ui.text(pilot.app)
        assert "new.ts" in shown
        assert "quite new" in shown

    ui.run(ui.app(shop), steps)


def test_a_list_is_walked_with_vim_keys_in_the_pane_too(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        await ui.press(pilot, "1")
        first = page.target
        await ui.press(pilot, "j", "j")
        assert page.target != first
        await ui.press(pilot, "g")
        assert page.target == first
        await ui.press(pilot, "G")
        last = page.target
        await ui.press(pilot, "k")
        assert page.target != last
        await ui.press(pilot, "ctrl+d", "ctrl+d", "pagedown", "pagedown")
        assert page.target == last
        await ui.press(pilot, "ctrl+u", "ctrl+u", "pageup", "pageup", "home")
        assert page.target == first

    ui.run(ui.app(shop, **CHECKOUT), steps, size=(100, 24))


def test_q_is_a_letter_where_one_types(ui: Any, shop: Path) -> None:
    for opened, value in (("slash", lambda m: m.files.prompt.value), ("s", lambda m: m.side.prompt.value)):

        async def steps(pilot: Pilot[None], opened: str = opened, value: Any = value) -> None:
            await ui.press(pilot, opened, "q", "a", "1")
            assert pilot.app.is_running
            assert value(ui.main(pilot.app)) == "qa1"

        ui.run(ui.app(shop), steps)


def test_ctrl_c_quits_while_one_types(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "slash", "a", "ctrl+c")
        assert pilot.app._exit

    ui.run(ui.app(shop), steps)


def test_every_action_is_in_the_command_palette(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        titles = {command.title for command in pilot.app.get_system_commands(pilot.app.screen)}
        known = {key.help for key in keys.KEYS if key.where in ("main", "app")}
        hidden = {key.help for key in keys.KEYS if key.action in ("command_palette", "suspend_process")}
        assert titles >= known - hidden

    ui.run(ui.app(shop), steps)


def test_the_palette_runs_what_it_finds(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "colon", *"next timing")
        await pilot.pause(0.5)
        await ui.press(pilot, "enter")
        await pilot.pause(0.2)
        assert ui.main(pilot.app).desk.question.timing == "before"

    ui.run(ui.app(shop), steps)


def test_footer_shows_the_keys_of_what_has_the_focus(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert "/ filter" in ui.text(pilot.app).splitlines()[-1]
        await ui.press(pilot, "3")
        footer = ui.text(pilot.app).splitlines()[-1]
        assert "Backspace back" in footer
        assert "/ filter" not in footer

    ui.run(ui.app(shop), steps)


def test_every_footer_names_known_keys() -> None:
    for context in ("tree", *keys.PANE_NAMES):
        shown = keys.footer(context)
        assert shown
        assert all(key.label for key in shown)


def test_help_shows_every_row(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "question_mark")
        text = pilot.app.screen.query_one("#help-page").text()
        for key in keys.KEYS:
            assert keys.signs(key) in text
        await ui.press(pilot, "escape")
        assert pilot.app.screen is ui.main(pilot.app)

    ui.run(ui.app(shop), steps, size=(140, 90))


def test_docs_are_up_to_date() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "keys.md"
    assert page.read_text(encoding="utf-8") == keys.markdown(), "write docs/keys.md anew: see its first lines"


def test_no_two_rows_want_the_same_key() -> None:
    for side in ("tree", "page"):
        wanted = [
            name
            for key in keys.KEYS
            if key.where in ("main", "app", "list", side)
            for name in key.keys.split(",")
        ]
        assert len(wanted) == len(set(wanted)), sorted(name for name in wanted if wanted.count(name) > 1)
