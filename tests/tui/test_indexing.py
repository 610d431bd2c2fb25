"""The index is built beside the app: with progress, and it can be stopped."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.graph.indexer import sync
from sctx_tui.graph.lock import indexing
from sctx_tui.graph.store import Store, index_path
from sctx_tui.services import watcher_state
from sctx_tui.tui.indexing import IndexBuilder, IndexEvent, progress_of_others


def test_building_tells_how_far_it_is_and_ends_with_all_files(shop: Path) -> None:
    async def run() -> list[IndexEvent]:
        builder = IndexBuilder(os.path.realpath(shop))
        try:
            found = [event async for event in builder.build()]
            assert os.path.exists(index_path(str(shop)))
            (shop / "src" / "more.ts").write_text("export const more = 1\n")
            return [*found, *[event async for event in builder.build({"src/more.ts"})]]
        finally:
            await builder.close()

    events = asyncio.run(run())
    assert [event for event in events if event.phase == "done"] == [
        IndexEvent("done", 20, 20),
        IndexEvent("done", 21, 21),
    ]


def test_closing_ends_the_process(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    spawn = asyncio.create_subprocess_exec

    async def noted(*words: Any, **options: Any) -> asyncio.subprocess.Process:
        started.append(await spawn(*words, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    async def run() -> None:
        builder = IndexBuilder(os.path.realpath(shop))
        async with aclosing(builder.build()) as events:
            building = asyncio.ensure_future(anext(events))
            while not started:
                await asyncio.sleep(0.01)
            building.cancel()
            with suppress(asyncio.CancelledError):
                await building

    asyncio.run(run())
    assert started[0].returncode is not None


def test_a_process_that_dies_is_told_of_and_replaced(shop: Path) -> None:
    async def run() -> list[IndexEvent]:
        builder = IndexBuilder(os.path.realpath(shop))
        try:
            found = [event async for event in builder.build()]
            assert builder._process is not None
            builder._process.kill()
            found += [event async for event in builder.build()]
            return [*found, *[event async for event in builder.build()]]
        finally:
            await builder.close()

    last = [event.phase for event in asyncio.run(run()) if event.phase in ("done", "failed")]
    assert last == ["done", "failed", "done"]


def test_an_index_that_leads_elsewhere_is_refused(shop: Path, tmp_path: Path) -> None:
    (shop / ".ctx").symlink_to(tmp_path)

    async def run() -> list[IndexEvent]:
        builder = IndexBuilder(os.path.realpath(shop))
        found = [event async for event in builder.build()]
        await builder.close()
        return found

    last = asyncio.run(run())[-1]
    assert last.phase == "failed"
    assert "symbolic link" in last.message


class Fake:
    """An indexer that stops after two files until it may go on."""

    def __init__(self) -> None:
        self.runs = 0
        self.closed = 0
        self.may_go_on = asyncio.Event()

    async def build(self, paths: Any = None) -> AsyncGenerator[IndexEvent, None]:
        self.runs += 1
        try:
            yield IndexEvent("parse", 2, 9)
            await self.may_go_on.wait()
            yield IndexEvent("done", 9, 9)
        finally:
            self.closed += 1


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The indexer of the app, for tests that decide how fast it is."""
    indexer = Fake()
    monkeypatch.setattr(IndexBuilder, "build", lambda self, paths=None: indexer.build(paths))
    return indexer


async def _status(pilot: Pilot[None], ui: Any, words: str) -> None:
    for _ in range(2_000):
        if words in ui.text(pilot.app):
            return
        await pilot.pause(0.01)
    pytest.fail(ui.text(pilot.app))


def test_progress_is_in_the_last_line(ui: Any, shop: Path, fake: Fake) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "index: parsing 2 of 9, c stops")
        fake.may_go_on.set()
        await _status(pilot, ui, "index 9 files ✓")

    ui.run(ui.app(shop, builds_index=True), steps, waits=False)


