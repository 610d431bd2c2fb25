"""Rust: crates and modules, traits and their implementations, methods through references and containers."""

from __future__ import annotations

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import DOC, QUALNAME, SIGNATURE

from .conftest import calls

T = "struct T; impl T { fn new() -> Self { T } fn b(&self) {} }\n"

CASES = {
    "body yet to be written": ("fn f() -> u8 {} fn g() { f(); }", {("g", "f")}),
    "method": (
        "struct T; impl T { fn a(&self) { self.b(); Self::c(); } fn b(&self) {} fn c() {} }",
        {("T.a", "T.b"), ("T.a", "T.c")},
    ),
    "constructor": (T + "fn f() { let t = T::new(); t.b(); }", {("f", "T.new"), ("f", "T.b")}),
    "reference": (T + "fn f(t: &mut T) { t.b(); }", {("f", "T.b")}),
    "box and option": (
        T + "fn f(a: Box<T>, b: Option<T>) { a.b(); b.unwrap().b(); if let Some(x) = b { x.b() } }",
        {("f", "T.b")},
    ),
    "result": (T + "fn g() -> Result<T, E> { x() } fn f() { g()?.b(); }", {("f", "g"), ("f", "T.b")}),
    "field": (
        T + "struct U { t: Vec<T> } impl U { fn f(&self) { for x in self.t.iter() { x.b() } } }",
        {("U.f", "T.b")},
    ),
    "map": (T + "fn f(m: HashMap<u8, T>) { m.get(&1).unwrap().b(); for (_, t) in &m { } }", {("f", "T.b")}),
    "closure parameter": (T + "fn f(ts: Vec<T>) { ts.iter().map(|t| t.b()).collect() }", {("f", "T.b")}),
    "match": (
        T + "enum E { A(T), N { t: T } } fn f(e: E) { match e { E::A(x) => x.b(), E::N { t } => t.b() } }",
        {("f", "T.b")},
    ),
    "trait object": (
        "trait S { fn m(&self); } struct A; impl S for A { fn m(&self) {} }\n"
        "struct D; impl D { fn m(&self) {} }\nfn f(s: &dyn S) { s.m() }",
        {("f", "S.m"), ("f", "A.m")},
    ),
    "generic bound": (
        "trait S { fn m(&self); } struct A; impl S for A { fn m(&self) {} }\n"
        "fn f<X>(x: X) where X: S { x.m() }",
        {("f", "S.m"), ("f", "A.m")},
    ),
    "default method": (
        "trait S { fn m(&self) { self.n() } fn n(&self); } struct A; impl S for A { fn n(&self) {} }\n"
        "fn f(a: A) { a.m() }",
        {("f", "S.m"), ("S.m", "S.n"), ("S.m", "A.n")},
    ),
    "bare name in an impl": (
        "struct T; impl T { fn g(&self) {} fn f(&self) { g() } } fn g() {}",
        {("T.f", "g")},
    ),
    "function value": ("fn g() {} fn run(h: fn()) { h() } fn f() { run(g) }", {("f", "run"), ("run", "g")}),
    "macro": ('fn g(x: u8) -> u8 { x } fn f() { println!("{}", g(1)); assert_eq!(g(2), 3); }', {("f", "g")}),
    "method in a macro": (T + 'fn f(t: T) { println!("{}", t.b()); }', {("f", "T.b")}),
    "inline module": (
        "mod m { pub fn g() { super::h() } } fn h() {} fn f() { m::g() }",
        {("f", "g"), ("g", "h")},
    ),
    "block ends": ("fn g() {} fn f() { { let g = 1; } g() }", {("f", "g")}),
    "shadowing": (T + "fn f(x: u8) { let x = T::new(); x.b() }", {("f", "T.new"), ("f", "T.b")}),
    "outside": (
        "struct T; impl T { fn push(&self) {} }\nfn f(v: Vec<u8>) { v.push(1); std::mem::drop(v); x.push() }",
        set(),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_calls(case: str) -> None:
    body, expected = CASES[case]
    found = calls({"src/lib.rs": body})
    assert found == expected


def test_modules_and_crates_of_a_workspace() -> None:
    found = calls(
        {
            "Cargo.toml": "[workspace]\nmembers = ['store', 'app']\n",
            "store/Cargo.toml": "[package]\nname = 'my-store'\n",
            "store/src/lib.rs": "pub mod disk;\npub use disk::write as save;\n"
            "pub fn open() { self::disk::write() }\n",
            "store/src/disk.rs": "mod low;\npub fn write() { low::flush(); super::open(); crate::open() }\n",
            "store/src/disk/low.rs": "pub fn flush() {}\n",
            "app/Cargo.toml": "[package]\nname = 'app'\n",
            "app/src/main.rs": "use my_store::{save, disk::{self, write as put}};\nmod cli;\n"
            "fn main() { save(); disk::write(); put(); my_store::open(); cli::run() }\n",
            "app/src/cli/mod.rs": "use super::*;\npub fn run() { helper(); std::fs::write(); }\n"
            "fn helper() {}\n",
        }
    )
    assert found == {
        ("open", "write"),
        ("write", "flush"),
        ("write", "open"),
        ("main", "write"),
        ("main", "open"),
        ("main", "run"),
        ("run", "helper"),
    }


def test_symbols() -> None:
    source = (
        "/// Adds.\n#[inline]\npub fn add<T: Num>(a: T, b: &T) -> T { a }\n"
        "impl Tr for Vec<T> { fn x(&mut self) { self.n = 1; } }"
    )
    rows = {row[QUALNAME]: row for row in extract("a.rs", source.encode(), "rust")["symbols"]}
    assert rows["add"][DOC] == "Adds."
    assert rows["add"][SIGNATURE] == "pub fn add<T: Num>(a: T, b: &T) -> T"
    assert rows["Vec.x"][13] == ("self.n",)


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\x00",
        b"fn",
        b"fn f() { " + b"if x { " * 2000,
        b"fn f() { " + b"(" * 3000,
        b"fn f() { m!(" + b"(" * 2000,
    ],
)
def test_any_bytes_give_facts(source: bytes) -> None:
    assert extract("x.rs", source, "rust")["symbols"][0][QUALNAME] == "<module>"
