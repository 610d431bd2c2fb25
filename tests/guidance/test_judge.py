"""The first question about a file is answered without a plan, later ones with it: the answer is one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sctx_tui.guidance.judge import Sheet
from sctx_tui.guidance.model import ACTIONS, TIMINGS, ContextEntry, Decision, GuidanceFile, Query

PATTERNS = (
    *(
        "**",
        "*",
        "*.py",
        "**/*.py",
        "src",
        "src/",
        "./",
        "src/**",
        "src/*",
        "**/api/**",
        "**/api/",
        "src/a.py",
    ),
    *("{src,lib}/**", "{src/,x}", "[a-s]*/**", "[", "**/a.*", "**/src/**/a.py", "lib/**/vendor/**", "{*,[}"),
)
PATHS = ("", "a.py", "src", "src/a.py", "src/api", "src/api/a.py", "lib/x/vendor/y.md", "api", "..odd/a.py")

patterns = st.lists(st.sampled_from(PATTERNS), max_size=4).map(tuple)
matches = patterns.filter(bool)  # without one a file means `**`
actions = st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=2).map(tuple)
problems = st.sampled_from(("", "", "", "content is required"))
contexts = st.builds(
    ContextEntry, st.just("c"), matches, patterns, actions, st.sampled_from(TIMINGS), problem=problems
)
decisions = st.builds(Decision, st.just("d"), match=matches, exclude=patterns, problem=problems)
files = st.builds(
    GuidanceFile,
    st.just("AGENTS.yaml"),
    st.lists(contexts, max_size=6).map(tuple),
    st.lists(decisions, max_size=3).map(tuple),
)
queries = st.builds(
    Query,
    st.just("/project"),
    st.sampled_from(PATHS),
    st.booleans(),
    st.sampled_from(ACTIONS),
    st.sampled_from(TIMINGS),
)


@settings(max_examples=300)
@given(files, queries)
def test_first_and_later_answers_agree(file: GuidanceFile, query: Query) -> None:
    sheet = Sheet(file)
    first, second, third = (sheet.judge(query.path, query) for _ in range(3))
    assert first == second == third
    assert [each.entry for each in first] == sheet.entries


@given(files, queries, queries)
def test_an_answer_does_not_depend_on_earlier_questions(
    file: GuidanceFile, query: Query, earlier: Query
) -> None:
    used = Sheet(file)
    for _ in range(2):
        used.judge(earlier.path, earlier)
    assert used.judge(query.path, query) == Sheet(file).judge(query.path, query)
