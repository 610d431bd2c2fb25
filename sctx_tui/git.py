"""Running git: output as bytes, no command of a repository's own configuration, no inherited repository.

Nothing here raises when git is missing, refuses or fails: callers get None and say what that means for them.
"""

from __future__ import annotations

import os
import subprocess

# Set while git runs a hook; they'd point a command for another checkout at the wrong repository
# (`git rev-parse --local-env-vars`). And what changes the meaning of a pathspec.
_LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)

# A repository's own configuration may name a program that watches its files, one that checks signatures, and
# attributes without end.
_COMMAND = (
    "git",
    *("-c", "core.attributesFile="),
    *("-c", "core.fsmonitor="),
    *("-c", "log.showSignature=false"),
    *("-c", "core.quotePath=false"),
)


def git(
    directory: str,
    *arguments: str,
    stdin: bytes | None = None,
    keep_index: bool = False,
    timeout: float = 120,
) -> bytes | None:
    """Run git in `directory`; its standard output, or None when git is missing, fails or is too slow.

    `timeout` is in seconds. `keep_index` keeps GIT_INDEX_FILE, and with it what a `git commit` in progress
    is about to commit.
    """
    done = _run(directory, *arguments, stdin=stdin, keep_index=keep_index, timeout=timeout)
    return done.stdout if done is not None and done.returncode == 0 else None


def is_refused(directory: str) -> bool:
    """Whether git won't look at the checkout around `directory` because another user owns it."""
    done = _run(directory, "rev-parse", "--git-dir", stderr=subprocess.PIPE)
    return done is not None and done.returncode != 0 and b"dubious ownership" in done.stderr


def _run(
    directory: str,
    *arguments: str,
    stdin: bytes | None = None,
    keep_index: bool = False,
    timeout: float = 120,
    stderr: int = subprocess.DEVNULL,
) -> subprocess.CompletedProcess[bytes] | None:
    environment = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    if keep_index and "GIT_INDEX_FILE" in os.environ:
        environment["GIT_INDEX_FILE"] = os.path.abspath(os.environ["GIT_INDEX_FILE"])
    # Looking into a partial clone fetches nothing: a remote may be a program. Old versions of git know the
    # second of these only.
    environment["GIT_NO_LAZY_FETCH"] = "1"
    environment["GIT_ALLOW_PROTOCOL"] = ""
    environment["GIT_OPTIONAL_LOCKS"] = "0"  # reading never takes index.lock away from the user's own git
    environment["LC_ALL"] = "C"
    try:
        return subprocess.run(
            (*_COMMAND, *arguments),
            cwd=directory,
            env=environment,
            input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def git_line(directory: str, *arguments: str) -> str | None:
    """The one line that a git command answers, decoded as a file name; None when it fails or is silent."""
    out = git(directory, *arguments)
    return os.fsdecode(out.rstrip(b"\r\n")) if out else None


def is_git_directory(directory: str) -> bool:
    """Whether this is git's own folder or a bare repository, or lies in one: no place for files."""
    return git_line(directory, "rev-parse", "--is-inside-git-dir") == "true"


def git_unfiltered(directory: str, *arguments: str) -> bytes | None:
    """Run a git command that may read files of the working tree, as comparing them with the index does.

    Files are taken as they are: filters that the configuration names are programs, and none is run. None, as
    well, where one can't be switched off.
    """
    keys = git(directory, "config", "-z", "--name-only", "--list")
    if keys is None:
        return None
    found = (key for key in os.fsdecode(keys).split("\0") if key.startswith("filter."))
    names = {key.partition(".")[2].rpartition(".")[0] for key in found}
    if any("=" in name for name in names):
        return None  # `-c` would end its key there
    switches = (
        ("-c", f"filter.{name}.{setting}")
        for name in sorted(names)
        for setting in ("clean=", "process=", "required=false")
    )
    return git(directory, *(word for switch in switches for word in switch), *arguments)


def checkout(directory: str) -> str | None:
    """The top of the checkout around `directory`, a real path; None outside of any.

    It is where `.git` stands: a repository's own configuration may call any folder its working tree, and what
    lies there isn't part of it.
    """
    top = git_line(directory, "rev-parse", "--show-toplevel")
    place = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(place, ".git")):
        place, below = os.path.dirname(place), place
        if place == below:
            return None
    return place if top and os.path.realpath(top) == place else None
