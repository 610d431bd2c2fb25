"""`sctx validate` as a command. Numbers in names are rows of the list of reproduced faults."""

from __future__ import annotations

import os
import re

import pytest

WARNING = "context: [{content: c, match: ['legacy/**']}]"
ERROR = "context:\n  - content: c\n    on: Edit\n"
LINE = re.compile(r"(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (error|warning)\[[a-z_]+\]: .+")


def test_one_line_for_each_problem_and_a_summary(sctx, plant):
    result = sctx("validate", cwd=plant({"AGENTS.yaml": ERROR, "a/AGENTS.yaml": WARNING}))
    *problems, summary = result.out.splitlines()
    assert [LINE.fullmatch(line)["file"] for line in problems] == ["AGENTS.yaml", "a/AGENTS.yaml"]
    assert problems[0].startswith("AGENTS.yaml:3:9: error[invalid_action]: context[0]: ")
    assert summary == "2 guidance files checked: 1 error, 1 warning."
    assert (result.code, result.err) == (1, "")


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        ("context: [{content: c}]", [], 0),
        ("context: [{content: c}]", ["--strict"], 0),
        (WARNING, [], 0),
        (WARNING, ["--strict"], 1),
        (ERROR, [], 1),
        (ERROR, ["--strict"], 1),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_exit_codes(text, arguments, code, form, sctx, plant):
    assert sctx("validate", *arguments, *form, cwd=plant({"AGENTS.yaml": text})).code == code


def test_json(sctx, plant):
    result = sctx("validate", "--json", cwd=plant({"AGENTS.yaml": ERROR}))
    assert result.json == [
        {
            "file": "AGENTS.yaml",
            "line": 3,
            "column": 9,
            "severity": "error",
            "code": "invalid_action",
            "message": 'context[0]: invalid action "Edit" (must be read, edit, create, or all)',
            "where": "context[0]",
        }
    ]
    assert sctx("validate", "--json", cwd=plant({"AGENTS.yaml": ""})).json == []


def test_all_valid(sctx, plant):
    result = sctx("validate", cwd=plant({"AGENTS.yaml": "context: [{content: c}]"}))
    assert (result.code, result.out, result.err) == (0, "1 guidance file checked: all valid.\n", "")


@pytest.mark.parametrize("arguments", [[], ["sub"], ["README.md"]])
def test_nothing_to_validate_is_a_warning_and_no_claim(arguments, sctx, plant):
    result = sctx("validate", *arguments, cwd=plant({"README.md": "", "sub/x": ""}))
    assert (result.code, result.out) == (0, "")
    assert "nothing to validate" in result.err
    assert sctx("validate", *arguments, "--json", cwd=plant({})).out == "[]\n"


def test_files_are_named_as_seen_from_the_working_directory(sctx, plant):
    root = plant({"AGENTS.yaml": ERROR, "sub/AGENTS.yaml": ERROR, "sub/x": ""})

    def files(*arguments, cwd=root):
        return [each["file"] for each in sctx("validate", *arguments, "--json", cwd=cwd).json]

    assert files() == ["AGENTS.yaml", "sub/AGENTS.yaml"]
    assert files("sub") == files("sub/AGENTS.yaml") == files(str(root / "sub")) == ["sub/AGENTS.yaml"]
    assert files("") == files(".") == files()
    assert files(cwd=root / "sub") == ["AGENTS.yaml"]
    assert files("..", cwd=root / "sub") == ["../AGENTS.yaml", "AGENTS.yaml"]
    assert files("--root", "..", cwd=root / "sub") == ["../AGENTS.yaml", "AGENTS.yaml"]
    assert files("--root", "..", ".", cwd=root / "sub") == ["AGENTS.yaml"]


def test_colours_are_for_terminals_only(sctx, plant, monkeypatch):
    root = plant({"AGENTS.yaml": ERROR})
    assert "\x1b" not in sctx("validate", cwd=root).out
    monkeypatch.setattr("sctx_tui.cli.checks.colours", lambda: True)
    assert "\x1b[31merror[invalid_action]\x1b[0m" in sctx("validate", cwd=root).out


