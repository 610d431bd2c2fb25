"""Rust's rules of who is called: traits, the order of methods, operators, conversions, macros, iterators."""

from __future__ import annotations

import pytest

from sctx_tui.graph.facts import public_symbol, symbol_ids
from sctx_tui.graph.link import link
from sctx_tui.graph.parsing import parse

from .conftest import facts_of

T = "struct T; impl T { fn b(&self) {} }\n"
TWO = "trait A { fn m(&self); } trait B { fn m(&self); } struct X;\n"
ADD = "impl Add for V { fn add(self, o: V) -> V { V } } impl Neg for V { fn neg(self) -> V { V } }\n"
INDEX = "impl Index<u8> for V { fn index(&self, i: u8) -> &V { self } }\n"
COUNT = "struct I; impl Iterator for I { type Item = T; fn next(&mut self) -> Option<Self::Item> { None } }\n"

#: Code -> calls, by id without the path; what may be called counts too.
CASES = {
    "two traits with one method": (
        TWO + "impl A for X { fn m(&self) {} } impl B for X { fn m(&self) {} }\n"
        "fn f(x: &dyn A) { x.m() } fn g(x: X) { B::m(&x) } fn h(x: X) { <X as A>::m(&x) }",
        "f>A.m f>X.m g>X.m#2 h>X.m",
    ),
    "own methods first": (
        "trait A { fn m(&self); } struct X; impl A for X { fn m(&self) {} } impl X { fn m(&self) {} }\n"
        "fn f(x: X) { x.m() }",
        "f>X.m#2",
    ),
    "less of the receiver first": (
        "trait A { fn m(&self); } struct X; impl X { fn m(&mut self) {} } impl A for X { fn m(&self) {} }\n"
        "fn f(x: X) { x.m() }",
        "f>X.m#2",
    ),
    "the trait in sight": (
        "struct X; mod a { pub trait A { fn m(&self); } impl A for super::X { fn m(&self) {} } }\n"
        "mod b { pub trait B { fn m(&self); } impl B for super::X { fn m(&self) {} } }\n"
        "mod c { use crate::b::B; fn f(x: crate::X) { x.m() } }",
        "f>X.m#2",
    ),
    "function in a method": (
        "struct X; impl X { fn m(&self) { fn inner() { g() } inner() } } fn g() {}",
        "X.m>X.m.inner X.m.inner>g",
    ),
    "for two platforms": (
        "#[cfg(unix)] fn g() {}\n#[cfg(not(unix))] fn g() {}\nfn f() { g() }",
        "f>g f>g#2",
    ),
    "modules above": ("mod a { mod b { fn f() { super::super::g(); } } } fn g() {}", "f>g"),
    "variants taken in": (
        "enum E { A, B(i32) } impl E { fn m(&self) {} } use E::*; fn f() { A.m(); B(1).m() }",
        "f>E.m",
    ),
    "associated type": (T + COUNT + "fn f(i: I) { for t in i { t.b() } }", "f>I.next f>T.b"),
    "operators": (
        "struct V; impl V { fn m(&self) {} } impl PartialEq for V { fn eq(&self, o: &V) -> bool { true } }\n"
        f"{ADD}{INDEX}impl AddAssign for V {{ fn add_assign(&mut self, o: V) {{}} }}\n"
        "fn f(a: V, b: V) { (a + b).m(); -a; a[0].m(); a += b; a != b; } fn g(a: u8, b: u8) { a + b; -a; }",
        "f>V.add f>V.neg f>V.index f>V.add_assign f>V.eq f>V.m",
    ),
    "deref": (
        T + "struct B { t: T } impl Deref for B { type Target = T; fn deref(&self) -> &T { &self.t } }\n"
        "fn f(b: B) { b.b() }",
        "f>T.b",
    ),
    "conversions": (
        "struct A; struct B; impl From<A> for B { fn from(a: A) -> B { B } } impl B { fn m(&self) {} }\n"
        "impl FromStr for B { fn from_str(s: &str) -> Result<B, ()> { Ok(B) } } impl A { fn m(&self) {} }\n"
        "fn f(a: A) { let b: B = a.into(); b.m() } fn g(a: A) -> B { a.into() }\n"
        'fn h() { let b: B = "x".parse().unwrap(); }',
        "f>B.from f>B.m g>B.from h>B.from_str",
    ),
    "shown": (
        "struct V; impl fmt::Display for V { fn fmt(&self) {} } impl fmt::Debug for V { fn fmt(&self) {} }\n"
        'fn f(v: V) { println!("{}", v); } fn g(v: V) { format!("{{}} {v:?}"); }',
        "f>V.fmt g>V.fmt#2",
    ),
    "macro of the file": (
        "macro_rules! m { ($f:ident) => { $f(g()) }; ($a:expr, $b:expr) => { $a }; }\n"
        "fn g() {} fn h(x: ()) {} fn f() { m!(h) } fn k() { m!(g(), 1) }",
        "f>g f>h k>g",
    ),
    "iterators": (
        T + "fn f(a: Vec<T>, c: Vec<T>) { a.iter().zip(c.iter()).for_each(|(x, y)| y.b()) }\n"
        "fn g(a: Vec<T>) { a.iter().for_each(T::b) }\nfn k(a: Vec<T>) { a.iter().fold(0, |n, x| x.b()) }\n"
        "struct P { ts: Vec<T> } impl P { fn ts(&self) -> Vec<T> { x } }\n"
        "fn h(a: Vec<P>) { a.iter().flat_map(|p| p.ts()).for_each(|t| t.b()) }",
        "f>T.b g>T.b k>T.b h>P.ts h>T.b",
    ),
    "an iterator of one's own": (
        T + COUNT + "struct C; impl C { fn iter(&self) -> I { I } }\n"
        "impl IntoIterator for C { fn into_iter(self) -> I { I } }\n"
        "fn f(c: &C) { for t in c.iter() { t.b() } } fn g(c: C) { for t in c { t.b() } }",
        "f>C.iter f>I.next f>T.b g>C.into_iter g>I.next g>T.b",
    ),
    "generic struct": (
        "trait S { fn m(&self); } struct A; impl S for A { fn m(&self) {} } struct W<X>(X);\n"
        "impl<X: S> W<X> { fn run(&self) { self.0.m() } } fn f() { W(A).run() }",
        "f>W.run W.run>A.m",
    ),
    "future": (
        T + "fn g() -> Pin<Box<dyn Future<Output = T>>> { x } async fn f() { g().await.b() }",
        "f>g f>T.b",
    ),
    "items in a macro": (
        T + "cfg_a! { use x::y; cfg_b! { pub fn f(t: T) { t.b() } }\n"
        "impl T { cfg_c! { fn c(&self) { self.b(); } } } }\n"
        "fn g(t: T) { t.c(); f(t) }",
        "f>T.b T.c>T.b g>T.c g>f",
    ),
    "closures in a macro": (
        "struct T; impl T { fn b(&self) -> T { T } fn c(&self) {} }\n"
        "check!(name, |t: T, n: u8| {\n let u = t.b();\n u.c();\n});",
        "<module>>T.b <module>>T.c",
    ),
    "a macro with words of its own": (
        T + "cfg_a! { struct F: u8 { const A = 1; } fn f(t: T) { t.b() } }",
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str) -> None:
    body, expected = CASES[case]
    facts = facts_of({"a.rs": body})
    rows = facts["a.rs"]
    ids = [name.partition("::")[2] for name in symbol_ids("a.rs", rows)]
    found = set()
    for edge in link(facts, {})["a.rs"]:
        for _, callee in edge.candidates if edge.callee is None else (edge.callee,):
            if rows["symbols"][callee][2] in ("function", "method"):
                found.add(f"{ids[public_symbol(rows, edge.caller)]}>{ids[callee]}")
    assert found == set(expected.split())


def test_macros_within_macros_without_end() -> None:
    deep = 20_000
    tree = parse(b"a!{" * deep + b"}" * deep + b"fn f() {}", "rust")
    assert not tree.root_node.has_error
    assert tree.root_node.named_children[-1].type == "function_item"
