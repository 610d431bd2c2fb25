"""Which part of a project a file belongs to."""

from pathlib import Path

import pytest

from sctx_tui.graph.systems import directory_counts, own_names, system_of


@pytest.mark.parametrize(
    ("path", "system"),
    [
        ("README.md", ""),
        ("auth/login.py", "auth"),
        ("src/auth/login.py", "auth"),
        ("src/my_shop/auth/login.py", "auth"),
        ("My-Shop/auth/login.py", "auth"),
        ("packages/checkout/src/index.ts", "checkout"),
        ("crates/parser/src/lib.rs", "parser"),
        ("src/main.py", "src"),
        ("src/my_shop/main.py", "my_shop"),
        ("tests/auth/test_login.py", "tests"),
    ],
)
def test_the_first_folder_that_is_no_container(path: str, system: str) -> None:
    assert system_of(path, frozenset(("myshop",))) == system


@pytest.mark.parametrize(
    ("name", "text", "own"),
    [
        ("pyproject.toml", '[project]\nname = "My.Shop"\n', "myshop"),
        ("package.json", '{"name": "@scope/my-shop"}', "myshop"),
        ("Cargo.toml", '[package]\nname = "my_shop"\n', "myshop"),
        ("go.mod", "module example.com/team/my-shop/v2\n\ngo 1.22\n", "myshop"),
    ],
)
def test_what_a_project_calls_itself(tmp_path: Path, name: str, text: str, own: str) -> None:
    (tmp_path / name).write_text(text)
    assert own in own_names(str(tmp_path))


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json", "Cargo.toml", "go.mod"])
@pytest.mark.parametrize(
    "text", ["", "[", "[]", "null", '{"name": 3}', '{"name": null}', "\0", "project = 3"]
)
def test_a_broken_project_file_names_nothing_and_breaks_nothing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    own_names(str(tmp_path))


def test_folders_count_what_lies_below_them_at_any_depth() -> None:
    assert directory_counts(["a", "b/c", "b/d/e", "b/d/f"]) == {"": 4, "b": 3, "b/d": 2}
    assert directory_counts([]) == {}
