"""The app in a browser: on this machine only, from our own page only."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.tui import web

PAGE = Path(web.__file__).with_name("app_index.html")


def test_without_the_extra_a_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    assert web.serve(None, root=None, on=None, when=None, theme=None, no_index=False) == 1
    assert capsys.readouterr().err == "error: --web needs an extra: pip install 'sctx-tui[web]'\n"


def test_a_taken_port_is_no_obstacle() -> None:
    with web.listening() as first, web.listening() as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        assert {each.getsockname()[0] for each in (first, second)} == {web.HOST}


def test_the_page_loads_nothing_from_elsewhere() -> None:
    assert re.findall(r"https?://", PAGE.read_text()) == []


@pytest.fixture
def served(shop: Path) -> Iterator[str]:
    """The address of an app that is served."""
    pytest.importorskip("textual_serve")
    words = [sys.executable, "-m", "sctx_tui", "tui", "--web", "--no-index", "src/payments/checkout.ts"]
    process = subprocess.Popen(words, cwd=shop, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("", {}, 200),
        ("static/js/textual.js", {}, 200),
        ("", {"Host": "evil.example"}, 403),
        ("", {"Host": "evil.example:8000"}, 403),
        ("", {"Origin": "http://evil.example"}, 403),
        ("ws", {}, 403),
        ("ws", {"Origin": "http://evil.example"}, 403),
        ("ws", {"Origin": "null"}, 403),
    ],
)
def test_who_is_answered(served: str, path: str, headers: dict[str, str], status: int) -> None:
    import aiohttp

    async def ask() -> int:
        async with aiohttp.ClientSession() as session, session.get(served + path, headers=headers) as answer:
            return answer.status

    assert asyncio.run(ask()) == status


def test_it_listens_on_this_machine_only(served: str) -> None:
    port = int(served.rstrip("/").rpartition(":")[2])
    others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {web.HOST}:
        with socket.socket() as probe:
            probe.settimeout(1)
            assert probe.connect_ex((str(address), port)) != 0 or str(address).startswith("127.")


CHROMIUM = next(
    (each for each in ("chromium", "chromium-browser", "google-chrome") if shutil.which(each)), None
)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_it_is_drawn_and_driven_in_a_browser(served: str, tmp_path: Path) -> None:
    frames = asyncio.run(_browse(served, tmp_path, "x"))
    assert frames["loaded"] and all(each.startswith(served) for each in frames["loaded"])
    assert "Answer in English" in frames["before"]
    assert "× Generated" in frames["after"]


async def _browse(address: str, profile: Path, key: str) -> dict[str, Any]:
    """Open the page in Chromium, press a key; what the terminal showed, and what the page loaded."""
    import aiohttp

    words = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
        f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank",
    ]  # fmt: skip
    browser = await asyncio.create_subprocess_exec(*words, stderr=asyncio.subprocess.PIPE)
    assert browser.stderr is not None
    try:
        port = 0
        async for row in browser.stderr:
            if found := re.search(rb"ws://[^:]+:(\d+)/", row):
                port = int(found[1])
                break
        if not port:
            pytest.skip("Chromium is there, and does not start: too little address space, for instance")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                pages = [each for each in await answer.json() if each["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket_:
                return await _session(socket_, address, key)
    finally:
        browser.terminate()
        await browser.wait()


async def _session(socket_: Any, address: str, key: str) -> dict[str, Any]:
    received: list[str] = []
    numbers = iter(range(1, 1_000))

    async def call(method: str, **parameters: Any) -> Any:
        number = next(numbers)
        await socket_.send_json({"id": number, "method": method, "params": parameters})
        while True:
            message = json.loads((await socket_.receive(timeout=60)).data)
            if message.get("method") == "Network.webSocketFrameReceived":
                received.append(_plain(message["params"]["response"]["payloadData"]))
            if message.get("id") == number:
                return message.get("result", {})

    async def value(expression: str) -> Any:
        return (await call("Runtime.evaluate", expression=expression, returnByValue=True))["result"].get(
            "value"
        )

    async def until(text: str) -> str:
        for _ in range(300):
            await value("1")
            if text in "".join(received):
                break
            await asyncio.sleep(0.1)
        return "".join(received)

    await call("Network.enable")
    await call("Page.navigate", url=address)
    before = await until("Answer in English")
    await call("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
    after = await until("× Generated")
    loaded = await value("performance.getEntriesByType('resource').map(each => each.name)")
    return {"before": before, "after": after, "loaded": loaded}


def _plain(frame: str) -> str:
    """A frame of the terminal without its codes; binary frames come in base64."""
    import base64
    import binascii

    try:
        text = base64.b64decode(frame, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        text = frame
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
