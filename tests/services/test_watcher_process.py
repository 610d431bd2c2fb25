"""The index under a watcher: true after everything that happens to files, and to the index itself."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from sctx_tui.graph.staged import undescribed
from sctx_tui.graph.store import Store
from sctx_tui.services import watcher_process

from .conftest import SHOP, Repository
from .watching import Fresh, Running, dump, eventually, watching


def test_an_edit_keeps_the_edges_from_and_to_the_file(
    shop: Repository, watched: Running, fresh: Fresh
) -> None:
    before = shop.rows("SELECT count(*) FROM call_graph WHERE callee_id IS NOT NULL")[0]
    assert before > 3
    shop.write({"shop/prices.py": SHOP["shop/prices.py"].replace("cents", "price_in_cents")})
    watched.until_true()
    assert shop.rows("SELECT count(*) FROM call_graph WHERE callee_id IS NOT NULL") == [before]
    assert shop.rows("SELECT used_by_count FROM files WHERE path = 'shop/prices.py'") == [2]
    assert dump(shop) == fresh(shop)


def test_a_changed_signature_taints_its_callers(shop: Repository, watched: Running) -> None:
    shop.write({"shop/prices.py": SHOP["shop/prices.py"].replace("price(item)", "price(item, currency)")})
    watched.until_true()
    assert "shop/cart.py::total" in shop.rows("SELECT id FROM functions WHERE is_tainted")


def test_new_renamed_and_deleted_files(shop: Repository, watched: Running, fresh: Fresh) -> None:
    shop.write({"shop/new.py": "from shop.pay import pay\n\n\ndef again(items):\n    return pay(items)\n"})
    shop.git("mv", "shop/cart.py", "shop/basket.py")
    shop.write({"docs/readme.md": None})
    watched.until_true()
    files = shop.rows("SELECT path FROM files")
    assert {"shop/new.py", "shop/basket.py"} <= set(files)
    assert not {"shop/cart.py", "docs/readme.md"} & set(files)
    assert not shop.rows("SELECT id FROM functions WHERE file = 'shop/cart.py'")
    assert dump(shop) == fresh(shop)


def test_an_atomic_save(shop: Repository, watched: Running, fresh: Fresh) -> None:
    shop.write({"shop/.cart.py.swp": SHOP["shop/cart.py"] + "\n\ndef empty():\n    return total([])\n"})
    os.replace(shop.root / "shop/.cart.py.swp", shop.root / "shop/cart.py")
    watched.until_true()
    assert "shop/cart.py::empty" in shop.rows("SELECT id FROM functions")
    assert dump(shop) == fresh(shop)


def test_an_edit_that_is_taken_back(shop: Repository, watched: Running) -> None:
    before = dump(shop)
    shop.write({"shop/cart.py": "def other():\n    pass\n"})
    watched.until_true()
    assert dump(shop) != before
    shop.git("checkout", "-q", "--", ".")
    watched.until_true()
    assert dump(shop) == before


def test_a_file_that_goes_and_comes_back(shop: Repository, watched: Running) -> None:
    before = dump(shop)
    shop.write({"shop/prices.py": None})
    watched.until_true()
    assert "shop/prices.py" not in shop.rows("SELECT path FROM files")
    shop.write({"shop/prices.py": SHOP["shop/prices.py"]})
    watched.until_true()
    assert dump(shop) == before


def test_branches_there_and_back(shop: Repository, watched: Running, fresh: Fresh) -> None:
    before = dump(shop)
    shop.git("switch", "-q", "-c", "many")
    shop.write({f"gen/m{n // 20}/f{n}.py": f"def f{n}():\n    return f{n}()\n" for n in range(400)})
    shop.write({"shop/pay.py": None})
    shop.commit()
    watched.until_true()
    assert shop.rows("SELECT count(*) FROM files WHERE path LIKE 'gen/%'") == [400]
    assert dump(shop) == fresh(shop)
    shop.git("switch", "-q", "main")
    watched.until_true()
    assert dump(shop) == before
    shop.git("switch", "-q", "many")
    watched.until_true()
    assert dump(shop) == fresh(shop)


def test_a_rebase(shop: Repository, watched: Running, fresh: Fresh) -> None:
    shop.git("switch", "-q", "-c", "side")
    for number in range(8):
        shop.write({f"side/f{number}.py": f"from shop.cart import total\n\nx = total([{number}])\n"})
        shop.commit(f"side {number}")
    shop.git("switch", "-q", "main")
    shop.write({"shop/cart.py": SHOP["shop/cart.py"].replace("total(items)", "total(items, rate=1)")})
    shop.commit("main goes on")
    shop.git("rebase", "-q", "main", "side")
    watched.until_true()
    head = shop.git("rev-parse", "HEAD").strip()
    eventually(lambda: shop.rows("SELECT value FROM meta WHERE key = 'indexed_head'") == [head])
    assert dump(shop) == fresh(shop)


def test_a_commit_that_changes_no_file_moves_the_indexed_commit(shop: Repository, watched: Running) -> None:
    shop.git("commit", "-q", "--allow-empty", "-m", "nothing")
    head = shop.git("rev-parse", "HEAD").strip()
    eventually(lambda: shop.rows("SELECT value FROM meta WHERE key = 'indexed_head'") == [head])


def test_what_changed_before_the_start_is_found(shop: Repository, fresh: Fresh) -> None:
    shop.write({"shop/late.py": "from shop.pay import pay\n\npay([])\n", "shop/cart.py": None})
    shop.commit()
    with watching(shop):
        assert dump(shop) == fresh(shop)


def test_what_git_ignores_never_gets_in(shop: Repository, watched: Running) -> None:
    updates = watched.state.updated_at
    shop.write({"build/out.py": "def built():\n    pass\n", ".ctx/notes.py": "x = 1\n"})
    shop.write({"docs/readme.md": "# Shop, again\n"})
    watched.until_true()
    assert "docs/readme.md" in shop.rows("SELECT path FROM files")
    assert not shop.rows("SELECT path FROM files WHERE path LIKE 'build/%' OR path LIKE '.ctx/%'")
    assert updates


def test_its_own_writes_are_not_followed(shop: Repository, watched: Running) -> None:
    shop.write({"shop/cart.py": SHOP["shop/cart.py"] + "\n"})
    watched.until_true()
    at_rest = threading.Event()
    batches: list[set[str]] = []
    real = watched.watcher._step

    def step(batch: set[str]) -> str:
        batches.append(batch)
        if len(batches) == 3:
            at_rest.set()
        return real(batch)

    watched.watcher._step = step  # type: ignore[method-assign]
    assert at_rest.wait(30)
    assert batches[:3] == [set(), set(), set()]


def test_what_it_reads_is_not_described_by_that(shop: Repository, watched: Running) -> None:
    """Only a person or an agent describes code: else `ctx validate` would never have anything to say."""
    shop.write({"shop/cart.py": "def quite_different():\n    return 1\n"})
    shop.git("add", "-A")
    watched.until_true()
    with Store.open(str(shop.root)) as store:
        waiting = undescribed(store, str(shop.root))
    assert [each.path for each in waiting or ()] == ["shop/cart.py"]


# The index itself.


def test_an_indexing_process_that_is_killed(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch, fresh: Fresh
) -> None:
    monkeypatch.setattr(watcher_process, "FIRST_RETRY", 0.2)
    shop.write({f"gen/f{n}.py": f"def f{n}():\n    pass\n" for n in range(200)})
    eventually(lambda: watched.watcher.indexer.is_running)
    process = watched.watcher.indexer._process
    assert process is not None
    process.send_signal(signal.SIGKILL)
    watched.until_true()
    assert watched.thread.is_alive()
    assert dump(shop) == fresh(shop)


def test_a_failure_is_told_and_tried_again(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch, fresh: Fresh
) -> None:
    monkeypatch.setattr(watcher_process, "FIRST_RETRY", 0.2)
    real = watched.watcher.indexer.update
    calls: list[object] = []

    def update(paths: Any, tell: Any) -> Any:
        calls.append(paths)
        if len(calls) < 3:
            return watcher_process.Event("failed", "no luck \x1b[31m")
        return real(paths, tell)

    monkeypatch.setattr(watched.watcher.indexer, "update", update)
    shop.write({"shop/cart.py": SHOP["shop/cart.py"] + "\n\nx = total([])\n"})
    eventually(lambda: watched.state.problem == "no luck \x1b[31m" and watched.state.queue)
    watched.until_true()
    assert calls[0] == calls[2] == {"shop/cart.py"}
    assert watched.state.problem == ""
    assert dump(shop) == fresh(shop)


def test_a_lost_event_is_made_up_for(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is compared now and then."""
    shop.write({"shop/cart.py": SHOP["shop/cart.py"] + "\n"})
    watched.until_true()
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.services.watcher_sources.Events.wait", lambda *arguments: set())
        shop.write({"shop/cart.py": "def unseen():\n    pass\n"})
        watched.watcher._check_at = 0.0
        watched.until_true()
        assert "shop/cart.py::unseen" in shop.rows("SELECT id FROM functions")


