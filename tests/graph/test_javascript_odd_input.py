"""JavaScript: hostile and odd input, scripts, and rules that are easily forgotten."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

import marshal
from collections.abc import Callable

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import (
    MAX_DEPTH,
    Symbol,
)

from .conftest import js

Calls = Callable[[dict[str, str]], set[str]]
Symbols = Callable[[str, str], dict[str, Symbol]]


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
        {
            "<module> -> L",
            "<module> -> L.[Symbol.iterator]",
            "<module> -> L.[Symbol.iterator].next",
            "<module> -> f",
        },
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
