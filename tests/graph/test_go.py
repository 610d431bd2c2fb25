"""Go: packages, methods, embedding, interfaces that are satisfied without saying so."""

from __future__ import annotations

import pytest

from sctx_tui.graph.choice import MANY_CANDIDATES
from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import DOC, QUALNAME, SIGNATURE
from sctx_tui.graph.link import link

from .conftest import calls, facts_of

STORE = """
package store

// Store keeps carts.
type Store struct { items []*Item; onPut func(int) }
type Item struct { price int }
type Base struct{}
func (b *Base) Close() {}
type Disk struct { *Base; Store }

func New() *Store { return &Store{} }
func (s *Store) Put(i *Item) int { s.check(); return i.Total() }
func (s *Store) check() {}
func (i *Item) Total() int { return i.price }
"""


def one_file(body: str) -> set[tuple[str, str]]:
    return calls({"main.go": f"package main\n{body}"})


def test_packages_are_found_through_go_mod() -> None:
    app = """
package app
import ("strings"; st "example.com/shop/store")
func run() { s := st.New(); s.Put(nil); strings.ToUpper("x"); other() }
"""
    found = calls(
        {
            "go.mod": "module example.com/shop\n\ngo 1.22\n",
            "store/store.go": STORE,
            "app/app.go": app,
            "app/other.go": "package app\nfunc other() {}\n",
            "app/app_test.go": "package app_test\nfunc other() {}\n",
        }
    )
    assert {callee for caller, callee in found if caller == "run"} == {"New", "Store.Put", "other"}


