"""What `sctx hook` costs, as ratios to `python -c pass`: whole processes, run in turn so that noise hits all.

The target for a warm run is 2.0. Prints the ratios of the medians, by the clock and by processor time; on a
busy machine trust the latter. The command is run through the two scripts that installers write for it: pip up
to 25 imports `re` in it, some 0.5 of `python -c pass`; newer ones and uv don't.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 41
LEVELS = 8
ENTRIES = 50
SETTLED = 2.1
"""Seconds after which a guidance file may be kept between runs."""

BARE = [sys.executable, "-c", "pass"]
SCRIPT = """\
#!{python}
import sys
from sctx_tui.__main__ import sctx
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(sctx())
"""
OLDER_SCRIPT = """\
#!{python}
# -*- coding: utf-8 -*-
import re
import sys
from sctx_tui.__main__ import sctx
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(sctx())
"""


@dataclass
class Case:
    """A process to time: `forget` empties the cache before it."""

    name: str
    command: list[str]
    payload: bytes = b""
    forget: bool = False


def plant(root: Path, levels: int, entries: int) -> Path:
    """A chain of directories with guidance at each level; returns the deepest file."""
    directory = root
    for level in range(levels):
        directory = directory / f"level{level}" if level else directory
        directory.mkdir(exist_ok=True)
        rows = [
            f"  - content: Keep rule {index} of level {level} in mind, whatever else you do.\n"
            f'    match: ["**/*.{{py,pyi}}", "src/part{index}/**", "test_*.py"]\n'
            f'    exclude: ["**/vendor/**", "gen{index}/**"]\n    on: [edit, create]\n'
            for index in range(entries)
        ]
        (directory / "AGENTS.yaml").write_text("context:\n" + "".join(rows))
    return directory / "module.py"


def payload(root: Path, target: Path) -> bytes:
    event = {
        "session_id": "s",
        "cwd": str(root),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(target), "old_string": "a", "new_string": "b"},
        "tool_use_id": "t",
    }
    return json.dumps(event).encode()


def installed(path: Path, script: str) -> list[str]:
    """`sctx hook` through a script as an installer writes it."""
    path.write_text(script.format(python=sys.executable))
    path.chmod(0o755)
    return [str(path), "hook"]


def seconds(case: Case, environment: dict[str, str], cache: Path) -> tuple[float, float]:
    """Wall and processor time of one run."""
    if case.forget:
        shutil.rmtree(cache, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(case.command, input=case.payload, capture_output=True, env=environment, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if case.payload and b"Keep rule" not in done.stdout:
        sys.exit(f"{case.name}: no guidance was delivered")
    return spent


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        top = Path(place).resolve()
        cache = top / "cache"
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDG_STATE_HOME": str(top / "state")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installation has its compiled modules
        small, large = top / "small", top / "large"
        small_file, large_file = plant(small, 1, 5), plant(large, LEVELS, ENTRIES)
        time.sleep(SETTLED)
        one, many = payload(small, small_file), payload(large, large_file)
        command, older = installed(top / "sctx", SCRIPT), installed(top / "older", OLDER_SCRIPT)
        size = f"{LEVELS} levels x {ENTRIES} entries"
        cases = [
            Case("python -c pass", BARE),
            Case("cold", command, one, forget=True),
            Case("warm", command, one),
            Case("warm, older pip", older, one),
            Case(f"cold, {size}", command, many, forget=True),
            Case(f"warm, {size}", command, many),
            Case(f"warm, {size}, older pip", older, many),
        ]
        times: dict[str, list[tuple[float, float]]] = {case.name: [] for case in cases}
        for _ in range(ROUNDS):
            for case in cases:
                if case.name.startswith("warm"):  # what an earlier cold run has emptied
                    subprocess.run(case.command, input=case.payload, capture_output=True, env=environment)
                times[case.name].append(seconds(case, environment, cache))
        report(times)


def report(times: dict[str, list[tuple[float, float]]]) -> None:
    middles = {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in times.items()
    }
    bare_wall, bare_processor = middles["python -c pass"]
    print(f"{'':44} {'median ms':>10} {'x bare':>8} {'processor x bare':>18}")
    for name, (wall, processor) in middles.items():
        print(f"{name:44} {wall * 1000:10.1f} {wall / bare_wall:8.2f} {processor / bare_processor:18.2f}")


if __name__ == "__main__":
    main()
