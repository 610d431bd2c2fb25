"""What changes in a project, as it happens: for the app, and for the process that keeps the index true.

    stop = threading.Event()
    for paths in changes(root, stop):
        ...

Only files that git lists count, and the folders in which one may appear. Ignored folders are not looked into:
they cost neither a watch nor a look.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

from sctx_tui.git import git_line
from sctx_tui.guidance.model import FILE_NAMES
from sctx_tui.listing import ignored
from sctx_tui.services import watcher_state
from sctx_tui.services.watcher_listing import NEVER_FOLLOWED, Listing
from sctx_tui.services.watcher_sources import (
    ADDED,
    DELETED,
    TAKES_TREES,
    Events,
    Looks,
    Lost,
    NoEvents,
    Seen,
    Source,
    Stop,
    without_events,
)

ANYTHING = ""
"""Among the paths: some changes may not have been noticed, so anything may be different."""
HEAD = ".git/HEAD"
"""Among the paths: another commit is checked out, or was made."""
INDEX = ".ctx/index.db"
"""Among the paths, if asked for: the code index was written."""
PROGRESS = ".ctx/progress"
"""Among the paths, if the index is asked for: the watcher of the project says something else of itself."""

_LIST = "the list"  # what git lists may be different: no path of its own
_MOST_QUIET = 50_000
_ATTEMPTS = 5
_LOSSES, _LOSS_SECONDS = 5, 60.0
_GIT_PAUSE, _GIT_PATIENCE, _STALE_LOCK = 0.1, 5.0, 60.0
_CLOSING = 0.2  # seconds in which the system gives watches back
_GIT_PARTS = frozenset(("HEAD", "config", "objects", "refs"))
_NEVER = threading.Event()  # stops nothing


def changes(root: str, stop: Stop, *, tick: float = 1.0, index: bool = False) -> Iterator[set[str]]:
    """Sets of paths, relative to `root`, that may have changed; an empty set every `tick` seconds without.

    The first set is empty: from then on nothing is missed. The paths are files, there or gone; see also
    ANYTHING and HEAD, and, with `index`, INDEX and PROGRESS. A save is told of within 0.3 seconds, where the
    system gives events; elsewhere within seconds that grow with the project. While git is at work, a branch
    switch for instance, changes are gathered. Ends when `stop` is set (within 0.1 seconds) or `root` is gone.
    For one thread; takes no lock, and needs no index.
    """
    with closing(Follower(root, index=index)) as follower:
        yield set()
        while not stop.is_set() and os.path.isdir(root):
            yield follower.wait(tick, stop)


class Follower:
    """Follows one project; `mode` says how: "events", or "a look every 4 s: " and why."""

    def __init__(self, root: str, *, index: bool = False) -> None:
        self.root = root
        self._has_index = index
        self._prefix = os.path.join(root, "")
        self._listing = Listing(root)
        self._places = _special_places(root, index)
        self._source: Source | None = None
        self._why_looks = without_events(root)
        self._losses: deque[float] = deque(maxlen=_LOSSES)
        self._quiet: set[str] = set()
        self._late: set[Seen] = set()  # seen, and not judged yet
        self._late_since = 0.0
        self._renew(None, must_open=True)

    @property
    def mode(self) -> str:
        """How changes are noticed."""
        if isinstance(self._source, Looks):
            return f"a look every {self._source.pause:.0f} s: {self._why_looks}"
        return "events"

    @property
    def folders(self) -> int:
        """How many folders are followed."""
        return len(self._listing.folders)

    @property
    def files(self) -> frozenset[str]:
        """The files of the project."""
        return frozenset(self._listing.files)

    def close(self) -> None:
        """Follow no more."""
        if self._source is not None:
            self._source.close()

    def wait(self, seconds: float, stop: Stop) -> set[str]:
        """What has changed, as soon as there is something; empty after `seconds` without."""
        assert self._source is not None
        try:
            seen = self._source.wait(min(seconds, _GIT_PAUSE) if self._late else seconds, stop)
        except Lost as loss:
            return self._recover(str(loss))
        if seen and not self._late:
            self._late_since = time.monotonic()
        self._late |= seen
        if not self._late or (self.is_git_at_work() and time.monotonic() - self._late_since < _GIT_PATIENCE):
            return set()
        seen, self._late = self._late, set()
        return self._judge(seen)

    def is_git_at_work(self) -> bool:
        """Whether git is changing the files, a branch switch for instance: half of it helps nobody."""
        try:
            return abs(time.time() - os.stat(self._places.git_lock).st_mtime) < _STALE_LOCK
        except OSError:
            return False

    def _recover(self, message: str) -> set[str]:
        """Begin anew after events were lost; look instead where that happens again and again."""
        self._losses.append(time.monotonic())
        if len(self._losses) == _LOSSES and self._losses[-1] - self._losses[0] < _LOSS_SECONDS:
            self._why_looks = f"events are lost ({message})"
        self._renew([], must_open=True)
        return {ANYTHING}

    def _judge(self, seen: Collection[Seen]) -> set[str]:
        """What of the things seen matters."""
        first = _FirstLook()
        for kind, full in seen:
            self._look_at(kind, full, first)
        unknown = {path for path in first.folders if path not in self._listing.folders}
        folders = first.folders - self._ignored(unknown, "/")
        files = first.files - self._ignored(first.files, "")
        # Git lists what isn't ignored; only in another checkout that has to be asked.
        new = {path for path in files if not self._listing.asks_another_git(path)}
        self._listing.files |= new
        told = first.told
        if folders or files - new or first.has_new_rules or first.has_new_list or first.must_open:
            below = None if first.has_new_rules else folders
            told |= self._renew(below, must_open=bool(folders) or first.must_open)
            self._quiet |= files - self._listing.files
        return told | (new & self._listing.files)

    def _look_at(self, kind: int, full: str, first: _FirstLook) -> None:
        """What a single thing seen means, without asking git."""
        token = self._places.files.get(full)
        if token == _LIST:
            first.has_new_list = True
            return
        if token is not None:
            first.told.add(token)
            return
        if kind == ADDED and (full in self._places.folders or self._makes_a_repository(full)):
            first.must_open = True
            # What was written in it before anybody looked is not told.
            first.told.add(INDEX if full.endswith(".ctx") else HEAD)
        path = self._relative(full)
        if path is None:
            return
        name = path.rpartition("/")[2]
        if kind == ADDED and _is_folder(full):
            first.folders.add(path)
        elif path in self._listing.files or name in FILE_NAMES or name == ".gitignore":
            first.told.add(path)
            first.has_new_rules |= name == ".gitignore"
            if kind == DELETED and not os.path.lexists(full):
                self._listing.files.discard(path)
        elif path in self._listing.folders:
            first.has_new_list |= kind == DELETED
        elif path not in self._quiet and kind != DELETED and _is_file(full):
            first.files.add(path)

    def _makes_a_repository(self, full: str) -> bool:
        """Whether that is a part of a `.git` that git didn't take for one when it was last asked."""
        folder, name = os.path.split(full)
        return not self._places.git_lock and folder == self._prefix + ".git" and name in _GIT_PARTS

    def _ignored(self, paths: set[str], end: str) -> set[str]:
        """Those of the paths that are ignored, or known to be no part of the project."""
        known = paths & self._quiet
        asked = [path for path in paths - known if not self._listing.asks_another_git(path)]
        hidden = ignored(self.root, [path + end for path in asked]) if asked else set()
        new = {path.rstrip("/") for path in hidden}
        self._quiet |= new
        return known | new

    def _renew(self, below: Collection[str] | None, *, must_open: bool) -> set[str]:
        """List again, follow the folders that hold files now, and say which files came or went."""
        if below is None or len(self._quiet) > _MOST_QUIET:
            self._quiet.clear()
        self._places = _special_places(self.root, self._has_index)
        found: set[str] = set()
        for _ in range(_ATTEMPTS):
            followed = self._listing.folders
            found |= self._listing.renew(below)
            if not must_open and self._listing.folders == followed:
                break
            must_open = False
            found |= self._open()
        else:
            found.add(ANYTHING)  # folders come and go while they are listed
        if isinstance(self._source, Looks):
            self._source.follow(self._looked_at())
        return found

    def _relative(self, full: str) -> str | None:
        """The path relative to the root, None where nothing in its folder matters."""
        if not full.startswith(self._prefix):
            return None
        path = full[len(self._prefix) :].replace(os.sep, "/")
        folder, _, name = path.rpartition("/")
        return path if folder in self._listing.folders and name not in NEVER_FOLLOWED else None

    def _open(self) -> set[str]:
        """Follow the folders as they are now, with ANYTHING as the answer if that left a gap."""
        if isinstance(self._source, Looks):
            return set()
        found: set[str] = set()
        try:
            source: Source = self._events()
        except NoEvents as reason:
            source, found = self._open_alone(reason)
        found |= self._end_source()
        self._source = source
        return found

    def _open_alone(self, reason: NoEvents) -> tuple[Source, set[str]]:
        """Two sets of watches may be too many: close the old one first, and look if that is no help."""
        found: set[str] = set()
        if self._source is not None:
            found = self._end_source() | {ANYTHING}
            for _ in range(_ATTEMPTS):
                try:
                    return self._events(), found
                except NoEvents as again:
                    reason = again
                    time.sleep(_CLOSING)
        self._why_looks = str(reason)
        return Looks(self._looked_at()), found

    def _events(self) -> Events:
        if self._why_looks is not None:
            raise NoEvents(self._why_looks)
        for _ in range(_ATTEMPTS):
            try:
                return Events(self._followed())
            except (FileNotFoundError, PermissionError):
                continue  # a folder has gone since it was looked for
        raise NoEvents("folders come and go too fast")

    def _end_source(self) -> set[str]:
        """Close the source and keep what it has heard of; ANYTHING if that isn't all."""
        source, self._source = self._source, None
        if source is None:
            return set()
        try:
            self._late |= source.wait(0.001, _NEVER)
        except Lost:
            return {ANYTHING}
        finally:
            source.close()
        return set()

    def _followed(self) -> list[str]:
        """Absolute paths of the folders to follow."""
        inside = ("",) if TAKES_TREES else self._listing.folders
        found = {*(self._prefix + path for path in inside), *self._places.folders}
        return sorted(path for path in found if os.path.isdir(path) and os.access(path, os.R_OK))

    def _looked_at(self) -> set[str]:
        """Absolute paths of everything that may change."""
        listed = (self._prefix + path for path in (*self._listing.files, *self._listing.folders))
        return {*listed, *self._places.files}


