"""Where changes are heard of: events of the system, or regular looks where there are none.

Both give sets of `Seen`: a kind and an absolute path. Neither reads a file's content.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Collection, Iterable
from typing import Protocol

ADDED, MODIFIED, DELETED = 1, 2, 3
Seen = tuple[int, str]

DEBOUNCE_MS = 200
"""Changes are gathered for so long at most ..."""
STEP_MS = 40
"""... and until nothing happens for so long."""
SHARE = 0.004
"""Of a processor, for looking: below half a percent."""
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 600.0
"""Seconds between two looks."""
TAKES_TREES = sys.platform in ("darwin", "win32")
"""Whether the system follows a tree at the price of one folder; Linux wants each folder named."""

# File systems that tell nobody what another machine, or the host of this one, has written.
_SILENT = frozenset(
    ("9p", "cifs", "drvfs", "fuse.sshfs", "fuse.vmhgfs-fuse", "nfs", "nfs4", "smb3", "vboxsf")
)


class Stop(Protocol):
    """What ends a wait early: a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set; whether it is."""
        ...


class NoEvents(Exception):
    """The system gives no events here; the message says why and what to do."""


class Lost(Exception):
    """Some events were lost: anything may have changed."""


class Source(Protocol):
    """Tells what changes."""

    def wait(self, seconds: float, stop: Stop) -> set[Seen]:
        """What has changed since the last call, as soon as there is something. Raises Lost."""
        ...

    def close(self) -> None:
        """End it; calling it twice is fine."""
        ...


class Events:
    """Events of the system, by watchfiles."""

    def __init__(self, folders: Iterable[str]) -> None:
        """Raises NoEvents; FileNotFoundError or PermissionError for a folder that can't be read any more."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        self._failure = WatchfilesRustInternalError
        named = [folder for folder in folders if _is_text(folder)]
        try:
            # Its flag to ignore what is forbidden would hide a watch limit as well.
            self._notify = RustNotify(named, False, False, 0, TAKES_TREES, False)
        except (FileNotFoundError, PermissionError):
            raise
        except (OSError, WatchfilesRustInternalError) as error:
            raise NoEvents(_why_not(error)) from error

    def wait(self, seconds: float, stop: Stop) -> set[Seen]:
        """As `Source.wait`; KeyboardInterrupt where a signal means that."""
        try:
            found = self._notify.watch(DEBOUNCE_MS, STEP_MS, max(1, int(seconds * 1000)), stop)
        except self._failure as error:
            raise Lost(str(error)) from error
        if found == "signal":
            raise KeyboardInterrupt
        return found if isinstance(found, set) else set()

    def close(self) -> None:
        """End it."""
        self._notify.close()


class Looks:
    """Compares times, sizes and inodes, at a pace that takes SHARE of a processor."""

    def __init__(self, paths: Collection[str]) -> None:
        self.pause = SHORTEST_PAUSE
        self._signatures = {path: _signature(path) for path in paths}
        self._next = time.monotonic() + self.pause

    def follow(self, paths: Collection[str]) -> None:
        """Look at these paths from now on; what is known of them stays known."""
        known = self._signatures
        self._signatures = {path: known[path] if path in known else _signature(path) for path in paths}

    def wait(self, seconds: float, stop: Stop) -> set[Seen]:
        """As `Source.wait`."""
        left = self._next - time.monotonic()
        if left > 0:
            stop.wait(min(left, seconds))
        if stop.is_set() or time.monotonic() < self._next:
            return set()
        started = time.thread_time()
        found = set(self._look())
        cost = time.thread_time() - started
        self.pause = min(max(cost / SHARE, SHORTEST_PAUSE), LONGEST_PAUSE)
        self._next = time.monotonic() + self.pause
        return found

    def close(self) -> None:
        """Nothing is open."""

    def _look(self) -> Iterable[Seen]:
        for path, before in self._signatures.items():
            now = _signature(path)
            if now == before:
                continue
            self._signatures[path] = now
            # A folder with other times has other names in it: a new one, as far as anybody knows.
            is_new = now is not None and (before is None or now[3])
            yield (ADDED if is_new else MODIFIED if now else DELETED), path


def without_events(root: str) -> str | None:
    """Why `root` is better looked at; None where there are events."""
    if not _is_text(root):
        return "the project's path is not UTF-8"
    asked = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    if asked:
        is_refused = asked.lower() in ("false", "disable", "disabled")
        return None if is_refused else "WATCHFILES_FORCE_POLLING is set"
    kind = _file_system(root)
    return f"{kind} file systems don't tell of changes" if kind in _SILENT else None


def _file_system(root: str) -> str:
    """The type of the file system that holds `root`, "" where that isn't known."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.split(" ") for line in file]
    except OSError:
        return ""
    found = ("", "")
    for row in rows:
        place = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), row[4])
        if (root == place or root.startswith(place.rstrip("/") + "/")) and len(place) >= len(found[0]):
            found = (place, row[row.index("-") + 1])
    return found[1]


def _why_not(error: Exception) -> str:
    text = str(error)
    if "watch limit" in text:
        return "the system's watch limit is reached; raise fs.inotify.max_user_watches and start again"
    if "os error 24" in text:
        return (
            "the system's limit of watchers is reached; raise fs.inotify.max_user_instances and start again"
        )
    return f"the system gives no events ({text})"


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _signature(path: str) -> tuple[int, int, int, bool] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    is_folder = (found.st_mode & 0o170000) == 0o040000
    return found.st_mtime_ns, 0 if is_folder else found.st_size, found.st_ino, is_folder
