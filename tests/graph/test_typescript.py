"""TypeScript: types as knowledge of receivers, its own declarations, TSX, JSDoc types in JavaScript."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import ABSTRACT, EXPORTED, Symbol, symbol_ids
from sctx_tui.graph.ids import public_ids

Calls = Callable[[dict[str, str]], set[str]]
Symbols = Callable[[str, str], dict[str, Symbol]]

MAIL = "export class Mailer { send(m: string) {} static make() { return new Mailer(); } }\n"
MAIL += "export class Other { send(m: string) {} }\n"


def ts(text: str) -> dict[str, str]:
    return {"a.ts": text, "mail.ts": MAIL}


@pytest.mark.parametrize(
    "body",
    [
        "export function use(m: Mailer) { m.send(''); }",
        "export function use(m?: Mailer) { m?.send(''); }",
        "export function use(m: Mailer | null) { m!.send(''); }",
        "export const use = (m: Readonly<Mailer>) => m.send('');",
        "export function use({ m }: { m: Mailer }) { m.send(''); }",
        "export function use(o: { m: Mailer }) { o.m.send(''); }",
        "export function use(ms: Mailer[]) { for (const m of ms) m.send(''); }",
        "export function use(ms: Array<Mailer>) { ms.forEach((m) => m.send('')); }",
        "export function use(ms: Map<string, Mailer>) { ms.get('')!.send(''); }",
        "export function use(ms: Map<string, Mailer>) { for (const [k, m] of ms) m.send(''); }",
        "export function use(ms: Record<string, Mailer>) { ms['x'].send(''); }",
        "export function use(ms: [number, Mailer]) { ms[1].send(''); }",
        "export function use(...ms: Mailer[]) { ms[0].send(''); }",
        "export function use(make: () => Mailer) { make().send(''); }",
        "export function use(Make: new () => Mailer) { new Make().send(''); }",
        "export function use(Make: typeof Mailer) { new Make().send(''); }",
        "export function use(p: Promise<Mailer>) { p.then((m) => m.send('')); }",
        "export async function use(p: Promise<Mailer>) { (await p).send(''); }",
        "export function use(x: unknown) { (x as Mailer).send(''); }",
        "export function use(x: any) { (<Mailer>x).send(''); }",
        "export function use(x: unknown) { if (x instanceof Mailer) x.send(''); }",
        "export function use(x: unknown) { return x instanceof Mailer && x.send(''); }",
        "export function use(x: unknown) { const m: Mailer = load(x); m.send(''); } declare function load(x: any): any;",
        "declare function load(): Mailer; export function use() { load().send(''); }",
        "export function use<T extends Mailer>(m: T) { m.send(''); }",
        "type M = Mailer; export function use(m: M) { m.send(''); }",
        "interface Has { m: Mailer } export function use(h: Has) { h.m.send(''); }",
        "type Has = { m: Mailer }; export function use(h: Has) { h.m.send(''); }",
        "interface Has { make(): Mailer } export function use(h: Has) { h.make().send(''); }",
        "import * as mail from './mail'; export function use(m: mail.Mailer) { m.send(''); }",
        "export function use(m: import('./mail').Mailer) { m.send(''); }",
        "class Box<T> { constructor(public value: T) {} } "
        "export function use() { new Box<Mailer>(new Mailer()).value.send(''); }",
        "namespace N { export type M = Mailer } export function use(m: N.M) { m.send(''); }",
    ],
)
def test_types_say_what_a_receiver_is(calls_of: Calls, body: str) -> None:
    found = calls_of(ts("import { Mailer } from './mail';\n" + body))
    assert "a.ts::use -> mail.ts::Mailer.send" in found
    assert not any("Other.send" in edge for edge in found)


@pytest.mark.parametrize(
    "members",
    [
        "private m = new Mailer(); use() { this.m.send(''); }",
        "m: Mailer; use() { this.m.send(''); }",
        "m!: Mailer; use = () => this.m.send('');",
        "constructor(private readonly m: Mailer) {} use() { this.m.send(''); }",
        "constructor(m: Mailer) { this.m = m; } use() { this.m.send(''); }",
        "get m(): Mailer { return make(); } use() { this.m.send(''); }",
        "static m = Mailer.make(); use() { Box.m.send(''); }",
        "#m = new Mailer(); use() { this.#m.send(''); }",
        "use() { const { m } = this; m.send(''); } m: Mailer;",
        "m = new Mailer(); send() {} use() { [1].map(() => this.m.send('')); }",
    ],
)
def test_fields(calls_of: Calls, members: str) -> None:
    found = calls_of(ts(f"import {{ Mailer }} from './mail';\nexport class Box {{ {members} }}"))
    assert "a.ts::Box.use -> mail.ts::Mailer.send" in found
    assert "a.ts::Box.use -> a.ts::Box.send" not in found


def test_a_field_of_the_same_name_as_the_caller(calls_of: Calls) -> None:
    text = "import { Mailer } from './mail'; class Box { m = new Mailer(); send() { this.m.send(''); } }"
    assert "a.ts::Box.send -> mail.ts::Mailer.send" in calls_of(ts(text))


def test_declarations_of_typescript(symbols_of: Symbols) -> None:
    found = symbols_of(
        """
        export interface Shape<T> extends Base { area(): number; name: string }
        export type Point = { move(): void };
        export enum Color { Red = 1 }
        export namespace Geo { export function size(): number { return 1 } }
        export abstract class Solid implements Shape<X> { abstract area(): number; private hide() {} protected go() {} }
        export function over(a: string): void;
        export function over(a: number): void;
        export function over(a: any) {}
        declare function outside(a: string): void;
        export default abstract class Last {}
        class Many { one(): void; one(a?: string): void {} constructor(); constructor(private a?: string) {} }
        """,
        "a.ts",
    )
    assert {name: symbol.kind for name, symbol in found.items() if symbol.kind not in ("method", "module")} == {
        "Shape": "interface", "Point": "interface", "Color": "class", "Geo": "namespace", "size": "function",
        "Solid": "class", "over": "function", "outside": "function", "Last": "class", "Many": "class",
    }  # fmt: skip
    abstract = {name for name, symbol in found.items() if symbol.flags & ABSTRACT}
    assert abstract == {"Shape.area", "Point.move", "Solid.area", "outside"}
    assert found["over"].signature == "function over(a: any)"
    exported = {name for name, symbol in found.items() if symbol.flags & EXPORTED}
    assert "Solid.go" in exported and "Solid.hide" not in exported and "outside" not in exported
    assert found["Solid"].bases == (("args", ("name", "Shape"), (("name", "X"),)),)


def test_signatures_with_types(symbols_of: Symbols) -> None:
    found = symbols_of(
        """
        async function load<T extends object>(id: string, opts?: { deep: boolean }, ...rest: T[]): Promise<T | null> {}
        export const f = <T,>(x: T, cb: (e: Error) => void = () => {}): x is string => true;
        class A { private static async *m(this: A, a = 1): AsyncGenerator<number> {} }
        """,
        "a.ts",
    )
    assert found["load"].signature == (
        "async function load<T extends object>(id: string, opts?: {deep: boolean}, ...rest: T[]): Promise<T | null>"
    )
    assert found["f"].signature.startswith("f = <T>(x: T, cb: (e: Error) => void = () => {}): x is string =>")
    assert found["A.m"].signature == "private static async *m(this: A, a = 1): AsyncGenerator<number>"
    assert found["load"].returns == ("name", "T")


def test_decorators(calls_of: Calls, symbols_of: Symbols) -> None:
    text = """
    function log() {} function prop(x: any) { return log; } function field() {} function par() {}
    @log export class A { @prop(1) m(@par x: any) {} @field y = 1; @log() static z() {} }
    """
    assert calls_of({"a.ts": text}) >= {"<module> -> log", "A -> prop", "A -> log", "A -> field"}
    found = symbols_of(text, "a.ts")
    assert (found["A"].decorators, found["A.m"].decorators) == (("log",), ("prop(1)",))


def test_namespaces_merge_and_are_seen_inside(calls_of: Calls) -> None:
    text = """
    namespace N { export function f() { hidden(); } function hidden() {} f(); }
    namespace N { export function g() {} }
    namespace A.B { export function deep() {} }
    N.f(); N.g(); A.B.deep();
    """
    found = calls_of({"a.ts": text})
    assert found >= {"f -> hidden", "<module> -> f", "<module> -> g", "<module> -> deep"}


def test_import_forms_of_typescript(calls_of: Calls) -> None:
    files = {
        "a.ts": "import lib = require('./lib'); import D, { type T } from './d'; import type { U } from './d';\n"
        "import Deep = D.inner; export function use(t: T, u: U) { lib.f(); t.run(); u.run(); new D(); Deep(); }",
        "lib.ts": "function f() {} export = { f };",
        "d.ts": "export class T { run() {} } export { T as U }; "
        "export default class D { constructor() {} static inner() {} }",
    }
    found = calls_of(files)
    assert found >= {f"a.ts::use -> {name}" for name in ("lib.ts::f", "d.ts::T.run", "d.ts::D.constructor")}


def test_barrels_and_paths(calls_of: Calls) -> None:
    files = {
        "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } } // ours',
        "src/index.ts": "export * from './util'; export { f as g } from './util'; export { default as h } from './util';",
        "src/util.ts": "export function f() {}\nexport default function main() {}",
        "src/use.ts": "import { f, g, h } from '@/index'; import m, * as u from './util.js';\n"
        "export function one() { f(); } export function two() { g(); } export function three() { h(); }\n"
        "export function four() { m(); } export function five() { u.f(); }",
    }
    found = calls_of(files)
    assert {edge for edge in found if edge.startswith("src/use")} == {
        "src/use.ts::one -> src/util.ts::f", "src/use.ts::two -> src/util.ts::f",
        "src/use.ts::three -> src/util.ts::main", "src/use.ts::four -> src/util.ts::main",
        "src/use.ts::five -> src/util.ts::f",
    }  # fmt: skip


def test_elements_of_components_call_them(calls_of: Calls) -> None:
    text = """
    import * as ui from './ui';
    const List = ({ render }) => <ul>{render()}</ul>;
    class Page extends React.Component { render() { return <><List render={() => item()} {...rest()} /><ui.Button /></>; } }
    function item() { return <li onClick={() => click()}>text</li>; } function click() {} function rest() {}
    """
    found = calls_of({"a.tsx": text, "ui.tsx": "export function Button() { return <button /> }"})
    page = {edge.partition(" -> ")[2] for edge in found if edge.startswith("a.tsx::Page.render")}
    assert page >= {"a.tsx::List", "ui.tsx::Button", "a.tsx::rest"}
    assert "a.tsx::item -> a.tsx::click" in found


@pytest.mark.parametrize(
    "body",
    [
        "/** @param {Mailer} m */\nexport function use(m) { m.send(); }",
        "/** @param {import('./mail.ts').Mailer=} m - which */\nexport const use = (m) => m.send();",
        "/** @param {?Mailer} [m] */\nexport function use(m) { m.send(); }",
        "/** @param {Array.<Mailer>} ms */\nexport function use(ms) { ms[0].send(); }",
        "/** @returns {Mailer} */ function make() { return load(); } export function use() { make().send(); }",
        "export function use() { /** @type {Mailer} */ let m; m.send(); }",
        "export function use() { /** @type {Mailer[]} */\nconst ms = []; ms.pop().send(); }",
        "/** @typedef {import('./mail.ts').Mailer} M */\n/** @param {M} m */\nexport function use(m) { m.send(); }",
        "/** @template {Mailer} T @param {T} m */\nexport function use(m) { m.send(); }",
    ],
)
def test_jsdoc_types(calls_of: Calls, body: str) -> None:
    found = calls_of({"a.js": "import { Mailer } from './mail.ts';\n" + body, "mail.ts": MAIL})
    assert "a.js::use -> mail.ts::Mailer.send" in found


@pytest.mark.parametrize(
    "text", ["{", "{}", "{a b}", "{" * 400, "{function(}", "{*}", "{...}", "{import('x'}"]
)
def test_odd_jsdoc_does_no_harm(text: str, calls_of: Calls) -> None:
    calls_of(
        {"a.js": f"/** @param {text} m @type {text} @returns {text} @typedef {text} X */ function f(m) {{}}"}
    )


@pytest.mark.parametrize(
    "text",
    [
        "type A = A; function f(a: A) { a.b(); }", "interface A extends A {} function f(a: A) { a.b(); }",
        "type A = " + "Array<" * 500 + "B" + ">" * 500, "type A = B" + " | B" * 3000, "let x: " + "(" * 300 + "A" + ")" * 300,
        "function f<T extends U, U extends T>(a: T) { a.b(); }", "type A<T> = T extends infer U ? A<U> : never",
        "declare module 'x' { export function f(): void }", "declare global { interface Window { a: string } }",
        "export as namespace X; export = y", "abstract class { abstract [k: string]: any }", "enum E { A = f(), 'b' }",
        "class A { declare x: B; accessor y = 1; [k: string]: any; constructor(@d private override readonly x?: B) {} }",
        "let x = y satisfies Z; let z = <T,>(a: T) => a; function g(this: A, ...a: [B, ...C[]]): asserts a is D {}",
        "using a = b(); await using c = d();", "import x, { type } from 'y'; import type from 'z'; export type { A } from 'b'",
    ],
)  # fmt: skip
def test_odd_typescript_does_no_harm(text: str, calls_of: Calls) -> None:
    extract("a.ts", text.encode(), "typescript")
    calls_of({"a.ts": text})


def test_a_function_gets_its_parameters_from_the_type_of_what_it_is_assigned_to(calls_of: Calls) -> None:
    files = {
        "types.ts": "import { Mailer } from './mail'; export type Handler = (m: Mailer, n?: number) => void;",
        "mail.ts": MAIL,
        "a.ts": "import type { Handler } from './types'; export const one: Handler = (m) => m.send('');\n"
        "export class K { two: Handler = ({ send }) => { send(''); } }\n"
        "export const three: (this: K, m: import('./mail').Mailer) => void = function (m) { m.send(''); };",
    }
    found = calls_of(files)
    assert found >= {f"a.ts::{name} -> mail.ts::Mailer.send" for name in ("one", "K.two", "three")}


def test_a_function_keeps_the_plain_id_where_a_type_shares_its_name() -> None:
    facts = extract(
        "a.ts", b"type OK<T> = { value: T }; const OK = (x) => x; interface Q {} class Q {}", "typescript"
    )
    for ids in (symbol_ids("a.ts", facts), public_ids("a.ts", facts)):
        assert ids[1:] == ["a.ts::OK#2", "a.ts::OK", "a.ts::Q#2", "a.ts::Q"]


def test_a_method_of_a_javascript_file_by_name(calls_of: Calls) -> None:
    files = {
        "gauge.js": "export class Gauge { readPressure() {} }",
        "use.ts": "export function use(g: any) { g.readPressure(); }",
    }
    assert calls_of(files) == {"use.ts::use -> gauge.js::Gauge.readPressure"}
