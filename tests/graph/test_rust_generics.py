"""Rust: what type parameters stand for in instances and results; receivers that come first."""

from __future__ import annotations

import pytest

from .conftest import calls

T = "struct T; impl T { fn b(&self) {} }\n"
TWO = T + "struct U; impl U { fn b(&self) {} }\n"
STACK = (
    "struct S<E> { all: Vec<E>, top: Option<E> } impl<X> S<X> { fn pop(&mut self) -> X { todo!() }\n"
    "fn new() -> Self { todo!() } fn me(self) -> Self { self } }\n"
)

#: Code -> calls of methods named `b`.
CASES = {
    "method of an instance": (TWO + STACK + "fn f(s: S<T>) { s.pop().b() }", {("f", "T.b")}),
    "two instances": (
        TWO + STACK + "fn f(s: S<T>) { s.pop().b() } fn g(s: &S<U>) { s.pop().b() }",
        {("f", "T.b"), ("g", "U.b")},
    ),
    "fields": (TWO + STACK + "fn f(s: S<T>) { s.top.unwrap().b(); s.all[0].b() }", {("f", "T.b")}),
    "itself": (TWO + STACK + "fn f(s: S<U>) { s.me().me().pop().b() }", {("f", "U.b")}),
    "field of a type": (
        TWO + STACK + "struct H { s: S<U> } impl H { fn f(&mut self) { self.s.pop().b() } }",
        {("H.f", "U.b")},
    ),
    "result": (TWO + STACK + "fn mk() -> S<T> { S::new() } fn f() { mk().pop().b() }", {("f", "T.b")}),
    "said by the call": (TWO + "fn mk<X>() -> X { todo!() } fn f() { mk::<U>().b() }", {("f", "U.b")}),
    "passed": (TWO + "fn id<X>(x: X) -> X { x } fn f(t: T) { id(t).b() }", {("f", "T.b")}),
    "passed in a list": (
        TWO + "fn first<X>(xs: &[X]) -> &X { &xs[0] } fn f(us: Vec<U>) { first(&us).b() }",
        {("f", "U.b")},
    ),
    "in another order": (
        TWO + "struct P<A, B> { a: A, b: B } impl<B, A> P<A, B> { fn second(self) -> B { self.b } }\n"
        "fn f(p: P<T, U>) { p.second().b() }",
        {("f", "U.b")},
    ),
    "associated type": (
        T + "struct I<E> { e: E } impl<E> Iterator for I<E> { type Item = E;\n"
        "fn next(&mut self) -> Option<Self::Item> { None } }\nfn f(i: I<T>) { for t in i { t.b() } }",
        {("f", "T.b")},
    ),
    "function inside": (
        T + "struct S<E>(E); impl<E> S<E> { fn m(&self) { fn inner(t: T) { t.b() } } }",
        {("S.m.inner", "T.b")},
    ),
    "bound": (
        T + "trait B { fn b(&self); } impl B for S<u8> { fn b(&self) {} } struct S<E>(E);\n"
        "fn f<X: B>(x: X) { x.b() } fn g(s: S<u8>) { f(s) }",
        {("f", "B.b"), ("f", "S.b")},
    ),
    "pinned receivers come last": (
        "struct S<E>(E); impl<E> S<E> { fn b(&mut self) {} }\n"
        "impl<E> Future for S<E> { fn b(mut self: Pin<&mut Self>) {} } fn f(s: &mut S<u8>) { s.b() }",
        {("f", "S.b")},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_type_parameters(case: str) -> None:
    code, expected = CASES[case]
    found = calls({"src/main.rs": code})
    assert {(a, b) for a, b in found if b.endswith(".b")} == expected
