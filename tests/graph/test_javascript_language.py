"""What JavaScript itself does for a program, one small program each: texts, keys, iteration."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CallsOf = Callable[[dict[str, str]], set[str]]

CASES = {
    "arguments that were bound": (
        "function f(x, y) { y(); } function g() {} const h = f.bind(null, 1); h(g);",
        {"<module> -> f", "f -> g"},
    ),
    "a method at hand that only subclasses have objects of": (
        "class A { run() { this.step(); } step() {} } class B extends A { step() {} } new B().run();",
        {"<module> -> B", "<module> -> A.run", "A.run -> B.step"},
    ),
    "a method at hand of an object": (
        "class A { run() { this.step(); } step() {} } class B extends A { step() {} }"
        " new B().run(); new A().run();",
        {"<module> -> A", "<module> -> B", "<module> -> A.run", "A.run -> A.step"},
    ),
    "a default that nobody uses": (
        "function d() {} function g() {} function f(cb = d) { cb(); } f(g);",
        {"<module> -> f", "f -> g"},
    ),
    "a later spread may win": (
        "function a() {} function b() {} function f(o) { const p = { k: a, ...o }; p.k(); } f({ k: b });",
        {"<module> -> f", "f -> a", "f -> b"},
    ),
    "a method whose name is a constant": (
        "const n = 'go'; class A { [n]() {} } new A().go();",
        {"<module> -> A", "<module> -> A.[n]"},
    ),
    "a name that is put together": (
        "class A { onX() {} onY() {} go(k) { this[`on${k}`](); } } new A().go('X');",
        {"<module> -> A", "<module> -> A.go", "A.go -> A.onX"},
    ),
    "the name of a class": (
        "class V { visit(n) { this['visit' + n.constructor.name](); } visitN() {} visitM() {} }"
        " class N {} new V().visit(new N());",
        {"<module> -> V", "<module> -> N", "<module> -> V.visit", "V.visit -> V.visitN"},
    ),
    "an iterator's steps": (
        "class A { [Symbol.iterator]() { return this; } next() { return { done: true }; } }"
        " for (const x of new A()) x;",
        {"<module> -> A", "<module> -> A.[Symbol.iterator]", "<module> -> A.next"},
    ),
    "an object in a text": (
        "class A { toString() { return 'a'; } } const a = new A(); `${a}`;",
        {"<module> -> A", "<module> -> A.toString"},
    ),
    "a class's setter": (
        "class A { static set x(v) { v(); } } function f() {} A.x = f;",
        {"<module> -> A.x", "A.x -> f"},
    ),
    "what is thrown here": (
        "class E { m() {} } try { throw new E(); } catch (e) { e.m(); }",
        {"<module> -> E", "<module> -> E.m"},
    ),
    "a key that a function gives": (
        "function f() {} function k() { return 'a'; } const o = {}; o[k()] = f; o.a();",
        {"<module> -> k", "<module> -> f"},
    ),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_what_runs(calls_of: CallsOf, source: str, expected: set[str]) -> None:
    assert calls_of({"m.js": source}) == expected
