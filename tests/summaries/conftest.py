"""A stand-in for a model's server on this machine, and a small project with an index."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph.indexer import sync, update
from sctx_tui.graph.store import Store
from sctx_tui.summaries.run import Event, Report, describe, wanted
from sctx_tui.summaries.settings import Model, configured_model

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
MakeModel = Callable[..., Model]


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


@pytest.fixture
def server() -> Iterator[StandIn]:
    """A stand-in that answers well until told otherwise."""
    made = StandIn()
    yield made
    made.close()


@pytest.fixture
def model(server: StandIn) -> Callable[..., Model]:
    """A model at the stand-in; settings by their short names."""

    def make(**settings: object) -> Model:
        values = {
            "provider": "openai-compatible",
            "url": server.url,
            "model": "small",
            "concurrency": 1,
            "requests_per_minute": 6000,
            "timeout": 20,
            **settings,
        }
        found = configured_model({f"SCTX_SUMMARIES_{k.upper()}": str(v) for k, v in values.items()})
        assert found is not None
        return found

    return make


class Project:
    """A folder with files, git, and an index."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, files: Mapping[str, str]) -> None:
        """Create or replace files."""
        for path, content in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")

    def git(self, *arguments: str, **environment: str) -> str:
        """Run git in the root; what it prints."""
        import os

        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ("git", *identity, *arguments),
            cwd=self.root,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        return done.stdout

    def store(self, *, create: bool = False) -> Store:
        """The open index."""
        return Store.open(str(self.root), create=create)

    def sync(self, files: Mapping[str, str] | None = None, **options: Any) -> None:
        """Write files, and make the index or bring it up to date."""
        self.write(files or {})
        with self.store(create=True) as store:
            for _ in sync(store, str(self.root), **options):
                pass

    def update(self, *paths: str) -> None:
        """Bring some files up to date."""
        with self.store() as store:
            for _ in update(store, str(self.root), paths):
                pass

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """Rows of the index; single columns as plain values."""
        with self.store() as store:
            return [row[0] if len(row) == 1 else row for row in store.rows(sql, parameters)]

    def summaries(self) -> dict[str, str | None]:
        """Summary by id, of functions and classes."""
        return dict(self.rows("SELECT id, summary FROM functions WHERE kind <> 'module'"))

    def purposes(self, table: str = "files") -> dict[str, str | None]:
        """Purpose by path, of files or directories."""
        return dict(self.rows(f"SELECT path, purpose FROM {table}"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty git repository."""
    made = Project(tmp_path / "project")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    return made


SHOP = {
    "shop/__init__.py": "",
    "shop/money.py": "def add(a, b):\n    return a + b\n\n\ndef negate(a):\n    return -a\n",
    "shop/cart.py": (
        "from shop.money import add\n\n\ndef total(items):\n    return add(items[0], items[1])\n\n\n"
        "def twice(a):\n    return add(a, a)\n"
    ),
    "shop/tax.py": (
        '"""Taxes of all countries. More."""\n\nfrom shop.money import add\n\n\n'
        'def vat(a):\n    """Add the tax. Twice."""\n    return add(a, 1)\n'
    ),
}


@pytest.fixture
def shop(project: Project) -> Project:
    """Four Python files with calls, indexed."""
    project.sync(SHOP)
    return project


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once; how long they wait is tested in test_client.py."""
    monkeypatch.setattr("sctx_tui.summaries.client.FIRST_WAIT", 0.0)


def run(project: Project, model: Model, *arguments: Any, **options: Any) -> list[Event]:
    with project.store() as store:
        return list(describe(store, str(project.root), model, *arguments, **options))


def report(events: list[Event]) -> Report:
    assert isinstance(events[-1], Report)
    return events[-1]


def waiting(project: Project, **options: Any) -> list[str]:
    with project.store() as store:
        return [each.target for each in wanted(store, **options)]
