"""Whatever arrives, the hook answers with text or nothing: it never fails and never decides."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sctx_tui.agents import hook
from sctx_tui.agents.wire import read_object

from .conftest import SHARED
from .test_hosts import DOCUMENTED

KEYS = st.sampled_from(
    [
        "hook_event_name", "tool_name", "tool_input", "cwd", "permission_mode", "session_id", "tool_use_id",
        "source", "event", "input", "include_decisions", "tool_call_id", "timestamp", "model", "turn_id",
        "file_path", "notebook_path", "path", "command", "cursor_version", "hookName", "transcript_path",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "PreToolUse", "PostToolUse", "tool_call", "tool_result", "pi", "Read", "Edit", "Write", "read",
        "NotebookEdit", "write", "bash", "plan", "a.py", "src/", "../x", "~", "~/x", "C:\\x", "/", "", ".",
        "cat a.py", "cat 'a", "yolo", "\0", "\ud800", "\x1b]0;x\x07",
    ]
)  # fmt: skip
VALUES = st.recursive(
    WORDS | st.text(max_size=8) | st.none() | st.booleans() | st.floats() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
EVENTS = st.sampled_from(["PreToolUse", "PostToolUse"])
TOOLS = st.sampled_from(["Read", "Edit", "Write", "NotebookEdit", "Glob", "X"])
LIKELY = st.builds(
    lambda base, extra: {**base, **extra},
    st.fixed_dictionaries(
        {
            "hook_event_name": EVENTS,
            "tool_name": TOOLS,
            "tool_input": st.fixed_dictionaries({"file_path": WORDS}),
        }
    )
    | st.fixed_dictionaries(
        {
            "source": st.just("pi"),
            "event": st.sampled_from(["tool_call", "tool_result"]),
            "tool_name": st.sampled_from(["read", "write", "bash", "x"]),
            "input": st.dictionaries(st.sampled_from(["path", "command"]), WORDS, min_size=1),
        }
    ),
    st.dictionaries(KEYS, VALUES, max_size=3),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("place").resolve()
    (root / "AGENTS.yaml").write_text(
        "context: [{content: 'allow, deny', when: all}]\ndecisions: [{decision: allow, rationale: r}]\n"
    )
    return root


def check(output: str) -> str:
    """The text of an answer that only adds text, in one of the two shapes that agents know."""
    if not output:
        return ""
    assert output.isascii() and output.endswith("}\n") and output.count("\n") == 1
    answer = json.loads(output)
    if answer.keys() == {"hookSpecificOutput"}:
        answer = answer["hookSpecificOutput"]
        assert answer.keys() == {"hookEventName", "additionalContext"}
        assert answer["hookEventName"] in ("PreToolUse", "PostToolUse")
    else:
        assert answer.keys() == {"additionalContext"}
    text = answer["additionalContext"]
    assert isinstance(text, str) and 0 < len(text) <= 9500
    return text


@settings(max_examples=300, deadline=None)
@given(LIKELY | st.dictionaries(KEYS, VALUES, max_size=8))
def test_any_object(place: Path, payload: dict[str, Any]) -> None:
    before = os.getcwd()
    os.chdir(place)
    try:
        check(hook.answer(payload, {"CLAUDE_PROJECT_DIR": str(place)}))
    finally:
        os.chdir(before)


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes(raw: bytes) -> None:
    payload = read_object(raw)
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=lambda name: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        value = None
    assert (payload is not None) == isinstance(value, dict) or not raw.isascii()


FIXTURES = sorted((SHARED / "clients" / "payloads").glob("*/*.json"))


@pytest.mark.skipif(not FIXTURES, reason="the clients' payloads are not here")
def test_what_clients_sent(place: Path) -> None:
    """Text for Claude Code's reads and writes, nothing for hosts that are not served, never a decision."""
    answered = set()
    for path in FIXTURES:
        raw = path.read_text(encoding="utf-8").replace("{ROOT}/proj", str(place))
        payload = json.loads(raw)
        text = check(hook.answer(payload.get("body", payload), {}))
        if text:
            answered.add((path.parent.name, path.stem.split("-")[1]))
    assert {client for client, _ in answered} == {"claude"}
    assert {tool for _, tool in answered} == {"PreToolUse", "Read", "Edit", "Write", "NotebookEdit", "Grep"}


@pytest.mark.parametrize("payload", [payload for _, payload in DOCUMENTED], ids=str)
def test_documented_shapes(place: Path, payload: dict[str, Any]) -> None:
    check(hook.answer({**payload, "cwd": str(place)}, {}))
