"""The app in a browser, through textual-serve: on this machine only, and only for pages that it served
itself."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

HOST = "127.0.0.1"
PORT = 8000


def serve(
    path: str | None, *, root: str | None, on: str | None, when: str | None, theme: str | None, no_index: bool
) -> int:
    """Serve until interrupted; the exit code."""
    options = {"--root": root, "--on": on, "--when": when, "--theme": theme}
    words = [
        sys.executable,
        "-P",  # nothing is imported from the project
        "-m",
        "sctx_tui",
        "tui",
        *(f"{name}={value}" for name, value in options.items() if value),
    ]
    words += ["--no-index"] if no_index else []
    words += ["--", path] if path else []
    with listening() as connection:
        try:
            server = _server(shlex.join(words), connection)
        except ImportError:
            sys.stderr.write("error: --web needs an extra: pip install 'sctx-tui[web]'\n")
            return 1
        server.serve()
    return 0


def _server(command: str, connection: socket.socket) -> Any:
    from aiohttp import web
    from textual_serve.server import Server

    port = connection.getsockname()[1]

    class LoopbackServer(Server):
        """Serves our own page, which loads nothing from elsewhere, and refuses whom it doesn't know."""

        def serve(self, debug: bool = False) -> None:
            """Serve until a signal ends it, on the connection that is there: no port is taken meanwhile."""
            self.debug = debug
            loop = asyncio.new_event_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):
                    loop.add_signal_handler(number, self.request_exit)
            app = self._make_app()
            web.run_app(app, sock=connection, handle_signals=False, loop=loop, print=lambda *_: None)

        async def _make_app(self) -> web.Application:
            app: web.Application = await super()._make_app()
            app.middlewares.append(guard(port))
            return app

        async def on_startup(self, app: web.Application) -> None:
            sys.stdout.write(f"The app is at http://{HOST}:{port}/ (Ctrl+C ends it)\n")
            sys.stdout.flush()

    return LoopbackServer(
        command, host=HOST, port=port, title="sctx", templates_path=os.path.dirname(__file__)
    )


def guard(port: int) -> Any:
    """Requests come from our page alone: another page in the same browser can reach this port too."""
    from aiohttp import web

    hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
    origins = {f"http://{host}" for host in hosts}

    @web.middleware
    async def check(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin is not None and origin not in origins):
            raise web.HTTPForbidden(text="This app answers to its own page only.")
        if request.path == "/ws" and origin is None:
            raise web.HTTPForbidden(text="This app answers to its own page only.")
        return await handler(request)

    return check


def listening() -> socket.socket:
    """A socket that listens at the usual port, or at another one if that is taken."""
    try:
        return _listening(PORT)
    except OSError:
        return _listening(0)


def _listening(port: int) -> socket.socket:
    connection = socket.socket()
    try:
        if os.name == "posix":  # elsewhere it lets two programs share a port
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        connection.bind((HOST, port))
        connection.listen()
    except OSError:
        connection.close()
        raise
    return connection
