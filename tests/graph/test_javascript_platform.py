"""What JavaScript and its platform do with objects by themselves: events, conversions, accessors."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

import pytest

Calls = Callable[[dict[str, str]], set[str]]

EMITTER = "const { EventEmitter } = require('events'); "
HOOKS = "import React, { useCallback, useMemo, useState, useEffect, memo, lazy } from 'react'; function f() {} class K { go() {} } "
CASES = {
    "a callback that React keeps": (
        HOOKS + "function C() { const a = useCallback(f, []); a(); }",
        {"C -> f"},
    ),
    "a value that React keeps": (
        HOOKS + "function C() { const k = React.useMemo(() => new K(), []); k.go(); }",
        {"C -> K", "C -> K.go"},
    ),
    "what React is given to do": (HOOKS + "function C() { useEffect(f, []); }", {"C -> f"}),
    "state": (
        HOOKS + "function make() { return new K(); } function C() { const [k, set] = useState(make); k.go(); set(f); }",
        {"C -> make", "make -> K", "C -> K.go"},
    ),
    "a component that React keeps": (
        HOOKS + "function D() {} const M = memo(D); function C() { return React.createElement('p'), <M/>; }",
        {"C -> D"},
    ),
    "a listener of an event": (
        EMITTER + "const e = new EventEmitter(); e.on('a', f).once('b', g); function f(x) { x(); } function g() {} function h() {} e.emit('a', h);",
        {"<module> -> f", "f -> h"},
    ),
    "listeners where the event's name isn't known": (
        EMITTER + "const e = new EventEmitter(); e.on('a', f); e.on('b', g); function f() {} function g() {} function go(k) { e.emit(k); }",
        {"go -> f", "go -> g"},
    ),
    "an emitter's subclass": (
        EMITTER + "class S extends EventEmitter { fire() { this.emit('x'); } m() {} } const s = new S(); s.on('x', function () { this.m(); }); s.fire();",
        {"<module> -> S", "<module> -> S.fire", "S.fire -> <module>", "<module> -> S.m"},
    ),
    "an emitter of one's own": (
        "class E { constructor() { this.h = {}; } on(k, f) { this.h[k] = f; } emit(k) {} } const e = new E(); e.on('x', f); function f() {} e.emit('x');",
        {"<module> -> E.constructor", "<module> -> E.on", "<module> -> E.emit"},
    ),
    "a number of an object": (
        "class V { valueOf() { return 1; } toString() { return ''; } } const a = new V(), b = new V(); a < b;",
        {"<module> -> V", "<module> -> V.valueOf"},
    ),
    "a method for all conversions": (
        "const o = { [Symbol.toPrimitive]() { return 1; }, valueOf() {} }; +o;",
        {"<module> -> o.[Symbol.toPrimitive]"},
    ),
    "a text of an object": (
        "class V { toString() { return ''; } } String(new V());",
        {"<module> -> V", "<module> -> V.toString"},
    ),
    "an object as JSON": (
        "class V { toJSON() {} } JSON.stringify({ v: new V() });",
        {"<module> -> V", "<module> -> V.toJSON"},
    ),
    "a class that says what its instances are": (
        "class A { static [Symbol.hasInstance](x) {} } 1 instanceof A;",
        {"<module> -> A.[Symbol.hasInstance]"},
    ),
    "a getter by descriptor": (
        "const o = {}; Object.defineProperty(o, 'x', { get() { return f; } }); function f() {} function g() { o.x(); }",
        {"g -> get", "g -> f"},
    ),
    "a setter by descriptor": (
        "const o = {}; Object.defineProperties(o, { x: { set(v) { v(); } } }); function f() {} o.x = f;",
        {"<module> -> x.set", "x.set -> f"},
    ),
    "a getter that the constructor defines": (
        "class A { constructor() { Object.defineProperty(this, 'x', { get() { return f; } }); } } function f() {} new A().x();",
        {"<module> -> A.constructor", "<module> -> A.get", "<module> -> f"},
    ),
    "a getter of a prototype": (
        "function A() {} Object.defineProperty(A.prototype, 'x', { get: function () { return f; } }); function f() {} new A().x();",
        {"<module> -> A", "<module> -> get", "<module> -> f"},
    ),
    "an object that has another class's attribute of that name": (
        "class A { constructor() { this.x = 1; } } const a = new A(); Object.defineProperty(a, 'x', { get() {} }); new A().x;",
        {"<module> -> A.constructor"},
    ),
    "a map's subclass": (
        "class R extends Map { reg(k, f) { this.set(k, f); } run(k) { this.get(k)(); } } function f() {} const r = new R(); r.reg('a', f); r.run('a');",
        {"<module> -> R", "<module> -> R.reg", "<module> -> R.run", "R.run -> f"},
    ),
    "the class that is made": (
        "class A { constructor() { new.target.s(); } static s() {} } new A();",
        {"<module> -> A.constructor", "A.constructor -> A.s"},
    ),
    "a text and a number": (
        "const o = { ['go' + 1]: f }; function f() {} o.go1();",
        {"<module> -> f"},
    ),
    "Reflect": (
        "class A { m() {} set s(v) { v(); } } function f() {} const a = new A(); Reflect.get(a, 'm').call(a); Reflect.set(a, 's', f);",
        {"<module> -> A", "<module> -> A.m", "<module> -> A.s", "A.s -> f"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_what_runs(calls_of: Calls, source: str, expected: set[str]) -> None:
    assert calls_of({"m.js": source}) == expected


def test_a_listener_in_another_file(calls_of: Calls) -> None:
    bus = "import { EventEmitter } from 'node:events'; export class Bus extends EventEmitter { send() { this.emit('m'); } } export const bus = new Bus();"
    main = "import { bus } from './bus.js'; bus.on('m', got); function got() {} bus.send();"
    assert calls_of({"bus.js": bus, "main.js": main}) == {
        "bus.js::<module> -> bus.js::Bus", "bus.js::Bus.send -> main.js::got", "main.js::<module> -> bus.js::Bus.send",
    }  # fmt: skip


def test_a_getter_that_is_an_export(calls_of: Calls) -> None:
    files = {
        "a.js": "Object.defineProperty(exports, 'd', { enumerable: true, get: function () { return f; } }); function f() {}",
        "m.js": "require('./a').d();",
    }
    assert calls_of(files) == {"m.js::<module> -> a.js::get", "m.js::<module> -> a.js::f"}


def test_exported_declarations_without_bodies(calls_of: Calls) -> None:
    files = {
        "db.ts": "export declare class Db { find(): Rows; } export declare class Rows { all(): void; } export declare function open(): Db;",
        "other.ts": "export class X { find() {} all() {} }",
        "m.ts": "import { Db, open } from './db'; function f(d: Db) { d.find().all(); open(); }",
    }
    assert calls_of(files) == {
        "m.ts::f -> db.ts::Db.find",
        "m.ts::f -> db.ts::Rows.all",
        "m.ts::f -> db.ts::open",
    }


def test_a_function_that_is_returned_has_the_declared_type(calls_of: Calls) -> None:
    text = "class Ctx { send() {} } class Other { send() {} } type Handler = (c: Ctx) => void;"
    for body in (
        "function make(): Handler { return (c) => c.send(); }",
        "const make = (): Handler => (c) => c.send();",
        "const make = (): Handler => { return function handle(c) { c.send(); }; };",
    ):
        found = calls_of({"m.ts": text + body})
        assert len(found) == 1
        assert found.pop().endswith(" -> Ctx.send")
