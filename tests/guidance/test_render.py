"""Texts for agents, and JSON values.

F-numbers are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sctx_tui.guidance.model import (
    APPLIES,
    Alternative,
    ContextEntry,
    Decision,
    GuidanceFile,
    Judged,
    Problem,
    Query,
    Resolution,
)
from sctx_tui.guidance.render import (
    LIMIT,
    age,
    agent_text,
    context_json,
    decisions_json,
    explain_json,
)
from sctx_tui.guidance.resolve import make_query, resolve

from .conftest import Tree

Project = Callable[[Tree], Path]


def resolution(
    *entries: ContextEntry | Decision | tuple[int, ContextEntry | Decision],
    problems: tuple[Problem, ...] = (),
    root: str = "/proj",
    path: str = "src/a.py",
) -> Resolution:
    """An answer in which all of these apply; a number is the level of its file."""
    leveled = [each if isinstance(each, tuple) else (0, each) for each in entries]
    judged = [
        Judged(entry, "d/" * level + "AGENTS.yaml", level, APPLIES, "**", "") for level, entry in leveled
    ]
    files = tuple(GuidanceFile(name) for name in sorted({each.file for each in judged}))
    return Resolution(Query(root, path, False, "edit", "before"), judged, files, problems, ())


def test_sections_are_separated_by_a_blank_line() -> None:
    answer = resolution(
        ContextEntry("one"),
        ContextEntry("two\n"),
        Decision(
            "REST",
            "simple",
            (Alternative("GraphQL", "new to us"), Alternative("gRPC", "browsers")),
            "we stream",
            "2025-10-20",
        ),
        Decision("plain", "because"),
    )
    assert agent_text(answer, decisions=True) == (
        "## Structured Context\n"
        "\n"
        "- one\n"
        "- two\n"
        "\n"
        "## Architectural Decisions\n"
        "\n"
        "- REST (2025-10-20)\n"
        "  Rationale: simple\n"
        "  Considered GraphQL, rejected: new to us\n"
        "  Considered gRPC, rejected: browsers\n"
        "  Revisit when: we stream\n"
        "- plain\n"
        "  Rationale: because"
    )
    assert agent_text(answer, decisions=False) == "## Structured Context\n\n- one\n- two"


def test_nothing_to_say() -> None:
    assert agent_text(resolution(), decisions=True) == ""
    assert agent_text(resolution(Decision("d", "r")), decisions=False) == ""
    warning = Problem("AGENTS.yaml", 1, 1, "warning", "unknown_field", "x")
    assert agent_text(resolution(problems=(warning,)), decisions=True) == ""


def test_F105_lists_and_headings_stay_in_their_item() -> None:
    answer = resolution(ContextEntry("First:\n- a\n\n  - b\n# Heading\n"), ContextEntry("next"))
    text = agent_text(answer, decisions=False)
    assert text.split("\n\n", 1)[1] == "- First:\n  - a\n\n    - b\n  # Heading\n- next"


def test_many_lines_in_every_part_of_a_decision() -> None:
    decision = Decision("a\nb", "c\nd\n", (Alternative("e\nf", "g\nh"),), "i\nj", "2025-01-01")
    assert agent_text(resolution(decision), decisions=True).split("\n")[2:] == [
        "- a",
        "  b (2025-01-01)",
        "  Rationale: c",
        "  d",
        "  Considered e",
        "  f, rejected: g",
        "  h",
        "  Revisit when: i",
        "  j",
    ]


def test_F85_a_broken_file_is_one_line() -> None:
    problems = (
        Problem("AGENTS.yaml", 3, 5, "error", "invalid_yaml", "did not find\nexpected key"),
        Problem("AGENTS.yaml", 9, 1, "error", "invalid_on", "context[0]: bad"),
        Problem("AGENTS.yaml", 9, 1, "warning", "unknown_field", "context[0]: unknown"),
        Problem("a/AGENTS.yaml", 1, 1, "error", "not_regular", "not a regular file but a directory"),
    )
    assert agent_text(resolution(ContextEntry("one"), problems=problems), decisions=False).split("\n")[
        3:
    ] == [
        "",
        "Faulty guidance: AGENTS.yaml:3:5: did not find expected key (and 1 more: `sctx validate`)",
        "Faulty guidance: a/AGENTS.yaml:1:1: not a regular file but a directory",
    ]


def test_many_broken_files_are_counted() -> None:
    problems = tuple(Problem(f"{n}.yaml", 1, 1, "error", "x", "m" * 1000) for n in range(9))
    lines = agent_text(resolution(problems=problems), decisions=False).split("\n")
    assert len(lines) == 6
    assert max(map(len, lines)) < 330
    assert lines[-1] == "Faulty guidance: 4 more files: `sctx validate`"


def test_F18_hidden_characters_are_shown() -> None:
    text = agent_text(resolution(ContextEntry("a\x1b[31mb\u202ec\U000e0041\td 👩\u200d💻")), decisions=False)
    assert "- a\\x1b[31mb\\u202ec\\U000e0041\td 👩\u200d💻" in text


def test_C55_the_least_specific_goes_first() -> None:
    numbered = [(level, n) for level in range(8) for n in range(10)]
    entries = [(level, ContextEntry(f"level {level} number {n} " + "x" * 180)) for level, n in numbered]
    text = agent_text(resolution(*entries), decisions=False)
    assert len(text) <= LIMIT
    kept = [line for line in text.split("\n") if line.startswith("- level")]
    assert kept == [f"- {entry.content}" for _, entry in entries[-len(kept) :]]
    assert len(kept) > 40
    assert text.split("\n")[-1] == (
        f"({80 - len(kept)} of 80 entries are cut or left out for length, nearest to the root first; "
        "`sctx context /proj/src/a.py --root /proj --on edit --when before` shows all)"
    )


def test_both_commands_if_both_kinds_are_left_out() -> None:
    entries = [ContextEntry("x" * 5000), Decision("y" * 5000, "r"), (1, ContextEntry("near"))]
    text = agent_text(resolution(*entries, path="it's a dir/x.py", root="/my proj"), decisions=True)
    target = "'/my proj/it'\\''s a dir/x.py' --root '/my proj'"
    assert "- near" in text
    assert "`sctx context" in text
    assert "`sctx decisions" not in text
    entries = [ContextEntry("x" * 9400), Decision("y" * 9400, "r"), (1, ContextEntry("near"))]
    text = agent_text(resolution(*entries, path="it's a dir/x.py", root="/my proj"), decisions=True)
    assert f"`sctx context {target} --on edit --when before` and `sctx decisions {target}` shows all)" in text


def test_an_entry_that_is_longer_than_the_whole_is_cut() -> None:
    text = agent_text(resolution(ContextEntry("x" * 20_000), ContextEntry("y")), decisions=False)
    assert "- y" in text
    text = agent_text(resolution((1, ContextEntry("x" * 20_000)), ContextEntry("y")), decisions=False)
    assert len(text) <= LIMIT
    assert text.count("x") > 9000
    assert " [cut]\n" in text


contents = st.text(alphabet=st.sampled_from("ab \n-é\x1b\U0001f600"), max_size=80)
made = st.one_of(
    contents.map(ContextEntry),
    st.tuples(contents, contents, st.lists(st.tuples(contents, contents), max_size=3)).map(
        lambda each: Decision(each[0], each[1], tuple(Alternative(*other) for other in each[2]))
    ),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), made), max_size=12),
    st.integers(0, 700),
    st.booleans(),
    st.integers(0, 3),
)
def test_a_text_never_exceeds_its_limit(
    entries: list[tuple[int, ContextEntry | Decision]], limit: int, decisions: bool, faulty: int
) -> None:
    problems = tuple(Problem(f"{n}/AGENTS.yaml", 1, 1, "error", "x", "fault" * 9) for n in range(faulty))
    answer = resolution(*sorted(entries, key=lambda each: each[0]), problems=problems)
    whole = agent_text(answer, decisions=decisions, limit=10**9)
    text = agent_text(answer, decisions=decisions, limit=limit)
    assert len(text) <= limit
    assert (text == whole) == (len(whole) <= limit)
    if text != whole and limit > 500 + 200 * faulty:
        assert text.endswith("shows all)")
    assert "\x1b" not in text


RICH = """\
context:
  - content: |
      one
    match: ["**"]
    exclude: ["x"]
    on: [edit]
    when: after
