"""What isn't a regular file is never waited for, whoever looks for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sctx_tui.graph.linking import project_texts
from sctx_tui.graph.on_the_fly import neighbourhood_now
from sctx_tui.graph.project import project_root
from sctx_tui.graph.store import Store
from sctx_tui.graph.systems import own_names
from sctx_tui.guidance.validate import validate
from sctx_tui.listing import listed_files
from sctx_tui.regular import open_regular

if not hasattr(os, "mkfifo"):
    pytest.skip("this system has no pipes with names", allow_module_level=True)

PIPES = ("pyproject.toml", "package.json", "go.mod", "x.py", "README.md", "AGENTS.yaml", ".gitignore", ".git")


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe")
    for name in ("a", "link"):
        with open_regular(str(tmp_path / name)) as file:
            assert file.read() == b"x"
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero"), tmp_path / "none"):
        with pytest.raises(OSError, match=r"regular|No such"):
            open_regular(str(path))


def test_a_project_of_pipes(tmp_path: Path) -> None:
    root = str(tmp_path.resolve())
    for name in PIPES:
        os.mkfifo(tmp_path / name)
    (tmp_path / "a.py").write_text("import x\n\ndef f(): x.g()\n")
    assert "a.py" in listed_files(root)
    assert project_root(root) == root
    assert len(own_names(root)) == 1
    assert project_texts(root, PIPES) == {}
    assert "f" in [each.name for each in neighbourhood_now(root, "a.py").functions]
    assert {problem.code for problem in validate(root)} == {"not_regular"}
    with Store.open(root, create=True):
        pass
