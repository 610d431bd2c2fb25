"""Keeping the document under its budget: compressions in a fixed order, at last shorter lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sctx_tui.payload.detail import Detail, for_call, most_items, one_line
from sctx_tui.payload.document import Block, Document, Item, Step, Zone
from sctx_tui.payload.material import Material
from sctx_tui.payload.zones import zones

TOTAL = 8000
SMALLEST, LARGEST = 1000, 100_000
ZONES = (800, 2500, 2000, 1500)
"""Budgets of guardrails, focus, interface and calls out of TOTAL, in estimated tokens.

The rest is for guidance and dangers that need more than their zone has, and passes on when they don't."""

Compression = tuple[str, Callable[[Detail], Detail], Callable[[Material], str]]


STEPS: tuple[Compression, ...] = (
    (
        "short summaries",
        lambda detail: replace(detail, long_summaries=False),
        lambda material: "get_function(ID)",
    ),
    (
        "imports and dependents without details",
        lambda detail: replace(detail, flat_interface=True),
        lambda material: f'get_neighbours(file="{for_call(material.query.path)}")',
    ),
    (
        "calls without summaries",
        lambda detail: replace(detail, call_names_only=True),
        lambda material: "get_function(ID)",
    ),
    (
        "only the 15 nearest functions",
        lambda detail: replace(detail, nearest=15, paginate_above=15),
        lambda material: f'get_context("{for_call(material.query.path)}", LINE)',
    ),
    (
        "signatures and sentences clipped",
        lambda detail: replace(detail, clip=120),
        lambda material: "get_function(ID)",
    ),
)


def fit(material: Material, budget: int = TOTAL) -> Document:
    """The document for `material` within `budget` estimated tokens, whatever the repository holds.

    ValueError: `budget` is not between SMALLEST and LARGEST.
    """
    if not SMALLEST <= budget <= LARGEST:
        raise ValueError(f"the budget must lie between {SMALLEST} and {LARGEST} tokens, not {budget}")
    shares = [zone * budget // TOTAL for zone in ZONES]
    detail = Detail(most=most_items(budget), tree_room=budget - sum(shares[1:]))
    document = Document(
        material.query.path, material.line, budget, [], [], [one_line(n, 200) for n in _notes(material)]
    )
    document.zones = compressed = zones(material, detail, shares)
    for name, compress, fetch in STEPS:
        if _fits(document):
            return document
        before, detail = detail, compress(detail)
        compressed = zones(material, detail, shares, (before, compressed))
        if sum(zone.tokens for zone in compressed) < sum(zone.tokens for zone in document.zones):
            document.zones = compressed
            document.steps.append(Step(name, fetch(material)))
    if not _fits(document):
        _cut_lists(document)
    return document


def _notes(material: Material) -> tuple[str, ...]:
    return (*material.resolution.notes, *material.notes)


def _fits(document: Document) -> bool:
    """Whether the whole and each zone stay within what they may use."""
    if document.tokens > document.budget:
        return False
    carried = _reserve(document)
    for zone in document.zones:
        carried += zone.budget - zone.tokens
        if carried < 0:
            return False
    return True


def _reserve(document: Document) -> int:
    return document.budget - sum(zone.budget for zone in document.zones) - document.frame_tokens()


def _cut_lists(document: Document) -> None:
    """Shorten lists; those that have no room at all are named with the call that fetches them."""
    steps = [*document.steps, Step("lists cut", "each says how many there are and how to get the rest")]
    document.steps = steps
    missing: list[Block] = []
    while dropped := _cut(document):
        missing += dropped
        names = ", ".join(f"{block.heading} ({block.total})" for block in missing)
        calls = dict.fromkeys(block.more.partition(" (")[0] for block in missing if block.more)
        document.steps = [*steps, Step(f"left out: {names}", "; ".join(calls))]


def _cut(document: Document) -> list[Block]:
    """Place guidance and dangers, then fill each zone from its budget and what the zones before it left.

    What has no room is taken out and returned.
    """
    dropped: list[Block] = []
    for zone in document.zones:
        zone.blocks.sort(key=lambda block: not block.is_must)
    left = document.budget - document.frame_tokens() - sum(_frame(zone) for zone in document.zones)
    left -= _shorten([block for zone in document.zones for block in zone.blocks if block.is_must], left)
    carried = _reserve(document)
    for zone in document.zones:
        must = [block for block in zone.blocks if block.is_must]
        others = [block for block in zone.blocks if not block.is_must]
        carried += zone.budget - sum(block.tokens for block in must) - _frame(zone)
        kept, used = _fill(others, max(0, min(left, carried)))
        left -= used
        carried -= used
        zone.blocks = must + kept
        dropped += [block for block in others if not any(block is each for each in kept)]
    return dropped


def _frame(zone: Zone) -> int:
    return zone.tokens - sum(block.tokens for block in zone.blocks)


def _shorten(musts: list[Block], allowed: int) -> int:
    """Take the least specific items from blocks that may not be dropped until they fit; what is used."""
    items = sorted((item for block in musts for item in block.items), key=lambda item: item.specificity)
    return _without(items, musts, allowed)


def _without(order: Iterable[Item], blocks: list[Block], allowed: int) -> int:
    """Take items out of the blocks, in this order, until they fit; what is used."""
    remaining = iter(order)
    while (used := sum(block.tokens for block in blocks)) > allowed:
        doomed: set[int] = set()
        for item in remaining:
            doomed.add(id(item))
            used -= item.tokens
            if used <= allowed:
                break
        if not doomed:
            break
        for block in blocks:
            block.items = [item for item in block.items if id(item) not in doomed]
    return used


def _fill(blocks: list[Block], allowed: int) -> tuple[list[Block], int]:
    """Keep as many items of each block as fit, sharing what is allowed; what is kept and what it uses."""
    kept: list[Block] = []
    used = 0
    for position, block in enumerate(blocks):
        later = sum(each.tokens for each in blocks[position + 1 :])
        fair = (allowed - used) // (len(blocks) - position)
        room = max(fair, allowed - used - later)
        order = block.items[::-1]  # of equal ones the last goes first
        order.sort(key=lambda item: item.specificity)
        _without(order, [block], room)
        if block.tokens <= room:
            kept.append(block)
            used += block.tokens
    return kept, used
