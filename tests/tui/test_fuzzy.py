"""Fuzzy search over paths."""

import random

import pytest

from sctx_tui.tui import fuzzy


@pytest.mark.parametrize(
    ("query", "path", "fits"),
    [
        ("hndl", "src/handler.py", True),
        ("HNDL", "src/handler.py", False),
        ("sh", "src/handler.py", True),
        ("hs", "src/handler.py", False),
        ("a.b", "axb", False),
        ("[x]", "app/[x]/page.tsx", True),
        ("^-]", "^a-b]", True),
        ("", "anything", True),
        ("pay tok", "payment/token.py", True),
    ],
)
def test_fits(query: str, path: str, fits: bool) -> None:
    assert bool(fuzzy.is_in(query).search(path)) is fits


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_the_plain_definition(seed: int) -> None:
    rng = random.Random(seed)
    alphabet = "ab]^-\\.[*"
    for _ in range(200):
        query = "".join(rng.choices(alphabet, k=rng.randint(1, 4)))
        path = "".join(rng.choices(alphabet, k=rng.randint(0, 8)))
        letters = iter(path)
        assert bool(fuzzy.is_in(query).search(path)) is all(each in letters for each in query)


def test_the_file_name_counts_more_than_its_folders() -> None:
    paths = ["token/list.py", "src/token.py", "t/o/k/e/n.py", "src/my_token_list.py"]
    assert fuzzy.ranked("token", paths)[0] == "src/token.py"
    assert fuzzy.ranked("token", paths)[-1] == "t/o/k/e/n.py"


def test_spots_are_those_of_the_query() -> None:
    for query, path in [("hndl", "src/handler.py"), ("src", "src/handler.py"), ("SH", "src/Handler.py")]:
        assert "".join(path[at] for at in fuzzy.spots(query, path)).lower() == query.lower()


def test_slices_hold_every_fit_in_order() -> None:
    paths = [f"f{number:05}.py" for number in range(3 * fuzzy.SLICE)]
    found = [path for part in fuzzy.filtered("77", paths) for path in part]
    assert found == [path for path in paths if path.count("7") >= 2]


def test_very_many_fits_still_put_the_best_first() -> None:
    paths = [f"token/{number:05}.py" for number in range(2 * fuzzy.SCORED)] + ["z/token.py"]
    assert fuzzy.ranked("token", paths)[0] == "z/token.py"
