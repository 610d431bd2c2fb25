"""The app as a whole: it starts, answers, and the panes show what was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.graph import indexer
from sctx_tui.graph.store import Store
from sctx_tui.tui import project
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


def test_of_a_hub_the_nearest_are_shown_and_enter_brings_the_rest(
    ui: Any, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "MAX_ENDS", 2)
    users = "".join(f"def user_{n}():\n    hub()\n\n\n" for n in range(5))
    (shop / "hub.py").write_text("def hub():\n    pass\n")
    (shop / "users.py").write_text("from hub import hub\n\n\n" + users)
    root = os.path.realpath(shop)
    with Store.open(root, create=True) as store:
        list(indexer.sync(store, root))

    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        await ui.press(pilot, "3")
        text = main.side.page.text()
        assert text.count("user_") == 2
        assert "3 more of lower rank" in text
        while main.side.page.block.action != "show_all":
            await ui.press(pilot, "j")
        await ui.press(pilot, "enter")
        text = main.side.page.text()
        assert text.count("user_") == 5
        assert "of lower rank" not in text
        assert main.desk.question.path == "hub.py"

    ui.run(ui.app(shop, path="hub.py", is_folder=False), steps)
