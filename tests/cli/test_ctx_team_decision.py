"""`ctx decision --yaml`: which file gets the decision, what it matches there, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.guidance.resolve import make_query, resolve

Run = Callable[..., Any]


@pytest.fixture
def project(plant: Callable[..., Path]) -> Path:
    return plant(
        {
            "src/AGENTS.yaml": "# ours\ncontext: []\n",
            "src/[id]/page.py": "x = 1\n",
            "lib/a.py": "y = 1\n",
            "top.py": "z = 1\n",
            ".git": None,
        }
    )


def decisions(root: Path, path: str) -> list[str]:
    found = resolve(make_query(path, root=str(root)))
    return [each.entry.decision for each in found.decisions]


def test_a_decision_holds_where_its_scope_says(project: Path, run_ctx: Run) -> None:
    for scope, text in [
        ("*", "all"),
        ("src", "folder"),
        ("src/[id]/page.py", "file"),
        ("lib/**/*.py", "glob"),
    ]:
        result = run_ctx("decision", scope, text, "--yaml", "--reason", "so", cwd=project)
        assert result.code == 0, result.err
    assert decisions(project, "top.py") == ["all"]
    assert decisions(project, "src/[id]/page.py") == ["all", "folder", "file"]
    assert decisions(project, "src/other.py") == ["all", "folder"]
    assert decisions(project, "lib/a.py") == ["all", "glob"]
    assert (project / "src/AGENTS.yaml").read_text().startswith("# ours\ncontext: []\n")
    assert not (project / ".ctx").exists()


def test_the_rationale_and_what_was_rejected_are_kept(project: Path, run_ctx: Run) -> None:
    result = run_ctx(
        "decision", "src", "A", "--yaml", "--reason", "why", "--alternatives", "B: too slow", cwd=project
    )
    assert result.out == "decision written to src/AGENTS.yaml:5\n"
    text = (project / "src/AGENTS.yaml").read_text()
    assert 'option: "B"' in text
    assert 'reason_rejected: "too slow"' in text
    assert 'rationale: "why"' in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["src", "A", "--yaml"], "--reason"),
        (["src/a.py::f", "A", "--yaml", "--reason", "r"], "symbol"),
        (["src", "A", "--yaml", "--reason", "r", "--alternatives", "B"], "OPTION: WHY"),
    ],
)
def test_what_is_missing_is_said_and_nothing_written(
    project: Path, run_ctx: Run, arguments: list[str], said: str
) -> None:
    before = (project / "src/AGENTS.yaml").read_bytes()
    result = run_ctx("decision", *arguments, cwd=project)
    assert (result.code, result.out) == (1, "")
    assert said in result.err
    assert (project / "src/AGENTS.yaml").read_bytes() == before


def test_a_broken_file_is_left_alone(project: Path, run_ctx: Run) -> None:
    (project / "src/AGENTS.yaml").write_text("decisions: [\n")
    result = run_ctx("decision", "src", "A", "--yaml", "--reason", "r", cwd=project)
    assert result.code == 1
    assert "src/AGENTS.yaml:2:1" in result.err
    assert (project / "src/AGENTS.yaml").read_text() == "decisions: [\n"


def test_a_link_out_of_the_project_is_not_followed(project: Path, run_ctx: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("context: []\n")
    os.symlink(outside, project / "AGENTS.yaml")
    result = run_ctx("decision", "*", "A", "--yaml", "--reason", "r", cwd=project)
    assert result.code == 1
    assert "outside" in result.err
    assert outside.read_text() == "context: []\n"


def test_a_pattern_that_fits_nothing_is_noted(project: Path, run_ctx: Run) -> None:
    result = run_ctx("decision", "gone/**/*.py", "A", "--yaml", "--reason", "r", cwd=project)
    assert result.code == 0
    assert "no match pattern fits a listed file" in result.err
