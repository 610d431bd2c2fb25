"""What a run would send and what it would cost, without sending anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sctx_tui.graph.store import Store
from sctx_tui.graph.store_summaries import Due
from sctx_tui.summaries.prompts import batches
from sctx_tui.summaries.providers import FORMS, Usage
from sctx_tui.summaries.settings import Model

MILLION = 1_000_000


class Preview(NamedTuple):
    """Numbers of a run that has not been made."""

    items: Mapping[str, int]  # kind ("function", "file", "directory") -> how many
    requests: int
    tokens: Usage  # at most, as estimated


def preview(
    store: Store, root: str, chosen: Sequence[Due], model: Model, estimate: Callable[[str], int]
) -> Preview:
    """Build every request and count. `estimate` gives an upper bound on the tokens of a text."""
    items: Counter[str] = Counter()
    requests = sent = received = 0
    for batch in batches(store, root, chosen, model.batch):
        prompt = batch.prompt()
        items[batch.kind] += len(batch.items)
        requests += 1
        sent += estimate(json.dumps(FORMS[model.form].body(model, prompt, ()), ensure_ascii=False))
        received += prompt.most_tokens
    return Preview(items, requests, Usage(sent, received))


def cost(model: Model, tokens: Usage) -> float | None:
    """The price of so many tokens in `model.currency`, None where a price is unknown."""
    if model.price_input is None or model.price_output is None:
        return None
    return (tokens.sent * model.price_input + tokens.received * model.price_output) / MILLION


def cost_text(model: Model, tokens: Usage) -> str:
    """The same in words; where a price is unknown, what to do about it."""
    price = cost(model, tokens)
    if price is None:
        return "unknown (set summaries.price_input and summaries.price_output, for a million tokens)"
    return f"{price:.4f} {model.currency}" if 0 < price < 1 else f"{price:,.2f} {model.currency}"
