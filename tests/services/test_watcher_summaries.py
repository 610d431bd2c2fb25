"""With a model configured, what a watcher finds changed is described by it; without one nothing is sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sctx_tui.services import watcher_control, watcher_state

from .conftest import Repository
from .watching import eventually

CODE = "def {name}(a, b):\n    return a * b + len(str(a))\n"


class Model:
    """Answers like a model on this machine, and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                text = body["messages"][-1]["content"]
                asked.append(text)
                numbers = [
                    line[4:].partition(". ")[0] for line in text.split("\n") if line.startswith("### ")
                ]
                written = json.dumps(dict.fromkeys(numbers, "It multiplies."))
                reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": written}}]})
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply.encode())

            def log_message(self, *_: object) -> None:
                """Nothing on standard error."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    made = Model()
    monkeypatch.setenv("SCTX_SUMMARIES_URL", made.url)
    monkeypatch.setenv("SCTX_SUMMARIES_MODEL", "stand-in")
    yield made
    made.close()


@pytest.fixture
def project(repository: Repository) -> Iterator[Repository]:
    repository.write({"a.py": CODE.format(name="times")})
    repository.commit()
    repository.sync()
    yield repository
    watcher_control.stop(str(repository.root))


def test_what_has_changed_is_described(
    project: Repository, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCTX_SUMMARIES_PROVIDER", "openai-compatible")
    watcher_control.start(str(project.root))
    project.write({"b.py": CODE.format(name="product")})
    eventually(
        lambda: project.rows("SELECT summary FROM functions WHERE name = 'product'") == ["It multiplies."]
    )
    with open(watcher_state.log_file(str(project.root))) as log:
        eventually(lambda: "described: " in log.read())


@pytest.mark.parametrize("held_back", ["no provider", "--no-summaries"])
def test_nothing_is_sent_otherwise(
    project: Repository, model: Model, monkeypatch: pytest.MonkeyPatch, held_back: str
) -> None:
    if held_back != "no provider":
        monkeypatch.setenv("SCTX_SUMMARIES_PROVIDER", "openai-compatible")
    watcher_control.start(str(project.root), summaries=held_back == "no provider")
    root = str(project.root)
    for name in ("one", "two", "three"):
        project.write({"b.py": CODE.format(name=name)})
        eventually(partial(project.rows, f"SELECT id FROM functions WHERE name = '{name}'"))
    eventually(lambda: not watcher_state.read(root).queue)
    watcher_control.stop(root)
    assert model.asked == []


def test_settings_that_are_wrong_are_told(
    project: Repository, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCTX_SUMMARIES_PROVIDER", "nobody")
    watcher_control.start(str(project.root))
    project.write({"b.py": CODE.format(name="product")})
    with open(watcher_state.log_file(str(project.root))) as log:
        eventually(lambda: "no summaries: " in log.read())
    assert model.asked == []