decisions:
  - {decision: d, rationale: r, alternatives: [{option: o, reason_rejected: w}], date: 2025-01-01}
"""


def test_F30_json(project: Project) -> None:
    root = project({"AGENTS.yaml": "context: [{content: root, match: [nope]}]", "src/AGENTS.yml": RICH})
    answer = resolve(make_query("src/a.py", root=str(root)))
    assert context_json(answer) == [
        {
            "Content": "one\n",
            "SourceDir": f"{root}/src",
            "SourceFile": "src/AGENTS.yml",
            "Line": 2,
            "Match": ["**"],
            "Exclude": ["x"],
            "On": ["edit"],
            "When": "after",
        }
    ]
    assert decisions_json(answer) == [
        {
            "Decision": "d",
            "Rationale": "r",
            "Alternatives": [{"Option": "o", "ReasonRejected": "w"}],
            "RevisitWhen": "",
            "Date": "2025-01-01",
            "Match": ["**"],
            "Exclude": [],
            "SourceFile": "src/AGENTS.yml",
            "Line": 9,
        }
    ]
    explained = explain_json(answer)
    assert {name: explained[name] for name in ("Root", "Path", "Kind", "Action", "Timing", "Files")} == {
        "Root": str(root),
        "Path": "src/a.py",
        "Kind": "file",
        "Action": "all",
        "Timing": "all",
        "Files": ["AGENTS.yaml", "src/AGENTS.yml"],
    }
    assert [(each["Text"], each["Verdict"], each["Pattern"]) for each in explained["Entries"]] == [
        ("root", "no-match", ""),
        ("one\n", "applies", "**"),
        ("d", "applies", "**"),
    ]
    assert json.loads(json.dumps(explained)) == explained


def test_the_source_directory_of_the_root(project: Project) -> None:
    root = project({"AGENTS.yaml": "context: [{content: x}]"})
    [entry] = context_json(resolve(make_query("a", root=str(root))))
    assert entry["SourceDir"] == str(root)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("2026-06-15", "today"),
        ("2026-06-14", "1 day ago"),
        ("2026-05-17", "29 days ago"),
        ("2026-05-15", "1 month ago"),
        ("2025-08-01", "10 months ago"),
        ("2025-06-16", "11 months ago"),
        ("2025-06-15", "1 year ago"),
        ("2020-01-01", "6 years ago"),
        ("2026-06-16", "in the future"),
        ("", ""),
        ("2025-13-01", ""),
    ],
)
def test_F107_age(written: str, words: str) -> None:
    assert age(written, date(2026, 6, 15)) == words
