"""Summaries: what asking a model costs besides the model, against a stand-in server.

    python tests/bench/summaries.py [FUNCTIONS]

Makes a project with FUNCTIONS functions (default 2,000), indexes it, and has a server on this machine that
answers at once, or after a wait, describe all of them. Printed: our own CPU time for a text (the server's is
subtracted by running it in a process of its own), texts a second, and how near concurrency comes to its best.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

from sctx_tui.graph.indexer import sync
from sctx_tui.graph.store import Store
from sctx_tui.summaries.run import Report, describe
from sctx_tui.summaries.settings import configured_model

IN_A_FILE = 50


def serve(port: Connection, wait: float) -> None:
    """Answer every request for texts with a sentence for each item, after `wait` seconds."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            numbers = re.findall(r"^### (\d+)\. ", asked["messages"][-1]["content"], re.MULTILINE)
            time.sleep(wait)
            written = json.dumps({number: f"Adds up row {number} of the table." for number in numbers})
            body = json.dumps({"choices": [{"message": {"role": "assistant", "content": written}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port.send(server.server_port)
    server.serve_forever()


@contextmanager
def stand_in(wait: float) -> Iterator[str]:
    """The address of such a server in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, wait), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def make(root: Path, functions: int) -> None:
    """A project whose functions have no docstrings."""
    for start in range(0, functions, IN_A_FILE):
        lines = [
            f"def row_{number}(table, rate):\n    total = 0\n    for value in table[{number}]:\n"
            f"        total += value * rate\n    return total\n\n"
            for number in range(start, min(start + IN_A_FILE, functions))
        ]
        (root / f"rows_{start}.py").write_text("\n".join(lines))


def measure(root: Path, url: str, concurrency: int) -> tuple[int, float, float]:
    """Describe everything: texts, CPU and wall seconds."""
    environment = {
        "SCTX_SUMMARIES_PROVIDER": "openai-compatible",
        "SCTX_SUMMARIES_URL": url,
        "SCTX_SUMMARIES_MODEL": "stand-in",
        "SCTX_SUMMARIES_CONCURRENCY": str(concurrency),
        "SCTX_SUMMARIES_REQUESTS_PER_MINUTE": "6000",
    }
    model = configured_model(environment)
    assert model is not None
    with Store.open(str(root), create=True) as store:
        for _ in sync(store, str(root)):
            pass
        used, start = time.process_time(), time.perf_counter()
        events = list(describe(store, str(root), model))
        spent = time.process_time() - used, time.perf_counter() - start
    report = events[-1]
    assert isinstance(report, Report) and report.stopped is None, report
    return sum(report.written.values()), *spent


def main() -> int:
    """Measure an instant server, then a slow one with more and more requests at a time."""
    functions = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    os.environ["XDG_CONFIG_HOME"] = tempfile.gettempdir()
    for wait, concurrency in ((0.0, 2), (0.2, 1), (0.2, 2), (0.2, 8)):
        count = functions if not wait else min(functions, 200)
        with tempfile.TemporaryDirectory() as folder, stand_in(wait) as url:
            make(Path(folder), count)
            texts, cpu, wall = measure(Path(folder), url, concurrency)
            best = wait * texts / 8 / concurrency
            print(
                f"answers after {wait:.1f} s, {concurrency} at a time: {texts} texts,"
                f" {1000 * cpu / texts:.2f} ms CPU a text, {texts / wall:.0f} texts a second"
                + (f", {wall / best:.2f} x the wait alone" if wait else "")
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
