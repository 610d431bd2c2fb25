"""A stand-in for a model's server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Headers = dict[str, str]


@dataclass
class Asked:
    """A request as it came in."""

    path: str
    headers: Headers
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """What the user's message says, in either form."""
        return self.body["messages"][-1]["content"]

    @property
    def items(self) -> dict[str, str]:
        """Id -> what is to be described (its first line)."""
        heads = [line[4:] for line in self.text.split("\n") if line.startswith("### ")]
        return {number: target for number, _, target in (head.partition(". ") for head in heads)}


@dataclass
class Answer:
    """What the server sends back; `chunks` takes the place of `body` and may wait in between."""

    body: Any = b""
    status: int = 200
    headers: Headers = field(default_factory=dict)
    chunks: Callable[[], Iterator[bytes]] | None = None


Script = Callable[[Asked], Answer]


def texts_for(asked: Asked) -> dict[str, str]:
    """A sentence for each item that names it, so that a mix-up would show."""
    return {number: f"It describes {target.rstrip('/')}." for number, target in asked.items.items()}


def openai_answer(written: str, usage: Mapping[str, int] | None = None) -> Answer:
    """A chat completion with this text."""
    reply: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": written}}]}
    return Answer(reply | ({"usage": dict(usage)} if usage else {}))


def good(asked: Asked) -> Answer:
    """What a model that understands answers, in the form that was asked."""
    if asked.path.endswith("/messages"):
        block = {"type": "tool_use", "id": "1", "name": "write_texts", "input": texts_for(asked)}
        return Answer({"content": [block], "usage": {"input_tokens": 100, "output_tokens": 10}})
    return openai_answer(json.dumps(texts_for(asked)), {"prompt_tokens": 100, "completion_tokens": 10})


class StandIn:
    """A server that answers by a script and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.script: Script = good
        self.under_way = 0
        self.most_under_way = 0
        self._lock = threading.Lock()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length))
                asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                try:
                    stand_in._answer(self, asked)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Nothing on standard error."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def _answer(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            answer = self.script(asked)
        finally:
            with self._lock:
                self.under_way -= 1
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        if answer.chunks is None:
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
            return
        handler.send_header("Connection", "close")
        handler.close_connection = True
        handler.end_headers()
        for chunk in answer.chunks():
            handler.wfile.write(chunk)
            handler.wfile.flush()

    @property
    def targets(self) -> list[str]:
        """Everything that was asked about, in order."""
        return [target for asked in self.asked for target in asked.items.values()]

    def close(self) -> None:
        """Stop answering: from now on connections are refused."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