CASES = {
    "receiver": ("type T struct{}\nfunc (t *T) a() { t.b() }\nfunc (t T) b() {}", {("T.a", "T.b")}),
    "parameter": ("type T struct{}\nfunc (t T) b() {}\nfunc f(t *T) { t.b() }", {("f", "T.b")}),
    "field": (
        "type T struct{}\nfunc (t T) b() {}\ntype U struct{ t *T }\nfunc (u U) f() { u.t.b() }",
        {("U.f", "T.b")},
    ),
    "embedded": (
        "type T struct{}\nfunc (t T) b() {}\ntype U struct{ *T }\nfunc f(u U) { u.b(); u.T.b() }",
        {("f", "T.b")},
    ),
    "several results": (
        "type T struct{}\nfunc (t T) b() {}\nfunc mk() (*T, error) { return nil, nil }\n"
        "func f() { t, err := mk(); _ = err; t.b() }",
        {("f", "mk"), ("f", "T.b")},
    ),
    "range": (
        "type T struct{}\nfunc (t T) b() {}\nfunc f(ts []T, m map[string]*T, c chan T) {\n"
        "for _, t := range ts { t.b() }\nfor k := range m { m[k].b() }\nfor t := range c { t.b() } }",
        {("f", "T.b")},
    ),
    "interface": (
        "type I interface { b(int) }\ntype T struct{}\nfunc (t T) b(n int) {}\n"
        "type Other struct{}\nfunc (o Other) b() {}\nfunc f(i I) { i.b(1) }",
        {("f", "T.b")},
    ),
    "type switch": (
        "type T struct{}\nfunc (t T) b() {}\ntype U struct{}\nfunc (u U) b() {}\n"
        "func f(x any) { switch v := x.(type) { case T: v.b()\ncase nil: } }",
        {("f", "T.b")},
    ),
    "assertion": ("type T struct{}\nfunc (t T) b() {}\nfunc f(x any) { x.(T).b() }", {("f", "T.b")}),
    "function value": ("func g() {}\nfunc f() { h := g; h() }", {("f", "g")}),
    "function passed": (
        "func g() {}\nfunc run(h func()) { h() }\nfunc f() { run(g) }",
        {("f", "run"), ("run", "g")},
    ),
    "function in a field": (
        "type T struct{ h func() }\nfunc g() {}\nfunc f() { t := T{h: g}; t.h() }",
        {("f", "g")},
    ),
    "function in a map": (
        'func g() {}\nvar m = map[string]func(){"a": g}\nfunc f() { m["a"]() }',
        {("f", "g")},
    ),
    "closure": ("func g() {}\nfunc f() { func() { g() }(); defer g(); go g() }", {("f", "g"), ("f", "f")}),
    "generic": (
        "type I interface{ b() }\ntype T struct{}\nfunc (t T) b() {}\nfunc g[X I](x X) { x.b() }\n"
        "func f(t T) { g[T](t) }",
        {("g", "T.b"), ("f", "g")},
    ),
    "package variable": ("var x = g()\nfunc g() int { return 1 }", {("<module>", "g")}),
    "shadowed": ("func g() {}\nfunc f() { g := func() {}; g() }", {("f", "f")}),
    "block ends": ("func g() {}\nfunc f(c bool) { if c { g := 1; _ = g }; g() }", {("f", "g")}),
    "conversion": ("type T int\nfunc (t T) b() {}\nfunc f() { T(1).b() }", {("f", "T.b")}),
    "a name before it is shadowed": (
        "type n struct{}\nfunc (x *n) b() {}\nfunc g() int { return 1 }\n"
        "func f(x any) { g := g(); _ = g; n, ok := x.(*n); _ = ok; n.b() }",
        {("f", "g"), ("f", "n.b")},
    ),
    "made of a container": (
        "type T struct{}\nfunc (t T) b() {}\ntype Ts []*T\ntype M map[T]Ts\n"
        "func (ts Ts) f() { ts[0].b() }\nfunc (m M) g() { for t := range m { t.b() } }\n"
        "func (m M) h() { for _, ts := range m { ts.f() } }",
        {("Ts.f", "T.b"), ("M.g", "T.b"), ("M.h", "Ts.f")},
    ),
    "keys": (
        "type T struct{}\nfunc (t *T) b() {}\nfunc f(m map[*T]int) { for t, n := range m { t.b(); _ = n } }",
        {("f", "T.b")},
    ),
    "arithmetic keeps the type": (
        "type T int\nconst ( A T = iota; B; C )\nfunc (t T) b() {}\n"
        "func f() (t T) { t = A | B; t.b(); (2 * C).b(); return }",
        {("f", "T.b")},
    ),
    "target of an operation": ("func g() *T { return nil }\nfunc f() { g().n |= 1 }", {("f", "g")}),
    "conversion to a function type": (
        "type F func()\nfunc (h F) Serve() { h() }\nfunc g() {}\nfunc f() { F(g).Serve() }",
        {("f", "F.Serve"), ("F.Serve", "g")},
    ),
    "functions in a channel": (
        "func g() {}\nfunc w(c chan func()) { for h := range c { h() } }\n"
        "func f() { c := make(chan func()); c <- g; go w(c) }",
        {("f", "w"), ("w", "g")},
    ),
    "function among results": (
        "func g() {}\nfunc mk() (func(), error) { return g, nil }\nfunc f() { h, _ := mk(); h() }",
        {("f", "mk"), ("f", "g")},
    ),
    "interface in a struct": (
        "type I interface { b() }\ntype T struct{}\nfunc (t T) b() {}\ntype S struct{ I }\n"
        "func f(s S) { s.b() }",
        {("f", "T.b")},
    ),
    "other types, no implementation": (
        "type I interface { b(n int) error; c() }\ntype T struct{}\nfunc (t T) b(n int) error { return x }\n"
        "func (t T) c() {}\ntype U struct{}\nfunc (u U) b(n string) error { return nil }\nfunc (u U) c() {}\n"
        "type V struct{}\nfunc (v V) b(n int) {}\nfunc (v V) c() {}\nfunc f(i I) { i.b(1) }",
        {("f", "T.b")},
    ),
    "all that the receiver asks for": (
        "type R interface { b() }\ntype RW interface { R; w() }\ntype T struct{}\nfunc (t T) b() {}\n"
        "func (t T) w() {}\ntype U struct{}\nfunc (u U) b() {}\nfunc f(x RW) { x.b() }",
        {("f", "T.b")},
    ),
    "what is embedded knows nothing of it": (
        'import "net"\ntype p struct { net.Conn }\ntype C struct { p }\nfunc (c *C) Close() { c.p.Close() }',
        set(),
    ),
    "outside": (
        "type Fake struct{}\nfunc (f Fake) Exec() {}\nfunc f(db *sql.DB) { db.Exec(); x.Exec() }",
        set(),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str) -> None:
    body, expected = CASES[case]
    assert one_file(body) == expected


def test_symbols() -> None:
    facts = extract("store/store.go", STORE.encode(), "go")
    rows = {row[QUALNAME]: row for row in facts["symbols"]}
    assert rows["Store"][DOC] == "Store keeps carts."
    assert rows["Store.Put"][SIGNATURE] == "func (s *Store) Put(i *Item) int"
    assert set(rows) >= {
        "Store",
        "Item",
        "Base",
        "Disk",
        "New",
        "Store.Put",
        "Store.check",
        "Item.Total",
        "Base.Close",
    }


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\x00",
        b"package",
        b"package a\nfunc f() { " + b"func() { " * 2000,
        b"package a\nvar x = " + b"(" * 3000,
    ],
)
def test_any_bytes_give_facts(source: bytes) -> None:
    assert extract("x.go", source, "go")["symbols"][0][QUALNAME] == "<module>"


def test_a_function_for_several_platforms_may_be_any_of_them() -> None:
    files = {
        "a/a.go": "package a\nfunc f() { open() }\n",
        "a/open_linux.go": "package a\nfunc open() { linux() }\nfunc linux() {}\n",
        "a/open_windows.go": "//go:build windows\npackage a\nfunc open() { windows() }\nfunc windows() {}\n",
    }
    facts = facts_of(files)
    found = {edge.callee for edge in link(facts, {})["a/a.go"]}
    assert found == {("a/open_linux.go", 1), ("a/open_windows.go", 1)}


def test_an_interface_with_many_implementations_is_a_candidate_itself() -> None:
    many = MANY_CANDIDATES + 1
    types = "".join(f"type T{n} struct{{}}\nfunc (T{n}) Draw(to int) {{}}\n" for n in range(many))
    text = (
        f"package a\ntype Shape interface {{ Draw(to int) }}\n{types}func show(s Shape) {{\n s.Draw(1)\n}}\n"
    )
    facts = extract("a.go", text.encode(), "go")
    asked = next(at for at, row in enumerate(facts["symbols"]) if row[QUALNAME] == "Shape.Draw")
    (found,) = link({"a.go": facts})["a.go"]
    assert (found.callee, found.candidates) == (None, (("a.go", asked),))
