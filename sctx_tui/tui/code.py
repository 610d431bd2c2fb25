"""The code graph as the app asks it: the index where there is one, files parsed on the fly where there is
none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sctx_tui.graph.neighbours import Neighbourhood
    from sctx_tui.graph.store import Store
    from sctx_tui.graph.store_search import Hit
    from sctx_tui.tui.view import Found, IndexNotes

NO_INDEX = "No index: c builds one."


class CodeGraph:
    """Reads the index, for several threads; notices when it appears, changes or goes away."""

    def __init__(self, root: str, *, builds_index: bool = True) -> None:
        self.root = root
        self.builds_index = builds_index
        self._store: Store | None = None
        self._opening = threading.RLock()  # of two threads that open it at once, one would leave it open
        self._is_over = False
        self._version = -1
        self._flags: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._seen: object = None
        self._useless: object = None

    def store(self) -> Store | None:
        """The index, None while there is none that can be used, and after `close`."""
        with self._opening:
            return None if self._is_over else self._current()

    def _current(self) -> Store | None:
        from sctx_tui.graph.store import DamagedIndex, Store, StoreError, index_path

        found = None
        try:
            if self._store is not None:
                self._store.follow()
                return self._store
            found = _identity(index_path(self.root))
            if found is not None and found != self._useless:
                self._store = Store.open(self.root)
        except DamagedIndex:  # to be left alone while it stays the same: opening it changes its folder
            self._let_go()
            self._useless = found
        except StoreError:
            self._let_go()
        return self._store

    @property
    def has_index(self) -> bool:
        """Whether the last answer came from an index: then the next one is quick."""
        return self._store is not None

    def is_changed(self) -> bool:
        """Whether something else is in the index than when this was asked before."""
        store = self.store()
        before, self._seen = self._seen, store and (id(store.connection), store.version())
        return before != self._seen

    def close(self) -> None:
        """Let go of the index for good: a thread that is still at work doesn't open it again."""
        with self._opening:
            self._is_over = True
            self._let_go()

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def neighbourhood(self, target: str, most: int | None = None) -> Iterator[Neighbourhood]:
        """What is one step away from a path or a symbol's id, with at most so many callers, and callees; from
        the index, or parsed for as long as it may take."""
        store = self.store()
        try:
            if store is not None:
                from sctx_tui.graph.neighbours import neighbourhood

                found = None
                try:
                    found = neighbourhood(store, target, most=most)
                    yield found
                except KeyError:
                    pass  # not code, or new
                now = self._now(store, target)
                if now is not None:
                    yield now if found is None else _with_functions(found, now)
            else:
                from sctx_tui.graph.on_the_fly import neighbourhood_now

                yield neighbourhood_now(self.root, target, most=most)
        except KeyError:
            return  # not code, or not known (yet)

    def _now(self, store: Store, path: str) -> Neighbourhood | None:
        """What a file says of itself, if it has changed since it was indexed; None for one that hasn't."""
        import os

        from sctx_tui.graph import store_index
        from sctx_tui.graph.on_the_fly import file_now
        from sctx_tui.graph.worker import stat_text

        try:
            known, found = store_index.known_file(store, path), os.lstat(os.path.join(self.root, path))
            if known and known.stat == stat_text(found):
                return None
            return file_now(self.root, path, known.content_hash if known else None)
        except (OSError, ValueError, KeyError):
            return None  # a symbol, gone, or not code

    def read_ahead(self) -> Iterator[None]:
        """Read what the ranks of any file may need, if that hasn't been done for the index as it is now."""
        from sctx_tui.graph.neighbours import read_ahead
        from sctx_tui.tui.background import keep

        store = self.store()
        has_read = False
        for _ in read_ahead(store) if store is not None else ():
            has_read = True
            yield
        if has_read:
            keep()

    def flags(self) -> tuple[frozenset[str], frozenset[str]]:
        """Files with a tainted function, and files that changed since they were described."""
        from sctx_tui.graph import store_records

        store = self.store()
        if store is None:
            return frozenset(), frozenset()
        version = store.version()
        if version != self._version:
            self._version = version
            self._flags = (
                frozenset(store_records.tainted_files(store)),
                frozenset(store_records.stale_files(store)),
            )
        return self._flags

    def notes(self, path: str) -> IndexNotes | None:
        """Decisions and dangers of the index that hold for a path, None without an index."""
        store = self.store()
        if store is None:
            return None
        from sctx_tui.graph import store_notes
        from sctx_tui.payload.scopes import covers
        from sctx_tui.tui.view import IndexNotes

        return IndexNotes(
            tuple(each for each in store_notes.decisions(store) if covers(each.scope, path)),
            tuple(each for each in store_notes.dangers(store) if covers(each.scope, path)),
        )

    def search(self, query: str, limit: int) -> list[Found]:
        """Symbols and files that hold all words of the query."""
        from sctx_tui.graph import store_search

        store = self.store()
        if store is None:
            return []
        return [_found(hit) for hit in store_search.search(store, query, limit)]

    def files(self) -> int | None:
        """How many files the index holds, None without one."""
        from sctx_tui.graph import store_index

        store = self.store()
        return None if store is None else store_index.file_count(store)


def _with_functions(found: Neighbourhood, now: Neighbourhood) -> Neighbourhood:
    """A neighbourhood with the functions that the file has now; what else is known of them stays."""
    known = {each.id: each for each in found.functions}
    functions = tuple(
        replace(known[each.id], line=each.line, at_line=each.at_line, signature=each.signature)
        if each.id in known
        else each
        for each in now.functions
    )
    return replace(found, functions=functions)


def _identity(path: str) -> tuple[int, int, int] | None:
    import os

    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _found(hit: Hit) -> Found:
    from sctx_tui.tui.view import Found

    if hit.kind == "file":
        return Found(hit.kind, hit.file, hit.text, hit.file, hit.line)
    return Found(
        hit.kind, hit.id.partition("::")[2] or hit.name, hit.text or hit.signature, hit.file, hit.line, hit.id
    )
