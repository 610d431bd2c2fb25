"""Semantic hashes of all other languages: what must not change them, what must."""

from __future__ import annotations

import pytest

from sctx_tui.graph.canonical.plain import LEXIS
from sctx_tui.graph.fingerprint import file_hash, fingerprints, symbol_hashes
from sctx_tui.graph.languages import LANGUAGES

SAME = {
    "javascript": [
        ("a = 1; // b\nc()", "a = 1\n/* b */ c();"),
        ("let s = 'it\\'s'", 'let s = "it\'s";'),
        ("x = { 'a': 1, 'b-c': 2, }", 'x = { a: 1, "b-c": 2 };'),
        ("f(a, b,)", "f(\n  a,\n  b\n)"),
        ("g = x => (x)", "g = (x) => x;"),
        ("x = (a && b) || c", "x = a && b || c"),
        ("x = a && (b && c)", "x = a && b && c"),
        ("x = (a % b) * c", "x = a % b * c"),
        ("(function () { b }());", "(function () { b })()"),
        ("while ((a = b)) ;", "while (a = b);"),
        ("x = (a, b)", "x = ((a, b))"),
        ("return_ = 0XFF + .5 + 1.50 + 1E3 + 5.", "return_ = 0xff + 0.5 + 1.5 + 1e3 + 5.0"),
        ("(1).toFixed(); 1..toFixed()", "(1.0).toFixed(); (1).toFixed()"),
        ("x = new A", "x = new A()"),
        ("{ ; a; ; }", "{ a }"),
        ("class A { x = 1; static y\n m() {}; }", "class A { x = 1\n static y; m() {} }"),
        ("x = [a, b,]", "x = [a, b]"),
        ("x = `a${ b }c`", "x = `a${b}c`"),
        ("x = /a/gi", "x = /a/ig"),
        ("'use strict'\na", '"use strict"; a'),
        ("x = a\n  .b()\n  // why\n  .c()", "x = a.b().c()"),
        ("do a; while (b) c", "do a\nwhile (b)\nc"),
        ("x = y // no semicolon;\nz", "x = y\nz"),
        ("x = <p>\n  a {' '}\n  <b/> c\n</p>", "x = <p>a <b /> c</p>"),
        ("x = <a b='c' />", 'x = <a b="c"></a>'.replace("></a>", " />")),
        ("x = (<a>\n  b\n  c\n</a>)", "x = <a>b c</a>"),
        ("export default a", "export default a;"),
        ("import a, { b, } from 'c'", 'import a, { b } from "c";'),
        ("#!/usr/bin/env node\na", "a"),
        ("x = a - -b", "x = a - (-b)"),
        ("x = y ? (a) : (b ? c : d)", "x = y ? a : b ? c : d"),
        ("x = a+++b; x = a---b", "x = a++ + b; x = a-- - b"),
        ("x = { 'é': 1, '1.5': 2 }", "x = { é: 1, 1.5: 2 }"),
        ("x = new (a()).b()", "x = new (a().b)()"),
        ("x = <p>a ={' '}\n  <b /></p>", "x = <p>\n  a = <b />\n</p>"),
        ("x = <p>\n  {/* why */}\n  <b />\n</p>", "x = <p><b /></p>"),
        ("x = new (a()[b])", "x = new (a())[b]()"),
        ("let\n  a = 1,\n  b", "let a = 1, b;"),
        ("x = 'a\\\r\nb'", "x = 'ab'"),
        ("x = <p class='a' for='b'>c & d</p>", 'x = (\n  <p class="a" for="b">\n    c & d\n  </p>\n);'),
        ("x = <a b='?c=1&d=2' e />", 'x = <a\n  b="?c=1&d=2"\n  e\n/>;'),
    ],
    "typescript": [
        (
            "interface A { a: string, b?: number\n c(): void }",
            "interface A { a: string; b?: number; c(): void; }",
        ),
        ("type A = | B | C", "type A = B | C;"),
        ("let x: (A | B) = y", "let x: A | B = y;"),
        ("enum E { A = 1, 'B', }", "enum E { A = 1, B }"),
        ("x = (a as B).c", "x = (((a as B))).c"),
        (
            "abstract class C { abstract a(): void\n private b?: string }",
            "abstract class C { abstract a(): void; private b?: string; }",
        ),
        ("function f<T,>(a: T,): void { }", "function f<T>(a: T): void {}"),
        ("import a = require('b')", 'import a = require("b");'),
        ("declare module 'x'", 'declare module "x";'),
        ("type A = B extends (() => C) ? D : E", "type A = B extends () => C ? D : E"),
        ("type A = | (B | C)", "type A = B | C"),
        ("type A = B & (\n  // why\n  C | D)", "type A = B & (C | D)"),
        ("type A = [...(infer B)]", "type A = [...infer B]"),
        ("let f = (): (() => A) => b", "let f = (): () => A => b"),
        ("type A = [B | C?]", "type A = [(B | C)?]"),
        ("let a: import('b').C[]", 'let a: import("b").C[];'),
        ("let a = f<typeof import('b')>()", 'let a = f<typeof import("b")>();'),
        ("a = b\nin2 = c", "a = b;\nin2 = c;"),
    ],
    "tsx": [("let f = <T,>(x: T) => (<p>{x}</p>)", "let f = <T,>(x: T) => <p>{x}</p>;")],
    "go": [
        ("package a\nfunc f() (int) { return (1) }\n", "package a\n\nfunc f() int {\n\treturn 1 // one\n}\n"),
        ('package a\nimport (\n"b"\n"a"\n)\n', 'package a\nimport "a"\nimport "b"\n'),
        (
            "package a\nfunc f() { if (a) { b(); c() }; for ;; { } }\n",
            "package a\nfunc f() {\n if a {\n  b()\n  c()\n }\n for {\n }\n}\n",
        ),
        ("package a\nvar x = f(a,\n b,\n)\n", "package a\nvar x = f(a, b)\n"),
        ("package a\nvar x = 0XFF + 1E5\n", "package a\nvar x = 0xff + 1e5\n"),
        ("package a\nvar x = 0XAb\n", "package a\nvar x = 0xAb\n"),
        ("package a\nfunc (a (*T)) f(b ((int))) {}\n", "package a\nfunc (a *T) f(b int) {}\n"),
        ("package a\nvar x = (a * b) + ((c))\n", "package a\nvar x = a*b + c\n"),
        ("package a\nvar x = `a\r\nb`\r\n", "package a\nvar x = `a\nb`\n"),
        (
            "package\na\nfunc\nf() { for i := range\nb { orange := i; } }\n",
            "package a\n\nfunc f() {\n\tfor i := range b {\n\t\torange := i\n\t}\n}\n",
        ),
    ],
    "rust": [
        ("fn f() { match x { A => { b } C | D => e, } }", "fn f() { match x { A => b, | C | D => { e } } }"),
        ("fn f() { g(|x| { x + 1 }) }", "fn f() { g(|x| x + 1) }"),
        ("use b::{d, c}; use a::e;", "use a::e;\nuse b::{c};\nuse b::d;"),
        ("mod b; mod a;", "mod a;\nmod b;"),
        ("#[derive(A)] #[derive(B)] struct C;", "#[derive(A, B)]\nstruct C;"),
        ("fn f() { ((a)); return 1 }", "fn f() { (a); return 1; }"),
        ("/// Doc.\nfn f(a: A,) -> B<C,> { vec!(1, 2,) }", "fn f(a: A) -> B<C> { vec![1, 2] }"),
        ("fn f() { match x { A => return 1, } }", "fn f() { match x { A => { return 1; } } }"),
        ("extern fn f() {}", 'extern "C" fn f() {}'),
        ("macro_rules! a { () => { 1 }; () => { 2 }; }", "macro_rules! a { () => { 1 }; () => { 2 } }"),
        ("fn f() { vec!{1, 2} }", "fn f() { vec![1, 2] }"),
        (
            "cfg_a! { use b; use a; fn f(a: A,) { g() } }",
            "cfg_a! {\n  use a;\n  use b;\n  fn f(a: A) {\n    g()\n  }\n}",
        ),
        ("pub(in crate) fn f() where {}", "pub(crate) fn f() {}"),
        ("fn f() { loop { break }; for a in b {}; c }", "fn f() { loop { break } for a in b {} c }"),
        ("use a::{b as b};", "use a::b;"),
        ("fn f() { m!(& &a, 1,) }", "fn f() { m!(&&a, 1) }"),
        ("#[a(b, c,)] mod d;\n#[a(b,\n  a)]\nmod e;", "#[a(b, a)] mod e; #[a(b, c)] mod d;"),
        ("fn f<'a>(x: &'a str) -> char { 'x' /* nested /* c */ */ }", "fn f<'a>(x: &'a str) -> char { 'x' }"),
    ],
    "java": [("class A{int f(){return 1;}} // a", "class A {\n  int f() {\n    return 1; /* b */\n  }\n}\n")],
    "c": [
        (
            "#define A  1\nint f(void){return A+ +x;}",
            "#define A 1 // one\nint f(void)\n{\n  return A + +x;\n}\n",
        )
    ],
    "cpp": [("int a=b*c;", "int a = b * c; // d\n")],
    "csharp": [('class A{string b=@"c";}', 'class A\n{\n    /* d */ string b = @"c";\n}\n')],
    "ruby": [("def f\n  a # b\nend\n", "def f\n\n    a\nend\n")],
    "php": [("<?php\n$a=1; // b\n", "<?php\n$a = 1;\n")],
    "kotlin": [("fun f() {\n  a() // b\n}\n", "fun f() {\n\n    a()\n}\n")],
    "swift": [("func f() {\n  a() // b\n}\n", "func f() {\n\n    a()\n}\n")],
    "scala": [("def f = {\n  a // b\n}\n", "def f = {\n\n  a\n}\n")],
    "lua": [("local a=1 -- b\nf()", "local a = 1\n\nf()\n")],
    "bash": [("a  b # c\nif d; then\ne\nfi\n", "a b\n\nif d; then\n  e\nfi\n")],
}

