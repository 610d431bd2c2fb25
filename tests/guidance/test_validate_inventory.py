"""The arranged list of files answers what matching every file one by one answers, for any pattern."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.inventory import Inventory
from sctx_tui.guidance.pattern_lint import Place, lint_pattern

PIECES = [
    "a",
    "b",
    "ab",
    ".py",
    ".env",
    "*",
    "**",
    "?",
    "/",
    "./",
    "{a,b}",
    "{a,",
    "}",
    ",",
    "[ab]",
    "[",
    "]",
    "\\",
]
PATTERNS = st.lists(st.sampled_from([*PIECES, " ", "!", "..", "é", "e\u0301", "A"]), max_size=8).map("".join)
NAMES = st.sampled_from(
    ["a", "b", "ab", "a.py", "b.py", ".env", "x.env", "[ab]", "é", "e\u0301.py", "A", "a b"]
)
FILES = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=12)

PARTLY_DEAD = {"blank_in_braces", "literal_brackets"}
"""Warnings for patterns that fit something and yet miss what was meant."""


def brute_force(inventory: Inventory, directory: str, pattern: str) -> bool:
    """Whether a file, or for a directory pattern a directory, below `directory` fits; every one is tried."""
    glob = compile_glob(pattern)
    prefix = f"{directory}/" if directory else ""
    below = [path[len(prefix) :] for path in inventory.files if path.startswith(prefix)]
    parents = {path.rsplit("/", depth)[0] for path in below for depth in range(1, path.count("/") + 1)}
    named = glob.directories()
    return any(map(glob.matches_file, below)) or any(
        bool(named.after(parent.split("/") if parent else []) & named.final) for parent in parents | {""}
    )


@settings(max_examples=300, deadline=None)
@given(FILES, st.sampled_from(["", "a", "a/b", "b"]), PATTERNS)
@example(["a.py"], "", "*.py")
@example([".env"], "", "*.env")
@example(["a"], "", "a/**")
@example(["a/b.py"], "a", "{a,b}.py")
def test_narrowing_never_changes_the_answer(files, directory, pattern):
    inventory = Inventory(files)
    assert (inventory.scope(directory).example(pattern) is not None) == brute_force(
        inventory, directory, pattern
    )


@settings(max_examples=300, deadline=None)
@given(FILES, PATTERNS, st.sampled_from(["match", "exclude"]))
def test_a_valid_pattern_is_reported_if_and_only_if_it_fits_nothing(files, pattern, field):
    inventory = Inventory(files)
    finding = lint_pattern(pattern, field, Place("/nowhere", "", inventory))
    if compile_glob(pattern).problem is not None or pattern in ("", "."):
        return
    if brute_force(inventory, "", pattern):
        assert finding is None or finding.code in PARTLY_DEAD | {"directory_exclude"}
    elif field == "match":
        assert finding is not None


@settings(max_examples=200, deadline=None)
@given(FILES, st.text(max_size=30))
def test_any_text_can_be_a_pattern(files, pattern):
    lint_pattern(pattern, "match", Place("/nowhere", "", Inventory(files)))


def test_files_that_begin_alike_are_told_apart():
    inventory = Inventory(["src/a.py", "src-gen/b.py", "src.py", "srcs/c.py"])
    assert list(inventory.scope("src").files) == ["a.py"]
    assert list(inventory.scope("").fitting("src/**")) == ["src/a.py"]


def test_what_was_spent_is_bounded_by_what_a_pattern_leaves_open():
    inventory = Inventory([f"d{number % 10}/f{number}.py" for number in range(1_000)])
    scope = inventory.scope("")
    for pattern, most in (("**/*.rs", 0), ("d1/*.py", 100), ("d1/f1.py", 1), ("**", 1_000)):
        before = inventory.effort.comparisons
        scope.example(pattern)
        assert inventory.effort.comparisons - before <= most, pattern
