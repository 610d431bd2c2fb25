"""The user's settings for language models: what they are called, where they come from, what they mean.

They come from the environment, else from a TOML file in the user's configuration directory, else from the
table below; never from a repository. Without a provider nothing is configured, and nothing is sent anywhere.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sctx_tui.summaries.endpoints import endpoint_problem

SECTION = "summaries"
LARGEST = 64 << 10  # bytes of the settings file

Value = str | int | float


class SettingsError(Exception):
    """Settings that can't be used; the message names the place and what to write."""


class Preset(NamedTuple):
    """What a provider's name stands for; "" is unknown and has to be set."""

    form: str  # of requests and replies: "openai" or "anthropic"
    url: str
    model: str
    key_variable: str


PROVIDERS = {
    "ollama": Preset("openai", "http://127.0.0.1:11434/v1", "qwen2.5-coder:7b", ""),
    "llama.cpp": Preset("openai", "http://127.0.0.1:8080/v1", "default", ""),
    "lm-studio": Preset("openai", "http://127.0.0.1:1234/v1", "", ""),
    "vllm": Preset("openai", "http://127.0.0.1:8000/v1", "", ""),
    "openai": Preset("openai", "https://api.openai.com/v1", "", "OPENAI_API_KEY"),
    "anthropic": Preset("anthropic", "https://api.anthropic.com/v1", "", "ANTHROPIC_API_KEY"),
    "openai-compatible": Preset("openai", "", "", ""),
}
SUGGESTION = "ctx config set summaries.provider ollama"


class Key(NamedTuple):
    """One setting; `read` makes its value from typed text, or raises ValueError with what to type."""

    name: str  # with its section
    read: Callable[[str], Value]
    default: Value | None
    help: str

    @property
    def variable(self) -> str:
        """The environment variable that overrides the file."""
        return f"SCTX_{self.name.upper().replace('.', '_')}"


def _one_of(*words: str) -> Callable[[str], Value]:
    def read(text: str) -> Value:
        if text not in words:
            raise ValueError(f"use one of {', '.join(words)}")
        return text

    return read


def _whole(low: int, high: int) -> Callable[[str], Value]:
    def read(text: str) -> Value:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise ValueError(f"use a whole number from {low} to {high}")
        return int(text)

    return read


def _price(text: str) -> Value:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise ValueError("use a number such as 0.25, for a million tokens")
    return float(text)


def _matching(pattern: str, advice: str) -> Callable[[str], Value]:
    def read(text: str) -> Value:
        if not re.fullmatch(pattern, text):
            raise ValueError(advice)
        return text

    return read


def _url(text: str) -> Value:
    problem = endpoint_problem(text)
    if problem:
        raise ValueError(problem)
    return text.rstrip("/")


KEYS = {
    key.name: key
    for key in (
        Key("summaries.provider", _one_of(*PROVIDERS), None, "Who writes summaries; not set: nobody."),
        Key("summaries.url", _url, None, "Where requests go. Default: the provider's own address."),
        Key(
            "summaries.model",
            _matching(r"[!-~]([ -~]{0,198}[!-~])?", "use the model's name as the provider spells it"),
            None,
            "The model's name. Default for ollama: qwen2.5-coder:7b.",
        ),
        Key(
            "summaries.key_variable",
            _matching(
                r"[A-Z][A-Z0-9_]{0,63}",
                "use the NAME of an environment variable in capitals, such as OPENAI_API_KEY; the key"
                " itself never goes into a file",
            ),
            None,
            "The NAME of the environment variable that holds the key.",
        ),
        Key(
            "summaries.keyring",
            _matching(
                r"[\w.@-]{1,64}/[\w.@-]{1,64}",
                "use SERVICE/USER, as in `keyring set SERVICE USER`; the key itself never goes into a file",
            ),
            None,
            "Where the system's keyring has the key: SERVICE/USER.",
        ),
        Key("summaries.price_input", _price, None, "Price of a million tokens sent."),
        Key("summaries.price_output", _price, None, "Price of a million tokens received."),
        Key(
            "summaries.currency",
            _matching(r"[A-Za-z$€£¥]{1,8}", "use a short name such as EUR"),
            "USD",
            "Currency of the prices.",
        ),
        Key("summaries.requests_per_minute", _whole(1, 6000), 60, "Requests a minute at most."),
        Key("summaries.concurrency", _whole(1, 32), 2, "Requests at the same time at most."),
        Key("summaries.batch", _whole(1, 50), 8, "Functions or files in a request at most."),
        Key(
            "summaries.per_run",
            _whole(1, 1_000_000),
            200,
            "Texts that `ctx init`, `sync`, `update` and the watcher ask for at most in a run.",
        ),
        Key("summaries.timeout", _whole(1, 3600), 300, "Seconds that a reply may take."),
        Key("summaries.retries", _whole(0, 10), 3, "Further attempts after an error that may pass."),
    )
}


class Setting(NamedTuple):
    """A value and where it comes from: "environment", "file" or "default"; None where nothing is set."""

    value: Value | None
    source: str


@dataclass(frozen=True, slots=True)
class Model:
    """Everything needed to ask a model. The key itself is not here: see `keys.py`."""

    provider: str
    form: str  # "openai" or "anthropic"
    url: str  # without a trailing slash
    name: str
    key_variable: str  # "" when not set
    keyring: str  # "SERVICE/USER" or ""
    price_input: float | None  # of a million tokens
    price_output: float | None
    currency: str
    requests_per_minute: int
    concurrency: int
    batch: int  # items in a request
    per_run: int  # items in an automatic run
    timeout: int  # seconds
    retries: int


