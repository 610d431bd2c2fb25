"""Several processes make the index of one project at the same moment."""

from __future__ import annotations

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
