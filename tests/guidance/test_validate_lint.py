"""Warnings of `validate`: what is valid and yet hardly meant, and what is fine and gets no warning.

Numbers in ids are rows of the list of reproduced faults, `C`-numbers those of reports about neighbours.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .checking import checked, one

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands" / "sctx-validate.md"


# id: (code, field, pattern, files, what the message must hold)
PATTERNS = {
    "31-33-directory-exclude": (
        "directory_exclude",
        "exclude",
        "vendor/",
        ["vendor/a.py"],
        ["vendor/**", "vendor/a.py"],
    ),
    "34-name-of-a-directory": ("bare_directory", "exclude", "gen", ["gen/x/a.py"], ["did you mean 'gen/**'"]),
    "34-name-at-any-depth": ("bare_directory", "exclude", "**/gen", ["gen/x/a.py"], ["'**/gen/**'"]),
    "34-one-level-of-a-directory": ("bare_directory", "exclude", "gen/*", ["gen/x/a.py"], ["'gen/**'"]),
    "34-name-in-match": ("bare_directory", "match", "docs/api", ["docs/api/x.md"], ["'docs/api/**'"]),
    "35-negated": ("negated_pattern", "match", "!**/test_*.py", ["test_a.py"], ["exclude"]),
    "37-brackets-of-a-directory": (
        *("literal_brackets", "match", "app/[slug]/**", ["app/[slug]/page.tsx"]),
        [r"'app/\[slug\]/**'", "single quotes", "app/[slug]/page.tsx"],
    ),
    "C29-brackets-with-a-range": (
        "literal_brackets",
        "match",
        "c/[a-z]/*.ts",
        ["c/[a-z]/x.ts"],
        [r"\[a-z\]"],
    ),
    "brackets-that-fit-another-too": (
        "literal_brackets",
        "match",
        "[ab].py",
        ["[ab].py", "a.py"],
        [r"'\[ab\].py'"],
    ),
    "39-blank-in-braces": (
        "blank_in_braces",
        "match",
        "**/*.{ts, tsx}",
        ["a.ts", "b.tsx"],
        ["'**/*.{ts,tsx}'"],
    ),
    "39-blank-in-braces-nothing-fits": ("blank_in_braces", "match", "{a , b}/**", ["c/x"], ["'{a,b}/**'"]),
    "41-range": ("brace_range", "match", "f{1..3}.ts", ["f1.ts"], ["{1,2,3}"]),
    "42-trailing-blank": ("outer_blank", "match", "**/*.py ", ["a.py"], ["'**/*.py'", "a.py"]),
    "42-leading-blank": ("outer_blank", "match", " *.py", ["a.py"], ["'*.py'"]),
    "43-backslashes": ("backslash", "match", r"src\**\*.py", ["src/x/a.py"], ["src/**/*.py"]),
    "43-backslash-before-a-letter": ("backslash", "match", r"src\api\*", ["src/api/a.py"], ["src/api/*"]),
    "45-parent": ("parent_path", "match", "../b/**", ["b/x"], [".."]),
    "45-parent-inside": ("parent_path", "exclude", "a/../b/**", ["b/x"], [".."]),
    "46-empty": ("empty_pattern", "match", "", ["a.py"], ["empty"]),
    "51-posix-class": ("posix_class", "match", "[[:alpha:]]*.py", ["a.py"], ["[a-zA-Z]"]),
    "51-extended-glob": ("extended_glob", "match", "@(x|y).py", ["x.py"], ["{a,b}"]),
    "63-dot": ("bare_directory", "match", ".", ["a.py"], ["'**'"]),
    "63-directory-without-slash": ("bare_directory", "match", "tests", ["tests/a.py"], ["'tests/**'"]),
    "C13-comma-list": ("comma_list", "match", "**/*.py,**/*.ts", ["a.py"], ['["**/*.py", "**/*.ts"]']),
    "C19-comma-list-with-braces": ("comma_list", "match", "*.{a,b}, *.c", ["x.a"], ['["*.{a,b}", "*.c"]']),
    "C14-slashless": ("only_deeper", "match", "*.py", ["src/a.py"], ["'**/*.py'", "src/a.py"]),
    "one-level-too-few": ("only_deeper", "match", "src/*.py", ["src/x/a.py"], ["'src/**/*.py'"]),
    "directory-only-deeper": ("only_deeper", "match", "tests/", ["src/tests/a.py"], ["'**/tests/'"]),
    "C20-not-anchored": ("only_deeper", "match", "src/**", ["app/src/x"], ["'**/src/**'"]),
    "C31-wrong-case": ("wrong_case", "match", "SRC/**/*.PY", ["src/a.py"], ["case", "src/a.py"]),
    "C25-quotes-inside": ("quoted_pattern", "match", '"*.md"', ["a.md"], ["'*.md'"]),
    "misspelt-directory": ("misspelt", "match", "sorc/**", ["src/a.py"], ["there is no sorc", "'src/**'"]),
    "misspelt-exclude": ("misspelt", "exclude", "genrated/**", ["generated/a.py"], ["'generated/**'"]),
    "misspelt-name": ("misspelt", "match", "src/confg.py", ["src/config.py"], ["'src/config.py'"]),
    "other-spelling": ("misspelt", "match", "k8s/**/*.yaml", ["k8s/a.yml"], ["'k8s/**/*.yml'"]),
    "misspelt-extension": ("misspelt", "match", "**/*.htlm", ["a.html"], ["'**/*.html'", "ends in .htlm"]),
    "file-as-directory": ("file_as_directory", "match", "README.md/", ["README.md"], ["'README.md'"]),
    "double-slash": ("empty_segment", "match", "src//a.py", ["src/a.py"], ["'src/a.py'"]),
    "absolute": ("absolute_path", "match", "~/src/**", ["src/a.py"], ["relative"]),
    "plainly-dead": ("dead_pattern", "match", "legacy/**", ["src/a.py"], ["fits no listed file"]),
    "no-such-directory": ("dead_pattern", "match", "legacy/", ["src/a.py"], ["fits no listed directory"]),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_that_never_matches_is_reported_with_what_was_meant(name, tmp_path):
    code, field, pattern, files, expected = PATTERNS[name]
    text = one(field, pattern)
    problems = checked(tmp_path, {**dict.fromkeys(files, ""), "AGENTS.yaml": text})
    assert [(problem.code, problem.severity) for problem in problems] == [(code, "warning")]
    problem = problems[0]
    assert (problem.where, problem.line, problem.column) == (
        "context[0]",
        2,
        text.split("\n")[1].index(f"'{pattern}'") + 1,
    )
    for words in expected:
        assert words in problem.message


FINE = {
    "31-leading-dot": ("match", "./src/*.py", ["src/a.py"]),
    "31-leading-slash": ("match", "/src/*.py", ["src/a.py"]),
    "38-parentheses-and-at": ("match", "app/(group)/**", ["app/(group)/page.tsx"]),
    "38-at": ("match", "app/@modal/**", ["app/@modal/page.tsx"]),
    "41-nested-braces": ("match", "{src,lib/{a,b}}/**", ["lib/b/x"]),
    "41-empty-alternative": ("match", "a.ts{,x}", ["a.tsx"]),
    "41-single-alternative": ("match", "**/*.{ts}", ["a.ts"]),
    "47-dotfile": ("match", ".github/**", [".github/workflows/ci.yml"]),
    "49-decomposed-name": ("match", "café/**", ["cafe\u0301/x"]),
    "50-two-dots": ("match", "..foo.py", ["..foo.py"]),
    "54-strange-names": ("match", "日本/*", ["日本/x"]),
    "comma-in-a-name": ("match", "a,b.txt", ["a,b.txt"]),
    "exclamation-mark-in-a-name": ("match", "!important.md", ["!important.md"]),
    "blank-in-a-name": ("match", "{my file, other}.txt", ["my file.txt", " other.txt"]),
    "escaped-brackets": ("match", r"app/\[slug\]/**", ["app/[slug]/page.tsx"]),
    "range-that-fits": ("match", "[a-c].py", ["b.py"]),
    "directory-pattern": ("match", "tests/", ["tests/a.py"]),
    "own-directory": ("match", "./", ["a.py"]),
    "exclude-of-files-to-come": ("exclude", "**/*_pb2.py", ["a.py"]),
    "exclude-of-a-directory-to-come": ("exclude", "vendor/**", ["a.py"]),
    "exclude-of-an-absent-directory": ("exclude", "vendor/", ["a.py"]),
    "ignored-by-name": ("match", "**/*.{py,txt}", ["a.py"]),
    "unlike-anything": ("exclude", "zzz", ["a.py"]),
}


@pytest.mark.parametrize("name", FINE)
def test_a_pattern_that_is_fine_gets_no_warning(name, tmp_path):
    field, pattern, files = FINE[name]
    assert checked(tmp_path, {**dict.fromkeys(files, ""), "AGENTS.yaml": one(field, pattern)}) == []


def test_an_ignored_file_that_is_there_is_no_dead_pattern(tmp_path):
    files = {".gitignore": ".env\nbuild/\n", ".env": "", "build/x.js": ""}
    text = "context:\n  - {content: c, match: ['.env', 'build/**', 'build/x.js']}\n"
    assert checked(tmp_path, {**files, "AGENTS.yaml": text}) == []


def test_files_that_are_only_created_may_be_still_to_come(tmp_path):
    text = "context:\n  - {content: c, on: create, match: ['migrations/*.sql']}\n"
    assert checked(tmp_path, {"AGENTS.yaml": text}) == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("src/api/a.py", "did you mean 'a.py'"),
        ("src/api/**", "did you mean '**'"),
        ("docs/**", "from the root it fits docs/x.md"),
    ],
)
def test_a_pattern_seen_from_the_root_is_not_relative_to_its_file(pattern, expected, tmp_path):
    files = {"src/api/a.py": "", "docs/x.md": "", "src/api/AGENTS.yaml": one("match", pattern)}
    (problem,) = checked(tmp_path, files)
    assert problem.code == "not_relative"
    assert expected in problem.message


def test_an_absolute_pattern_is_told_from_where_it_is_relative(tmp_path):
    for directory, expected in (("", "did you mean 'src/a.py'"), ("src/", "did you mean 'a.py'")):
        root = tmp_path / f"project{len(directory)}"
        text = one("match", f"{root}/src/a.py")
        (problem,) = checked(root, {"src/a.py": "", f"{directory}AGENTS.yaml": text})
        assert problem.code == "absolute_path"
        assert expected in problem.message


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("**/*.ts", ["a.tsx"]),  # another kind of file
        ("part1.py", ["part2.py"]),  # one of a series
        ("docs/a.md/x*", ["docs/a.md"]),
    ],
)
def test_what_is_merely_like_it_is_no_near_miss(pattern, files, tmp_path):
    (problem,) = checked(tmp_path, {**dict.fromkeys(files, ""), "AGENTS.yaml": one("match", pattern)})
    assert problem.code == "dead_pattern"


def test_what_another_directory_holds_is_no_near_miss_for_a_general_pattern(tmp_path):
    (problem,) = checked(tmp_path, {"db/x.sql": "", "src/AGENTS.yaml": one("match", "**/*.sql")})
    assert (problem.code, problem.message.endswith("below src/")) == ("dead_pattern", True)


def test_c11_the_order_of_patterns_does_not_matter(tmp_path):
    found = []
    for name, patterns in (("a", "['gone/**', '*.py']"), ("b", "['*.py', 'gone/**']")):
        (tmp_path / name).mkdir()
        text = f"context:\n  - {{content: c, match: {patterns}}}\n"
        found.append(
            [problem.message for problem in checked(tmp_path / name, {"AGENTS.yaml": text, "x.py": ""})]
        )
    assert found[0] == found[1]
    assert len(found[0]) == 1


def test_positions_and_numbers_are_those_of_the_text(tmp_path):
    text = "\n".join(
        [
            "context:",
            "  -",
            "  - content: legacy/** in a text is no pattern",
            "    match:",
            "      - '*.yaml'",
            '      - "legacy/**"',
            "  - &shared",
            "    content: two",
            "    exclude: ['*.md', 'AGENTS']",
            "    match: 'lib/**'",
        ]
    )
    problems = checked(tmp_path, {"AGENTS.yaml": text})
    assert [(each.code, each.where, each.line, each.column) for each in problems] == [
        ("empty_entry", "context[0]", 2, 4),
        ("dead_pattern", "context[1]", 6, 9),
        ("dead_pattern", "context[2]", 10, 12),
    ]


TEXTS = {
    "62-zero-width": ("hidden_character", "content: 'a\u200bb'", ["U+200B", "ZERO WIDTH SPACE"]),
    "62-direction": ("hidden_character", "content: 'a\u202eb'", ["RIGHT-TO-LEFT OVERRIDE"]),
    "62-tags": ("hidden_character", "content: 'a\U000e0041\U000e0042'", ["U+E0041", "1 more"]),
    "62-in-a-pattern": ("hidden_character", "content: c, match: ['*.ya\u200bml']", ["U+200B"]),
    "62-as-an-escape": ("hidden_character", r'content: "a\u202eb"', ["content has a hidden character"]),
    "62-escape-in-a-pattern": ("hidden_character", r'content: c, match: ["*.ya\u200bml"]', ["match pattern"]),
    "18-escape-sequence": ("hidden_character", r'content: "a\e[31m"', ["U+001B"]),
    "no-break-space-in-a-pattern": (
        "hidden_character",
        "content: c, match: ['*.yaml\u00a0']",
        ["NO-BREAK SPACE"],
    ),
    "joiner-between-letters": ("hidden_character", "content: 'a\u200db'", ["ZERO WIDTH JOINER"]),
    "19-key": ("secret", f"content: 'use AKIA{'A' * 16}'", ["secret"]),
    "19-private-key": ("secret", "content: '-----BEGIN RSA PRIVATE KEY-----'", ["secret"]),
    "C56-too-long": ("too_long", f"content: '{'x' * 9_501}'", ["9,501", "9,500"]),
    "C59-dead-link": ("dead_link", "content: 'see [the rules](docs/rules.md#a)'", ["docs/rules.md"]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_hides_or_misleads_is_reported(name, tmp_path):
    code, entry, expected = TEXTS[name]
    (problem,) = checked(tmp_path, {"AGENTS.yaml": f"context:\n  - {{{entry}}}\n"})
    assert (problem.code, problem.severity, problem.line) == (code, "warning", 2)
    for words in expected:
        assert words in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "ein Umlaut: ä, and 日本語",
        "emoji: 👩\u200d💻 ⚠\ufe0f",
        "می\u200cخواهم",  # a joiner that the script needs
        "tab\there",
        "[a site](https://example.org/x) [mail](mailto:x@example.org) [top](#top)",
        "[there](AGENTS.yaml), `src/not/checked.py`, and [a placeholder](docs/<name>.md)",
        "[above](../../elsewhere.md)",
        "AKIA is how such keys begin; sk-short is not one",
    ],
)
def test_a_text_that_is_fine_gets_no_warning(text, tmp_path):
    assert checked(tmp_path, {"AGENTS.yaml": f"context:\n  - content: |\n      {text}\n"}) == []


def test_a_secret_is_never_repeated(tmp_path):
    key = "ghp_" + "a" * 36
    (problem,) = checked(
        tmp_path, {"AGENTS.yaml": f"decisions:\n  - {{decision: d, rationale: 'the key is {key}'}}\n"}
    )
    assert (problem.code, key in problem.message) == ("secret", False)


def test_a_hidden_character_has_its_own_line_and_column(tmp_path):
    text = "# a comment: \u200b\ncontext:\n  - content: |\n      fine\n      not\u202e fine\n"
    problems = checked(tmp_path, {"AGENTS.yaml": text})
    assert [(each.line, each.column) for each in problems] == [(1, 14), (5, 10)]


DECISIONS = {
    "107-in-the-future": ("future_date", "date: 2026-06-17", "2026-06-17"),
    "C59-its-subject-is-gone": ("stale_decision", "match: ['legacy/**', 'old/*.py']", "is gone"),
    "C59-revisit-date-has-passed": ("revisit_due", "revisit_when: 'after 2026-01-31'", "2026-01-31"),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_that_is_certainly_stale_is_reported_once(name, tmp_path):
    code, fields, expected = DECISIONS[name]
    (problem,) = checked(
        tmp_path, {"AGENTS.yaml": f"decisions:\n  - {{decision: d, rationale: r, {fields}}}\n"}
    )
    assert (problem.code, problem.where) == (code, "decisions[0]")
    assert expected in problem.message


@pytest.mark.parametrize(
    "fields",
    [
        "date: 2001-01-01",  # age alone proves nothing
        "date: 2026-06-16",  # tomorrow here, today elsewhere
        "revisit_when: 'after 2027-01-31'",
        "revisit_when: 'version 2026-99-99'",
        "revisit_when: 'more than 3 payment providers'",
    ],
)
def test_a_decision_that_may_still_hold_gets_no_warning(fields, tmp_path):
    assert (
        checked(tmp_path, {"AGENTS.yaml": f"decisions:\n  - {{decision: d, rationale: r, {fields}}}\n"}) == []
    )


class TestDuplicates:
    """71: the same entry twice is delivered twice."""

    ENTRY = "{content: same, on: edit}"

    def test_in_one_file(self, tmp_path):
        (problem,) = checked(tmp_path, {"AGENTS.yaml": f"context:\n  - {self.ENTRY}\n  - {self.ENTRY}\n"})
        assert (problem.code, problem.line, problem.where) == ("duplicate_entry", 3, "context[1]")
        assert "line 2" in problem.message

    def test_below_a_file_that_delivers_it_everywhere(self, tmp_path):
        text = f"context: [{self.ENTRY}]"
        (problem,) = checked(tmp_path, {"AGENTS.yaml": text, "a/b/AGENTS.yaml": text})
        assert (problem.code, problem.file) == ("duplicate_entry", "a/b/AGENTS.yaml")
        assert "AGENTS.yaml:1" in problem.message

    def test_side_by_side_it_is_none(self, tmp_path):
        text = f"context: [{self.ENTRY}]"
        assert checked(tmp_path, {"a/AGENTS.yaml": text, "b/AGENTS.yaml": text, "ab/AGENTS.yaml": text}) == []

    def test_with_other_patterns_or_actions_it_is_none(self, tmp_path):
        entries = [
            "{content: same, on: edit}",
            "{content: same, on: read}",
            "{content: same, match: ['*.yaml']}",
        ]
        assert checked(tmp_path, {"AGENTS.yaml": f"context: [{', '.join(entries)}]"}) == []


def test_every_warning_of_the_page_has_a_case_and_every_case_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8").split("## Warnings")[1]
    documented = set(re.findall(r"^\| `(\w+)` ", text, flags=re.MULTILINE))
    covered = {case[0] for table in (PATTERNS, TEXTS, DECISIONS) for case in table.values()}
    elsewhere = {"unknown_field", "second_document", "empty_entry", "file_name", "unreadable_directory"}
    elsewhere |= {"not_relative", "duplicate_entry", "lint_stopped"}
    assert documented == covered | elsewhere
