"""The code graph as the app's threads ask it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from sctx_tui.graph.store import Store
from sctx_tui.tui.code import CodeGraph


def test_an_index_is_opened_once_and_not_again_after_the_end(
    indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = CodeGraph(os.path.realpath(indexed))
    other = threading.Thread(target=code.store)
    opened: list[str] = []
    really_open = Store.open

    def open_slowly(root: str) -> Store:
        opened.append(root)
        if len(opened) == 1:
            other.start()
            other.join(0.2)
        return really_open(root)

    monkeypatch.setattr(Store, "open", open_slowly)
    assert code.store() is not None
    other.join()
    code.close()
    assert len(opened) == 1
    assert code.store() is None
