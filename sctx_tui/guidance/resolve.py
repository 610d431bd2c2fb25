"""The one question of the product: which entries apply to this path and action, and why not the others?"""

from __future__ import annotations

import os

from sctx_tui.guidance.discover import all_guidance_files, governing_files, is_within
from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.model import (
    APPLIES,
    DIRECTORY_PATTERN,
    EXCLUDED,
    INVALID,
    NO_MATCH,
    OTHER_ACTION,
    OTHER_TIMING,
    ContextEntry,
    Decision,
    GuidanceFile,
    Judged,
    Query,
    Resolution,
)
from sctx_tui.guidance.reading import read_guidance

NO_FILES = "no AGENTS.yaml files found"


class OutsideRoot(ValueError):
    """The target's real path lies outside the root; nothing applies to it."""


def make_query(
    target: str, *, root: str, base: str | None = None, action: str = "all", timing: str = "all"
) -> Query:
    """The query for a target as a person or an agent wrote it.

    A relative `target` is relative to `base` (the root, if not given). Raises OutsideRoot.
    """
    root = os.path.abspath(root)
    real_root = os.path.realpath(root)
    if "\0" in target:
        raise OutsideRoot("the path holds a NUL character")
    written = os.path.join(base or root, target)
    full = os.path.abspath(written)
    real = os.path.realpath(written)
    if not is_within(real, real_root):
        raise OutsideRoot(f"{target} is outside the root {real_root}")
    for inside, top in ((full, root), (full, real_root), (real, real_root)):
        if is_within(inside, top):
            path = inside[len(top) :].lstrip("/")
            break
    is_directory = target.endswith("/") or os.path.isdir(full)
    return Query(real_root, path, is_directory, action, timing)


def resolve(query: Query) -> Resolution:
    """Every entry of every guidance file that governs the query's path, judged, in merge order."""
    files, problems = _read(query.root, governing_files(query))
    judged = [each for file in files for each in _judge_file(query, file)]
    notes = query.notes if files else (*query.notes, NO_FILES)
    return Resolution(query, judged, files, problems, notes)


def resolve_all(root: str, action: str = "all", timing: str = "all") -> Resolution:
    """Every entry of every guidance file below the root, judged by action and timing only."""
    root = os.path.realpath(root)
    query = Query(root, "", True, action, timing)
    files, problems = _read(root, all_guidance_files(root))
    judged = [
        _judged(entry, file, *_by_action(entry, query, "")) for file in files for entry in _entries(file)
    ]
    return Resolution(query, judged, files, problems, () if files else (NO_FILES,))


def _read(root: str, paths: list[str]) -> tuple[tuple[GuidanceFile, ...], tuple]:
    files = []
    seen = set()
    for path in paths:
        identity, file = read_guidance(root, path)
        if identity not in seen:
            seen.add(identity)
            files.append(file)
    return tuple(files), tuple(problem for file in files for problem in file.problems)


def _entries(file: GuidanceFile) -> list[ContextEntry | Decision]:
    return sorted([*file.context, *file.decisions], key=lambda entry: entry.line)


def _judge_file(query: Query, file: GuidanceFile) -> list[Judged]:
    path = query.path[len(file.directory) + 1 :] if file.directory else query.path
    if not path.isascii():
        from unicodedata import normalize

        path = normalize("NFC", path)
    return [_judged(entry, file, *_verdict(entry, path, query)) for entry in _entries(file)]


def _judged(entry, file, verdict: str, pattern: str, reason: str) -> Judged:
    level = file.path.count("/")
    return Judged(entry, file.path, level, verdict, pattern, reason)


def _verdict(entry: ContextEntry | Decision, path: str, query: Query) -> tuple[str, str, str]:
    if entry.problem:
        return INVALID, "", entry.problem
    globs = [compile_glob(pattern) for pattern in entry.match]
    for glob in globs:
        if glob.matches_directory(path) if query.is_directory else glob.matches_file(path):
            break
    else:
        if not query.is_directory and all(glob.is_directory_pattern for glob in globs):
            return DIRECTORY_PATTERN, globs[0].pattern, "match holds directory patterns only, asked a file"
        return NO_MATCH, "", "no match pattern fits"
    for pattern in entry.exclude:
        excluding = compile_glob(pattern)
        if excluding.excludes_directory(path) if query.is_directory else excluding.matches_file(path):
            return EXCLUDED, pattern, f"excluded by {pattern}"
    return _by_action(entry, query, glob.pattern)


def _by_action(entry: ContextEntry | Decision, query: Query, pattern: str) -> tuple[str, str, str]:
    if entry.problem:
        return INVALID, "", entry.problem
    if isinstance(entry, ContextEntry):
        on, when = entry.on, entry.when
        if query.action != "all" and "all" not in on and query.action not in on:
            return OTHER_ACTION, pattern, f"other action: on {', '.join(on)}, asked {query.action}"
        if query.timing != "all" and when not in ("all", query.timing):
            return OTHER_TIMING, pattern, f"other timing: when {when}, asked {query.timing}"
    return APPLIES, pattern, f"match {pattern}" if pattern else ""
