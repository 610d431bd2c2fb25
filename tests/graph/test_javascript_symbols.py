"""JavaScript: what counts as a symbol, under which name, with which signature and flags."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

from sctx_tui.graph.facts import (
    ASYNC,
    CLASS_LEVEL,
    EXPORTED,
    GENERATOR,
    PROPERTY,
    SETTER,
    Symbol,
)

from .conftest import js

Calls = Callable[[dict[str, str]], set[str]]
Symbols = Callable[[str, str], dict[str, Symbol]]


def test_functions_take_the_name_of_what_they_are_bound_to(symbols_of: Symbols) -> None:
    found = symbols_of(
        """
        function plain() { const inner = () => {}; }
        const arrow = (a) => a;
        let later;
        later = function () {};
        var named = function own() {};
        const shop = { open() {}, close: () => {}, "door": function () {}, deep: { lamp: () => {} }, 7: () => {} };
        shop.late = () => {};
        function Cart() { this.add = function () {}; }
        Cart.prototype.total = function () {};
        Cart.make = () => {};
        Cart.prototype = { empty() {} };
        class Box { constructor() { this.lid = () => {}; } open = () => {}; static close() {} #key() {} }
        const Late = class Early { run() {} };
        list.map(function () {}, () => {}, function given() {});
        """,
        "a.js",
    )
    assert set(found) == {
        "<module>", "plain", "plain.inner", "arrow", "later", "named", "shop.open", "shop.close", "shop.door",
        "shop.deep.lamp", "shop.7", "shop.late", "Cart", "Cart.add", "Cart.total", "Cart.make",
        "Cart.prototype.empty", "Box", "Box.constructor", "Box.lid", "Box.open", "Box.close", "Box.#key", "Late",
        "Late.run", "<lambda1>", "<lambda2>", "given",
    }  # fmt: skip


def test_names_inside_anonymous_functions_are_as_if_they_stood_outside(symbols_of: Symbols) -> None:
    found = symbols_of("(function () { function helper() {} const o = { run() {} }; })()", "a.js")
    assert {"helper", "o.run"} <= set(found)


def test_kinds_lines_flags_and_signatures(symbols_of: Symbols) -> None:
    found = symbols_of(
        """/** Says hello. */
export async function* greet(name = 'x', ...rest) {
}
class A extends B {
  static async one({a, b}, [c]) {}
  get size() { return 1 }
  set size(v) {}
}
const f = x => x;
""",
        "a.js",
    )
    greet = found["greet"]
    assert (greet.kind, greet.start, greet.end, greet.doc) == ("function", 2, 3, "Says hello.")
    assert greet.flags & ASYNC and greet.flags & GENERATOR and greet.flags & EXPORTED
    assert greet.signature == 'async function* greet(name = "x", ...rest)'
    assert found["A.one"].flags & CLASS_LEVEL and found["A.one"].kind == "method"
    assert found["A.one"].signature == "static async one({a, b}, [c])"
    assert found["A.size"].flags & SETTER
    assert found["f"].signature == "f = (x) =>"
    assert found["<module>"].end == 10
    assert js("class A { get v() {} }")["symbols"][2][12] & PROPERTY


def test_a_signature_survives_a_formatter(symbols_of: Symbols) -> None:
    one = symbols_of("function f(a, b = 'x', { c, d }) {}\nconst g = a => a", "a.js")
    other = symbols_of(
        'function f(\n  a, // first\n  b = "x",\n  {\n    c,\n    d,\n  },\n) {}\nconst g = (a) => a', "a.js"
    )
    assert [one[name].signature for name in ("f", "g")] == [other[name].signature for name in ("f", "g")]


def test_comments_belong_to_the_definition_that_follows(symbols_of: Symbols) -> None:
    found = symbols_of(
        """
        /** not here */

        import x from "y";
        /** Of f.
         *
         * @returns {string} text
         */
        const f = () => { function inner() {} };
        class A {
          /** Of m. */
          m() {}
          n() {}
        }
        const o = {
          /** Of k. */
          k() {},
        };
        """,
        "a.js",
    )
    assert found["f"].doc == "Of f.\n\n@returns {string} text"
    assert (found["f.inner"].doc, found["A.m"].doc, found["A.n"].doc, found["o.k"].doc) == (
        "",
        "Of m.",
        "",
        "Of k.",
    )


def test_mutates(symbols_of: Symbols) -> None:
    found = symbols_of(
        """
        let count = 0;
        function outer(list, own) {
          let total = 0;
          const add = (x) => { total += x; count++; };
          list[0].x = 1;
          own = 2;
          delete list.y;
        }
        class A { set(v) { this.v = v; this.deep.er = v; [1].forEach(() => { this.w = 1; }); } }
        """,
        "a.js",
    )
    assert found["outer"].mutates == ("list",)
    assert found["outer.add"].mutates == ("global count", "nonlocal total")
    assert found["A.set"].mutates == ("this.deep", "this.v", "this.w")


def test_exported_by_every_form(symbols_of: Symbols) -> None:
    module = symbols_of(
        """
        export const a = () => {};
        function b() {} function c() {} function hidden() { function inner() {} }
        export { b as bee };
        export default c;
        class K { m() {} #p() {} }
        export { K };
        """,
        "a.mjs",
    )
    exported = {name for name, symbol in module.items() if symbol.flags & EXPORTED}
    assert exported == {"a", "b", "c", "K", "K.m"}
    common = symbols_of(
        "function a() {} function b() {} function no() {}\nmodule.exports = { a, c() {} }; module.exports.d = () => {};",
        "a.js",
    )
    assert {name for name, symbol in common.items() if symbol.flags & EXPORTED} == {
        "a",
        "c",
        "d",
    }
