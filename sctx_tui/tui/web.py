"""The app in a browser, through textual-serve: on this machine only."""

from __future__ import annotations

import shlex
import socket
import sys

HOST = "127.0.0.1"
PORT = 8000


def serve(
    path: str | None, *, root: str | None, on: str | None, when: str | None, theme: str | None, no_index: bool
) -> int:
    """Serve until interrupted; the exit code."""
    try:
        from textual_serve.server import Server
    except ImportError:
        sys.stderr.write("error: --web needs an extra: pip install 'sctx-tui[web]'\n")
        return 1
    words = [sys.executable, "-m", "sctx_tui", "tui"]
    options = {"--root": root, "--on": on, "--when": when, "--theme": theme}
    words += [f"{name}={value}" for name, value in options.items() if value]
    words += ["--no-index"] if no_index else []
    words += ["--", path] if path else []
    Server(shlex.join(words), host=HOST, port=free_port(), title="sctx").serve()
    return 0


def free_port() -> int:
    """The usual port, or another one if that is taken."""
    for port in (PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return PORT
