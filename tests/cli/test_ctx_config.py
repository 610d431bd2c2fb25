"""`ctx config`: the user's settings on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.summaries.settings import KEYS

from .conftest import Result

Run = Callable[..., Result]


@pytest.fixture
def run(run_ctx: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """`ctx config` with these arguments and a configuration directory of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return lambda *arguments: run_ctx("config", *arguments, cwd=tmp_path)


def test_path_says_where_the_file_is(run: Run, tmp_path: Path) -> None:
    assert run("path").out == f"{tmp_path / 'config' / 'sctx' / 'config.toml'}\n"
    assert not (tmp_path / "config").exists()


def test_set_get_unset(run: Run) -> None:
    before = run("get", "summaries.model")
    assert (before.code, before.err) == (1, "error: summaries.model is not set\n")
    assert run("set", "summaries.model", "qwen2.5-coder:7b").code == 0
    assert run("get", "summaries.model").out == "qwen2.5-coder:7b\n"
    assert run("unset", "summaries.model").code == 0
    assert run("get", "summaries.model").code == 1
    assert run("unset", "summaries.model").err == "note: summaries.model was not in the file\n"
    assert run("get", "summaries.batch").out == "8\n"


def test_list_names_every_setting_its_value_and_its_source(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("set", "summaries.provider", "ollama")
    monkeypatch.setenv("SCTX_SUMMARIES_BATCH", "3")
    lines = {line.split()[0]: line.split()[1:] for line in run("list").out.splitlines()}
    assert set(lines) == set(KEYS)
    assert lines["summaries.provider"] == ["ollama", "(file)"]
    assert lines["summaries.batch"] == ["3", "(SCTX_SUMMARIES_BATCH)"]
    assert lines["summaries.retries"] == ["3", "(default)"]
    assert lines["summaries.model"] == ["-", "(not", "set)"]
    found = json.loads(run("list", "--json").out)
    assert found["summaries.provider"] == {
        "value": "ollama",
        "source": "file",
        "variable": "SCTX_SUMMARIES_PROVIDER",
    }


def test_setting_a_provider_says_what_that_means(run: Run) -> None:
    assert "qwen2.5-coder:7b at http://127.0.0.1:11434/v1" in run("set", "summaries.provider", "ollama").err
    assert "needs a model" in run("set", "summaries.provider", "anthropic").err


def test_a_variable_that_overrides_what_was_set_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCTX_SUMMARIES_BATCH", "3")
    assert "SCTX_SUMMARIES_BATCH is set and overrides the file" in run("set", "summaries.batch", "5").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("get", "summaries.modle"), "there is no setting summaries.modle; did you mean summaries.model?"),
        (("get", "batch"), "there is no setting batch; did you mean summaries.batch?"),
        (("set", "summaries.batch", "0"), "summaries.batch: use a whole number from 1 to 50"),
        (("set", "summaries.url", "http://example.org"), "http:// is for this machine only"),
        (("set", "summaries.api_key", "sk-1"), "a key never goes into a file"),
        (("set", "summaries.batch"), "missing VALUE"),
        ((), "no command given"),
    ],
)
def test_faults_are_one_line_and_exit_code_1(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.code == 1
    assert message in result.err


def test_a_broken_file_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "config" / "sctx" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[summaries]\nprovider = \n")
    result = run("list")
    assert (result.code, f"{file}:2:12: not TOML" in result.err) == (1, True)


def test_odd_values_reach_no_terminal_raw(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCTX_SUMMARIES_PROVIDER", "\x1b[31mevil")
    for command in (("list",), ("get", "summaries.provider")):
        result = run(*command)
        assert result.code == 1
        assert "\x1b" not in result.out + result.err
