"""Running `sctx` in this process, and trees of files to run it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.cli.ctx import main as ctx_main
from sctx_tui.cli.sctx import main

from .. import trees
from ..repository import Repository


@dataclass
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@pytest.fixture
def plant(tmp_path: Path) -> Callable[..., Path]:
    """Write a tree of files, as in `trees.py`."""

    def write(files: trees.Tree, name: str = "project") -> Path:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        return trees.plant(root, files)

    return write


def _run(
    main: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    def run(*arguments: str, cwd: Path) -> Result:
        monkeypatch.chdir(cwd)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capfd.readouterr()
        return Result(int(str(ended.value.code)), out, err)

    return run


@pytest.fixture
def sctx(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Result]:
    """Run `sctx` with these arguments in a directory; no home directory of a person is ever touched."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR", "CLAUDE_PROJECT_DIR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    return _run(main, monkeypatch, capfd)


@pytest.fixture
def run_ctx(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run `ctx` with these arguments in a directory."""

    return _run(ctx_main, monkeypatch, capfd)


SHOP = {
    "shop/__init__.py": "",
    "shop/money.py": '"""Money in cents."""\ndef add(a, b):\n    """Add two amounts."""\n    return a + b\n',
    "shop/cart.py": "from shop.money import add\n\n\ndef total(xs):\n    return add(xs[0], xs[1])\n",
    "README.md": "# Shop\n",
}


class Shop(Repository):
    """A small project, git in it, and `ctx`."""

    def __init__(self, root: Path, run: Callable[..., Result]) -> None:
        super().__init__(root)
        self._run = run

    def ctx(self, *arguments: str, cwd: Path | None = None) -> Result:
        return self._run(*arguments, cwd=cwd or self.root)

    def ok(self, *arguments: str, cwd: Path | None = None) -> Result:
        result = self.ctx(*arguments, cwd=cwd)
        assert result.code == 0, result.err
        return result


@pytest.fixture
def bare(plant: Callable[..., Path], run_ctx: Callable[..., Result]) -> Shop:
    """Files in a git repository, no index."""
    shop = Shop(plant(SHOP), run_ctx)
    shop.git("init", "-q", "-b", "main")
    return shop


@pytest.fixture
def shop(bare: Shop) -> Shop:
    """The same with an index."""
    bare.ok("init")
    return bare
