"""A seal on what is unmarshalled from an index, so that only what this user's own runs put there ever is.

An index may arrive in an archive; marshalled data of a stranger can bring the interpreter down. The seal is a
keyed BLAKE2b digest; the key is random, lies in the user's state folder, and never in a repository.
"""

from __future__ import annotations

import hmac
import os
from functools import cache
from hashlib import blake2b

from sctx_tui.regular import open_regular
from sctx_tui.user_directories import user_state

KEY_BYTES = 32
SEAL_BYTES = 16
# Where no key can be kept, what a run has sealed is good for that run.
_OF_THIS_PROCESS = os.urandom(KEY_BYTES)


def key() -> bytes:
    """The user's key, made when it is first wanted; where it can't be kept, one of this process."""
    return _kept(key_file()) or _OF_THIS_PROCESS


def key_file() -> str:
    """Where the key lies."""
    return os.path.join(user_state(), "index.key")


def signature(key: bytes) -> str:
    """What stands in an index that was made with the key; "" for a key that isn't kept."""
    return "" if key is _OF_THIS_PROCESS else _digest(b"", key, b"index").hex()


def sealed(data: bytes, key: bytes, kind: bytes) -> bytes:
    """The data behind its seal; `kind` says what it is for, at most 16 bytes."""
    return _digest(data, key, kind) + data


def opened(data: bytes, key: bytes, kind: bytes) -> bytes | None:
    """What was sealed with that key for that purpose; None for anything else."""
    if not isinstance(data, bytes):
        return None  # a column holds what a stranger put there
    seal, content = data[:SEAL_BYTES], data[SEAL_BYTES:]
    return content if hmac.compare_digest(seal, _digest(content, key, kind)) else None


def _digest(data: bytes, key: bytes, kind: bytes) -> bytes:
    return blake2b(data, key=key, person=kind, digest_size=SEAL_BYTES).digest()


@cache
def _kept(path: str) -> bytes | None:
    if not os.path.isabs(path):
        return None  # it would lie in the project
    try:
        return _read(path) or _make(path)
    except OSError:
        return None


def _read(path: str) -> bytes | None:
    """The key in a file, None where there is none or something else."""
    try:
        with open_regular(path) as file:
            found = file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        return None
    return found if len(found) == KEY_BYTES else None


def _make(path: str) -> bytes | None:
    """A new key in a file. Of several processes that do this at once, all get the key of the first."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    fresh = f"{path}.{os.urandom(6).hex()}"
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(os.urandom(KEY_BYTES))
            file.flush()
            os.fsync(descriptor)
        _put(fresh, path)
    finally:
        if os.path.lexists(fresh):
            os.unlink(fresh)
    return _read(path)


def _put(fresh: str, path: str) -> None:
    try:
        os.link(fresh, path)
    except FileExistsError:
        if _read(path) is None:  # half a key, or none
            os.replace(fresh, path)
    except OSError:  # a file system without hard links
        os.replace(fresh, path)
