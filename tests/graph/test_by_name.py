"""Languages that are known by their query alone: symbols, imports, and calls by name."""

from __future__ import annotations

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import DOC, KIND, QUALNAME, SIGNATURE
from sctx_tui.graph.languages import LANGUAGES, language_of
from sctx_tui.graph.link import link

SHOPS = {
    "Cart.java": """
import java.util.List;
class Base { void helper() {} }
/** Holds what is bought. */
public class Cart extends Base {
  private int n;
  int add(Item item) { helper(); this.log(); return new Item().price(); }
  private void log() {}
}
class Item { int price() { return 1; } }
""",
    "Cart.cs": """
using System;
class Base { void Helper() {} }
/// Holds what is bought.
public class Cart : Base {
  int Add(Item item) { Helper(); this.Log(); return new Item().Price(); }
  private void Log() {}
}
class Item { int Price() { return 1; } }
""",
    "cart.cpp": """
#include "base.h"
class Base { void helper() {} };
// Holds what is bought.
class Cart : public Base { public: int add(Item item); void log() {} };
class Item { public: int price() { return 1; } };
int Cart::add(Item item) { helper(); this->log(); Item *made = new Item(); return made->price(); }
""",
    "cart.rb": """
require 'json'
class Base
  def helper; end
end
# Holds what is bought.
class Cart < Base
  def add(item)
    helper()
    self.log
    Item.new(1)
  end
  def log; end
end
class Item
end
""",
    "cart.php": """<?php
use Shop\\Other;
class Base { function helper() {} }
/** Holds what is bought. */
class Cart extends Base {
  function add($item) { $this->helper(); $this->log(); return new Item(); }
  private function log() {}
}
class Item {}
""",
    "Cart.kt": """
import shop.other.Thing
open class Base {
    fun helper() {}
}
/** Holds what is bought. */
class Cart : Base() {
    fun add(item: Item): Int { helper(); this.log(); return Item().price() }
    private fun log() {}
}
class Item {
    fun price(): Int { return 1 }
}
""",
    "Cart.swift": """
import Foundation
class Base { func helper() {} }
/// Holds what is bought.
class Cart: Base {
    func add(item: Item) -> Int { helper(); self.log(); return Item().price() }
}
extension Cart { func log() {} }
class Item { func price() -> Int { return 1 } }
""",
    "Cart.scala": """
import shop.other.Thing
class Base { def helper() = {} }
/** Holds what is bought. */
class Cart extends Base {
  def add(item: Item): Int = { helper(); this.log(); new Item().price() }
  private def log() = {}
}
class Item { def price(): Int = 1 }
""",
}
# What every one of them says, with names in lower case.
EXPECTED = {("cart.add", "base.helper"), ("cart.add", "cart.log"), ("cart.add", "item")}


def edges(files: dict[str, str]) -> set[tuple[str, str]]:
    facts = {path: extract(path, text.encode(), language_of(path) or "") for path, text in files.items()}
    return {
        (
            facts[path]["symbols"][edge.caller][QUALNAME],
            facts[edge.callee[0]]["symbols"][edge.callee[1]][QUALNAME],
        )
        for path, found in link(facts).items()
        for edge in found
        if edge.callee is not None
    }


@pytest.mark.parametrize("path", SHOPS)
def test_classes(path: str) -> None:
    found = {(caller.lower(), callee.lower()) for caller, callee in edges({path: SHOPS[path]})}
    assert found >= EXPECTED
    assert all(callee in ("base.helper", "cart.log", "item", "item.price") for _, callee in found)


@pytest.mark.parametrize("path", SHOPS)
def test_symbols(path: str) -> None:
    facts = extract(path, SHOPS[path].encode(), language_of(path) or "")
    assert facts["errors"] == 0
    (cart,) = (row for row in facts["symbols"] if row[QUALNAME] == "Cart")
    assert (cart[KIND], cart[DOC]) == ("class", "Holds what is bought.")
    assert cart[SIGNATURE].startswith(("class Cart", "public class Cart"))
    assert "{" not in cart[SIGNATURE]
    assert len(facts["imports"]) == 1


FUNCTIONS = {
    "c": (
        {
            "cart.h": "int mul(int a, int b);\n",
            "cart.c": '#include "cart.h"\nint mul(int a, int b) { return a * b; }\n',
            "main.c": '#include "cart.h"\nint main(void) { return mul(3, 4) + strlen("x"); }\n',
        },
        {("main", "mul")},
    ),
    "lua": (
        {"a.lua": "local function double(x) return x end\nfunction M.twice(x) return double(x) end\n"},
        {("M.twice", "double")},
    ),
    "bash": (
        {"lib.sh": "greet() { echo hello; }\n", "run.sh": ". ./lib.sh\nmain() {\n  greet\n}\nmain\n"},
        {("main", "greet"), ("<module>", "main")},
    ),
    "php": ({"a.php": "<?php function f() {}\nf(); strlen('x');\n"}, {("<module>", "f")}),
}


@pytest.mark.parametrize("language", FUNCTIONS)
def test_functions(language: str) -> None:
    files, expected = FUNCTIONS[language]
    assert edges(files) == expected


def test_a_name_in_two_files_is_the_one_that_is_imported_or_near() -> None:
    files = {
        "a/log.c": "void log_line(void) {}\n",
        "a/run.c": "void run(void) { log_line(); }\n",
        "b/log.c": "void log_line(void) {}\n",
        "c/log.c": "void log_line(void) {}\n",
        "c/far.c": "void far(void) {}\n",
        "d/none.c": "void none(void) { log_line(); }\n",
    }
    assert edges(files) == {("run", "log_line")}


@pytest.mark.parametrize("language", [row.name for row in LANGUAGES if row.module == "by_name"])
@pytest.mark.parametrize("source", [b"", b"\xff\xfe\x00", b"((((", b"class", b"f(" * 3000, b"{" * 3000])
def test_any_bytes_give_facts(language: str, source: bytes) -> None:
    assert extract("x", source, language)["symbols"][0][QUALNAME] == "<module>"
