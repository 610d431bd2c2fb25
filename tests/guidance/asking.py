"""Short ways to plant guidance, to ask about a path, and to read the answer."""

from __future__ import annotations

from pathlib import Path

from sctx_tui.guidance.model import ContextEntry, Judged, Resolution
from sctx_tui.guidance.resolve import make_query, resolve


def ask(root: Path, path: str, action: str = "all", timing: str = "all") -> Resolution:
    """What applies to a path below the root."""
    return resolve(make_query(path, root=str(root), action=action, timing=timing))


def texts(resolution: Resolution) -> list[str]:
    """The texts of what applies, context first."""
    return [text(each) for each in resolution.context] + [text(each) for each in resolution.decisions]


def text(judged: Judged) -> str:
    """The content, or the decision."""
    entry = judged.entry
    return entry.content if isinstance(entry, ContextEntry) else entry.decision


def one(content: str, **fields: object) -> str:
    """A context entry; fields are YAML."""
    return f"- {{content: {content}{''.join(f', {name}: {value}' for name, value in fields.items())}}}\n"


def guidance(*entries: str) -> str:
    """A guidance file of these context entries."""
    return "context:\n" + "".join(entries)
