"""The index of files behind the tree."""

import random

import pytest

from sctx_tui.tui.files import FileIndex, nested, parents

PATHS = ["README.md", "a-b/x.py", "a/b/c.py", "a/b/d.py", "a/z.py", "a0/q.py", "Zoo.txt"]


def _index(paths: list[str] = PATHS, ignored: tuple[str, ...] = ()) -> FileIndex:
    return FileIndex("/nowhere", paths, ignored)


def test_a_folder_is_a_range_even_beside_names_that_sort_around_it() -> None:
    index = _index()
    assert index.below("a") == ["a/b/c.py", "a/b/d.py", "a/z.py"]
    assert index.below("a-b") == ["a-b/x.py"]
    assert index.children("a") == (["b"], ["z.py"], [])
    assert index.children("") == (["a", "a-b", "a0"], ["README.md", "Zoo.txt"], [])


def test_rows_hold_only_what_is_open() -> None:
    index = _index()
    closed = [row.path for row in index.rows("", 0, lambda path: False)]
    assert closed == ["a", "a-b", "a0", "README.md", "Zoo.txt"]
    opened = [(row.depth, row.path) for row in index.rows("", 0, {"a"}.__contains__)]
    assert opened[:3] == [(0, "a"), (1, "a/b"), (1, "a/z.py")]


def test_ignored_files_are_shown_only_when_asked_for() -> None:
    index = _index(ignored=("a/secret.log", "node_modules/"))
    assert "secret.log" not in index.children("a")[1]
    folders, files, dim = index.children("a", ignored=True)
    assert (folders, files, dim) == (["b"], ["secret.log", "z.py"], ["secret.log"])
    assert "node_modules" in index.children("", ignored=True)[0]


def test_nested_gives_each_folder_once() -> None:
    rows = list(nested(["a/b/c.py", "a/b/d.py", "a/z.py", "q.py"], lambda path: (len(path) - 1,)))
    assert [(row.depth, row.name) for row in rows] == [
        (0, "a"), (1, "b"), (2, "c.py"), (2, "d.py"), (1, "z.py"), (0, "q.py"),
    ]  # fmt: skip
    assert rows[2].lit == (3,)


def test_parents() -> None:
    assert parents("a/b/c.py") == ["a", "a/b"]
    assert parents("c.py") == []


@pytest.mark.parametrize("seed", range(5))
def test_every_file_is_a_row_exactly_once_when_all_is_open(seed: int) -> None:
    rng = random.Random(seed)
    names = ["a", "b", "a-b", "a.b", "A", "0", "~", "é", "\udcff"]
    paths = sorted({"/".join(rng.choices(names, k=rng.randint(1, 4))) + ".py" for _ in range(200)})
    rows = list(_index(paths).rows("", 0, lambda path: True))
    assert sorted(row.path for row in rows if not row.is_folder) == paths
    folders = [row.path for row in rows if row.is_folder]
    assert len(folders) == len(set(folders))
    assert set(folders) == {folder for path in paths for folder in parents(path)}
