"""The bytes of a guidance file: regular files only, up to a limit, and never waiting for a writer."""

from __future__ import annotations

import os
import stat

MAX_SIZE = 1024 * 1024
"""Bytes that a guidance file may hold."""

_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a symbolic link that leads nowhere",
}


class Refused(Exception):
    """A file that is not read; `code` is that of the problem to report."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read_regular(path: str, identity: tuple[int, ...]) -> bytes:
    """The content of a regular file with this device and inode.

    Raises Refused for anything else: for what can't be read, and for what took the file's place since its
    path was found to lie within the root.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    )
    try:
        # Asked before it is opened: opening alone can have effects on a device.
        _require_regular(os.stat(path))
        with open(os.open(path, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            _require_regular(status)
            if (status.st_dev, status.st_ino) != identity:
                raise Refused("unreadable", "replaced while it was read")
            data = stream.read(MAX_SIZE + 1)
    except FileNotFoundError:
        raise Refused("unreadable", _KINDS[stat.S_IFLNK]) from None
    except OSError as error:
        raise Refused("unreadable", f"can't be read: {error.strerror}") from None
    if len(data) > MAX_SIZE:
        raise Refused("too_large", "larger than 1 MiB")
    return data


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise Refused("not_regular", f"not a regular file but {kind}")
    if status.st_size > MAX_SIZE:
        raise Refused("too_large", "larger than 1 MiB")
