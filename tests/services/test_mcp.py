"""What each tool answers, refuses and writes; the protocol itself is in test_mcp_protocol.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sctx_tui.graph import store_notes, store_records, store_taint
from sctx_tui.graph.neighbours import neighbourhood
from sctx_tui.graph.store import Store
from sctx_tui.payload.tokens import estimate
from sctx_tui.services.mcp.answers import ANSWER_TOKENS
from sctx_tui.services.mcp.server import run_tool
from sctx_tui.services.mcp.session import Session
from sctx_tui.services.mcp.tools import TOOLS

Call = Callable[..., tuple[str, Any, bool]]


CART, PAY = "shop/cart.py", "shop/pay.py"


def test_get_context_holds_guidance_functions_and_calls(indexed: Call) -> None:
    text, data, is_error = indexed("get_context", file=CART, line=10)
    assert not is_error
    for part in (
        "Money is an integer in cents.",
        "No floats",
        "Slow in reports",
        "Cart.total",
        "shop/pay.py",
    ):
        assert part in text
    assert data["tokens"] <= data["budget"]


def test_get_context_without_an_index_still_knows_guidance(call: Call) -> None:
    text, _, is_error = call("get_context", file=CART)
    assert not is_error
    assert "Money is an integer in cents." in text
    assert "ctx init" in text


def test_a_changed_file_is_said_to_be_stale(project: Path, indexed: Call) -> None:
    (project / CART).write_text("def add(items):\n    return 0\n")
    for name, arguments in (
        ("get_context", {"file": CART}),
        ("get_function", {"id": f"{CART}::add"}),
        ("get_callers", {"function_id": f"{CART}::add"}),
        ("get_neighbours", {"file": CART}),
    ):
        assert "changed since" in indexed(name, **arguments)[0], name


def test_get_function_shows_the_source(indexed: Call) -> None:
    text, data, _ = indexed("get_function", id=f"{CART}::Cart.total")
    assert "   10     def total(self, rate=1):" in text.splitlines()
    assert data["signature"] == "def total(self, rate=1)"
    assert data["callers"] == "1"


def test_unknown_functions_suggest_near_ones(indexed: Call) -> None:
    text, _, is_error = indexed("get_function", id=f"{PAY}::total")
    assert is_error
    assert f"did you mean {CART}::Cart.total?" in text


def test_callers_and_neighbours(indexed: Call) -> None:
    assert f"- {PAY}::pay at line 5" in indexed("get_callers", function_id=f"{CART}::Cart.total")[0]
    text, data, _ = indexed("get_neighbours", file=CART)
    assert f"- dependent {PAY} at line 1" in text
    assert {row["relation"] for row in data["items"]} == {"caller", "dependent"}


def test_search_pages(indexed: Call) -> None:
    first, data, _ = indexed("search", query="cart", limit=1)
    assert len(data["items"]) == 1
    assert 'More: search("cart", limit=1, offset=1)' in first
    second = indexed("search", query="cart", limit=1, offset=1)[1]
    assert second["items"] != data["items"]


def test_guidance_tools(indexed: Call) -> None:
    assert "Money" in indexed("get_guidance", path=CART, on="edit")[0]
    assert "Money" not in indexed("get_guidance", path=CART, on="read")[0]
    assert "other action: on edit, asked read" in indexed("explain_guidance", path=CART, on="read")[0]


def test_decisions_of_both_stores_say_where_they_come_from(indexed: Call) -> None:
    indexed("add_decision", decision="Carts are immutable", alternatives=["Copy on write"], scope=CART)
    text = indexed("get_decisions", scope=CART)[0]
    assert "No floats (AGENTS.yaml:6" in text
    assert f"Carts are immutable (index, for {CART}, by agent)" in text
    assert "Carts are immutable" not in indexed("get_decisions", scope=PAY)[0]


def test_writing_back_describes_and_clears(project: Path, indexed: Call) -> None:
    (project / CART).write_text((project / CART).read_text().replace("rate=1", "rate=1, tax=0"))
    text, _, is_error = indexed("update_file", file=CART, purpose="Adds up carts.")
    assert not is_error, text
    with Store.open(str(project)) as store:
        record = store_records.file(store, CART)
        assert record is not None
        assert (record.purpose, record.is_stale, record.confidence) == ("Adds up carts.", False, 1.0)
        assert [entry.function for entry in store_taint.queue(store)] == [f"{PAY}::pay"]
    assert f"{PAY}::pay" in indexed("get_tainted")[0]
    indexed("update_function", id=f"{PAY}::pay", summary="Pays for a cart.", mutates=["the account"])
    assert "0 of 0" in indexed("get_tainted")[0]
    with Store.open(str(project)) as store:
        function = store_records.function(store, f"{PAY}::pay")
        assert function is not None
        assert (function.summary, function.mutates) == ("Pays for a cart.", ("the account",))
        assert store_notes.written(store, "function", function.id)["summary"][1] == "agent"


def test_long_texts_are_cut_and_said_so(indexed: Call) -> None:
    text = indexed("update_summary", type="function", id=f"{CART}::add", summary="word " * 40)[0]
    assert "summary cut to 15 words" in text
    text = indexed("add_danger", description="x" * 5000)[0]
    assert "description cut to 500 characters" in text


def test_a_person_s_danger_stays(project: Path, indexed: Call) -> None:
    with Store.open(str(project)) as store:
        number = store_notes.add_danger(store, "*", "never in floats", source="person")
    text, _, is_error = indexed("remove_danger", id=number)
    assert is_error
    assert f"ctx danger remove {number}" in text
    own = indexed("add_danger", description="mine")[1]["id"]
    assert indexed("add_danger", description="mine")[1]["id"] == own
    assert not indexed("remove_danger", id=own)[2]


def test_a_danger_for_everything_is_in_every_context(project: Path, indexed: Call) -> None:
    assert not indexed("add_danger", description="never in floats", scope="*")[2]
    for file in (CART, "shop/pay.py", "AGENTS.yaml"):
        text, _, is_error = indexed("get_context", file=file)
        assert not is_error and "never in floats" in text


def test_taint_by_hand(indexed: Call) -> None:
    indexed("mark_tainted", function_id=f"{CART}::add", taint_source="a review")
    assert f"- {CART}::add: marked of a review" in indexed("get_tainted", file=CART)[0]
    assert "is cleared" in indexed("clear_taint", function_id=f"{CART}::add")[0]
    assert "was not tainted" in indexed("clear_taint", function_id=f"{CART}::add")[0]


def test_session_and_changes(project: Path, indexed: Call) -> None:
    for number in range(12):
        indexed("log_session", entry=f"did {number}", files_touched=[CART])
    indexed("plan", plan="then rest")
    for number in range(25):
        indexed("log_change", file=CART, summary=f"change {number}")
    with Store.open(str(project)) as store:
        assert [entry.entry for entry in store_notes.session(store, 20)][:2] == ["then rest", "did 11"]
        assert len(store_notes.session(store, 20)) == 10
        assert len(store_notes.changes(store, CART)) == 20
    assert "then rest" in indexed("get_context", file=CART)[0]


OUTSIDE = ["../x.py", "/etc/passwd", "shop/../../x", "~root/x" + "/.." * 30]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leaves_the_root(indexed: Call, path: str) -> None:
    for name, arguments in (
        ("get_context", {"file": path}),
        ("update_file", {"file": path, "purpose": "x"}),
        ("get_function", {"id": f"{path}::f"}),
        ("get_guidance", {"path": path}),
        ("add_danger", {"scope": path, "description": "x"}),
        ("log_session", {"entry": "x", "files_touched": [path]}),
        ("get_neighbours", {"file": path}),
    ):
        text, _, is_error = indexed(name, **arguments)
        assert is_error, (name, text)
        assert "outside the root" in text


def test_no_link_leads_out_of_the_root(project: Path, indexed: Call) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("PASSWORD = 1\n")
    (project / "shop/folder").symlink_to(outside)
    (project / "shop/file.py").symlink_to(outside / "secret.py")
    (project / CART).unlink()  # indexed as a file, a link since
    (project / CART).symlink_to(outside / "secret.py")
    for path in ("shop/folder/secret.py", "shop/file.py", CART):
        for name, arguments in (
            ("get_context", {"file": path}),
            ("get_function", {"id": f"{path}::add"}),
            ("update_file", {"file": path, "purpose": "x"}),
            ("explain_guidance", {"path": path}),
        ):
            text, _, is_error = indexed(name, **arguments)
            assert is_error, (name, path)
            assert "outside the root" in text
            assert "PASSWORD" not in text


def test_a_hub_is_listed_whole_page_by_page(project: Path, index: Callable[[], None], call: Call) -> None:
    """Each page reads no more of the index than it needs; together they are what one reading gives."""
    users = {f"shop/user{n}.py": n for n in range(12)}
    for path, n in users.items():
        body = "".join(
            f"def f{n}_{k}(items):\n    add(items)\n    Cart(items).total()\n\n\n" for k in range(12)
        )
        (project / path).write_text("from shop.cart import Cart, add\n\n\n" + body)
    index()
    for name, arguments in (
        ("get_callers", {"function_id": f"{CART}::add"}),
        ("get_neighbours", {"file": CART}),
    ):
        items: list[Any] = []
        while True:
            _, data, _ = call(name, **arguments, offset=len(items))
            assert data["offset"] == len(items)
            items += data["items"]
            if len(items) >= data["total"]:
                break
        with Store.open(str(project)) as store:
            whole = neighbourhood(store, next(iter(arguments.values())))
        expected = list(whole.callers)
        if name == "get_neighbours":
            expected = sorted(
                (*expected, *whole.callees, *whole.imports, *whole.dependents), key=lambda n: -n.rank
            )
        assert len(expected) > 140
        assert [(item["id"], item["at_line"]) for item in items] == [(n.id, n.at_line) for n in expected]


def test_hubs_stay_within_the_cap(project: Path, index: Callable[[], None], call: Call) -> None:
    body = "".join(f"def caller_{n}(items):\n    return add(items)\n\n\n" for n in range(3000))
    (project / "shop/many.py").write_text("from shop.cart import add\n\n\n" + body)
    index()
    text, data, _ = call("get_callers", function_id=f"{CART}::add")
    assert estimate(text) <= ANSWER_TOKENS
    assert data["total"] == 3001
    assert "of 3001" in text
    offset = len(data["items"])
    assert f"offset={offset})" in text
    assert call("get_callers", function_id=f"{CART}::add", offset=offset)[1]["items"][0] != data["items"][0]
    assert estimate(call("get_context", file=CART)[0]) <= 8000
    assert estimate(call("get_neighbours", file="shop/many.py")[0]) <= ANSWER_TOKENS


def test_the_tools_are_those_that_were_promised() -> None:
    promised = """
        get_context get_function search get_dangers get_decisions get_callers get_tainted ctx_status
        update_file update_function update_summary add_danger remove_danger add_decision log_session plan
        log_change mark_tainted clear_taint get_guidance explain_guidance get_neighbours
    """
    assert {tool.name for tool in TOOLS} == set(promised.split())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_without_an_index_every_tool_says_what_to_do(call: Call, tool: Any) -> None:
    wanted = {"file": CART, "path": CART, "id": f"{CART}::add", "function_id": f"{CART}::add", "type": "file"}
    arguments: dict[str, Any] = {}
    for name in tool.schema()["required"]:
        arguments[name] = wanted.get(name, "x")
    if tool.name == "remove_danger":
        arguments["id"] = 1
    if tool.name == "get_neighbours":
        arguments["file"] = CART
    text, _, is_error = call(tool.name, **arguments)
    knows = tool.name in ("get_guidance", "explain_guidance", "get_decisions", "get_context", "ctx_status")
    assert is_error != knows, text
    assert knows or "ctx init" in text


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
PLAUSIBLE = st.sampled_from(
    [CART, f"{CART}::add", "*", "../x", "a\x00b", "\ud800", "x" * 3000, "::", "%s", ""]
)


@given(data=st.data())
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_arguments_crash_a_tool(session: Session, index: Callable[[], None], data: st.DataObject) -> None:
    if session.find_store() is None:
        index()
    tool = data.draw(st.sampled_from(TOOLS))
    names = list(tool.schema()["properties"])
    arguments = data.draw(
        st.dictionaries(st.sampled_from([*names, "other"]), PLAUSIBLE | ANYTHING, max_size=len(names) + 1)
    )
    result = run_tool(session, tool.name, arguments)
    text = result.content[0].text
    assert "Traceback" not in text
    assert "unexpectedly" not in text, (tool.name, arguments)
    assert not any(ord(letter) < 32 and letter != "\n" for letter in text)
    assert estimate(text) <= 8000
    json.dumps(result.structured_content)