def test_c_stops_and_starts(ui: Any, shop: Path, fake: Fake) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "parsing")
        await pilot.press("c")
        await _status(pilot, ui, "index stopped, c goes on")
        assert fake.closed == 1
        fake.may_go_on.set()
        await pilot.press("c")
        await _status(pilot, ui, "index 9 files ✓")
        assert fake.runs == 2

    ui.run(ui.app(shop, builds_index=True), steps, waits=False)


def test_quitting_stops(ui: Any, shop: Path, fake: Fake) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "parsing")

    ui.run(ui.app(shop, builds_index=True), steps, waits=False)
    assert fake.closed == 1


def test_what_goes_wrong_is_said(ui: Any, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: IndexBuilder, paths: Any = None) -> AsyncGenerator[IndexEvent, None]:
        yield IndexEvent("failed", message="the disk is full; free some space")

    monkeypatch.setattr(IndexBuilder, "build", fail)

    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "index failed, c tries again")
        await _status(pilot, ui, "the disk is full")

    ui.run(ui.app(shop, builds_index=True), steps, waits=False)


def test_without_wanting_one_none_is_built(ui: Any, shop: Path, fake: Fake) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert fake.runs == 0

    ui.run(ui.app(shop), steps)


def test_a_save_is_in_the_index_soon_after(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "index 20 files ✓")
        await ui.press(pilot, "3")
        file = shop / "src" / "payments" / "checkout.ts"
        file.write_text(file.read_text() + "\nexport function brandNew(): void {}\n")
        await _status(pilot, ui, "brandNew(): void")

    ui.run(ui.app(shop, builds_index=True, path="src/payments/checkout.ts", is_folder=False), steps)


def test_what_another_process_indexes_is_shown(ui: Any, shop: Path) -> None:
    """Here `ctx sync` in another terminal; the app itself builds nothing."""
    code = "import sys; from sctx_tui.graph.indexer import sync; from sctx_tui.graph.store import Store\n"
    code += "with Store.open(sys.argv[1], create=True) as store: list(sync(store, sys.argv[1]))"

    async def steps(pilot: Pilot[None]) -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, os.path.realpath(shop))
        await _status(pilot, ui, "index 20 files ✓")
        assert await process.wait() == 0

    ui.run(ui.app(shop), steps)


def test_progress_of_others(shop: Path) -> None:
    root = os.path.realpath(shop)
    assert progress_of_others(root, None, 20) == IndexEvent("done", 0, 0)
    with Store.open(root, create=True):
        with indexing(root):
            assert progress_of_others(root, 7, 20) == IndexEvent("parse", 7, 20)
            assert progress_of_others(root, 20, 20) == IndexEvent("link", 20, 20)
        assert progress_of_others(root, 20, 20) == IndexEvent("done", 20, 20)
    lock = watcher_state.lock(root)
    assert lock is not None
    watcher_state.write(root, watcher_state.State(doing="parse", done=3, total=9))
    assert progress_of_others(root, 20, 20) == IndexEvent("parse", 3, 9)
    os.close(lock)
    assert progress_of_others(root, 20, 20) == IndexEvent("done", 20, 20), "a dead watcher does nothing"


def test_a_watcher_is_left_to_its_work(ui: Any, shop: Path, fake: Fake) -> None:
    root = os.path.realpath(shop)
    with Store.open(root, create=True) as store:
        list(sync(store, root))
    lock = watcher_state.lock(root)
    assert lock is not None

    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "index 20 files ✓")
        watcher_state.write(root, watcher_state.State(doing="parse", done=3, total=9))
        await _status(pilot, ui, "index: parsing 3 of 9")
        watcher_state.write(root, watcher_state.State())
        await _status(pilot, ui, "index 20 files ✓")
        await pilot.press("c")
        await _status(pilot, ui, "`ctx watch stop` ends it")
        assert fake.runs == 0

    ui.run(ui.app(shop, builds_index=True), steps)
    os.close(lock)
