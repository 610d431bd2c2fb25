"""The list of files of a project: git's own where there is git, a walk with ignore rules elsewhere."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from sctx_tui.git import git, git_line, is_git_directory

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    Rules = tuple[
        tuple[int, GitIgnoreSpec], ...
    ]  # length of a directory's name and its rules, innermost first

# Never entered by the walk. Where git lists files, git's answer stands.
NEVER_WALKED = frozenset(
    (
        ".ctx",
        ".git",
        ".hg",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "node_modules",
        "site-packages",
        "venv",
    )
)


#: With more paths than this the whole list is cheaper, and a command line has an end.
MANY_PATHS = 100


def listed_files(root: str) -> list[str]:
    """The files of the project at `root`, sorted, as posix paths relative to it, symlinks among them.

    In a git checkout: tracked files that exist and untracked ones that aren't ignored; submodules that are
    checked out are part of it, other checkouts below the root (worktrees, clones) aren't. Elsewhere: a walk
    that honours .gitignore files and asks git in each checkout that it meets; in git's own folder or a bare
    repository, nothing. Names that aren't UTF-8 hold
    surrogate escapes (`os.fsdecode`).
    """
    found = _from_git(root)
    if found is None and is_git_directory(root):
        return []
    if not found and (found is None or _is_ignored(root)):
        found = [path for path, is_excluded in _walk(root) if not is_excluded]
    return sorted(set(found))


def listed_below(root: str, paths: Collection[str]) -> list[str]:
    """Of the files of the project, those that are one of `paths` (relative to the root) or below one.

    git is asked about these alone where that gives the same.
    """
    if paths and "" not in paths and len(paths) <= MANY_PATHS:
        names = [path.rstrip("/") for path in paths]
        found = _from_git(root, *(f":(literal){name}" for name in names))
        # What is there but not listed may be ignored, or lie in another checkout: git is silent about both.
        if found and all(_is_listed(root, name, found) for name in names):
            return sorted(set(found))
    return [path for path in listed_files(root) if _is_below(path, paths)]


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder on the way to one of the files; "" is the root."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _is_listed(root: str, name: str, found: Collection[str]) -> bool:
    return any(_is_below(path, (name,)) for path in found) or not os.path.lexists(os.path.join(root, name))


def _is_below(path: str, paths: Collection[str]) -> bool:
    return path in paths or any(path.startswith(f"{folder}/") or not folder for folder in paths)


def ignored(root: str, paths: Iterable[str]) -> set[str]:
    """Which of these paths the ignore rules keep off the list, whether they exist or not.

    Folders end in a slash. Not for paths inside other checkouts below the root or behind symbolic links.
    """
    asked = list(paths)
    # The root is asked about too: where that is ignored itself, git has no say about what lies inside.
    names = b"".join(os.fsencode(path) + b"\0" for path in (".", *asked))
    out = git(root, "check-ignore", "-z", "--stdin", stdin=names)
    found = set(os.fsdecode(out or b"").split("\0"))
    if "." not in found and (out or git_line(root, "rev-parse", "--git-dir")):
        return found.intersection(asked)
    return _ignored_by_walk(root, asked)


def ignored_files(root: str, names: Iterable[str]) -> list[str]:
    """Files with one of these names that ignore rules keep off the list, in directories that they don't.

    Not inside other checkouts below the root. Posix paths relative to `root`, in no order.
    """
    wanted = frozenset(names)
    # An ignored directory is named with a slash instead of what lies in it.
    command = ("ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory", "--")
    out = git(root, *command, *(f":(glob)**/{name}" for name in wanted))
    if out is None or (not out and _is_ignored(root)):
        return [
            path for path, is_excluded in _walk(root) if is_excluded and path.rpartition("/")[2] in wanted
        ]
    return [path for path in os.fsdecode(out).split("\0") if path and not path.endswith("/")]


def _from_git(root: str, *patterns: str) -> list[str] | None:
    """What git lists in the checkout around `root`, of these patterns only if there are any; None where git
    knows of none."""
    out = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns)
    if out is None:
        return None
    found: list[str] = []
    prefix = os.path.join(root, "")
    for path in os.fsdecode(out).split("\0"):
        # A trailing slash marks another checkout that git knows nothing of.
        if not path or path.endswith("/") or _is_index(path):
            continue
        try:
            mode = os.lstat(prefix + path).st_mode
        except (OSError, ValueError):
            continue  # deleted, and git has not been told
        if stat.S_ISDIR(mode):
            found.extend(_submodule(prefix + path, path))
        else:
            found.append(path)
    return found


def _is_index(path: str) -> bool:
    """Whether it lies where an index does, which is no part of the project if nothing says so, either."""
    return path.startswith(".ctx/") or "/.ctx/" in path


def _submodule(directory: str, path: str) -> Iterator[str]:
    """Files of the submodule at `path`; none when not checked out: git would answer for the outer one."""
    if os.path.lexists(os.path.join(directory, ".git")):
        for below in _from_git(directory) or ():
            yield f"{path}/{below}"


def _is_ignored(root: str) -> bool:
    """Whether the checkout around `root` ignores it: then that checkout has no say about what lies inside."""
    return git(root, "check-ignore", "-q", ".") is not None


def _is_worktree(dot_git: str) -> bool:
    """Whether a `.git` file points into another checkout's worktrees: those files are copies."""
    try:
        with open(dot_git, "rb") as file:
            return b"/worktrees/" in file.read(4096).replace(b"\\", b"/")
    except OSError:
        return False


