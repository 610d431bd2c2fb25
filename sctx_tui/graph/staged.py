"""Whether what is staged for a commit has been described: its meaning, not its layout."""

from __future__ import annotations

import os
from typing import NamedTuple

from sctx_tui.git import git, git_unfiltered
from sctx_tui.graph import store_accepted
from sctx_tui.graph.fingerprint import file_hash
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.shape import unparsable
from sctx_tui.graph.store import Store


class Blob(NamedTuple):
    """A staged file whose language is parsed."""

    path: str
    renamed_from: str | None
    object_id: str


class Undescribed(NamedTuple):
    """A staged file that a commit should wait for; `reason` is "new" or "changed"."""

    path: str
    reason: str


def undescribed(store: Store, root: str) -> list[Undescribed] | None:
    """The staged files whose semantic hash is none that was accepted, by path; None outside git.

    Accepted is a file as it was at the last write-back, summary, init, sync or update.
    """
    blobs = staged_blobs(root)
    if blobs is None:
        return None
    known = {blob.path for blob in blobs} | {blob.renamed_from for blob in blobs if blob.renamed_from}
    accepted = store_accepted.accepted(store, known)
    found = []
    for blob, hashed in semantic_hashes(root, blobs):
        allowed = {*accepted.get(blob.path, ()), *accepted.get(blob.renamed_from or "", ())}
        if hashed is not None and hashed not in allowed:
            found.append(Undescribed(blob.path, "changed" if any(accepted.get(blob.path, ())) else "new"))
    return sorted(found)


def staged_blobs(root: str) -> list[Blob] | None:
    """What is staged below `root` against the last commit, deletions and links left out; None outside git."""
    out = git(
        root,
        "diff",
        "--cached",
        "--raw",
        "-z",
        "--no-abbrev",
        "--relative",
        "--find-renames",
        "--diff-filter=AMRT",
        "--ignore-submodules",
        keep_index=True,
    )
    if out is None:
        return None
    parts = os.fsdecode(out).split("\0")
    blobs: list[Blob] = []
    position = 0
    while position + 1 < len(parts):
        _, mode, _, object_id, status = parts[position].split(" ")
        renamed_from = parts[position + 1] if status[0] == "R" else None
        position += 3 if status[0] == "R" else 2
        path = parts[position - 1]
        if mode.startswith("100") and language_of(path):
            blobs.append(Blob(path, renamed_from, object_id))
    return blobs


def partly_staged(root: str) -> list[Blob]:
    """Staged files that may differ from the working tree."""
    out = git_unfiltered(root, "diff-files", "--name-only", "-z", "--relative", "--ignore-submodules")
    differing = set(os.fsdecode(out or b"").split("\0"))
    return [blob for blob in staged_blobs(root) or () if blob.path in differing]


def semantic_hashes(root: str, blobs: list[Blob]) -> list[tuple[Blob, str | None]]:
    """The semantic hash of each staged file; None where its content isn't parsed."""
    if not blobs:
        return []
    names = "".join(f"{blob.object_id}\n" for blob in blobs)
    out = git(root, "cat-file", "--batch", stdin=names.encode()) or b""
    found: list[tuple[Blob, str | None]] = []
    position = 0
    for blob in blobs:
        end = out.find(b"\n", position)
        head = out[position:end].split(b" ") if end >= 0 else []
        if len(head) != 3:  # missing from a partial clone, for instance: nothing is known of it
            found.append((blob, None))
            position = max(end + 1, position)
            continue
        size = int(head[2])
        source = out[end + 1 : end + 1 + size]
        position = end + 1 + size + 1
        language = language_of(blob.path) or ""
        found.append((blob, None if unparsable(source) else file_hash(source, language)))
    return found
