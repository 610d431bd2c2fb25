"""Languages that are known by their query alone: symbols, imports, and calls by name."""

from __future__ import annotations

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import DOC, KIND, QUALNAME, SIGNATURE
from sctx_tui.graph.languages import LANGUAGES, language_of
from sctx_tui.graph.link import link
from sctx_tui.graph.program import Program

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


ITEM = {
    "java": ("class Item { int price() { return 1; } }", "class A {{ {0} int f() {{ {1} }} }}"),
    "cs": ("class Item { int price() { return 1; } }", "class A {{ {0} int f() {{ {1} }} }}"),
    "cpp": ("class Item { int price() { return 1; } };", "class A {{ {0} int f() {{ {1} }} }};"),
    "kt": ("class Item { fun price() {} }", "class A {{ {0}\nfun f() {{ {1} }} }}"),
    "swift": ("class Item { func price() {} }", "class A {{ {0}\nfunc f() {{ {1} }} }}"),
    "scala": ("class Item { def price() = 1 }", "class A {{ {0}\ndef f() = {{ {1} }} }}"),
    "php": ("class Item { function price() {} }", "class A {{ {0} function f() {{ {1} }} }}"),
    "rb": ("class Item\ndef price; end\nend\n", "class A\n{0}\ndef f\n{1}\nend\nend"),
}
# A second class with the method says that it isn't found by its name alone.
TYPED = [
    ("java", "Item i;", "i.price();"),
    ("java", "Item i;", "this.i.price();"),
    ("java", "", "final Item i = make(); i.price();"),
    ("java", "", "var i = new Item(); i.price();"),
    ("cs", "Item I { get; set; }", "I.price();"),
    ("cs", "", "var i = new Item(); i.price();"),
    ("cpp", "Item *i;", "i->price(); this->i->price();"),
    ("cpp", "", "const ns::Item &i = make(); i.price();"),
    ("cpp", "", "auto i = new Item(); i->price();"),
    ("kt", "val i: Item? = null", "i.price()"),
    ("kt", "", "val i = Item()\ni.price()"),
    ("swift", "var i: Item?", "self.i?.price()"),
    ("swift", "", "let i = Item()\ni.price()"),
    ("scala", "val i: Item = make", "i.price()"),
    ("scala", "", "val i = new Item\ni.price()"),
    ("php", "private ?Item $i;", "$this->i->price();"),
    ("php", "function __construct(private Item $i) {}", "$this->i->price();"),
    ("php", "", "$i = new Item(); $i->price();"),
    ("rb", "", "i = Item.new\ni.price"),
]


@pytest.mark.parametrize(("suffix", "field", "code"), TYPED)
def test_methods_of_what_has_a_type(suffix: str, field: str, code: str) -> None:
    item, around = ITEM[suffix]
    start = "<?php " if suffix == "php" else ""
    text = f"{start}{item}\n{item.replace('Item', 'Other')}\n{around.format(field, code)}"
    assert ("A.f", "Item.price") in edges({f"a.{suffix}": text})
    assert ("A.f", "Other.price") not in edges({f"a.{suffix}": text})


def candidates(files: dict[str, str]) -> set[tuple[str, str]]:
    facts = {path: extract(path, text.encode(), language_of(path) or "") for path, text in files.items()}
    return {
        (facts[path]["symbols"][edge.caller][QUALNAME], facts[other]["symbols"][index][QUALNAME])
        for path, found in link(facts).items()
        for edge in found
        for other, index in edge.candidates
    }


def test_a_type_of_somebody_else_has_no_methods_of_ours() -> None:
    text = "class A { int price() { return 1; } void f(Foreign x) { x.price(); } }"
    assert edges({"A.java": text}) == candidates({"A.java": text}) == set()


def test_methods_by_name_are_near_or_candidates() -> None:
    caller = "class B { void f() { make().checkout(); make().get(); make().size(); } }"
    shop = "class A { void checkout() {} void get() {} void size() {} }"
    assert edges({"a/A.java": shop, "a/B.java": caller}) == {("B.f", "A.checkout")}
    assert edges({"a/A.java": shop, "b/B.java": caller}) == set()
    assert candidates({"a/A.java": shop, "b/B.java": caller}) == {("B.f", "A.checkout")}


def test_overloads_are_told_apart_by_their_parameters() -> None:
    puts = "void put(int a, int b) {} void put(int c) {}"
    text = f"class A {{ void f() {{ put(1); }} void g() {{ put(1, 2); }} {puts} }}"
    facts = extract("A.java", text.encode(), "java")
    found = {(edge.caller, edge.callee) for edge in link({"A.java": facts})["A.java"]}
    assert found == {(2, ("A.java", 5)), (3, ("A.java", 4))}


def test_functions_of_tests_are_seen_where_they_stand() -> None:
    files = {
        "tests/a.rb": "def build\nend\ndef helper\nbuild()\nend\n",
        "lib/b.rb": "def run\nhelper()\nend\n",
        "tests/c.rb": "def check\nhelper()\nend\n",
    }
    assert edges(files) == {("helper", "build"), ("check", "helper")}


