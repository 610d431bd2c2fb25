"""Go: type parameters and what they stand for; files that build constraints leave out."""

from __future__ import annotations

import pytest

from sctx_tui.graph.languages.go_builds import is_left_out

from .conftest import calls

T = "type T struct{}\nfunc (t T) b() {}\n"
TWO = T + "type U struct{}\nfunc (u U) b() {}\n"
STACK = "type S[E any] struct { all []E; top *E }\nfunc (s *S[X]) pop() X { return s.all[0] }\n"
FIRST = "func first[E any](xs []E) E { return xs[0] }\n"

#: Code -> calls of methods named `b`.
CASES = {
    "method of an instance": (TWO + STACK + "func f(s *S[T]) { s.pop().b() }", {("f", "T.b")}),
    "two instances": (
        TWO + STACK + "func f(s S[T], r S[U]) { s.pop().b() }\nfunc g(s S[U]) { s.pop().b() }",
        {("f", "T.b"), ("g", "U.b")},
    ),
    "fields": (TWO + STACK + "func f(s S[T]) { s.top.b(); s.all[0].b() }", {("f", "T.b")}),
    "said by the call": (T + FIRST + "func f() { first[T](nil).b() }", {("f", "T.b")}),
    "passed": (TWO + FIRST + "func f() { first([]U{}).b() }", {("f", "U.b")}),
    "constructor": (
        T + STACK + "func make1[E any]() *S[E] { return &S[E]{} }\nfunc f() { make1[T]().pop().b() }",
        {("f", "T.b")},
    ),
    "variadic": (
        T + STACK + "func of[E any](xs ...E) *S[E] { return nil }\nfunc f() { of(T{}).pop().b() }",
        {("f", "T.b")},
    ),
    "result of a function": (
        TWO + "func each[A, B any](xs []A, g func(A) B) []B { return nil }\nfunc g(t T) U { return U{} }\n"
        "func f(ts []T) { each(ts, g)[0].b() }",
        {("f", "U.b")},
    ),
    "result of a literal": (
        T + "func do[A any](g func() A) A { return g() }\nfunc f() { do(func() *T { return nil }).b() }",
        {("f", "T.b")},
    ),
    "body": (
        TWO + "type I interface { b() }\nfunc g[E I](xs []E) { for _, x := range xs { x.b() } }\n"
        "func f(ts []T, us []U) { g(ts); g(us) }",
        {("g", "T.b"), ("g", "U.b")},
    ),
    "body that nobody calls": (
        T + "type I interface { b() }\nfunc g[E I](x E) { x.b() }",
        {("g", "T.b")},
    ),
    "method's body": (
        TWO + "type I interface { b() }\ntype S[E I] struct { e E }\nfunc (s S[E]) run() { s.e.b() }\n"
        "func f(s S[U]) { s.run() }",
        {("S.run", "U.b")},
    ),
    "embedded": (
        T + STACK + "type D[K any, V any] struct { S[V] }\nfunc f(d D[int, T]) { d.pop().b() }",
        {("f", "T.b")},
    ),
    "named type of an instance": (
        T + STACK + "type D S[T]\ntype E struct { *S[T] }\nfunc f(e E) { e.pop().b() }",
        {("f", "T.b")},
    ),
    "interface": (
        T + "type R[E any] interface { find() (*E, error); all() []E }\n"
        "func f(r R[T]) { t, _ := r.find(); t.b() }\nfunc g(r R[T]) { for _, t := range r.all() { t.b() } }",
        {("f", "T.b"), ("g", "T.b")},
    ),
    "implementation": (
        T + "type R[E any] interface { find() *E }\ntype M[E any] struct {}\n"
        "func (m *M[E]) find() *E { return nil }\n"
        "func open[E any]() R[E] { return &M[E]{} }\nfunc f() { open[T]().find().b() }",
        {("f", "T.b")},
    ),
    "element of a slice type": (
        T + "func first[S ~[]E, E any](s S) E { return s[0] }\nfunc f(ts []T) { first(ts).b() }",
        {("f", "T.b")},
    ),
    "map and channel": (
        TWO
        + "type C[K, V any] struct { m map[K]V; c chan K }\nfunc f(c C[T, U]) { c.m[T{}].b(); (<-c.c).b() }",
        {("f", "T.b"), ("f", "U.b")},
    ),
    "several results": (
        T + "type O[E any] struct { v E }\nfunc (o O[E]) get() (E, bool) { return o.v, true }\n"
        "func f(o O[T]) { if v, ok := o.get(); ok { v.b() } }",
        {("f", "T.b")},
    ),
    "in one another": (T + STACK + "func f(s S[S[T]]) { s.pop().pop().b() }", {("f", "T.b")}),
    "itself": (
        T + "type L[E any] struct { next *L[E]; val E }\nfunc (l *L[E]) n() *L[E] { return l.next }\n"
        "func f(l *L[T]) { l.n().next.n().val.b() }",
        {("f", "T.b")},
    ),
    "a function with its type": (TWO + FIRST + "func f() { g := first[T]; g(nil) }", set()),
}


@pytest.mark.parametrize("case", CASES)
def test_type_parameters(case: str) -> None:
    body, expected = CASES[case]
    found = calls({"main.go": f"package main\n{body}"})
    assert {(a, b) for a, b in found if b.endswith(".b")} == expected


def test_across_packages() -> None:
    files = {
        "go.mod": "module m\n",
        "ds/ds.go": "package ds\ntype Q[E any] struct{}\nfunc New[E any](n int) *Q[E] { return nil }\n"
        "func (q *Q[E]) Take() E { return *new(E) }\ntype N[E any] struct { Left *N[E]; Val E }\n",
        "a.go": f'package main\nimport "m/ds"\n{T}'
        "func f(n ds.N[T]) { ds.New[*T](1).Take().b(); n.Left.Val.b() }",
    }
    assert ("f", "T.b") in calls(files)


def test_files_that_are_left_out_are_not_meant() -> None:
    files = {
        "a/a.go": "package a\nfunc f() { open() }\n",
        "a/plain.go": "//go:build !fast && !tiny\n\npackage a\nfunc open() { plain() }\nfunc plain() {}\n",
        "a/fast.go": "// Copyright\n\n//go:build fast\n\npackage a\nfunc open() { fast() }\nfunc fast() {}\n",
        "a/tool.go": "//go:build ignore\n\npackage a\nfunc open() {}\nfunc main() { open() }\n",
    }
    found = calls(files)
    assert found == {("f", "open"), ("open", "plain"), ("open", "fast"), ("main", "open")}


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        ("ignore", True),
        ("linux", False),
        ("!linux && !darwin", False),
        ("linux && integration", True),
        ("!slim", False),
        ("a || b && !c", True),
        ("(a || unix) && !c", False),
        ("!(a || !b)", True),
        ("go1.21", False),
        ("", False),
        ("&& )", False),
        ("!" * 5000, False),
    ],
)
def test_build_constraints(constraint: str, expected: bool) -> None:
    assert is_left_out(constraint) is expected
