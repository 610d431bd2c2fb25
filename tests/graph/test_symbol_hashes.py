"""Hashes of a file and its symbols in one go: marking the symbols must not touch the hash of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sctx_tui.graph.extract import extract, parse
from sctx_tui.graph.facts import QUALNAME
from sctx_tui.graph.fingerprint import file_hash
from sctx_tui.graph.symbol_hashes import symbol_hashes

ROOT = Path(__file__).resolve().parents[2]

SOURCES = [
    (
        "python",
        "class A:\n    '''Doc.'''\n\n    x = 1\n\n    def f(self):\n        'Doc'\n        return 1\n",
    ),
    ("python", "def f():\n    '''Doc.'''\n    # first\n    return 1\n    # last\n\n\nx = 1\n"),
    ("python", "def f():\n    if a:\n        return 1\n        # why\n    # end\n"),
    ("python", "def f():\n    'Doc'\n    'alone'\n    return (lambda: 1)\n"),
    ("python", "class A: pass\nclass B: x = 1; y = 2\n"),
    ("python", "def f():\n    return 1\n\n\n'alone'\n\n\ndef g(): pass\n"),
    (
        "go",
        "package a\n\nfunc f() any {\n\tv := struct {\n\t\tA string\n\t}{\n\t\tA: g(),\n\t}\n\treturn v\n}\n",
    ),
    (
        "go",
        "package a\n\ntype T struct {\n\tf func() error\n}\n\nfunc (t T) g() {\n\th := func() {}\n\th()\n}\n",
    ),
    (
        "typescript",
        "export const f: (\n  a: unknown,\n  b: string,\n) => asserts a is (\n  ...c: unknown[]\n) => unknown"
        " =\n  (a: unknown) => {}\n",
    ),
    ("typescript", "class A {\n  private b(c: D): E { return 'f' }\n  g = () => 1\n}\n"),
    ("javascript", "export default (function () { return 1 })\n"),
    (
        "rust",
        "impl A {\n    fn f() -> u8 {\n        match x {\n            A => { 1 }\n        }\n    }\n}\n",
    ),
    ("c", "static int f(void) { return 1; } }\nint g(void) {\n  return 2;\n}\n"),
    ("python", "def f():\n    return 1\n\ndef g(:\n    pass\n"),
]


@pytest.mark.parametrize(("language", "source"), SOURCES)
def test_symbols_leave_the_hash_of_the_file_alone(language: str, source: str) -> None:
    data = source.encode()
    tree = parse(data, language)
    facts = extract("a", data, language, tree)
    whole, hashes = symbol_hashes(data, language, tree, facts)
    assert whole == file_hash(data, language)
    assert hashes[0] == (whole, None)


def test_nor_in_real_files() -> None:
    for path in sorted(ROOT.glob("sctx_tui/graph/*.py")):
        data = path.read_bytes()
        tree = parse(data, "python")
        whole, _ = symbol_hashes(data, "python", tree, extract(path.name, data, "python", tree))
        assert whole == file_hash(data, "python"), path


def _hashes(language: str, source: str) -> dict[str, str | None]:
    data = source.encode()
    tree = parse(data, language)
    facts = extract("a", data, language, tree)
    _, hashes = symbol_hashes(data, language, tree, facts)
    return {row[QUALNAME]: hashes[index][0] for index, row in enumerate(facts["symbols"]) if hashes[index][0]}


LAYOUTS = [
    ("javascript", "const f = (x) => g(x, 1)\n", "const f =\n  x =>\n    g(x, 1);\n"),
    ("javascript", "f = function () { return 1 }; h()\n", "f =\n  function () {\n    return 1\n  }\nh()\n"),
    (
        "javascript",
        "x = { a: () => 1, b() { return 2 } }\n",
        "x = {\n  a: () =>\n    1,\n  b() { return 2; },\n}\n",
    ),
    (
        "javascript",
        "class A { a = () => 1; b() {} c() {} }\n",
        "class A {\n  a = () => 1\n  b() {}\n  c() {}\n}\n",
    ),
    ("javascript", "let f = () => 1, g = () => 2\n", "let f = () => 1,\n  g = () => 2;\n"),
    ("javascript", "function f() {}(g)()\n", "function f() {}\n(g)();\n"),
    ("javascript", "f = () => 1 // why\ng = () => 2\n", "f = () => 1;\ng = () => 2;\n"),
    ("typescript", "let a = 1 as const\nfunction f() {}\n", "let a = 1 as const; function f() {}\n"),
    ("typescript", "export const f = (): A => b\n", "export const f =\n  (): A =>\n    b;\n"),
    ("typescript", "@a class B { @c() d() {} }\n", "@a\nclass B {\n  @c()\n  // why\n  d() {}\n}\n"),
    ("tsx", "const A = () => (<p>a</p>)\n", "const A = () => <p>\n  a\n</p>;\n"),
    ("python", "@a\ndef f(): return 1\n", "@a\n# why\n\ndef f():\n    return 1\n"),
    ("python", "class A: f = 1; g = 2\n", "class A:\n    f = 1\n    g = 2\n"),
    ("go", "package a\ntype A struct { b int }\n", "package a\n\ntype A struct {\n\tb int\n}\n"),
    (
        "go",
        "package a\ntype A struct { b struct { c int } }\n",
        "package a\ntype A struct {\n b struct { c int }\n}\n",
    ),
    ("go", "package a\ntype A interface { b(); c() }\n", "package a\ntype A interface {\n\tb()\n\tc()\n}\n"),
    ("rust", "#[a] fn f() {} fn g() {}\n", "#[a]\n/// Doc.\nfn f() {\n}\nfn g() {}\n"),
]


@pytest.mark.parametrize(("language", "one", "other"), LAYOUTS)
def test_on_which_lines_a_symbol_stands_says_nothing(language: str, one: str, other: str) -> None:
    assert _hashes(language, one) == _hashes(language, other)
    assert _hashes(language, one)


IN_FRONT = [
    ("python", "@a\ndef f(): pass\n", "@b\ndef f(): pass\n", "f"),
    ("python", "class A:\n    @a\n    def f(self): pass\n", "class A:\n    def f(self): pass\n", "A.f"),
    ("typescript", "class A { @a b() {} }\n", "class A { @c b() {} }\n", "A.b"),
    ("typescript", "const f: A = () => 1\n", "const f: B = () => 1\n", "f"),
    ("javascript", "export function f() {}\n", "function f() {}\n", "f"),
    ("rust", "#[a]\nfn f() {}\n", "#[b]\nfn f() {}\n", "f"),
    ("rust", "#[a]\n#[b]\nfn f() {}\n", "#[b]\nfn f() {}\n", "f"),
    ("go", "package a\n\n//go:noinline\nfunc f() {}\n", "package a\n\nfunc f() {}\n", "f"),
]


@pytest.mark.parametrize(("language", "one", "other", "name"), IN_FRONT)
def test_what_stands_in_front_of_a_symbol_belongs_to_it(
    language: str, one: str, other: str, name: str
) -> None:
    assert _hashes(language, one)[name] != _hashes(language, other)[name]


def test_code_in_a_string_has_no_hash_and_spoils_none() -> None:
    code = "exec('def g(): pass')\n\ndef f(): return 1\n"
    assert _hashes("python", code)["f"] == _hashes("python", "def f():\n    return 1\n")["f"]


def test_but_not_to_its_neighbours() -> None:
    one, other = (
        _hashes("python", f"@{name}\ndef f(): pass\n\nclass A:\n    @c\n    def g(self): pass\n")
        for name in "ab"
    )
    assert one["A"] == other["A"]
    assert one["A.g"] == other["A.g"]
