"""`ctx status`: what the index holds, how far it can be trusted, what waits to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sctx_tui.cli.command_line import Command, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.graph.store_taint import QueueEntry

QUEUE_SHOWN = 10
_REASONS = {
    "signature": "the signature changed",
    "removed": "was removed",
    "renamed": "was renamed",
    "moved": "moved to another file",
    "marked": "was marked",
}


@click.command(cls=Command)
@click.option(
    "--problems", is_flag=True, help="List the files that are not parsed, or only in part, and why."
)
@click.option("--tainted", is_flag=True, help="List the whole taint queue.")
@json_option
@root_option
def status(problems: bool, tainted: bool, as_json: bool, root: str | None) -> None:
    """Show the state of the index.

    Files, functions and calls; what is stale; the taint queue, which is functions that call something that
    has changed; confidence, the commit that was indexed, and git hooks.
    """
    from sctx_tui.graph.store_records import problems as problems_of
    from sctx_tui.graph.store_taint import queue
    from sctx_tui.services.index_status import status_facts

    top = graph_root(root)
    with open_index(top) as store:
        facts = status_facts(store, top)
        entries = queue(store)
        listed = problems_of(store) if problems or as_json else []
    if as_json:
        write_json(
            facts
            | {
                "problems": [{"file": path, "problem": message} for path, message in listed],
                "taint_queue": [_entry_json(entry) for entry in entries],
            }
        )
        return
    write(_text(facts))
    for entry in entries if tainted else entries[:QUEUE_SHOWN]:
        write(_entry_text(entry))
    if not tainted and len(entries) > QUEUE_SHOWN:
        write(f"  … {QUEUE_SHOWN} of {len(entries):,}; --tainted lists all")
    for path, message in listed:
        write(f"{clean(path)}: {clean(message)}")


def _text(facts: dict[str, Any]) -> str:
    calls, stale = facts["calls"], facts["stale"]
    head = (facts["indexed_head"] or "none")[:12]
    if facts["is_behind"]:
        head += f" (now {(facts['head'] or 'none')[:12]}: run `ctx sync`)"
    spread = ", ".join(f"{name} {number:,}" for name, number in facts["confidence"].items() if number)
    rows = {
        "root": clean(facts["root"]),
        "files": f"{facts['files']:,}, {facts['parsed_files']:,} parsed",
        "functions": f"{facts['functions']:,}",
        "calls": f"{calls['resolved']:,} resolved, {calls['ambiguous']:,} ambiguous",
        "imports": f"{facts['imports']:,}",
        "stale": f"{counted(stale['files'], 'file')}, {counted(stale['functions'], 'function')}",
        "confidence": spread or "none",
        "commit": head,
        "indexed": (facts["indexed_at"] or "never to the end")
        + ("" if facts["is_complete"] else " (incomplete: run `ctx sync`)"),
        "git hooks": ", ".join(f"{name}: {state}" for name, state in facts["hooks"].items()) or "no git",
        "watcher": facts["watcher"],
    }
    if facts["not_parsed"]:
        rows["not parsed"] = f"{counted(facts['not_parsed'], 'file')}, or only in part; --problems lists them"
    rows["taint queue"] = counted(facts["tainted"], "function") if facts["tainted"] else "empty"
    width = max(map(len, rows))
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows.items())


def _entry_text(entry: QueueEntry) -> str:
    perhaps = " (perhaps)" if entry.is_candidate else ""
    return (
        f"  {clean(entry.function)}: {clean(entry.source)} {_REASONS.get(entry.reason, 'changed')}{perhaps}"
    )


def _entry_json(entry: QueueEntry) -> dict[str, Any]:
    return {
        "function": entry.function,
        "source": entry.source,
        "reason": entry.reason,
        "is_candidate": entry.is_candidate,
        "priority": entry.priority,
        "since": entry.created_at,
    }
