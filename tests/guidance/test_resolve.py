"""Every entry of every governing file gets a verdict.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import os
import stat
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
    Judged,
    Resolution,
)
from sctx_tui.guidance.reading import MAX_SIZE, Refused, read_regular
from sctx_tui.guidance.resolve import NO_FILES, OutsideRoot, make_query, resolve, resolve_all

from .conftest import Tree, plant

Project = Callable[[Tree], Path]


def ask(root: Path, path: str, action: str = "all", timing: str = "all") -> Resolution:
    return resolve(make_query(path, root=str(root), action=action, timing=timing))


def texts(resolution: Resolution) -> list[str]:
    return [text(each) for each in resolution.context] + [text(each) for each in resolution.decisions]


def text(judged: Judged) -> str:
    entry = judged.entry
    return entry.content if isinstance(entry, ContextEntry) else entry.decision


def one(content: str, **fields: object) -> str:
    return f"- {{content: {content}{''.join(f', {name}: {value}' for name, value in fields.items())}}}\n"


def guidance(*entries: str) -> str:
    return "context:\n" + "".join(entries)


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


def test_C44_a_target_outside_is_named(project: Project) -> None:
    root = project({"proj/a": "", "x": ""})
    with pytest.raises(OutsideRoot) as error:
        make_query("../x", root=str(root / "proj"))
    assert str(error.value) == f"../x is outside the root {root}/proj"


def test_F93_a_project_below_the_root_gets_its_parents_guidance(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("parent")),
            "module/.git": "gitdir: ../.git/modules/module\n",
            "module/AGENTS.yaml": guidance(one("module")),
        }
    )
    assert texts(ask(root, "module/a.py")) == ["parent", "module"]


def test_F94_loops_of_links_end(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("root")),
            "loop": {"symlink": "loop"},
            "self": {"symlink": "."},
            "a/AGENTS.yaml": {"symlink": "AGENTS.yaml"},
        }
    )
    assert texts(ask(root, "loop/x")) == ["root"]
    assert texts(ask(root, "self/self/x")) == ["root"]
    assert [each.code for each in ask(root, "a/x").problems] == ["unreadable"]
    assert texts(resolve_all(str(root))) == ["root"]


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


def test_F90_vendored_guidance_is_never_given(project: Project) -> None:
    names = (".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__")
    root = project(
        {"AGENTS.yaml": guidance(one("root"))}
        | {f"a/{name}/b/AGENTS.yaml": guidance(one(name)) for name in names}
    )
    for name in names:
        assert texts(ask(root, f"a/{name}/b/x.py")) == ["root"]
    assert texts(resolve_all(str(root))) == ["root"]


def test_a_root_in_a_vendored_directory_is_the_users_own(project: Project) -> None:
    root = project({"node_modules/p/AGENTS.yaml": guidance(one("p"))})
    assert texts(ask(root / "node_modules/p", "x.js")) == ["p"]


def test_F1_F3_files_above_the_root_are_never_opened(project: Project) -> None:
    root = project({"AGENTS.yaml": guidance(one("above")), "proj/AGENTS.yaml": guidance(one("proj"))})
    assert texts(ask(root / "proj", "a/x.py")) == ["proj"]


def test_F5_F6_F87_C17_C43_one_answer_from_everywhere(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("above")),
            "proj/AGENTS.yaml": guidance(one("proj")),
            "proj/src/AGENTS.yaml": guidance(one("src")),
            "proj/src/api/a.py": "",
            "link": {"symlink": "proj"},
        }
    )
    for cwd in ("proj", "proj/src", "proj/src/api", "link", "."):
        monkeypatch.chdir(root / cwd)
        target = os.path.relpath(root / "proj/src/api/a.py")
        for top in ("proj", "link"):
            query = make_query(target, root=str(root / top), base=os.getcwd())
            assert texts(resolve(query)) == ["proj", "src"], (cwd, top)


@pytest.mark.parametrize("path", ["..foo.py", "...x", "..dir/a.py"])
def test_F50_names_that_begin_with_dots(project: Project, path: str) -> None:
    root = project({"AGENTS.yaml": guidance(one("all")), "..dir/AGENTS.yaml": guidance(one("dir"))})
    assert texts(ask(root, path)) == (["all", "dir"] if "/" in path else ["all"])


@pytest.mark.parametrize("name", ["文档.md", "مرحبا.md", "a\nb.md", "*.md", os.fsdecode(b"\xff.md")])
def test_F54_exotic_names(project: Project, name: str) -> None:
    root = project({"AGENTS.yaml": guidance(one("md", match="['**/*.md']")), name: ""})
    assert texts(ask(root, name)) == ["md"]


def test_F49_decomposed_directory(project: Project) -> None:
    root = project({"AGENTS.yaml": guidance(one("c", match="['café/**']")), "cafe\u0301/x": ""})
    assert texts(ask(root, "cafe\u0301/x")) == ["c"]


def test_F55_C46_links_within_the_root(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml": guidance(one("alias", match="['alias/**']"), one("lib", match="['lib/**']")),
            "lib/inner/AGENTS.yaml": guidance(one("inner")),
            "lib/inner/a.py": "",
            "alias": {"symlink": "lib/inner"},
            "docs/AGENTS.yaml": {"symlink": "../lib/inner/AGENTS.yaml"},
        }
    )
    assert texts(ask(root, "alias/a.py")) == ["alias", "inner"]
    assert texts(ask(root, "docs/a.py")) == ["inner"]


def test_F83_C49_the_same_inode_once(project: Project) -> None:
    root = project(
        {
            "a/AGENTS.yaml": guidance(one("a")),
            "a/AGENTS.yml": {"symlink": "AGENTS.yaml"},
            "b/AGENTS.yaml": guidance(one("b")),
            "c/AGENTS.yaml": {"symlink": "../a/AGENTS.yaml"},
        }
    )
    os.link(root / "b/AGENTS.yaml", root / "b/AGENTS.yml")
    assert texts(ask(root, "a/x")) == ["a"]
    assert texts(ask(root, "b/x")) == ["b"]
    assert texts(resolve_all(str(root))) == ["a", "b"]


def test_F17_C46_links_that_lead_outside_are_refused(project: Project) -> None:
    root = project(
        {
            "secret/AGENTS.yaml": "context:\n- content: SECRET\n",
            "proj/AGENTS.yaml": {"symlink": "../secret/AGENTS.yaml"},
            "proj/a/AGENTS.yml": guidance(one("a")),
            "proj/out": {"symlink": "../secret"},
            "secret/back": {"symlink": "../proj/a"},
        }
    )
    resolution = ask(root / "proj", "a/x.py")
    assert texts(resolution) == ["a"]
    [problem] = resolution.problems
    assert (problem.file, problem.code) == ("AGENTS.yaml", "outside_root")
    assert "leads outside the root" in problem.message
    assert "SECRET" not in str(resolution)
    # A directory on the way that leads outside, to a target that is inside.
    resolution = ask(root / "proj", "out/back/x.py")
    assert texts(resolution) == ["a"]
    assert [each.code for each in resolution.problems] == ["outside_root", "outside_root"]


def test_a_link_that_is_turned_around_is_refused(project: Project) -> None:
    root = project(
        {
            "outside": None,
            "proj/inner/AGENTS.yaml": guidance(one("inner")),
            "proj/way": {"symlink": "inner"},
        }
    )
    assert texts(ask(root / "proj", "way/x")) == ["inner"]
    # The file keeps its inode and times, but now it is outside.
    (root / "proj/inner").rename(root / "outside/inner")
    (root / "proj/inner").symlink_to("../outside/inner")
    resolution = resolve(make_query("way/x", root=str(root)))
    assert texts(resolution) == []
    query = make_query("x", root=str(root / "proj"))
    query.path = "inner/x"
    assert [each.code for each in resolve(query).problems] == ["outside_root"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_F15_pipes_are_reported_not_opened(project: Project) -> None:
    root = project({"a/AGENTS.yaml": guidance(one("a")), "b/AGENTS.yaml": {"symlink": "../AGENTS.yaml"}})
    os.mkfifo(root / "AGENTS.yaml")
    for path in ("a/x.py", "b/x.py"):
        problem = ask(root, path).problems[0]
        assert (problem.file, problem.code) == ("AGENTS.yaml", "not_regular")
        assert problem.message == "not a regular file but a named pipe"
    assert texts(ask(root, "a/x.py")) == ["a"]


def test_F15_devices_are_refused(project: Project) -> None:
    root = project({"AGENTS.yaml": {"symlink": "/dev/null"}})
    assert [each.code for each in ask(root, "a").problems] == ["outside_root"]
    with pytest.raises(Refused, match="not a regular file but a device"):
        read_regular("/dev/null", (0, 0))


def test_F82_directories_and_dangling_links_are_reported(project: Project) -> None:
    root = project(
        {
            "AGENTS.yaml/x": "",
            "AGENTS.yml": {"symlink": "gone"},
            "a/AGENTS.yaml": {"symlink": "AGENTS.yaml"},
            "a/AGENTS.yml": guidance(one("a")),
        }
    )
    resolution = ask(root, "a/x.py")
    assert [(each.file, each.code) for each in resolution.problems] == [
        ("AGENTS.yaml", "not_regular"),
        ("AGENTS.yml", "unreadable"),
        ("a/AGENTS.yaml", "unreadable"),
    ]
    assert texts(resolution) == ["a"]
    assert [each.code for each in resolve_all(str(root)).problems] == [
        "not_regular",
        "unreadable",
        "unreadable",
    ]


def test_one_mebibyte_and_not_a_byte_more(project: Project) -> None:
    start = guidance(one("big")).encode() + b"#"
    fits = start + b"x" * (MAX_SIZE - len(start))
    root = project({"a/AGENTS.yaml": fits, "b/AGENTS.yaml": fits + b"x"})
    assert texts(ask(root, "a/x")) == ["big"]
    resolution = ask(root, "b/x")
    assert texts(resolution) == []
    assert [each.code for each in resolution.problems] == ["too_large"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read anything")
def test_F91_unreadable_files_and_directories(project: Project) -> None:
    root = project({"AGENTS.yaml": guidance(one("root")), "a/AGENTS.yaml": guidance(one("a")), "b/x": ""})
    (root / "a/AGENTS.yaml").chmod(0)
    (root / "b").chmod(0)
    try:
        assert [each.code for each in ask(root, "a/x").problems] == ["unreadable"]
        assert texts(ask(root, "a/x")) == ["root"]
        assert texts(ask(root, "b/x")) == ["root"]
    finally:
        (root / "b").chmod(stat.S_IRWXU)


def test_F91_a_file_that_may_not_be_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project({"AGENTS.yaml": guidance(one("root")), "a/AGENTS.yaml": guidance(one("a"))})
    opened = os.open

    def refuse(path: str, *rest: int) -> int:
        if path.endswith("a/AGENTS.yaml"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr("sctx_tui.guidance.reading.os.open", refuse)
    resolution = ask(root, "a/x")
    assert texts(resolution) == ["root"]
    assert [each.message for each in resolution.problems] == ["can't be read: Permission denied"]


def test_a_file_that_is_replaced_while_it_is_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project({"proj/AGENTS.yaml": guidance(one("proj")), "secret": guidance(one("secret"))})
    opened = os.open

    def swap(path: str, *rest: int) -> int:
        if path.endswith("AGENTS.yaml"):
            os.unlink(path)
            os.symlink("../secret", path)
        return opened(path, *rest)

    monkeypatch.setattr("sctx_tui.guidance.reading.os.open", swap)
    resolution = ask(root / "proj", "x")
    assert texts(resolution) == []
    assert [each.message for each in resolution.problems] == ["replaced while it was read"]


def test_F67_a_file_where_a_directory_is_needed(project: Project) -> None:
    root = project({"AGENTS.yaml": guidance(one("root")), "f": ""})
    resolution = ask(root, "f/sub.py")
    assert texts(resolution) == ["root"]
    assert resolution.notes == ("a file stands where the path needs a directory",)


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


def test_all_skips_what_lies_behind_links(project: Project) -> None:
    root = project(
        {
            "outside/AGENTS.yaml": guidance(one("outside")),
            "proj/a/AGENTS.yaml": guidance(one("a")),
            "proj/a/x": "",
        }
    )
    subprocess.run(["git", "init", "-q", str(root / "proj")], check=True)
    subprocess.run(["git", "-C", str(root / "proj"), "add", "."], check=True)
    (root / "proj/a").rename(root / "proj/b")
    (root / "proj/a").symlink_to("../outside")
    # git still lists a/AGENTS.yaml, and through the link there is such a file.
    resolution = resolve_all(str(root / "proj"))
    assert texts(resolution) == ["a"]
    assert [each.code for each in resolution.problems] in ([], ["outside_root"])


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
