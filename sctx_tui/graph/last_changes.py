"""The last change of each file, from git: the subject of the last commit that touched it.

A later word, an agent's for instance, stays until the next commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from sctx_tui.git import git, git_line
from sctx_tui.graph import store_summaries
from sctx_tui.graph.store import Store

MOST_COMMITS = 20_000  # looked at in a run: files that were last touched before them stay without
FEW_COMMITS = 500  # where that many take too long
LONGEST = 200  # characters of a subject
_SECONDS = 20.0


class Commit(NamedTuple):
    """What a commit says, and which files (posix, relative to the root) it touched."""

    time: str  # UTC, ISO 8601
    subject: str
    is_first: bool  # it has no parent
    files: tuple[str, ...]


def note_last_commits(store: Store, root: str, head: str | None) -> None:
    """Bring `last_change` of every file up to the commit `head`; joins the caller's transaction."""
    before = store.meta("last_commit")
    if head is None or head == before:
        return
    subjects: dict[str, tuple[str, str]] = {}
    for commit in _commits(root, before):
        for path in commit.files:
            subjects.setdefault(path, (commit.subject, commit.time))
    store_summaries.put_last_changes(store, ((path, *said) for path, said in subjects.items()))
    store.set_meta("last_commit", head)


def _commits(root: str, before: str | None) -> Iterator[Commit]:
    """The commits since `before`, newest first; all of them when that is unknown."""
    since = f"{before}..HEAD" if before and before.isalnum() else "HEAD"
    attempts = dict.fromkeys(((since, MOST_COMMITS), ("HEAD", MOST_COMMITS), ("HEAD", FEW_COMMITS)))
    logs = (_log(root, commits, most) for commits, most in attempts)
    out = next((log for log in logs if log is not None), b"")
    # Where history was cut off, the oldest commit seems to have made every file.
    is_cut = git_line(root, "rev-parse", "--is-shallow-repository") == "true"
    return (commit for commit in _parsed(out) if not (is_cut and commit.is_first))


# A repository's own configuration may change what is shown, and may name programs that check signatures.
_LOG = (
    "-c",
    "log.showRoot=true",
    "log",
    "-z",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--name-only",
    "--relative",
    "--encoding=UTF-8",
    "--format=%x01%ct %P%x02%s",
)


def _log(root: str, commits: str, most: int) -> bytes | None:
    return git(root, *_LOG, f"-n{most}", commits, "--", timeout=_SECONDS)


def _parsed(out: bytes) -> Iterator[Commit]:
    for part in os.fsdecode(out).split("\x01")[1:]:
        head, _, rest = part.partition("\x02")
        time, _, parents = head.partition(" ")
        subject, *files = rest.split("\0")
        if not time.isdigit() or len(time) > 11:
            continue
        yield Commit(
            datetime.fromtimestamp(int(time), UTC).isoformat(timespec="seconds"),
            subject[:LONGEST],
            not parents.strip(),
            tuple(path.removeprefix("\n") for path in files if path.strip("\n")),
        )
