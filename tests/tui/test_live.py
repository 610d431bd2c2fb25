"""What happens on disk is on the screen soon after; the cursor stays where it is."""

from __future__ import annotations

import os
import queue
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.listing import listed_files
from sctx_tui.services.watcher import ANYTHING
from sctx_tui.tui.following import Following
from sctx_tui.tui.screens import watching
from sctx_tui.tui.watch import AT_ONCE, Changes, Watch, governing

CHECKOUT = {"path": "src/payments/checkout.ts", "is_folder": False, "opened": ["src", "src/payments"]}


async def _until(pilot: Pilot[None], ui: Any, text: str, *, gone: bool = False) -> None:
    """Wait until the text is on the screen, or gone from it; however many blanks stand between its words."""
    wanted = re.compile(" +".join(map(re.escape, text.split())))
    for _ in range(2_000):
        if bool(wanted.search(ui.text(pilot.app))) is not gone:
            return
        await pilot.pause(0.01)
    pytest.fail(f"{text!r} in\n{ui.text(pilot.app)}")


@pytest.fixture(params=["events", "looks"])
def notices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the app hears of changes: from the system, or, where that tells of none, by looking."""
    monkeypatch.setattr(watching, "LISTING_INTERVAL", 0.0)
    if request.param == "looks":
        monkeypatch.setattr(Following, "_follow", lambda self: None)
    else:
        monkeypatch.setattr(Watch, "look", lambda *_: Changes())
    return str(request.param)


def test_a_saved_guidance_file_is_shown(ui: Any, shop: Path, notices: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        (shop / "src" / "AGENTS.yaml").write_text("context:\n  - content: written just now\n")
        await _until(pilot, ui, "written just now")
        (shop / "src" / "AGENTS.yaml").unlink()
        await _until(pilot, ui, "written just now", gone=True)

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_a_first_guidance_file_in_a_folder_is_noticed(ui: Any, shop: Path, notices: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        (shop / "src" / "orders" / "AGENTS.yml").write_text("context:\n  - content: orders are final\n")
        await _until(pilot, ui, "orders are final")

    ui.run(ui.app(shop, path="src/orders/cart.ts", is_folder=False), steps)


def test_new_and_removed_files_change_the_tree_and_nothing_else(ui: Any, shop: Path, notices: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        opened, selected = set(main.files.file_tree.opened), main.files.file_tree.path
        (shop / "src" / "payments" / "abacus.ts").write_text("")
        await _until(pilot, ui, "abacus.ts")
        assert main.files.file_tree.path == selected == CHECKOUT["path"]
        assert main.files.file_tree.opened == opened
        (shop / "src" / "payments" / "abacus.ts").unlink()
        await _until(pilot, ui, "abacus.ts", gone=True)
        assert main.files.file_tree.path == selected

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_the_cursor_of_the_pane_stays_on_its_entry(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        page = ui.main(pilot.app).side.page
        await ui.press(pilot, "1", "j", "j", "j", "j")
        target, top = page.target, page.scroll_y
        file = shop / "src" / "payments" / "AGENTS.yaml"
        file.write_text(file.read_text() + "# a remark\n")
        await ui.press(pilot, "r")
        assert (page.target, page.scroll_y) == (target, top)

    ui.run(ui.app(shop, **CHECKOUT), steps, size=(100, 20))


def test_renamed_files_and_folders_move_in_the_tree(ui: Any, shop: Path, notices: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        (shop / "src" / "payments" / "audit.ts").rename(shop / "src" / "payments" / "ledger.ts")
        await _until(pilot, ui, "ledger.ts")
        await _until(pilot, ui, "audit.ts", gone=True)
        (shop / "src" / "payments").rename(shop / "src" / "money")
        await _until(pilot, ui, "▸ money")
        await _until(pilot, ui, "checkout.ts", gone=True)
        assert main.files.file_tree.path == main.desk.question.path == "src"

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_what_git_ignores_from_now_on_goes(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _until(pilot, ui, "2 ignored")
        with open(shop / ".gitignore", "a") as rules:
            rules.write("Makefile\n")
        await _until(pilot, ui, "3 ignored")
        await _until(pilot, ui, "Makefile", gone=True)

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_a_new_file_in_a_folder_that_was_never_opened_counts(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _until(pilot, ui, "20 files")
        (shop / "docs" / "deep" / "er").mkdir(parents=True)
        (shop / "docs" / "deep" / "er" / "new.md").write_text("")
        await _until(pilot, ui, "21 files")
        (shop / "build.log").write_text("ignored, and still so")
        (shop / "docs" / "deep" / "er" / "new.md").unlink()
        await _until(pilot, ui, "20 files")

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_the_code_below_follows(ui: Any, shop: Path, notices: str) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "3")
        file = shop / "src" / "payments" / "checkout.ts"
        file.write_text("// written just now\n" + file.read_text())
        await _until(pilot, ui, "// written just now")

    ui.run(ui.app(shop, **CHECKOUT), steps)


def test_what_changes_between_listing_and_following_is_not_missed(shop: Path) -> None:
    listed = listed_files(str(shop))
    for known, expected in ((listed, frozenset()), (listed[1:], {ANYTHING}), ([*listed, "gone"], {ANYTHING})):
        told: queue.Queue[Any] = queue.Queue()
        following = Following(str(shop), known, told.put)
        following.start()
        assert told.get(timeout=60) == expected
        following.stop()


def test_the_thread_ends_with_the_app(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _until(pilot, ui, "20 files")

    ui.run(ui.app(shop), steps)
    for thread in threading.enumerate():
        if thread.name == "following":
            thread.join(30)
            assert not thread.is_alive()


def test_counts_follow(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _until(pilot, ui, "README.md 1")
        (shop / "AGENTS.yaml").write_text("context:\n" + "  - content: one more\n" * 7)
        await _until(pilot, ui, "README.md 7")

    ui.run(ui.app(shop), steps)


def test_governing_names_every_file_that_could_count() -> None:
    assert governing("a/b/c.py", is_folder=False) == [
        "AGENTS.yaml", "AGENTS.yml", "a/AGENTS.yaml", "a/AGENTS.yml", "a/b/AGENTS.yaml", "a/b/AGENTS.yml",
    ]  # fmt: skip
    assert governing("a", is_folder=True)[-1] == "a/AGENTS.yml"
    assert governing("", is_folder=True) == ["AGENTS.yaml", "AGENTS.yml"]


def test_a_long_list_is_looked_at_in_turns(tmp_path: Path) -> None:
    names = [f"{number}.yaml" for number in range(3 * AT_ONCE)]
    for name in names:
        (tmp_path / name).write_text("")
    watch = Watch(str(tmp_path))
    for _ in range(3):
        assert not watch.look((), names, (), ()).guidance
    for name in (names[0], names[-1]):
        (tmp_path / name).write_text("changed")
        assert sum(watch.look((), names, (), ()).guidance for _ in range(3)) == 1


def test_a_watch_sees_each_kind_of_change(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    file = tmp_path / "a" / "AGENTS.yaml"
    watch = Watch(str(tmp_path))

    def look() -> tuple[bool, bool, bool, bool]:
        return watch.look(["a/AGENTS.yaml"], [], ["code.py"], ["", "a"])[:4]

    assert look() == (False, False, False, False)
    file.write_text("x")
    assert look()[0]
    assert look() == (False, False, False, False)
    os.replace(file, tmp_path / "elsewhere")
    found = look()
    assert found[0]
    assert found[3]
    (tmp_path / "code.py").write_text("x")
    assert look()[1]
    (tmp_path / ".ctx").mkdir()
    (tmp_path / ".ctx" / "index.db").write_text("x")
    assert look()[2]
