"""TypeScript: what narrowing, containers' types, decorators and namespaces say of calls."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

import pytest

Calls = Callable[[dict[str, str]], set[str]]

ITEM = "class Item { use() {} } class Other { use() {} } "


@pytest.mark.parametrize(
    "body",
    [
        "function f(x: unknown) { if (!(x instanceof Item)) return; x.use(); }",
        "function f(x: unknown) { if (!(x instanceof Item)) { throw new Error(); } x.use(); }",
        "function f(x: unknown, y: any) { if (!(x instanceof Item) || !y) return; x.use(); }",
        "function f(x: unknown) { for (;;) { if (!(x instanceof Item)) continue; x.use(); } }",
        "const m = new Map<string, Item>(); function f() { m.get('')?.use(); }",
        "const m = new Map<string, Item>(); function f() { for (const [, v] of m) v.use(); }",
        "class Box { private m = new Set<Item>(); f() { for (const v of this.m) v.use(); } }",
        "function load(): Item[] { return []; } function f() { load()[0].use(); }",
        "async function load(): Promise<Item[]> { return []; } async function f() { for (const i of await load()) i.use(); }",
        "declare const m: { [key: string]: Item }; function f() { m['x'].use(); }",
        "function f(m: { [K in 'a' | 'b']: Item }) { m.a.use(); }",
    ],
)
def test_types_say_what_a_receiver_is(calls_of: Calls, body: str) -> None:
    found = calls_of({"a.ts": ITEM + body})
    assert any(edge.endswith("f -> Item.use") for edge in found)
    assert not any("Other.use" in edge for edge in found)


def test_a_condition_that_leaves_nothing_says_nothing_afterwards(calls_of: Calls) -> None:
    text = ITEM + "function f(x: Item | Other) { if (!(x instanceof Item)) { x.use(); } x.use(); }"
    assert calls_of({"a.ts": text}) == set()  # one of two, each time


def test_decorators_of_parameters_run_with_the_class(calls_of: Calls) -> None:
    text = "function plain(t: any, k: any, i: number) {} function made(x: string) { return plain; }"
    text += " class D { constructor(@made('a') private a: string) {} m(@plain a: number) {} }"
    found = calls_of({"a.ts": text})
    assert {"D -> made", "D -> plain"} <= found
    assert not any(edge.startswith(("D.constructor ->", "D.m ->")) for edge in found)


def test_namespaces_of_one_name_see_one_another(calls_of: Calls) -> None:
    text = "namespace N { export function f() {} } namespace N { export function g() { f(); } } N.g(); N.f();"
    assert calls_of({"a.ts": text}) == {"g -> f", "<module> -> g", "<module> -> f"}
