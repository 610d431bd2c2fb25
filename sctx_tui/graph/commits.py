"""Commits as changes of their files."""

from __future__ import annotations

import os
from typing import NamedTuple

from sctx_tui.git import git, git_line
from sctx_tui.graph import store_notes
from sctx_tui.graph.store import Store

MOST_MERGED = 20  # commits of a fast-forward; no more changes of a file are kept


def log_head(store: Store, root: str) -> int | None:
    """Record the checked out commit for each file that it changes; their number, None without a commit."""
    found = _commit(root, "HEAD")
    if found is None:
        return None
    with store.transaction():
        for replaced in _replaced(root):
            store_notes.forget_commit(store, git_line(root, "rev-parse", "--verify", "--quiet", replaced))
        _record(store, found)
        if store.meta("indexed_head") in _before(root):
            # Committing changes no file: the index is as true as before.
            store.set_meta("indexed_head", found.id)
    return len(found.files)


def log_merged(store: Store, root: str) -> int:
    """Record what a merge has brought: the merge, or each commit of a fast-forward; their number.

    A merge changes files, so the index is behind until the next sync.
    """
    brought = ("rev-list", "--first-parent", "--reverse", f"-n{MOST_MERGED}", "ORIG_HEAD..HEAD")
    commits = [_commit(root, each) for each in os.fsdecode(git(root, *brought) or b"").split()]
    with store.transaction():
        for each in commits:
            if each is not None:
                _record(store, each)
    return len(commits)


class _Commit(NamedTuple):
    id: str
    subject: str
    files: list[str]  # relative to the root


def _commit(root: str, name: str) -> _Commit | None:
    # A merge shows what it brings into the branch that it is made on.
    shown = ("show", "-m", "--first-parent", "--format=%H%x00%s", "--name-only", "-z", "--relative", name)
    out = git(root, *shown)
    if out is None:
        return None
    commit, _, rest = os.fsdecode(out).partition("\0")
    subject, _, names = rest.replace("\n", "\0", 1).partition("\0")
    return _Commit(commit, subject, sorted({each.strip("\n") for each in names.split("\0")} - {""}))


def _record(store: Store, commit: _Commit) -> None:
    changes = [(file, commit.subject) for file in commit.files]
    store_notes.log_changes(store, changes, source="git", commit_id=commit.id)


def _replaced(root: str) -> list[str]:
    """The commits that the last one takes the place of: what it amends, or what a rebase makes it from."""
    action = git_line(root, "reflog", "-1", "--format=%gs") or ""
    found = ["HEAD@{1}"] if action.startswith(("commit (amend)", "rebase (fixup)", "rebase (squash)")) else []
    if action.startswith("rebase "):
        done = git_line(root, "rev-parse", "--git-path", "rebase-merge/done")
        try:
            with open(os.path.join(root, done or ""), encoding="utf-8", errors="replace") as file:
                words = file.read().splitlines()[-1].split()  # pick COMMIT SUBJECT, fixup -C COMMIT SUBJECT
        except (OSError, IndexError):
            return found
        found.extend([word for word in words[1:] if not word.startswith("-")][:1])
    return found


def _before(root: str) -> list[str | None]:
    """What was checked out before the last commit: its parents, or what it amends."""
    parents = git_line(root, "show", "-s", "--format=%P", "HEAD") or ""
    return [*parents.split(), git_line(root, "rev-parse", "--verify", "--quiet", "HEAD@{1}")]
