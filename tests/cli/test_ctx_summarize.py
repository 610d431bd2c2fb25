"""`ctx summarize`, and what `ctx init`, `sync` and `update` have described."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.graph.store import Store

from ..stand_in import Answer, Asked, StandIn, good
from .conftest import Result

Run = Callable[..., Result]

FILES = {
    "shop/money.py": "def add(a, b):\n    return a + b\n",
    "shop/cart.py": "from shop.money import add\n\n\ndef total(xs):\n    return add(xs[0], xs[1])\n",
    "shop/tax.py": '"""Taxes."""\n\n\ndef vat(a):\n    """Add the tax."""\n    return a\n',
}


@pytest.fixture
def configured(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in is the user's model."""
    for name, value in {
        "PROVIDER": "openai-compatible",
        "URL": server.url,
        "MODEL": "small",
        "RETRIES": "0",
    }.items():
        monkeypatch.setenv(f"SCTX_SUMMARIES_{name}", value)


@pytest.fixture
def shop(plant: Callable[..., Path]) -> Path:
    """Files without an index."""
    return plant(FILES)


def summaries(root: Path) -> dict[str, str | None]:
    with Store.open(str(root)) as store:
        return dict(store.rows("SELECT id, summary FROM functions WHERE kind <> 'module'"))


