"""Who is who after an edit, what callers have to know, how descriptions age."""

from __future__ import annotations

import pytest

from sctx_tui.graph.taint import Event, Standing, Version, aged, events, first, match


def version(name: str, body: str, signature: str = "def f()", kind: str = "function") -> Version:
    return Version(name, kind, signature, f"{name.partition('#')[0]}{signature}{body}", body)


def test_the_same_id_stays_the_same_function_whatever_its_body() -> None:
    assert match([version("a::f", "1")], [version("a::f", "2")]) == {"a::f": "a::f"}


def test_duplicates_follow_their_bodies() -> None:
    old = [version("a::f", "one"), version("a::f#2", "two")]
    new = [version("a::f", "two"), version("a::f#2", "one")]
    assert match(old, new) == {"a::f": "a::f#2", "a::f#2": "a::f"}


def test_a_duplicate_put_in_front_takes_nothing_over() -> None:
    old = [version("a::f", "one")]
    new = [version("a::f", "new"), version("a::f#2", "one")]
    assert match(old, new) == {"a::f": "a::f#2"}


def test_duplicates_with_new_bodies_keep_their_order() -> None:
    old = [version("a::f", "one"), version("a::f#2", "two")]
    new = [version("a::f", "three"), version("a::f#2", "four")]
    assert match(old, new) == {"a::f": "a::f", "a::f#2": "a::f#2"}


def test_a_removed_duplicate_is_the_one_whose_body_is_gone() -> None:
    old = [version("a::f", "one"), version("a::f#2", "two")]
    assert match(old, [version("a::f", "two")]) == {"a::f#2": "a::f"}


def test_a_renamed_function_is_known_by_its_body() -> None:
    old, new = [version("a::f", "body")], [version("a::g", "body")]
    pairs = match(old, new)
    assert pairs == {"a::f": "a::g"}
    assert events(old, new, pairs) == [Event("a::f", "renamed", "def f()")]


def test_a_body_that_several_share_says_nothing() -> None:
    old = [version("a::f", "pass"), version("a::g", "pass")]
    assert match(old, [version("a::x", "pass")]) == {}
    assert match(old[:1], [version("a::x", "pass"), version("a::y", "pass")]) == {}


def test_events() -> None:
    old = [
        version("a::f", "1"),
        version("a::g", "2"),
        version("a::h", "3"),
        version("a::<module>", "m", "", "module"),
    ]
    new = [version("a::f", "1", "def f(x)"), version("a::h", "changed")]
    assert events(old, new, match(old, new)) == [
        Event("a::f", "signature", "def f()"),
        Event("a::g", "removed", "def f()"),
    ]


@pytest.mark.parametrize("changes", [1, 2, 3])
def test_confidence_decays_with_each_change(changes: int) -> None:
    standing = first("h0", None)
    for number in range(changes):
        standing = aged(standing, f"h{number}", f"h{number + 1}")
    assert standing == Standing("h0", pytest.approx(0.85**changes), True)


def test_no_change_of_meaning_ages_nothing() -> None:
    stale = Standing("h0", 0.85, True)
    assert aged(stale, "h1", "h1") == stale


def test_code_as_it_was_described_is_trusted_again() -> None:
    assert aged(Standing("h0", 0.85**2, True), "h2", "h0") == Standing("h0", 1.0, False)


def test_old_text_about_other_code_is_stale_from_the_start() -> None:
    assert first("new", "old") == Standing("old", 0.85, True)
    assert first("same", "same") == Standing("same", 1.0, False)
