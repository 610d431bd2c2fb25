"""The real program in a real terminal, driven through tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
PATIENCE = 30.0
"""Seconds until something that must appear counts as missing; machines that run tests are busy."""


def _environment() -> dict[str, str]:
    """Ours without the size that whoever runs the tests believes in: tmux gives the window one."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return {**environment, "TERM": "xterm-256color"}


class Terminal:
    """A window of tmux with the app in it."""

    def __init__(self, directory: Path, scratch: Path, *arguments: str, command: str = "") -> None:
        number = len(list(scratch.iterdir()))
        self._socket = str(scratch / f"tmux{number}")
        self.output = scratch / f"output{number}"
        command = (
            command
            or f"'{sys.executable}' -m sctx_tui tui {' '.join(arguments)}; echo ended with $?; sleep 60"
        )
        self._tmux("new-session", "-d", "-x", "120", "-y", "36", "-c", str(directory), command)
        self._tmux("pipe-pane", "-o", f"cat > '{self.output}'")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self._socket, *words],
            capture_output=True,
            text=True,
            check=False,
            env=_environment(),
        )
        return done.stdout

    def keys(self, *names: str) -> None:
        for name in names:
            self._tmux("send-keys", name)
            time.sleep(0.15)

    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    def shows(self, *texts: str) -> str:
        """Wait until all of the texts are on the screen."""
        return self.until(lambda shown: all(text in shown for text in texts), " and ".join(texts))

    def until(self, holds: Callable[[str], bool], what: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.text()
            if holds(shown):
                return shown
            time.sleep(0.05)
        pytest.fail(f"never shown: {what}\n{self.text()}")

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A place for the socket: its path must be short. No window outlives the test, whatever became of it."""
    folder = tmp_path / "t"
    folder.mkdir()
    yield folder
    for socket in folder.glob("tmux*"):
        subprocess.run(["tmux", "-S", str(socket), "kill-server"], capture_output=True, check=False)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An editor with the name of a known one; writes down its arguments, ends with 3."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "vim"
    script.write_text(f'#!/bin/sh\nstty -a > "{tmp_path}/stty"\necho "$@" > "{tmp_path}/arguments"\nexit 3\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    return tmp_path / "arguments"


@pytest.fixture
def terminal(shop: Path, scratch: Path, editor: Path) -> Iterator[Terminal]:
    """The app on a file of the shop."""
    window = Terminal(shop, scratch, "src/payments/checkout.ts", "--no-index")
    yield window
    window.close()


def test_a_session(terminal: Terminal, shop: Path, editor: Path) -> None:
    terminal.shows("shop › src › payments › checkout.ts", "Money values", "20 files")

    terminal.keys("a")
    terminal.shows("action read", "Answer in English")
    terminal.keys("x")
    terminal.shows("× Use ESM imports", "other action: on edit, create, asked read")

    terminal.keys("1", "j", "e")
    terminal.shows("ended with code 3")
    assert editor.read_text().strip() == f"+7 {os.path.realpath(shop / 'AGENTS.yaml')}"
    assert " icanon" in (editor.parent / "stty").read_text(), "the editor gets the terminal as it was"

    terminal.keys("0", "/", "r", "e", "f", "Enter")
    terminal.shows("refund.ts", "of 20")
    terminal.keys("3")
    terminal.shows("refund(receipt: Receipt): void", "▶")

    (shop / "src" / "payments" / "AGENTS.yaml").write_text("context:\n  - content: changed meanwhile\n")
    terminal.keys("1")
    terminal.shows("changed meanwhile")
    (shop / "src" / "payments" / "fresh.ts").write_text("")
    terminal.keys("0", "Escape")
    terminal.shows("fresh.ts")

    terminal.keys("q")
    shown = terminal.shows("ended with 0")
    assert "Traceback" not in shown


def test_state_is_kept_for_the_next_run(shop: Path, scratch: Path) -> None:
    first = Terminal(shop, scratch, "src/orders/cart.ts", "--no-index", "--on=edit")
    first.shows("cart.ts", "action edit")
    first.keys("2")
    first.shows("REST over GraphQL")
    first.keys("q")
    first.shows("ended with 0")
    first.close()
    second = Terminal(shop, scratch, "--no-index")
    second.shows("shop › src › orders › cart.ts", "action edit", "REST over GraphQL")
    second.close()


def test_copying_sends_osc_52(terminal: Terminal) -> None:
    terminal.shows("Money values")
    terminal.keys("1", "y")
    terminal.shows("Sent to the terminal's clipboard: AGENTS.yaml:2")
    assert b"\x1b]52;c;QUdFTlRTLnlhbWw6Mg==" in terminal.output.read_bytes()


def test_a_hostile_name_reaches_the_terminal_as_text(shop: Path, scratch: Path) -> None:
    (shop / "evil\x1b]0;owned\x07\x1b[2J.py").write_text("")
    window = Terminal(shop, scratch, "--no-index")
    window.shows("evil\\x1b]0;owned\\x07")
    assert b"owned\x07" not in window.output.read_bytes()
    window.close()


def test_no_colour_sends_no_colour(shop: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    window = Terminal(shop, scratch, "--no-index")
    window.shows("20 files")
    sent = window.output.read_bytes()
    assert b"\x1b[38;" not in sent.replace(b"[38;5;", b"[38;")
    assert b";38;2;" not in sent
    assert b"48;2;" not in sent
    window.close()


def test_the_index_is_built_while_one_works(shop: Path, scratch: Path) -> None:
    window = Terminal(shop, scratch, "src/payments/checkout.ts")
    window.shows("index 20 files ✓")
    window.keys("3")
    window.shows("Order.pay(): void")
    window.keys("q")
    window.shows("ended with 0")
    window.close()
    assert (shop / ".ctx" / "index.db").exists()


def test_ctrl_c_ends_the_app(terminal: Terminal) -> None:
    terminal.shows("Money values")
    terminal.keys("C-c")
    terminal.shows("ended with 0")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell with job control")
def test_ctrl_z_goes_to_the_shell_and_fg_returns(shop: Path, scratch: Path) -> None:
    window = Terminal(shop, scratch, command="bash --norc -i")
    window.until(lambda shown: "bash" in shown, "a prompt")
    window.keys(f"'{sys.executable}' -m sctx_tui tui --no-index", "Enter")
    window.shows("20 files")
    window.keys("C-z")
    window.shows("Stopped")
    window.keys("fg", "Enter")
    window.until(lambda shown: "20 files" in shown and "Stopped" not in shown, "the app again")
    window.keys("q")
    window.until(lambda shown: "20 files" not in shown, "the shell again")
    window.close()
