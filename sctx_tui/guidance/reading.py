"""Opening guidance files: regular files only, within the root, up to a limit."""

from __future__ import annotations

import os
import stat

from sctx_tui.guidance.discover import is_within
from sctx_tui.guidance.model import GuidanceFile, Problem

MAX_SIZE = 1024 * 1024
"""Bytes that a guidance file may hold."""


def read_guidance(root: str, path: str) -> tuple[tuple[int, int] | str, GuidanceFile]:
    """What identifies the file on disk, and its content; a file that can't be read has one problem."""
    from sctx_tui.guidance.parse import parse_guidance

    full = os.path.join(root, path)
    try:
        status = os.stat(full)
        if not is_within(os.path.realpath(full), root):
            return path, _refused(path, "outside_root", "leads outside the root and is not read")
        if not stat.S_ISREG(status.st_mode):
            return path, _refused(path, "not_regular", "not a regular file")
        if status.st_size > MAX_SIZE:
            return path, _refused(path, "too_large", "larger than 1 MiB")
        with open(full, "rb") as stream:
            data = stream.read(MAX_SIZE + 1)
    except OSError as error:
        return path, _refused(path, "unreadable", f"can't be read: {error.strerror}")
    return (status.st_dev, status.st_ino), parse_guidance(data, path)


def _refused(path: str, code: str, message: str) -> GuidanceFile:
    return GuidanceFile(path, problems=(Problem(path, 1, 1, "error", code, message),))
