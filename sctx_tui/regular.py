"""Open a file that belongs to a repository: regular files only, and never waiting for somebody to write."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader

_FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"))


def open_regular(path: str) -> BufferedReader:
    """A regular file opened for reading, by way of links as well.

    Raises OSError for anything else: a pipe would keep us waiting, and merely opening a device can act on it.
    """
    _require_regular(os.stat(path), path)
    stream = open(os.open(path, os.O_RDONLY | _FLAGS), "rb")  # noqa: SIM115
    try:
        _require_regular(os.fstat(stream.fileno()), path)  # it may have been replaced meanwhile
    except OSError:
        stream.close()
        raise
    return stream


def _require_regular(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
