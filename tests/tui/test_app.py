"""The app as a whole: it starts, answers, and the panes show what was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.tui.app import quick

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


@pytest.mark.parametrize(
    "words", [["--help"], ["a", "b"], ["--on", "edit"], ["--web"], ["--no-indx"], ["-h"]]
)
def test_what_is_not_typed_every_day_is_left_to_the_command_line(words: list[str]) -> None:
    assert quick(words) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the app needs a terminal"),
        (["src", "--no-index"], "the app needs a terminal"),
        (["../elsewhere.ts"], "is outside the root"),
        (["--no-such-option"], "unknown option"),
    ],
)
def test_the_command_says_what_is_wrong(shop: Path, words: list[str], said: str) -> None:
    command = [sys.executable, "-m", "sctx_tui", "tui", *words]
    done = subprocess.run(
        command, cwd=shop, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_no_library_for_command_lines_is_loaded_before_the_first_paint(shop: Path) -> None:
    code = (
        "import sys, sctx_tui.__main__ as main, sctx_tui.tui.app as app\n"
        "app.run = lambda *_, **__: print('click' in sys.modules) or 0\n"
        "sys.argv = ['sctx', 'tui', 'src']\n"
        "main.sctx()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=shop, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