DIFFERENT = {
    "javascript": [
        ("x = 'a'", "x = 'b'"),
        ("x = 'a\\n b'", "x = 'a\\n c'"),
        ("x = '//a'", "x = '//b'"),
        ("x = 'a,]'", "x = 'a]'"),
        ("x = `a `", "x = `a`"),
        ("x = `a\n`", "x = `a`"),
        ("x = (a + b) * c", "x = a + b * c"),
        ("x = a + (b + c)", "x = a + b + c"),
        ("x = a ?? (b || c)", "x = (a ?? b) || c"),
        ("x = (a?.b).c", "x = a?.b.c"),
        ("x = a + ++b", "x = a+++b"),
        ("x = new (a()).b()", "x = new a().b()"),
        ("x = { '1.50': 2 }", "x = { 1.5: 2 }"),
        ("x = <p>a =\n  <b /></p>", "x = <p>\n  a = <b />\n</p>"),
        ("x = new (a())()", "x = new a()()"),
        ("x = new (a.b().c)()", "x = new a.b().c()"),
        ("f((a, b))", "f(a, b)"),
        ("x = (-a) ** b", "x = -(a ** b)"),
        ("return_\nx", "return_ = x"),
        ("function f() { return\n(a) }", "function f() { return (a) }"),
        ("f = () => ({})", "f = () => {}"),
        ("f = () => a", "f = () => { a }"),
        ("(function f() {}); (1)", "function f() {} (1)"),
        ("({}) + 1", "{} +1"),
        ("export default (function () {})", "export default function () {}"),
        ("x = [,]", "x = []"),
        ("x = [a,,]", "x = [a,]"),
        ("a - -b", "a-- - b"),
        ("x = a + ++b", "x = a++ + b"),
        ("if (a) ; b", "if (a) b"),
        ("if (a) [b]", "if (a[b]) ;"),
        ("'use strict'; a", "('use strict'); a"),
        ("x = 'use strict'", "x = 'use sloppy'"),
        ("let a", "var a"),
        ("class A { static x }", "class A { x }"),
        ("class A { x = 1 }", "class A { 'x-' = 1 }"),
        ("x = { a }", "x = { a: b }"),
        ("x = { [a]: 1 }", "x = { a: 1 }"),
        ("x = /a/g", "x = /a/i"),
        ("x = 10n", "x = 10"),
        ("x = <a>b c</a>", "x = <a>bc</a>"),
        ("x = <a>b <c/></a>", "x = <a>b<c/></a>"),
        ("x = <a>b{' '}\n<c/></a>", "x = <a>b\n<c/></a>"),
        ("x = <a b='c'/>", "x = <a b='d'/>"),
        ("/** @jsx h */ x = <a/>", "/** @jsx g */ x = <a/>"),
        ("async function f() {}", "function f() {}"),
        ("for (const a of b) c", "for (const a in b) c"),
        ("@a class B {}", "class B {}"),
        ("import { a } from 'b'", "import { a } from 'c'"),
        ("x = '//\\\r\n//a'", "x = '//\\\r\n//b'"),
        ("x = <p>a{/* why */}\nb</p>", "x = <p>a\nb</p>"),
        ("x = <p class='a'>b & c</p>", "x = <p class='a'>b && c</p>"),
        ("x = <a href='?b&c'>{d & e || f}</a>", "x = <a href='?b&c'>{d & (e || f)}</a>"),
        ("x = <a class='b' c />", "x = <a for='b' c />"),
    ],
    "typescript": [
        ("let x: A", "let x: B"),
        ("let x: (A | B)[]", "let x: A | B[]"),
        ("let x: (keyof A)[]", "let x: keyof A[]"),
        ("x! = y", "x != y"),
        ("type A = { readonly b: c }", "type A = { b: c }"),
        ("class A { private b: c }", "class A { public b: c }"),
        ("interface A { b?: c }", "interface A { b: c }"),
        ("x = (a as B).c", "x = a as B.c"),
        ("type A = (() => B)[]", "type A = () => B[]"),
        ("type A = | (() => B) | C", "type A = | (() => B | C)"),
        ("x = (a as b) | c", "x = a as b | c"),
        ("x = (a == b as c) & d", "x = a == b as c & d"),
        ("interface A { 'new'(): b }", "interface A { new(): b }"),
        ("let a: import('b').C[]", "let a: import('c').C[]"),
        (
            "type A = B extends (() => C extends D ? 1 : 2) ? 3 : 4",
            "type A = B extends () => C extends D ? 1 : 2 ? 3 : 4",
        ),
    ],
    "go": [
        ("package a\nvar x = a - (b - c)\n", "package a\nvar x = a - b - c\n"),
        ("package a\nvar x = (*p).f\n", "package a\nvar x = *p.f\n"),
        ("package a\nvar x = a & &b\n", "package a\nvar x = a && b\n"),
        ("package a\nfunc f() { a < -b }\n", "package a\nfunc f() { a <- b }\n"),
        ("package a\nfunc f() {\n return\n a()\n}\n", "package a\nfunc f() {\n return a()\n}\n"),
        ("//go:build linux\npackage a\n", "//go:build darwin\npackage a\n"),
        ('package a\nimport "a"\n', 'package a\nimport b "a"\n'),
        ("package a\nvar c chan<- int\n", "package a\nvar c chan int\n"),
        ("package a\nvar x = 'a'\n", "package a\nvar x = 'b'\n"),
        ("package a\nvar x = `a `\n", "package a\nvar x = `a`\n"),
        ("package a\nfunc f() (a int) {}\n", "package a\nfunc f() (int) {}\n"),
    ],
    "rust": [
        ("fn f() -> u8 { if a { 1 } else { 2 } }", "fn f() -> u8 { if a { 1 } else { 2 }; }"),
        ("fn f() -> u8 { unsafe { g() } }", "fn f() -> u8 { unsafe { g() }; /* c */ }"),
        ("fn f() { a & &b; }", "fn f() { a && b; }"),
        ("a! { mod x; }\nb! { mod y; }", "a! { mod y; }\nb! { mod x; }"),
        ("a! { fn f() {} }\nfn g() {}", "a! { fn f() {} fn g() {} }"),
        ("a! { fn f() {} }", "b! { fn f() {} }"),
        ("a! { fn f() {} }", "fn f() {}"),
        ("a!(b, |x: T| { x.c(); });", "a!(b, |x: T| { x.d(); });"),
        ("fn f() { assert!(a & &b); }", "fn f() { assert!(a && b); }"),
        ("macro_rules! a { ($($b:tt,)*) => { 1 } }", "macro_rules! a { ($($b:tt)*) => { 1 } }"),
        ("macro_rules! a { () => { m!($($b,)*) } }", "macro_rules! a { () => { m!($($b)*) } }"),
        ("macro_rules! a { ($b:tt,) => { 1 } }", "macro_rules! a { ($b:tt) => { 1 } }"),
        ("fn f() { (a,) }", "fn f() { (a) }"),
        ("fn f() { m!((a,)) }", "fn f() { m!((a)) }"),
        ("fn f() { a }", "fn f() { a; }"),
        ("fn f() { match x { A => { b; } } }", "fn f() { match x { A => b, } }"),
        ("fn f() { 'a' }", "fn f() { 'b' }"),
        ('fn f() { r#"a"# }', 'fn f() { r#"b"# }'),
        ('fn f() { "a\n  b" }', 'fn f() { "a\n b" }'),
        ("use a::b;", "use a::c;"),
        ("use a::b as c;", "use a::b;"),
        ("#[a] use b; use c;", "use b; #[a] use c;"),
        ("#[macro_use] mod a; mod b;", "mod b; #[macro_use] mod a;"),
        ("fn f() { 1..=2 }", "fn f() { 1..2 }"),
        ("fn f() { 0. .sqrt() }", "fn f() { 0..sqrt() }"),
        ('fn f() { "a\\\\\n b" }', 'fn f() { "a\\\\\nb" }'),
        ("fn f() { unsafe { a } }", "fn f() { { a } }"),
        ("struct A { pub b: C }", "struct A { b: C }"),
    ],
    "java": [
        ('class A { String b = "c d"; }', 'class A { String b = "c  d"; }'),
        ("class A { int a = b+ +c; }", "class A { int a = b++ +c; }"),
    ],
    "c": [
        ("#define F (x)\n", "#define F(x)\n"),
        ("#define A\nB\n", "#define A B\n"),
        ("int x = a & &b;", "int x = a && b;"),
    ],
    "cpp": [('auto a = R"(b  c)";', 'auto a = R"(b c)";')],
    "csharp": [('class A { string b = $"{c} d"; }', 'class A { string b = $"{c}d"; }')],
    "ruby": [
        ("foo [1]\n", "foo[1]\n"),
        ("a\n-b\n", "a -b\n"),
        ("x = <<A\n b\nA\n", "x = <<A\n  b\nA\n"),
        ("# frozen_string_literal: true\na\n", "# frozen_string_literal: false\na\n"),
    ],
    "php": [("<?php $a = 1 . 2;", "<?php $a = 1.2;"), ("<p> a</p><?php b();", "<p>a</p><?php b();")],
    "kotlin": [("val a = b\n-c\n", "val a = b -c\n"), ('val a = "$b "\n', 'val a = "$b"\n')],
    "swift": [("let a = b\n-c\n", "let a = b -c\n"), ("let a = b - c\n", "let a = b -c\n")],
    "scala": [("if a then\n  b\n  c\n", "if a then\n  b\nc\n")],
    "lua": [("local a = [[ b]]", "local a = [[b]]"), ("x = a - -b", "x = a -b")],
    "bash": [
        ("a 'b  c'\n", "a 'b c'\n"),
        ("a\nb\n", "a b\n"),
        ("[ a = b ]\n", "[ a =b ]\n"),
        ("cat <<A\n b\nA\n", "cat <<A\n  b\nA\n"),
    ],
}

