"""Bringing the index up to date. Every function here is an iterator of events; closing it stops the work.

    for event in sync(store, root):
        if isinstance(event, Progress): ...

What is done is committed step by step, so that an end at any moment, `kill -9` included, loses at most the
step: the next run goes on from there. One run at a time (`lock.py`); readers and other writers go on
meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from sctx_tui.git import git, is_refused
from sctx_tui.graph import (
    apply,
    changes,
    linking,
    relinking,
    seal,
    staged,
    store_accepted,
    store_index,
    store_links,
    store_notes,
    store_taint,
)
from sctx_tui.graph.facts import FACTS_VERSION, FileFacts
from sctx_tui.graph.folders import describe_folders
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.last_changes import note_last_commits
from sctx_tui.graph.lock import indexing
from sctx_tui.graph.store import DIRECTORY, FILE, Store, StoreError
from sctx_tui.graph.store_records import files_below
from sctx_tui.graph.systems import directory_counts, own_names, system_of
from sctx_tui.graph.worker import Parsed
from sctx_tui.graph.workers import Task, parse_all
from sctx_tui.listing import listed_below, listed_files

CHUNK = 256  # files in a transaction
INDEX = f"{DIRECTORY}/{FILE}"


class Progress(NamedTuple):
    """How far a phase is: "list", "parse", "link"."""

    phase: str
    done: int
    total: int


class Problem(NamedTuple):
    """A file that could not be indexed as it should be."""

    path: str
    message: str


class Report(NamedTuple):
    """The last event: what the run did. Paths are sorted."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]  # old, new
    files: int  # in the index now

    @property
    def is_nothing(self) -> bool:
        """Whether the index was up to date."""
        return not (self.added or self.changed or self.deleted or self.renamed)


Event = Progress | Problem | Report


def sync(store: Store, root: str, *, describes: bool = True, workers: int | None = None) -> Iterator[Event]:
    """Make the index what the listed files say.

    `describes`: what is found counts as looked at by a person, so that a commit may have it (`ctx init`,
    `ctx sync`); a watcher passes False. Raises StoreError.
    """
    with indexing(root) if store.path else nullcontext(), linking.without_collector():
        yield Progress("list", 0, 0)
        yield from _look_at_git(store, root)
        listed = listed_files(root)
        yield from _bring_up(_Run(store, root, only=None, describes=describes), listed, workers)


def update(
    store: Store, root: str, paths: Collection[str], *, describes: bool = True, workers: int | None = None
) -> Iterator[Event]:
    """The same for some paths only: files, or folders with what is listed below them."""
    with indexing(root) if store.path else nullcontext(), linking.without_collector():
        yield Progress("list", 0, 0)
        yield from _look_at_git(store, root)
        listed = listed_below(root, paths)
        yield from _bring_up(_Run(store, root, only=paths, describes=describes), listed, workers)


def pending(store: Store, root: str) -> Report:
    """What `sync` would do, without doing it."""
    known = store_index.known_files(store)
    listed = listed_files(root)
    found = changes.scan(root, listed, known, anew=_has_other_rules(store) or _is_foreign(store))
    added = [task[0] for task in found.tasks if task[0] not in known]
    moved = changes.renames(root, added, found.deleted, known, store.meta("indexed_head"))
    tasks = [(path, "", known[path].content_hash) for path, _, _ in found.tasks if path in known]
    read = [parsed for parsed in parse_all(root, tasks) if not parsed.is_gone]
    changed = [p.path for p in read if not p.is_same]
    return _report(store, moved, found.deleted, added, changed)


def _look_at_git(store: Store, root: str) -> Iterator[Problem]:
    """Refuse an index that came with the repository: it is somebody else's word. Say where git is no help."""
    found = git(root, "ls-files", "--", INDEX)
    if found and store.path:
        raise StoreError(
            f"{INDEX} is committed to the repository, and an index of somebody else's can't be trusted; "
            f"run `git rm --cached {INDEX}`, delete it, and run `ctx init`"
        )
    if found is None and is_refused(root):
        yield Problem(
            ".",
            "git won't look at it, as another user owns it: its files are listed without git; "
            f"if you trust them, run `git config --global --add safe.directory {root}`",
        )


def _concerns(path: str, paths: Collection[str]) -> bool:
    return path in paths or any(path.startswith(f"{folder}/") or not folder for folder in paths)


def _has_other_rules(store: Store) -> bool:
    """Whether the facts in the index were made by other rules than ours."""
    return store.meta("facts_version") != str(FACTS_VERSION)


def _is_foreign(store: Store) -> bool:
    """Whether another user, or this one elsewhere, has made the index: the files say what it should be."""
    ours = seal.signature(seal.key())
    return bool(ours) and store.meta("sealed_by") != ours