def test_a_large_batch_waits_for_its_end(shop: Repository, watched: Running) -> None:
    asked: list[object] = []
    real = watched.watcher.indexer.update

    def update(paths: Any, tell: Any) -> Any:
        asked.append(paths)
        return real(paths, tell)

    watched.watcher.indexer.update = update  # type: ignore[method-assign]
    shop.write({f"gen/f{n}.py": f"x = {n}\n" for n in range(watcher_process.MANY + 1)})
    watched.until_true()
    assert None in asked  # compared as a whole, by git's list


def test_a_branch_switch_under_way_is_waited_for(shop: Repository, watched: Running) -> None:
    asked: list[object] = []
    real = watched.watcher.indexer.update

    def update(paths: Any, tell: Any) -> Any:
        asked.append(os.path.exists(shop.root / ".git/index.lock"))
        return real(paths, tell)

    watched.watcher.indexer.update = update  # type: ignore[method-assign]
    shop.write({".git/index.lock": ""})
    shop.write({f"gen/f{n}.py": f"x = {n}\n" for n in range(watcher_process.MANY + 1)})
    eventually(lambda: len(watched.watcher._queue) > watcher_process.MANY)
    assert asked == []
    shop.write({".git/index.lock": None})
    watched.until_true()
    assert asked and not any(asked)


def test_the_indexing_process_goes_when_nothing_is_to_be_done(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_process, "WARM_SECONDS", 0.1)
    eventually(lambda: not watched.watcher.indexer.is_running)
    shop.write({"shop/cart.py": "def later():\n    pass\n"})
    watched.until_true()
    assert "shop/cart.py::later" in shop.rows("SELECT id FROM functions")


def test_a_log_in_the_tree_is_not_followed_line_by_line(
    shop: Repository, watched: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_process, "RESTLESS", 3)
    monkeypatch.setattr(watcher_process, "RESTLESS_SECONDS", 1000.0)
    for number in range(3):
        shop.write({"app.log": f"{number}\n"})
        watched.until_true()
    shop.write({"app.log": "and again\n"})
    eventually(lambda: "app.log" in watched.watcher._queue)
    assert not watched.watcher._is_due(time.monotonic())
    shop.write({"shop/cart.py": "def now():\n    pass\n"})  # takes it along
    watched.until_true()
    assert "shop/cart.py::now" in shop.rows("SELECT id FROM functions")
