"""Which files `validate` looks at, and the order of what it says."""

from __future__ import annotations

import pytest

from sctx_tui.guidance.validate import report

from .checking import TODAY, checked, one


@pytest.mark.parametrize("name", ["agents.yaml", "Agents.yml", "AGENTS.YAML"])
def test_a_name_in_the_wrong_case_is_reported(name, tmp_path):
    (problem,) = checked(tmp_path, {f"src/{name}": "context: [{content: c}]"})
    assert (problem.file, problem.code) == (f"src/{name}", "file_name")
    assert f"must be AGENTS.y{'aml' if 'aml' in name.lower() else 'ml'}" in problem.message


def test_90_vendored_and_ignored_directories_are_not_validated(tmp_path):
    broken = "context: ["
    files = {
        ".gitignore": "out/\n",
        **dict.fromkeys(
            (
                f"{name}/AGENTS.yaml"
                for name in ("node_modules/p", ".venv", "a/site-packages", "x/__pycache__", "out")
            ),
            broken,
        ),
        "node_modules/p/agents.yaml": "",
        "AGENTS.yaml": "context: [{content: c}]",
    }
    found = report(str(tmp_path), today=TODAY) if checked(tmp_path, files) == [] else None
    assert found is not None
    assert found.files == ["AGENTS.yaml"]


def test_only_what_lies_within_is_validated(tmp_path):
    bad = "context: [{on: edit}]"
    files = {
        "AGENTS.yaml": bad,
        "a/AGENTS.yaml": bad,
        "a/b/AGENTS.yml": bad,
        "ab/AGENTS.yaml": bad,
        "ab/agents.yml": "",
    }
    assert {each.file for each in checked(tmp_path, files, "a")} == {"a/AGENTS.yaml", "a/b/AGENTS.yml"}
    assert {each.file for each in checked(tmp_path, files, "a/b/AGENTS.yml")} == {"a/b/AGENTS.yml"}


def test_problems_are_sorted_by_file_line_and_column(tmp_path):
    text = "context:\n  - {content: c, match: ['z/**', 'y/**']}\n  - {on: edit}\n"
    problems = checked(
        tmp_path, {"b/AGENTS.yaml": text, "a-b/AGENTS.yaml": text, "a/AGENTS.yaml": text, "AGENTS.yaml": text}
    )
    places = [(each.file, each.line, each.column) for each in problems]
    assert places == sorted(places, key=lambda place: (place[0].split("/"), *place[1:]))
    assert len(places) == 12


def test_a_file_under_two_names_is_validated_once(tmp_path):
    (tmp_path / "AGENTS.yml").symlink_to("AGENTS.yaml")
    assert len(checked(tmp_path, {"AGENTS.yaml": "context: [{on: edit}]"})) == 1


def test_a_hostile_number_of_patterns_is_cut_short_and_said(tmp_path, monkeypatch):
    monkeypatch.setattr("sctx_tui.guidance.lint.MAX_COMPARISONS", 100)
    monkeypatch.setattr("sctx_tui.guidance.validate.MAX_COMPARISONS", 100)
    patterns = ", ".join(f"'*x?{number}*'" for number in range(200))
    files = {
        "a/AGENTS.yaml": f"context: [{{content: c, match: [{patterns}]}}]",
        "b/AGENTS.yaml": one("match", "zz"),
    }
    problems = checked(tmp_path, files)
    assert [each.file for each in problems if each.code == "lint_stopped"] == ["a/AGENTS.yaml"]
    assert 0 < sum(each.code == "dead_pattern" for each in problems) < 100
