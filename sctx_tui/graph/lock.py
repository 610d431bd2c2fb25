"""One indexer at a time, one describer at a time: lock files that a dead process can't keep."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sctx_tui.graph.store import DIRECTORY, StoreError

WAIT_SECONDS = 120.0
_PAUSE = 0.05


@contextmanager
def indexing(root: str, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of the index of `root`; StoreError when another process keeps it for `wait` seconds."""
    with _held(root, "lock", wait, "another process is indexing this project; wait for it, or end it"):
        yield


def is_being_indexed(root: str) -> bool:
    """Whether some process holds that lock at the moment."""
    try:
        descriptor = os.open(os.path.join(root, DIRECTORY, "lock"), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        return not take(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def describing(root: str) -> Iterator[None]:
    """Hold the right to have the project described by a model; StoreError when another process has it."""
    with _held(root, "model.lock", 0, "another process is having this project described; let it finish"):
        yield


@contextmanager
def _held(root: str, name: str, wait: float, busy: str) -> Iterator[None]:
    path = os.path.join(root, DIRECTORY, name)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        is_other = os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path))
        advice = "remove it" if is_other else "check the permissions of its folder"
        raise StoreError(f"{path} can't be opened: {error.strerror}; {advice}") from error
    try:
        deadline = time.monotonic() + wait
        while not take(descriptor):
            if time.monotonic() > deadline:
                raise StoreError(busy)
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)  # which gives the lock up


if sys.platform == "win32":
    import msvcrt

    def take(descriptor: int) -> bool:
        """Take the lock in an open file; it is held while the file is open. False: another process has it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def take(descriptor: int) -> bool:
        """Take the lock in an open file; it is held while the file is open. False: another process has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
