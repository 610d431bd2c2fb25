"""Guidance files as parsed, from memory while they are unchanged, else from the cache, else from the text."""

from __future__ import annotations

import os
import stat
import time

from sctx_tui.guidance.cache import fetch, is_settled, store
from sctx_tui.guidance.discover import is_within
from sctx_tui.guidance.judge import Sheet
from sctx_tui.guidance.model import GuidanceFile, Problem
from sctx_tui.guidance.reading import Refused, read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sctx_tui.guidance.cache import Signature

_MOST = 10_000


class Loaded:
    """A guidance file in memory. `text` is kept as long as its times couldn't show another change."""

    __slots__ = ("file", "identity", "sheet", "signature", "text")

    def __init__(self, file: GuidanceFile, signature: Signature, text: bytes | None = None) -> None:
        self.file = file
        self.signature = signature
        self.identity = signature[-5:-3]
        self.text = text
        self.sheet = Sheet(file)


_memory: dict[str, Loaded] = {}


def load(root: str, path: str, *, is_linked: bool) -> Loaded | None:
    """The guidance file at `path` (relative to the root), None if nothing stands there.

    `is_linked` says that a directory on the way is a symbolic link. A file that isn't read has one problem.
    """
    full = f"{root}/{path}" if root != "/" else f"/{path}"
    try:
        status = os.lstat(full)
        signature = _signature(status)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return _refused(path, Refused("unreadable", f"can't be read: {error.strerror}"))
    if is_linked or stat.S_ISLNK(status.st_mode):
        try:
            signature += _signature(_target(full, root))
        except Refused as refused:
            return _refused(path, refused, signature)
    known = _memory.get(full)
    if known is not None and (known.signature != signature or known.file.path != path):
        known = None
    if known is not None and known.text is None:
        return known
    return _read(full, path, signature, known)


def is_linked(root: str, directory: str) -> bool:
    """Whether a directory (relative to the root) can only be reached through a symbolic link."""
    while directory:
        if os.path.islink(os.path.join(root, directory)):
            return True
        directory = directory.rpartition("/")[0]
    return False


def _signature(status: os.stat_result) -> Signature:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _target(full: str, root: str) -> os.stat_result:
    """The status of what a path leads to by way of a symbolic link; raises Refused."""
    if not is_within(os.path.realpath(full), root):
        raise Refused("outside_root", "leads outside the root and is not read")
    try:
        return os.stat(full)
    except OSError as error:
        raise Refused("unreadable", f"a symbolic link that can't be followed: {error.strerror}") from None


def _read(full: str, path: str, signature: Signature, known: Loaded | None) -> Loaded:
    """The file from the cache or from its text; `known` if its text has to be compared."""
    now = time.time_ns()
    if known is None:
        parsed = fetch(full, path, signature)
        if parsed is not None:
            return _remember(full, Loaded(parsed, signature))
    try:
        text = read_regular(full, signature[-5:-3])
    except Refused as refused:
        return _refused(path, refused, signature)
    if known is None or known.text != text:
        from sctx_tui.guidance.parse import parse_guidance

        known = _remember(full, Loaded(parse_guidance(text, path), signature))
    if is_settled(signature, now):
        known.text = None
        store(full, signature, known.file)
    else:
        known.text = text
    return known


def _remember(full: str, loaded: Loaded) -> Loaded:
    if len(_memory) > _MOST:
        _memory.clear()
    _memory[full] = loaded
    return loaded


def _refused(path: str, refused: Refused, signature: Signature = ()) -> Loaded:
    """A file that gives nothing but a problem. It is never remembered: the next look may find it well."""
    problem = Problem(path, 1, 1, "error", refused.code, refused.message)
    return Loaded(GuidanceFile(path, problems=(problem,)), signature)