def test_without_configuration_nothing_is_sent_and_the_way_is_shown(
    shop: Path, run_ctx: Run, server: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_client(*_: object, **__: object) -> None:
        raise AssertionError("a client was made")

    monkeypatch.setattr("httpx.Client", no_client)
    for command in (("init",), ("sync",), ("update", "shop/money.py")):
        assert run_ctx(*command, cwd=shop).code == 0
    result = run_ctx("summarize", cwd=shop)
    assert result.code == 1
    assert result.err == (
        "error: no model is configured, so nothing is sent; for one on this machine:"
        " ctx config set summaries.provider ollama\n"
    )
    assert server.asked == []


def test_init_has_everything_described(shop: Path, run_ctx: Run, server: StandIn, configured: None) -> None:
    result = run_ctx("init", cwd=shop)
    assert result.code == 0
    assert "Described 2 functions, 2 files, 2 folders; 300 tokens sent" in result.err
    assert "nothing waits" in result.err
    assert summaries(shop) == {
        "shop/money.py::add": "It describes shop/money.py::add.",
        "shop/cart.py::total": "It describes shop/cart.py::total.",
        "shop/tax.py::vat": "Add the tax.",
    }


@pytest.mark.parametrize("command", [("init",), ("sync",), ("update", "shop")])
def test_no_summaries_holds_it_back(
    shop: Path, run_ctx: Run, server: StandIn, configured: None, command: tuple[str, ...]
) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    assert run_ctx(*command, "--no-summaries", cwd=shop).code == 0
    assert server.asked == []


def test_a_limit_for_each_run_holds_it_back(
    shop: Path, run_ctx: Run, server: StandIn, configured: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCTX_SUMMARIES_PER_RUN", "2")
    result = run_ctx("init", cwd=shop)
    assert "4 still wait: `ctx summarize` goes on" in result.err
    assert len(server.targets) == 2
    assert run_ctx("summarize", cwd=shop).code == 0
    assert len(server.targets) == 6


def test_update_has_only_these_files_described(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    run_ctx("update", "shop/cart.py", cwd=shop)
    assert sorted(server.targets) == ["shop/cart.py", "shop/cart.py::total"]


def test_a_server_that_is_down_is_a_warning_for_init_and_an_error_for_summarize(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    server.script = lambda _: Answer({"error": "no such model"}, 404)
    result = run_ctx("init", cwd=shop)
    assert result.code == 0
    assert "warning: summaries stopped: " in result.err
    assert "no such model" in result.err
    result = run_ctx("summarize", cwd=shop)
    assert result.code == 1
    assert "check summaries.url and summaries.model" in result.err


@pytest.mark.parametrize("command", [("init",), ("sync",), ("update", "shop")])
def test_broken_settings_are_a_warning_for_the_index_and_an_error_for_summarize(
    shop: Path, run_ctx: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    run_ctx("init", cwd=shop)
    monkeypatch.setenv("SCTX_SUMMARIES_PROVIDER", "gpt")
    result = run_ctx(*command, cwd=shop)
    assert (result.code, "warning: no summaries: SCTX_SUMMARIES_PROVIDER: use one of" in result.err) == (
        0,
        True,
    )
    assert run_ctx("summarize", cwd=shop).code == 1


def test_json_on_standard_output_stays_json(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    assert run_ctx("sync", "--json", cwd=shop).json["files"] == 3
    found = run_ctx("summarize", "--json", cwd=shop).json
    assert found["written"] == {"function": 0, "file": 0, "directory": 0}
    assert (found["left"], found["stopped"]) == (0, None)


def test_a_dry_run_counts_and_sends_nothing(
    shop: Path, run_ctx: Run, server: StandIn, configured: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    result = run_ctx("summarize", "--dry-run", cwd=shop)
    assert result.code == 0
    assert f"2 functions, 2 files, 2 folders in 3 requests to small at {server.url}" in result.out
    assert "cost, at most: unknown (set summaries.price_input and summaries.price_output" in result.out
    monkeypatch.setenv("SCTX_SUMMARIES_PRICE_INPUT", "1000")
    monkeypatch.setenv("SCTX_SUMMARIES_PRICE_OUTPUT", "2000.5")
    monkeypatch.setenv("SCTX_SUMMARIES_CURRENCY", "EUR")
    found = run_ctx("summarize", "--dry-run", "--json", cwd=shop).json
    assert found["items"] == {"function": 2, "file": 2, "directory": 2}
    assert found["cost"] == pytest.approx(
        (found["tokens_sent"] * 1000 + found["tokens_received"] * 2000.5) / 1_000_000
    )
    assert f"cost, at most: {found['cost']:.2f} EUR" in run_ctx("summarize", "--dry-run", cwd=shop).out
    assert server.asked == []


def test_a_dry_run_is_an_upper_bound_of_what_is_sent(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    tokenizer = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    run_ctx("init", "--no-summaries", cwd=shop)
    said = run_ctx("summarize", "--dry-run", "--json", cwd=shop).json
    run_ctx("summarize", cwd=shop)
    real = sum(len(tokenizer.encode(json.dumps(asked.body, ensure_ascii=False))) for asked in server.asked)
    assert len(server.asked) == said["requests"]
    assert real <= said["tokens_sent"] <= 3 * real


def test_a_dry_run_without_configuration_shows_the_suggestion(shop: Path, run_ctx: Run) -> None:
    run_ctx("init", cwd=shop)
    result = run_ctx("summarize", "--dry-run", cwd=shop)
    assert result.code == 0
    assert "to qwen2.5-coder:7b at http://127.0.0.1:11434/v1" in result.out
    assert "No model is configured, so nothing is sent" in result.out


def test_only_some_and_only_below_a_path(shop: Path, run_ctx: Run, server: StandIn, configured: None) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    result = run_ctx("summarize", "money.py", "--limit", "1", cwd=shop / "shop")
    assert result.code == 0
    assert len(server.targets) == 1
    assert server.targets[0].startswith("shop/money.py")


def test_a_prompt_has_the_code_and_nothing_of_this_machine(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    run_ctx("init", cwd=shop)
    everything = json.dumps([asked.body for asked in server.asked])
    assert "return add(xs[0], xs[1])" in everything
    assert str(shop) not in everything


def test_hostile_messages_reach_no_terminal_raw(
    shop: Path, run_ctx: Run, server: StandIn, configured: None
) -> None:
    server.script = lambda _: Answer({"error": {"message": "\x1b[2J\u202e\x07 gone"}}, 401)
    result = run_ctx("init", cwd=shop)
    assert "gone" in result.err
    assert not set("\x1b\u202e\x07") & set(result.err + result.out)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupt", "kill"])
def test_a_run_that_is_ended_in_the_middle_keeps_what_came(
    shop: Path, run_ctx: Run, server: StandIn, configured: None, number: signal.Signals
) -> None:
    run_ctx("init", "--no-summaries", cwd=shop)
    hangs, goes_on = threading.Event(), threading.Event()

    def script(asked: Asked) -> Answer:
        if len(server.asked) > 2:
            hangs.set()
            goes_on.wait(60)
        return good(asked)

    server.script = script
    environment = {**os.environ, "SCTX_SUMMARIES_BATCH": "1", "SCTX_SUMMARIES_CONCURRENCY": "1"}
    code = "from sctx_tui.cli.ctx import main; main(['summarize'])"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], cwd=shop, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert hangs.wait(60)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    goes_on.set()
    assert process.returncode == (1 if number == signal.SIGINT else -signal.SIGKILL)
    assert "Traceback" not in said
    first = server.targets[:2]
    server.asked.clear()
    server.script = good
    assert run_ctx("summarize", cwd=shop).code == 0
    assert len(server.targets) == 4
    assert not set(first) & set(server.targets)