def _sign(store: Store) -> None:
    """Say that the index is by our rules, and ours."""
    store.set_meta("facts_version", str(FACTS_VERSION))
    store.set_meta("sealed_by", seal.signature(seal.key()) or None)


class _Run:
    """One run of the indexer, and what it has found out so far."""

    def __init__(self, store: Store, root: str, *, only: Collection[str] | None, describes: bool) -> None:
        self.store, self.root, self.only, self.describes = store, root, only, describes
        self.changed: list[str] = []  # paths whose content did change
        self.facts: dict[str, FileFacts] = {}  # of files that were parsed, when everything is linked anyway
        self.is_first = not store_index.is_loaded(store) and not store_index.file_count(store)
        with store.transaction():
            if self.is_first:
                _sign(store)
            else:
                store_index.finish_load(store)
            self.is_foreign = _is_foreign(store)
            if self.is_foreign:  # nothing says that its tables fit together
                store_index.rebuild_texts(store)
        known = store_index.known_files(store)
        self.known = {p: record for p, record in known.items() if only is None or _concerns(p, only)}
        self.has_other_rules = _has_other_rules(store)
        self.outdated = self.has_other_rules or self.is_foreign
        self.terms = apply.Terms(own_names(root), is_first=self.is_first, rehashed=self.outdated)


def _bring_up(run: _Run, listed: Sequence[str], workers: int | None) -> Iterator[Event]:
    store, root, known = run.store, run.root, run.known
    found = changes.scan(root, listed, known, anew=run.outdated)
    for path, why in found.unnameable:
        yield Problem(path, why)
    added = [task[0] for task in found.tasks if task[0] not in known]
    moved = changes.renames(root, added, found.deleted, known, store.meta("indexed_head"))
    deleted = [path for path in found.deleted if path not in moved]
    _move_and_delete(store, moved, deleted, set(added) - set(moved.values()))
    yield from _parse(run, found, workers)
    if store.meta("link_pending") is not None:
        yield from _load(run, workers)
        yield from _link(run)
    _finish(run, listed)
    yield _report(store, moved, deleted, set(added) - set(moved.values()), set(run.changed) - set(added))


def _report(
    store: Store,
    moved: Mapping[str, str],
    deleted: Iterable[str],
    added: Iterable[str],
    changed: Iterable[str],
) -> Report:
    return Report(
        added=tuple(sorted(set(added) - set(moved.values()))),
        changed=tuple(sorted(changed)),
        deleted=tuple(sorted(set(deleted) - moved.keys())),
        renamed=tuple(sorted(moved.items())),
        files=store_index.file_count(store),
    )


def _move_and_delete(
    store: Store, moved: Mapping[str, str], deleted: Sequence[str], added: Collection[str]
) -> None:
    if not moved and not deleted:
        return
    with store.transaction():
        store.set_meta("link_pending", "1")
        folders = changes.moved_folders(moved)
        made = [new for new in folders.values() if not files_below(store, new)]
        for old, new in moved.items():
            apply.move(store, old, new)
        apply.remove(store, deleted)
        for old, new in folders.items():
            if (
                new in made
                and not files_below(store, old)
                and not any(_concerns(path, (old,)) for path in added)
            ):
                store_index.move_folder(store, old, new)


def _parse(run: _Run, found: changes.Scan, workers: int | None) -> Iterator[Event]:
    """Read what may have changed, and apply what did."""
    chunk = [Parsed(path, problem=changes.SYMLINK, stat=text) for path, text in found.links]
    touched: list[tuple[str | None, str]] = []
    total = len(found.tasks)
    for done, parsed in enumerate(parse_all(run.root, found.tasks, workers=workers), 1):
        if parsed.is_same:
            touched.append((parsed.stat, parsed.path))
        elif not parsed.is_gone:
            chunk.append(parsed)
            if parsed.problem:
                yield Problem(parsed.path, parsed.problem)
        if len(chunk) >= CHUNK:
            _apply(run, chunk)
            chunk = []
        yield Progress("parse", done, total)
    _apply(run, chunk)
    if touched:
        with run.store.transaction():
            store_index.touch_files(run.store, touched)


def _apply(run: _Run, chunk: Sequence[Parsed]) -> None:
    if not chunk:
        return
    with run.store.transaction():
        before = {parsed.path: store_index.facts(run.store, parsed.path) for parsed in chunk if parsed.facts}
        moved = apply.apply(run.store, chunk, run.terms)
        if run.store.meta("link_pending") is None and (moved or not _follow(run, chunk, before)):
            run.store.set_meta("link_pending", "1")
    run.changed.extend(parsed.path for parsed in chunk if run.has_other_rules or _is_news(run, parsed))
    if run.is_first:  # unpacked while the workers parse on, not when they are done
        run.facts.update((parsed.path, linking.unpack(parsed.facts)) for parsed in chunk if parsed.facts)


