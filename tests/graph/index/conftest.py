"""Small projects with an index."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph import store_index
from sctx_tui.graph.indexer import Event, Report, sync, update
from sctx_tui.graph.linking import unpack
from sctx_tui.graph.store import Store

from ...repository import Repository
from .derived import DERIVED


class Project(Repository):
    """A folder with files, a git repository if asked for, and an index."""

    def sync(self, **options: Any) -> Report:
        """Bring the index up to date, making it if need be; the report."""
        return self.events(sync, **options)[-1]  # type: ignore[return-value]

    def update(self, *paths: str, **options: Any) -> Report:
        """Bring some paths up to date."""
        return self.events(update, paths, **options)[-1]  # type: ignore[return-value]

    def events(self, run: Callable[..., Any], *arguments: Any, **options: Any) -> list[Event]:
        """Every event of a run."""
        with self.store(create=True) as store:
            return list(run(store, str(self.root), *arguments, **options))

    def store(self, *, create: bool = False) -> Store:
        """The open index."""
        return Store.open(str(self.root), create=create)

    def edges(self) -> set[str]:
        """`caller -> callee` of every certain call."""
        pairs = self.rows("SELECT caller_id, callee_id FROM call_graph WHERE callee_id IS NOT NULL")
        return {f"{caller} -> {callee}" for caller, callee in pairs}

    def dump(self) -> dict[str, list[Any]]:
        """What follows from the files, table by table, in no order of its making."""
        found = {table: sorted(self.rows(sql), key=repr) for table, sql in DERIVED.items()}
        with self.store() as store:
            facts = [(path, data and unpack(data)) for path, data in store_index.all_facts(store)]
        return found | {"facts": facts}

    def tainted(self) -> set[str]:
        """Ids of functions that are flagged."""
        return set(self.rows("SELECT id FROM functions WHERE is_tainted"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty git repository."""
    return Project.new(tmp_path / "project")


FILES = {"a.py": "def f(): pass\n", "b.py": "from a import f\n\n\ndef g():\n    f()\n"}


@pytest.fixture
def indexed(project: Project) -> Project:
    """Two files, one of which calls the other, with an index."""
    project.write(FILES)
    project.sync()
    return project


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[Project], Project]:
    """A copy of a project's listed files with an index that was made from nothing."""
    numbers = iter(range(1_000_000))

    def make(project: Project) -> Project:
        copy = Project(tmp_path / f"fresh{next(numbers)}" / project.root.name)
        copy.root.mkdir(parents=True)
        copy.git("init", "-q", "-b", "main")
        listed = project.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for path in filter(None, dict.fromkeys(listed.split("\0"))):
            if os.path.lexists(project.root / path):
                copy.write({path: (project.root / path).read_bytes()})
        copy.sync()
        return copy

    return make
