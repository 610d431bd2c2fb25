"""The code graph on real projects: what init, sync, validate, neighbours and rank cost.

    python tests/bench/graph.py [FOLDER ...] [--edits N] [--kills N] [--listing N]

Each FOLDER (default: the standard library of this interpreter) is copied into a git repository of its own.
CPU is user plus system time of a command and all its processes; a figure in parentheses is its ratio to the
parser alone, which reads and parses the same files in one process. `--kills`: end N runs at random moments
(default 0) and look at what is left. `--edits`: change each project at random N times and compare its index
with a fresh one. `--listing`: index a tree of N tiny files (default 0).
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "graph" / "index"))

from derived import DERIVED
from kills import KINDS, kill_once, make_project

CTX = (sys.executable, "-P", "-c", "from sctx_tui.__main__ import ctx; ctx()")
GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "core.hooksPath=/dev/null")
SAMPLES = 200
ADDED = {
    ".py": "\n\ndef added_by_the_bench(argument):\n    return len(argument)\n",
    ".js": "\nfunction addedByTheBench(argument) { return argument.length }\n",
    ".ts": "\nfunction addedByTheBench(argument: string) { return argument.length }\n",
    ".go": "\nfunc addedByTheBench(argument string) int { return len(argument) }\n",
    ".rs": "\nfn added_by_the_bench(argument: &str) -> usize { argument.len() }\n",
}


class Cost(NamedTuple):
    """Seconds and bytes of one command and its processes."""

    cpu: float
    wall: float
    memory: int  # most at any moment, of all processes together


def run(command: Sequence[str], cwd: Path, *, may_fail: bool = False) -> Cost:
    """Run a command and measure it."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.05):
            peak = max(peak, memory_of_session(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    done.set()
    watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and not may_fail:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - start, peak)


def memory_of_session(session: int) -> int:
    """Bytes that the processes of a session have in memory, shared pages in each (Linux; else 0)."""
    total = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError, ValueError):
            continue
    return total


def copy(folder: Path, into: Path) -> Path:
    """The folder's files as a git repository with one commit."""
    root = into / folder.name
    ignore = shutil.ignore_patterns(".git", ".ctx", "__pycache__", "site-packages", "node_modules")
    shutil.copytree(folder, root, symlinks=True, ignore=ignore, ignore_dangling_symlinks=True)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
        subprocess.run((*GIT, *arguments), cwd=root, check=True)
    return root


def parser_alone(root: Path) -> Cost:
    """Reading and parsing every file that an index parses, in one process, and nothing else."""
    code = (
        "import os\nfrom sctx_tui.graph.grammars import parser\n"
        "from sctx_tui.graph.languages import BY_NAME, language_of\n"
        "from sctx_tui.graph.shape import unparsable\nfrom sctx_tui.listing import listed_files\n"
        "for path in listed_files('.'):\n"
        "    language = language_of(path)\n"
        "    if language and not os.path.islink(path):\n"
        "        with open(path, 'rb') as file: source = file.read()\n"
        "        if not unparsable(source): parser(BY_NAME[language].grammar).parse(source)\n"
    )
    return run((sys.executable, "-P", "-c", code), root)


def edit(root: Path, paths: Sequence[str]) -> None:
    """Add a function to files."""
    for path in paths:
        with (root / path).open("a") as file:
            file.write(ADDED[os.path.splitext(path)[1]])


def percentiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p50, p95 = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    return f"p50 {p50 * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms"


def timed(action: Callable[[str], object], arguments: Sequence[str]) -> str:
    seconds = []
    for argument in arguments:
        start = time.process_time()
        action(argument)
        seconds.append(time.process_time() - start)
    return percentiles(seconds)


def measure(folder: Path) -> None:
    """Everything about one project."""
    from sctx_tui.graph import store_edges, store_records
    from sctx_tui.graph.neighbours import neighbourhood
    from sctx_tui.graph.rank import personalized
    from sctx_tui.graph.store import Store, index_path

    with tempfile.TemporaryDirectory() as temporary:
        root = copy(folder, Path(temporary))
        parser = min(parser_alone(root) for _ in range(3))
        nothing = min(run((sys.executable, "-c", "pass"), root).cpu for _ in range(5))
        print(f"\n{folder.name}: parser alone {parser.cpu:.2f} s CPU")

        def show(name: str, cost: Cost, note: str = "") -> None:
            ratio = f"({cost.cpu / parser.cpu:.2f} x parser)"
            print(f"  {name:34} {cost.cpu:7.2f} s CPU {ratio:18} {cost.wall:7.2f} s wall  {note}", flush=True)

        init = run((*CTX, "init", "--no-hooks"), root)
        size = os.path.getsize(index_path(str(root)))
        memory = f"memory {init.memory >> 20} MB" if init.memory else ""
        show("init", init, f"wall/CPU {init.wall / init.cpu:.2f}, {memory}, database {size >> 20} MB")
        show("sync, nothing changed", run((*CTX, "sync"), root))
        with Store.open(str(root)) as store:
            counts = store_records.counts(store)
            paths = [p for p in store_records.paths(store) if p.endswith(tuple(ADDED))]
        chosen = random.Random(1).sample(paths, min(SAMPLES, len(paths)))
        edit(root, chosen[:1])
        show("sync, one file changed", run((*CTX, "sync"), root))
        edit(root, chosen[1:6])
        subprocess.run((*GIT, "add", "-A"), cwd=root, check=True)
        validate = min(run((*CTX, "validate"), root, may_fail=True) for _ in range(5))
        show("validate, 5 staged files", validate, f"{validate.cpu / nothing:.1f} x python -c pass")
        subprocess.run((*GIT, "commit", "-qam", "edited", "--allow-empty"), cwd=root, check=True)
        subprocess.run((*GIT, "checkout", "-qb", "other", "HEAD~1"), cwd=root, check=True)
        edit(root, chosen[6:106])
        subprocess.run((*GIT, "commit", "-qam", "other", "--allow-empty"), cwd=root, check=True)
        show("sync, branch with 100 files", run((*CTX, "sync"), root))
        with Store.open(str(root)) as store:
            print(f"  neighbours of {len(chosen)} files: {timed(lambda p: neighbourhood(store, p), chosen)}")
            out = timed(lambda p: personalized(p, lambda f: store_edges.links_from(store, f)), chosen)
            into = timed(lambda p: personalized(p, lambda f: store_edges.links_to(store, f)), chosen)
            print(f"  rank along: {out}; against: {into}")
        print(f"  {counts}")


