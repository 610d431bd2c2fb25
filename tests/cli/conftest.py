"""Running `sctx` in this process, and trees of files to run it on."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.cli.ctx import main as ctx_main
from sctx_tui.cli.sctx import main

Value = str | bytes | None | Mapping[str, str]


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
    """Write a tree of files: text, bytes, None for a directory, {"symlink": ...} or {"base64": ...}."""

    def write(files: Mapping[str, Value], name: str = "project") -> Path:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        for path, value in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if value is None:
                target.mkdir(exist_ok=True)
            elif isinstance(value, str):
                target.write_bytes(value.encode())
            elif isinstance(value, bytes):
                target.write_bytes(value)
            elif "symlink" in value:
                os.symlink(value["symlink"].replace("{ROOT}", str(root)), target)
            else:
                target.write_bytes(base64.b64decode(value["base64"]))
        return root

    return write


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

    def run(*arguments: str, cwd: Path) -> Result:
        monkeypatch.chdir(cwd)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capfd.readouterr()
        return Result(int(str(ended.value.code)), out, err)

    return run


@pytest.fixture
def run_ctx(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run `ctx` with these arguments in a directory."""

    def run(*arguments: str, cwd: Path) -> Result:
        monkeypatch.chdir(cwd)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            ctx_main(arguments)
        out, err = capfd.readouterr()
        return Result(int(str(ended.value.code)), out, err)

    return run


SHOP = {
    "shop/__init__.py": "",
    "shop/money.py": '"""Money in cents."""\ndef add(a, b):\n    """Add two amounts."""\n    return a + b\n',
    "shop/cart.py": "from shop.money import add\n\n\ndef total(xs):\n    return add(xs[0], xs[1])\n",
    "README.md": "# Shop\n",
}


class Shop:
    """A small project, git in it, and `ctx`."""

    def __init__(self, root: Path, run: Callable[..., Result]) -> None:
        self.root = root
        self._run = run

    def ctx(self, *arguments: str, cwd: Path | None = None) -> Result:
        return self._run(*arguments, cwd=cwd or self.root)

    def ok(self, *arguments: str, cwd: Path | None = None) -> Result:
        result = self.ctx(*arguments, cwd=cwd)
        assert result.code == 0, result.err
        return result

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        done = subprocess.run(
            ("git", *identity, *arguments), cwd=self.root, capture_output=True, text=True, check=True
        )
        return done.stdout

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


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
