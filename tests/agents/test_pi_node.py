"""The extension for pi, run by Node with a stand-in for pi's interface and with the real `sctx hook`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.agents.command import Command
from sctx_tui.agents.pi_extension import extension_text

NODE = shutil.which("node")
STAND_IN = Path(__file__).with_name("pi_stand_in.mjs")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs Node")

GUIDANCE = """\
context:
  - content: before anything
  - content: after anything
    when: after
  - content: careful with edits
    on: edit
  - content: header for new files
    on: create
  - content: register the new file
    on: create
    when: after
  - content: run the tests
    on: edit
    when: after
decisions:
  - decision: no ORM
    rationale: speed
"""

Play = Callable[..., list[Any]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = (tmp_path / "project").resolve()
    place.mkdir()
    (place / "AGENTS.yaml").write_text(GUIDANCE)
    (place / "a.py").write_text("a\n")
    (place / "b.py").write_text("b\n")
    return place


@pytest.fixture
def play(tmp_path: Path, root: Path) -> Play:
    """Plays steps against the extension; `program` is what it takes for sctx."""

    def run(*steps: Any, program: str | None = None, timeout_ms: int | None = None) -> list[Any]:
        command = tmp_path / "sctx"
        real = f"#!{sys.executable}\nfrom sctx_tui.__main__ import sctx\nsctx()\n"
        command.write_text(program or real)
        command.chmod(0o755)
        text = extension_text(Command((str(command),)))
        if timeout_ms is not None:
            assert "const TIMEOUT_MS = 5000;" in text
            text = text.replace("const TIMEOUT_MS = 5000;", f"const TIMEOUT_MS = {timeout_ms};")
        extension = tmp_path / "extension.mjs"  # plain JavaScript, although it is called .ts for pi
        extension.write_text(text)
        assert NODE is not None
        done = subprocess.run(
            [NODE, str(STAND_IN), str(extension)],
            input=json.dumps(steps),
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "NODE_NO_WARNINGS": "1"},
        )
        assert done.returncode == 0 and done.stderr == "", done.stderr
        played = json.loads(done.stdout)
        assert played["events"] == ["tool_call", "tool_result"]
        return played["results"]

    return run


def call(root: Path, tool: str, call_id: str = "1", **tool_input: Any) -> dict[str, Any]:
    return {
        "event": "tool_call",
        "cwd": str(root),
        "toolName": tool,
        "toolCallId": call_id,
        "input": tool_input,
    }


def result(
    root: Path, tool: str, call_id: str = "1", error: bool = False, **tool_input: Any
) -> dict[str, Any]:
    content = [{"type": "text", "text": "output"}]
    return {
        **call(root, tool, call_id, **tool_input),
        "event": "tool_result",
        "content": content,
        "details": {"x": 1},
        "isError": error,
    }


def answers(results: list[Any]) -> list[Any]:
    return [result["answers"][0] for result in results]


def test_a_change_is_held_once(play: Play, root: Path) -> None:
    edit = {"path": "a.py", "edits": []}
    first, again, other_file = answers(
        play(
            call(root, "edit", "1", **edit),
            call(root, "edit", "2", **edit),
            call(root, "edit", "3", path="b.py"),
        )
    )
    assert first["block"] is True
    assert "careful with edits" in first["reason"] and "before anything" in first["reason"]
    assert "run the tests" not in first["reason"]
    assert again is None
    assert other_file["block"] is True


def test_it_is_held_again_for_a_new_text_and_a_new_session(play: Play, root: Path) -> None:
    held, passes, fresh, kept = answers(
        play(
            call(root, "write", "1", path="a.py"),
            call(root, "write", "2", path="a.py"),
            {**call(root, "write", "3", path="a.py"), "newSession": "second"},
            call(root, "write", "4", path="a.py"),
        )
    )
    assert held and passes is None and fresh and kept is None
    edited, created = answers(play(call(root, "edit", path="new.py"), call(root, "write", path="new.py")))
    assert "careful with edits" in edited["reason"]
    assert "header for new files" in created["reason"], "another action, another text"


def test_parallel_changes_of_one_file(play: Play, root: Path) -> None:
    """Asked at the same time, both ask: one is held, whichever comes first."""
    [both] = play([call(root, "edit", "1", path="a.py"), call(root, "edit", "2", path="a.py")])
    assert sum(answer is not None for answer in both["answers"]) == 1


def test_after_a_change_its_result_has_the_after_text(play: Play, root: Path) -> None:
    _, _, after = answers(
        play(
            call(root, "edit", "1", path="a.py"),
            call(root, "edit", "2", path="a.py"),
            result(root, "edit", "2", path="a.py"),
        )
    )
    assert after["content"][0] == {"type": "text", "text": "output"}
    [text] = [part["text"] for part in after["content"][1:]]
    assert "run the tests" in text and "careful with edits" not in text
    assert after.keys() == {"content"}, "details and success are pi's"


def test_a_created_file_is_remembered_until_after_the_call(play: Play, root: Path) -> None:
    play(call(root, "write", "1", path="new.py"), call(root, "write", "2", path="new.py"))
    (root / "new.py").touch()
    [after] = answers(play(result(root, "write", "2", path="new.py")))
    assert "register the new file" in after["content"][1]["text"]


def test_a_held_or_failed_change_has_no_after_text(play: Play, root: Path) -> None:
    _, held, failed = answers(
        play(
            call(root, "edit", "1", path="a.py"),
            result(root, "edit", "1", error=True, path="a.py"),
            result(root, "edit", "2", error=True, path="a.py"),
        )
    )
    assert held is None and failed is None


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("read", {"path": "a.py"}),
        ("read", {"path": "@a.py"}),
        ("grep", {"path": "."}),
        ("bash", {"command": "cat a.py | grep x"}),
        ("anything", {"path": "a.py"}),
    ],
)
def test_other_tools_run_and_get_both_texts(play: Play, root: Path, tool: str, tool_input: Any) -> None:
    before, after = answers(play(call(root, tool, **tool_input), result(root, tool, **tool_input)))
    assert before is None, "nothing is held"
    [text] = [part["text"] for part in after["content"][1:]]
    assert text.index("before anything") < text.index("after anything")
    assert "careful with edits" not in text


@pytest.mark.parametrize(
    ("tool", "tool_input"), [("bash", {"command": "ls"}), ("todo", {}), ("read", {"path": "/etc/hosts"})]
)
def test_nothing_to_say(play: Play, root: Path, tool: str, tool_input: Any) -> None:
    assert answers(play(call(root, tool, **tool_input), result(root, tool, **tool_input))) == [None, None]


def test_without_guidance_nothing_is_held(play: Play, root: Path) -> None:
    (root / "AGENTS.yaml").unlink()
    assert answers(play(call(root, "edit", path="a.py"), result(root, "edit", path="a.py"))) == [None, None]


def test_decisions_while_no_tool_can_change_anything(play: Play, root: Path) -> None:
    read = result(root, "read", path="a.py")
    plain, planning, unknown, none = answers(
        play(
            read,
            {**read, "tools": ["read", "bash", "grep"]},
            {**read, "tools": "broken"},
            {**read, "tools": []},
        )
    )
    texts = [answer["content"][1]["text"] for answer in (plain, planning, unknown, none)]
    assert ["no ORM" in text for text in texts] == [False, True, False, False]


def test_a_pi_without_sessions(play: Play, root: Path) -> None:
    edit = {**call(root, "edit", path="a.py"), "withoutSessions": True}
    first, again = answers(play(edit, edit))
    assert first["block"] is True and again is None


SLOW = '#!/bin/sh\nsleep 0.5\necho \'{"additionalContext": "slow text"}\'\n'


def test_pi_goes_on_while_sctx_runs(play: Play, root: Path) -> None:
    [held] = play(call(root, "edit", path="a.py"), program=SLOW)
    assert "slow text" in held["answers"][0]["reason"]
    assert held["ticks"] > 10, "pi's event loop stood still"


@pytest.mark.parametrize(
    "program",
    [
        "#!/bin/sh\nsleep 60\n",
        "#!/bin/sh\nexec sleep 60 <&- >&- 2>&-\n",
        "#!/bin/sh\nexit 1\n",
        '#!/bin/sh\necho \'{"additionalContext": "x"}\'; exit 1\n',
        "#!/bin/sh\necho 'not json'\n",
        "#!/bin/sh\necho 'null'\n",
        "#!/bin/sh\necho '{\"additionalContext\": 7}'\n",
        "#!/bin/sh\nexec <&-\nexit 0\n",
        "#!/bin/sh\nyes\n",
        "#!/does/not/exist\n",
    ],
)
def test_a_broken_sctx_never_stops_a_call(play: Play, root: Path, program: str) -> None:
    big = {"path": "a.py", "content": "x" * 3_000_000}
    steps = [call(root, "write", "1", **big), result(root, "read", "2", path="a.py")]
    assert answers(play(*steps, program=program, timeout_ms=300)) == [None, None]


def test_what_the_hook_is_sent(play: Play, root: Path, tmp_path: Path) -> None:
    """The path and the command, not what is written: that may be large, and is nobody's business."""
    program = f"#!/bin/sh\ncat > {tmp_path}/sent.json\n"
    play(call(root, "write", "7", path="a.py", content="secret"), program=program)
    assert json.loads((tmp_path / "sent.json").read_text()) == {
        "source": "pi",
        "event": "tool_call",
        "tool_name": "write",
        "input": {"path": "a.py"},
        "cwd": str(root),
        "session_id": "first",
        "tool_call_id": "7",
        "include_decisions": False,
    }
