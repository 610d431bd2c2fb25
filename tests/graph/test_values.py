"""Abstract values: what many of them become."""

import pytest

from sctx_tui.graph.values import FULL, MANY, narrowed_to_many, union


@pytest.mark.parametrize(
    ("value", "narrowed"),
    [
        (("F", 7, 3), ("F", 7, 0)),
        (("I", 7, 3), ("I", 7, 0)),
        (("G", 7, 3), ("G", 7, 0)),
        (("B", 7, 3, ("I", 8, 4)), ("B", 7, 0, ("I", 8, 0))),
        (("P", ("F", 7, 3), 5), ("P", ("F", 7, 0), 5)),
        (("c", "name"), ("L", "str")),
        (("c", 1), ("L", "int")),
        (("C", 7), ("C", 7)),
    ],
)
def test_many_values_lose_contexts_and_constants(value, narrowed):
    assert narrowed_to_many([value]) == (narrowed,)


def test_a_function_in_many_contexts_is_one_where_they_are_too_many():
    few = [(("P", ("F", 7, context), 5),) for context in range(1, MANY + 1)]
    assert union(few) == tuple(one for (one,) in few)
    assert union([*few, (("P", ("F", 7, MANY + 1), 5),)]) == (("P", ("F", 7, 0), 5),)


def test_too_many_say_nothing():
    assert union([(("C", number),) for number in range(MANY + 1)]) == FULL
