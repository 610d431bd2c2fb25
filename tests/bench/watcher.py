"""The watcher: at rest, at a branch switch of 5,000 files, and from a save to a fresh answer.

On a planted project of modules that import and call each other, or on a copy of the git checkout that is the
argument. Processor time is that of the watcher and its processes (Linux only). From a save on, it prints when
the follower tells of it, when the index has it, and the ratio to what updating the index alone takes.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

FOLDERS = 100
FILES_IN_A_FOLDER = 50  # 5,000 files, all of which the switch changes
IGNORED_FOLDERS = 2_000
IDLE_SECONDS = 10.0
SAVES = 20
PATIENCE = 600.0
TICKS = os.sysconf("SC_CLK_TCK")


def plant(root: Path) -> None:
    """A project whose branches `main` and `other` differ in every file."""
    for number in range(IGNORED_FOLDERS):
        folder = root / "node_modules" / f"m{number}"
        folder.mkdir(parents=True)
        (folder / "index.js").write_text("module.exports = 1\n")
    (root / ".gitignore").write_text("node_modules/\n")
    write_modules(root, 1)
    git(root, "init", "-q", "-b", "main")
    commit(root)


def write_modules(root: Path, version: int) -> None:
    """Every module anew."""
    for folder in range(FOLDERS):
        directory = root / f"package{folder}"
        directory.mkdir(exist_ok=True)
        for number in range(FILES_IN_A_FOLDER):
            other = f"package{(folder + number) % FOLDERS}.module{(number + 1) % FILES_IN_A_FOLDER}"
            (directory / f"module{number}.py").write_text(
                f"from {other} import run as other\n\n\n"
                f"def run(value):\n    return other(value) + {version}\n\n\n"
                f"def helper{version}(value):\n    return run(value)\n"
            )


def change_everything(root: Path) -> int:
    """Make the branch `other`, in which up to 5,000 files of the project differ; their number."""
    git(root, "switch", "-q", "-c", "other")
    files = git(root, "ls-files", "*.py", "*.ts", "*.js", "*.go", "*.rs").splitlines()
    chosen = files[: FOLDERS * FILES_IN_A_FOLDER]
    for path in chosen:
        with open(root / path, "a") as file:
            file.write("\n\n# other\n" if path.endswith(".py") else "\n\n// other\n")
    commit(root)
    git(root, "switch", "-q", "main")
    return len(chosen)


def git(root: Path, *arguments: str) -> str:
    """Run git in `root`."""
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ("git", *identity, *arguments), cwd=root, check=True, capture_output=True, text=True
    ).stdout


def commit(root: Path) -> None:
    """Commit everything."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "bench")


def cpu_seconds(pid: int, *, alone: bool = False) -> float:
    """Processor time of a process and, unless `alone`, of those that it has started, in seconds."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return 0.0
    if alone:
        return sum(map(int, fields[11:13])) / TICKS
    own = sum(map(int, fields[11:15])) / TICKS  # with the children that have ended
    return own + sum(map(cpu_seconds, children))


def wait_for(condition: Callable[[], object]) -> None:
    """Until it holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("the watcher did not get there")
        time.sleep(0.005)


def is_true(root: str) -> bool:
    """Whether the index is up to date."""
    from sctx_tui.graph.indexer import pending
    from sctx_tui.graph.store import Store
    from sctx_tui.services import watcher_state

    state = watcher_state.read(root)
    if state.doing or state.queue or not state.updated_at:
        return False
    with Store.open(root) as store:
        return store.meta("link_pending") is None and pending(store, root).is_nothing


def sync_seconds(root: Path) -> float:
    """Processor time of bringing the index up to date without a watcher."""
    code = (
        "import sys; from sctx_tui.graph.indexer import sync; from sctx_tui.graph.store import Store\n"
        "with Store.open(sys.argv[1], create=True) as store: list(sync(store, sys.argv[1]))"
    )
    before = sum(os.times()[2:4])
    subprocess.run((sys.executable, "-c", code, str(root)), check=True)
    return sum(os.times()[2:4]) - before


def settled(root: Path, pid: int) -> None:
    """Until nothing has been done for a moment."""
    while True:
        before = cpu_seconds(pid)
        time.sleep(1.0)
        if cpu_seconds(pid) - before < 0.02 and is_true(str(root)):
            return


def measure_idle(root: Path, pid: int) -> None:
    settled(root, pid)
    before = cpu_seconds(pid)
    time.sleep(IDLE_SECONDS)
    share = (cpu_seconds(pid) - before) / IDLE_SECONDS
    with open(f"/proc/{pid}/status") as file:
        memory = next(line.split()[1] for line in file if line.startswith("VmRSS"))
    print(f"idle: {share:.2%} of a processor (target: below 0.5 %), {int(memory) / 1024:.0f} MB")


def measure_ignored(root: Path, pid: int) -> None:
    (root / ".git" / "info" / "exclude").write_text("*.ignored\n/build/\n")
    settled(root, pid)
    before = cpu_seconds(pid)
    for number in range(5_000):
        folder = root / "build" / f"f{number % 200}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.ignored").write_text("x\n")
    inside = cpu_seconds(pid) - before
    for number in range(1_000):
        (root / f"{number}.ignored").write_text("x\n")
    settled(root, pid)
    beside = cpu_seconds(pid) - before - inside
    print(f"5,000 files in ignored folders: {inside:.2f} s; 1,000 ignored files among others: {beside:.2f} s")


