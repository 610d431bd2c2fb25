"""What a model wrote, into texts that may go into the index: the right items, one clean short line each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sctx_tui.graph.sentences import first_sentences, summary
from sctx_tui.sanitize import clean
from sctx_tui.summaries.transport import BadReply

LONGEST = 200  # characters of a text in the index

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
_NUMBER = re.compile(r"\d+[.)] ")


def texts_by_id(written: str, ids: Sequence[str]) -> dict[str, str]:
    """The usable texts by id; ids without one are missing.

    Raises BadReply when there is no JSON object, or when it names an id that was not asked for: then nothing
    says which text belongs to which item.
    """
    found = _object(written)
    foreign = [id_ for id_ in found if id_ not in ids]
    if foreign:
        raise BadReply(f"the model's reply names items that it wasn't asked about: {clean(foreign[0])[:40]}")
    texts = {id_: one_line(text) for id_, text in found.items() if isinstance(text, str)}
    return {id_: text for id_, text in texts.items() if text}


def one_line(text: str) -> str:
    """A text as one line without marks of layout or hidden characters; "" when nothing readable is left."""
    line = clean(" ".join(text[:4096].split())).lstrip("-*#> ")
    number = _NUMBER.match(line)
    line = line[number.end() if number else 0 :].rstrip("*_ ").strip("\"'` ")
    return line if any(letter.isalpha() for letter in line) else ""


def is_description(text: str, echoes: Iterable[str]) -> bool:
    """Whether a text says something: two words at least besides what the request itself said."""
    for echo in echoes:
        text = text.replace(echo, " ")
    return sum(any(letter.isalpha() for letter in word) for word in text.split()) > 1


def fields(kind: str, text: str) -> dict[str, str]:
    """A text as the fields of a file, a function or a directory, each within its length."""
    if kind == "function":
        return {"summary": _short(summary(text))}
    purpose = _short(first_sentences(text, 1))
    return {"purpose": purpose, "summary": _short(summary(text))} if kind == "file" else {"purpose": purpose}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _object(written: str) -> Mapping[str, Any]:
    """The first JSON object in a text: models like to add a fence, a greeting, or their thoughts."""
    text = _THOUGHTS.sub("", written)
    start = text.find("{")
    if start < 0:
        raise BadReply("the model's reply has no JSON object in it")
    try:
        found, _ = json.JSONDecoder(object_pairs_hook=_once).raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise BadReply(f"the model's reply isn't JSON: {clean(str(error))[:80]}") from None
    if not isinstance(found, dict):
        raise BadReply("the model's reply isn't a JSON object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found
