"""`ctx hash` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess, run

import pytest

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def ctx_hash(tmp_path: Path) -> Run:
    def call(*arguments: str, stdin: str = "") -> CompletedProcess[str]:
        code = "import sys; from sctx_tui.__main__ import ctx; sys.argv[1:] = sys.argv[1:]; ctx()"
        command = [sys.executable, "-c", code, "hash", *arguments]
        return run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False)

    (tmp_path / "a.py").write_text(
        "def f(x):\n    return (x)  # same\n\n\nclass C:\n    def g(self): return 'a'\n"
    )
    (tmp_path / "b.py").write_text(
        'def f(x):\n    """Doc."""\n    return x\nclass C:\n    def g(self):\n        return "a"\n'
    )
    (tmp_path / "c.py").write_text(
        "def f(x):\n    return x\nclass C:\n    def g(self):\n        return 'b'\n"
    )
    (tmp_path / "readme.md").write_text("# Hello\n")
    return call


def test_one_line_a_path_in_their_order(ctx_hash: Run) -> None:
    done = ctx_hash("a.py", "b.py", "c.py")
    one, two, three = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert one == two != three
    assert len(one) == 32


def test_paths_from_standard_input(ctx_hash: Run) -> None:
    given = ctx_hash("a.py", "b.py").stdout
    assert ctx_hash("-", stdin="a.py\nb.py\n").stdout == given
    assert ctx_hash("-", stdin="a.py\0b.py\0").stdout == given


def test_one_line_a_function(ctx_hash: Run) -> None:
    lines = ctx_hash("--functions", "a.py", "c.py").stdout.splitlines()
    found = dict(reversed(line.split("  ")) for line in lines)
    assert list(found) == ["a.py::f", "a.py::C.g", "c.py::f", "c.py::C.g"]
    assert found["a.py::f"] == found["c.py::f"]
    assert found["a.py::C.g"] != found["c.py::C.g"]


def test_json(ctx_hash: Run) -> None:
    (file,) = json.loads(ctx_hash("--json", "--functions", "b.py").stdout)
    assert file["path"] == "b.py"
    assert file["hash"] == ctx_hash("b.py").stdout.strip()
    assert [(row["id"], row["line"]) for row in file["functions"]] == [("b.py::f", 1), ("b.py::C.g", 5)]
    assert "functions" not in json.loads(ctx_hash("--json", "b.py").stdout)[0]


@pytest.mark.parametrize("path", ["readme.md", "missing.py", "."])
def test_what_has_no_hash_keeps_its_line(ctx_hash: Run, path: str) -> None:
    done = ctx_hash(path, "a.py")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == ""
    assert len(done.stdout.splitlines()[1]) == 32
    assert done.stderr.startswith(f"{path}: ")
    assert "Traceback" not in done.stderr


def test_names_on_standard_input_end_at_line_feeds_only(ctx_hash: Run, tmp_path: Path) -> None:
    (tmp_path / "a\u2028b\x0c.py").write_text("x = 1\n")
    done = ctx_hash("-", stdin="a\u2028b\x0c.py\r\na.py\n")
    assert (done.returncode, done.stderr, len(done.stdout.split())) == (0, "", 2)


def test_a_pipe_is_not_waited_for(ctx_hash: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    done = ctx_hash("pipe.py", "a.py")
    assert done.returncode == 1 and "not a regular file" in done.stderr
    assert len(done.stdout.split()) == 1
