"""Several processes make the index of one project at the same moment."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from sctx_tui.graph.store import Store

OPENERS, ROUNDS = 8, 20


def test_made_by_many_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def make(root: Path, start: threading.Barrier) -> None:
        start.wait()
        try:
            Store.open(str(root), create=True).close()
        except BaseException as error:
            failures.append(error)

    for number in range(ROUNDS):
        root = tmp_path / str(number)
        root.mkdir()
        start = threading.Barrier(OPENERS)
        openers = [threading.Thread(target=make, args=(root, start)) for _ in range(OPENERS)]
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join()
    assert failures == []


CLOSED_WHILE_READ = """
import sys, threading
from sctx_tui.graph.store import Store, StoreError

def read(store):
    try:
        while True:
            store.rows("SELECT * FROM sqlite_master")
    except StoreError:
        pass

for number in range(200):
    store = Store.open(sys.argv[1], create=True)
    readers = [threading.Thread(target=read, args=(store,)) for _ in range(3)]
    for reader in readers:
        reader.start()
    store.close()
    for reader in readers:
        reader.join()
"""


def test_closing_under_a_reader_ends_it_with_an_error(tmp_path: Path) -> None:
    """SQLite itself would take the process down."""
    done = subprocess.run([sys.executable, "-c", CLOSED_WHILE_READ, str(tmp_path)], check=False)
    assert done.returncode == 0
