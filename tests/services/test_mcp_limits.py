"""What is long comes in parts: every answer is capped, and the calls that it names bring the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph import store_notes, store_taint
from sctx_tui.graph.store import Store
from sctx_tui.payload.tokens import estimate
from sctx_tui.services.mcp.answers import ANSWER_TOKENS, DATA_TOKENS
from sctx_tui.services.mcp.tools import BY_NAME

Call = Callable[..., tuple[str, Any, bool]]
CART, ADD = "shop/cart.py", "shop/cart.py::add"
HUGE = "\u8d2d\u7269\u8f66 " * 2_000


def pages(call: Call, name: str, **arguments: Any) -> list[tuple[str, Any]]:
    """Every page of an answer, each reached by the call that the page before names."""
    found = []
    offset = 0
    while True:
        text, data, is_error = call(name, **arguments, offset=offset)
        assert not is_error, text
        assert estimate(text) <= ANSWER_TOKENS
        assert estimate(json.dumps(data["items"], ensure_ascii=False)) <= DATA_TOKENS
        found.append((text, data))
        following = re.search(r"^More: (\w+)\(.*offset=(\d+)\)$", text, re.MULTILINE)
        if following is None:
            assert offset + len(data["items"]) == data["total"]
            return found
        assert following[1] == name
        assert all(str(value) in following[0] for value in arguments.values())
        assert int(following[2]) > offset
        offset = int(following[2])


def test_huge_texts_in_every_list(project: Path, indexed: Call) -> None:
    with Store.open(str(project)) as store, store.transaction():
        for number in range(40):
            store_notes.add_danger(store, "*", f"{number} {HUGE}", reason=HUGE, source="person")
            alternatives = [HUGE] * 12
            store_notes.add_decision(
                store, "*", f"{number} {HUGE}", alternatives=alternatives, reason=HUGE, source="person"
            )
        store_notes.describe(store, "function", ADD, {"danger": HUGE, "summary": HUGE}, source="agent")
        store_taint.add(
            store,
            [store_taint.Taint(ADD, f"x.py::f{n}", "signature", False, None) for n in range(900)],
            store_notes.now(),
        )
    for name in ("get_dangers", "get_decisions", "get_tainted"):
        shown = sum(len(data["items"]) for _, data in pages(indexed, name))
        assert shown >= 40
    for name, arguments in (("get_function", {"id": ADD}), ("search", {"query": "add"})):
        text, data, _ = indexed(name, **arguments)
        assert estimate(text) <= ANSWER_TOKENS
        assert estimate(json.dumps(data, ensure_ascii=False)) <= DATA_TOKENS


def test_guidance_comes_whole_or_says_where_the_rest_is(project: Path, indexed: Call) -> None:
    rules = [f"rule {n}: " + "keep totals in cents " * 12 for n in range(300)]
    text = "context:\n" + "".join(f"  - content: {rule!r}\n" for rule in [*rules, HUGE])
    (project / "shop/AGENTS.yaml").write_text(text, encoding="utf-8")
    read = pages(indexed, "get_guidance", path=CART)
    whole = "\n".join(text for text, _ in read)
    assert all(f"rule {n}: keep" in whole for n in range(300))
    assert "read shop/AGENTS.yaml:302 for the rest" in whole
    assert len(pages(indexed, "explain_guidance", path=CART)) > 1
    assert len(pages(indexed, "get_guidance", path=CART, on="edit", when="before")) > 1


def test_a_danger_at_a_file_or_function_is_one_of_its_dangers(indexed: Call) -> None:
    indexed("update_file", file=CART, danger="prices are never negative")
    indexed("update_function", id=ADD, danger="sums in item order")
    for scope in (CART, ADD, None):
        text, data, _ = indexed("get_dangers", **({"scope": scope} if scope else {}))
        assert "prices are never negative (for shop/cart.py, by agent)" in re.sub(r"- ", "", text)
        assert data["total"] == 2
    assert "sums in item order (for shop/cart.py::add)" in indexed("get_context", file=CART)[0]
    assert indexed("get_dangers", scope="shop/pay.py")[1]["total"] == 0


def test_a_search_says_how_much_it_found(project: Path, index: Callable[[], None], call: Call) -> None:
    body = "".join(f"def price_{n}():\n    return {n}\n\n\n" for n in range(230))
    (project / "shop/prices.py").write_text(body)
    index()
    text, data, _ = call("search", query="price_1", limit=10)
    assert (len(data["items"]), data["total"]) == (10, 111)  # 1, 10 to 19, 100 to 199
    assert "1-10 of 111" in text
    assert 'search("price_1", limit=10, offset=10)' in text
    text, data, _ = call("search", query="price", limit=50, offset=150)
    assert data["total"] == 200
    assert "only the best 200" in text


CALL = re.compile(r"\b([a-z_]+)\((?:(\w+)=)?\"([^\"]*)\"\)")


def called(call: Call, text: str) -> dict[str, str]:
    """Carry out every call that a document names literally: call -> all that it brings."""
    brought = {}
    for found in CALL.finditer(text):
        name, parameter, value = found.groups()
        tool = BY_NAME[name]
        first = parameter or next(each.rstrip("?") for each in tool.parameters)
        parts = pages(call, name, **{first: value})
        brought[found[0]] = "\n".join(part for part, _ in parts)
    return brought


@pytest.fixture
def crowded(project: Path, index: Callable[[], None], call: Call) -> Call:
    """A file with more around it than a document has room for."""
    uses = "".join(f"def use_{n}(items):\n    return add(items)\n\n\n" for n in range(60))
    for n in range(12):
        (project / f"shop/user_{n}.py").write_text(
            f'"""Uses the cart: {n}."""\nfrom shop.cart import add\n\n\n{uses}'
        )
    rules = [f"rule {n}: " + "keep totals in cents " * 30 for n in range(60)]
    (project / "shop/AGENTS.yaml").write_text(
        "context:\n" + "".join(f"  - content: {rule!r}\n" for rule in rules), encoding="utf-8"
    )
    index()
    with Store.open(str(project)) as store:
        for n in range(40):
            store_notes.add_danger(store, "*", f"everywhere {n}", source="person")
            store_notes.add_danger(store, "shop/*.py", f"here {n}", source="person")
            store_notes.add_decision(store, "shop/", f"choice {n}", source="person")
    return call


def test_the_calls_that_a_document_names_bring_what_it_left_out(crowded: Call) -> None:
    text = crowded("get_context", file=CART, line=16)[0]
    assert "Shortened to fit" in text
    brought = called(crowded, text)
    assert all(f"rule {n}:" in brought[f'get_guidance("{CART}")'] for n in range(60))
    assert all(f"choice {n} " in brought[f'get_decisions("{CART}")'] for n in range(40))
    dangers = brought.get('get_dangers("*")', text)
    assert all(f"everywhere {n} " in dangers for n in range(40))
    neighbours = brought[f'get_neighbours(file="{CART}")']
    for n in range(12):
        assert f"dependent shop/user_{n}.py" in neighbours
        assert f"Uses the cart: {n}." in neighbours
    callers = brought[f'get_callers("{ADD}")']
    assert all(f"shop/user_{n}.py::use_{m} " in callers for n in range(12) for m in range(60))


def test_a_step_names_a_tool(crowded: Call) -> None:
    for step in crowded("get_context", file=CART, line=16)[1]["steps"]:
        name = step["fetch"].partition("(")[0]
        assert name in BY_NAME or step["name"] == "lists cut"
