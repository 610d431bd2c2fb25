"""What stands on disk: links, pipes, odd names, files that can't be read, several roots.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.guidance.reading import MAX_SIZE, Refused, read_regular
from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve, resolve_all

from .asking import ask, guidance, one, texts
from .conftest import Tree

Project = Callable[[Tree], Path]


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


def test_F91_a_directory_that_may_not_be_searched(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project({"AGENTS.yaml": guidance(one("root")), "a/b/x": ""})
    looked = os.lstat

    def refuse(path: str) -> os.stat_result:
        if path.startswith(f"{root}/a/"):
            raise PermissionError(13, "Permission denied")
        return looked(path)

    query = make_query("a/b/x", root=str(root))
    monkeypatch.setattr(os, "lstat", refuse)
    resolution = resolve(query)
    assert texts(resolution) == ["root"]
    assert [str(each) for each in resolution.problems] == [
        "a/AGENTS.yaml:1:1: error[unreadable]: can't be read: Permission denied"
    ]


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
