"""The index is built beside the app: with progress, and it can be stopped."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.graph.store import index_path
from sctx_tui.tui import indexing
from sctx_tui.tui.indexing import IndexEvent, build_index


def test_building_tells_how_far_it_is_and_ends_with_all_files(shop: Path) -> None:
    async def run() -> list[IndexEvent]:
        return [event async for event in build_index(os.path.realpath(shop))]

    events = asyncio.run(run())
    assert events[0].phase == "list"
    assert events[-1] == IndexEvent("done", 20, 20)
    assert os.path.exists(index_path(str(shop)))


def test_closing_ends_the_process(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    spawn = asyncio.create_subprocess_exec

    async def noted(*words: Any, **options: Any) -> asyncio.subprocess.Process:
        started.append(await spawn(*words, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    async def run() -> None:
        async with aclosing(build_index(os.path.realpath(shop))) as events:
            async for _ in events:
                break

    asyncio.run(run())
    assert started[0].returncode is not None


def test_an_index_that_leads_elsewhere_is_refused(shop: Path, tmp_path: Path) -> None:
    (shop / ".ctx").symlink_to(tmp_path)

    async def run() -> list[IndexEvent]:
        return [event async for event in build_index(os.path.realpath(shop))]

    last = asyncio.run(run())[-1]
    assert last.phase == "failed"
    assert "symbolic link" in last.message


class Fake:
    """An indexer that stops after two files until it may go on."""

    def __init__(self) -> None:
        self.runs = 0
        self.closed = 0
        self.may_go_on = asyncio.Event()

    async def __call__(self, root: str) -> AsyncGenerator[IndexEvent, None]:
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
    monkeypatch.setattr(indexing, "build_index", indexer)
    return indexer


async def _status(pilot: Pilot[None], ui: Any, words: str) -> None:
    for _ in range(200):
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
    async def fail(root: str) -> AsyncGenerator[IndexEvent, None]:
        yield IndexEvent("failed", message="the disk is full; free some space")

    monkeypatch.setattr(indexing, "build_index", fail)

    async def steps(pilot: Pilot[None]) -> None:
        await _status(pilot, ui, "index failed, c tries again")
        await _status(pilot, ui, "the disk is full")

    ui.run(ui.app(shop, builds_index=True), steps, waits=False)


def test_without_wanting_one_none_is_built(ui: Any, shop: Path, fake: Fake) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        assert fake.runs == 0

    ui.run(ui.app(shop), steps)
