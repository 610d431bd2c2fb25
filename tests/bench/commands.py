"""The `sctx` commands: a cold start, and `context --all` and `validate` on 2,000 files of 20 entries.

All figures are CPU time of whole processes (user and system, with children), the least of several runs, as
ratios to `python -c pass` in the same run. Arguments: the number of guidance files (2000).
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENTRIES = 20
SETTLED = 2.1
"""Seconds after which a guidance file may be kept between runs."""
WORDS = (
    "use",
    "avoid",
    "prefer",
    "check",
    "keep",
    "document",
    "test",
    "log",
    "wrap",
    "retry",
    "batch",
    "name",
)
LIVE = ("**", "**/*.py", "**/*.{py,md}", "*.py", "*.md", "**/m[0-9].py", "m0.py", "**/notes.md")
DEAD = ("**/*.sql", "legacy/**", "M0.py", "**/*.{ts, tsx}")


def guidance(random_source: random.Random, name: str) -> str:
    """A guidance file of ENTRIES entries, four in five of them context; one pattern in ten fits nothing."""
    lines = ["context:"]
    for number in range(ENTRIES):
        words = " ".join(random_source.choices(WORDS, k=8))
        if number == ENTRIES * 4 // 5:
            lines.append("decisions:")
        if number < ENTRIES * 4 // 5:
            lines.append(f'  - content: "{name} {number}: {words}"')
            lines.append(f"    on: [{random_source.choice(('read', 'edit, create', 'edit'))}]")
        else:
            lines += [
                f'  - decision: "{name} {number}: {words}"',
                f'    rationale: "{words}"',
                "    date: 2025-05-01",
            ]
        patterns = random_source.sample(DEAD if random_source.random() < 0.1 else LIVE, 2)
        lines.append(f"    match: [{', '.join(repr(pattern) for pattern in patterns)}]")
    return "\n".join(lines) + "\n"


def plant(root: Path, count: int) -> None:
    """A project of `count` directories in three levels, each with guidance and four files; git knows them."""
    random_source = random.Random(1)
    for number in range(count):
        directory = root / f"area{number % 20:02}" / f"package{number // 20:03}"
        if number % 3:
            directory = directory / ("src", "tests")[number % 2]
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "AGENTS.yaml").write_text(guidance(random_source, f"d{number}"), encoding="utf-8")
        for name in ("m0.py", "m1.py", "m2.py", "notes.md"):
            (directory / name).touch()
    for command in (("init", "-q"), ("add", "-A")):
        subprocess.run(("git", *command), cwd=root, check=True)


def cpu_seconds(command: list[str], cwd: Path, cache: Path, runs: int) -> float:
    """The least CPU time of several runs, in seconds."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    taken = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    sctx = [sys.executable, "-m", "sctx_tui"]
    with tempfile.TemporaryDirectory() as scratch:
        project, small, cache = Path(scratch, "project"), Path(scratch, "small"), Path(scratch, "cache")
        plant(project, count)
        plant(small, 3)
        time.sleep(SETTLED)
        baseline = cpu_seconds([sys.executable, "-c", "pass"], small, cache, 10)
        print(f"python -c pass: {baseline * 1000:.1f} ms")
        for name, command, cwd, runs in (
            ("sctx --version", [*sctx, "--version"], small, 5),
            ("sctx context PATH", [*sctx, "context", "area00/package000/m0.py"], small, 5),
            ("sctx explain PATH", [*sctx, "explain", "area00/package000/m0.py"], small, 5),
            (f"sctx context --all, {count} files, first time", [*sctx, "context", "--all"], project, 1),
            (f"sctx context --all, {count} files, again", [*sctx, "context", "--all"], project, 3),
            (f"sctx validate, {count} files", [*sctx, "validate"], project, 3),
        ):
            taken = cpu_seconds(command, cwd, cache, runs)
            print(f"{name}: {taken / baseline:.1f} x ({taken * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