@dataclass(slots=True)
class _FirstLook:
    """What a batch means before git is asked."""

    told: set[str] = field(default_factory=set)  # paths that matter for sure
    folders: set[str] = field(default_factory=set)  # that are new, or have new names in them
    files: set[str] = field(default_factory=set)  # that may be new, or ignored
    has_new_list: bool = False
    has_new_rules: bool = False
    must_open: bool = False  # other folders are to be followed


class _Places(NamedTuple):
    """Files that are no part of the project but tell something about it, by absolute path."""

    files: dict[str, str]
    folders: frozenset[str]
    git_lock: str


def _special_places(root: str, index: bool) -> _Places:
    """Git's own files that move when the commit or the list does; the index if that is asked for."""
    own, common = (git_line(root, "rev-parse", f"--git-{which}dir") for which in ("", "common-"))
    files: dict[str, str] = {}
    git_lock = ""
    if own and common:
        own, common = (os.path.normpath(os.path.join(root, path)) for path in (own, common))
        tokens = {("HEAD",): HEAD, ("logs", "HEAD"): HEAD, ("index",): _LIST}
        files = {os.path.join(own, *names): token for names, token in tokens.items()}
        files[os.path.join(common, "info", "exclude")] = _LIST
        git_lock = os.path.join(own, "index.lock")
    folders = {os.path.dirname(path) for path in files} or {os.path.join(root, ".git")}
    if index:
        place = os.path.join(root, *INDEX.split("/"))
        state = watcher_state.state_file(root)
        files |= {place: INDEX, f"{place}-wal": INDEX, state: PROGRESS}
        folders |= {os.path.dirname(place), os.path.dirname(state)}
    return _Places(files, frozenset(folders), git_lock)


def _is_file(path: str) -> bool:
    """Whether something is there that git lists: a file or a link, but no pipe or socket."""
    return os.path.islink(path) or os.path.isfile(path)


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)