def edits(folder: Path, number: int) -> None:
    """Change a project at random, step by step, and compare its index with one made from nothing."""
    import sqlite3

    from sctx_tui.graph.linking import unpack
    from sctx_tui.graph.store import index_path

    def dump(root: Path) -> dict[str, object]:
        with sqlite3.connect(index_path(str(root))) as connection:
            found: dict[str, object] = {
                table: sorted(connection.execute(sql).fetchall(), key=repr) for table, sql in DERIVED.items()
            }
            facts = connection.execute("SELECT path, data FROM facts ORDER BY path")
            return found | {"facts": [(path, unpack(data)) for path, data in facts]}

    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as temporary:
        root = copy(folder, Path(temporary))
        run((*CTX, "init", "--no-hooks"), root)
        sources = [p.relative_to(root).as_posix() for p in root.rglob("*") if p.suffix in ADDED]
        for turn in range(number):
            for path in rng.sample(sources, min(5, len(sources))):
                change(root, path, rng)
            if turn % 3 == 2:
                subprocess.run((*GIT, "add", "-A"), cwd=root, check=True)
                subprocess.run((*GIT, "commit", "-qm", f"turn {turn}"), cwd=root, check=True)
                subprocess.run((*GIT, "checkout", "-q", f"HEAD~{rng.randrange(2)}"), cwd=root, check=True)
            run((*CTX, "sync"), root)
        step_by_step = dump(root)
        shutil.rmtree(root / ".ctx")
        run((*CTX, "init", "--no-hooks"), root)
        fresh = dump(root)
    differing = [table for table in fresh if fresh[table] != step_by_step[table]]
    answer = f"tables that differ from a fresh index: {differing or 'none'}"
    print(f"{folder.name}: {number} turns of edits, {answer}")


def change(root: Path, path: str, rng: random.Random) -> None:
    """Do something to one file that people do."""
    file = root / path
    if not file.is_file() or file.is_symlink():
        return
    kind = rng.choice(("add", "add", "cut", "delete", "move", "replace"))
    if kind == "add":
        edit(root, [path])
    elif kind == "delete":
        file.unlink()
    elif kind == "move":
        file.rename(file.with_name(f"moved_{rng.randrange(100)}_{file.name}"))
    else:
        lines = file.read_bytes().splitlines(keepends=True)
        start = rng.randrange(len(lines) + 1)
        kept = lines[:start] + lines[start + rng.randrange(1, 20) :]
        text = b"".join(kept) if kind == "cut" else b"".join(lines).replace(b"get", b"fetch")
        file.write_bytes(text)


def kills(number: int) -> None:
    """End runs with SIGKILL at random moments."""
    rng = random.Random(1)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "project"
        make_project(root)
        for turn in range(number):
            found = kill_once(root, KINDS[turn % len(KINDS)], rng)
            wrong.extend([f"{KINDS[turn % len(KINDS)]}: {found}"] if found else [])
    print(f"{number} kills, {len(wrong)} with losses", *wrong, sep="\n  ")


def listing(number: int) -> None:
    """Index a tree of many tiny files."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for n in range(number):
            folder = root / f"d{n % 300}" / f"e{n % 7}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"f{n}.{'py' if n % 10 == 0 else 'txt'}").write_text(f"def f{n}(): pass\n")
        subprocess.run((*GIT, "init", "-q"), cwd=root, check=True)
        for name, command in (("init", "init --no-hooks"), ("sync", "sync"), ("status", "status")):
            cost = run((*CTX, *command.split()), root)
            memory = f"memory {cost.memory >> 20} MB"
            print(f"{number} files: {name} {cost.cpu:.2f} s CPU, {cost.wall:.2f} s wall, {memory}")


def main() -> int:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--edits", type=int, default=0)
    parser.add_argument("--listing", type=int, default=0)
    chosen = parser.parse_args()
    folders = chosen.folders
    if not folders and not (chosen.kills or chosen.listing):
        folders = [Path(sysconfig.get_path("stdlib"))]
    for folder in folders:
        measure(folder.resolve())
        if chosen.edits:
            edits(folder.resolve(), chosen.edits)
    if chosen.kills:
        kills(chosen.kills)
    if chosen.listing:
        listing(chosen.listing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
