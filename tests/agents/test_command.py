"""How others should call us, and how we know our own command in their settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sctx_tui.agents import command
from sctx_tui.agents.command import Command, installed_command, is_hook_command


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program file of this installation, in a folder with a space in its name."""
    script = program(tmp_path / "my env" / "bin" / "sctx")
    monkeypatch.setattr(command, "_own_script", lambda name: str(script))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    return script


def test_the_bare_name_where_it_finds_us(ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(ours.parent))
    assert installed_command("sctx") == Command(("sctx",))
    link = tmp_path / "local" / "sctx"
    link.parent.mkdir()
    link.symlink_to(ours)
    monkeypatch.setenv("PATH", str(link.parent))
    assert installed_command("sctx").shell("hook") == "sctx hook"


def test_the_path_where_another_is_found(ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = program(tmp_path / "go" / "sctx")
    monkeypatch.setenv("PATH", str(other.parent))
    found = installed_command("sctx")
    assert found.words == (str(ours),)
    assert "another installation" in found.note and str(ours) in found.note


def test_the_path_where_none_is_found(ours: Path) -> None:
    found = installed_command("sctx")
    assert found.shell("hook") == f"'{ours}' hook"
    assert "not on your PATH" in found.note


def test_a_shell_runs_what_we_write(ours: Path, tmp_path: Path) -> None:
    program(ours, f'#!/bin/sh\necho "$@" > {tmp_path}/said\n')
    subprocess.run(["/bin/sh", "-c", installed_command("sctx").shell("hook")], check=True)
    assert (tmp_path / "said").read_text() == "hook\n"


def test_without_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "_own_script", lambda name: None)
    found = installed_command("sctx")
    assert found.words == (sys.executable, "-P", "-m", "sctx_tui")
    assert found.note
    done = subprocess.run([*found.words, "hook", "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: sctx hook")
    assert is_hook_command(found.shell("hook"))


def test_our_own_program_is_found() -> None:
    """Of this very environment, whatever the PATH says."""
    script = command._own_script("sctx")
    assert script is not None and os.access(script, os.X_OK)
    assert os.path.realpath(os.path.dirname(script)) == os.path.realpath(os.path.dirname(sys.executable))


def test_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.os, "name", "nt")
    line = Command(("C:\\Users\\A B\\Scripts\\sctx.exe",)).shell("hook")
    assert line == '"C:/Users/A B/Scripts/sctx.exe" hook'
    assert is_hook_command(line)
    assert Command(("C:\\py\\sctx.exe",)).shell("hook") == "C:/py/sctx.exe hook"


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("sctx hook", True),
        ("/usr/local/bin/sctx hook", True),
        ("~/go/bin/sctx hook", True),
        ("'/with space/sctx' hook", True),
        ('"/with space/sctx" hook', True),
        ('"C:\\Program Files\\sctx.exe" hook', True),
        ("C:\\bin\\sctx.exe hook", True),
        ("sctx  hook --root .", True),
        ("/usr/bin/python3 -m sctx_tui hook", True),
        ("/usr/bin/python3 -P -m sctx_tui hook", True),
        ("/usr/bin/python3 -P -m sctx_tui", False),
        ("sctx", False),
        ("sctx context a", False),
        ("notsctx hook", False),
        ("sctx-wrapper hook", False),
        ("echo sctx hook", False),
        ("mine", False),
        ("'unterminated", False),
        ("", False),
    ],
)
def test_our_command(line: str, ours: bool) -> None:
    assert is_hook_command(line) is ours
