"""What goes wrong between us and a model, and that nothing is lost by it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sctx_tui.graph.indexer import Problem

from ..stand_in import Answer, Asked, StandIn, good, openai_answer, texts_for
from .conftest import SHOP, MakeModel, Project, report, run, waiting

pytestmark = pytest.mark.usefixtures("no_waiting")


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
    ended = report(run(shop, model(batch=1)))
    assert ended.stopped is not None
    assert "no reply within 20 seconds" in ended.stopped
    assert len(server.asked) == 3
    assert len(waiting(shop, retries=False)) == 8  # being slow says nothing about the items


def test_a_request_that_takes_too_long_is_halved(
    shop: Project, server: StandIn, model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = iter(range(0, 1 << 30, 3600))
    is_slow = [False]
    monkeypatch.setattr(
        "sctx_tui.summaries.transport.time.monotonic", lambda: next(hours) if is_slow[0] else 0.0
    )

    def script(asked: Asked) -> Answer:
        is_slow[0] = len(asked.items) > 1
        return Answer(b"", chunks=lambda: iter([b" "] * 3)) if is_slow[0] else good(asked)

    server.script = script
    ended = report(run(shop, model(batch=4)))
    assert (ended.left, ended.stopped) == (0, None)