def settings_path() -> str:
    """Where the settings file lies, whether or not it exists.

    XDG_CONFIG_HOME counts on every system when it is absolute; a relative one would lead into whatever
    repository the command runs in.
    """
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(base):
        return os.path.join(base, "sctx", "config.toml")
    if sys.platform in ("win32", "darwin"):
        from platformdirs import user_config_dir

        return os.path.join(user_config_dir("sctx", appauthor=False), "config.toml")
    return os.path.join(os.path.expanduser("~"), ".config", "sctx", "config.toml")


def settings(environ: Mapping[str, str] | None = None) -> dict[str, Setting]:
    """Every setting by name. SettingsError: a value that can't be used, wherever it comes from."""
    environ = os.environ if environ is None else environ
    path = settings_path()
    stored = _stored(path)
    found: dict[str, Setting] = {}
    for name, key in KEYS.items():
        if key.variable in environ:
            text = environ[key.variable]
            found[name] = Setting(_checked(key, text, key.variable) if text else key.default, "environment")
        elif name in stored:
            found[name] = Setting(stored[name], "file")
        else:
            found[name] = Setting(key.default, "default")
    return found


def configured_model(environ: Mapping[str, str] | None = None) -> Model | None:
    """The model that the user configured, None without a provider. SettingsError: something is missing."""
    values = {name.partition(".")[2]: setting.value for name, setting in settings(environ).items()}
    provider = values.pop("provider")
    return None if provider is None else _model(str(provider), values)


def suggested_model() -> Model:
    """The model that is suggested where none is configured."""
    defaults = {name.partition(".")[2]: key.default for name, key in KEYS.items()}
    del defaults["provider"]
    return _model("ollama", defaults)


def _model(provider: str, values: dict[str, Value | None]) -> Model:
    preset = PROVIDERS[provider]
    url = values.pop("url") or preset.url
    model = values.pop("model") or preset.model
    for name, value in (("url", url), ("model", model)):
        if not value:
            raise SettingsError(f"provider {provider} needs a {name}: ctx config set summaries.{name} VALUE")
    # A key that is known by default goes to the provider's own address and nowhere else.
    known_key = preset.key_variable if url == preset.url and not values["keyring"] else ""
    key_variable = values.pop("key_variable") or known_key
    keyring = values.pop("keyring") or ""
    rest: dict[str, Any] = values
    return Model(
        provider=provider,
        form=preset.form,
        url=str(url),
        name=str(model),
        key_variable=str(key_variable),
        keyring=str(keyring),
        **rest,
    )


def read_value(name: str, text: str) -> Value:
    """What a person typed for a setting. SettingsError without the text itself: it may be a secret."""
    return _checked(known_key(name), text, name)


def known_key(name: str) -> Key:
    """The setting of that name. SettingsError names the nearest one."""
    if name in KEYS:
        return KEYS[name]
    raise SettingsError(_unknown(name))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    if re.search(r"(?i)(^|[._])(api_?)?(key|token|secret|password)$", name):
        return (
            f"there is no setting {name}: a key never goes into a file. Set summaries.key_variable to the"
            " NAME of the environment variable that holds it, or summaries.keyring to SERVICE/USER"
        )
    near = get_close_matches(name, KEYS, n=1) or get_close_matches(f"{SECTION}.{name}", KEYS, n=1)
    return f"there is no setting {name}; " + (
        f"did you mean {near[0]}?" if near else "`ctx config list` shows all of them"
    )


def _checked(key: Key, text: str, place: str) -> Value:
    try:
        return key.read(text)
    except ValueError as error:
        raise SettingsError(f"{place}: {error}") from None


def _stored(path: str) -> dict[str, Value]:
    """What the file says, by full name; nothing when there is none."""
    text = read_file(path)
    if text is None:
        return {}
    section = parse(path, text).get(SECTION, {})
    if not isinstance(section, dict):
        raise SettingsError(f"{path}: [{SECTION}] has to be a table")
    found: dict[str, Value] = {}
    for name, value in section.items():
        full = f"{SECTION}.{name}"
        place = f"{path}:{_line_of(name, text)}"
        if full not in KEYS:
            raise SettingsError(f"{place}: {_unknown(full)}")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise SettingsError(f"{place}: {full} has to be a text or a number")
        found[full] = _checked(KEYS[full], str(value), f"{place}: {full}")
    return found


def read_file(path: str) -> str | None:
    """The text of the settings file, None when there is none."""
    try:
        if not os.path.exists(path):
            return None
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            raise SettingsError(f"{path}: not a file of at most {LARGEST >> 10} KiB")
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not UTF-8") from error
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error


def parse(path: str, text: str) -> dict[str, Any]:
    """The file as TOML. SettingsError with the line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        place = f"{path}:{found[1]}:{found[2]}" if found else path
        reason = str(error).partition(" (at ")[0]
        raise SettingsError(f"{place}: not TOML: {reason}") from None


def _line_of(name: str, text: str) -> int:
    """The 1-based line on which a setting stands, for messages; 1 where it isn't found."""
    pattern = re.compile(rf"""\s*(["']?{SECTION}["']?\s*\.\s*)?["']?{re.escape(name)}["']?\s*=""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
