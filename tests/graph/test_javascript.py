"""JavaScript: scopes, classes, functions as values, modules, the language's own functions."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

import pytest

from sctx_tui.graph.facts import (
    Symbol,
)

from .conftest import js

Calls = Callable[[dict[str, str]], set[str]]
Symbols = Callable[[str, str], dict[str, Symbol]]


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
