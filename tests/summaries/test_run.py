"""A run from the queue to the index, against a server on this machine: what is asked, in which order."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from sctx_tui.graph import store_notes
from sctx_tui.graph.indexer import Progress
from sctx_tui.graph.store import StoreError
from sctx_tui.summaries.run import describe
from sctx_tui.summaries.settings import SettingsError

from ..stand_in import Answer, Asked, StandIn, good, openai_answer
from .conftest import SHOP, MakeModel, Project, report, run, waiting

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.mark.parametrize("provider", ["openai-compatible", "anthropic"])
def test_everything_without_a_docstring_is_described(
    shop: Project, server: StandIn, model: MakeModel, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "k-123")
    events = run(shop, model(provider=provider, key_variable="MY_KEY"))
    assert report(events).written == {"function": 4, "file": 2, "directory": 2}
    assert report(events).left == 0
    assert report(events).stopped is None
    assert shop.summaries() == {
        "shop/money.py::add": "It describes shop/money.py::add.",
        "shop/money.py::negate": "It describes shop/money.py::negate.",
        "shop/cart.py::total": "It describes shop/cart.py::total.",
        "shop/cart.py::twice": "It describes shop/cart.py::twice.",
        "shop/tax.py::vat": "Add the tax.",
    }
    assert shop.purposes()["shop/money.py"] == "It describes shop/money.py."
    assert shop.purposes()["shop/tax.py"] == "Taxes of all countries."
    assert shop.purposes("directories") == {
        "": "It describes the whole project.",
        "shop": "It describes shop.",
    }
    assert set(shop.rows("SELECT source FROM written")) == {"model"}
    assert report(events).usage == (100 * len(server.asked), 10 * len(server.asked))
    name = "x-api-key" if provider == "anthropic" else "authorization"
    assert {asked.headers[name].removeprefix("Bearer ") for asked in server.asked} == {"k-123"}


def test_a_second_run_sends_nothing(shop: Project, server: StandIn, model: MakeModel) -> None:
    run(shop, model())
    server.asked.clear()
    assert report(run(shop, model())).written == {}
    assert server.asked == []


def test_progress_counts_up_to_the_whole(shop: Project, model: MakeModel) -> None:
    steps = [event for event in run(shop, model(batch=3)) if isinstance(event, Progress)]
    assert {step.total for step in steps} == {8}
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert (steps[0].done, steps[-1].done) == (0, 8)


def test_the_most_depended_on_come_first_and_folders_last(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    run(shop, model(batch=1))
    order = server.targets
    assert set(order[:2]) == {"shop/money.py::add", "shop/money.py"}  # 3 callers, 2 dependents
    assert order[-2:] == ["the whole project/", "shop/"]


def test_what_changed_and_what_is_tainted_comes_before_everything_else(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    run(shop, model())
    shop.sync(
        {
            "shop/money.py": SHOP["shop/money.py"]
            .replace("-a", "0 - a")
            .replace("add(a, b)", "add(a, b, c)"),
            "shop/fresh.py": "from shop.money import add\n\n\ndef fresh():\n    return add(1, 2, 3)\n",
        }
    )
    server.asked.clear()
    run(shop, model(batch=1))
    changed = {"shop/money.py::add", "shop/money.py::negate", "shop/money.py"}
    tainted = {"shop/cart.py::total", "shop/cart.py::twice"}
    assert set(server.targets[:5]) == changed | tainted
    assert set(server.targets[5:]) == {"shop/fresh.py", "shop/fresh.py::fresh"}


def test_a_model_clears_staleness_but_no_taint(shop: Project, model: MakeModel) -> None:
    run(shop, model())
    shop.sync({"shop/money.py": SHOP["shop/money.py"].replace("add(a, b)", "add(a, b, c)")})
    stale = "SELECT id FROM functions WHERE is_stale AND kind <> 'module'"
    assert shop.rows(stale) == ["shop/money.py::add"]
    run(shop, model())
    assert shop.rows(stale) == []
    assert "shop/cart.py::total" in shop.rows("SELECT id FROM functions WHERE is_tainted")


def test_what_a_person_or_an_agent_wrote_is_never_asked_about_nor_written_over(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    with shop.store() as store:
        store_notes.describe(store, "function", "shop/money.py::add", {"summary": "Mine."}, source="person")
        store_notes.describe(store, "file", "shop/money.py", {"purpose": "Hers."}, source="agent")
        store_notes.describe(store, "directory", "shop", {"purpose": "His."}, source="agent")
    run(shop, model())
    shop.sync({"shop/money.py": SHOP["shop/money.py"].replace("a + b", "b + a")})  # stale now
    run(shop, model())
    assert shop.summaries()["shop/money.py::add"] == "Mine."
    assert shop.purposes()["shop/money.py"] == "Hers."
    assert shop.purposes("directories")["shop"] == "His."
    assert not {"shop/money.py::add", "shop/money.py", "shop/"} & set(server.targets)


def test_what_somebody_wrote_while_the_model_was_thinking_stays(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    def script(asked: Asked) -> Answer:
        with shop.store() as store:
            for target in asked.items.values():
                if "::" in target:
                    store_notes.describe(store, "function", target, {"summary": "Mine."}, source="agent")
        return good(asked)

    server.script = script
    run(shop, model())
    assert {text for id_, text in shop.summaries().items() if "tax" not in id_} == {"Mine."}


def test_what_changed_while_the_model_was_thinking_waits(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    def script(asked: Asked) -> Answer:
        if "shop/money.py::add" in asked.items.values():
            shop.sync({"shop/money.py": SHOP["shop/money.py"].replace("a + b", "a - b")})
        return good(asked)

    server.script = script
    run(shop, model(batch=1))
    assert shop.summaries()["shop/money.py::add"] is None
    assert "shop/money.py::add" in waiting(shop)


def test_a_docstring_that_appears_takes_the_place_of_a_models_text(shop: Project, model: MakeModel) -> None:
    run(shop, model())
    text = SHOP["shop/money.py"].replace("    return a + b", '    """Sum up."""\n    return a + b')
    shop.sync({"shop/money.py": f'"""Money."""\n\n{text}'})
    assert shop.summaries()["shop/money.py::add"] == "Sum up."
    assert shop.purposes()["shop/money.py"] == "Money."
    assert not {"shop/money.py", "shop/money.py::add"} & set(waiting(shop))


def test_a_folder_is_described_anew_when_it_has_become_another(
    project: Project, server: StandIn, model: MakeModel
) -> None:
    project.sync({"lib/a.py": "A = 1\n", "lib/b.py": "B = 1\n"})
    run(project, model())
    project.sync({"lib/c.py": "C = 1\n"})
    assert "lib" not in waiting(project)
    project.sync({"lib/d.py": "D = 1\n"})
    assert "lib" in waiting(project)
    run(project, model())
    assert waiting(project) == []


def test_an_interrupted_run_goes_on_where_it_was(shop: Project, server: StandIn, model: MakeModel) -> None:
    with shop.store() as store:
        events = describe(store, str(shop.root), model(batch=2))
        for event in events:
            if isinstance(event, Progress) and event.done >= 4:
                break
        events.close()
    first = set(server.targets)
    assert len(waiting(shop)) == 4
    server.asked.clear()
    assert report(run(shop, model(batch=2))).left == 0
    assert len(server.targets) == 4
    assert not first & set(server.targets)


def test_a_run_ends_when_it_is_told_to(shop: Project, server: StandIn, model: MakeModel) -> None:
    stop = threading.Event()

    def script(asked: Asked) -> Answer:
        stop.set()
        return good(asked)

    server.script = script
    ended = report(run(shop, model(batch=2), stop=stop))
    assert ended.stopped == "interrupted"
    assert sum(ended.written.values()) == 2
    assert ended.left == 6


def test_only_so_many_and_only_below_these_paths(shop: Project, server: StandIn, model: MakeModel) -> None:
    assert report(run(shop, model(), limit=3)).left == 5
    assert len(server.targets) == 3
    server.asked.clear()
    run(shop, model(), ["shop/cart.py"])
    assert server.targets
    assert all(target.startswith("shop/cart.py") for target in server.targets)


def test_as_many_requests_at_a_time_as_allowed(shop: Project, server: StandIn, model: MakeModel) -> None:
    both = threading.Barrier(2, timeout=20)

    def script(asked: Asked) -> Answer:
        both.wait()  # is passed only by two at a time
        return good(asked)

    server.script = script
    assert report(run(shop, model(batch=1, concurrency=2))).left == 0
    assert server.most_under_way == 2


def test_one_request_at_a_time_where_only_one_is_allowed(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    run(shop, model(batch=1, concurrency=1))
    assert server.most_under_way == 1


def test_two_runs_at_once_are_refused(shop: Project, server: StandIn, model: MakeModel) -> None:
    refusals: list[str] = []

    def script(asked: Asked) -> Answer:
        try:
            run(shop, model())
        except StoreError as error:
            refusals.append(str(error))
        return good(asked)

    server.script = script
    run(shop, model(batch=50), limit=1)
    assert len(refusals) == 1
    assert "another process" in refusals[0]


def test_texts_are_one_clean_short_line(shop: Project, server: StandIn, model: MakeModel) -> None:
    hostile = "**Adds** \x1b[31mtwo\u202e\nnumbers" + " and more" * 100
    server.script = lambda asked: openai_answer(json.dumps(dict.fromkeys(asked.items, hostile)))
    run(shop, model())
    summary = shop.summaries()["shop/money.py::add"]
    assert summary is not None
    assert summary.startswith("Adds** \\x1b[31mtwo\\u202e numbers and more")
    assert len(summary.split()) == 15
    purpose = shop.purposes()["shop/money.py"]
    assert purpose is not None
    assert len(purpose) <= 200
    assert purpose.isprintable()


def test_a_file_that_is_no_longer_as_indexed_is_not_sent(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    shop.write({"shop/money.py": "SECRET = 1\n"})
    run(shop, model())
    assert not [target for target in server.targets if target.startswith("shop/money.py")]
    assert not [asked for asked in server.asked if "SECRET" in asked.text]


def test_nothing_outside_the_root_is_ever_sent(
    shop: Project, server: StandIn, model: MakeModel, tmp_path: Any
) -> None:
    import hashlib

    outside = tmp_path / "outside.py"
    outside.write_text("SECRET = 1\n")
    (shop.root / "link.py").symlink_to(outside)
    (shop.root / "folder").symlink_to(tmp_path)
    digest = hashlib.sha256(outside.read_bytes()).hexdigest()
    with shop.store() as store, store.transaction():
        for path in ("../outside.py", "link.py", "folder/outside.py", str(outside)):
            store.execute(
                "INSERT INTO files (path, language, size, content_hash) VALUES (?, 'python', 9, ?)",
                (path, digest),
            )
    run(shop, model())
    assert server.asked
    assert not [asked for asked in server.asked if "SECRET" in asked.text]


def test_a_missing_key_is_said_before_anything_is_sent(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    with pytest.raises(SettingsError, match="MISSING_KEY is not set"):
        run(shop, model(key_variable="MISSING_KEY"))
    assert server.asked == []


def test_a_key_never_shows(
    shop: Project,
    server: StandIn,
    model: MakeModel,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("MY_KEY", key)
    server.script = lambda asked: Answer({"error": {"message": f"wrong key {key}"}}, 401)
    with caplog.at_level("DEBUG"):
        ended = report(run(shop, model(key_variable="MY_KEY")))
    assert ended.stopped is not None
    assert "wrong key (key)" in ended.stopped
    assert key not in caplog.text
    assert key not in repr(model(key_variable="MY_KEY"))


def test_the_rate_limit_holds_over_runs(
    shop: Project, server: StandIn, model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    sleeps: list[float] = []

    class Clocked(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            sleeps.append(timeout or 0.0)
            now[0] += timeout or 0.0
            return False

    monkeypatch.setattr("sctx_tui.summaries.run.time.time", lambda: now[0])
    monkeypatch.setattr("sctx_tui.summaries.run.Signal", Clocked)
    for _ in range(4):  # each a run of its own, with one request
        run(shop, model(batch=1, requests_per_minute=2), limit=1)
    assert len(server.asked) == 4
    assert sleeps == [60.0]
