"""Settings: where they come from, what is refused, what stays in the user's file."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

from sctx_tui.summaries.endpoints import endpoint_problem, is_local
from sctx_tui.summaries.keys import find_key
from sctx_tui.summaries.settings import (
    KEYS,
    PROVIDERS,
    SettingsError,
    configured_model,
    settings,
    settings_path,
    suggested_model,
)
from sctx_tui.summaries.settings_file import set_value, unset_value


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The settings file, which doesn't exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "sctx" / "config.toml"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def model(**settings: str):
    found = configured_model({f"SCTX_SUMMARIES_{name.upper()}": value for name, value in settings.items()})
    assert found is not None
    return found


def test_nothing_is_configured_by_default(file: Path) -> None:
    assert configured_model({}) is None
    assert not file.exists()


def test_a_model_alone_configures_nothing(file: Path) -> None:
    assert (
        configured_model({"SCTX_SUMMARIES_MODEL": "x", "SCTX_SUMMARIES_URL": "http://localhost/v1"}) is None
    )


def test_the_suggestion_is_ollama_on_this_machine() -> None:
    assert suggested_model() == model(provider="ollama")
    assert (suggested_model().url, suggested_model().name) == (
        "http://127.0.0.1:11434/v1",
        "qwen2.5-coder:7b",
    )
    assert is_local(suggested_model().url)


def test_the_environment_comes_before_the_file_before_the_defaults(file: Path) -> None:
    write(file, '[summaries]\nprovider = "vllm"\nmodel = "m"\nbatch = 3\n')
    found = settings({"SCTX_SUMMARIES_MODEL": "n", "SCTX_SUMMARIES_RETRIES": "0"})
    assert found["summaries.provider"] == ("vllm", "file")
    assert found["summaries.model"] == ("n", "environment")
    assert found["summaries.batch"] == (3, "file")
    assert found["summaries.retries"] == (0, "environment")
    assert found["summaries.concurrency"] == (2, "default")
    assert found["summaries.url"] == (None, "default")


def test_an_empty_variable_switches_a_setting_off(file: Path) -> None:
    write(file, '[summaries]\nprovider = "ollama"\nbatch = 3\n')
    assert configured_model({"SCTX_SUMMARIES_PROVIDER": ""}) is None
    assert settings({"SCTX_SUMMARIES_BATCH": ""})["summaries.batch"] == (8, "environment")


def test_every_default_is_a_value_that_could_be_typed() -> None:
    for key in KEYS.values():
        assert key.default is None or key.read(str(key.default)) == key.default
    for name, preset in PROVIDERS.items():
        assert not preset.url or endpoint_problem(preset.url) is None, name


@pytest.mark.parametrize("provider", ["lm-studio", "vllm", "openai", "anthropic", "openai-compatible"])
def test_what_a_provider_still_needs_is_said(file: Path, provider: str) -> None:
    with pytest.raises(
        SettingsError, match=r"needs a (url|model): ctx config set summaries\.(url|model) VALUE"
    ):
        model(provider=provider)


def test_a_relative_configuration_directory_would_lead_into_a_repository(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", "evil")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "evil" / "sctx" / "config.toml", '[summaries]\nprovider = "ollama"\n')
    assert not settings_path().startswith("evil")
    assert configured_model({}) is None


def test_no_file_of_a_repository_is_read(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = '[summaries]\nprovider = "ollama"\n[tool.sctx.summaries]\nprovider = "ollama"\n'
    repository = tmp_path / "repository"
    for name in ("config.toml", "sctx.toml", ".sctx.toml", "pyproject.toml", ".ctx/config.toml", ".env"):
        write(repository / name, text)
    monkeypatch.chdir(repository)
    assert configured_model({}) is None


BAD = {
    "[summaries\n": "config.toml:1:11: not TOML: Expected ']' at the end of a table declaration",
    "x = \n": "config.toml:1:5: not TOML: Invalid value",
    "summaries = 3\n": "[summaries] has to be a table",
    '\n[summaries]\nprovider = "gpt"\n': "config.toml:3: summaries.provider: use one of ollama, ",
    "[summaries]\nbatch = 0\n": "config.toml:2: summaries.batch: use a whole number from 1 to 50",
    "[summaries]\nbatch = 1.5\n": "config.toml:2: summaries.batch: use a whole number from 1 to 50",
    "[summaries]\nbatch = true\n": "config.toml:2: summaries.batch has to be a text or a number",
    "[summaries]\nmodel = [1]\n": "config.toml:2: summaries.model has to be a text or a number",
    '[summaries]\nmodle = "x"\n': "config.toml:2: there is no setting summaries.modle; did you mean",
    'summaries.price_input = "much"\n': "config.toml:1: summaries.price_input: use a number such as 0.25",
    '[summaries]\nurl = "http://example.org/v1"\n': "http:// is for this machine only",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=range(len(BAD)))
def test_errors_name_the_place_and_what_to_write(file: Path, text: str, message: str) -> None:
    write(file, text)
    with pytest.raises(SettingsError) as raised:
        settings({})
    assert message in str(raised.value)
    assert str(file) in str(raised.value)


def test_a_file_that_is_no_settings_file(file: Path) -> None:
    file.mkdir(parents=True)
    with pytest.raises(SettingsError, match="not a file of at most 64 KiB"):
        settings({})
    file.rmdir()
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not UTF-8"):
        settings({})
    file.write_bytes(b"#" * 70_000)
    with pytest.raises(SettingsError, match="not a file of at most 64 KiB"):
        settings({})


SECRET = "sk-ant-0123456789abcdefABCDEF"


@pytest.mark.parametrize(
    "name", ["key", "api_key", "apikey", "token", "secret", "key_variable", "keyring", "model.key"]
)
@pytest.mark.parametrize("value", [SECRET, "gsk_0123456789abcdefABCDEF", "hf_abcDEF0123456789"])
def test_a_key_never_goes_into_the_file_nor_into_a_message(file: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsError) as raised:
        set_value(f"summaries.{name}", value)
    assert value not in str(raised.value)
    assert not file.exists()
    write(file, f'[summaries]\n"{name}" = "{value}"\n')
    with pytest.raises(SettingsError) as raised:
        settings({})
    assert value not in str(raised.value)


GOOD_URLS = [
    "http://127.0.0.1:11434/v1",
    "http://localhost/v1/",
    "http://[::1]:8080",
    "http://127.9.9.9",
    "https://api.example.org/v1",
    "https://192.168.0.7:8443/v1",
]
BAD_URLS = [
    "http://192.168.0.7/v1",
    "http://example.org/v1",
    "http://127.0.0.1.example.org/v1",
    "http://localhost.example.org",
    "http://localhost@example.org/v1",
    "http://0.0.0.0:11434/v1",
    "http://2130706433/",
    "http://0x7f000001/",
    "https://user:pass@example.org/v1",
    "https://example.org/v1?key=abc",
    "https://example.org/v1#x",
    "ftp://example.org",
    "file:///etc/passwd",
    "example.org/v1",
    "https:///v1",
    "https://exa mple.org",
    "https://example.org:99999/",
    "https://example.org:0/",
    "https://[::1",
    "https://exämple.org",
    "https://example.org/\x1b[31m",
    "",
]


@pytest.mark.parametrize("url", GOOD_URLS)
def test_addresses_that_are_taken(url: str) -> None:
    assert endpoint_problem(url) is None
    assert model(provider="openai-compatible", url=url, model="m").url == url.rstrip("/")


@pytest.mark.parametrize("url", BAD_URLS)
def test_addresses_that_are_refused(url: str) -> None:
    assert endpoint_problem(url)


def test_a_providers_own_key_goes_to_its_own_address_only(file: Path) -> None:
    assert model(provider="openai", model="m").key_variable == "OPENAI_API_KEY"
    assert model(provider="openai", model="m", url="https://proxy.example.org/v1").key_variable == ""
    named = model(
        provider="openai", model="m", url="https://proxy.example.org/v1", key_variable="OPENAI_API_KEY"
    )
    assert named.key_variable == "OPENAI_API_KEY"
    assert model(provider="anthropic", model="m", keyring="sctx/me").key_variable == ""


def test_a_key_comes_from_its_variable(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = model(provider="ollama", key_variable="MY_KEY")
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(SettingsError, match="MY_KEY is not set"):
        find_key(asked)
    monkeypatch.setenv("MY_KEY", f" {SECRET}\n")
    assert find_key(asked) == SECRET
    monkeypatch.setenv("MY_KEY", "two words\r\nX-Evil: 1")
    with pytest.raises(SettingsError) as raised:
        find_key(asked)
    assert "two words" not in str(raised.value)
    assert find_key(model(provider="ollama")) == ""


@pytest.mark.parametrize(
    ("stored", "message"),
    [({("sctx", "me"): SECRET}, ""), ({}, "keyring set sctx me"), (None, r"sctx-tui\[keyring\]")],
)
def test_a_key_comes_from_the_keyring(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    stored: Mapping[tuple[str, str], str] | None,
    message: str,
) -> None:
    module = None
    if stored is not None:
        module = ModuleType("keyring")
        module.get_password = lambda service, user: stored.get((service, user))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    asked = model(provider="ollama", keyring="sctx/me")
    if message:
        with pytest.raises(SettingsError, match=message):
            find_key(asked)
    else:
        assert find_key(asked) == SECRET


MINE = """# My settings. Don't touch.
title = 'x'   # single quotes

