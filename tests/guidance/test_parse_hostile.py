"""Documents made to break a parser, and noise."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .test_parse import contents, found, parsed

NINE_LEVELS = "".join(f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in pairwise("abcdefghi"))
HOSTILE = {
    "F81-alias-bomb": f"a: &a [x,x,x,x,x,x,x,x,x]\n{NINE_LEVELS}context:\n- content: keep\n",
    "self-reference": "a: &a [*a]\ncontext:\n- content: keep\n",
    "nested-lists": "context:\n- content: keep\nx: " + "[" * 900 + "]" * 900 + "\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_values_of_unknown_fields(case: str) -> None:
    assert contents(HOSTILE[case]) == ["keep"]


def one_entry(patterns: Iterable[str]) -> str:
    """An entry with these patterns."""
    return f"context:\n- content: keep\n  match: {list(patterns)}\n"


MERGES = "".join(f"a{n}: &a{n} {{<<: *a{n - 1}}}\n" for n in range(1, 20_000))
KEYS = ",".join(f"k{n}: 1" for n in range(9_000))
ENDLESS = {
    "open-brackets": "[" * 500_000,
    "dashes": "- " * 300_000,
    "merge-of-itself": "x: &x {<<: *x}\ncontext: [*x]\n",
    "chain-of-merges": f"a0: &a0 {{content: c}}\n{MERGES}context: [*a19999]\n",
    "many-merges": f"a: &a {{{KEYS}}}\ncontext: [{{<<: [{'*a,' * 200_000}]}}]\n",
    "many-aliases": f"a: &a {{content: c}}\ncontext: [{'*a,' * 300_000}]\n",
    "many-patterns": f"a: &a x\ncontext: [{{content: c, match: [{'*a,' * 300_000}]}}]\n",
    "many-braces": one_entry("{a,b}" * 8 + f"[!x]{n}" for n in range(2_000)),
    "many-classes": one_entry("*[!x]*a[!y]?" * 2 + str(n) for n in range(9_000)),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_hostile_documents_end_in_a_problem(case: str) -> None:
    assert "error invalid_yaml" in found(ENDLESS[case])[-1]


def test_a_pattern_that_stands_often_counts_once() -> None:
    assert contents(one_entry(["{a,b}" * 8] * 2_000)) == ["keep"]


def test_many_patterns_of_the_usual_kind_are_no_problem() -> None:
    assert contents(one_entry(f"src/{n}/**/*.{{ts,tsx,js,jsx}}" for n in range(9_000))) == ["keep"]


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(), st.binary()))
def test_parser_never_raises_on_noise(data: str | bytes) -> None:
    parsed(data)


FRAGMENTS = [
    *("context:", "decisions:", "- ", "  ", "\n", "content: x", "match: ", "exclude: ", "on: ", "when: "),
    *("[", "]", "{", "}", ",", "'*.py'", "*", "&a", "*a", "<<: ", "? ", ": ", "|", ">", "---", "...", "#"),
    *("date: 2025-01-01", "alternatives: ", "option: a", "edit", "before", "~", '"', "'", "\t", "é"),
    *("!!int ", "!!binary ", "!x ", "%YAML 1.2"),
]


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
def test_parser_never_raises_on_almost_yaml(text: str) -> None:
    file = parsed(text)
    last = text.count("\n") + 1
    assert all(1 <= each.line <= last + 1 and each.column >= 1 for each in file.problems)
    assert all(each.severity in ("error", "warning") for each in file.problems)
    spoilt = [each for each in (*file.context, *file.decisions) if each.problem]
    assert bool(spoilt) <= any(each.severity == "error" for each in file.problems)
