"""Starting and stopping the watcher of a project, and asking what it does."""

from __future__ import annotations

import os
import signal
import subprocess
import time

from sctx_tui.graph.store import NoIndex, index_path
from sctx_tui.services import watcher_state
from sctx_tui.services.watcher_children import command

STOP_SECONDS = 30.0
_PAUSE = 0.05
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class WatcherError(Exception):
    """The watcher can't be started or stopped; the message says why and what to do."""


def start(root: str, *, summaries: bool = True) -> bool:
    """Start the watcher of `root` in the background, and wait until it watches; False if there is one.

    Raises NoIndex, WatcherError, OSError.
    """
    if not os.path.exists(index_path(root)):
        raise NoIndex(f"no index at {index_path(root)}; run `ctx init`")
    if watcher_state.is_running(root):
        return False
    os.makedirs(watcher_state.folder(root), mode=0o700, exist_ok=True)
    log = os.open(watcher_state.log_file(root), _NEW_FILE, 0o600)
    try:
        process = subprocess.Popen(
            command(root, "sctx_tui.services.watcher_process:run_in_background", root, summaries),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=os.path.abspath(os.sep),
            start_new_session=True,
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
        )
    finally:
        os.close(log)
    assert process.stdout is not None
    with process.stdout:
        answer = process.stdout.readline()
    if os.name != "nt":
        process.wait()  # for the fork: the watcher goes on
    if answer.strip() == b"ready":
        return True
    if watcher_state.is_running(root):
        return False  # another process was quicker
    said = watcher_state.last_lines(root) or ["it left no log"]
    raise WatcherError(f"the watcher did not start: {said[0]}; see {watcher_state.log_file(root)}")


def stop(root: str) -> bool:
    """End the watcher of `root` and wait for its end; False if there is none. Raises WatcherError."""
    if not watcher_state.is_running(root):
        return False
    state = watcher_state.read(root)
    if state.host != watcher_state.this_host():
        raise WatcherError(f"the watcher runs on {state.host}: stop it there")
    try:
        os.kill(state.pid, signal.SIGTERM)
    except ProcessLookupError:
        if not watcher_state.is_running(root):
            return True
        raise WatcherError(
            f"the watcher runs where process {state.pid} can't be seen: stop it there"
        ) from None
    except PermissionError as error:
        raise WatcherError(f"the watcher (process {state.pid}) is another user's") from error
    deadline = time.monotonic() + STOP_SECONDS
    while watcher_state.is_running(root):
        if time.monotonic() > deadline:
            raise WatcherError(
                f"the watcher has not ended within {STOP_SECONDS:.0f} seconds: kill -9 {state.pid}"
            )
        time.sleep(_PAUSE)
    return True