[other]
list = [ 1,
         2 ]  # odd layout

[summaries]  # who writes
# the model
model   = "m"     # mine
batch = 3

[last]
x = 0x10
"""


def test_setting_and_unsetting_keeps_everything_else(file: Path) -> None:
    write(file, MINE)
    set_value("summaries.model", "other")
    assert file.read_text() == MINE.replace('"m"', '"other"')
    set_value("summaries.provider", "ollama")
    set_value("summaries.price_input", "0.25")
    text = file.read_text()
    assert tomllib.loads(text)["summaries"] == {
        "model": "other",
        "batch": 3,
        "provider": "ollama",
        "price_input": 0.25,
    }
    for line in MINE.replace('"m"', '"other"').splitlines():
        assert line in text.splitlines()
    assert unset_value("summaries.provider") is True
    assert unset_value("summaries.price_input") is True
    assert unset_value("summaries.price_input") is False
    assert file.read_text().split() == MINE.replace('"m"', '"other"').split()


@pytest.mark.parametrize(
    "before",
    [
        "",
        "# only a comment\n",
        'summaries.model = "m"\n',
        'summaries = { model = "m" }\n',
        '"summaries"."model" = "m"\n[other]\nx = 1\n',
        '[other]\nx = 1\n[summaries]\nmodel = "m"\n[other.deep]\ny = 2\n',
        "[other]\r\nx = 1\r\n",
        "x = 1",
    ],
)
def test_a_setting_is_read_back_whatever_the_file_looked_like(file: Path, before: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(before.encode())
    kept = tomllib.loads(before)
    set_value("summaries.batch", "5")
    found = tomllib.loads(file.read_bytes().decode())
    assert found["summaries"]["batch"] == 5
    assert settings({})["summaries.batch"] == (5, "file")
    assert unset_value("summaries.batch") is True
    left = tomllib.loads(file.read_bytes().decode())
    assert {name: value for name, value in left.items() if value} == kept


def test_a_broken_file_is_not_written(file: Path) -> None:
    write(file, "[summaries\n")
    with pytest.raises(SettingsError, match="not TOML"):
        set_value("summaries.batch", "5")
    assert file.read_text() == "[summaries\n"
    write(file, "summaries = 3\n")
    with pytest.raises(SettingsError, match="has to be a table"):
        set_value("summaries.batch", "5")


def test_a_new_file_is_the_users_alone(file: Path) -> None:
    set_value("summaries.provider", "ollama")
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