def _walk(root: str) -> Iterator[tuple[str, bool]]:
    """Every file below `root` in a directory that isn't excluded, and whether a .gitignore excludes it."""
    # (directory relative to the root with a trailing slash or "", the rules in force above it)
    pending: list[tuple[str, Rules]] = [("", ())]
    while pending:
        directory, rules = pending.pop()
        try:
            with os.scandir(os.path.join(root, directory)) as entries:
                children = list(entries)
        except OSError:
            continue  # unreadable or gone since it was seen
        if any(child.name == ".gitignore" for child in children):
            rules = _with_rules_of(root, directory, rules)
        for child in children:
            path = directory + child.name
            if not child.is_dir(follow_symlinks=False):
                yield path, _excluded(path, rules)
            elif child.name not in NEVER_WALKED and not _excluded(path + "/", rules):
                below = _checkout(root, path)
                if below is None:
                    pending.append((path + "/", rules))
                else:
                    yield from ((file, False) for file in below)


def _ignored_by_walk(root: str, paths: Iterable[str]) -> set[str]:
    known: dict[str, Rules] = {"": _with_rules_of(root, "", ())}
    found = set()
    for path in paths:
        directory, rules = "", known[""]
        for part in path.rstrip("/").split("/")[:-1]:
            directory += part + "/"
            if directory not in known:
                known[directory] = _with_rules_of(root, directory, rules)
            rules = known[directory]
        is_never_walked = path.endswith("/") and path.rstrip("/").rpartition("/")[2] in NEVER_WALKED
        if is_never_walked or _excluded(path, rules):
            found.add(path)
    return found


def _with_rules_of(root: str, directory: str, rules: Rules) -> Rules:
    """The rules in force in a directory, given those in force above it."""
    from sctx_tui.gitignore import read_rules  # only here: most projects have git, and start-up counts

    own = read_rules(os.path.join(root, directory, ".gitignore"))
    return ((len(directory), own), *rules) if own else rules


def _excluded(path: str, rules: Rules) -> bool:
    """The innermost .gitignore that has an opinion decides."""
    for start, spec in rules:
        verdict = spec.check_file(path[start:]).include
        if verdict is not None:
            return verdict
    return False


def _checkout(root: str, path: str) -> list[str] | None:
    """Files of the checkout at `path`; none for a worktree, None where there is no checkout."""
    directory = os.path.join(root, path)
    dot_git = os.path.join(directory, ".git")
    if not os.path.lexists(dot_git):
        return None
    if os.path.isfile(dot_git) and _is_worktree(dot_git):
        return []
    below = _from_git(directory)
    return None if below is None else [f"{path}/{file}" for file in below]
