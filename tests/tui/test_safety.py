"""Text from a repository is text: no markup, no control codes, and no fault of the app."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

import sctx_tui.tui

ROOM = Path(sctx_tui.tui.__file__).parent
SINKS = {
    "Static": 0, "Label": 0, "Button": 0, "Checkbox": 0, "Collapsible": 0, "Option": 0, "OptionList": 0,
    "DataTable": 0, "Tree": 0, "Markdown": 0, "TabPane": 0, "Tab": 0, "Text": None, "Content": None,
}  # fmt: skip
"""Widgets of the framework that read markup in a `str`. We use none of them: see `widgets/lines.py`."""
TITLES = {"border_title", "border_subtitle", "tooltip", "sub_title"}


def _trees() -> list[tuple[str, ast.Module]]:
    return [(str(path.relative_to(ROOM)), ast.parse(path.read_text())) for path in sorted(ROOM.rglob("*.py"))]


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_no_widget_of_ours_reads_markup() -> None:
    used = {
        (file, _name(node))
        for file, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node) in SINKS
    }
    assert used == set()


def test_no_other_way_to_markup_is_open() -> None:
    for file, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node) == "notify":
                markup = next((each.value for each in node.keywords if each.arg == "markup"), None)
                assert isinstance(markup, ast.Constant) and markup.value is False, f"{file}:{node.lineno}"
            if isinstance(node, ast.Attribute) and node.attr in TITLES and isinstance(node.ctx, ast.Store):
                pytest.fail(f"{file}:{node.lineno} sets {node.attr}")
            if isinstance(node, ast.Call) and _name(node) == "from_markup":
                pytest.fail(f"{file}:{node.lineno} reads markup")


def test_the_text_of_an_input_is_ours_or_the_users() -> None:
    """A placeholder is drawn as content of the framework's; ours are literals."""
    for file, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node) == "Prompt":
                given = [each.value for each in node.keywords if each.arg == "placeholder"]
                assert all(isinstance(each, ast.Constant) for each in given), f"{file}:{node.lineno}"


def test_every_strip_is_made_in_one_place() -> None:
    makers = [
        file
        for file, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node) in ("Segment", "Strip")
    ]
    assert set(makers) == {"widgets/lines.py"}


