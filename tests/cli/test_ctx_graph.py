"""`ctx graph` and `ctx neighbours`."""

from __future__ import annotations

from .conftest import Shop


def test_graph(shop: Shop) -> None:
    assert shop.ok("graph", "shop/money.py").out == (
        "shop/money.py\nimports\n  nothing\nimported by\n└─ shop/cart.py\n"
    )
    assert shop.ok("graph", "shop/cart.py", "--json").json["imports"] == [
        {"id": "shop/money.py", "left_out": 0, "children": []}
    ]
    assert '"shop/cart.py" -> "shop/money.py";' in shop.ok("graph", "shop/cart.py", "--dot").out
    assert shop.ok("graph", "shop/cart.py", "--mermaid").out == (
        'flowchart LR\n  n0["shop/cart.py"]\n  n1["shop/money.py"]\n  n0 --> n1\n'
    )
    assert shop.ok("graph", "shop/cart.py", "--calls").out.splitlines() == [
        "shop/cart.py",
        "calls",
        "└─ shop/cart.py::total",
        "   └─ shop/money.py::add",
        "called by",
        "  nothing",
    ]


def test_graph_of_a_cycle_ends(bare: Shop) -> None:
    bare.write({"a.py": "import b\n"})
    bare.write({"b.py": "import a\n"})
    bare.ok("init")
    out = bare.ok("graph", "a.py", "--depth", "10").out
    assert out.splitlines()[:4] == ["a.py", "imports", "└─ b.py", "   └─ a.py ↺"]


def test_graph_of_a_hub_is_cut_and_says_so(bare: Shop) -> None:
    for number in range(20):
        bare.write({f"user{number:02}.py": "import shop.money\n"})
    bare.ok("init")
    out = bare.ok("graph", "shop/money.py").out
    assert "… and 6 more; --all shows every one" in out
    assert len(bare.ok("graph", "shop/money.py", "--all").out.splitlines()) == 21 + 4


def test_neighbours(shop: Shop) -> None:
    found = shop.ok("neighbours", "shop/money.py::add", "--json").json
    assert [(n["id"], n["at_line"], n["via"]) for n in found["callers"]] == [
        ("shop/cart.py::total", 5, "shop/money.py::add")
    ]
    assert found["source"] == "index" and not found["partial"]
    out = shop.ok("neighbours", "money.py", cwd=shop.root / "shop").out
    assert "callers (1)\n  shop/cart.py:4" in out and "dependents (1)\n  shop/cart.py\n" in out


def test_neighbours_without_an_index(bare: Shop) -> None:
    found = bare.ok("neighbours", "shop/money.py", "--json").json
    assert [n["id"] for n in found["callers"]] == ["shop/cart.py::total"]
    assert found["source"] == "parsed"
    assert not (bare.root / ".ctx").exists()


def test_neighbours_of_something_unknown(shop: Shop) -> None:
    result = shop.ctx("neighbours", "shop/money.py::ad")
    assert result.code == 1 and "did you mean shop/money.py::add?" in result.err
    assert "doesn't know it" in shop.ctx("neighbours", "nothing.py").err


def test_neighbours_says_when_the_file_has_changed(shop: Shop) -> None:
    shop.write({"shop/money.py": "x = 1\n"})
    assert "has changed since it was indexed" in shop.ok("neighbours", "shop/money.py").err