# row: (guidance file, the codes and where they stand)
SCHEMA = {
    "22-empty-on-list": ("context: [{content: c, on: []}]", [("error", "invalid_action", "context[0]")]),
    "23-true-for-on": ("context: [{content: c, true: edit}]", [("error", "misspelt_field", "context[0]")]),
    "23-on-in-capitals": ("context: [{content: c, ON: edit}]", [("error", "misspelt_field", "context[0]")]),
    "23-yes-for-on": ("context: [{content: c, yes: edit}]", [("warning", "unknown_field", "context[0]")]),
    "25-list-for-when": (
        "context: [{content: c, when: [before, after]}]",
        [("error", "invalid_yaml", "context[0]")],
    ),
    "26-when-during": ("context: [{content: c, when: during}]", [("error", "invalid_when", "context[0]")]),
    "37-bracket-in-a-bracket": (
        "context: [{content: c, match: ['[[]slug[]]']}]",
        [("error", "invalid_glob", "context[0]")],
    ),
    "69-unquoted-star": ("context: [{content: c, match: [*.py]}]", [("error", "invalid_yaml", "")]),
    "70-duplicate-key": ("context: []\ncontext: []", [("error", "invalid_yaml", "")]),
    "74-tab": ("context:\n\t- content: c", [("error", "invalid_yaml", "")]),
    "74-escape-byte": ("context: [{content: \x1b}]", [("error", "invalid_yaml", "")]),
    "75-null-entry": ("context:\n  -\n  - content: c", [("warning", "empty_entry", "context[0]")]),
    "77-matches": ("context: [{content: c, matches: ['*.py']}]", [("error", "misspelt_field", "context[0]")]),
    "77-excludes": (
        "context: [{content: c, excludes: ['*.py']}]",
        [("error", "misspelt_field", "context[0]")],
    ),
    "77-contexts": ("contexts: [{content: c}]", [("warning", "unknown_field", "")]),
    "77-globs": ("context: [{content: c, globs: '*.py'}]", [("error", "misspelt_field", "context[0]")]),
    "77-paths": ("context: [{content: c, paths: '*.py'}]", [("error", "misspelt_field", "context[0]")]),
    "77-apply-to": ("context: [{content: c, applyTo: '*.py'}]", [("error", "misspelt_field", "context[0]")]),
    "78-number-after-a-null-entry": (
        "context:\n  -\n  - {content: c, bogus: 1}",
        [("warning", "empty_entry", "context[0]"), ("warning", "unknown_field", "context[1]")],
    ),
    "86-ref": (
        "context: [{ref: 'other.yaml#1'}]",
        [("error", "content_required", "context[0]"), ("warning", "unknown_field", "context[0]")],
    ),
    "107-impossible-date": (
        "decisions: [{decision: d, rationale: r, date: 2025-13-45}]",
        [("error", "invalid_date", "decisions[0]")],
    ),
    "109-alternatives-as-texts": (
        "decisions: [{decision: d, rationale: r, alternatives: [GraphQL]}]",
        [("error", "invalid_yaml", "decisions[0].alternatives[0]")],
    ),
    "alternative-without-its-texts": (
        "decisions: [{decision: d, rationale: r, alternatives: [{}]}]",
        [
            ("error", "option_required", "decisions[0].alternatives[0]"),
            ("error", "reason_rejected_required", "decisions[0].alternatives[0]"),
        ],
    ),
    "second-document": ("context: []\n---\ncontext: [{content: c}]", [("warning", "second_document", "")]),
}


