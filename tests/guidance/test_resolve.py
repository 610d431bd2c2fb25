"""Every entry of every governing file gets a verdict.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sctx_tui.guidance.model import (
    ACTIONS,
    APPLIES,
    TIMINGS,
    VERDICTS,
    ContextEntry,
    Decision,
)
from sctx_tui.guidance.resolve import NO_FILES, resolve_all

from .asking import ask, guidance, one, text, texts
from .conftest import Tree, plant

Project = Callable[[Tree], Path]


VERDICTS_OF_ONE_FILE = guidance(
    one("applies", match="['*.md', '*.py']"),
    one("no-match", match="['*.md']"),
    one("excluded", exclude="['x.*', 'a.*']"),
    one("other-action", on="[read, create]"),
    one("other-timing", when="after"),
    one("directory-pattern", match="['src/', 'lib/']"),
    one("invalid", on="write"),
)


def test_each_verdict_with_the_pattern_that_decided(project: Project) -> None:
    root = project({"AGENTS.yaml": VERDICTS_OF_ONE_FILE})
    resolution = ask(root, "a.py", "edit", "before")
    assert [each.verdict for each in resolution.judged] == [text(each) for each in resolution.judged]
    assert [(each.pattern, each.reason, each.line) for each in resolution.judged] == [
        ("*.py", "match *.py", 2),
        ("", "no match: *.md (relative to the root)", 3),
        ("a.*", "excluded by a.*", 4),
        ("**", "other action: on read, create, asked edit", 5),
        ("**", "other timing: when after, asked before", 6),
        ("src/", "directory pattern: match src/ fits directories only, asked a file", 7),
        ("", 'invalid: invalid action "write" (must be read, edit, create, or all)', 8),
    ]
    assert texts(resolution) == ["applies"]
    assert {each.verdict for each in resolution.judged} == set(VERDICTS)


def test_merge_order_levels_and_sources(project: Project) -> None:
    first = "decisions:\n- {decision: first, rationale: r}\n"
    root = project(
        {
            "AGENTS.yml": guidance(one("root-yml")),
            "AGENTS.yaml": first + guidance(one("root-yaml"), one("second")),
            "src/api/AGENTS.yaml": guidance(one("api")),
            "tests/AGENTS.yaml": guidance(one("elsewhere")),
        }
    )
    resolution = ask(root, "src/api/new/a.py")
    assert [(text(each), each.file, each.line, each.level, each.kind) for each in resolution.judged] == [
        ("first", "AGENTS.yaml", 2, 0, "decision"),
        ("root-yaml", "AGENTS.yaml", 4, 0, "context"),
        ("second", "AGENTS.yaml", 5, 0, "context"),
        ("root-yml", "AGENTS.yml", 2, 0, "context"),
        ("api", "src/api/AGENTS.yaml", 2, 2, "context"),
    ]
    assert [file.path for file in resolution.files] == ["AGENTS.yaml", "AGENTS.yml", "src/api/AGENTS.yaml"]
    assert resolution.notes == ()


@pytest.mark.parametrize(
    ("action", "timing", "delivered"),
    [
        ("all", "all", ["read", "edit", "create", "all", "some", "after", "both"]),
        ("all", "before", ["read", "edit", "create", "all", "some", "both"]),
        ("read", "before", ["read", "all", "both"]),
        ("edit", "before", ["edit", "all", "some", "both"]),  # C4
        ("create", "before", ["create", "all", "some", "both"]),  # C1, C4
        ("read", "after", ["after", "both"]),
        ("create", "after", ["after", "both"]),  # C2
    ],
)
def test_C1_C2_C4_actions_and_timings(
    project: Project, action: str, timing: str, delivered: list[str]
) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(
                one("read", on="read"),
                one("edit", on="edit"),
                one("create", on="create"),
                one("all", on="all"),
                one("some", on="[edit, create]"),
                one("after", when="after"),
                one("both", when="all"),
            )
        }
    )
    assert texts(ask(root, "new.py", action, timing)) == delivered


@pytest.mark.parametrize("asked", ["a.dart", "lib/a.dart", "lib/src/a.dart"])
def test_C8_C10_C16_C58_every_candidate_is_explained(project: Project, asked: str) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("all", match="['**']"), one("dart", match="['**/*.dart']")),
            "lib/AGENTS.yaml": guidance(one("lib", match="['*.dart']")),
        }
    )
    explained = {text(each): each.verdict for each in ask(root, asked).judged}
    assert explained["all"] == explained["dart"] == APPLIES
    assert explained.get("lib") == {"a.dart": None, "lib/a.dart": APPLIES}.get(asked, "no-match")


def test_C34_explain_says_what_a_pattern_is_relative_to(project: Project) -> None:
    root = project({"lib/AGENTS.yaml": guidance(one("lib", match="['lib/*.py']"))})
    [judged] = ask(root, "lib/a.py").judged
    assert judged.reason == "no match: lib/*.py (relative to lib/)"


def test_C5_guidance_for_a_directory_that_does_not_exist_yet(project: Project) -> None:
    root = project({"src/AGENTS.yaml": guidance(one("src", match="['new/**']"))})
    assert texts(ask(root, "src/new/deep/a.py", "create")) == ["src"]


def test_directory_and_file_queries(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(
                one("files", match="['src/**']"),
                one("directory", match="['src/']"),
                one("excluded", exclude="['src/**']"),
                one("kept", exclude="['src/*.md']"),  # F58
            ),
            "src/AGENTS.yaml": guidance(one("own", match="['*.py']"), one("itself", match="['./']")),
        }
    )
    assert texts(ask(root, "src/")) == ["files", "directory", "kept", "own", "itself"]
    assert texts(ask(root, "src/a.py")) == ["files", "kept", "own"]


def test_F71_equal_entries_are_all_given(project: Project) -> None:
    """Which of two equal entries a person wants is not ours to guess."""
    same = guidance(one("same"), one("same"))
    assert texts(ask(project({"AGENTS.yaml": same, "a/AGENTS.yaml": same}), "a/x")) == ["same"] * 4


def test_no_files(project: Project) -> None:
    root = project({"a.py": ""})
    assert ask(root, "a.py").notes == (NO_FILES,)
    assert resolve_all(str(root)).notes == (NO_FILES,)


@pytest.mark.parametrize("content", ["", "context: [\n", guidance(one("edit-only", on="edit"))])
def test_F102_files_that_give_nothing_are_files(project: Project, content: str) -> None:
    root = project({"AGENTS.yaml": content})
    resolution = ask(root, "a.py", "read")
    assert texts(resolution) == []
    assert resolution.notes == ()
    assert len(resolution.files) == 1


def test_a_broken_file_hides_no_other(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("root")),
            "a/AGENTS.yaml": "context: [\n",
            "a/b/AGENTS.yaml": guidance(one("b"), one("bad", on="x")),
        }
    )
    resolution = ask(root, "a/b/x.py")
    assert texts(resolution) == ["root", "b"]
    assert [(each.file, each.line, each.code) for each in resolution.problems] == [
        ("a/AGENTS.yaml", 2, "invalid_yaml"),
        ("a/b/AGENTS.yaml", 3, "invalid_action"),
    ]


def test_all_entries(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("edit", on="edit", match="[nothing]"), one("bad", on="x")),
            "a/b/AGENTS.yml": guidance(one("after", when="after")),
            "a/AGENTS.yaml": "decisions:\n- {decision: d, rationale: r, match: [x/]}\n",
            "node_modules/AGENTS.yaml": guidance(one("vendored")),
            "broken/AGENTS.yaml": "[",
        }
    )
    everything = resolve_all(str(root))
    assert texts(everything) == ["edit", "after", "d"]
    assert [file.path for file in everything.files] == [
        "AGENTS.yaml",
        "a/AGENTS.yaml",
        "a/b/AGENTS.yml",
        "broken/AGENTS.yaml",
    ]
    assert [each.code for each in everything.problems] == ["invalid_action", "invalid_yaml"]
    assert texts(resolve_all(str(root), "read")) == ["after", "d"]
    assert texts(resolve_all(str(root), "edit", "before")) == ["edit", "d"]
    assert everything.judged[0].reason == "asked for all entries"


PATTERNS = ["**", "*.py", "src/**", "src/", "**/*.py", "a/**/b", "[ab]*", "{a,src}/*", "x", "["]
ENTRIES = st.fixed_dictionaries(
    {
        "match": st.lists(st.sampled_from(PATTERNS), max_size=2),
        "exclude": st.lists(st.sampled_from(PATTERNS[:-1]), max_size=2),
        "on": st.sampled_from(["all", "read", "[edit, create]", "[]"]),
        "when": st.sampled_from(["before", "after", "all"]),
    }
)
PATHS = ["a.py", "src/a.py", "src", "src/", "a/x/b", "x", ".", "src/sub/"]


def written(number: int, entry: dict[str, object]) -> str:
    fields = {name: value for name, value in entry.items() if value != []}
    return one(f"c{number}", **fields)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(ENTRIES, max_size=4),
    st.lists(ENTRIES, max_size=3),
    st.sampled_from(PATHS),
    st.sampled_from(ACTIONS),
    st.sampled_from(TIMINGS),
)
def test_explain_agrees_with_context(
    tmp_path: Path,
    above: list[dict[str, object]],
    below: list[dict[str, object]],
    path: str,
    action: str,
    timing: str,
) -> None:
    """What is explained as applying is what is delivered; every entry is explained, once, in merge order."""
    files = {
        "AGENTS.yaml": "".join(written(n, each) for n, each in enumerate(above)),
        "src/AGENTS.yaml": "".join(written(n, each) for n, each in enumerate(below)),
    }
    plant(tmp_path, {name: f"context:\n{entries}" if entries else "" for name, entries in files.items()})
    resolution = ask(tmp_path, path, action, timing)
    assert [each for each in resolution.judged if each.verdict == APPLIES] == resolution.context
    governing = 2 if resolution.query.path.startswith("src") and path != "src.py" else 1
    assert len(resolution.judged) == len(above) + (len(below) if governing == 2 else 0)
    assert [(each.level, each.line) for each in resolution.judged] == sorted(
        (each.level, each.line) for each in resolution.judged
    )
    for each in resolution.judged:
        assert isinstance(each.entry, ContextEntry)
        # Asked without filters, only patterns and faults can stand in the way.
        unfiltered = {APPLIES, "other-action", "other-timing"}
        assert (each.verdict in unfiltered) == (
            ask(tmp_path, path).judged[resolution.judged.index(each)].verdict == APPLIES
        )
        assert (each.verdict in ("no-match", "invalid")) == (each.pattern == "")


def test_decisions_know_no_action(project: Project) -> None:
    root = project({"AGENTS.yaml": "decisions:\n- {decision: d, rationale: r}\n"})
    for action in ACTIONS:
        for timing in TIMINGS:
            [judged] = ask(root, "a", action, timing).decisions
            assert isinstance(judged.entry, Decision)


def test_answers_do_not_depend_on_the_question_before(project: Project) -> None:
    root = project({"AGENTS.yaml": VERDICTS_OF_ONE_FILE, "src/x.py": ""})
    questions = [
        (path, action, timing)
        for path in ("a.py", "src", "lib/", "x.md")
        for action in ACTIONS
        for timing in TIMINGS
    ]
    once = [ask(root, *question) for question in questions]
    assert [ask(root, *question) for question in reversed(questions)] == once[::-1]


def test_warm_path_imports_nothing_heavy(project: Project) -> None:
    """The hook answers from the cache on every tool call: what it imports is most of what it costs."""
    root = project({"AGENTS.yaml": guidance(one("x", match="['*.py', 'a*b*/**']"))})
    program = (
        "import sys, time\n"
        "real = time.time_ns; time.time_ns = lambda: real() + 10**10\n"  # as if the file were old
        "before = set(sys.modules)\n"
        "from sctx_tui.guidance.resolve import make_query, resolve\n"
        "from sctx_tui.guidance.render import agent_text\n"
        f"query = make_query('a.py', root={str(root)!r}, action='edit')\n"
        "print(agent_text(resolve(query), decisions=True).splitlines()[-1])\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )

    def run() -> tuple[str, set[str]]:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        text, modules = done.stdout.splitlines()
        return text, set(modules.split())

    assert "yaml" in run()[1]
    text, modules = run()
    assert text == "- x"
    assert modules & {"yaml", "wcmatch", "re", "json", "typing", "enum", "dataclasses", "pathlib"} == set()
    assert modules & {"inspect", "click", "functools", "collections", "hashlib", "subprocess"} == set()
