"""A small indexed project for the services."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph import store_notes
from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store
from sctx_tui.services.mcp.server import run_tool
from sctx_tui.services.mcp.session import Session

from .. import repository as files
from .watching import LAST, Fresh, Running, dump, watching

FILES = {
    "AGENTS.yaml": """\
context:
  - content: "Money is an integer in cents."
    match: ["shop/**/*.py"]
    on: edit
decisions:
  - decision: "No floats"
    rationale: "Rounding"
    alternatives:
      - option: "Decimal"
        reason_rejected: "Slow in reports"
""",
    "shop/__init__.py": "",
    "shop/cart.py": '''\
"""Adds up what is bought."""


class Cart:
    """Holds items."""

    def __init__(self, items):
        self.items = items

    def total(self, rate=1):
        """Adds up the items. Taxes come last."""
        return add(self.items) * rate


def add(items):
    return sum(items)
''',
    "shop/pay.py": "from shop.cart import Cart\n\n\ndef pay(items):\n    return Cart(items).total()\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A git repository with the files above, not indexed."""
    root = tmp_path / "project"
    for path, text in FILES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", root], check=True)
    return root


@pytest.fixture
def index(project: Path) -> Callable[[], None]:
    """Bring the project's index up to date, making it first."""

    def run() -> None:
        with Store.open(str(project), create=True) as store:
            for _ in sync(store, str(project), workers=1):
                pass

    return run


CTX = (sys.executable, "-c", "from sctx_tui.cli.ctx import main; main()")


class Repository(files.Repository):
    """A git repository with an index."""

    def sync(self) -> None:
        """Bring the index up to date, making it first."""
        with Store.open(str(self.root), create=True) as store:
            for _ in sync(store, str(self.root), workers=1):
                pass

    def ctx(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `ctx` in the root."""
        return subprocess.run(
            (*CTX, *arguments),
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """An empty repository in a folder whose name needs care; the user's folders are the test's own."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return Repository.new(tmp_path / "a project")


@pytest.fixture
def session(project: Path) -> Iterator[Session]:
    made = Session(str(project))
    yield made
    made.close()


@pytest.fixture
def call(session: Session) -> Callable[..., tuple[str, Any, bool]]:
    """Call a tool: (text, data, whether it is an error)."""

    def run(name: str, **arguments: Any) -> tuple[str, Any, bool]:
        result = run_tool(session, name, arguments)
        return result.content[0].text, result.structured_content, bool(result.is_error)

    return run


@pytest.fixture
def indexed(index: Callable[[], None], call: Callable[..., Any]) -> Callable[..., tuple[str, Any, bool]]:
    index()
    return call


IDENTITY = {
    name: value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in ((f"GIT_{role}_NAME", "t"), (f"GIT_{role}_EMAIL", "t@example.org"))
}


class Life(Repository):
    """A repository that somebody works in, with an index and hooks."""

    def try_git(
        self, *arguments: str, check: bool = False, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **IDENTITY, "GIT_EDITOR": "true", **(env or {})}
        return subprocess.run(
            ("git", *arguments), cwd=self.root, env=environment, check=check, capture_output=True, text=True
        )

    def describe(self) -> None:
        """As a person does with `ctx sync`."""
        with Store.open(str(self.root)) as store:
            list(sync(store, str(self.root), workers=1))

    def save(self, message: str, *arguments: str, **files: str) -> None:
        """Write files, describe and commit them."""
        self.write({name.replace("__", "/") + ".py": text for name, text in files.items()})
        self.git("add", "-A")
        self.describe()
        self.git("commit", "-q", "-m", message, *arguments)

    def changes(self, file: str) -> list[str]:
        """What was recorded of a file, oldest first."""
        with Store.open(str(self.root)) as store:
            return [change.summary for change in reversed(store_notes.changes(store, file))]

    def indexed_head(self) -> str:
        with Store.open(str(self.root)) as store:
            return store.meta("indexed_head") or ""

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()


def text(number: int) -> str:
    """A file with a function; another number, another meaning."""
    return f"def f(a):\n    return a + {number}\n"


@pytest.fixture
def life(repository: Repository) -> Life:
    """One commit, an index and hooks."""
    made = Life(repository.root)
    made.write({"a.py": text(0)})
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "first")
    assert made.ctx("init", "--hooks", "--no-watch").returncode == 0
    return made


SHOP = {
    ".gitignore": "build/\n",
    "shop/__init__.py": "",
    "shop/cart.py": "from shop.prices import price\n\n\n"
    "def total(items):\n    return sum(price(i) for i in items)\n",
    "shop/prices.py": "def price(item):\n    return item.cents\n\n\n"
    "def tax(item):\n    return price(item) // 5\n",
    "shop/pay.py": "from shop.cart import total\nfrom shop.prices import tax\n\n\n"
    "def pay(items):\n    return total(items) + tax(items[0])\n",
    "docs/readme.md": "# Shop\n",
}


@pytest.fixture
def shop(repository: Repository) -> Repository:
    repository.write(SHOP)
    repository.commit()
    repository.sync()
    return repository


@pytest.fixture
def fresh(tmp_path: Path) -> Fresh:
    """What an index has that is made anew from the same files."""
    numbers = iter(range(1000))

    def make(repository: files.Repository) -> dict[str, list[Any]]:
        copy = Repository(tmp_path / f"fresh {next(numbers)}" / repository.root.name)
        shutil.copytree(repository.root, copy.root, ignore=shutil.ignore_patterns(".ctx"), symlinks=True)
        copy.sync()
        return dump(copy)

    return make


@pytest.fixture
def watched(shop: Repository) -> Iterator[Running]:
    with watching(shop) as running:
        yield running


@pytest.fixture
def planted(repository: Repository) -> Repository:
    repository.write(
        {
            ".gitignore": "build/\nnode_modules/\n*.o\n",
            "src/a.py": "a = 1\n",
            "src/b.py": "b = 1\n",
            "src/deep/er/c.py": "c = 1\n",
            LAST: "x = 0\n",
            "build/out/x.py": "",
        }
    )
    (repository.root / "empty").mkdir()
    repository.commit()
    return repository
