"""Running `sctx` in this process, and trees of files to run it on."""

from __future__ import annotations

import base64
import json
import os
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
