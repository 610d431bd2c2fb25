"""`sctx context`, `decisions` and `explain`. Numbers in names are rows of the list of reproduced faults."""

from __future__ import annotations

import os
import re

import pytest

GUIDANCE = """\
context:
  - content: everywhere
  - content: |
      First line
      - a point

      last line
    match: ["**/*.py"]
    exclude: ["gen/**"]
    on: [edit, create]
    when: after
  - {content: in tests, match: ["tests/"]}
  - {content: bad, on: Edit}
decisions:
  - decision: D
    rationale: R
    alternatives:
      - {option: A, reason_rejected: B}
      - just text
    revisit_when: later
    date: 2025-01-02
  - {decision: E, rationale: R, match: ["*.md"], exclude: [CHANGELOG.md], date: 2025-13-45}
"""


@pytest.fixture
def project(plant):
    return plant(
        {"AGENTS.yaml": GUIDANCE, "src/AGENTS.yml": "context: [{content: below}]", "src/a.py": "", "f": ""}
    )


class TestContext:
    def test_105_text_is_the_content_and_where_it_came_from(self, sctx, project):
        result = sctx("context", "src/a.py", cwd=project)
        assert result.code == 0
        assert result.out == (
            "AGENTS.yaml:2\n  everywhere\n\n"
            "AGENTS.yaml:3\n  First line\n  - a point\n\n  last line\n\n"
            "src/AGENTS.yml:1\n  below\n"
        )

    def test_json(self, sctx, project):
        result = sctx("context", "src/a.py", "--on", "edit", "--when", "after", "--json", cwd=project)
        assert result.json == [
            {
                "Content": "First line\n- a point\n\nlast line\n",
                "SourceDir": str(project),
                "SourceFile": "AGENTS.yaml",
                "Line": 3,
                "Match": ["**/*.py"],
                "Exclude": ["gen/**"],
                "On": ["edit", "create"],
                "When": "after",
            }
        ]

    def test_101_nothing_is_an_empty_list(self, sctx, project):
        result = sctx("context", "x", "--when=after", "--json", cwd=project)
        assert (result.code, result.out) == (0, "[]\n")

    def test_102_nothing_says_how_much_there_was(self, sctx, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c, on: edit}]"})
        for arguments in (["--all", "--on=read"], ["a.py", "--on=read"]):
            result = sctx("context", *arguments, cwd=root)
            assert (result.code, result.err) == (0, "")
            assert result.out.startswith("No matching context found: 1 guidance file, 1 entry")

    def test_no_guidance_files_is_a_warning(self, sctx, plant):
        for arguments in (
            ["context", "a.py"],
            ["context", "--all"],
            ["decisions", "a.py"],
            ["explain", "a.py"],
        ):
            result = sctx(*arguments, cwd=plant({"a.py": ""}))
            assert (result.code, result.err) == (0, "warning: no AGENTS.yaml files found\n")

    @pytest.mark.parametrize("broken", ["context: [", "context: [{content: a}]\ncontext: [{content: b}]"])
    def test_102_85_a_broken_file_is_named_and_hides_no_other(self, broken, sctx, plant):
        root = plant({"AGENTS.yaml": "context: [{content: fine}]", "src/AGENTS.yaml": broken, "src/a.py": ""})
        for arguments in (["src/a.py"], ["--all"]):
            result = sctx("context", *arguments, cwd=root)
            assert result.code == 0
            assert "fine" in result.out
            assert re.fullmatch(r"warning: src/AGENTS\.yaml:\d+:\d+: .+\n", result.err)

    def test_21_26_a_bad_entry_is_said_when_it_is_asked_for(self, sctx, project):
        assert re.search(
            r"^warning: AGENTS\.yaml:13:\d+: .*Edit", sctx("context", "f", cwd=project).err, re.MULTILINE
        )

    @pytest.mark.parametrize(
        ("row", "field", "pattern", "directory", "shown"),
        [
            ("57", "exclude", "src/**/vendor/**", "src/api", True),
            ("57", "exclude", "src/**/vendor/**", "src", True),
            ("58", "exclude", "src/*.md", "src", True),
            ("59", "exclude", "src/**/*.gen.py", "src/api", True),
            ("strict", "exclude", "src/**", "src/api", False),
            ("strict", "exclude", "src/*", "src", False),
            ("61", "match", "a/**/b/*.py", "a/x/y", True),
            ("62", "match", "nope/**/x.rs", ".", True),
            ("63", "match", "tests", "tests", False),
            ("C23", "match", "{src,lib/{a,b}}/**", "lib/a", True),
            ("C23", "match", "{src/x,lib}/*.ts", "src", True),
            ("C28", "match", "app/(group)/**", "app/(group)", True),
        ],
    )
    def test_directories(self, row, field, pattern, directory, shown, sctx, plant):
        root = plant({"AGENTS.yaml": f"context: [{{content: c, {field}: ['{pattern}']}}]"})
        assert bool(sctx("context", f"{directory}/", "--json", cwd=root).json) == shown, row

    def test_53_patterns_are_their_source_text(self, sctx, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c, match: [1, 2.50, true, 2025-01-01, 0x10]}]"})
        for path, fits in (
            ("1", 1),
            ("2.50", 1),
            ("2.5", 0),
            ("true", 1),
            ("2025-01-01", 1),
            ("0x10", 1),
            ("16", 0),
        ):
            assert len(sctx("context", path, "--json", cwd=root).json) == fits, path

    def test_30_the_json_explains_itself(self, sctx, plant):
        text = "context:\n" + "".join(
            f"  - {{content: {when}, when: {when}}}\n" for when in ("after", "before", "all")
        )
        entries = sctx("context", "a.py", "--json", cwd=plant({"AGENTS.yaml": text})).json
        assert [(each["When"], each["Line"], each["On"]) for each in entries] == [
            ("after", 2, ["all"]),
            ("before", 3, ["all"]),
            ("all", 4, ["all"]),
        ]


