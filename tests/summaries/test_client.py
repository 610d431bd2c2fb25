"""Pace, patience and forms of requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from sctx_tui.summaries.client import LONGEST_WAIT, Client, Pace, Stopped
from sctx_tui.summaries.providers import FORMS, Prompt, Usage, usage_of
from sctx_tui.summaries.settings import Model
from sctx_tui.summaries.transport import ModelError, Passing, Unreachable

from ..stand_in import Answer, Asked, StandIn, good

MakeModel = Callable[..., Model]
PROMPT = Prompt("Describe.", "### 1. a.py::f\ndef f(): ...", ("1",), 140)


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.sleeps: list[float] = []

    def sleep(self, seconds: float) -> bool:
        self.sleeps.append(seconds)
        self.now += seconds
        return False

    def pace(self, per_minute: int, **options: object) -> Pace:
        return Pace(per_minute, self.sleep, clock=lambda: self.now, **options)  # type: ignore[arg-type]


def test_no_more_requests_a_minute_than_allowed() -> None:
    clock = Clock()
    pace = clock.pace(3)
    sent = []
    for _ in range(10):
        pace.take_turn()
        sent.append(clock.now)
        clock.now += 1
    for start in sent:
        assert len([each for each in sent if start <= each < start + 60]) <= 3
    assert clock.now < 1000 + 60 * 4


def test_requests_of_earlier_runs_count() -> None:
    clock = Clock()
    pace = clock.pace(2, earlier=[clock.now - 50, clock.now - 70, clock.now - 10, clock.now + 1e9])
    pace.take_turn()
    assert clock.sleeps == [10.0]


def test_a_run_that_is_stopped_stops_waiting() -> None:
    pace = Pace(1, lambda _: True, clock=lambda: 1000.0)
    pace.take_turn()
    with pytest.raises(Stopped):
        pace.take_turn()


def test_what_the_server_asks_for_holds_for_everybody(server: StandIn, model: MakeModel) -> None:
    clock = Clock()
    answers = iter([Answer(b"", 429, {"Retry-After": "17"})])
    server.script = lambda asked: next(answers, None) or good(asked)
    pace = clock.pace(6000)
    client = Client(model(), pace)
    assert json.loads(client.ask(PROMPT)) == {"1": "It describes a.py::f."}
    client.close()
    assert clock.sleeps == [17.0]


def test_a_date_to_try_again_at(server: StandIn, model: MakeModel) -> None:
    clock = Clock()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    answers = iter([Answer(b"", 503, {"Retry-After": date})])
    server.script = lambda asked: next(answers, None) or good(asked)
    client = Client(model(), clock.pace(6000))
    client.ask(PROMPT)
    client.close()
    (slept,) = clock.sleeps
    assert 60 < slept <= 100


@pytest.mark.parametrize("header", ["soon", "-5", "nan", "1e999", "Wed, 99 Foo 2000 00:00:00 GMT"])
def test_odd_words_about_trying_again(server: StandIn, model: MakeModel, header: str) -> None:
    clock = Clock()
    answers = iter([Answer(b"", 503, {"Retry-After": header})])
    server.script = lambda asked: next(answers, None) or good(asked)
    client = Client(model(), clock.pace(6000))
    if header == "1e999":
        with pytest.raises(ModelError, match="try again later"):
            client.ask(PROMPT)
    else:
        client.ask(PROMPT)
        assert sum(clock.sleeps) < 2
    client.close()


def test_waits_grow_and_end(server: StandIn, model: MakeModel) -> None:
    clock = Clock()
    server.script = lambda _: Answer(b"", 500)
    client = Client(model(retries=10), clock.pace(6000))
    with pytest.raises(Passing, match="answered 500"):
        client.ask(PROMPT)
    client.close()
    assert len(server.asked) == 11
    for number, slept in enumerate(clock.sleeps):
        assert 0.75 <= slept / min(LONGEST_WAIT, 2**number) <= 1.25


def test_a_server_that_was_never_there_is_not_waited_for(server: StandIn, model: MakeModel) -> None:
    asked = model()
    server.close()
    server.close = lambda: None  # type: ignore[method-assign]
    clock = Clock()
    client = Client(asked, clock.pace(6000))
    with pytest.raises(Unreachable, match="no connection"):
        client.ask(PROMPT)
    client.close()
    assert clock.sleeps == []


def test_a_server_that_was_there_is_waited_for(server: StandIn, model: MakeModel) -> None:
    clock = Clock()

    def script(asked: Asked) -> Answer:
        answer = good(asked)
        answer.headers["Connection"] = "close"
        return answer

    server.script = script
    client = Client(model(retries=2), clock.pace(6000))
    client.ask(PROMPT)
    server.close()
    server.close = lambda: None  # type: ignore[method-assign]
    with pytest.raises(Unreachable):
        client.ask(PROMPT)
    client.close()
    assert len(clock.sleeps) == 2


def test_no_proxy_gets_between_us_and_this_machine(
    server: StandIn, model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    client = Client(model(), Clock().pace(6000))
    client.ask(PROMPT)
    client.close()
    assert len(server.asked) == 1


def test_a_redirect_is_not_followed(server: StandIn, model: MakeModel) -> None:
    other = StandIn()
    for status in (301, 302, 303, 307, 308):
        server.script = lambda _, status=status: Answer(b"", status, {"Location": f"{other.url}/x"})
        client = Client(model(), Clock().pace(6000))
        with pytest.raises(ModelError, match="redirects to"):
            client.ask(PROMPT)
        client.close()
    other.close()
    assert other.asked == []


def test_the_openai_form(server: StandIn, model: MakeModel) -> None:
    client = Client(model(), Clock().pace(6000))
    client.ask(PROMPT)
    client.close()
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert "authorization" not in asked.headers
    assert asked.headers["accept-encoding"] == "identity"
    assert asked.body["messages"] == [
        {"role": "system", "content": "Describe."},
        {"role": "user", "content": PROMPT.text},
    ]
    assert (asked.body["model"], asked.body["max_tokens"], asked.body["stream"]) == ("small", 140, False)
    schema = asked.body["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["1"]
    assert schema["additionalProperties"] is False


def test_the_anthropic_form(server: StandIn, model: MakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k-1")
    client = Client(model(provider="anthropic", key_variable="MY_KEY"), Clock().pace(6000))
    assert json.loads(client.ask(PROMPT)) == {"1": "It describes a.py::f."}
    client.close()
    assert client.usage == Usage(100, 10)
    (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == ("k-1", "2023-06-01")
    assert asked.body["system"] == "Describe."
    assert asked.body["tool_choice"] == {"type": "tool", "name": "write_texts"}
    assert asked.body["tools"][0]["input_schema"]["required"] == ["1"]


def test_an_anthropic_model_may_answer_in_words(server: StandIn, model: MakeModel) -> None:
    def script(asked: Asked) -> Answer:
        if "tool_choice" in asked.body:
            return Answer({"type": "error", "error": {"message": "tool_choice: not supported"}}, 400)
        return Answer({"content": [{"type": "text", "text": '{"1": "Adds things up."}'}]})

    server.script = script
    client = Client(model(provider="anthropic"), Clock().pace(6000))
    assert json.loads(client.ask(PROMPT)) == {"1": "Adds things up."}
    client.close()


@pytest.mark.parametrize("usage", [None, 3, {}, {"prompt_tokens": "many"}, {"prompt_tokens": -1}, []])
def test_odd_words_about_usage_count_nothing(usage: object) -> None:
    assert usage_of(FORMS["openai"], {"usage": usage}) == Usage(0, 0)
