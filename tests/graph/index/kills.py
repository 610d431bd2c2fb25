"""Kill -9 at a random moment of init, sync or write-back; then look at what is left."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from sctx_tui.graph import store_notes
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store, index_path

KINDS = ("init", "sync", "write-back")

_PROGRAMS = {
    "init": "list(sync(Store.open(root, create=True), root))",
    "sync": "list(sync(Store.open(root), root))",
    "write-back": (
        "store = Store.open(root)\n"
        "for n in range(100_000):\n"
        "    store_notes.add_danger(store, '*', str(n), source='agent')\n"
        "    store_notes.describe(store, 'function', 'm0.py::f0', {'summary': str(n)}, source='agent')\n"
        "    print(n, flush=True)\n"
    ),
}


def make_project(root: Path, files: int = 60) -> None:
    """Modules that call each other."""
    root.mkdir()
    subprocess.run(("git", "init", "-q", str(root)), check=True)
    for number in range(files):
        write_module(root, number, files, 0)


def write_module(root: Path, number: int, files: int, edit: int) -> None:
    other = (number * 7 + edit + 1) % files
    functions = "".join(
        f"def f{n}(a{edit}):\n    return m{other}.f{(n + 1) % 10}(a{edit})\n\n\n" for n in range(10)
    )
    (root / f"m{number}.py").write_text(f"import m{other}\n\n\n{functions}")


def kill_once(root: Path, kind: str, rng: random.Random, files: int = 60) -> str:
    """Kill one run of that kind; what is wrong afterwards, or ""."""
    if kind != "init" and not os.path.exists(index_path(str(root))):
        with Store.open(str(root), create=True) as store:
            list(sync(store, str(root)))
    if kind == "init":
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (root / ".ctx" / name).unlink(missing_ok=True)
    elif kind == "sync":
        for number in rng.sample(range(files), files // 2):
            write_module(root, number, files, rng.randrange(100))
    written = _notes_before(root) if kind == "sync" else []
    acknowledged = _run_and_kill(root, kind, rng)
    return _check(root, written, acknowledged)


def _notes_before(root: Path) -> list[str]:
    with Store.open(str(root)) as store:
        store_notes.add_danger(store, "*", "from a person", source="person")
        store_notes.describe(store, "file", "m1.py", {"purpose": "Written"}, source="agent")
    return ["from a person"]


def _run_and_kill(root: Path, kind: str, rng: random.Random) -> list[str]:
    code = (
        "from sctx_tui.graph import store_notes\nfrom sctx_tui.graph.store import Store\n"
        f"from sctx_tui.graph.indexer import sync\nroot = {str(root)!r}\n{_PROGRAMS[kind]}"
    )
    process = subprocess.Popen(
        (sys.executable, "-P", "-c", code), stdout=subprocess.PIPE, start_new_session=True, text=True
    )
    time.sleep(rng.uniform(0.1, 1.5))
    os.killpg(process.pid, signal.SIGKILL)
    out, _ = process.communicate()
    return out.splitlines()[:-1] if kind == "write-back" else []


def _check(root: Path, written: list[str], acknowledged: list[str]) -> str:
    """Sound, nothing lost that was acknowledged, and the next sync makes it as good as new."""
    if os.path.exists(index_path(str(root))):
        with closing(sqlite3.connect(index_path(str(root)))) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                return f"integrity_check: {found}"
    with Store.open(str(root), create=True) as store:
        dangers = {danger.description for danger in store_notes.dangers(store)}
        if not set(written) | set(acknowledged) <= dangers:
            return f"lost: {sorted((set(written) | set(acknowledged)) - dangers)[:5]}"
        list(sync(store, str(root)))
        if written and store_notes.written(store, "file", "m1.py").get("purpose") != ("Written", "agent"):
            return "lost the purpose of m1.py"
    with closing(sqlite3.connect(index_path(str(root)))) as connection:
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            return "not sound after the next sync"
        if connection.execute("SELECT count(*) FROM call_graph").fetchone()[0] != 10 * _modules(root):
            return "calls are missing after the next sync"
    return ""


def _modules(root: Path) -> int:
    return len(list(root.glob("m*.py")))
