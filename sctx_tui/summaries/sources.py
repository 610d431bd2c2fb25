"""Lines of a project's file as they were indexed: nothing else is ever shown to a model."""

from __future__ import annotations

import hashlib
import os
import stat

LARGEST = 4 << 20  # bytes; larger files are not parsed either


def indexed_lines(root: str, path: str, content_hash: str | None) -> list[str] | None:
    """The lines of `path` (relative to `root`), None when it no longer is what was indexed.

    A path in an index is data of a repository: one that leaves the root, or leads through a link, is refused.
    """
    real_root = os.path.realpath(root)
    full = os.path.normpath(os.path.join(real_root, path))
    if os.path.realpath(full) != full or not full.startswith(os.path.join(real_root, "")):
        return None
    try:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(full, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            source = file.read(LARGEST + 1)
    except (OSError, ValueError):
        return None
    if len(source) > LARGEST or hashlib.sha256(source).hexdigest() != content_hash:
        return None
    return source.decode("utf-8", "replace").split("\n")


def excerpt(lines: list[str], start: int, end: int, most: int) -> str:
    """Lines `start` to `end` (1-based, inclusive) in about `most` characters: the beginning and the end."""
    chosen = [line.rstrip()[:most] for line in lines[start - 1 : end]]
    if sum(len(line) + 1 for line in chosen) <= most:
        return "\n".join(chosen)
    head = _fitting(chosen, most * 2 // 3)
    tail = _fitting(chosen[len(head) :][::-1], most - most * 2 // 3)[::-1]
    left_out = len(chosen) - len(head) - len(tail)
    return "\n".join([*head, f"[{left_out} lines left out]", *tail])


def _fitting(lines: list[str], most: int) -> list[str]:
    taken: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            break
        taken.append(line)
    return taken
