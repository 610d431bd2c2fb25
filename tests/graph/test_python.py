"""What the Python extractor reports of one file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import ABSTRACT, ASYNC, CLASS_LEVEL, EXPORTED, PROPERTY, SETTER, STATIC, Symbol

SymbolsOf = Callable[[str, str], dict[str, Symbol]]

SHOP = '''
"""A shop."""
LIMIT = 3

def total(items: list[int], *, tax: float = 0.2) -> float:
    """Sum with tax."""
    def one(x):
        return x
    return sum(map(one, items))

class Cart(Base, metaclass=Meta):
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    @property
    def size(self):
        return len(self.items)

    @size.setter
    def size(self, n):
        self.items[n:] = []

    @staticmethod
    def empty(): return Cart(None)

    @classmethod
    def of(cls, *items): return cls(items)

    def pay(self, till):
        till.money += 1
        global LIMIT
        LIMIT = 4

    def price(self):
        raise NotImplementedError

    async def ship(self): pass

    def _hidden(self): pass
'''


def test_symbols(symbols_of: SymbolsOf) -> None:
    found = symbols_of(SHOP, "shop.py")
    assert found["<module>"].doc == "A shop."
    assert found["total"].signature == "def total(items: list[int], *, tax: float = 0.2) -> float"
    assert found["total"].doc == "Sum with tax."
    assert (found["total"].start, found["total"].end) == (5, 9)
    assert found["total.one"].kind == "function"
    assert found["Cart"].kind == "class"
    assert found["Cart.__init__"].kind == "method"
    assert [param[0] for param in found["total"].params] == ["items", "tax"]


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("Cart.empty", STATIC),
        ("Cart.of", CLASS_LEVEL),
        ("Cart.size", SETTER),
        ("Cart.price", ABSTRACT),
        ("Cart.ship", ASYNC),
        ("Cart.pay", EXPORTED),
    ],
)
def test_flags(symbols_of: SymbolsOf, name: str, flag: int) -> None:
    assert symbols_of(SHOP, "shop.py")[name].flags & flag


def test_flags_that_are_absent(symbols_of: SymbolsOf) -> None:
    found = symbols_of(SHOP, "shop.py")
    assert not found["Cart._hidden"].flags & EXPORTED
    assert not found["Cart.pay"].flags & (PROPERTY | ABSTRACT | STATIC)


def test_mutates(symbols_of: SymbolsOf) -> None:
    found = symbols_of(SHOP, "shop.py")
    assert found["Cart.__init__"].mutates == ("self.items", "self.owner")
    assert found["Cart.pay"].mutates == ("global LIMIT", "till")
    assert found["total"].mutates == ()


def test_decorators(symbols_of: SymbolsOf) -> None:
    found = symbols_of("@cache(size=1)\n@app.route('/')\ndef f(): pass\n", "a.py")
    assert found["f"].decorators == ("cache(size=1)", "app.route('/')")


def test_public_names() -> None:
    assert extract("a.py", b"__all__ = ['a', 'b']\n", "python")["public"] == ("a", "b")
    assert extract("a.py", b"__all__ = ['a'] + other\n", "python")["public"] is None


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "+".join(["a()"] * 3000),
        "x = " + "(" * 1500 + "f()" + ")" * 1500,
        "x" + ".y()" * 1500,
        "x = " + "[" * 1000 + "]" * 1000,
        "\n".join("    " * depth + "if a:" for depth in range(90)) + "\n" + "    " * 90 + "f()",
        "if a:\n    pass\n" + "elif b():\n    pass\n" * 1500,
        "def (:\n  @\nclass\n",
        "\x00\x01 def f(): pass",
    ],
)
def test_hostile_text(source: str) -> None:
    facts = extract("a.py", source.encode(), "python")
    assert facts["symbols"][0][2] == "module"


def test_deep_calls_are_still_found() -> None:
    calls = extract("a.py", ("x = " + "(" * 200 + "f()" + ")" * 200).encode(), "python")["calls"]
    assert [expr[1] for _, _, expr, _ in calls] == [("name", "f")]


def test_text_in_another_encoding() -> None:
    facts = extract("a.py", "def naïve(): pass\n".encode("latin-1"), "python")
    assert len(facts["symbols"]) == 2 or facts["errors"]