def test_functions_in_c_stand_on_their_own() -> None:
    text = "void f(void) {\n  if (x) {\n#ifdef A\n  }\n#endif\nvoid g(void) { f(); }\n}\n"
    names = {row[QUALNAME] for row in extract("a.c", text.encode(), "c")["symbols"]}
    assert {"f", "g"} <= names


IMPORTS = [
    ("a.php", "<?php use Shop\\Cart\\Item as Thing; use Shop\\Log;", ["Shop\\Cart\\Item", "Shop\\Log"]),
    ("a.scala", "import a.b.{C, D => E}\nimport x.y._\n", ["a.b.C", "a.b.D", "x.y"]),
]


@pytest.mark.parametrize(("path", "text", "specs"), IMPORTS)
def test_imports_as_the_language_spells_them(path: str, text: str, specs: list[str]) -> None:
    facts = extract(path, text.encode(), language_of(path) or "")
    assert [spec for spec, _, _ in facts["imports"]] == specs


def test_an_alias_means_the_class() -> None:
    files = {
        "src/Shop/Item.php": "<?php namespace Shop; class Item { static function make() {} }",
        "src/run.php": "<?php use Shop\\Item as Thing; function run() { Thing::make(); }",
    }
    assert edges(files) == {("run", "Item.make")}


@pytest.mark.parametrize("language", [row.name for row in LANGUAGES if row.module == "by_name"])
@pytest.mark.parametrize("source", [b"", b"\xff\xfe\x00", b"((((", b"class", b"f(" * 3000, b"{" * 3000])
def test_any_bytes_give_facts(language: str, source: bytes) -> None:
    assert extract("x", source, language)["symbols"][0][QUALNAME] == "<module>"


def test_templates() -> None:
    text = """
template <typename T> class Base { public: void log() {} };
template <> class Box<int> : public ns::Base<int> { public: void open() { log(); } void shut(); };
template <typename T> void Box<T>::shut() { open(); a::b::run(); ns::make<T>(); }
namespace a { namespace b { void run() {} } }
namespace ns { template <typename T> void make() {} }
"""
    found = edges({"a.cpp": text})
    assert found == {
        ("Box.open", "Base.log"),
        ("Box.shut", "Box.open"),
        ("Box.shut", "run"),
        ("Box.shut", "make"),
    }


def test_what_is_shown_has_no_rulers_and_no_comments() -> None:
    text = "/* ------------------ */\n/* Doubles. */\nint f(int a) { return a; }\n"
    (row,) = (row for row in extract("a.c", text.encode(), "c")["symbols"] if row[QUALNAME] == "f")
    assert row[DOC] == "Doubles."
    lua = extract("a.lua", b"local function f (x) -- why\n  return x\nend\n", "lua")
    assert lua["symbols"][1][SIGNATURE] == "local function f (x)"


PACKAGES = {
    "java": (
        "app/src/main/java/shop/model/{}.java",
        "package shop.model; public class {0} {{ public static int {1}() {{ return 1; }} }}",
        "import shop.model.*; class Main { int f() { return Item.price(); } }",
    ),
    "cs": (
        "src/Shop.Core/Model/{}.cs",
        "namespace Shop.Core.Model; public class {0} {{ public static int {1}() {{ return 1; }} }}",
        "using System.Linq; using Shop.Core.Model; class Main { int f() { return Item.price(); } }",
    ),
    "kt": (
        "app/src/shop/model/{}.kt",
        "package shop.model\nobject {0} {{ fun {1}(): Int {{ return 1 }} }}",
        "import shop.model.*\nclass Main { fun f(): Int { return Item.price() } }",
    ),
}


@pytest.mark.parametrize("suffix", PACKAGES)
def test_a_package_is_imported_as_a_whole(suffix: str) -> None:
    path, text, code = PACKAGES[suffix]
    files = {
        path.format(name): text.format(name, method) for name, method in (("Item", "price"), ("Cart", "add"))
    }
    files |= {f"other/Item.{suffix}": text.format("Item", "cost"), f"lib/Main.{suffix}": code}
    facts = {name: extract(name, source.encode(), language_of(name) or "") for name, source in files.items()}
    program = Program(facts, facts.get, {})
    main = program.file(f"lib/Main.{suffix}")
    assert main is not None
    found = [main.rules.resolve(spec, main.path, program) for spec, _, _ in main.facts["imports"]]
    assert found[-1] == tuple(sorted(path.format(name) for name in ("Item", "Cart")))
    assert found[:-1] in ([], [None])
    assert ("Main.f", "Item.price") in edges(files)


def test_a_member_of_a_package_is_imported() -> None:
    files = {
        "src/shop/model/Prices.kt": "package shop.model\nfun price(): Int { return 1 }",
        "src/shop/other/Prices.kt": "package shop.other\nfun price(): Int { return 2 }",
        "src/shop/app/Main.kt": "import shop.model.price\nclass Main { fun f(): Int { return price() } }",
    }
    facts = {name: extract(name, source.encode(), "kotlin") for name, source in files.items()}
    found = [edge.callee for edge in link(facts, {})["src/shop/app/Main.kt"]]
    assert found == [("src/shop/model/Prices.kt", 1)]
