"""JavaScript: symbols, scopes, classes, functions as values, modules, the language's own functions."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

import marshal
from collections.abc import Callable

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import (
    ASYNC,
    CLASS_LEVEL,
    EXPORTED,
    GENERATOR,
    MAX_DEPTH,
    PROPERTY,
    SETTER,
    FileFacts,
    Symbol,
)

Calls = Callable[[dict[str, str]], set[str]]
Symbols = Callable[[str, str], dict[str, Symbol]]


def js(text: str) -> FileFacts:
    return extract("a.js", text.encode(), "javascript")


# symbols


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


# scopes


def test_blocks_have_names_of_their_own(calls_of: Calls) -> None:
    found = calls_of(
        {
            "a.js": """
            function f() {} function g() {} function h() {} function k() {}
            function run(flag) {
              const x = f;
              if (flag) { const x = g; later(() => x()); x(); }
              { let x = h; later(() => x()); }
              for (const x of [k]) x();
              x();
            }
            """
        }
    )
    assert found >= {f"run -> {name}" for name in "fghk"}
    facts = js("function run() { const x = f; { const x = g; keep(() => x()); } return () => x(); }")
    assert {bind[1] for bind in facts["binds"]} >= {"x", "x#2"}


def test_closures_see_the_block_they_stand_in(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {}
    { const x = f; one = () => { x(); }; function first() { x(); } first(); }
    { const x = g; function second() { x(); } second(); }
    """
    found = calls_of({"a.js": text})
    assert {"first -> f", "second -> g"} <= found
    assert "first -> g" not in found and "second -> f" not in found


def test_functions_are_hoisted_and_the_last_definition_counts(calls_of: Calls) -> None:
    found = calls_of(
        {"a.js": "early(); function early() { late(); } function late() {} var late2 = late; late2();"}
    )
    assert found == {"<module> -> early", "early -> late", "<module> -> late"}


