"""A small indexed project for the services."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store

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
