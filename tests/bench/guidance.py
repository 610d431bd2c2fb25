"""The guidance engine in one process: resolving 8 levels of 50 entries, and every entry of 2,000 files.

Prints the least and the median time of many runs, and the ratio to the work that can't be avoided: asking the
system for each file that may govern the path. The target for a file query is 150 microseconds. Files are in
memory, as in the app or a server; what a new process costs is measured by `hook` and `commands`.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LEVELS = 8
ENTRIES = 50
FILES = 2_000
ENTRIES_OF_MANY = 20
SETTLED = 2.1
"""Seconds after which a guidance file may be kept."""

# What stands below the content of an entry; {n} is the entry's number.
KINDS = {
    "one pattern": ('match: ["**/*.py"]',),
    "usual": (
        'match: ["src/part{n}/**", "**/*.{{ts,tsx}}", "test_*.py"]',
        'exclude: ["**/vendor/**"]',
        "on: [edit]",
    ),
    "all different": (
        'match: ["*_{n}.py", "a{n}/**/b?/*"]',
        'exclude: ["[a-m]*{n}/**", "**/x{n}.*"]',
        "when: all",
    ),
}


def guidance(kind: str, entries: int) -> str:
    """A guidance file."""
    lines = ["context:"]
    for n in range(entries):
        lines.append(f"  - content: Keep rule {n} in mind, whatever else you do.")
        lines += [f"    {line.format(n=n)}" for line in KINDS[kind]]
    return "\n".join(lines) + "\n"


def plant(root: Path, kind: str) -> str:
    """Guidance at each of LEVELS levels; returns a file in the deepest directory, relative to the root."""
    directory = root
    for level in range(LEVELS):
        directory = directory / f"level{level}" if level else directory
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "AGENTS.yaml").write_text(guidance(kind, ENTRIES))
    return str((directory / "module.py").relative_to(root))


def plant_many(root: Path) -> None:
    """FILES guidance files in as many directories."""
    for number in range(FILES):
        directory = root / f"d{number // 100}" / f"d{number}"
        directory.mkdir(parents=True)
        (directory / "AGENTS.yaml").write_text(guidance("usual", ENTRIES_OF_MANY))


def timed(run: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The least and the median time of a run, in seconds."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times), statistics.median(times)


def stat_calls(root: Path, path: str) -> Callable[[], None]:
    """What resolving can't do without: one question for each directory and each possible file."""
    directories = [root, *reversed((root / path).parents[: LEVELS - 1])]
    files = [each / name for each in directories for name in ("AGENTS.yaml", "AGENTS.yml")]
    asked = [str(each) for each in (*directories, *files)]

    def run() -> None:
        for each in asked:
            with suppress(FileNotFoundError):
                os.lstat(each)

    return run


def measure_resolve(root: Path) -> None:
    from sctx_tui.guidance.resolve import make_query, resolve

    targets = {kind: plant(root / kind, kind) for kind in KINDS}
    time.sleep(SETTLED)
    for kind, path in targets.items():
        top = root / kind
        floor, _ = timed(stat_calls(top, path), 300)
        for name, target in (("file", path), ("directory", os.path.dirname(path) + "/")):
            query = make_query(target, root=str(top), action="edit", timing="before")
            begin = time.perf_counter()
            resolution = resolve(query)
            first = time.perf_counter() - begin
            least, median = timed(lambda query=query: resolve(query), 300)
            print(
                f"resolve, {kind}, {name}, {len(resolution.judged)} entries: least {least * 1e6:.0f} us, "
                f"median {median * 1e6:.0f} us, {least / floor:.1f} x the system's part, "
                f"first {first * 1e3:.1f} ms"
            )


def measure_all(root: Path) -> None:
    from sctx_tui.guidance import loading
    from sctx_tui.guidance.resolve import resolve_all

    plant_many(root)
    time.sleep(SETTLED)
    for state in ("nothing kept", "kept on disk", "in memory"):
        if state == "kept on disk":
            loading._memory.clear()
        begin = time.process_time()
        resolution = resolve_all(str(root))
        used = time.process_time() - begin
        print(f"all entries, {state}: {used:.2f} s of CPU, {len(resolution.context)} entries")


def main() -> None:
    """Measure in a place of its own."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = str(Path(place) / "cache")
        measure_resolve(Path(place).resolve() / "levels")
        measure_all(Path(place).resolve() / "many")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