@pytest.mark.parametrize("row", SCHEMA)
def test_schema(row, sctx, plant):
    text, expected = SCHEMA[row]
    found = sctx("validate", "--json", cwd=plant({"AGENTS.yaml": text})).json
    assert sorted((each["severity"], each["code"], each["where"]) for each in found) == sorted(expected)
    assert all(each["line"] >= 1 and each["column"] >= 1 for each in found)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("38", "context: [{content: c, match: '**/*.yaml'}]"),
        ("46", "context: [{content: c, match: []}]"),
        ("46", "context: [{content: c, match: }]"),
        ("73", "\ufeffcontext: [{content: c}]"),
        ("73", "context:\r\n  - content: |\r\n      two\r\n      lines\r\n"),
        ("73", "context: [{content: c}]".encode("utf-16")),
        ("75", "# only a comment\n"),
        (
            "79",
            "context: [{content: 0x10}, {content: 012}, {content: 1_000}, {content: NO}, {content: 1:20}]",
        ),
        ("79", "context: [{content: !custom x}, {content: !!binary aGVsbG8=}]"),
        ("110", "decisions: [{decision: d, rationale: r, exclude: ['*.md']}]"),
    ],
)
def test_what_is_fine(row, text, sctx, plant):
    assert (
        sctx("validate", cwd=plant({"AGENTS.yaml": text})).out == "1 guidance file checked: all valid.\n"
    ), row


def test_69_an_unquoted_star_is_told_about_quotes(sctx, plant):
    assert (
        "quoted"
        in sctx("validate", cwd=plant({"AGENTS.yaml": "context: [{content: c, match: [**/*.py]}]"})).out
    )


def test_c37_one_bad_entry_never_drops_the_file(sctx, plant):
    text = "context: [{content: fine}, {content: [a]}, {content: c, match: '['}, 7]"
    root = plant({"AGENTS.yaml": text})
    assert sctx("validate", cwd=root).code == 1
    assert [each["Content"] for each in sctx("context", "a", "--json", cwd=root).json] == ["fine"]


def test_74_81_hostile_yaml_is_reported_and_over_at_once(sctx, plant):
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))
    files = {
        "bomb/AGENTS.yaml": bomb + "context: [{content: c}]",
        "bytes/AGENTS.yaml": b"context: [{content: '\xff'}]",
        "deep/AGENTS.yaml": "[" * 5_000,
        "braces/AGENTS.yaml": "context: [{content: c, match: ['" + "{a,aa}" * 18 + "b']}]",
        "stars/AGENTS.yaml": "context: [{content: c, match: ['" + "*a" * 500 + "']}]",
        "large/AGENTS.yaml": "#" * (1 << 20) + "\n",
    }
    result = sctx("validate", "--json", cwd=plant(files))
    assert result.code == 1
    assert {each["file"].split("/")[0] for each in result.json if each["severity"] == "error"} == {
        *("bytes", "deep", "braces", "large")
    }


@pytest.mark.parametrize("kind", ["directory", "pipe", "dangling link", "link outside"])
def test_15_82_what_is_no_regular_file_is_reported(kind, sctx, plant, tmp_path):
    root = plant({"README.md": ""})
    path = root / "AGENTS.yaml"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    else:
        (tmp_path / "outside.yaml").write_text("context: [{content: c}]")
        path.symlink_to("../outside.yaml")
    result = sctx("validate", cwd=root)
    assert result.code == 1
    assert re.match(r"AGENTS\.yaml:1:1: error\[\w+\]: ", result.out)
    context = sctx("context", "README.md", cwd=root)
    assert context.code == 0
    assert context.err.startswith("warning: AGENTS.yaml:1:1: ")


def test_c47_a_worktree_below_the_root_is_not_validated_with_it(sctx, plant):
    git = "gitdir: /somewhere/.git/worktrees/copy\n"
    root = plant({"AGENTS.yaml": WARNING, "copy/.git": git, "copy/AGENTS.yaml": ERROR})
    assert sctx("validate", cwd=root).out.endswith("1 guidance file checked: 1 warning.\n")


def test_17_no_text_of_a_file_is_repeated_where_it_may_be_somebody_elses(sctx, plant):
    root = plant({"notes.txt": "TOPSECRET: [", "AGENTS.yaml": {"symlink": "notes.txt"}})
    assert "TOPSECRET" not in sctx("validate", cwd=root).out
