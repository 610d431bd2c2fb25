"""Where guidance may stand: the root, the files that govern a path, all files below a root."""

from __future__ import annotations

import os

from sctx_tui.guidance.model import FILE_NAMES, Query

VENDORED = frozenset((".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__"))
"""Directories whose guidance is somebody else's, in any face."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def hook_root(cwd: str | None, project_directory: str | None) -> str | None:
    """The root for a hook: the payload's `cwd`, or the agent's project directory if `cwd` lies in it.

    A missing `cwd` is the process's, a relative one is relative to it; None if it isn't a directory.
    """
    try:
        here = os.path.realpath(cwd or os.curdir)
        if not os.path.isdir(here):
            return None
    except ValueError:  # no path at all, such as one with a NUL character
        return None
    if project_directory:
        project = os.path.realpath(project_directory)
        if is_within(here, project) and os.path.isdir(project):
            return project
    return here


def is_within(path: str, root: str) -> bool:
    """Whether a real path is `root` or below it; both absolute, in the form of this system."""
    path, root = _comparable(path), _comparable(root)
    return path == root or path.startswith(root if root.endswith("/") else f"{root}/")


def _comparable(path: str) -> str:
    """A path with `/`; where that isn't the separator, on Windows, case makes no difference either."""
    return path if os.sep == "/" else os.path.normcase(path).replace(os.sep, "/")


def governing_directories(query: Query) -> list[str]:
    """The directories that may hold guidance for the path, root first, relative to the root."""
    path = query.path
    directory = path if query.is_directory else path.rpartition("/")[0]
    found = [""]
    end = 0
    while directory and end >= 0:
        begin = end
        end = directory.find("/", begin + 1)
        name = directory[begin + 1 if begin else 0 : end if end >= 0 else None]
        if name in VENDORED:
            break
        found.append(directory if end < 0 else directory[:end])
    return found


def all_guidance_files(root: str, listed: Iterable[str] | None = None) -> list[str]:
    """The guidance files below `root`, in merge order, relative to it; whatever stands there.

    Those on the list of files (by default `listing.listed_files`), and git-ignored ones whose directory
    isn't.
    """
    from sctx_tui.listing import folders_of, ignored_files, listed_files

    directories = folders_of(listed_files(root) if listed is None else listed)
    # A directory that holds ignored files only isn't on the list.
    directories.update(path.rpartition("/")[0] for path in ignored_files(root, FILE_NAMES))
    return [
        path
        for directory in sorted(directories, key=lambda each: each.split("/"))
        if VENDORED.isdisjoint(directory.split("/"))
        for path in guidance_paths(directory)
        if os.path.lexists(os.path.join(root, path))
    ]


def guidance_paths(directory: str) -> list[str]:
    """Where guidance for a directory may stand, in merge order, relative to the root."""
    return [f"{directory}/{name}" if directory else name for name in FILE_NAMES]
