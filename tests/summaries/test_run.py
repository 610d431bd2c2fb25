"""A run from the queue to the index, against a server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sctx_tui.graph import store_notes
from sctx_tui.graph.indexer import Problem, Progress
from sctx_tui.graph.store import StoreError
from sctx_tui.summaries.run import Event, Report, describe, wanted
from sctx_tui.summaries.settings import Model, SettingsError

from .conftest import SHOP, Answer, Asked, Project, StandIn, good, openai_answer, texts_for

MakeModel = Callable[..., Model]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once; how long they wait is tested in test_client.py."""
    monkeypatch.setattr("sctx_tui.summaries.client.FIRST_WAIT", 0.0)


def run(project: Project, model: Model, *arguments: Any, **options: Any) -> list[Event]:
    with project.store() as store:
        return list(describe(store, str(project.root), model, *arguments, **options))


def report(events: list[Event]) -> Report:
    assert isinstance(events[-1], Report)
    return events[-1]


def waiting(project: Project, **options: Any) -> list[str]:
    with project.store() as store:
        return [each.target for each in wanted(store, **options)]


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


def replies(*answers: Answer | Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """The answers in turn, then good ones."""
    left: Iterator[Any] = iter(answers)

    def script(asked: Asked) -> Answer:
        answer = next(left, good)
        return answer(asked) if callable(answer) else answer

    return script


PASSING = [
    Answer(b"busy", 503),
    Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "0"}),
    Answer(b"", 500),
    Answer({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529),
]


@pytest.mark.parametrize("answer", PASSING, ids=lambda answer: str(answer.status))
def test_an_error_that_passes_loses_nothing(
    shop: Project, server: StandIn, model: MakeModel, answer: Answer
) -> None:
    server.script = replies(answer, answer)
    ended = report(run(shop, model()))
    assert (ended.left, ended.stopped) == (0, None)


def test_a_failed_batch_waits_and_the_others_go_on(shop: Project, server: StandIn, model: MakeModel) -> None:
    def script(asked: Asked) -> Answer:
        return Answer(b"", 500) if "shop/money.py::add" in asked.items.values() else good(asked)

    server.script = script
    events = run(shop, model(batch=1, retries=1))
    (problem,) = [event for event in events if isinstance(event, Problem)]
    assert problem.path == "shop/money.py::add"
    assert "500" in problem.message
    assert waiting(shop) == ["shop/money.py::add"]
    server.script = good
    assert report(run(shop, model())).left == 0


def test_a_server_that_never_recovers_ends_the_run(shop: Project, server: StandIn, model: MakeModel) -> None:
    server.script = lambda _: Answer(b"", 500)
    ended = report(run(shop, model(batch=1, retries=0)))
    assert ended.stopped is not None
    assert "3 requests in a row" in ended.stopped
    assert len(server.asked) == 3
    assert ended.left == 8


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer({"error": {"message": "bad key"}}, 401), "check the key"),
        (Answer(b"", 403), "check the key"),
        (Answer({"error": "model 'small' not found"}, 404), "model 'small' not found"),
        (Answer(b"", 302, {"Location": "http://127.0.0.1:1/v1"}), "redirects to http://127.0.0.1:1/v1"),
        (Answer(b"", 429, {"Retry-After": "86400"}), "asks for 86,400 seconds"),
    ],
)
def test_an_error_that_stays_ends_the_run_at_once(
    shop: Project, server: StandIn, model: MakeModel, answer: Answer, words: str
) -> None:
    server.script = lambda _: answer
    ended = report(run(shop, model(batch=1)))
    assert ended.stopped is not None
    assert words in ended.stopped
    assert len(server.asked) == 1
    assert ended.left == 8


def test_nobody_there(shop: Project, server: StandIn, model: MakeModel) -> None:
    server.close()
    server.close = lambda: None  # type: ignore[method-assign]
    ended = report(run(shop, model()))
    assert ended.stopped is not None
    assert "no connection to" in ended.stopped
    assert ended.left == 8