_PAIRS = [(language, *pair) for language, pairs in SAME.items() for pair in pairs]
_OTHERS = [(language, *pair) for language, pairs in DIFFERENT.items() for pair in pairs]


@pytest.mark.parametrize(("language", "one", "other"), _PAIRS)
def test_same_meaning(language: str, one: str, other: str) -> None:
    assert file_hash(one.encode(), language) == file_hash(other.encode(), language)


@pytest.mark.parametrize(("language", "one", "other"), _OTHERS)
def test_other_meaning(language: str, one: str, other: str) -> None:
    assert file_hash(one.encode(), language) != file_hash(other.encode(), language)


def test_every_language_has_a_lexis_and_cases() -> None:
    names = {row.name for row in LANGUAGES}
    assert set(LEXIS) == names
    assert set(SAME) == names - {"python"}


def test_a_language_without_a_row_is_read_by_the_names_in_its_grammar() -> None:
    source = 'defmodule A do\n  def f(x), do: "a  b" <> x # c\nend\n'
    plain = file_hash(source.encode(), "elixir")
    assert plain == file_hash(source.replace(" # c", "").encode(), "elixir")
    assert plain != file_hash(source.replace("a  b", "a b").encode(), "elixir")


@pytest.mark.parametrize(
    ("language", "source", "symbol", "alone"),
    [
        (
            "javascript",
            "let a = 1, f = (x) => {\n  return x\n}\ng()",
            "(x) => {\n  return x\n}",
            "x => { return x; }",
        ),
        (
            "typescript",
            "class A { private b(c: D): E { return 'f' } g = 1 }",
            "private b(c: D): E { return 'f' }",
            "",
        ),
        (
            "go",
            'package a\nimport "b"\nfunc f() (int) { return 1 }\nfunc g() {}\n',
            "func f() (int) { return 1 }",
            "",
        ),
        (
            "rust",
            "use a;\nfn f() -> u8 { match x { A => { 1 } } }\nfn g() {}",
            "fn f() -> u8 { match x { A => { 1 } } }",
            "",
        ),
        ("java", "class A { int f() { return 1; } int g; }", "int f() { return 1; }", ""),
        ("ruby", "class A\n  def f\n    1\n  end\nend\n", "def f\n    1\n  end", ""),
    ],
)
def test_a_symbol_does_not_know_its_surroundings(language: str, source: str, symbol: str, alone: str) -> None:
    start = source.index(symbol)
    span = (start, start + len(symbol))
    whole, hashes = fingerprints(source.encode(), language, [span])
    assert whole == file_hash(source.encode(), language)
    moved = (
        source.replace(symbol, f"/* moved */ {symbol}") if language != "ruby" else source.replace("  ", "\t ")
    )
    place = moved.index("f") if language == "ruby" else moved.index(symbol)
    if language != "ruby":
        assert symbol_hashes(moved.encode(), language, [(place, place + len(symbol))]) == hashes
    if alone:
        padded = f"y = {alone}"
        assert symbol_hashes(padded.encode(), language, [(4, len(padded))]) == hashes
