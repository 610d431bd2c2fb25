"""`sctx` as a process: whatever happens, the exit code is 0 or 1 and no traceback is seen."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sctx_tui.cli.command_line import TRACEBACK_VARIABLE

COMMAND = [sys.executable, "-m", "sctx_tui"]
HOSTILE = "ESC \\e[31m BEL \\a C1 \\x9b direction \\u202e tag \\U000e0041 width \\u200b"


def run(*arguments: str, cwd: Path, **options) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONUTF8": "1", **options.pop("environment", {})}
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=environment, capture_output=True, check=False, **options
    )


@pytest.fixture
def project(plant):
    context = f'context: [{{content: "{HOSTILE}"}}, {{content: ünïcödé 日本}}]'
    decisions = f'decisions: [{{decision: "{HOSTILE}", rationale: r}}]'
    return plant({"AGENTS.yaml": f"{context}\n{decisions}", "a.py": ""})


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("command", ["context", "decisions", "explain", "validate"])
def test_18_control_characters_are_never_raw(command, form, project):
    path = [] if command == "validate" else ["a.py"]
    for encoding in ("utf-8", "ascii"):
        done = run(
            command, *path, *form, cwd=project, environment={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
        )
        assert done.returncode == 0
        text = (done.stdout + done.stderr).decode(encoding)
        assert not [character for character in text if not character.isprintable() and character != "\n"]
        if form:
            json.loads(done.stdout)


@pytest.mark.skipif(os.name == "nt", reason="POSIX")
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
@pytest.mark.parametrize("command", ["context", "decisions", "explain"])
def test_a_terminal_gets_colours_and_no_foreign_escapes(command, variables, coloured, project):
    environment = {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1"} | variables
    if "NO_COLOR" not in variables:
        environment.pop("NO_COLOR", None)
    screen, terminal = os.openpty()
    with subprocess.Popen(
        [*COMMAND, command, "a.py"], cwd=project, env=environment, stdout=terminal
    ) as process:
        os.close(terminal)
        shown = b""
        try:
            while block := os.read(screen, 4096):
                shown += block
        except OSError:
            pass  # Linux says so when the other side has closed
    os.close(screen)
    assert process.returncode == 0
    assert (b"\x1b[" in shown) == coloured
    foreign = re.sub(rb"\x1b\[\d+m", b"", shown).decode()
    assert not [each for each in foreign if not each.isprintable() and each not in "\r\n"]
    assert "ESC \\x1b[31m" in foreign


def test_json_escapes_lose_nothing(project):
    raw = bytes.fromhex("1b5b33316d").decode()
    for encoding in ("utf-8", "ascii", "latin-1"):
        done = run("context", "a.py", "--json", cwd=project, environment={"PYTHONIOENCODING": encoding})
        contents = [each["Content"] for each in json.loads(done.stdout.decode(encoding))]
        assert raw in contents[0]
        assert "\U000e0041" in contents[0]
        assert contents[1] == "ünïcödé 日本"


def test_a_terminal_that_knows_few_characters_is_no_error(project):
    done = run("context", "a.py", cwd=project, environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, b"\\xfc" in done.stdout) == (0, True)


@pytest.mark.skipif(sys.platform != "linux", reason="such names can't be created everywhere")
def test_hostile_names_are_shown_safely(plant):
    root = plant({"AGENTS.yaml": "context: [{content: c}]"})
    for name in (b"\x1b[31mred", b"bad\xff", "\u202etxt".encode()):
        directory = os.path.join(os.fsencode(root), name)
        os.mkdir(directory)
        with open(os.path.join(directory, b"AGENTS.yaml"), "w") as file:
            file.write("context: [{content: c, match: [gone/**]}, {on: edit}]")
    for arguments in (
        ["context", "--all"],
        ["validate"],
        ["validate", "--json"],
        ["explain", "\x1b[31mred/x\u202e"],
    ):
        done = run(*arguments, cwd=root)
        assert done.returncode in (0, 1)
        assert not {0x1B, 0x07} & set(done.stdout + done.stderr)
        assert "\u202e" not in done.stdout.decode() + done.stderr.decode()


def test_an_argument_is_shown_safely(plant):
    done = run("context", "--on", "\x1b[31m", "a", cwd=plant({}))
    assert (done.returncode, 0x1B in done.stderr) == (1, False)


def test_a_reader_that_goes_away_is_no_error(plant):
    entries = "".join(f"  - content: '{'x' * 200} {number}'\n" for number in range(2_000))
    root = plant({"AGENTS.yaml": "context:\n" + entries})
    for arguments in (["context", "--all"], ["context", "--all", "--json"], ["help"]):
        process = subprocess.Popen(
            [*COMMAND, *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        process.stderr.close()
        assert (process.wait(), errors) == (0, b"")


def test_a_reader_that_goes_away_does_not_hide_errors(plant):
    entries = "".join(f"  - {{on: x{number}}}\n" for number in range(3_000))
    root = plant({"AGENTS.yaml": "context:\n" + entries})
    process = subprocess.Popen([*COMMAND, "validate"], cwd=root, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.wait() == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_an_error(project):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "context", "a.py"], cwd=project, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr.startswith(b"error: "), done.stderr.count(b"\n")) == (1, True, 1)


@pytest.mark.skipif(os.name == "nt", reason="POSIX")
def test_closed_streams_are_no_error(project):
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            f"'{sys.executable}' -m sctx_tui context a.py {closed}", shell=True, cwd=project, check=False
        )
        assert done.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX")
def test_an_interrupt_is_one_line(plant):
    root = plant({"AGENTS.yaml": "context: [{content: c}]"})
    # A listing that never ends, for which git is asked.
    slow = plant({"git": "#!/bin/sh\nexec sleep 60\n"}, name="bin")
    (slow / "git").chmod(0o755)
    process = subprocess.Popen(
        [*COMMAND, "validate"],
        cwd=root,
        env={**os.environ, "PATH": f"{slow}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert (process.returncode, out, errors) == (1, b"", b"\nerror: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="POSIX")
def test_a_working_directory_that_is_gone_is_an_error(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        f"cd '{gone}' && rmdir '{gone}' && '{sys.executable}' -m sctx_tui context a.py",
        shell=True,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"error: ")


def test_an_unexpected_error_is_one_line_unless_a_traceback_is_wanted(sctx, plant, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("no\x1bway")

    monkeypatch.setattr("sctx_tui.guidance.resolve.resolve", broken)
    root = plant({})
    result = sctx("context", "a.py", cwd=root)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: unexpected ZeroDivisionError: no\\x1bway")
    monkeypatch.setenv(TRACEBACK_VARIABLE, "1")
    with pytest.raises(ZeroDivisionError):
        sctx("context", "a.py", cwd=root)


def test_the_command_line_imports_nothing_heavy():
    code = "import sys, sctx_tui.cli.sctx; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"textual", "rich", "yaml", "wcmatch", "tree_sitter", "sqlite3", "asyncio"} & set(loaded)