class TestAll:
    def test_every_entry_of_every_file_with_what_it_is_scoped_to(self, sctx, project):
        result = sctx("context", "--all", cwd=project)
        assert "AGENTS.yaml:3  **/*.py; except gen/**; on edit, create; after\n  First line\n" in result.out
        assert "AGENTS.yaml:12  tests/; on all; before\n  in tests\n" in result.out
        assert "src/AGENTS.yml:1  **; on all; before\n  below\n" in result.out

    def test_the_json_is_the_same_for_one_path_and_for_all(self, sctx, project):
        everything = sctx("context", "--all", "--json", cwd=project).json
        assert [each["Content"].split("\n")[0] for each in everything] == [
            "everywhere",
            "First line",
            "in tests",
            "below",
        ]
        for entry in sctx("context", "src/a.py", "--json", cwd=project).json:
            assert entry in everything

    def test_on_and_when_still_filter(self, sctx, project):
        found = sctx("context", "--all", "--on=read", "--when=before", "--json", cwd=project).json
        assert [each["Content"] for each in found] == ["everywhere", "in tests", "below"]

    def test_decisions(self, sctx, project):
        assert [each["Decision"] for each in sctx("decisions", "--all", "--json", cwd=project).json] == [
            "D",
            "E",
        ]
        assert "  Match: *.md; except CHANGELOG.md\n" in sctx("decisions", "--all", cwd=project).out

    def test_90_what_is_vendored_or_ignored_is_left_out(self, sctx, plant):
        text = "context: [{content: here}]"
        names = ("node_modules/p", ".git", "venv/lib", "out/deep", "src")
        root = plant({".gitignore": "out/\n", **{f"{name}/AGENTS.yaml": text for name in names}})
        assert [each["SourceFile"] for each in sctx("context", "--all", "--json", cwd=root).json] == [
            "src/AGENTS.yaml"
        ]

    def test_91_an_unreadable_directory_is_reported_and_not_fatal(self, sctx, plant, monkeypatch):
        root = plant(
            {"AGENTS.yaml": "context: [{content: fine}]", "closed/AGENTS.yaml": "context: [{content: lost}]"}
        )
        close(root / "closed", monkeypatch)
        for command in ("context", "decisions"):
            result = sctx(command, "--all", cwd=root)
            assert result.code == 0
            assert result.err == "warning: closed/ can't be read; what stands in it is missing here\n"
        found = sctx("validate", cwd=root)
        assert found.code == 0
        assert "closed:1:1: warning[unreadable_directory]" in found.out


def close(directory, monkeypatch) -> None:
    """Make a directory unreadable; for root, who reads everything, by refusing in the calls that would."""
    directory.chmod(0)
    if os.geteuid() != 0:
        return
    scandir, access = os.scandir, os.access

    def refuse(path):
        if os.path.realpath(path) == str(directory):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(
        os, "access", lambda path, mode: os.path.realpath(path) != str(directory) and access(path, mode)
    )


