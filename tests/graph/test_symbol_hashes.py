"""Hashes of a file and its symbols in one go: marking the symbols must not touch the hash of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sctx_tui.graph.extract import extract, parse
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
