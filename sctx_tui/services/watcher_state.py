"""What is known of a project's watcher outside of its process: whether it runs, what it does, its log.

It is kept in the user's state directory, never in the project: a repository must not decide whom we signal,
or what we write to.
"""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any

from sctx_tui.user_directories import user_state

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@dataclass
class State:
    """What a watcher says of itself. Times are UTC, as in 2026-11-30T12:00:00Z; "" is never."""

    root: str = ""
    pid: int = 0
    host: str = ""
    since: str = ""
    mode: str = ""  # how changes are noticed; "" before it is ready
    folders: int = 0
    queue: int = 0  # paths that wait
    doing: str = ""  # "list", "parse" or "link"; "" for nothing
    done: int = 0
    total: int = 0
    updated_at: str = ""
    updated_files: int = 0
    updated_seconds: float = 0.0
    problem: str = ""
    problem_at: str = ""
    ended: str = ""  # why; "" while it runs


def folder(root: str) -> str:
    """The absolute path of the folder with lock, state and log of the watcher of `root`."""
    from hashlib import blake2b

    name = blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return os.path.join(user_state(), "watch", name)


def log_file(root: str) -> str:
    """Where the watcher of `root` writes its log."""
    return os.path.join(folder(root), "log")


def state_file(root: str) -> str:
    """Where the watcher of `root` says what it does."""
    return os.path.join(folder(root), "state.json")


def lock(root: str) -> int | None:
    """Become the watcher of `root`: a descriptor that holds the lock while it is open, None if there is one.

    Raises OSError when the state directory can't be written.
    """
    from sctx_tui.graph.lock import take

    os.makedirs(folder(root), mode=0o700, exist_ok=True)
    descriptor = os.open(os.path.join(folder(root), "lock"), os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
    if take(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def is_running(root: str) -> bool:
    """Whether `root` has a watcher; a dead one counts for nothing."""
    if not os.path.exists(os.path.join(folder(root), "lock")):
        return False
    try:
        descriptor = lock(root)
    except OSError:
        return False
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def read(root: str) -> State:
    """What the watcher of `root`, or the last one, says of itself; nothing where there was none."""
    try:
        with open(state_file(root), encoding="utf-8") as file:
            raw = json.load(file)
    except (OSError, ValueError):
        return State()
    types: dict[str, type] = {each.name: type(each.default) for each in fields(State)}
    if not isinstance(raw, dict):
        return State()
    known: dict[str, Any] = {name: value for name, value in raw.items() if types.get(name) is type(value)}
    return State(**known)


def write(root: str, state: State) -> None:
    """Say it. Raises OSError."""
    path = state_file(root)
    fresh = f"{path}.new"
    with open(fresh, "w", encoding="utf-8") as file:  # needn't outlive the machine: no fsync
        json.dump(asdict(state), file)
    os.replace(fresh, path)


def last_lines(root: str, count: int = 1) -> list[str]:
    """The end of the log."""
    try:
        with open(log_file(root), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8192))
            return file.read().decode(errors="replace").splitlines()[-count:]
    except OSError:
        return []


def now() -> str:
    """The time as states have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def this_host() -> str:
    """Where process ids mean something."""
    return socket.gethostname()