def measure_switch(root: Path, pid: int, count: int, without: float) -> None:
    settled(root, pid)
    before, own, started = cpu_seconds(pid), cpu_seconds(pid, alone=True), time.monotonic()
    git(root, "switch", "-q", "other")
    switched = time.monotonic() - started
    wait_for(lambda: is_true(str(root)))
    took = time.monotonic() - started
    settled(root, pid)
    spent = cpu_seconds(pid) - before
    own = cpu_seconds(pid, alone=True) - own
    print(
        f"a branch switch of {count:,} files: {spent:.1f} s of processor time"
        f" ({own:.2f} s in the watcher itself), {spent / without:.2f} x one sync ({without:.1f} s);"
        f" index true {took - switched:.1f} s after git"
    )
    git(root, "switch", "-q", "main")
    settled(root, pid)


def measure_saves(root: Path, pid: int) -> None:
    from sctx_tui.graph.indexer import update
    from sctx_tui.graph.store import Store
    from sctx_tui.services.watcher import changes

    stop, noticed = threading.Event(), {}
    is_ready = threading.Event()

    def follow() -> None:
        for paths in changes(str(root), stop):
            is_ready.set()
            for path in paths:
                noticed.setdefault(path, time.monotonic())

    thread = threading.Thread(target=follow)
    thread.start()
    is_ready.wait()
    source = random.Random(1)
    files = source.sample(git(root, "ls-files", "*.py", "*.ts", "*.rs", "*.go").splitlines(), SAVES * 2)
    told, fresh, alone = [], [], []
    spent = 0.0
    try:
        for number, path in enumerate(files[:SAVES]):
            settled(root, pid)
            before = cpu_seconds(pid)
            noticed.pop(path, None)
            save(root / path, f"saved_{number}")
            started = time.monotonic()
            wait_for(partial(has_linked, str(root), f"saved_{number}"))
            fresh.append(time.monotonic() - started)
            spent += cpu_seconds(pid) - before
            wait_for(partial(noticed.get, path))
            told.append(noticed[path] - started)
    finally:
        stop.set()
        thread.join()
    from sctx_tui.services import watcher_control

    watcher_control.stop(str(root))
    for number, path in enumerate(files[SAVES:]):
        save(root / path, f"alone_{number}")
        started = time.monotonic()
        with Store.open(str(root)) as store:
            list(update(store, str(root), [path]))
        alone.append(time.monotonic() - started)
    print(f"from a save to the app's follower: {percentiles(told)} (target: 300 ms)")
    per_save = spent / len(fresh)
    print(f"from a save to a fresh answer: {percentiles(fresh)}; {per_save * 1000:,.0f} ms of processor time")
    ratio = statistics.median(fresh) / statistics.median(alone)
    print(f"the update alone, in one process: {percentiles(alone)}; with the watcher {ratio:.2f} x that")


def has_linked(root: str, name: str) -> bool:
    """Whether the index has a function of that name, and all edges."""
    from sctx_tui.graph.store import Store

    with Store.open(root) as store:
        found = store.row("SELECT id FROM functions WHERE name = ?", (name,))
        return found is not None and store.meta("link_pending") is None


def save(path: Path, name: str) -> None:
    """Add a function, as an editor saves: another file takes the name."""
    form = {".py": "def {}():\n    return 1\n", ".rs": "fn {}() {{}}\n", ".go": "func {}() {{}}\n"}
    text = form.get(path.suffix, "function {}() {{}}\n").format(name)
    fresh = path.with_name(f".{path.name}.tmp")
    fresh.write_text(path.read_text() + "\n\n" + text)
    os.replace(fresh, path)


def percentiles(values: list[float]) -> str:
    """In milliseconds."""
    ordered = sorted(values)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"p50 {statistics.median(ordered) * 1000:,.0f} ms, p95 {last * 1000:,.0f} ms"


def main() -> None:
    """Measure and print."""
    if not sys.platform.startswith("linux"):
        raise SystemExit("processor time of other processes is read as Linux has it")
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = scratch
        root = Path(scratch).resolve() / "project"
        if len(sys.argv) > 1:
            shutil.copytree(sys.argv[1], root, symlinks=True, ignore=shutil.ignore_patterns(".ctx"))
            git(root, "checkout", "-q", "-f", "-B", "main")
        else:
            root.mkdir()
            plant(root)
        measure(root)


def measure(root: Path) -> None:
    from sctx_tui.services import watcher_control, watcher_state

    sync_seconds(root)
    count = change_everything(root)
    git(root, "switch", "-q", "other")
    without = sync_seconds(root)
    git(root, "switch", "-q", "main")
    sync_seconds(root)
    watcher_control.start(str(root))
    try:
        state = watcher_state.read(str(root))
        print(f"{state.folders:,} folders by {state.mode}")
        measure_idle(root, state.pid)
        measure_ignored(root, state.pid)
        measure_switch(root, state.pid, count, without)
        measure_saves(root, state.pid)
    finally:
        watcher_control.stop(str(root))


if __name__ == "__main__":
    main()
