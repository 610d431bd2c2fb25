"""Where a danger or decision of the index holds: a scope is `*`, a path, a folder, a glob or a function."""

from __future__ import annotations

from functools import lru_cache

from sctx_tui.graph.ids import file_of
from sctx_tui.guidance.globs import Glob, compile_glob

_compiled = lru_cache(maxsize=1024)(compile_glob)


def covers(scope: str, path: str) -> bool:
    """Whether `scope` holds for the file or folder at `path` (relative to the root, with `/`)."""
    if scope == "*":
        return True
    if "::" in scope:
        return file_of(scope) == path
    folder = scope.rstrip("/")
    if path == folder or path.startswith(folder + "/"):
        return True
    return _fits(_compiled(scope), path)


def _fits(glob: Glob, path: str) -> bool:
    return glob.problem is None and bool(glob.matches_file(path))


def specificity(scope: str) -> int:
    """0 for `*`, more for scopes that name more of a path; functions are the most specific."""
    return 0 if scope == "*" else 1 + scope.count("/") + 2 * ("::" in scope)
