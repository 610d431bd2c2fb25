"""What is asked: root, path, file or directory. F-numbers are rows of the list of reproduced faults."""

from __future__ import annotations

import ntpath
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.guidance import discover, resolve
from sctx_tui.guidance.resolve import OutsideRoot, make_query

from .conftest import Tree

Project = Callable[[Tree], Path]


@pytest.fixture
def root(project: Project) -> Path:
    return project(
        {
            "proj/src/api/a.py": "",
            "proj/f": "",
            "proj/alias": {"symlink": "src/api"},
            "proj/out": {"symlink": "../other"},
            "proj/out.py": {"symlink": "../other/x.py"},
            "proj/loop": {"symlink": "loop"},
            "other/x.py": "",
            "other/back": {"symlink": "../proj/src"},
            "link": {"symlink": "proj"},
        }
    )


# target -> (path, is_directory)
INSIDE = {
    "src/api/a.py": ("src/api/a.py", False),
    "./src//api/../api/a.py": ("src/api/a.py", False),
    "src/new/deep/file.py": ("src/new/deep/file.py", False),
    "src": ("src", True),
    "src/": ("src", True),
    "src/.": ("src", True),
    "": ("", True),
    ".": ("", True),
    "./": ("", True),
    "nope": ("nope", False),
    "nope/": ("nope", True),
    "alias": ("alias", True),
    "alias/a.py": ("alias/a.py", False),  # F55: the lexical path
    "loop": ("loop", False),
    "..foo.py": ("..foo.py", False),
    "a\nb": ("a\nb", False),
    "~": ("~", False),
    "a\\b": ("a\\b", False),
}


@pytest.mark.parametrize("target", INSIDE)
def test_inside(root: Path, target: str) -> None:
    top = root / "proj"
    path, is_directory = INSIDE[target]
    expected = (str(top), path, is_directory)
    forms = [target, f"{top}/{target}", f"{root}/link/{target}"]  # relative, F5, F6
    for given_root in (str(top), f"{top}/", f"{root}/link", f"{top}/src/.."):
        for form in forms:
            query = make_query(form, root=given_root, base=str(top))
            assert (query.root, query.path, query.is_directory) == expected, (given_root, form)


@pytest.mark.parametrize(
    "target",
    [
        "..",
        "../other/x.py",  # F3
        "../proj2",
        "../projx/a",
        "out/x.py",
        "out",
        "out.py",
        "src/../../other/x.py",
        "/etc/passwd",
        "/",
        "alias/../../../other",
        "a\0b",
        "x" * 5000,
        "\ud800",
    ],
)
def test_F2_F3_outside(root: Path, target: str) -> None:
    with pytest.raises(OutsideRoot):
        make_query(target, root=str(root / "proj"))


def test_a_path_that_is_inside_only_in_reality(root: Path) -> None:
    query = make_query(str(root / "other/back/api/a.py"), root=str(root / "proj"))
    assert query.path == "src/api/a.py"


def test_the_longest_path_by_another_link(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its thousands of directories may be the root; none is resolved step by step to find out."""
    (root / "again").symlink_to(root / "proj")
    resolved: list[str] = []
    real = os.path.realpath

    def counted(path: str, *, strict: bool = False) -> str:
        resolved.append(path)
        return real(path, strict=strict)

    monkeypatch.setattr(os.path, "realpath", counted)
    path = "x/" * ((4090 - len(str(root / "again"))) // 2) + "a"
    assert make_query(f"{root}/again/{path}", root=str(root / "proj")).path == path
    assert len(resolved) < 10


def test_relative_to_a_base_below_the_root(root: Path) -> None:
    query = make_query("../f", root=str(root / "proj"), base=str(root / "proj/src"))
    assert query.path == "f"


@pytest.mark.parametrize(
    ("target", "note"),
    [
        ("f/", "asked as a directory, but it is a file"),
        ("f/sub.py", "a file stands where the path needs a directory"),
        ("src/new.py", None),
        ("src/", None),
    ],
)
def test_F66_F67_odd_targets_are_noted(root: Path, target: str, note: str | None) -> None:
    assert make_query(target, root=str(root / "proj")).notes == ((note,) if note else ())


def test_the_root_of_the_file_system() -> None:
    query = make_query("/etc/hosts", root="/")
    assert (query.root, query.path) == ("/", "etc/hosts")


@given(st.text(max_size=30))
def test_any_target_is_a_query_or_outside(target: str) -> None:
    here = os.getcwd()
    try:
        query = make_query(target, root=here)
    except OutsideRoot:
        return
    assert query.root == os.path.realpath(here)
    assert not query.path.startswith("/")
    assert ".." not in query.path.split("/")


class TestWindows:
    """The path logic with Windows' own rules for paths."""

    @pytest.fixture(autouse=True)
    def windows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = SimpleNamespace(path=ntpath, sep=ntpath.sep, stat=os.stat, fsencode=os.fsencode)
        monkeypatch.setattr(discover, "os", rules)
        monkeypatch.setattr(resolve, "os", rules)

    @pytest.mark.parametrize(
        ("target", "path", "is_directory"),
        [
            ("src\\api\\a.py", "src/api/a.py", False),
            ("src/api/a.py", "src/api/a.py", False),
            ("C:\\repo\\src\\a.py", "src/a.py", False),
            ("C:/repo/src/a.py", "src/a.py", False),
            ("c:\\Repo\\src\\A.py", "src/A.py", False),  # C32: neither drive nor folder have case
            ("..\\repo\\a.py", "a.py", False),
            ("src\\", "src", True),
            ("src/", "src", True),
            ("..foo.py", "..foo.py", False),
            ("", "", False),
        ],
    )
    def test_inside(self, target: str, path: str, is_directory: bool) -> None:
        query = make_query(target, root="C:\\repo")
        assert (query.root, query.path, query.is_directory) == ("C:\\repo", path, is_directory)

    @pytest.mark.parametrize(
        "target", ["..\\x.py", "D:\\repo\\a.py", "C:\\repository\\a.py", "\\\\host\\repo\\a.py"]
    )
    def test_outside(self, target: str) -> None:
        with pytest.raises(OutsideRoot):
            make_query(target, root="C:\\repo")

    def test_a_drive_as_the_root(self) -> None:
        assert make_query("src\\a.py", root="D:\\").path == "src/a.py"

    def test_a_relative_path_is_relative_to_the_base(self) -> None:
        assert make_query("b.py", root="C:\\repo", base="C:\\repo\\src").path == "src/b.py"
