"""The index itself under a watcher: replaced, damaged, gone, and written by others meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sctx_tui.graph.lock import indexing
from sctx_tui.graph.store import Store, index_path
from sctx_tui.services import watcher_process

from .conftest import SHOP, Repository
from .watching import Fresh, Running, dump, eventually


def test_another_process_that_is_indexing_is_waited_for(shop: Repository, watched: Running) -> None:
    with indexing(str(shop.root)):
        shop.write({"shop/cart.py": "def waits():\n    pass\n"})
        eventually(lambda: watched.watcher.indexer.is_running)
    watched.until_true()
    assert "shop/cart.py::waits" in shop.rows("SELECT id FROM functions")


def test_an_index_that_is_made_anew(shop: Repository, watched: Running, fresh: Fresh) -> None:
    shutil.rmtree(shop.root / ".ctx")
    shop.write({"shop/new.py": "def new():\n    pass\n"})
    shop.sync()
    watched.until_true()
    shop.write({"shop/newer.py": "from shop.new import new\n\nnew()\n"})
    watched.until_true()
    assert "shop/newer.py" in shop.rows("SELECT path FROM files")
    assert dump(shop) == fresh(shop)


def test_an_index_that_is_replaced_by_another(shop: Repository, watched: Running, fresh: Fresh) -> None:
    empty = shop.root.parent / "empty.db"
    Store.make(str(empty)).close()
    os.replace(empty, index_path(str(shop.root)))
    for companion in ("-wal", "-shm"):
        Path(index_path(str(shop.root)) + companion).unlink(missing_ok=True)
    eventually(lambda: shop.rows("SELECT count(*) FROM files")[0] > 0)
    watched.until_true()
    assert dump(shop) == fresh(shop)


def test_a_damaged_index_is_replaced_and_filled(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch, fresh: Fresh
) -> None:
    monkeypatch.setattr(watcher_process, "FIRST_RETRY", 0.2)
    Path(index_path(str(shop.root))).write_bytes(b"no database" * 1000)
    shop.write({"shop/cart.py": SHOP["shop/cart.py"] + "\n"})
    watched.until_true()
    assert dump(shop) == fresh(shop)


def test_an_index_that_is_gone_for_good_ends_it(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_process, "GONE_SECONDS", 0.3)
    shutil.rmtree(shop.root / ".ctx")
    watched.thread.join(60)
    assert watched.ended == "the index is gone; `ctx init` makes a new one"


def test_a_project_that_is_gone_ends_it(shop: Repository, watched: Running) -> None:
    shutil.rmtree(shop.root)
    watched.thread.join(60)
    assert watched.ended == "the project is gone"


def test_with_syncs_readers_and_edits_at_once(shop: Repository, watched: Running, fresh: Fresh) -> None:
    code = (
        "import sys\n"
        "from sctx_tui.graph.indexer import sync\n"
        "from sctx_tui.graph.neighbours import neighbourhood\n"
        "from sctx_tui.graph.store import Store\n"
        "for _ in range(4):\n"
        "    with Store.open(sys.argv[1]) as store:\n"
        "        list(sync(store, sys.argv[1], workers=1))\n"
        "        for _ in range(50):\n"
        "            neighbourhood(store, 'shop/pay.py')\n"
    )
    others = [
        subprocess.Popen((sys.executable, "-c", code, str(shop.root)), stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for number in range(20):
        text = f"from shop.pay import pay\n\n\ndef x{number}():\n    pay([])\n"
        shop.write({f"shop/x{number % 5}.py": text})
    assert [process.communicate(timeout=120)[1] for process in others] == ["", ""]
    watched.until_true()
    assert not watched.state.problem
    assert shop.rows("PRAGMA integrity_check") == ["ok"]
    assert dump(shop) == fresh(shop)
