"""What the app costs: first paint against an empty Textual app, selection to panes, memory.

Targets: first paint 1.4 x an empty app; selection to panes p95 50 ms and memory 250 MB at 100,000 files.
Start is processor time; `cpu p95` is that of a selection, which says more than the clock on a busy machine.
Everything runs without a terminal, frames rendered as one would get them. `python tests/bench/app.py 100
100000` chooses sizes.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SIZES = (100, 10_000, 100_000)
STARTS = 9
KEYS = 200
HELD = 90
"""Keys that are sent at 30 a second, whatever the app does."""
WINDOW = (120, 40)
SUFFIXES = ("py", "ts", "go", "md")


def main() -> int:
    """Print a table; the ratios and milliseconds are medians unless they say otherwise."""
    sizes = [int(each) for each in sys.argv[1:]] or list(SIZES)
    print("files     first paint  whole start   selection to panes, ms     held down, ms           memory")
    print("          x empty app  x empty app   p50    p95    cpu p95    lag p50  p95    settled  MB")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.realpath(folder)
            plant(Path(root), size)
            paint, whole = starts(root)
            keys = child("keys", root)
            print(
                f"{size:<9,} {paint:<12.2f} {whole:<13.2f} {keys['p50']:<6.1f} {keys['p95']:<6.1f} "
                f"{keys['cpu95']:<10.1f} {keys['lag50']:<8.1f} {keys['lag95']:<6.1f} {keys['settled']:<8.1f} "
                f"{keys['memory']:.0f}",
                flush=True,
            )
    return 0


def plant(root: Path, files: int) -> None:
    """A hundred files to a folder, forty folders to an area; guidance in every tenth folder, ten entries
    each."""
    made = folder = 0
    while made < files:
        package = root / f"area{folder // 40:03}" / f"package{folder:05}"
        package.mkdir(parents=True)
        for number in range(min(100, files - made)):
            (package / f"module_{number:03}.{SUFFIXES[number % 4]}").write_text("x = 1\n")
            made += 1
        if folder % 10 == 0:
            _guidance(package, folder)
        folder += 1
    _guidance(root, -1)
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", "-C", root, "add", "-N", "."], check=True)


def _guidance(folder: Path, number: int) -> None:
    entries = [
        f"  - content: Rule {entry} of {number}, which says what to do in a sentence of usual length.\n"
        f'    match: ["**/*.{{{SUFFIXES[entry % 4]},{SUFFIXES[(entry + 1) % 4]}}}"]\n    on: [edit, create]\n'
        for entry in range(10)
    ]
    (folder / "AGENTS.yaml").write_text("context:\n" + "".join(entries))


def starts(root: str) -> tuple[float, float]:
    """Processor time until the first frame, and with the command line around it, as ratios to an empty
    app."""
    names = ("empty", "paint", "command")
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(STARTS):
        for name in names:
            times[name].append(child(name, root)["cpu"])
    empty, paint, command = (statistics.median(times[name]) for name in names)
    return paint / empty, command / empty


def child(what: str, root: str) -> dict[str, float]:
    """Run one measurement in a fresh process."""
    environment = {
        **os.environ,
        "XDG_STATE_HOME": os.path.join(root, ".git", "state"),
        "TEXTUAL_ANIMATIONS": "none",
    }
    done = subprocess.run(
        [sys.executable, __file__, "--child", what, root],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


# In the child


def open_app(root: str) -> Any:
    """The app as `sctx tui` opens it."""
    from sctx_tui.tui import state
    from sctx_tui.tui.app import SctxApp
    from sctx_tui.tui.project import Project

    return SctxApp(Project(root, "2026-12-01", builds_index=False), state.load(root))


def first_frame(make: Any) -> dict[str, float]:
    """Processor milliseconds of this process until the first frame."""
    times: list[float] = []
    from textual.app import App

    display = App._display

    def shown(self: Any, screen: Any, frame: Any) -> None:
        display(self, screen, frame)
        if frame is not None and not self._batch_count and not times:
            if hasattr(frame, "render_segments"):
                frame.render_segments(self.console)
            times.append(time.process_time() * 1000)

    App._display = shown  # type: ignore[method-assign]

    async def run() -> None:
        async with make().run_test(size=WINDOW) as pilot:
            await pilot.pause()

    asyncio.run(run())
    return {"cpu": times[0]}


async def keys(root: str) -> dict[str, float]:
    """Select one file after the other, at a human pace and then as fast as a held key repeats."""
    from textual import events
    from textual.app import App

    app = open_app(root)
    areas = sorted(path.name for path in Path(root).glob("area*"))
    app.remembered.opened = [
        *areas,
        *(f"{area}/{each.name}" for area in areas for each in Path(root, area).iterdir()),
    ]
    painted = asyncio.Event()
    display = App._display

    def shown(self: Any, screen: Any, frame: Any) -> None:
        display(self, screen, frame)
        if frame is not None and not self._batch_count:
            if hasattr(frame, "render_segments"):
                frame.render_segments(self.console)
            painted.set()

    App._display = shown  # type: ignore[method-assign]

    def press() -> None:
        event = events.Key("down", None)
        event.set_sender(app)
        app._driver.send_message(event)

    async def until(holds: Any) -> None:
        while not holds():
            painted.clear()
            try:
                await asyncio.wait_for(painted.wait(), 0.5)
            except TimeoutError:
                continue

    async with app.run_test(size=WINDOW) as pilot:
        tree = app.screen.files.file_tree
        while len(tree.rows) < 100:
            await asyncio.sleep(0.05)
        await pilot.pause(1.0)
        times: list[float] = []
        cpu: list[float] = []
        for _ in range(KEYS):
            if tree.cursor > len(tree.rows) - 2:
                tree.action_first()
                await pilot.pause(0.2)
            wanted = tree.rows[tree.cursor + 1].path
            start, began = time.perf_counter(), time.process_time()
            press()
            await until(
                lambda wanted=wanted: app.screen.guidance.question.path == wanted and tree.path == wanted
            )
            times.append((time.perf_counter() - start) * 1000)
            cpu.append((time.process_time() - began) * 1000)
            await asyncio.sleep(random.uniform(0.02, 0.06))
        tree.action_first()
        await pilot.pause(0.5)
        lags = await held(press, until, tree)
        last = time.perf_counter()
        await until(lambda: app.screen.guidance.question.path == tree.path)
        settled = (time.perf_counter() - last) * 1000
    return {
        "p50": statistics.median(times),
        "p95": statistics.quantiles(times, n=20)[-1],
        "cpu95": statistics.quantiles(cpu, n=20)[-1],
        "lag50": statistics.median(lags),
        "lag95": statistics.quantiles(lags, n=20)[-1],
        "settled": settled,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


async def held(press: Any, until: Any, tree: Any) -> list[float]:
    """Milliseconds from each key of a held-down arrow to the frame in which the cursor has moved."""
    start, lags = tree.cursor, []

    async def one(number: int) -> None:
        sent = time.perf_counter()
        press()
        await until(lambda: tree.cursor >= start + number)
        lags.append((time.perf_counter() - sent) * 1000)

    waiting = []
    for number in range(1, HELD + 1):
        waiting.append(asyncio.ensure_future(one(number)))
        await asyncio.sleep(1 / 30)
    await asyncio.gather(*waiting)
    return lags


def in_child(what: str, root: str) -> dict[str, float]:
    """One measurement."""
    if what == "keys":
        return asyncio.run(keys(root))
    if what == "empty":
        from textual.app import App

        return first_frame(App)
    if what == "command":
        from sctx_tui import __main__  # noqa: F401 - what `sctx tui` has loaded by then

    return first_frame(lambda: open_app(root))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(in_child(*sys.argv[2:])))
    else:
        sys.exit(main())