class TestDecisions:
    def test_107_text_shows_everything_with_date_and_age(self, sctx, project):
        out = sctx("decisions", "README.md", cwd=project).out
        assert re.search(r"^AGENTS\.yaml:15  2025-01-02, \d+ \w+ ago$", out, re.MULTILINE)
        assert "  D\n  Rationale: R\n  Rejected: A: B\n  Revisit when: later\n" in out
        assert "AGENTS.yaml:22\n  E\n" in out  # its date is none, and was reported

    def test_json(self, sctx, project):
        first, second = sctx("decisions", "README.md", "--json", cwd=project).json
        assert first == {
            "Decision": "D",
            "Rationale": "R",
            "Alternatives": [{"Option": "A", "ReasonRejected": "B"}],
            "RevisitWhen": "later",
            "Date": "2025-01-02",
            "Match": ["**"],
            "Exclude": [],
            "SourceFile": "AGENTS.yaml",
            "Line": 15,
        }
        assert (second["Alternatives"], second["RevisitWhen"], second["Date"]) == ([], "", "")

    def test_110_exclude(self, sctx, project):
        assert [
            each["Decision"] for each in sctx("decisions", "CHANGELOG.md", "--json", cwd=project).json
        ] == ["D"]

    def test_nothing(self, sctx, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c}]"})
        assert sctx("decisions", "a.py", "--json", cwd=root).out == "[]\n"
        assert sctx("decisions", "a.py", cwd=root).out.startswith("No matching decisions found")


class TestExplain:
    """103: why is an entry missing?"""

    def test_every_entry_with_its_verdict_and_the_pattern_that_decided(self, sctx, project):
        found = sctx("explain", "gen/b.py", "--on=edit", "--json", cwd=project).json
        assert [
            (each["Text"].split("\n")[0], each["Verdict"], each["Pattern"]) for each in found["Entries"]
        ] == [
            ("everywhere", "applies", "**"),
            ("First line", "excluded", "gen/**"),
            ("in tests", "directory-pattern", "tests/"),
            ("bad", "invalid", ""),
            ("D", "applies", "**"),
            ("E", "no-match", ""),
        ]

    def test_text_has_the_same_entries(self, sctx, project):
        result = sctx("explain", "src/a.py", "--on=read", cwd=project)
        for verdict, entry in (
            ("applies", "AGENTS.yaml:2  context  everywhere"),
            ("other-action", "AGENTS.yaml:3  context  First line"),
            ("directory-pattern", "AGENTS.yaml:12  context  in tests"),
            ("invalid", "AGENTS.yaml:13  context  bad"),
            ("applies", "AGENTS.yaml:15  decision  D"),
            ("applies", "src/AGENTS.yml:1  context  below"),
        ):
            assert re.search(rf"^{verdict} +{re.escape(entry)}$", result.out, re.MULTILINE), entry
        assert "other action: on edit, create, asked read" in result.out

    def test_87_the_root_and_the_order_of_merging(self, sctx, project):
        out = sctx("explain", "src/a.py", cwd=project).out
        assert f"Root:  {project}\n" in out
        assert "Files: AGENTS.yaml, src/AGENTS.yml\n" in out

    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("src", "src (directory)"),
            ("src/a.py", "src/a.py (file)"),
            ("docs", "docs (file, does not exist)"),
            ("docs/", "docs (directory, does not exist)"),
            (".", ". (directory)"),
        ],
    )
    def test_66_how_the_path_was_asked(self, path, kind, sctx, project):
        assert f"Path:  {kind}\n" in sctx("explain", path, cwd=project).out

    @pytest.mark.parametrize("path", ["f/sub.py", "f/"])
    def test_67_a_file_where_a_directory_is_needed_is_noted(self, path, sctx, project):
        for command in ("context", "decisions", "explain"):
            assert re.match(r"warning: .*file", sctx(command, path, cwd=project).err)

    def test_c8_c10_each_candidate_of_several_patterns(self, sctx, plant):
        text = "context: [{content: c, match: ['a/**', 'b/**', '*.dart']}]"
        root = plant({"AGENTS.yaml": text})
        for path, verdict, pattern in (
            ("b/x", "applies", "b/**"),
            ("x.dart", "applies", "*.dart"),
            ("lib/x.dart", "no-match", ""),
        ):
            (entry,) = sctx("explain", path, "--json", cwd=root).json["Entries"]
            assert (entry["Verdict"], entry["Pattern"]) == (verdict, pattern)
        assert "a/**" in sctx("explain", "lib/x.dart", cwd=root).out

    def test_c16_any_depth(self, sctx, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c, match: ['**/*.dart']}]"})
        for path in ("x.dart", "lib/src/x.dart"):
            assert "applies" in sctx("explain", path, cwd=root).out

    def test_c34_what_a_pattern_is_relative_to(self, sctx, plant):
        root = plant({"src/AGENTS.yaml": "context: [{content: c, match: ['src/**']}]"})
        assert "no match: src/** (relative to src/)" in sctx("explain", "src/a.py", cwd=root).out

    def test_c17_from_a_subdirectory_the_root_shows(self, sctx, project):
        out = sctx("explain", "a.py", cwd=project / "src").out
        assert f"Root:  {project / 'src'}\n" in out
        assert "Files: AGENTS.yml\n" in out

    def test_outside_the_root_json_is_null(self, sctx, project):
        result = sctx("explain", "../x", "--json", cwd=project)
        assert (result.code, result.out) == (0, "null\n")