def _is_news(run: _Run, parsed: Parsed) -> bool:
    known = run.known.get(parsed.path)
    return known is None or known.content_hash != parsed.content_hash


def _follow(run: _Run, chunk: Sequence[Parsed], before: Mapping[str, bytes | None]) -> bool:
    """Bring the calls up to date for one file after the other; False: everything has to be linked again."""
    if run.outdated or not all(before.get(p.path) if p.facts else _is_no_code(run, p) for p in chunk):
        return False
    older = {path: data for path, data in before.items() if data}

    def load(path: str) -> FileFacts | None:
        data = older.get(path) or store_index.facts(run.store, path)
        return linking.unpack(data) if data else None

    def texts() -> Mapping[str, str]:
        return linking.project_texts(run.root, store_index.known_files(run.store))

    project = relinking.Project(run.store, load, texts, is_single=len(older) == 1)
    for parsed in chunk:
        if parsed.facts:
            old = linking.unpack(older.pop(parsed.path))
            if not relinking.relink(project, parsed.path, old, linking.unpack(parsed.facts)):
                return False
    return True


def _is_no_code(run: _Run, parsed: Parsed) -> bool:
    known = run.known.get(parsed.path)
    return not (known and known.language) and not linking.is_project_file(parsed.path)


def _finish(run: _Run, paths: Sequence[str]) -> None:
    """Everything that follows from the list of files as a whole, and what the run means for commits."""
    store = run.store
    with store.transaction():
        store_index.finish_load(store)
        _place(run)
        if run.only is None:
            head = changes.head(run.root)
            note_last_commits(store, run.root, head)
            if run.is_foreign:
                store_index.forget_strangers(store)
            _sign(store)
            store.set_meta("indexed_head", head)
            store.set_meta("indexed_at", store_notes.now())
        if run.describes:
            store_accepted.accept(store, None if run.only is None else paths, _staged(run.root, paths))


def _staged(root: str, paths: Sequence[str]) -> dict[str, str]:
    """Semantic hashes of what is staged where the working tree holds something else."""
    wanted = set(paths)
    blobs = [blob for blob in staged.partly_staged(root) if blob.path in wanted]
    return {blob.path: hashed for blob, hashed in staged.semantic_hashes(root, blobs) if hashed}


def _place(run: _Run) -> None:
    """Folders and systems: they follow from the list of files, and from what the project calls itself."""
    store, terms = run.store, run.terms
    paths = store_index.known_files(store)
    store_index.put_directories(store, directory_counts(paths))
    describe_folders(store, run.root, paths)
    names = json.dumps(sorted(terms.own_names))
    if store.meta("own_names") != names:
        store_index.put_systems(store, {path: system_of(path, terms.own_names) for path in paths})
        store.set_meta("own_names", names)


def _load(run: _Run, workers: int | None) -> Iterator[Event]:
    """Unpack the facts of all files; a file whose facts aren't ours is parsed again."""
    foreign = _unpack(run)
    if foreign:
        listed = filter(foreign.__contains__, listed_files(run.root))
        again: list[Task] = [(path, language_of(path) or "", None) for path in listed]
        yield from _parse(run, changes.Scan(again, [], [], [], 0), workers)
        _unpack(run)


def _unpack(run: _Run) -> set[str]:
    """Unpack what isn't yet; the paths of facts that aren't ours."""
    foreign = set()
    for path, data in store_index.all_facts(run.store, without=run.facts):
        if data is None:
            foreign.add(path)
        else:
            run.facts[path] = linking.unpack(data)
    return foreign


def _link(run: _Run) -> Iterator[Event]:
    store, facts = run.store, run.facts
    yield Progress("link", 0, len(facts))
    files = store_index.known_files(store)
    store.shrink()
    try:
        linked = linking.link_project(facts, linking.project_texts(run.root, files))
    except Exception as error:  # a fault of ours: names, texts and search are worth having without calls
        yield Problem(
            linking.looked_at(error) or ".",
            f"calls can't be linked: {type(error).__name__}: {error}; those of the last link stay",
        )
        return
    with store.transaction():
        store_links.put_calls(store, linked.calls)
        store_links.put_links(store, linked.imports, linked.calls)
        relinking.put_notes(store, linked.notes)
        store_links.clear_moved(store)
        store_taint.refresh_all(store)
        store.set_meta("link_pending", None)
    yield Progress("link", len(facts), len(facts))
