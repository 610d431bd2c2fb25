"""Two forms of requests and replies: OpenAI-compatible chat completions, and Anthropic's messages.

A form is a pair of pure functions: a prompt into a request, and a reply's JSON into the text that the model
wrote. What they share, sending and its failures, is in `transport.py` and `client.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from sctx_tui.summaries.settings import Model

ANTHROPIC_VERSION = "2023-06-01"
TOOL = "write_texts"
LONGEST_TEXT = 300  # characters that a model is let write about one item


class Prompt(NamedTuple):
    """A question about several items."""

    system: str
    text: str
    ids: tuple[str, ...]  # what the reply has to name
    most_tokens: int  # of the reply


class Usage(NamedTuple):
    """Tokens as the server counts them; 0 where it doesn't say."""

    sent: int
    received: int


class Form(NamedTuple):
    """How one family of servers is spoken to."""

    path: str  # below the model's url
    headers: Callable[[str], dict[str, str]]  # for a key, "" for none
    body: Callable[[Model, Prompt, Collection[str]], dict[str, Any]]  # the last: fields to do without
    written: Callable[[Mapping[str, Any]], str]  # raises KeyError, IndexError, TypeError on other shapes
    usage: tuple[str, str]  # the fields of "usage": sent, received
    optional: tuple[str, ...]  # fields that some servers refuse, the first to go first


def _schema(ids: Collection[str], *, lengths: bool = True) -> dict[str, Any]:
    """An object with exactly these keys: servers that follow schemas can't get an id wrong."""
    text = {"type": "string", "maxLength": LONGEST_TEXT} if lengths else {"type": "string"}
    return {
        "type": "object",
        "properties": dict.fromkeys(ids, text),
        "required": list(ids),
        "additionalProperties": False,
    }


def _openai_headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _openai_body(model: Model, prompt: Prompt, without: Collection[str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model.name,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.text},
        ],
        "stream": False,
        "temperature": 0,
        "max_tokens": prompt.most_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "texts", "schema": _schema(prompt.ids), "strict": True},
        },
    }
    if "max_tokens" in without:
        body["max_completion_tokens"] = prompt.most_tokens
    return {name: value for name, value in body.items() if name not in without}


def _openai_written(reply: Mapping[str, Any]) -> str:
    text = reply["choices"][0]["message"]["content"]
    if not isinstance(text, str):
        raise TypeError("content is no text")
    return text


def _anthropic_headers(key: str) -> dict[str, str]:
    return {"anthropic-version": ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})


def _anthropic_body(model: Model, prompt: Prompt, without: Collection[str]) -> dict[str, Any]:
    body = {
        "model": model.name,
        "max_tokens": prompt.most_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.text}],
        "tools": [
            {
                "name": TOOL,
                "description": "Write one text for each item.",
                "input_schema": _schema(prompt.ids, lengths=False),
            }
        ],
        "tool_choice": {"type": "tool", "name": TOOL},
    }
    return {name: value for name, value in body.items() if name not in without}


def _anthropic_written(reply: Mapping[str, Any]) -> str:
    blocks = reply["content"]
    for block in blocks:
        if block["type"] == "tool_use":
            return json.dumps(block["input"])
    return "".join(block["text"] for block in blocks if block["type"] == "text")


FORMS = {
    "openai": Form(
        "/chat/completions",
        _openai_headers,
        _openai_body,
        _openai_written,
        ("prompt_tokens", "completion_tokens"),
        ("response_format", "temperature", "max_tokens"),
    ),
    "anthropic": Form(
        "/messages",
        _anthropic_headers,
        _anthropic_body,
        _anthropic_written,
        ("input_tokens", "output_tokens"),
        ("tool_choice",),
    ),
}


def usage_of(form: Form, reply: Mapping[str, Any]) -> Usage:
    """What a reply says that it cost."""
    said = reply.get("usage")
    counts = [said.get(name) if isinstance(said, Mapping) else 0 for name in form.usage]
    return Usage(*(count if isinstance(count, int) and 0 <= count < 1 << 40 else 0 for count in counts))