class TestTrees:
    """Links, worktrees, names: C5."""

    @pytest.fixture
    def contents(self, sctx):
        def ask(path, cwd):
            return [each["Content"] for each in sctx("context", path, "--json", cwd=cwd).json]

        return ask

    def test_c46_a_linked_guidance_file_inside_the_root_counts(self, contents, plant):
        root = plant(
            {"shared.yaml": "context: [{content: linked}]", "a/AGENTS.yaml": {"symlink": "../shared.yaml"}}
        )
        assert contents("a/x.py", root) == ["linked"]

    def test_c46_c50_one_that_leads_outside_is_refused_with_a_message(self, sctx, plant, tmp_path):
        (tmp_path / "secret.yaml").write_text("context: [{content: outside}]")
        root = plant({"AGENTS.yaml": {"symlink": "../secret.yaml"}})
        result = sctx("context", "x.py", cwd=root)
        assert "outside" not in result.out
        assert re.match(r"warning: AGENTS\.yaml:1:1: .*outside the root", result.err)

    @pytest.mark.parametrize("link", ["symlink", "hard link"])
    def test_83_c49_the_same_file_under_two_names_counts_once(self, link, contents, plant):
        root = plant({"AGENTS.yaml": "context: [{content: once}]"})
        if link == "symlink":
            (root / "AGENTS.yml").symlink_to("AGENTS.yaml")
        else:
            os.link(root / "AGENTS.yaml", root / "AGENTS.yml")
        assert contents("x.py", root) == ["once"]
        assert contents(".", root) == ["once"]

    def test_55_a_linked_directory_is_asked_under_the_name_that_was_given(self, contents, plant):
        files = {"AGENTS.yaml": "context: [{content: alias, match: ['alias/**']}]", "lib/inner/a.py": ""}
        root = plant({**files, "alias": {"symlink": "lib/inner"}})
        assert contents("alias/a.py", root) == ["alias"]

    def test_50_names_that_begin_with_dots(self, contents, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c}]"})
        for path in ("..foo.py", "...x", "..dir/x.py"):
            assert contents(path, root) == ["c"]

    def test_54_names_of_any_kind(self, contents, plant):
        root = plant({"AGENTS.yaml": "context: [{content: c, match: ['*', '*/**']}]"})
        for path in ("日本語.py", "שלום/x", "two\nlines", "a*b", os.fsdecode(b"bad\xff.py")):
            assert contents(path, root) == ["c"]

    def test_94_a_loop_of_links_is_not_followed(self, sctx, plant):
        root = plant(
            {
                "AGENTS.yaml": "context: [{content: c}]",
                "a/loop": {"symlink": ".."},
                "self": {"symlink": "self"},
            }
        )
        assert len(sctx("context", "--all", "--json", cwd=root).json) == 1
        assert sctx("context", "self", cwd=root).code == 0

    def test_c44_the_message_for_a_file_outside_the_project(self, sctx, plant):
        result = sctx("context", "/etc/hosts", cwd=plant({"AGENTS.yaml": "context: [{content: c}]"}))
        assert (result.code, "/etc/hosts is outside the root" in result.err) == (0, True)

    def test_c53_the_order_of_merging(self, contents, plant):
        files = {"a/b/AGENTS.yaml": "3", "AGENTS.yml": "1", "AGENTS.yaml": "0", "a/AGENTS.yaml": "2"}
        root = plant({path: f"context: [{{content: '{text}'}}]" for path, text in files.items()})
        assert contents("a/b/x.py", root) == ["0", "1", "2", "3"]
