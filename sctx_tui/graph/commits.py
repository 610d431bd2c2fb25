"""Commits as changes of their files."""

from __future__ import annotations

import os

from sctx_tui.git import git, git_line
from sctx_tui.graph import store_notes
from sctx_tui.graph.store import Store


def log_head(store: Store, root: str) -> int | None:
    """Record the checked out commit for each file that it changes; their number, None without a commit."""
    # A merge shows what it brings into the branch that it is made on.
    out = git(
        root, "show", "-m", "--first-parent", "--format=%H%x00%s", "--name-only", "-z", "--relative", "HEAD"
    )
    if out is None:
        return None
    commit, _, rest = os.fsdecode(out).partition("\0")
    subject, _, names = rest.replace("\n", "\0", 1).partition("\0")
    files = sorted({name.strip("\n") for name in names.split("\0")} - {""})
    with store.transaction():
        for replaced in _replaced(root):
            store_notes.forget_commit(store, git_line(root, "rev-parse", "--verify", "--quiet", replaced))
        store_notes.log_changes(store, [(file, subject) for file in files], source="git", commit_id=commit)
        if store.meta("indexed_head") in _before(root):
            # Committing changes no file: the index is as true as before.
            store.set_meta("indexed_head", commit)
    return len(files)


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
