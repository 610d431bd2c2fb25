"""What a warm `sctx hook` may import: each module costs more than the question itself."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

HEAVY = {
    "argparse", "ast", "asyncio", "click", "collections", "contextlib", "copy", "dataclasses",
    "datetime", "dis", "enum", "functools", "hashlib", "importlib.metadata", "importlib.resources",
    "inspect", "json", "keyword", "logging", "operator", "pathlib", "pickle", "platformdirs", "random",
    "re", "shlex", "shutil", "sqlite3", "ssl", "subprocess", "tempfile", "textual", "threading",
    "tokenize", "traceback", "typing", "unicodedata", "wcmatch", "weakref", "yaml",
}  # fmt: skip


def imported(root: Path, payload: dict[str, object], bare: bool = False) -> set[str]:
    """The modules of a run, without those that Python starts with."""
    call = "" if bare else "from sctx_tui.agents.hook import main; main([]);"
    code = f"import sys; {call} sys.stderr.write(chr(10).join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=True,
        cwd=root,
    )
    assert bare or b"be careful" in done.stdout
    return set(done.stderr.decode().split())


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose guidance is old enough to be kept between runs: a time of change cannot be set back."""
    root = tmp_path_factory.mktemp("settled").resolve()
    text = 'context:\n  - content: be careful\n    match: ["**/*.{py,pyi}", "x"]\n    when: all\n'
    (root / "AGENTS.yaml").write_text(text)
    time.sleep(2.1)
    return root


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write"])
def test_the_warm_hook(tool: str, settled: Path) -> None:
    payload = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"file_path": "a.py"}}
    assert "yaml" in imported(settled, payload), "the first run parses"
    found = imported(settled, payload) - imported(settled, payload, bare=True)
    assert not found & HEAVY, sorted(found & HEAVY)
    strangers = {name for name in found if not name.startswith("sctx_tui")}
    known = {"_json", "time", "gc", "__future__"} | ({"_blake2"} if tool == "Write" else set())
    assert strangers <= known, strangers
    assert not {"sctx_tui.cli", "sctx_tui.guidance.parse"} & found


def test_a_payload_of_another_host_imports_no_engine(tmp_path: Path) -> None:
    code = (
        "import sys; from sctx_tui.agents.hook import main; main([]); "
        "assert not any(name.startswith('sctx_tui.guidance') for name in sys.modules)"
    )
    payload = json.dumps({"hookName": "PreToolUse"}).encode()
    subprocess.run([sys.executable, "-c", code], input=payload, check=True, cwd=tmp_path)