def test_var_belongs_to_the_function(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {}
    var x = f;
    function run() { if (1) { var x = g; } x(); for (var y of [g]) {} function inner() { y(); } }
    x();
    """
    assert calls_of({"a.js": text}) == {"run -> g", "run.inner -> g", "<module> -> f"}


def test_what_closures_assign_reaches_every_use(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {}
    let hook = f;
    hook();
    function set(value) { hook = value; }
    set(g);
    """
    assert calls_of({"a.js": text}) == {"<module> -> f", "<module> -> g", "<module> -> set"}


def test_assignment_takes_the_old_meaning_away(calls_of: Calls) -> None:
    text = "function f() {} function g() {} let x = f; x = g; x(); if (c) { x = f; } else { x = g; } x();"
    assert calls_of({"a.js": text}) == {"<module> -> f", "<module> -> g"}
    assert calls_of({"a.js": "function f() {} function g() {} let x = f; x = g; x();"}) == {"<module> -> g"}


def test_cases_that_fall_through(calls_of: Calls) -> None:
    text = """
    function a() {} function b() {} function c() {}
    function run(kind) {
      let f = a;
      switch (kind) { case 1: f = b; case 2: f(); break; default: f = c; f(); }
    }
    """
    assert calls_of({"a.js": text}) == {"run -> a", "run -> b", "run -> c"}


# classes


def test_classes(calls_of: Calls) -> None:
    text = """
    class Animal { constructor() { this.name(); } name() {} speak() { this.sound(); } sound() {} static of() { return new this(); } }
    class Dog extends Animal { constructor() { super(); } sound() { super.sound(); } get tail() { return wag(); } }
    function wag() {}
    const rex = new Dog(); rex.speak(); rex.tail; Dog.of();
    const copy = class extends Dog { run = () => { this.bark(); }; bark() {} static { start(); } };
    function start() {}
    new copy().run();
    """
    found = calls_of({"a.js": text})
    assert found >= {
        "<module> -> Dog.constructor", "Dog.constructor -> Animal.constructor", "Animal.constructor -> Animal.name",
        "<module> -> Animal.speak", "Dog.sound -> Animal.sound", "<module> -> Animal.of", "Dog.tail -> wag",
        "<module> -> Dog.tail", "copy.run -> copy.bark", "copy -> start", "<module> -> copy.run",
    }  # fmt: skip


def test_functions_that_construct(calls_of: Calls) -> None:
    text = """
    function Base() { this.own = () => {}; }
    Base.prototype.shared = function () { this.helper(); };
    Base.prototype.helper = function () {};
    function Sub() { Base.call(this); }
    Sub.prototype = Object.create(Base.prototype);
    Sub.prototype.more = function () { this.shared(); };
    const s = new Sub(); s.more(); s.shared();
    function Other() {} Other.prototype = { odd: function () {} }; new Other().odd();
    class Modern extends Base {} new Modern().helper();
    """
    found = calls_of({"a.js": text})
    assert found >= {
        "<module> -> Sub", "Sub -> Base", "<module> -> Sub.more", "Sub.more -> Base.shared",
        "Base.shared -> Base.helper", "<module> -> Other", "<module> -> Other.prototype.odd",
        "<module> -> Base.helper",
    }  # fmt: skip


@pytest.mark.parametrize(
    "mix",
    [
        "Object.assign(Target.prototype, { extra() {} });",
        "const mixin = { extra() {} }; Object.assign(Target.prototype, mixin);",
        "class Other { extra() {} } Object.setPrototypeOf(Target.prototype, Other.prototype);",
        "function Other() {} Other.prototype.extra = function () {}; require('util').inherits(Target, Other);"
        " inherits(Target, Other);",
        "Target.prototype.extra = function () {};",
        "Object.defineProperty(Target.prototype, 'extra', { value: function () {} });",
    ],
)
def test_ways_to_get_a_method(calls_of: Calls, mix: str) -> None:
    found = calls_of({"a.js": f"class Target {{}} {mix} new Target().extra();"})
    assert any(edge.startswith("<module> -> ") and edge.endswith(("extra", "value")) for edge in found), found


def test_mixins_that_are_functions_of_a_class(calls_of: Calls) -> None:
    text = """
    const Walks = (Base) => class extends Base { walk() { this.step(); } };
    class Thing { step() {} }
    class Robot extends Walks(Thing) {}
    new Robot().walk();
    """
    found = calls_of({"a.js": text})
    assert any(edge.startswith("<module> -> ") and edge.endswith(".walk") for edge in found), found


# functions as values


def test_objects_arrays_and_maps_of_functions(calls_of: Calls) -> None:
    text = """
    function a() {} function b() {} function c() {} function d() {} function e() {}
    const table = { a, "x y": b, 3: c };
    table.a(); table["x y"](); table[3]();
    const [first, , third = d] = [a, b]; third();
    const map = new Map([["k", e]]); map.get("k")();
    const set = new Set(); set.add(b); for (const f of set) f();
    function pick({ go, stop = c }, ...others) { go(); others[0](); }
    pick({ go: d }, e);
    """
    assert calls_of({"a.js": text}) >= {
        *(f"<module> -> {name}" for name in "abcde"), "pick -> d", "pick -> e", "<module> -> pick",
    }  # fmt: skip


def test_objects_refer_to_themselves(calls_of: Calls) -> None:
    text = "const o = { f() { this.g(); }, g() {} }; export default o;"
    assert calls_of({"a.js": text}) == {"o.f -> o.g"}


def test_call_apply_and_bind(calls_of: Calls) -> None:
    text = """
    const o = { go() {} };
    function f() { this.go(); }
    function one() { f.call(o); } function two() { f.apply(o, []); }
    const bound = f.bind(o); function three() { bound(); } function four() { Reflect.apply(f, o, []); }
    """
    assert calls_of({"a.js": text}) == {
        *(f"{name} -> f" for name in ("one", "two", "three", "four")),
        "f -> o.go",
    }


def test_functions_that_the_language_calls(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {}
    function one(xs) { xs.forEach(f); } function two(p) { p.then(f, g); } function three() { setTimeout(f, 1); }
    function four() { return [1].map((x) => () => f()).filter(Boolean)[0](); }
    function five() { "x".replace(/x/, g); } function six() { new Promise(f); } function seven() { queueMicrotask(g); }
    """
    found = calls_of({"a.js": text})
    assert found >= {"one -> f", "two -> f", "two -> g", "three -> f", "five -> g", "six -> f", "seven -> g"}


def test_promises_and_generators(calls_of: Calls) -> None:
    text = """
    class A { go() {} }
    async function load() { return new A(); }
    function one() { load().then((a) => a.go()); }
    async function two() { (await load()).go(); }
    function* all() { yield new A(); }
    function three() { for (const a of all()) a.go(); } function four() { all().next().value.go(); }
    async function five() { const [x] = await Promise.all([load()]); x.go(); }
    """
    found = calls_of({"a.js": text})
    assert found >= {f"{name} -> A.go" for name in ("one", "two", "three", "four", "five")}


def test_tags_optional_chains_spreads_and_commas(calls_of: Calls) -> None:
    text = """
    function tag() {} function f() {} const o = { f, g: { h: f } };
    function one() { tag`a${f()}b`; } function two() { o?.f?.(); o?.g?.["h"](); }
    function three() { (0, o.f)(); } function four() { const p = { ...o }; p.f(); }
    function five(a) { a(); } five(...[f]); function six(a) { a(); } six.apply(null, [f]);
    """
    found = calls_of({"a.js": text})
    assert found >= {"one -> tag", "one -> f", "two -> f", "three -> f", "four -> f", "five -> f", "six -> f"}


def test_arguments(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {}
    function all() { arguments[1](); } all(1, f);
    function second(a) { arguments[0](); } second(g);
    """
    assert calls_of({"a.js": text}) == {"<module> -> all", "all -> f", "<module> -> second", "second -> g"}


def test_code_in_strings(calls_of: Calls) -> None:
    text = """
    function f() {} function g() {} function h() {}
    eval("f()"); new Function("return g()")(); let code = "h"; code += "()"; setTimeout(code, 1);
    """
    assert calls_of({"a.js": text}) == {"<module> -> f", "<module> -> g", "<module> -> h"}


def test_what_is_outside_never_means_a_namesake(calls_of: Calls) -> None:
    text = """
    import fs from "fs"; import client from "client";
    class Decoy { get() {} readFile() {} push() {} toString() {} }
    function run(items) {
      client.get(); fs.readFile(); [].push(1); "x".toString(); console.get(); JSON.get(); document.get(); (1).get();
      new URL("x").get(); items.length.get();
    }
    """
    assert calls_of({"a.js": text}) == set()


# modules


FORMS = {
    "import { f } from './lib.mjs'; f();": "export function f() {}",
    "import { g as f } from './lib.mjs'; f();": "function f() {} export { f as g };",
    "import f from './lib.mjs'; f();": "export default function f() {}",
    "import x from './lib.mjs'; x();": "const f = () => {}; export default f;",
    "import * as lib from './lib.mjs'; lib.f();": "export const f = () => {};",
    "import lib from './lib.mjs'; lib.f();": "export default { f: function f() {} };",
    "import { ns } from './lib.mjs'; ns.f();": "export * as ns from './deep.mjs';",
    "import { f } from './lib.mjs'; f()": "export * from './deep.mjs';",
    "import { d } from './lib.mjs'; d()": "export { f as d } from './deep.mjs';",
    "import { e } from './lib.mjs'; e()": "export { default as e } from './deep.mjs';",
    "import('./lib.mjs').then((m) => m.f());": "export function f() {}",
    "async function go() { const { f } = await import('./lib.mjs'); f(); } go();": "export function f() {}",
    "const lib = require('./lib.mjs'); lib.f();": "exports.f = function () {};",
    "const { f } = require('./lib.mjs'); f();": "function f() {} module.exports = { f };",
    "const f = require('./lib.mjs'); f();": "module.exports = function f() {};",
    "require('./lib.mjs').f();": "const e = module.exports = {}; e.f = () => {};",
    "import { f } from './lib.mjs'; f();  //": "module.exports.f = () => {};",
    "new (require('./lib.mjs'))().f();": "class A { f() {} } module.exports = A;",
    "import f from './lib.mjs'; f(); //": "(function (root, make) { module.exports = make(); })(this, function () "
    "{ return function f() {}; });",
}


@pytest.mark.parametrize(("user", "library"), FORMS.items())
def test_forms_of_import_and_export(calls_of: Calls, user: str, library: str) -> None:
    deep = "export function f() {} export default f;"
    found = calls_of({"user.mjs": user, "lib.mjs": library, "deep.mjs": deep})
    assert any(
        e.startswith("user.mjs::") and e.endswith(("f", "default")) and "-> user" not in e for e in found
    ), found


def test_amd(calls_of: Calls) -> None:
    found = calls_of(
        {
            "util.js": "define([], function () { return { f: function () {} }; });",
            "main.js": "define(['./util'], function (util) { util.f(); });",
        }
    )
    assert "main.js::<module> -> util.js::f" in found


def test_names_that_a_module_keeps_to_itself(calls_of: Calls) -> None:
    found = calls_of(
        {"a.mjs": "import { f } from './b.mjs'; f();", "b.mjs": "function f() {} export const g = 1;"}
    )
    assert found == set()


def test_cycles_of_modules_and_classes_end(calls_of: Calls) -> None:
    files = {
        "a.mjs": "export * from './b.mjs'; import { x } from './b.mjs'; x(); class W extends W {} new W().m();",
        "b.mjs": "export * from './a.mjs'; export { y as x } from './a.mjs'; export { x as y } from './a.mjs';",
    }
    assert {edge for edge in calls_of(files) if ".m" in edge.partition("->")[2].partition("::")[2]} == set()


# hostile and odd input


def depth(expr: object) -> int:
    """How deeply an Expr nests, found without recursion."""
    deepest, stack = 0, [(expr, 1)]
    while stack:
        here, level = stack.pop()
        if isinstance(here, tuple):
            deepest = max(deepest, level)
            stack += [(part, level + 1) for part in here]
    return deepest


@pytest.mark.parametrize(
    "text",
    [
        "x = " + " + ".join(["a"] * 3000) + "; f()",
        "x = " + "(" * 3000 + "f()" + ")" * 3000,
        "x = " + "[" * 2000 + "f()" + "]" * 2000,
        "x = " + "{a:" * 2000 + "f()" + "}" * 2000,
        "$" + ".then(x => x)" * 2000 + ".f()",
        "a" + "[0]" * 2000 + ".f()",
        "if (a) f();" + " else if (a) f();" * 2000,
        "x = " + "a ? b : " * 2000 + "f()",
        "f(" * 1500 + ")" * 1500,
        "function f() {" * 400 + "f()" + "}" * 400,
        "(() => {" * 600 + "f()" + "})()" * 600,
        "{" * 1500 + "f()" + "}" * 1500,
        "x = " + "!" * 3000 + "f()",
        "x = a" + " && a" * 3000 + " && f()",
        "x = a" + " || a" * 1000 + " && f()" * 1000,
        "f(), " * 5000 + "f()",
        "a = " * 1500 + "f()",
        "`${" * 500 + "f()" + "}`" * 500,
        "while (a) " * 1000 + "f()",
        "var [" + "[" * 800 + "x" + "]" * 800 + "] = f();",
    ],
    ids=range(20),
)
def test_deep_nesting(text: str) -> None:
    facts = js(text)
    assert facts["calls"]
    exprs = [row for name in ("binds", "calls", "stores", "returns") for row in facts[name]]  # type: ignore[literal-required]
    assert max(map(depth, exprs)) <= 2 * MAX_DEPTH
    marshal.dumps(facts)


@pytest.mark.parametrize(
    "text",
    [
        "", "\ufeff", "}}}}((((", "function", "class {", "import", "export", "export default", "const = 1", "a.", "x?.",
        "new", "=> 1", "for (", "switch (a) { case", "`${", "({get})", "class A { static", "import {", "export * as",
        "export { a as", "let [a, , ...] = b", "({ ...a } = b)", "function f(a, a, ...a) {}", "\x00f()", "f(\ud800)",
        "<A.b c={d} {...e}><></></A.b>", "#!/usr/bin/env node\nf()", "label: for (;;) { break label }", "with (a) f()",
        "super.x(); this.y(); arguments; new.target; import.meta.url", "[a.b, c[d]] = [b]", "({ a: b.c, [d]: e = 1 } = f)",
        "class A { constructor; static static; get; set; async; 'x y'() {} 0() {} [z]() {} *g() {} }",
        "define()", "Object.assign()", "Object.defineProperty(a)", "Object.create()", "require()", "eval()", "new Function",
        "setTimeout()", "f.call()", "f.bind()", "Reflect.apply()", "inherits(a)", "import()", "x.set()", "x.push()",
    ],
)  # fmt: skip
def test_odd_text_does_no_harm(text: str, calls_of: Calls) -> None:
    extract("a.js", text.encode("utf-8", "surrogatepass"), "javascript")
    calls_of({"a.js": text.replace("\ud800", "")})


def test_bytes_that_are_not_utf8() -> None:
    facts = extract("a.js", b"function caf\xe9() { caf\xe9(); }", "javascript")
    assert len(facts["symbols"]) >= 1


def test_scripts_share_the_global_scope_and_modules_do_not(calls_of: Calls) -> None:
    files = {
        "web/core.js": "function quick() {} var tools = { run: function () {} };",
        "web/page.js": "quick(); tools.run(); $.run(); quick.call(this);",
        "web/module.js": "import x from 'y'; quick(); tools.run();",
        "other/core.js": "function quick() {}",
    }
    assert calls_of(files) == {
        "web/page.js::<module> -> web/core.js::quick",
        "web/page.js::<module> -> web/core.js::tools.run",
    }


def test_what_outside_functions_make_of_a_function_is_called_like_it(calls_of: Calls) -> None:
    text = """
    import { memo, debounce, connect } from "somewhere";
    const Card = memo(function Plain() {}); const late = debounce(run, 10); function run() {}
    const Page = connect((state) => state)(Screen); function Screen() {}
    export const one = () => <Card />; export const two = () => late(); export const three = () => <Page />;
    """
    assert calls_of({"a.jsx": text}) >= {"one -> Plain", "two -> run", "three -> Screen"}


RULES = {
    "getters and setters of a literal": (
        "const o = { get a() { return f; }, set a(v) { v(); } }; function f() {} function g() {} o.a(); o.a = g;",
        {"<module> -> o.a", "<module> -> f", "o.a -> g"},
    ),
    "getters and setters of a class": (
        "class A { static get one() { return f; } get two() { return g; } set two(v) { v(); } } "
        "function f() {} function g() {} A.one(); const a = new A(); a.two(); a.two = f;",
        {
            "<module> -> A",
            "<module> -> A.one",
            "<module> -> f",
            "<module> -> A.two",
            "<module> -> g",
            "A.two -> f",
        },
    ),
    "iterators that a class makes itself": (
        "class L { [Symbol.iterator]() { return { next: () => ({ value: f }) }; } } function f() {} "
        "for (const x of new L()) x();",
        {"<module> -> L", "<module> -> L.[Symbol.iterator]", "<module> -> f"},
    ),
    "what an executor resolves": (
        "const p = new Promise((done) => { setTimeout(() => done(f), 1); }); function f() {} p.then((g) => g());",
        {"<module> -> f"},
    ),
    "arguments behind a spread": (
        "function run(a, b, c) { c(); } function f() {} run(...[1, 2], f);",
        {"<module> -> run", "run -> f"},
    ),
    "borrowed array methods": (
        "function f() {} function all(list) { Array.prototype.forEach.call(list, f); } function some() { [].map.call([f], (g) => g()); }",
        {"all -> f", "some -> f"},
    ),
    "functions that run between assignments": (
        "function f() {} function g() {} let x = f; function run() { x(); } run(); x = g;",
        {"<module> -> run", "run -> f", "run -> g"},
    ),
    "keys of literals are names to call": (
        "function f() {} const o = { go: f, deep: { er: [f] } }; o.go(); o.deep.er[0]();",
        {"<module> -> f"},
    ),
    "a key that may be any": (
        "function f() {} function g() {} const all = [f, g]; function at(i) { all[i](); if (i) at(i + 1); } at(0);",
        {"<module> -> at", "at -> at", "at -> f", "at -> g"},
    ),
    "super in literals": (
        "const a = { hi() {} }; const b = { __proto__: a, hi() { super.hi(); } }; b.hi();",
        {"<module> -> b.hi", "b.hi -> a.hi"},
    ),
    "emitters that are written by hand": (
        "class E { constructor() { this.h = {}; } on(n, f) { (this.h[n] = this.h[n] || []).push(f); } "
        "emit(n) { (this.h[n] || []).forEach((f) => f()); } } function f() {} const e = new E(); e.on('x', f); e.emit('x');",
        {"<module> -> E.constructor", "<module> -> E.on", "<module> -> E.emit", "E.emit -> f"},
    ),
    "functions that make functions": (
        "const curry = (f) => (a) => (b) => f(a, b); function add(a, b) { a(); b(); } function one() {} function two() {} "
        "curry(add)(one)(two);",
        {"<module> -> curry", "curry -> add", "add -> one", "add -> two"},
    ),
    "copied properties": (
        "function copy(to, from) { for (const k in from) to[k] = from[k]; return to; } const o = copy({}, { hi() {} }); o.hi();",
        {"<module> -> copy", "<module> -> hi"},
    ),
}


@pytest.mark.parametrize("case", RULES)
def test_rules_of_the_language(calls_of: Calls, case: str) -> None:
    text, expected = RULES[case]
    assert calls_of({"a.js": text}) == expected
