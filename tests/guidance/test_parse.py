"""Guidance files as text: what is read, what is reported, and that one fault never hides a neighbour.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

import pytest

from sctx_tui.guidance.model import Alternative, ContextEntry, GuidanceFile
from sctx_tui.guidance.parse import parse_guidance


def parsed(text: str | bytes) -> GuidanceFile:
    return parse_guidance(text, "a/AGENTS.yaml")


def found(text: str | bytes) -> list[str]:
    """The problems, as `line:column severity code`."""
    return [f"{each.line}:{each.column} {each.severity} {each.code}" for each in parsed(text).problems]


def contents(text: str | bytes) -> list[str]:
    """The content of each entry that gives something."""
    return [entry.content for entry in parsed(text).context if not entry.problem]


def entry(yaml: str) -> ContextEntry:
    """The one entry with these fields."""
    file = parsed("context:\n- content: c\n" + "".join(f"  {line}\n" for line in yaml.split("\n")))
    return file.context[0]


def test_whole_file() -> None:
    file = parsed(
        "context:\n"
        "  - content: |\n"
        "      one\n"
        "      two\n"
        '    match: ["**/*.py", "*.pyi"]\n'
        "    exclude: ['**/gen/**']\n"
        "    on: [edit, create]\n"
        "    when: after\n"
        "  - content: two\n"
        "decisions:\n"
        "  - decision: REST\n"
        "    rationale: simple\n"
        "    alternatives:\n"
        "      - option: GraphQL\n"
        "        reason_rejected: new to us\n"
        "    revisit_when: we stream\n"
        "    date: 2025-10-20\n"
        "    match: [src/**]\n"
        "    exclude: [src/x/**]\n"
    )
    assert file.path == "a/AGENTS.yaml"
    assert file.directory == "a"
    assert file.problems == ()
    assert file.context == (
        ContextEntry("one\ntwo\n", ("**/*.py", "*.pyi"), ("**/gen/**",), ("edit", "create"), "after", line=2),
        ContextEntry("two", line=9),
    )
    [decision] = file.decisions
    assert (decision.decision, decision.rationale, decision.revisit_when) == ("REST", "simple", "we stream")
    assert decision.alternatives == (Alternative("GraphQL", "new to us"),)
    assert (decision.date, decision.match, decision.exclude) == ("2025-10-20", ("src/**",), ("src/x/**",))
    assert decision.line == 11


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n", "~", "context:\ndecisions: []\n", "{}"])
def test_F75_nothing_in_it(text: str) -> None:
    assert parsed(text) == GuidanceFile("a/AGENTS.yaml")


# Source text stays as it is (faults, table 8; F53, F79, C35).
TEXTS = {
    "012": "012",
    "0x10": "0x10",
    "1_000": "1_000",
    "12:30:45": "12:30:45",
    "1:20": "1:20",
    "2.50": "2.50",
    "1e3": "1e3",
    ".5": ".5",
    "NO": "NO",
    "off": "off",
    "true": "true",
    "2025-10-20": "2025-10-20",
    "2025-01-01T00:00:00Z": "2025-01-01T00:00:00Z",
    "!custom x": "x",
    "!!str 5": "5",
    "!!int 7": "7",
    "!!int 0o14": "0o14",
    "!!int '7'": "7",
    "!!float 7": "7",
    "!!float 1e3": "1e3",
    "!!bool true": "true",
    "!!timestamp 2025-10-20": "2025-10-20",
    "!!str null": "null",
    "!!binary aGVsbG8=": "hello",
    "=": "=",
    "<<": "<<",
    '"a\\u0062\\/c"': "ab/c",
    "'it''s'": "it's",
    "a\n      folded": "a folded",
    "&anchor x": "x",
}


@pytest.mark.parametrize("written", TEXTS)
def test_F79_scalars_keep_their_text(written: str) -> None:
    assert contents(f"context:\n  - content: {written}\n") == [TEXTS[written]]


@pytest.mark.parametrize("written", ["Null", "~", "null", "NULL", "", "''", "'  '", "|"])
def test_F79_nulls_and_blanks_are_missing(written: str) -> None:
    assert contents(f"context:\n  - content: {written}\n") == []


def test_F53_patterns_keep_their_text() -> None:
    assert entry("match: [1, 2.50, true, 2025-01-01, 0x10, on]").match == (
        "1",
        "2.50",
        "true",
        "2025-01-01",
        "0x10",
        "on",
    )


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "utf-8": str.encode,
    "utf-8-bom": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16-le": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "utf-16-be": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "crlf-bom": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_F73_C40_encodings(encoding: str) -> None:
    data = ENCODINGS[encoding]("context:\n  - content: |\n      é\n      b\n  - content: c\n")
    file = parsed(data)
    assert [each.content for each in file.context] == ["é\nb\n", "c"]
    assert [each.line for each in file.context] == [2, 5]
    assert file.problems == ()


# id: (text, the one problem); the file gives nothing
BROKEN = {
    "F74-tab-indent": ("context:\n\t- content: x\n", "2:1"),
    "F74-invalid-utf-8": (b"context:\n  - content: bad\xff\n", "2:17"),
    "F74-invalid-utf-16": (codecs.BOM_UTF16_LE + b"\x00\xd8a", "1:1"),
    "F74-escape-byte": ("context:\n  - content: a\x1bb\n", "1:1"),
    "F69-unquoted-star": ("context:\n  - content: x\n    match: [*.py]\n", "3:14"),
    "F69-unquoted-stars": ("context:\n  - content: x\n    match: [**/*.py]\n", "3:14"),
    "undefined-alias": ("context:\n  - content: *nope\n", "2:14"),
    "F70-duplicate-section": ("context: []\ncontext: []\n", "2:1"),
    "duplicate-field": ("context:\n- content: x\n  on: read\n  content: y\n", "4:3"),
    "duplicate-in-an-alternative": (
        "decisions:\n- decision: d\n  rationale: r\n  alternatives:\n"
        "  - {option: a, option: b, reason_rejected: c}\n",
        "5:17",
    ),
    "scalar": ("just text\n", "1:1"),
    "list": ("- content: x\n", "1:1"),
    "unclosed": ("context: [{content: x}\n", "2:1"),
    "expanding": ("a: &a '" + "x" * 100_000 + "'\ncontext: [" + "{content: *a}," * 60 + "]\n", "1:4"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_files_that_give_nothing(case: str) -> None:
    text, place = BROKEN[case]
    file = parsed(text)
    assert (file.context, file.decisions) == ((), ())
    [problem] = file.problems
    assert f"{problem.line}:{problem.column}" == place
    assert (problem.severity, problem.code) == ("error", "invalid_yaml")


def test_F69_says_that_patterns_are_quoted() -> None:
    assert "must be quoted" in parsed("context:\n- content: x\n  match: [*.py]\n").problems[0].message


# id: (fields of an entry, problem, whether the entry gives nothing)
FAULTS = {
    "F21-other-case": ("on: Edit", "3:7 error invalid_action", True),
    "F21-yes": ("on: yes", "3:7 error invalid_action", True),
    "F21-true": ("on: true", "3:7 error invalid_action", True),
    "on-one-of-several": ("on: [edit, write]", "3:14 error invalid_action", True),
    "on-in-one-text": ("on: 'edit, create'", "3:7 error invalid_action", True),
    "F22-empty-list": ("on: []", "3:7 error invalid_action", True),
    "on-mapping": ("on: {edit: true}", "3:7 error invalid_yaml", True),
    "on-nested": ("on: [[edit]]", "3:8 error invalid_yaml", True),
    "F25-when-list": ("when: [before, after]", "3:9 error invalid_yaml", True),
    "F26-when-during": ("when: during", "3:9 error invalid_when", True),
    "F23-true": ("true: edit", "3:3 error misspelt_field", True),
    "F23-C35-upper-case": ("ON: edit", "3:3 error misspelt_field", True),
    "F77-one-letter-more": ("excludes: [x]", "3:3 error misspelt_field", True),
    "F77-plural": ("matches: [x]", "3:3 error misspelt_field", True),
    "F77-one-letter-less": ("mach: [x]", "3:3 error misspelt_field", True),
    "F77-one-letter-other": ("metch: [x]", "3:3 error misspelt_field", True),
    "F77-letters-swapped": ("macth: [x]", "3:3 error misspelt_field", True),
    "F77-capital": ("On: edit", "3:3 error misspelt_field", True),
    "paths": ("paths: [x]", "3:3 error misspelt_field", True),
    "globs": ("globs: x", "3:3 error misspelt_field", True),
    "applyTo": ("applyTo: x", "3:3 error misspelt_field", True),
    "whe": ("whe: after", "3:3 error misspelt_field", True),
    "F23-yes-is-unknown": ("yes: edit", "3:3 warning unknown_field", False),
    "F86-ref": ("ref: other.yaml#1", "3:3 warning unknown_field", False),
    "unknown": ("priority: 3", "3:3 warning unknown_field", False),
    "unknown-number": ("1.5: x", "3:3 warning unknown_field", False),
    "match-mapping": ("match: {a: b}", "3:10 error invalid_yaml", True),
    "match-nested": ("match: [[a]]", "3:11 error invalid_yaml", True),
    "match-unquoted-braces": ("match: [{ts,tsx}]", "3:11 error invalid_yaml", True),
    "match-one-bad-glob": ("match: ['*.py', '[']", "3:19 error invalid_glob", False),
    "match-all-bad": ("match: ['[']", "3:11 error invalid_glob", True),
    "exclude-bad-glob": ("exclude: ['a/**', '{']", "3:21 error invalid_glob", True),
    "merge-of-text": ("<<: foo", "3:7 error invalid_yaml", True),
    "key-that-is-a-list": ("? [a]\n: b", "3:5 error invalid_yaml", True),
    "int-that-is-none": ("when: !!int before", "3:9 error invalid_yaml", True),
    "int-by-sixties": ("when: !!int 1:20", "3:9 error invalid_yaml", True),
    "int-in-quotes": ("when: !!int 'after'", "3:9 error invalid_yaml", True),
    "bool-of-YAML-1.1": ("when: !!bool yes", "3:9 error invalid_yaml", True),
    "float-that-is-none": ("when: !!float 1.2.3", "3:9 error invalid_yaml", True),
    "timestamp-that-is-none": ("when: !!timestamp soon", "3:9 error invalid_yaml", True),
    "null-that-is-text": ("when: !!null after", "3:9 error invalid_yaml", True),
    "binary-that-is-none": ("when: !!binary '!'", "3:9 error invalid_yaml", True),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_of_an_entry(case: str) -> None:
    yaml, problem, gives_nothing = FAULTS[case]
    lines = "".join(f"  {line}\n" for line in yaml.split("\n"))
    text = f"context:\n- content: c\n{lines}- content: neighbour\n"
    assert found(text) == [problem]
    assert contents(text) == (["neighbour"] if gives_nothing else ["c", "neighbour"])


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("5", "3:3 error invalid_yaml"),
        ("[a]", "3:3 error invalid_yaml"),
        ("{match: ['*.py']}", "3:3 error content_required"),
        ("{content: [a, b]}", "3:13 error invalid_yaml"),
        ("{content: ~}", "3:13 error content_required"),
        ("", "3:2 warning empty_entry"),
        ("~", "3:3 warning empty_entry"),
    ],
)
def test_F78_entries_of_the_wrong_shape(written: str, problem: str) -> None:
    text = f"context:\n- content: before\n- {written}\n- content: after\n  bogus: 1\n"
    assert found(text) == [problem, "5:3 warning unknown_field"]
    assert contents(text) == ["before", "after"]
    assert parsed(text).problems[-1].where == "context[2]"


def test_a_section_of_the_wrong_shape_leaves_the_other() -> None:
    file = parsed("context: {content: x}\ndecisions:\n- {decision: d, rationale: r}\n")
    assert [each.decision for each in file.decisions] == ["d"]
    assert [each.code for each in file.problems] == ["invalid_yaml"]


def test_a_scalar_section_is_a_list_of_one() -> None:
    assert found("context: text\n") == ["1:10 error invalid_yaml"]
    assert parsed("context: text\n").problems[0].where == "context[0]"


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ("match: '*.py'", ("*.py",)),  # C38
        ("match: []", ("**",)),
        ("match:", ("**",)),
        ("match: [~]", ("**",)),
        ("match: ['a', ~]", ("a",)),
        ("match: ['*.py', '[']", ("*.py", "[")),
    ],
)
def test_match(written: str, match: tuple[str, ...]) -> None:
    assert entry(written).match == match


@pytest.mark.parametrize("written", ["on: edit", "'on': edit", '"on": [edit]'])
def test_C35_on_is_a_word(written: str) -> None:
    assert entry(written).on == ("edit",)
    assert entry(written).problem == ""


def test_C11_order_of_patterns_is_kept() -> None:
    assert entry("match: [b, a]").match == ("b", "a")
    assert entry("match: [a, b]").match == ("a", "b")


DECISION = "decisions:\n- decision: d\n  rationale: r\n"


@pytest.mark.parametrize(
    ("written", "date", "problems"),
    [
        ("date: 2024-02-29", "2024-02-29", []),
        ("date: '2025-10-20'", "2025-10-20", []),
        ("date: ~", "", []),
        ("date: 2025-13-45", "", ["4:9 error invalid_date"]),
        ("date: 2023-02-29", "", ["4:9 error invalid_date"]),
        ("date: 20251020", "", ["4:9 error invalid_date"]),
        ("date: 2025-10-20T00:00:00Z", "", ["4:9 error invalid_date"]),
        ("date: ' 2025-01-01'", "", ["4:9 error invalid_date"]),
        ("date: ٢٠٢٥-01-01", "", ["4:9 error invalid_date"]),
        ("date: [2025-01-01]", "", ["4:9 error invalid_yaml"]),
    ],
)
def test_F107_dates(written: str, date: str, problems: list[str]) -> None:
    text = f"{DECISION}  {written}\n"
    [decision] = parsed(text).decisions
    assert (decision.date, decision.problem) == (date, "")
    assert found(text) == problems


@pytest.mark.parametrize(
    ("written", "options", "problems"),
    [
        ("", [], []),
        ("[]", [], []),
        ("[{option: a, reason_rejected: b}]", ["a"], []),
        ("[GraphQL]", [], ["4:18 error invalid_yaml"]),
        ("GraphQL", [], ["4:17 error invalid_yaml"]),
        ("{option: a, reason_rejected: b}", [], ["4:17 error invalid_yaml"]),
        ("[{option: a}, {option: c, reason_rejected: d}]", ["c"], ["4:18 error reason_rejected_required"]),
        ("[{option: '', reason_rejected: b}]", [], ["4:27 error option_required"]),
        ("[~, {option: a, reason_rejected: b, scor: 1}]", ["a"], ["4:53 warning unknown_field"]),
    ],
)
def test_F109_alternatives(written: str, options: list[str], problems: list[str]) -> None:
    text = f"{DECISION}  alternatives: {written}\n"
    [decision] = parsed(text).decisions
    assert [each.option for each in decision.alternatives] == options
    assert decision.problem == ""
    assert found(text) == problems


def test_F110_decisions_have_exclude() -> None:
    [decision] = parsed(f"{DECISION}  exclude: ['*.md']\n").decisions
    assert decision.exclude == ("*.md",)
    assert found(f"{DECISION}  exclude: ['*.md']\n") == []


def test_decisions_have_no_action() -> None:
    text = f"{DECISION}  on: edit\n  when: after\n  ON: x\n"
    assert found(text) == [f"{line}:3 warning unknown_field" for line in (4, 5, 6)]
    assert not parsed(text).decisions[0].problem


def test_required_fields_of_a_decision() -> None:
    text = "decisions:\n- rationale: r\n- decision: d\n- {decision: d, rationale: ' '}\n"
    assert found(text) == [
        "2:3 error decision_required",
        "3:3 error rationale_required",
        "4:28 error rationale_required",
    ]
    assert all(each.problem for each in parsed(text).decisions)


def test_unknown_sections_and_keys_of_no_text() -> None:
    assert found("contexts: []\n~: x\ncontext:\n- content: c\n") == ["1:1 warning unknown_field"]


@pytest.mark.parametrize("second", ["context:\n- content: two\n", "broken: [\n", "~\n"])
def test_second_document(second: str) -> None:
    text = f"context:\n- content: one\n---\n{second}"
    assert contents(text) == ["one"]
    assert [each.code for each in parsed(text).problems] == ["second_document"]


def test_F81_aliases_and_merges() -> None:
    text = (
        "base: &base {content: base, on: edit}\n"
        "other: &other {when: after, on: read}\n"
        "context:\n"
        "- {<<: *base, content: own}\n"
        "- <<: [*base, *other]\n"
        "- *base\n"
    )
    entries = parsed(text).context
    assert [(each.content, each.on, each.when) for each in entries] == [
        ("own", ("edit",), "before"),
        ("base", ("edit",), "after"),
        ("base", ("edit",), "before"),
    ]
    assert [each.message for each in parsed(text).problems] == [
        'top level: unknown field "base"',
        'top level: unknown field "other"',
    ]