BROKEN = {
    "no JSON": Answer(b"<html>login</html>"),
    "no object": Answer([1, 2]),
    "no choices": Answer({"choices": []}),
    "no text": Answer({"choices": [{"message": {"content": None}}]}),
    "nested": Answer(b"[" * 200_000),
    "huge": Answer(b"", chunks=lambda: iter([b" " * (1 << 20)] * 8)),
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_something_that_is_no_reply_at_all(
    shop: Project, server: StandIn, model: MakeModel, answer: Answer
) -> None:
    server.script = replies(answer)
    events = run(shop, model(batch=2))
    assert len([event for event in events if isinstance(event, Problem)]) == 1
    assert report(events).left == 2
    assert report(events).stopped is None


def shifted(asked: Asked) -> Answer:
    """Ids from 0: every text would land on its neighbour."""
    return openai_answer(json.dumps({str(int(id_) - 1): text for id_, text in texts_for(asked).items()}))


USELESS = {
    "no object": lambda asked: openai_answer("I'd be glad to help!"),
    "cut off": lambda asked: openai_answer(json.dumps(texts_for(asked))[:-2]),
    "other ids": shifted,
    "no texts": lambda asked: openai_answer(json.dumps(dict.fromkeys(asked.items, 7))),
    "echo": lambda asked: openai_answer(json.dumps({id_: f"./{name}" for id_, name in asked.items.items()})),
    "the example": lambda asked: openai_answer(
        json.dumps(dict.fromkeys(asked.items, "Adds up the prices of all items."))
    ),
    "blank": lambda asked: openai_answer(json.dumps(dict.fromkeys(asked.items, " \t.\n"))),
    "a key twice": lambda asked: openai_answer('{"1": "One.", "1": "Two."}'),
}


@pytest.mark.parametrize("bad", USELESS.values(), ids=USELESS)
def test_a_useless_reply_is_asked_for_again_in_smaller_batches(
    shop: Project, server: StandIn, model: MakeModel, bad: Callable[[Asked], Answer]
) -> None:
    server.script = lambda asked: bad(asked) if len(asked.items) > 1 else good(asked)
    ended = report(run(shop, model(batch=8)))
    assert ended.left == 0
    assert all(text == f"It describes {id_}." for id_, text in shop.summaries().items() if "tax" not in id_)


def test_what_a_reply_leaves_out_is_asked_for_again(shop: Project, server: StandIn, model: MakeModel) -> None:
    def script(asked: Asked) -> Answer:
        texts = texts_for(asked)
        return openai_answer(json.dumps(dict(list(texts.items())[:1])))

    server.script = script
    assert report(run(shop, model(batch=4))).left == 0


def test_a_model_that_never_answers_usefully_ends_the_run(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    server.script = lambda _: openai_answer("Sorry.")
    ended = report(run(shop, model(batch=1)))
    assert ended.stopped is not None
    assert "3 requests in a row" in ended.stopped
    assert ended.left == 8


def test_what_got_no_usable_text_is_left_alone_by_automatic_runs_until_it_changes(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    bad = "shop/money.py::negate"
    server.script = lambda asked: openai_answer("?") if bad in asked.items.values() else good(asked)
    run(shop, model(batch=1))
    assert waiting(shop) == [bad]
    assert waiting(shop, retries=False) == []
    shop.sync({"shop/money.py": SHOP["shop/money.py"].replace("-a", "0 - a")})
    assert bad in waiting(shop, retries=False)


def test_optional_fields_are_left_out_where_a_server_refuses_them(
    shop: Project, server: StandIn, model: MakeModel
) -> None:
    def script(asked: Asked) -> Answer:
        for name in ("max_tokens", "temperature", "response_format"):
            if name in asked.body:
                return Answer({"error": {"message": f"Unsupported parameter: '{name}'"}}, 400)
        return good(asked)

    server.script = script
    assert report(run(shop, model(batch=8))).left == 0
    assert server.asked[-1].body["max_completion_tokens"] > 0
    assert len([asked for asked in server.asked if "temperature" in asked.body]) == 2


def test_a_request_that_is_too_long_is_halved(shop: Project, server: StandIn, model: MakeModel) -> None:
    too_long = Answer({"error": {"message": "context length exceeded"}}, 400)
    first = iter([True])

    def script(asked: Asked) -> Answer:
        return good(asked) if next(first, False) or len(asked.items) == 1 else too_long

    server.script = script
    assert report(run(shop, model(batch=2))).left == 0
    assert all("response_format" in asked.body for asked in server.asked)


def test_a_reply_that_drips_is_given_up(
    shop: Project, server: StandIn, model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = iter(range(0, 1 << 30, 3600))
    monkeypatch.setattr("sctx_tui.summaries.transport.time.monotonic", lambda: next(hours))
    server.script = lambda _: Answer(b"", chunks=lambda: iter([b" "] * 3))
    ended = report(run(shop, model(batch=1, retries=0)))
    assert ended.stopped is not None
    assert "no reply within 20 seconds" in ended.stopped


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
