"""`ctx serve` on the wire: the SDK's own client, a raw one, and a foreign one where it is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import bpe_openai

from sctx_tui.services.mcp.server import WORKFLOW

CTX = [sys.executable, "-c", "from sctx_tui.__main__ import ctx; ctx()"]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "0"},
    },
}
INSPECTOR = os.environ.get("MCP_INSPECTOR", "")  # the command line of @modelcontextprotocol/inspector


def converse(root: Path, talk: Callable[[ClientSession, Any], Awaitable[None]]) -> None:
    async def run() -> None:
        parameters = StdioServerParameters(command=CTX[0], args=[*CTX[1:], "serve"], cwd=str(root))
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await talk(session, await session.initialize())

    asyncio.run(run())


def test_handshake_tools_and_prompts(project: Path, index: Callable[[], None]) -> None:
    index()

    async def talk(session: ClientSession, HELLO: Any) -> None:
        assert HELLO.server_info.name == "sctx"
        assert WORKFLOW in (HELLO.instructions or "")
        listed = await session.list_tools()
        for tool in listed.tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint == tool.name.startswith(
                ("get_", "search", "ctx_", "explain_")
            )
            assert tool.input_schema["additionalProperties"] is False
        text = listed.model_dump_json(by_alias=True, exclude_none=True)
        assert len(bpe_openai.get_encoding("o200k_base").encode(text)) <= 3500
        prompts = await session.list_prompts()
        prompt = await session.get_prompt(prompts.prompts[0].name)
        assert "update_file" in prompt.messages[0].content.text
        answer = await session.call_tool("get_context", {"file": "shop/cart.py", "line": 10})
        assert "Cart.total" in answer.content[0].text
        assert answer.structured_content["path"] == "shop/cart.py"
        refused = await session.call_tool("search", {"query": "x", "limit": 99})
        assert refused.is_error

    converse(project, talk)


def test_two_servers_on_one_repository(project: Path, index: Callable[[], None]) -> None:
    index()

    async def talk(first: ClientSession, _: Any) -> None:
        parameters = StdioServerParameters(command=CTX[0], args=[*CTX[1:], "serve"], cwd=str(project))
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as second:
            await second.initialize()

            async def describe(session: ClientSession, path: str) -> None:
                for number in range(4):
                    arguments = {"file": path, "purpose": f"{path} {number}"}
                    assert not (await session.call_tool("update_file", arguments)).is_error

            await asyncio.gather(describe(first, "shop/cart.py"), describe(second, "shop/pay.py"))
            seen = await second.call_tool("get_context", {"file": "shop/cart.py"})
            assert "shop/cart.py 3" in seen.content[0].text

    converse(project, talk)


def test_nothing_but_json_on_standard_output(project: Path, index: Callable[[], None]) -> None:
    index()
    calls = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "ctx_status", "arguments": {}},
        },
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "nope", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 4, "method": "no/such"},
    ]
    server = subprocess.Popen(
        [*CTX, "serve"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout and server.stderr
    answers = {}
    for message in (HELLO, *calls):
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        if "id" in message:
            line = json.loads(server.stdout.readline())
            answers[line["id"]] = line
    server.stdin.close()
    assert server.stdout.read() == ""
    assert server.wait(20) == 0
    server.stdout.close()
    server.stderr.close()
    assert answers[1]["result"]["serverInfo"]["name"] == "sctx"
    assert answers[2]["result"]["structuredContent"]["files"] == 4
    assert answers[3]["result"]["isError"] is True
    assert "error" in answers[4]


NOISY = """
import os, sys, warnings
from sctx_tui.services.mcp import status, tools
def noisy(session, arguments):
    print("a library prints")
    os.write(1, b"code in C prints\\n")
    warnings.warn("a library warns")
    os.system("echo a program prints; cat")  # and would read what the client sends
    return status.ctx_status(session, arguments)
tools.BY_NAME["ctx_status"] = tools.BY_NAME["ctx_status"]._replace(run=noisy)
from sctx_tui.__main__ import ctx
ctx()
"""


def test_whatever_prints_does_not_reach_the_client(project: Path, index: Callable[[], None]) -> None:
    index()
    messages = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "ctx_status", "arguments": {}},
        },
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]
    server = subprocess.Popen(
        [sys.executable, "-c", NOISY, "serve"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout
    answers = []
    for message in messages:
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        if "id" in message:
            answers.append(json.loads(server.stdout.readline()))
    rest, errors = server.communicate(timeout=60)
    assert rest == ""
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[1]["result"]["structuredContent"]["files"] == 4
    for noise in ("a library prints", "code in C prints", "a library warns", "a program prints"):
        assert noise in errors


@pytest.mark.skipif(not INSPECTOR or not shutil.which("node"), reason="MCP_INSPECTOR names no client")
def test_a_foreign_client(project: Path, index: Callable[[], None]) -> None:
    index()
    base = ["node", INSPECTOR, "--cli", *CTX, "serve", "--root", str(project)]
    listed = subprocess.run(
        [*base, "--method", "tools/list"], capture_output=True, text=True, check=True, timeout=120
    )
    assert "get_context" in {tool["name"] for tool in json.loads(listed.stdout)["tools"]}
    call = ["--method", "tools/call", "--tool-name", "get_context", "--tool-arg", "file=shop/cart.py"]
    called = subprocess.run([*base, *call], capture_output=True, text=True, check=True, timeout=120)
    assert "Cart.total" in json.loads(called.stdout)["content"][0]["text"]
