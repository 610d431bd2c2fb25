"""`ctx watch`: a process that keeps the index true while people and agents work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sctx_tui.cli.command_line import Command, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, root_option
from sctx_tui.cli.ctx_summarize import no_summaries_option
from sctx_tui.cli.options import json_option
from sctx_tui.sanitize import clean
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.services.watcher_state import State


@click.command(cls=Command)
@click.argument("action", type=click.Choice(("start", "stop", "status", "run")), default="start")
@no_summaries_option
@json_option
@root_option
def watch(action: str, no_summaries: bool, as_json: bool, root: str | None) -> None:
    """Keep the index up to date as files change.

    start (the default) does so in the background, whatever becomes of the terminal, until stop; run does it
    here. What changed while nobody watched is found at the start. status says what the watcher does.
    """
    if as_json and action != "status":
        raise click.UsageError("--json goes with status only")
    top = graph_root(root)
    if action == "start":
        start(top, summaries=not no_summaries)
    elif action == "stop":
        _stop(top)
    elif action == "status":
        _status(top, as_json=as_json)
    else:
        _run(top, summaries=not no_summaries)


def start(root: str, *, summaries: bool = True) -> None:
    """Start the watcher in the background and say so."""
    from sctx_tui.services import watcher_control, watcher_state

    with _errors():
        is_new = watcher_control.start(root, summaries=summaries)
    state = watcher_state.read(root)
    write(f"{'Watching' if is_new else 'Already watching'} {clean(root)} (process {state.pid}).")
    if state.mode != "events":
        say(f"note: {state.mode}")


def _stop(root: str) -> None:
    from sctx_tui.services import watcher_control

    with _errors():
        is_stopped = watcher_control.stop(root)
    if is_stopped:
        write(f"Stopped watching {clean(root)}.")
    else:
        write(f"No watcher runs for {clean(root)}.")


def _run(root: str, *, summaries: bool) -> None:
    import logging

    from sctx_tui.services import watcher_process

    watcher_process.log_to(logging.StreamHandler())
    with _errors():
        watcher_process.run(root, summaries=summaries)


@contextmanager
def _errors() -> Iterator[None]:
    """What the watcher can't do, as one line."""
    from sctx_tui.graph.store import StoreError
    from sctx_tui.services.watcher_control import WatcherError

    try:
        yield
    except (StoreError, WatcherError) as error:
        raise click.ClickException(str(error)) from error
    except BlockingIOError as error:
        raise click.ClickException(f"{error}; `ctx watch stop` ends that watcher") from error


def _status(root: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from sctx_tui.services import watcher_state

    state = watcher_state.read(root)
    is_running = watcher_state.is_running(root)
    log = watcher_state.log_file(root)
    if as_json:
        write_json({"running": is_running, **asdict(state), "root": root, "log": log})
        return
    rows = _rows(state, is_running) | {"log": log}
    width = max(map(len, rows))
    write("\n".join(f"{name:{width}}  {clean(value)}" for name, value in {"root": root, **rows}.items()))


def _rows(state: State, is_running: bool) -> dict[str, str]:
    if not is_running:
        if not state.pid:
            return {"watcher": "not running"}
        return {"watcher": "not running", "ended": state.ended or "killed, or the machine went down"}
    doing = f"{state.doing} {state.done:,} of {state.total:,}" if state.doing else "nothing"
    updated = f"{state.updated_at}, {counted(state.updated_files, 'file')} in {state.updated_seconds:.1f} s"
    return {
        "watcher": f"running, process {state.pid}, since {state.since}",
        "follows": f"{counted(state.folders, 'folder')} by {state.mode}" if state.mode else "nothing yet",
        "queue": counted(state.queue, "path") if state.queue else "empty",
        "doing": doing,
        "updated": updated if state.updated_at else "not yet",
        "problem": f"{state.problem_at}: {state.problem}" if state.problem else "none",
    }
