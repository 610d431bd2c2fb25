"""Write a file so that nobody ever sees half of it."""

import os
import stat


def write_atomically(path: str | os.PathLike[str], data: bytes, *, mode: int | None = None) -> None:
    """Replace the contents of the file at `path` with `data`, all at once.

    The bytes go to a temporary file in the same directory, reach the disk, and take the file's name in one
    step. A symbolic link is followed to its target, so the link stays. An existing file keeps its mode and,
    where the system permits, its owner; a new one gets `mode` (0o666 when None) less the process's umask.

    Raises OSError when the directory cannot be written or `path` names something other than a regular file;
    the old contents are untouched then and no temporary file stays behind.
    """
    target = os.path.realpath(path)
    existing = _regular_file(target)
    temporary = f"{target}.{os.urandom(6).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if existing is not None:
                _copy_owner_and_mode(temporary, existing)
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_directory(os.path.dirname(target))


def _regular_file(path: str) -> os.stat_result | None:
    """What `path` is now; None when nothing is there. Replacing a device or a pipe is never wanted."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"{path} is not a regular file")
    return status


def _copy_owner_and_mode(path: str, existing: os.stat_result) -> None:
    mode = stat.S_IMODE(existing.st_mode)
    try:
        os.chown(path, existing.st_uid, existing.st_gid)
    except (AttributeError, OSError):  # only a privileged process may give files away, and only on POSIX
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    os.chmod(path, mode)


def _sync_directory(path: str) -> None:
    """Make the new name itself durable, where directories can be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
