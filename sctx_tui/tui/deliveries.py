"""What each agent's hook would print for a question, taken from the same functions that answer the real
event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.tui.desk import Question
from sctx_tui.tui.view import DeliveredView, Delivery, Payload, Receipt, Zone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from sctx_tui.graph.store import Store


class Recipient(NamedTuple):
    """An agent in one of its modes."""

    name: str
    module: str
    decisions: bool
    """Whether it receives decisions too."""
    tools: Mapping[str, str]
    """Its tool for each action on a file that it can take in this mode."""
    folder_tool: str


RECIPIENTS = (
    Recipient("Claude Code", "claude", False, {"read": "Read", "edit": "Edit", "create": "Write"}, "Glob"),
    Recipient("pi", "pi", False, {"read": "read", "edit": "edit", "create": "write"}, "ls"),
    Recipient("Claude Code, plan mode", "claude", True, {"read": "Read"}, "Glob"),
    Recipient("pi, plan mode", "pi", True, {"read": "read"}, "ls"),
)


def delivered_view(root: str, question: Question, store: Store | None) -> DeliveredView:
    """Texts by the events on which they are received, the events without any, and the payload."""
    from sctx_tui.guidance.render import agent_text
    from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve
    from sctx_tui.payload.tokens import estimate

    received: dict[str, list[Receipt]] = {}
    try:
        resolutions = [
            (action, timing, resolve(make_query(question.label, root=root, action=action, timing=timing)))
            for action, timing in _moments(question)
        ]
    except OutsideRoot:
        return DeliveredView(question, (), (), None)
    for recipient in RECIPIENTS:
        for action, timing, resolution in resolutions:
            tool = recipient.folder_tool if question.is_folder else recipient.tools.get(action)
            if tool and not (question.is_folder and action != "read"):
                text = agent_text(resolution, decisions=recipient.decisions)
                receipt = Receipt(recipient.name, _event(recipient, timing), tool, timing, action)
                received.setdefault(text, []).append(receipt)
    silent = tuple(received.pop("", ()))
    found = (Delivery(tuple(receipts), text, estimate(text)) for text, receipts in received.items())
    return DeliveredView(question, tuple(found), silent, _payload(root, question, store))


def _payload(root: str, question: Question, store: Store | None) -> Payload:
    """The document that `ctx payload` and the MCP server give."""
    from sctx_tui.payload.build import build

    document = build(question.label, root=root, action=question.action, timing=question.timing, store=store)
    zones = tuple(Zone(zone.title, zone.tokens, zone.budget) for zone in document.zones)
    return Payload(zones, document.tokens, document.budget, document.markdown())


def _moments(question: Question) -> Iterator[tuple[str, str]]:
    actions = ("read", "edit", "create") if question.action == "all" else (question.action,)
    timings = ("before", "after") if question.timing == "all" else (question.timing,)
    for action in actions:
        for timing in timings:
            yield action, timing


def _event(recipient: Recipient, timing: str) -> str:
    """The host's name for the moment."""
    timings: dict[str, str] = _module(recipient.module).TIMINGS
    return next(event for event, when in timings.items() if when == timing)


def _module(name: str) -> ModuleType:
    from importlib import import_module

    return import_module(f"sctx_tui.agents.{name}")
