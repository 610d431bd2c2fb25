"""Guidance made to keep `validate` busy: every file that may be read is done with in seconds."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from sctx_tui.guidance.validate import validate


def found(root: Path, text: str) -> Counter[str]:
    """How often each code is reported for a guidance file."""
    (root / "AGENTS.yaml").write_text(text, encoding="utf-8")
    return Counter(problem.code for problem in validate(str(root)))


def listed(patterns: list[str]) -> str:
    """An entry with these patterns."""
    return "context: [{content: c, match: [" + ",".join(f"'{each}'" for each in patterns) + "]}]\n"


DEAD = [f"p{number}" for number in range(12_000)]
REJECTED = "".join(f"  - {{option: '](x{number})', reason_rejected: r}}\n" for number in range(12_000))
CASES = {
    "open-link": ("context:\n- content: '" + "](" + "a" * 900_000 + "'\n", "too_long", 1),
    "links": ("context:\n- content: '" + "](x)" * 200_000 + "'\n", "dead_link", 1),
    "patterns": (listed(DEAD), "dead_pattern", len(DEAD)),
    "alternatives": (
        f"decisions:\n- decision: d\n  rationale: r\n  alternatives:\n{REJECTED}",
        "dead_link",
        12_000,
    ),
    "hidden": ('context:\n- content: "' + "\\u200b" * 150_000 + '"\n', "hidden_character", 1),
    "blanks-in-braces": (
        listed(["{" + " " * 1000 + f"{number}}}" for number in range(500)]),
        "blank_in_braces",
        500,
    ),
    "detours": (listed(["/./" * 330 + str(number) for number in range(500)]), "dead_pattern", 500),
}


@pytest.mark.parametrize("case", CASES)
def test_it_ends(tmp_path: Path, case: str) -> None:
    text, code, count = CASES[case]
    assert found(tmp_path, text)[code] == count


def test_names_that_are_all_alike_are_compared_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("lint", "validate"):
        monkeypatch.setattr(f"sctx_tui.guidance.{module}.MAX_COMPARISONS", 2_000_000)
    chance = random.Random(7)
    names = ["".join(chance.choices("ab", k=60)) for _ in range(5_500)]
    for name in names[:1_500]:
        (tmp_path / f"{name}.py").touch()
    codes = found(tmp_path, listed([f"{name}.py" for name in names[1_500:]]))
    assert codes["lint_stopped"] == 1
    assert 0 < codes.total() < 1_000


def test_a_name_too_long_to_be_compared(tmp_path: Path) -> None:
    (tmp_path / f"{'a' * 200}.py").touch()
    assert found(tmp_path, listed([f"{'a' * 201}.py"])) == {"dead_pattern": 1}
    (tmp_path / f"{'a' * 60}b.py").touch()
    assert found(tmp_path, listed([f"{'a' * 59}b.py"])) == {"misspelt": 1}


def test_each_pattern_is_reported_where_it_stands_first(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.yaml").write_text(
        "context:\n- content: c\n  match:\n  - x\n  - y\n  - y\n- content: d\n  match: x\n"
    )
    assert [(each.line, each.column) for each in validate(str(tmp_path))] == [(4, 5), (5, 5), (8, 10)]
