"""A model at the stand-in for a server, and a small project with an index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph.indexer import sync, update
from sctx_tui.graph.store import Store
from sctx_tui.summaries.run import Event, Report, describe, wanted
from sctx_tui.summaries.settings import Model, configured_model

from ..repository import Repository
from ..stand_in import StandIn

MakeModel = Callable[..., Model]


@pytest.fixture
def model(server: StandIn) -> Callable[..., Model]:
    """A model at the stand-in; settings by their short names."""

    def make(**settings: object) -> Model:
        values = {
            "provider": "openai-compatible",
            "url": server.url,
            "model": "small",
            "concurrency": 1,
            "requests_per_minute": 6000,
            "timeout": 20,
            **settings,
        }
        found = configured_model({f"SCTX_SUMMARIES_{k.upper()}": str(v) for k, v in values.items()})
        assert found is not None
        return found

    return make


class Project(Repository):
    """A git repository with an index."""

    def store(self, *, create: bool = False) -> Store:
        """The open index."""
        return Store.open(str(self.root), create=create)

    def sync(self, files: Mapping[str, str] | None = None, **options: Any) -> None:
        """Write files, and make the index or bring it up to date."""
        self.write(files or {})
        with self.store(create=True) as store:
            for _ in sync(store, str(self.root), **options):
                pass

    def update(self, *paths: str) -> None:
        """Bring some files up to date."""
        with self.store() as store:
            for _ in update(store, str(self.root), paths):
                pass

    def summaries(self) -> dict[str, str | None]:
        """Summary by id, of functions and classes."""
        return dict(self.rows("SELECT id, summary FROM functions WHERE kind <> 'module'"))

    def purposes(self, table: str = "files") -> dict[str, str | None]:
        """Purpose by path, of files or directories."""
        return dict(self.rows(f"SELECT path, purpose FROM {table}"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty git repository."""
    return Project.new(tmp_path / "project")


SHOP = {
    "shop/__init__.py": "",
    "shop/money.py": "def add(a, b):\n    return a + b\n\n\ndef negate(a):\n    return -a\n",
    "shop/cart.py": (
        "from shop.money import add\n\n\ndef total(items):\n    return add(items[0], items[1])\n\n\n"
        "def twice(a):\n    return add(a, a)\n"
    ),
    "shop/tax.py": (
        '"""Taxes of all countries. More."""\n\nfrom shop.money import add\n\n\n'
        'def vat(a):\n    """Add the tax. Twice."""\n    return add(a, 1)\n'
    ),
}


@pytest.fixture
def shop(project: Project) -> Project:
    """Four Python files with calls, indexed."""
    project.sync(SHOP)
    return project


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once; how long they wait is tested in test_client.py."""
    monkeypatch.setattr("sctx_tui.summaries.client.FIRST_WAIT", 0.0)


def run(project: Project, model: Model, *arguments: Any, **options: Any) -> list[Event]:
    with project.store() as store:
        return list(describe(store, str(project.root), model, *arguments, **options))


def report(events: list[Event]) -> Report:
    assert isinstance(events[-1], Report)
    return events[-1]


def waiting(project: Project, **options: Any) -> list[str]:
    with project.store() as store:
        return [each.target for each in wanted(store, **options)]
