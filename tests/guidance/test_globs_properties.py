"""The dialect against a second, slow and independent reading of it."""

from __future__ import annotations

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from sctx_tui.guidance.globs import Glob, compile_glob, keys_of

from . import slow_globs
from .slow_globs import Piece

NAMES = ["a", "b", "ab", "ba", ".", "-", "]", "[", "*", "{a", "é", "a.b", "\\", ",", "a" * 5, "b\n"]
names = st.sampled_from([name for name in NAMES if name != "."])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
directories = st.one_of(st.just(""), paths)
texts = st.sampled_from(NAMES)
MEMBERS = "abé-]^![."
members = st.sampled_from(MEMBERS)
classes = st.tuples(st.booleans(), st.lists(st.tuples(members, members), min_size=1, max_size=3))
simple: st.SearchStrategy[Piece] = st.one_of(
    texts.map(lambda text: ("text", text)),
    st.sampled_from([("*", None), ("?", None), ("**", None), ("/", None), ("/", None)]),
    classes.map(lambda each: ("class", each)),
)
pieces: st.SearchStrategy[list[Piece]] = st.lists(
    st.recursive(
        simple,
        lambda inner: st.lists(st.lists(inner, max_size=3), min_size=1, max_size=3).map(
            lambda alternatives: ("braces", alternatives)
        ),
        max_leaves=5,
    ),
    max_size=7,
).filter(lambda pattern: slow_globs.count(pattern) <= 64)


def compiled(pattern: list[Piece]) -> Glob:
    """As this process compiles it, by way of what a cache would keep."""
    glob = compile_glob(slow_globs.written(pattern))
    assert glob.problem is None
    copy = pickle.loads(pickle.dumps(glob))
    assert isinstance(copy, Glob)
    return copy


@settings(max_examples=300, deadline=None)
@given(pieces, st.lists(paths, min_size=1, max_size=5))
def test_files(pattern: list[Piece], candidates: list[str]) -> None:
    glob = compiled(pattern)
    for path in candidates:
        assert glob.matches_file(path) == slow_globs.matches_file(pattern, path), (glob, path)


@settings(max_examples=200, deadline=None)
@given(pieces, paths)
def test_an_index_finds_what_fits(pattern: list[Piece], path: str) -> None:
    glob = compiled(pattern)
    keys = glob.keys()
    if keys is not None:
        assert bool({*keys} & {*keys_of(path)}) == glob.matches_file(path)


@settings(max_examples=300, deadline=None)
@given(pieces, directories)
def test_directory_exclude_is_strict(pattern: list[Piece], path: str) -> None:
    # A name that is in no class above, and for each member of a class names that a negated one doesn't fit.
    below = ["\U00010001", "zz", *MEMBERS, *(f"{member}z" for member in MEMBERS)]
    assert compiled(pattern).excludes_directory(path) == slow_globs.excludes_directory(pattern, path, below)


@settings(max_examples=200, deadline=None)
@given(pieces, directories, st.lists(paths, max_size=8))
def test_directory_match_is_generous(pattern: list[Piece], path: str, below: list[str]) -> None:
    if slow_globs.matches_directory(pattern, path, below):
        assert compiled(pattern).matches_directory(path)


@settings(max_examples=200, deadline=None)
@given(pieces, paths)
def test_a_file_that_fits_makes_each_directory_above_it_fit(pattern: list[Piece], path: str) -> None:
    glob = compiled(pattern)
    if glob.matches_file(path):
        directory = path
        while directory:
            directory = directory.rpartition("/")[0]
            assert glob.matches_directory(directory), directory


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.text(min_size=1, max_size=20))
def test_any_text_is_a_pattern_or_a_problem(pattern: str, path: str) -> None:
    glob = compile_glob(pattern)
    answers = glob.matches_file(path), glob.matches_directory(path), glob.excludes_directory(path)
    if glob.problem is not None:
        assert answers == (False, False, False)
    else:
        assert all(isinstance(answer, bool) for answer in answers)