NAMES = (
    b"plain.py",
    b"esc\x1b]52;c;aGk=\x07.py",
    b"new\nline.py",
    b"tab\there.py",
    b"\xff\xfe.py",
    b"[bold red]x[/].py",
    b"[@click=app.bell]y.py",
    b"app/[slug]/[/]/page.tsx",
    b"app/[/slug].tsx",
    "bidi\u202egnp.py".encode(),
    "zero\u200bwidth.py".encode(),
    "日本語ファイル.py".encode(),
    b"-rf.py",
    b"~tilde.py",
    b"trailing blank .py",
    b"x" * 200 + b".py",
)
HOSTILE = (
    "\\e[31mred \\e]52;c;aGk=\\a [/] [bold]b[/bold] [@click=app.bell]c[/] "
    "[$primary]z \\u202e <b> & `[/]` **[/x]**"
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A repository that means ill."""
    root = tmp_path / "hostile"
    root.mkdir()
    for name in NAMES:
        full = os.path.join(os.fsencode(root), name)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        Path(os.fsdecode(full)).write_text("def f():\n    return f()\n")
    few = "".join(f'  - content: "{HOSTILE} {number}"\n' for number in range(5))
    (root / "AGENTS.yaml").write_text(f"context:\n{few}")
    (root / "many").mkdir()
    many = "".join(f'  - content: "{HOSTILE} {number}"\n' for number in range(5_000))
    (root / "many" / "AGENTS.yaml").write_text(f"context:\n{many}")
    (root / "many" / "one.py").write_text("")
    (root / "deep").mkdir()
    (root / "deep" / "AGENTS.yaml").write_text(
        f'context:\n  - content: "{"m" * 900_000}"\n'
        f'decisions:\n  - decision: "{HOSTILE}"\n    rationale: "{HOSTILE}"\n    date: 2999-99-99\n'
        "  - nonsense\n"
    )
    (root / "deep" / "long.py").write_bytes(b"x = '" + b"l" * 1_000_000 + b"'\n")
    (root / "deep" / "binary.py").write_bytes(bytes(range(256)) * 50)
    (root / "deep" / "loop").symlink_to(root / "deep")
    (root / "deep" / "outside.py").symlink_to("/etc/passwd")
    (root / "deep" / "nowhere.py").symlink_to(root / "missing")
    os.mkfifo(root / "deep" / "AGENTS.yml")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def _assert_inert(app: Any) -> None:
    """What goes to the terminal holds no character that acts on it."""
    for row in app.screen._compositor.render_strips():
        for segment in row:
            assert segment.text.isprintable(), repr(segment.text)
            assert not set("\u202e\u200b") & set(segment.text)


def test_every_pane_survives_a_hostile_repository(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        for key in ("1", "x", "x", "2", "3", "4", "5", "6", "7", "8", "s", *"red", "enter", "0"):
            await ui.press(pilot, key)
            _assert_inert(pilot.app)
        assert pilot.app.is_running

    ui.run(ui.app(hostile), steps)


def test_every_name_can_be_visited(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "g")
        main = ui.main(pilot.app)
        for _ in range(len(NAMES) + 12):
            await ui.press(pilot, "l", "0", "j")
            _assert_inert(pilot.app)
        rows = {row.path for row in main.files.file_tree.rows}
        assert {os.fsdecode(name) for name in NAMES if b"[/" not in name} <= rows
        assert "deep/loop" in rows
        assert not any(path.startswith("deep/loop/") for path in rows)

    ui.run(ui.app(hostile, pane="context"), steps, size=(100, 30))


def test_the_finder_and_the_filter_survive_too(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "f", "left_square_bracket", "slash")
        _assert_inert(pilot.app)
        assert "[/slug].tsx" in ui.text(pilot.app)
        await ui.press(pilot, "enter", "slash", "left_square_bracket", "s")
        _assert_inert(pilot.app)
        assert "[slug]" in ui.text(pilot.app)

    ui.run(ui.app(hostile), steps)


def test_no_link_leads_outside(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "1")
        assert "outside the root" in ui.text(pilot.app)
        await ui.press(pilot, "3")
        assert "root:x:" not in ui.text(pilot.app)

    ui.run(ui.app(hostile, path="deep/outside.py", is_folder=False, opened=["deep"]), steps)


def test_markup_is_shown_as_it_is_written(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        shown = ui.text(pilot.app)
        assert "[@click=app.bell]c[/]" in shown
        assert "\\x1b]52;c;aGk=\\x07" in shown
        assert "▸ [bold red]x[" in shown

    ui.run(ui.app(hostile), steps, size=(160, 40))


def test_five_thousand_entries_are_all_there(ui: Any, hostile: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await ui.press(pilot, "1", "G")
        assert " 4999" in ui.text(pilot.app)

    ui.run(ui.app(hostile, path="many/one.py", is_folder=False), steps)


def test_files_may_vanish_and_change_their_kind_while_they_are_shown(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        for change in (
            lambda: (shop / "src/payments/checkout.ts").unlink(),
            lambda: (shop / "src/payments/checkout.ts").mkdir(),
            lambda: (shop / "src/payments/AGENTS.yaml").unlink(),
            lambda: (shop / "src/payments/AGENTS.yaml").mkdir(),
            lambda: subprocess.run(["rm", "-rf", shop / "src"], check=True),
            lambda: (shop / "src").write_text("now a file"),
            lambda: subprocess.run(["rm", "-rf", shop], check=True),
        ):
            change()
            await ui.press(pilot, "r", "1", "3", "4", "6", "7", "0")
            assert pilot.app.is_running
        assert main.files.file_tree.rows

    ui.run(ui.app(shop, path="src/payments/checkout.ts", is_folder=False), steps)


@pytest.mark.parametrize(
    "size", [(1, 1), (5, 3), (20, 5), (39, 9), (40, 10), (60, 20), (75, 60), (76, 17), (300, 80)]
)
def test_every_size_of_window_survives(ui: Any, shop: Path, size: tuple[int, int]) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        for key in (
            "1",
            "x",
            "3",
            "5",
            "7",
            "s",
            "escape",
            "0",
            "slash",
            "a",
            "escape",
            "question_mark",
            "escape",
        ):
            await ui.press(pilot, key)
        await pilot.resize_terminal(120, 40)
        await ui.press(pilot, "1")
        await pilot.resize_terminal(*size)
        await ui.press(pilot, "j")

    ui.run(ui.app(shop), steps, size=size)
