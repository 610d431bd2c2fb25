"""`sctx hook` as agents run it: a process with JSON on its standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Tree

RUN = [sys.executable, "-c", "from sctx_tui.__main__ import sctx; sctx()", "hook"]

GUIDANCE = """\
context:
  - content: everything
  - content: reading
    on: read
  - content: editing
    on: edit
  - content: creating
    on: create
  - content: after editing
    on: edit
    when: after
  - content: after creating
    on: create
    when: after
  - content: python only
    match: ["**/*.py"]
  - content: the sources
    match: ["src/"]
decisions:
  - decision: Postgres
    rationale: joins
    date: 2025-01-02
    alternatives:
      - option: Mongo
        reason_rejected: none of them
"""


def run(
    payload: object, *arguments: str, cwd: Path | None = None, **environment: str
) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(
        [*RUN, *arguments], input=raw, capture_output=True, cwd=cwd, env={**os.environ, **environment}
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def said(payload: object, *arguments: str, cwd: Path | None = None, **environment: str) -> str:
    """The text that reaches the agent; the process must have behaved."""
    code, out, err = run(payload, *arguments, cwd=cwd, **environment)
    assert (code, err) == (0, "")
    if not out:
        return ""
    answer = json.loads(out)
    assert "permission" not in out.lower() and '"decision"' not in out
    return answer.get("hookSpecificOutput", answer)["additionalContext"]


def claude(root: Path, tool: str, path: str, event: str = "PreToolUse", **fields: object) -> dict[str, Any]:
    return {
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"file_path": path},
        "cwd": str(root),
        **fields,
    }


def pi(root: Path, tool: str, event: str = "tool_call", **fields: object) -> dict[str, Any]:
    tool_input = {key: fields.pop(key) for key in ("path", "command") if key in fields}
    return {
        "source": "pi",
        "event": event,
        "tool_name": tool,
        "input": tool_input,
        "cwd": str(root),
        **fields,
    }


@pytest.fixture
def root(project: Callable[[Tree], Path]) -> Path:
    tree = {
        "AGENTS.yaml": GUIDANCE,
        "a.py": "",
        "src/AGENTS.yaml": "context: [content: below]\n",
        "src/b.py": "",
    }
    return project(tree)


# Actions and timings


def test_before_reading_editing_and_creating(root: Path) -> None:
    assert "reading" in said(claude(root, "Read", "a.py"))
    assert "editing" not in said(claude(root, "Read", "a.py"))
    assert "editing" in said(claude(root, "Edit", "a.py"))
    assert "creating" in said(claude(root, "Write", "new.py"))
    assert "creating" not in said(claude(root, "Write", "a.py"))
    assert "editing" in said(claude(root, "Write", "a.py"))


def test_create_is_remembered_until_after_the_call(root: Path) -> None:
    fields = {"session_id": "s", "tool_use_id": "t"}
    assert "creating" in said(claude(root, "Write", "src/deep/new.py", **fields))
    (root / "src/deep").mkdir()
    (root / "src/deep/new.py").touch()
    after = said(claude(root, "Write", "src/deep/new.py", "PostToolUse", **fields))
    assert "after creating" in after and "after editing" not in after
    again = said(claude(root, "Write", "src/deep/new.py", "PostToolUse", **{**fields, "tool_use_id": "u"}))
    assert "after editing" in again and "after creating" not in again


def test_create_is_remembered_for_pi(root: Path) -> None:
    fields = {"session_id": "s", "tool_call_id": "t", "path": "new.py"}
    assert "creating" in said(pi(root, "write", **fields))
    (root / "new.py").touch()
    assert "after creating" in said(pi(root, "write", "tool_result", **fields))


def test_nothing_to_say(root: Path) -> None:
    assert run(claude(root, "Read", "a.py", "PostToolUse")) == (0, "", "")
    assert run(claude(root, "Read", "a.py", "SessionStart")) == (0, "", "")
    assert run(claude(root, "Bash", "")) == (0, "", "")


def test_no_guidance_at_all(tmp_path: Path) -> None:
    assert run(claude(tmp_path, "Read", "a.py")) == (0, "", "")


def test_decisions_while_planning(root: Path) -> None:
    plain = said(claude(root, "Read", "a.py"))
    planning = said(claude(root, "Read", "a.py", permission_mode="plan"))
    assert "Postgres" not in plain
    for text in ("Postgres", "joins", "2025-01-02", "Mongo", "none of them"):
        assert text in planning
    assert "Postgres" in said(pi(root, "read", path="a.py", include_decisions=True))
    assert "Postgres" not in said(pi(root, "read", path="a.py"))


def test_a_directory_is_asked_as_one(root: Path) -> None:
    for path in ("src", "src/", str(root / "src")):
        assert "the sources" in said(claude(root, "LS", path))
    assert "the sources" not in said(claude(root, "Read", "src/b.py"))


def test_several_files_of_one_command(root: Path) -> None:
    text = said(pi(root, "bash", command="cd src && cat b.py ../a.py ../../secret"))
    assert text.count("everything") == 1
    assert "below" in text
    assert text.index("everything") < text.index("below"), "the root comes first"
    assert said(pi(root, "bash", command="rm a.py")) == ""


def test_a_broken_file_is_a_line_of_the_text(root: Path) -> None:
    (root / "src/AGENTS.yaml").write_text("context: [")
    text = said(claude(root, "Edit", "src/b.py"))
    assert "everything" in text and "src/AGENTS.yaml" in text


# Roots and paths


def test_nothing_from_above_the_root(root: Path) -> None:
    assert "everything" not in said(claude(root / "src", "Edit", "b.py"))
    assert said(claude(root / "src", "Edit", str(root / "a.py"))) == ""
    assert said(claude(root / "src", "Edit", "../a.py")) == ""
    assert said(claude(root, "Edit", "/etc/passwd")) == ""
    assert said(claude(root, "Edit", "~/x.py")) == ""


def test_the_project_directory_wins_when_cwd_lies_in_it(root: Path) -> None:
    payload = claude(root / "src", "Edit", "b.py")
    assert "everything" in said(payload, CLAUDE_PROJECT_DIR=str(root))
    assert "everything" in said(claude(root / "src", "Edit", "../a.py"), CLAUDE_PROJECT_DIR=f"{root}/")
    assert "everything" not in said(payload, CLAUDE_PROJECT_DIR=str(root / "elsewhere"))
    (root / "elsewhere").mkdir()
    assert "everything" not in said(payload, CLAUDE_PROJECT_DIR=str(root / "elsewhere"))


def test_root_option(root: Path) -> None:
    payload = claude(root / "src", "Edit", "b.py")
    assert "everything" in said(payload, "--root", str(root))
    assert "everything" in said(payload, f"--root={root}")
    assert "everything" not in said(payload, "--what", "--root")


@pytest.mark.parametrize("cwd", [None, "", ".", "{}", "{}/", "{}/.", "{}/src/..", "{}//"])
def test_the_working_directory_of_the_payload(root: Path, cwd: str | None) -> None:
    value = cwd if cwd is None else cwd.format(root)
    assert "everything" in said({**claude(root, "Edit", "a.py"), "cwd": value}, cwd=root)


def test_a_relative_path_is_relative_to_the_payloads_cwd(root: Path) -> None:
    assert "below" in said(claude(root, "Edit", "src/b.py"), cwd=root / "src")
    assert "below" in said({**claude(root, "Edit", "b.py"), "cwd": "src"}, cwd=root)


def test_a_directory_that_is_not_there(root: Path) -> None:
    assert said({**claude(root, "Edit", "a.py"), "cwd": str(root / "gone")}, cwd=root) == ""
    assert said({**claude(root, "Edit", "a.py"), "cwd": str(root / "a.py")}, cwd=root) == ""


def test_a_symlinked_root(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(root)
    for cwd in (root, link):
        for target in (root, link):
            assert "everything" in said(claude(cwd, "Edit", str(target / "a.py")))


def test_a_link_below_a_symlinked_root_is_taken_as_written(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (root / "alias").symlink_to(root / "src")
    (root / "AGENTS.yaml").write_text('context: [{content: aliased, match: ["alias/**"]}]\n')
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(root)
    for path in ("alias/b.py", f"{root}/alias/b.py", f"{link}/alias/b.py"):
        assert "aliased" in said(claude(link, "Edit", path)), path
        assert "aliased" in said(claude(root, "Edit", path)) or path.startswith(str(link))


def test_a_symlink_out_of_the_root(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / "out").symlink_to(elsewhere)
    assert said(claude(root, "Edit", "out/x.py")) == ""


def test_windows_separators(root: Path) -> None:
    assert "below" in said(claude(root, "Edit", "src\\b.py"))
    assert said(claude(root, "Edit", "D:\\src\\b.py")) == ""


# Odd input


def test_byte_order_mark_and_line_ends(root: Path) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(claude(root, "Edit", "a.py"), indent=1).replace("\n", "\r\n").encode()
    assert "everything" in said(raw)


@pytest.mark.parametrize("raw", [b"", b" \n", b"[]", b"null", b"x", b"{", b"{}}", b"\xff\xfe{\0}\0"])
def test_input_that_is_no_object(raw: bytes) -> None:
    code, out, err = run(raw)
    assert (code, out) == (1, "")
    assert err.startswith("error: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"hook_event_name": "PreToolUse"},
        {"hook_event_name": None, "tool_input": None},
        {"source": "pi"},
        {"source": "pi", "event": "tool_call", "input": None},
        {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": 7}},
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda value: str(value)[:40],
)
def test_other_oddities_are_silent(payload: object) -> None:
    assert run(payload) == (0, "", "")


def test_an_object_of_many_megabytes(root: Path) -> None:
    assert "everything" in said({**claude(root, "Edit", "a.py"), "tool_response": "x" * 20_000_000})


def test_names_that_are_no_text(root: Path) -> None:
    for path in ("a\0.py", "a\ud800.py", "a\n.py", "\x1b[2J.py"):
        assert "everything" in said(claude(root, "Edit", path)), path
    said(claude(root, "Edit", "x" * 5000))


def test_a_reader_that_goes_away(root: Path) -> None:
    """Nobody reads the answer: no traceback, no other exit code."""
    process = subprocess.Popen(RUN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(json.dumps(claude(root, "Edit", "a.py")).encode())
    process.stdin.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_closed_standard_input() -> None:
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *RUN], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr


def test_an_installation_that_cannot_be_imported(root: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['sctx_tui.guidance.resolve'] = None; "
        "from sctx_tui.__main__ import sctx; sctx()"
    )
    payload = json.dumps(claude(root, "Edit", "a.py")).encode()
    done = subprocess.run([sys.executable, "-c", code, "hook"], input=payload, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_help() -> None:
    code, out, err = run(b"", "--help")
    assert code == 0 and out.startswith("Usage: sctx hook") and not err


def test_it_writes_nothing_but_its_own_state(root: Path, home: Path) -> None:
    before = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
    for tool in ("Read", "Edit", "Write"):
        said(claude(root, tool, "new.py"))
    assert sorted(str(path.relative_to(root)) for path in root.rglob("*")) == before
    assert {path.name for path in home.iterdir()} <= {"state", "cache"}
