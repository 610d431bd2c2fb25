"""Coverage of the whole project: what each entry applies to, and what no entry applies to."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sctx_tui.guidance.inventory import Inventory
    from sctx_tui.guidance.model import Judged

STEP = 0.02
"""Seconds between two reports of progress."""


class EntryUse(NamedTuple):
    """One entry and how many listed files it applies to, whatever the action and timing."""

    file: str
    line: int
    kind: str
    text: str
    applies_to: int
    directories: int
    """Directories that it applies to as a directory pattern."""
    problem: str
    """Why it gives nothing, "" if nothing is wrong with it."""

    @property
    def is_dead(self) -> bool:
        """Whether it applies to nothing."""
        return not self.applies_to and not self.directories


class BareFolder(NamedTuple):
    """A folder with files that no context applies to: `bare` of them directly in it, or all below it."""

    path: str
    bare: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing below it has guidance."""
        return self.bare == self.total


class Coverage(NamedTuple):
    """The survey; incomplete while entries are left to look at."""

    done: int
    entries: int
    uses: tuple[EntryUse, ...] = ()
    files: int = 0
    bare: tuple[BareFolder, ...] = ()
    is_complete: bool = False

    @property
    def bare_files(self) -> int:
        """Files that no context applies to."""
        return sum(folder.bare for folder in self.bare)


def survey(root: str, listed: Sequence[str]) -> Iterator[Coverage]:
    """Look at one entry after the other; reports of progress, then the whole."""
    from sctx_tui.guidance.inventory import Inventory
    from sctx_tui.guidance.resolve import resolve_all

    yield Coverage(0, 0)
    judged = resolve_all(root).judged
    inventory = Inventory(listed)
    covered = bytearray(len(inventory.files))
    uses: list[EntryUse] = []
    told = time.perf_counter()
    directory = ""
    for number, each in enumerate(judged):
        if each.file.rpartition("/")[0] != directory:
            inventory.forget(directory)
            directory = each.file.rpartition("/")[0]
        uses.append(_use(each, directory, inventory, covered))
        if time.perf_counter() - told > STEP:
            yield Coverage(number, len(judged))
            told = time.perf_counter()
    bare = [path for path, is_covered in zip(inventory.files, covered, strict=True) if not is_covered]
    folders = tuple(_bare_folders(bare, inventory.files))
    yield Coverage(len(judged), len(judged), tuple(uses), len(listed), folders, True)


def _use(judged: Judged, directory: str, inventory: Inventory, covered: bytearray) -> EntryUse:
    """Count what an entry applies to, and mark it as covered if the entry is context."""
    entry = judged.entry
    is_context = judged.kind == "context"
    text = getattr(entry, "content", "") or getattr(entry, "decision", "")
    if judged.verdict == "invalid":
        return EntryUse(judged.file, entry.line, judged.kind, text, 0, 0, judged.reason)
    scope = inventory.scope(directory)
    fitting = {each for pattern in entry.match for each in scope.fitting(pattern)}
    for pattern in entry.exclude:
        fitting.difference_update(scope.fitting(pattern))
    folders = [each for each in fitting if each.endswith("/")]
    if is_context:
        prefix = directory + "/" if directory else ""
        for each in fitting:
            if not each.endswith("/"):
                covered[bisect_left(inventory.files, prefix + each)] = 1
    return EntryUse(judged.file, entry.line, judged.kind, text, len(fitting) - len(folders), len(folders), "")


def _bare_folders(bare: Sequence[str], files: Sequence[str]) -> list[BareFolder]:
    """The outermost folders that are bare as a whole, and the folders that directly hold other bare files."""
    found: dict[str, BareFolder] = {}
    outermost: dict[str, str | None] = {}
    at = 0
    while at < len(bare):
        own = bare[at].rpartition("/")[0]
        if own not in outermost:
            outermost[own] = _whole(own, bare, files)
        whole = outermost[own]
        if whole is None:
            known = found.get(own, BareFolder(own, 0, _count(files, own)))
            found[own] = known._replace(bare=known.bare + 1)
            at += 1
        else:
            count = _count(bare, whole)
            found[whole] = BareFolder(whole, count, count)
            at += count
    return sorted(found.values(), key=lambda folder: folder.path.split("/"))


def _whole(folder: str, bare: Sequence[str], files: Sequence[str]) -> str | None:
    """The outermost of a folder and those above it that has no other files than bare ones."""
    parts = folder.split("/") if folder else []
    for depth in range(len(parts) + 1):
        above = "/".join(parts[:depth])
        if _count(bare, above) == _count(files, above):
            return above
    return None


def _count(paths: Sequence[str], folder: str) -> int:
    if not folder:
        return len(paths)
    return bisect_left(paths, folder + "0") - bisect_left(paths, folder + "/")
