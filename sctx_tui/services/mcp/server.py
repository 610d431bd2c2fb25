"""The tools on the wire: the official SDK on standard input and output, and nothing else there."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from jsonschema import Draft202012Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from sctx_tui import __version__
from sctx_tui.graph.store import StoreError
from sctx_tui.sanitize import clean
from sctx_tui.services.mcp.answers import Answer, Refused
from sctx_tui.services.mcp.session import Session
from sctx_tui.services.mcp.tools import BY_NAME, TOOLS, Tool

WORKFLOW = """\
1. Before you edit a file, call get_context with the file and the line.
2. Edit.
3. Call update_file for every file that you changed, update_function for the functions whose meaning changed.
4. get_tainted lists callers to review; after the review update_function or clear_taint takes them out.
5. Record what must not be broken with add_danger, choices with add_decision; finish with log_session."""

INSTRUCTIONS = f"What applies to the file at hand: written guidance and a local code graph.\n{WORKFLOW}"

Context = ServerRequestContext[Any]


def create_server(session: Session) -> Server[Any]:
    """The server for one repository; `serve` puts it on standard input and output."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await anyio.to_thread.run_sync(run_tool, session, params.name, params.arguments or {})

    async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_PROMPT])

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != _PROMPT.name:
            raise ValueError(f"no prompt {clean(params.name)}; there is {_PROMPT.name}")
        content = types.TextContent(type="text", text=WORKFLOW)
        message = types.PromptMessage(role="user", content=content)
        return types.GetPromptResult(description=_PROMPT.description, messages=[message])

    return Server(
        "sctx",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


_PROMPT = types.Prompt(name="write-back", description="How to keep the code index true while you work.")


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema(),
        output_schema={"type": "object"},
        annotations=types.ToolAnnotations(
            read_only_hint=tool.is_read_only,
            idempotent_hint=tool.is_idempotent,
            destructive_hint=None if tool.is_read_only else tool.is_destructive,
            open_world_hint=False,
        ),
    )


def run_tool(session: Session, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Carry out a call; whatever goes wrong becomes an answer that says what to do."""
    tool = BY_NAME.get(name)
    if tool is None:
        return _failed(f"no tool {clean(name[:80])}")
    if problem := _problem(tool, arguments):
        return _failed(problem)
    try:
        with session.call():
            return _result(tool.run(session, arguments))
    except Refused as refused:
        return _failed(str(refused))
    except StoreError as error:
        return _failed(clean(str(error)))
    except OSError as error:
        return _failed(f"{clean(str(error.filename or ''))}: {error.strerror or 'input or output failed'}")
    except Exception as error:  # an agent can do nothing with a traceback; the log has it
        logging.getLogger(__name__).exception("%s failed", name)
        return _failed(f"{name} failed unexpectedly ({type(error).__name__}); please report it")


def _problem(tool: Tool, arguments: dict[str, Any]) -> str | None:
    for error in Draft202012Validator(tool.schema()).iter_errors(arguments):
        place = ".".join(str(part) for part in error.absolute_path)
        return clean(f"{tool.name}: {place + ': ' if place else ''}{error.message}"[:400])
    return None


def _result(answer: Answer) -> types.CallToolResult:
    text = types.TextContent(type="text", text=answer.text)
    return types.CallToolResult(content=[text], structured_content=_sound(answer.data))


def _sound(data: dict[str, Any]) -> dict[str, Any]:
    """The data without lone surrogates, which names that aren't UTF-8 bring and JSON can't carry."""
    text = json.dumps(data, ensure_ascii=False)
    loaded: dict[str, Any] = json.loads(text.encode("utf-8", "backslashreplace"))
    return loaded


def _failed(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], is_error=True)


def serve(root: str) -> None:
    """Answer on standard input and output until the client closes them. Logs go to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    session = Session(root)

    async def run() -> None:
        server = create_server(session)
        async with stdio_server() as (read, write):
            sys.stdout = sys.stderr  # a stray print must not break the protocol
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
