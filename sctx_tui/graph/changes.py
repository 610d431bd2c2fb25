"""What has changed on disk since the index was made: by content, never by time alone."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sctx_tui.git import git_line, git_unfiltered
from sctx_tui.graph import store_index
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.shape import LARGEST_HASHED
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_index import Known
from sctx_tui.graph.worker import stat_text
from sctx_tui.graph.workers import Task
from sctx_tui.regular import open_regular

SYMLINK = "symbolic link: not followed"
NOT_UTF8 = "its name isn't UTF-8: not indexed"
HAS_MARK = "its name holds `::`, which stands between file and symbol: not indexed"


class Scan(NamedTuple):
    """A look at every listed file."""

    tasks: list[Task]  # files to be read: new ones, and those whose stat differs
    links: list[tuple[str, str]]  # new or changed symbolic links (path, stat)
    deleted: list[str]  # paths in the index that are no longer listed
    unnameable: list[tuple[str, str]]  # listed, but the name can't be in ids (path, why)
    unchanged: int


def scan(root: str, listed: Iterable[str], known: Mapping[str, Known], *, anew: bool = False) -> Scan:
    """Compare the listed files with the index by their stat. `anew`: read every file, whatever its stat."""
    tasks: list[Task] = []
    links: list[tuple[str, str]] = []
    unnameable: list[tuple[str, str]] = []
    left = set(known)
    unchanged = 0
    prefix = root.rstrip("/") + "/"
    for path in listed:
        try:
            found = os.lstat(prefix + path)
        except OSError:
            continue  # gone since it was listed
        if "::" in path or (not path.isprintable() and not _is_utf8(path)):
            unnameable.append((path, HAS_MARK if "::" in path else NOT_UTF8))
            continue
        left.discard(path)
        record = known.get(path)
        text = stat_text(found)
        if record is not None and record.stat == text and not anew:
            unchanged += 1
        elif stat.S_ISLNK(found.st_mode):
            links.append((path, text))
        elif stat.S_ISREG(found.st_mode):
            tasks.append(
                (path, language_of(path) or "", record.content_hash if record and not anew else None)
            )
        else:
            left.update((path,) if record else ())  # a pipe or a device took the place of a file
    return Scan(tasks, links, sorted(left), unnameable, unchanged)


def is_changed(store: Store, root: str, path: str) -> bool:
    """Whether one file of the index holds something else on disk now, or is gone."""
    known = store_index.known_file(store, path)
    full = os.path.join(root, path)
    try:
        if known is not None and known.stat == stat_text(os.lstat(full)):
            return False
    except OSError:
        return True
    return known is None or known.content_hash != _hash(full)


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def renames(
    root: str,
    appeared: Collection[str],
    deleted: Collection[str],
    known: Mapping[str, Known],
    indexed_head: str | None,
) -> dict[str, str]:
    """Old path -> new path of moved files: same content, or git says so since the indexed commit."""
    if not appeared or not deleted:
        return {}
    by_hash: dict[str, list[str]] = {}
    for path in deleted:
        content = known[path].content_hash
        if content:
            by_hash.setdefault(content, []).append(path)
    found: dict[str, str] = {}
    for path in sorted(appeared):
        candidates = by_hash.get(_hash(os.path.join(root, path)) or "", [])
        same_name = [old for old in candidates if old.rpartition("/")[2] == path.rpartition("/")[2]]
        if candidates:
            old = (same_name or candidates)[0]
            candidates.remove(old)
            found[old] = path
    left = set(deleted) - found.keys()
    if left and indexed_head and indexed_head.isalnum():  # an index that came along may say `--output=...`
        new = set(appeared) - set(found.values())
        pairs = _git_renames(root, indexed_head)
        found.update((a, b) for a, b in pairs if a in left and b in new)
    return found


def moved_folders(moved: Mapping[str, str]) -> dict[str, str]:
    """Old path -> new path of the folders whose moved files (old -> new) all say the same of them."""
    found: dict[str, set[str]] = {}
    for old, new in moved.items():
        before, after = old.rpartition("/")[0], new.rpartition("/")[0]
        while before and before != after:
            found.setdefault(before, set()).add(after)
            if before.rpartition("/")[2] != after.rpartition("/")[2]:
                break
            before, after = before.rpartition("/")[0], after.rpartition("/")[0]
    return {before: after for before, (after, *others) in found.items() if after and not others}


def _hash(path: str) -> str | None:
    try:
        if os.path.islink(path) or os.path.getsize(path) > LARGEST_HASHED:
            return None
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _git_renames(root: str, indexed_head: str) -> list[tuple[str, str]]:
    """What git takes for renames between a commit and the working tree."""
    out = git_unfiltered(
        root,
        "diff-index",
        "--name-status",
        "-z",
        "--find-renames",
        "--diff-filter=R",
        "--relative",
        "--ignore-submodules",
        indexed_head,
        "--",
    )
    parts = os.fsdecode(out or b"").split("\0")
    return [(parts[i + 1], parts[i + 2]) for i in range(0, len(parts) - 2, 3)]


def head(root: str) -> str | None:
    """The commit that is checked out, None without git or before the first commit."""
    return git_line(root, "rev-parse", "--verify", "--quiet", "HEAD")
