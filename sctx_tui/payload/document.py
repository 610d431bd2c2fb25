"""The payload as data: zones of blocks of items, and what was left out; as markdown and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sctx_tui.payload.tokens import estimate
from sctx_tui.sanitize import clean


@dataclass(slots=True)
class Item:
    """One thing that is said: `text` is markdown of one or more lines, `data` the same for programs.

    Where there is no room for all, those of the lowest `specificity` go first.
    """

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    specificity: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        self.tokens = estimate(self.text) + 1  # the newline


@dataclass(slots=True)
class Block:
    """Items under a heading, most important first.

    `total` counts what there is, the items here may be fewer; `more` is the call that fetches the rest.
    """

    heading: str
    items: list[Item]
    total: int = 0
    more: str = ""
    is_must: bool = False  # placed before everything else, beyond its zone's budget if need be

    def __post_init__(self) -> None:
        self.total = max(self.total, len(self.items))

    @property
    def omitted(self) -> int:
        """How many items there are beyond those here."""
        return self.total - len(self.items)

    @property
    def tokens(self) -> int:
        """An upper bound on what the block costs in markdown."""
        own = estimate(self.heading_text()) + 3 + sum(item.tokens for item in self.items)
        return own + (estimate(self.omission()) + 2 if self.omitted else 0)

    def heading_text(self) -> str:
        """The heading; with counts where something is left out."""
        counts = f" ({len(self.items)} of {self.total})" if self.omitted else ""
        return f"### {self.heading}{counts}"

    def omission(self) -> str:
        """The line that says how to get the rest."""
        return f"- … {self.omitted} more" + (f": {self.more}" if self.more else "")

    def lines(self) -> Iterator[str]:
        """The block in markdown."""
        yield self.heading_text()
        yield from (item.text for item in self.items)
        if self.omitted:
            yield self.omission()


@dataclass(slots=True)
class Zone:
    """One of the four parts of the document; `budget` and `tokens` in estimated tokens."""

    name: str
    title: str
    budget: int
    blocks: list[Block]

    @property
    def tokens(self) -> int:
        """An upper bound on what the zone costs in markdown; 0 when it is empty."""
        shown = sum(block.tokens for block in self.blocks)
        return shown + estimate(self.title) + 4 if shown else 0


@dataclass(frozen=True, slots=True)
class Step:
    """A compression that was taken, and the call that fetches what it left out."""

    name: str
    fetch: str


@dataclass(slots=True)
class Document:
    """The whole payload for `path` (and `line`); `budget` in estimated tokens."""

    path: str
    line: int | None
    budget: int
    zones: list[Zone]
    steps: list[Step]
    notes: list[str]

    @property
    def tokens(self) -> int:
        """An upper bound on the tokens of `markdown()`."""
        return self.frame_tokens() + sum(zone.tokens for zone in self.zones)

    def frame_tokens(self) -> int:
        """What the title, the notes and the steps cost."""
        return estimate("\n".join((*self._head(), *self._steps()))) + 8

    def _head(self) -> list[str]:
        shown = clean(self.path or ".")
        if estimate(shown) > self.budget // 8:
            shown = "…" + shown[-self.budget // 32 :]  # a character costs four tokens at most
        place = shown if self.line is None else f"{shown}:{self.line}"
        return [f"# Context for {place}", *(f"> {note}" for note in self.notes)]

    def _steps(self) -> list[str]:
        if not self.steps:
            return []
        return ["## Shortened to fit", *(f"- {step.name}: {step.fetch}" for step in self.steps)]

    def markdown(self) -> str:
        """The document for an agent."""
        parts = ["\n".join(self._head())]
        for zone in self.zones:
            if zone.blocks:
                parts.append(f"## {zone.title}")
                parts += ["\n".join(block.lines()) for block in zone.blocks]
        if self.steps:
            parts.append("\n".join(self._steps()))
        return "\n\n".join(parts) + "\n"

    def as_json(self) -> dict[str, Any]:
        """The document for a program; each block lists what is shown and counts what there is."""
        return {
            "path": self.path,
            "line": self.line,
            "budget": self.budget,
            "tokens": self.tokens,
            "zones": [
                {
                    "name": zone.name,
                    "budget": zone.budget,
                    "tokens": zone.tokens,
                    "blocks": [
                        {
                            "heading": block.heading,
                            "shown": len(block.items),
                            "total": block.total,
                            "more": block.more if block.omitted else "",
                            "items": [item.data or {"text": item.text} for item in block.items],
                        }
                        for block in zone.blocks
                    ],
                }
                for zone in self.zones
            ],
            "steps": [{"name": step.name, "fetch": step.fetch} for step in self.steps],
            "notes": list(self.notes),
        }
