"""The one question of the product: which entries apply to this path and action, and why not the others?"""

from __future__ import annotations

import os
import stat

from sctx_tui.guidance.discover import all_guidance_files, governing_directories, guidance_paths, is_within
from sctx_tui.guidance.loading import Loaded, is_linked, load
from sctx_tui.guidance.model import Judged, Query, Resolution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NO_FILES = "no AGENTS.yaml files found"
LONGEST = 4096
"""Bytes in the longest path that a system opens (PATH_MAX)."""


class OutsideRoot(ValueError):
    """The target's real path lies outside the root, or nowhere; nothing applies to it."""


def make_query(
    target: str, *, root: str, base: str | None = None, action: str = "all", timing: str = "all"
) -> Query:
    """The query for a target as a person or an agent wrote it.

    A relative `target` is relative to `base` (the root, if not given). Raises OutsideRoot.
    """
    top = os.path.abspath(root)
    real_top = os.path.realpath(top)
    if not _can_exist(target):
        raise OutsideRoot("no file can have this path")
    written = os.path.join(base or top, target)
    full = os.path.abspath(written)
    real = os.path.realpath(written)
    if not is_within(real, real_top):
        raise OutsideRoot(f"{target} is outside the root {real_top}")
    path = _lexical(full, top, real_top)
    if path is None:
        path = _rest(real, real_top)
    is_directory, notes = _kind(target, full)
    return Query(real_top, path, is_directory, action, timing, notes)


def _lexical(full: str, top: str, real_top: str) -> str | None:
    """The path below the root as it is written, None if only its real path lies there."""
    for above in (top, real_top):
        if is_within(full, above):
            return _rest(full, above)
    found = None
    above = full
    while above != os.path.dirname(above):  # the root may have been reached by another link
        if _is_same(above, real_top) and os.path.realpath(above) == real_top:
            found = _rest(full, above)
        above = os.path.dirname(above)
    return found


def _is_same(path: str, other: str) -> bool:
    """Whether two paths lead to one file: the system resolves a long path at once, `realpath` in steps."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _rest(path: str, above: str) -> str:
    """What of a path lies below a directory, with `/`."""
    return path[len(above) :].replace(os.sep, "/").strip("/")


def _can_exist(target: str) -> bool:
    try:
        return "\0" not in target and len(os.fsencode(target)) <= LONGEST
    except UnicodeEncodeError:
        return False


def _kind(target: str, full: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the target is asked as a directory, and what is odd about that."""
    named = target.endswith(("/", os.sep))
    try:
        is_directory = stat.S_ISDIR(os.stat(full).st_mode)
    except NotADirectoryError:
        return named, ("a file stands where the path needs a directory",)
    except OSError:
        return named, ()
    if named and not is_directory:
        return True, ("asked as a directory, but it is a file",)
    return is_directory, ()


def resolve(query: Query) -> Resolution:
    """Every entry of every guidance file that governs the query's path, judged, in merge order."""
    judged: list[Judged] = []
    files = list(_once(_governing(query)))
    for loaded in files:
        directory = loaded.file.directory
        path = query.path[len(directory) + 1 :] if directory else query.path
        judged += loaded.sheet.judge(path if path.isascii() else _composed(path), query)
    return _resolution(query, judged, files)


def resolve_all(
    root: str, action: str = "all", timing: str = "all", *, listed: Iterable[str] | None = None
) -> Resolution:
    """Every entry of every guidance file below the root, judged by action and timing only.

    `listed` are the project's files where they are known already (`listing.listed_files`).
    """
    query = Query(os.path.realpath(root), "", True, action, timing)
    found = (
        load(query.root, path, is_linked=is_linked(query.root, path.rpartition("/")[0]))
        for path in all_guidance_files(query.root, listed)
    )
    files = list(_once(found))
    judged = [each for loaded in files for each in loaded.sheet.judge_unscoped(query)]
    return _resolution(query, judged, files)


def _resolution(query: Query, judged: list[Judged], files: list[Loaded]) -> Resolution:
    problems = tuple(problem for loaded in files for problem in loaded.file.problems)
    notes = query.notes if files else (*query.notes, NO_FILES)
    return Resolution(query, judged, tuple(loaded.file for loaded in files), problems, notes)


def _governing(query: Query) -> Iterator[Loaded | None]:
    """What stands at each place that may hold guidance for the path, in merge order."""
    linked = False
    for directory in governing_directories(query):
        if directory:
            try:
                mode = os.lstat(os.path.join(query.root, directory)).st_mode
            except OSError:
                return
            linked = linked or stat.S_ISLNK(mode)
        for path in guidance_paths(directory):
            yield load(query.root, path, is_linked=linked)


def _once(found: Iterable[Loaded | None]) -> Iterator[Loaded]:
    """Each file once, even if links give it several names; a directory that can't be looked into once."""
    seen: set[tuple[int, ...] | str] = set()
    for loaded in found:
        if loaded is not None:
            key = loaded.identity or loaded.file.directory
            if key not in seen:
                seen.add(key)
                yield loaded


def _composed(path: str) -> str:
    from unicodedata import normalize

    return normalize("NFC", path)
