"""A small shop as a project, an app on it, and snapshots as SVG with a text twin."""

from __future__ import annotations

import asyncio
import difflib
import os
import re
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.tui.app import SctxApp
from sctx_tui.tui.project import Project
from sctx_tui.tui.screens import answering
from sctx_tui.tui.screens.main import MainScreen
from sctx_tui.tui.screenshot import settled, svg_of
from sctx_tui.tui.state import State

SNAPSHOTS = Path(__file__).resolve().parents[2] / "snapshots"
TODAY = "2026-12-01"
SHOP = Path(__file__).parent / "shop"

Steps = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the machine shows in the app, and nothing of the app stays on the machine."""
    for name in (
        "NO_COLOR",
        "TEXTUAL_THEME",
        "TEXTUAL_FILTERS",
        "TEXTUAL_COLOR_SYSTEM",
        "TEXTUAL_DIM_FACTOR",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr(answering, "REST", 0.0)
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("VISUAL", "false-editor")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The shop of `tests/tui/shop` as a git checkout; file names end in `.txt` there so that no tool minds
    them."""
    root = tmp_path / "shop"
    for source in sorted(SHOP.rglob("*.txt")):
        target = root / source.relative_to(SHOP).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    (root / "build.log").write_text("ignored\n")
    (root / "node_modules").mkdir()
    (root / "node_modules" / "left-pad.js").write_text("ignored\n")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


class Ui:
    """What the tests of the app share."""

    @staticmethod
    def app(root: Path, *, theme: str = "dark", builds_index: bool = False, **remembered: Any) -> SctxApp:
        """The app on a project, as on a first run except for what is given as remembered."""
        return SctxApp(
            Project(os.path.realpath(root), TODAY, builds_index=builds_index),
            State(**remembered),
            theme=theme,
        )

    @staticmethod
    def run(app: SctxApp, steps: Steps, size: tuple[int, int] = (120, 36), *, waits: bool = True) -> None:
        """Run the app without a terminal, and the steps as soon as it has answered, or at once."""

        async def run() -> None:
            async with app.run_test(size=size, notifications=True) as pilot:
                if waits:
                    await settled(app)
                await steps(pilot)

        try:
            asyncio.run(run())
        finally:
            app.project.code.close()  # as `sctx tui` does at its end

    @staticmethod
    async def press(pilot: Pilot[None], *keys: str) -> None:
        """Press keys, each after the answer to the one before."""
        for key in keys:
            await pilot.press(key)
            await settled(pilot.app)
        await pilot.pause()

    @staticmethod
    def main(app: Any) -> MainScreen:
        """The main screen, whatever is above it."""
        return next(screen for screen in app.screen_stack if isinstance(screen, MainScreen))

    @staticmethod
    def text(app: Any) -> str:
        """What is on the screen, as text."""
        rows = app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in row).rstrip() for row in rows) + "\n"


@pytest.fixture
def ui() -> type[Ui]:
    """Running the app in tests."""
    return Ui


Snap = Callable[..., None]


@pytest.fixture
def snap(request: pytest.FixtureRequest) -> Snap:
    """Compare the app after some keys with `snapshots/<test>`; UPDATE_SNAPSHOTS=1 writes them."""

    def check(app: SctxApp, *keys: str, size: tuple[int, int] = (120, 36)) -> None:
        shot: dict[str, str] = {}

        async def shoot(pilot: Pilot[None]) -> None:
            await Ui.press(pilot, *keys)
            shot.update({".txt": Ui.text(app), ".svg": svg_of(app)})

        Ui.run(app, shoot, size)
        name = re.sub(r"[^a-z]+", "-", request.node.name.removeprefix("test_")).strip("-")
        base = SNAPSHOTS / name
        for suffix, new in shot.items():
            _compare(base.with_name(base.name + suffix), new)

    return check


def _compare(path: Path, new: str) -> None:
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new, encoding="utf-8")
        return
    assert path.exists(), f"no snapshot {path}; run with UPDATE_SNAPSHOTS=1 and look at it"
    old = path.read_text(encoding="utf-8")
    if old != new:
        difference = difflib.unified_diff(old.splitlines(), new.splitlines(), path.name, "now", lineterm="")
        pytest.fail("\n".join(difference)[:4000], pytrace=False)


@pytest.fixture
def indexed(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop with an index, notes in it, and a caller whose callee has changed since."""
    from sctx_tui.graph import indexer, store_notes
    from sctx_tui.graph.store import Store

    monkeypatch.setattr(store_notes, "now", lambda: "2026-11-02T10:00:00+00:00")
    root = os.path.realpath(shop)
    with Store.open(root, create=True) as store:
        list(indexer.sync(store, root))
        store_notes.add_danger(
            store,
            "src/payments/**",
            "Never call charge twice for one basket",
            reason="money",
            source="person",
        )
        store_notes.add_decision(
            store, "src/payments/checkout.ts", "Sum in the client is for display only",
            alternatives=["Trusting the client"], reason="prices change", source="agent",
        )  # fmt: skip
        charge = shop / "src" / "payments" / "charge.ts"
        charge.write_text(charge.read_text().replace("card: Card)", "card: Card, currency: string)"))
        list(indexer.sync(store, root, describes=False))
    return shop
