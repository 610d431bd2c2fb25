"""What every tool call works on: the root, the index if there is one, and paths that stay inside."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sctx_tui.graph import store_records
from sctx_tui.graph.store import NoIndex, Store
from sctx_tui.graph.store_records import FileRecord, FunctionRecord
from sctx_tui.guidance.resolve import OutsideRoot, make_query
from sctx_tui.regular import open_regular
from sctx_tui.sanitize import clean
from sctx_tui.services.mcp.answers import Refused

NO_INDEX = "No code index here: ask the person to run `ctx init`."


class Session:
    """One server on one repository; calls are taken one after the other."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._store: Store | None = None
        self._lock = threading.Lock()

    @contextmanager
    def call(self) -> Iterator[None]:
        """One tool call at a time: each takes milliseconds, and writes must not interleave."""
        with self._lock:
            yield

    def close(self) -> None:
        """Close the index."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def find_store(self) -> Store | None:
        """The index as it lies on disk now, or None where there is none."""
        try:
            if self._store is None:
                self._store = Store.open(self.root)
            else:
                self._store.follow()
        except NoIndex:
            self.close()
        return self._store

    def store(self) -> Store:
        """The index; Refused where there is none."""
        found = self.find_store()
        if found is None:
            raise Refused(NO_INDEX)
        return found

    def path(self, text: str) -> str:
        """A path relative to the root with `/`; Refused when it leads outside."""
        try:
            return make_query(text, root=self.root).path
        except OutsideRoot as error:
            raise Refused(clean(str(error))) from error

    def file(self, text: str) -> FileRecord:
        """The indexed file that `text` names; Refused when there is none."""
        path = self.path(text)
        record = store_records.file(self.store(), path)
        if record is None:
            raise Refused(f"{clean(path)} is not in the index; `ctx sync` adds new files")
        return record

    def function(self, text: str) -> FunctionRecord:
        """The indexed function with this id; Refused with near ids when there is none."""
        path, separator, name = text.partition("::")
        if not separator:
            raise Refused("a function's id is path::name, for instance src/a.py::Class.method")
        wanted = f"{self.path(path)}::{name}"
        store = self.store()
        record = store_records.function(store, wanted)
        if record is None:
            bare = name.rpartition(".")[2].partition("#")[0]
            near = [clean(each.id) for each in store_records.functions_named(store, bare, 5)]
            hint = f"; did you mean {', '.join(near)}?" if near else "; `search` finds ids by name"
            raise Refused(f"no function {clean(wanted)}{hint}")
        return record

    def staleness(self, record: FileRecord) -> list[str]:
        """A note when the file on disk is not the one that was indexed."""
        try:
            with open_regular(os.path.join(self.root, record.path)) as opened:
                same = hashlib.file_digest(opened, "sha256").hexdigest() == record.content_hash
        except OSError:
            return [f"{clean(record.path)} can't be read any more; `ctx sync` brings the index up to date."]
        if same:
            return []
        return [
            f"{clean(record.path)} has changed since it was indexed; update_file or `ctx sync` mends that."
        ]
