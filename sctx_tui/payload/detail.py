"""How much is said, and how text from a repository is put into the document."""

from __future__ import annotations

from dataclasses import dataclass

from sctx_tui.graph.store_notes import Danger
from sctx_tui.payload.document import Item
from sctx_tui.payload.scopes import specificity
from sctx_tui.payload.tokens import estimate
from sctx_tui.sanitize import clean

MANY_FUNCTIONS = 30  # beyond this a file's functions are paginated
NEAREST = 20  # to this many, the nearest to the line
LONGEST_CALLED = 60  # estimated tokens of a path or id that calls repeat
SHORT = 40  # characters of a word that we wrote, such as who said a thing: another's index may hold anything
MOST = 200  # items of a list that are looked at, for the usual budget


def most_items(budget: int) -> int:
    """How many items of a list are looked at: as a rule more than `budget` tokens could hold."""
    return budget // 40


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is said. The fields follow the compression steps, see `budget.STEPS`."""

    long_summaries: bool = True
    flat_interface: bool = False
    call_names_only: bool = False
    nearest: int = NEAREST
    paginate_above: int = MANY_FUNCTIONS
    clip: int = 600  # characters of a signature or a sentence
    most: int = MOST  # items of a list that are rendered at all
    tree_room: int = 2000  # tokens of the tree after which no more of it is rendered: all its zone may use


def one_line(text: str | None, limit: int) -> str:
    """One safe line of at most `limit` characters; of a huge text only the beginning is looked at."""
    whole = text or ""
    head = whole[: 4 * limit]
    line = clean(" ".join(head.split()))
    return line if len(line) <= limit and len(head) == len(whole) else line[: limit - 1] + "…"


def for_call(path_or_id: str) -> str:
    """A path or id as a call that is suggested has it; a monstrous one would need the budget for itself."""
    shown = clean(path_or_id) or "."
    return shown if estimate(shown) <= LONGEST_CALLED else "FILE"


def indented(text: str) -> str:
    """Safe text of several lines, indented so that it stays inside its bullet."""
    return clean(text.strip("\n"), multiline=True).replace("\n", "\n  ")


def danger_item(danger: Danger, detail: Detail) -> Item:
    """A danger of the index as one line."""
    reason = f" Because: {one_line(danger.reason, detail.clip)}" if danger.reason else ""
    return Item(
        f"- [{danger.id}] {one_line(danger.description, detail.clip)}{reason}"
        f" (for {one_line(danger.scope, 200)}, by {one_line(danger.source, SHORT)})",
        {
            "id": danger.id,
            "scope": danger.scope,
            "danger": danger.description,
            "reason": danger.reason,
            "source": danger.source,
        },
        specificity(danger.scope),
    )
