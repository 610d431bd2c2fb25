"""Parsed guidance files, kept between runs in the user's cache directory.

One record per guidance file, named by a checksum of its path. A record counts only if it is the user's own,
undamaged and for exactly this file as it is now; anything else is ignored silently and the file is parsed
again. Nothing in a record is executed.
"""

from __future__ import annotations

import os
import stat
import time

from sctx_tui import __version__
from sctx_tui.accelerators import checksum, read_json
from sctx_tui.guidance.globs import compile_glob, remember_globs
from sctx_tui.guidance.model import Alternative, ContextEntry, Decision, GuidanceFile, Problem
from sctx_tui.user_directories import user_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    # Device, inode, size, times of content and inode in ns; twice that for a link: its own, then its
    # target's.
    Signature: TypeAlias = tuple[int, ...]

CONTEXT = ("match", "exclude", "on", "content", "when", "line", "problem")
DECISION = ("match", "exclude", "line", "problem", "decision", "rationale", "revisit_when", "date")
ALTERNATIVE = ("option", "reason_rejected")
PROBLEM = ("line", "column", "severity", "code", "message", "where")

FORMAT = f"3 {__version__}"
"""Changes whenever a record, or what a file or a pattern means, does."""
RACY = 2_000_000_000
"""Nanoseconds within which a file may change again without its times showing it."""
LIFETIME = 30 * 24 * 60 * 60
"""Seconds after which a record is swept away; one that is still wanted is written anew."""
SWEEP = 256
"""One in so many stored records is followed by a sweep."""


def cache_directory() -> str:
    """Where records are kept."""
    return os.path.join(user_cache(), "guidance")


def is_settled(signature: Signature, now: int) -> bool:
    """Whether a file that had this signature at `now` (ns) can't have changed since without showing it."""
    return now - max(signature[4::5]) > RACY


def fetch(path: str, file: str, signature: Signature) -> GuidanceFile | None:
    """What an earlier run kept of the guidance file at `path`; it is called `file` below the root."""
    data = _own_file(_record_path(path))
    written, _, body = data.partition(b"\n")
    if not body or written.decode("ascii", "replace") != checksum(body):
        return None
    try:
        record: Any = read_json(body.decode())
        if record["key"] != _key(path, signature):
            return None
        parsed = _unpacked(record, file)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    remember_globs(record["globs"])
    return parsed


def store(path: str, signature: Signature, parsed: GuidanceFile) -> None:
    """Keep a parsed file for later runs; where that isn't possible, nothing happens."""
    import json

    entries: tuple[ContextEntry | Decision, ...] = (*parsed.context, *parsed.decisions)
    globs = map(compile_glob, {pattern for entry in entries for pattern in entry.match + entry.exclude})
    record = {
        "key": _key(path, signature),
        "globs": {glob.pattern: glob.packed for glob in globs if glob.problem is None},
        "context": [_row(entry, CONTEXT) for entry in parsed.context],
        "decisions": [
            [[_row(each, ALTERNATIVE) for each in entry.alternatives], *_row(entry, DECISION)]
            for entry in parsed.decisions
        ],
        "problems": [_row(problem, PROBLEM) for problem in parsed.problems],
    }
    body = json.dumps(record, separators=(",", ":")).encode()
    try:
        _replace(_record_path(path), checksum(body).encode() + b"\n" + body)
    except OSError:
        return


def _row(value: object, fields: tuple[str, ...]) -> list[object]:
    return [getattr(value, field) for field in fields]


def _unpacked(record: Any, file: str) -> GuidanceFile:
    context = [
        ContextEntry(content, tuple(match), tuple(exclude), tuple(on), when, line, problem)
        for match, exclude, on, content, when, line, problem in record["context"]
    ]
    decisions = []
    for alternatives, match, exclude, line, problem, decision, rationale, revisit_when, date in record[
        "decisions"
    ]:
        rejected = tuple(Alternative(option, reason) for option, reason in alternatives)
        patterns = tuple(match), tuple(exclude)
        decisions.append(
            Decision(decision, rationale, rejected, revisit_when, date, *patterns, line, problem)
        )
    problems = [Problem(file, *values) for values in record["problems"]]
    return GuidanceFile(file, tuple(context), tuple(decisions), tuple(problems))


def _record_path(path: str) -> str:
    name = checksum(path.encode("utf-8", "surrogatepass"))
    return os.path.join(cache_directory(), f"{name}.json")


def _key(path: str, signature: Signature) -> str:
    return f"{FORMAT} {' '.join(map(str, signature))} {path}"


def _own_file(path: str) -> bytes:
    """The content of a file that only this user can have written, else nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return b""
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            return b""
        return os.read(descriptor, status.st_size)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _replace(path: str, data: bytes) -> None:
    """Put a record in place in one step. Unlike users' files it need not survive a power cut: no fsync."""
    directory = os.path.dirname(path)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    if time.time_ns() // 1000 % SWEEP == 0:
        _sweep(directory)


def _sweep(directory: str) -> None:
    """Remove records that are old: their guidance files may be gone."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > LIFETIME:
                os.unlink(entry.path)
