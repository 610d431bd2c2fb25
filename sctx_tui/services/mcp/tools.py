"""The tools that an agent may call: one row each, from which schemas and annotations follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sctx_tui.guidance.model import ACTIONS, TIMINGS
from sctx_tui.services.mcp import reading, writing
from sctx_tui.services.mcp.answers import Answer
from sctx_tui.services.mcp.session import Session
from sctx_tui.services.mcp.status import ctx_status

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
NUMBER: Schema = {"type": "integer", "minimum": 1}
OFFSET: Schema = {"type": "integer", "minimum": 0}
LIMIT: Schema = {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}
ON: Schema = {"enum": list(ACTIONS)}
WHEN: Schema = {"enum": list(TIMINGS)}
KIND: Schema = {"enum": ["file", "function"]}
ONE: Schema = {"const": 1}


class Tool(NamedTuple):
    """`parameters`: name -> schema; a name that ends in `?` is optional."""

    name: str
    description: str
    parameters: dict[str, Schema]
    run: Callable[[Session, dict[str, Any]], Answer]
    is_read_only: bool = True
    is_idempotent: bool = True
    is_destructive: bool = False

    def schema(self) -> Schema:
        """The JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {name.rstrip("?"): schema for name, schema in self.parameters.items()},
            "required": [name for name in self.parameters if not name.endswith("?")],
            "additionalProperties": False,
        }


SCOPE = "a path, folder, glob or function id; * is everywhere"

TOOLS = (
    Tool(
        "get_context",
        "Before you work on a file: its guidance, decisions, dangers, functions, dependents and calls, within"
        " a token budget.",
        {"file": TEXT, "line?": NUMBER},
        reading.get_context,
    ),
    Tool(
        "get_function",
        "A function's record and source. Id: path::Class.method",
        {"id": TEXT},
        reading.get_function,
    ),
    Tool(
        "search",
        "Find files and functions by name, signature, purpose or summary.",
        {"query": TEXT, "limit?": LIMIT, "offset?": OFFSET},
        reading.search,
    ),
    Tool(
        "get_dangers",
        f"Invariants for a scope: {SCOPE}.",
        {"scope?": TEXT, "offset?": OFFSET},
        reading.get_dangers,
    ),
    Tool(
        "get_decisions",
        "Decisions for a scope, from AGENTS.yaml and the index: what was rejected and why.",
        {"scope?": TEXT, "offset?": OFFSET},
        reading.get_decisions,
    ),
    Tool(
        "get_callers", "Who calls a function.", {"function_id": TEXT, "offset?": OFFSET}, reading.get_callers
    ),
    Tool(
        "get_neighbours",
        "Callers, callees, imports and dependents of a file or a function, ranked.",
        {"file?": TEXT, "function_id?": TEXT, "depth?": ONE, "offset?": OFFSET},
        reading.get_neighbours,
    ),
    Tool(
        "get_tainted",
        "Functions to look at again because what they call has changed.",
        {"file?": TEXT, "offset?": OFFSET},
        reading.get_tainted,
    ),
    Tool("ctx_status", "Size and state of the index.", {}, ctx_status),
    Tool(
        "get_guidance",
        "AGENTS.yaml entries that apply to a path.",
        {"path": TEXT, "on?": ON, "when?": WHEN, "offset?": OFFSET},
        reading.get_guidance,
    ),
    Tool(
        "explain_guidance",
        "Every AGENTS.yaml entry with its verdict for a path.",
        {"path": TEXT, "on?": ON, "when?": WHEN, "offset?": OFFSET},
        reading.explain_guidance,
    ),
    Tool(
        "update_file",
        "After you changed a file: index it anew and say what it is for. danger: what must not be broken.",
        {
            "file": TEXT,
            "purpose?": TEXT,
            "summary?": TEXT,
            "danger?": TEXT,
            "last_change?": TEXT,
            "system?": TEXT,
        },
        writing.update_file,
        is_read_only=False,
    ),
    Tool(
        "update_function",
        "After you changed or reviewed a function: describe it (summary: 15 words), clear its taint.",
        {"id": TEXT, "summary?": TEXT, "summary_long?": TEXT, "danger?": TEXT, "mutates?": TEXTS},
        writing.update_function,
        is_read_only=False,
    ),
    Tool(
        "update_summary",
        "Summarize a file or function.",
        {"type": KIND, "id": TEXT, "summary": TEXT, "summary_long?": TEXT},
        writing.update_summary,
        is_read_only=False,
    ),
    Tool(
        "add_danger",
        f"Record an invariant. scope: {SCOPE}.",
        {"scope?": TEXT, "description": TEXT, "reason?": TEXT},
        writing.add_danger,
        is_read_only=False,
    ),
    Tool(
        "remove_danger",
        "Remove a danger that a model recorded.",
        {"id": NUMBER},
        writing.remove_danger,
        is_read_only=False,
        is_destructive=True,
    ),
    Tool(
        "add_decision",
        "Record a design choice and what it rejects.",
        {"scope?": TEXT, "decision": TEXT, "alternatives?": TEXTS, "reason?": TEXT},
        writing.add_decision,
        is_read_only=False,
    ),
    Tool(
        "log_session",
        "When you finish: what you did, for the next session.",
        {"entry": TEXT, "files_touched?": TEXTS},
        writing.log_session,
        is_read_only=False,
        is_idempotent=False,
    ),
    Tool(
        "plan",
        "What you are about to do, for the next session.",
        {"plan": TEXT, "files_touched?": TEXTS},
        writing.plan,
        is_read_only=False,
        is_idempotent=False,
    ),
    Tool(
        "log_change",
        "Log a change of a file in a sentence.",
        {"file": TEXT, "summary": TEXT},
        writing.log_change,
        is_read_only=False,
        is_idempotent=False,
    ),
    Tool(
        "mark_tainted",
        "Queue a function to be looked at again.",
        {"function_id": TEXT, "taint_source": TEXT},
        writing.mark_tainted,
        is_read_only=False,
    ),
    Tool(
        "clear_taint",
        "Take a function out of that queue.",
        {"function_id": TEXT},
        writing.clear_taint,
        is_read_only=False,
    ),
)

BY_NAME = {tool.name: tool for tool in TOOLS}
