"""Semantic hashes of Python: what must not change them, what must, and that no shape of input breaks them."""

from __future__ import annotations

import ast
import random

import pytest

from sctx_tui.graph.fingerprint import file_hash, fingerprints, symbol_hashes

SAME = [
    ("x = 1\n", "x=1  # comment\n"),
    ("x = 'a'\n", 'x = "a"\n'),
    ("x = 'it\\'s'\n", 'x = "it\'s"\n'),
    ("x = 'a' 'b'\n", 'x = ("a"\n     "b")\n'),
    ("x = '''a\nb'''\n", 'x = "a\\nb"\n'),
    ("x = u'a' + R'\\d' + B'b'\n", 'x = "a" + r"\\d" + b"b"\n'),
    ("x = '\\x41\\u00e9\\N{BULLET}'\n", 'x = "Aé•"\n'),
    ("x = f'a{b}c'\n", 'x = f"a{ b }c"\n'),
    ("x = f'{a}' 'b' f'{c}{{'\n", 'x = f"{a}b{c}{{"\n'),
    ("x = f'{a = }'\n", "x = f'a = {a!r}'\n"),
    ("x = f'{a[\"k\"]:>{w}}'\n", "x = f\"{a['k']:>{w}}\"\n"),
    ("x = 0XFF + 1E5 + 1_000 + 10J + 0.50\n", "x = 0xff + 100000.0 + 1000 + 10j + .5\n"),
    ("x = 1.\n", "x = 1.0\n"),
    ("f(a, b)\n", "f(\n    a,\n    b,\n)\n"),
    ("from a import b, c\n", "from a import (\n    b,\n    c,  # d\n)\n"),
    ("with a as b, c: pass\n", "with (\n    a as b,\n    c,\n):\n    pass\n"),
    ("with (a as b,): pass\n", "with a as b: pass\n"),
    ("with (a := b, c): pass\n", "with a := b, c: pass\n"),
    ("return_ = (1)\n", "return_ = 1\n"),
    ("for (x, y) in z: pass\n", "for x, y in z:\n    pass\n"),
    ("for (x) in z: pass\n", "for x in z: pass\n"),
    ("x = 1, 2\n", "x = (1, 2)\n"),
    ("x = 1,\n", "x = (1,)\n"),
    ("del (a, b)\n", "del a, b\n"),
    ("a[1, 2]\n", "a[(1, 2)]\n"),
    ("print((yield))\n", "print( (yield) )\n"),
    ("x = (a + b) + c\n", "x = a + b + c\n"),
    ("x = a + (b * c)\n", "x = a + b * c\n"),
    ("x = not (a in b)\n", "x = not a in b\n"),
    ("x = -(a ** b)\n", "x = -a ** b\n"),
    ("x = (yield)\n", "x = yield\n"),
    ("if (a := b): pass\n", "if a := b: pass\n"),
    ("class A(): pass\n", "class A:\n    pass\n"),
    ("f((x for x in y))\n", "f(x for x in y)\n"),
    ("f(((x for x in y)))\n", "f(x for x in y)\n"),
    ("match a:\n    case b if (c := d): pass\n", "match a:\n    case b if c := d: pass\n"),
    ("f(k=1, *a)\n", "f(*a, k=1)\n"),
    ("x[::]; x[a::, b]\n", "x[:]; x[a:, b]\n"),
    ("x = a if b else (c if d else e)\n", "x = a if b else c if d else e\n"),
    ("x = (a.b).c[(d)]\n", "x = a.b.c[d]\n"),
    ("if a:\n    b\nelse:\n    if c:\n        d\n", "if a:\n    b\nelif c:\n    d\n"),
    ("a; b\n", "a\nb\n"),
    ("if a: b; c\n", "if a:\n    b\n    c\n"),
    ("x = a \\\n    + b\n", "x = a + b\n"),
    ("x = (\n    a\n    # why\n    + b\n)\n", "x = a + b\n"),
    ("if a:\n    b\n    # end\nc\n", "if a:\n  b\nc\n"),
    ("def f():\n    '''Doc.'''\n    x\n", "def f():\n    x\n"),
    ("def f():\n    '''Doc.'''\n", "def f(): pass\n"),
    ("class A:\n    # c\n    'Doc'\n    x = 1\n", "class A:\n    x = 1\n"),
    ("'Doc'\nimport a\n", "import a\n"),
    ("('Doc')\nimport a\n", "import a\n"),
    ("class A:\n    x = 1\n    'of x'\n", "class A:\n    x = 1\n    'about x'\n"),
    ("match (a):\n    case (b): pass\n", "match a:\n    case b: pass\n"),
    ("match a, b:\n    case (c, d): pass\n", "match (a, b):\n    case [c, d]: pass\n"),
    ("try: a\nexcept (B): c\n", "try:\n    a\nexcept B:\n    c\n"),
    ("try: a\nexcept (B, c.D): e\n", "try:\n    a\nexcept B, c.D:\n    e\n"),
    ("try: a\nexcept* (B, C): d\n", "try:\n    a\nexcept* B, C:\n    d\n"),
    ("@a\ndef f() -> (int): ...\n", "@a\n\ndef f() -> int: ...\n"),
    ("x = 1\r\nif a:\r\n    '''b\r\nc'''\r\n    d\r\n", "x = 1\nif a:\n    'e'\n    d\n"),
    ("x = 'a\\\r\nb'\r\n", "x = 'ab'\n"),
    ("x = 1if a else 0x1for b\n", "x = 1 if a else 0x1f or b\n"),
    ("x = [1.5for a in b]\n", "x = [1.5 for a in b]\n"),
    ("if a: b  # c\nd\n", "if a:\n    b\nd\n"),
    ("\ufeffx = 1\n", "x = 1\n"),
]

DIFFERENT = [
    ("x = 'a'\n", "x = 'b'\n"),
    ("x = 'a\\nb'\n", "x = 'a\\tb'\n"),
    ("x = 'a\\nb'\n", "x = 'a\\nc'\n"),
    ("x = r'\\n'\n", "x = '\\n'\n"),
    ("x = 'a'\n", "x = b'a'\n"),
    ("x = 'a,)'\n", "x = 'a)'\n"),
    ("x = '1e5'\n", "x = '100000.0'\n"),
    ("x = 'a  b'\n", "x = 'a b'\n"),
    ("x = ' a'\n", "x = 'a'\n"),
    ("x = f'a{b}'\n", "x = 'a{b}'\n"),
    ("x = f'a'\n", "x = 'a'\n"),
    ("x = f'{a!r}'\n", "x = f'{a!s}'\n"),
    ("x = f'{a:>3}'\n", "x = f'{a:>4}'\n"),
    ("x = f'{a}{{b}}'\n", "x = f'{a}{b}'\n"),
    ("x = f'{a = }'\n", "x = f'{a=}'\n"),
    ("x = '#a'\n", "x = '#b'\n"),
    ("x = ['a', 'b']\n", "x = ['a' 'b']\n"),
    ("x = (1,)\n", "x = (1)\n"),
    ("x = 1,\n", "x = 1\n"),
    ("a[1,]\n", "a[1]\n"),
    ("f(a, b)\n", "f((a, b))\n"),
    ("x = (a + b) * c\n", "x = a + b * c\n"),
    ("x = a - (b - c)\n", "x = a - b - c\n"),
    ("x = (a or b) or c\n", "x = a or b or c\n"),
    ("x = (-a) ** b\n", "x = -a ** b\n"),
    ("x = (a < b) < c\n", "x = a < b < c\n"),
    ("x = (not a) in b\n", "x = not a in b\n"),
    ("x = (lambda: a)()\n", "x = lambda: a()\n"),
    ("x = (a if b else c).d\n", "x = a if b else c.d\n"),
    ("x = (yield) + a\n", "x = yield + a\n"),
    ("(x): int = 1\n", "x: int = 1\n"),
    ("f'{(lambda: x)}'\n", "f'{lambda: x}'\n"),
    ("try: a\nexcept (B, C): d\n", "try: a\nexcept (B, D): d\n"),
    ("if a:\n    b\n    c\n", "if a:\n    b\nc\n"),
    ("if a:\n    if b:\n        c\n    else:\n        d\n", "if a:\n    if b:\n        c\nelse:\n    d\n"),
    ("if a:\n    b\nelif c:\n    d\n", "if a:\n    b\nif c:\n    d\n"),
    ("a\n(b)\n", "a(b)\n"),
    ("a\n-b\n", "a - b\n"),
    ("return_\nx\n", "return_ = x\n"),
    ("def f(): pass\n", "async def f(): pass\n"),
    ("def f(a: int): pass\n", "def f(a: str): pass\n"),
    ("def f() -> int: pass\n", "def f(): pass\n"),
    ("def f():\n    pass\n    x = 1\n", "def f():\n    x = 1\n    y = 1\n"),
    ("def f(): ...\n", "def f(): pass\n"),
    ("@a\ndef f(): pass\n", "def f(): pass\n"),
    ("class A:\n    x = 1\n    'doc'\n", "class A:\n    'doc'\n    x = 1\n"),
    ("x = 10\n", "x = 1_1\n"),
    ("x = 1\n", "x = 1.0\n"),
    ("x = 1.5j\n", "x = 1.5\n"),
    ("import a, b\n", "import b, a\n"),
    ("del a, b\n", "del b, a\n"),
    ("match a:\n    case B | (C | D): pass\n", "match a:\n    case B | C | D: pass\n"),
    ("print >>f, x\n", "print(f, x)\n"),
    ("x = a and b\n", "x = a or b\n"),
    ("x = a is b\n", "x = a is not b\n"),
    ("f(a=1)\n", "f(b=1)\n"),
    ("f(*a)\n", "f(**a)\n"),
    ("x = '#\\\r\n#a'\r\n", "x = '#\\\r\n#b'\r\n"),
    ("x = '\x01'\n", "x = '\\x1a01'\n"),
    ("x = b'\x01'\n", "x = b'\\x1a01'\n"),
    ("x[a:b]\n", "x[a::b]\n"),
    ("with ((a, b)): pass\n", "with (a, b): pass\n"),
    ("async def f(): await a ** b\n", "async def f(): await (a ** b)\n"),
    ("a = yield_\n", "a == yield_\n"),
    ("lambda a, /, b: c\n", "lambda a, b: c\n"),
    ("match a:\n    case [b, *_]: c\n", "match a:\n    case [b, _]: c\n"),
    ("from .a import b\n", "from ..a import b\n"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same_meaning(one: str, other: str) -> None:
    assert file_hash(one.encode(), "python") == file_hash(other.encode(), "python")


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_meaning(one: str, other: str) -> None:
    assert file_hash(one.encode(), "python") != file_hash(other.encode(), "python")


class _Sentences:
    """Random programs with random redundant parentheses."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def wrapped(self, depth: int) -> str:
        text = self.expression(depth)
        while self.random.random() < 0.3:
            text = f"({text})"
        return text

    def expression(self, depth: int) -> str:
        pick = self.random.choice
        if depth <= 0:
            return pick(["a", "b", "1", "0xff", "255", "1.50", '"s"', "'s'", '"s" "t"', 'f"{a}"', "()"])

        def part() -> str:
            return self.wrapped(depth - 1)

        return pick(
            [
                lambda: (
                    f"{part()} {pick(['+', '-', '*', '/', '%', '**', '<<', '&', '|', '^', '@'])} {part()}"
                ),
                lambda: f"{part()} {pick(['and', 'or'])} {part()}",
                lambda: f"{part()} {pick(['<', '==', 'in', 'not in', 'is', 'is not'])} {part()}",
                lambda: f"{pick(['not ', '-', '~', 'await '])}{part()}",
                lambda: f"{part()} if {part()} else {part()}",
                lambda: f"lambda a: {part()}",
                lambda: f"({part()},)",
                lambda: f"({part()}, {part()})",
                lambda: f"[{part()}, {part()}{pick(['', ','])}]",
                lambda: f"{part()}.real",
                lambda: f"f({part()}, k={part()}{pick(['', ','])})",
                lambda: f"{part()}({part()})",
                lambda: f"{part()}[{part()}:{part()}, {part()}]",
                lambda: f"(z := {part()})",
                lambda: f"[q for q in {part()} if {part()}]",
                lambda: f"f(q for q in {part()})",
                lambda: f"{{{part()}: {part()}}}",
            ]
        )()

    def program(self) -> str:
        value = self.wrapped(2)
        pick = self.random.choice
        head = pick(["x = ", "x, y = 1, ", "return ", "assert ", "a[b, c] = ", "del_ += ", ""])
        if pick([True, False]):
            return f"async def f():\n  if {value}:\n    {head}{self.wrapped(1)}\n    pass\n"
        return f"async def f():\n  {head}{value}\n"


@pytest.mark.parametrize("seed", range(4))
def test_hashes_are_equal_where_syntax_trees_are(seed: int) -> None:
    sentences = _Sentences(seed)
    by_hash: dict[str, str] = {}
    by_tree: dict[str, str] = {}
    for _ in range(400):
        source = sentences.program()
        try:
            tree = ast.parse(source)
            variants = [source, ast.unparse(tree) + "\n"]
        except (SyntaxError, ValueError):
            continue
        dump = ast.dump(tree)
        for variant in variants:
            found = file_hash(variant.encode(), "python")
            assert by_hash.setdefault(found, dump) == dump, variant
            assert by_tree.setdefault(dump, found) == found, variant
    assert len(by_hash) > 200


SYMBOLS = b'''"""Doc."""
import a
X = 1
class A(B):
    """Doc."""

    @property
    def f(self, x='a'):
        return (x, "b")  # comment

    def g(self): return 1,
def h():
    def inner():
        # here
        pass
    return inner
'''


def _spans(source: bytes, *texts: bytes) -> list[tuple[int, int]]:
    spans = []
    for text in texts:
        start = source.index(text)
        spans.append((start, start + len(text)))
    return spans


def test_symbols_are_hashed_like_files_of_their_own() -> None:
    method = b"def f(self, x='a'):\n        return (x, \"b\")"
    inner = b"def inner():\n        # here\n        pass"
    whole, hashes = fingerprints(SYMBOLS, "python", _spans(SYMBOLS, inner, b"X = 1", method))
    assert whole == file_hash(SYMBOLS, "python")
    alone = b'def f(self, x="a"):\n    return x, "b"\n'
    assert hashes[2] == symbol_hashes(alone, "python", [(0, len(alone) - 1)])[0]
    alone = b"def inner(): pass"
    assert hashes[0] == symbol_hashes(alone, "python", [(0, len(alone))])[0]
    assert len(set(hashes)) == 3


def test_a_change_concerns_the_symbols_around_it_alone() -> None:
    texts = (b"class A(B)" + SYMBOLS.split(b"class A(B)")[1].split(b"\ndef h")[0], b"X = 1")
    before = symbol_hashes(SYMBOLS, "python", _spans(SYMBOLS, *texts))
    changed = SYMBOLS.replace(b"return 1,", b"return 2,")
    after = symbol_hashes(changed, "python", _spans(changed, texts[0].replace(b"1,", b"2,"), texts[1]))
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_range_that_ends_in_a_comment_is_hashed_all_the_same() -> None:
    source = b"x = 1  # one\ny = 2\n"
    whole, hashes = fingerprints(source, "python", [(0, 10), (13, 18)])
    assert whole == file_hash(source, "python")
    assert len(hashes) == 2


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\n",
        b"# only\n",
        b"'''doc'''",
        b"x = (",
        b"def f(:\n  x\n",
        b"\xff\xfe = 1\n",
        b"x = '\xe9'\n",
        b"x = '\x01\x02\x03\x7f'\n",
        b"\x00\x01 x\n",
        b"x = " + b"(" * 3000 + b"1" + b")" * 3000 + b"\n",
        b"x = " + b"-" * 3000 + b"1\n",
        b"x = " + b"+".join([b"a"] * 20000) + b"\n",
        b"x = [" + b"(1,)," * 50000 + b"]\n",
        b"x = '" + b"a" * 1_000_000 + b"'\n",
        b"".join(b" " * depth + b"if a:\n" for depth in range(90)) + b" " * 90 + b"b\n",
        b"x = " + b"9" * 10_000 + b"\n",
        b"x = '\\N{NO SUCH CHARACTER}' + '\\U99999999'\n",
    ],
)
def test_any_input_has_a_hash(source: bytes) -> None:
    assert len(file_hash(source, "python")) == 32
    assert file_hash(source, "python") == file_hash(bytes(source), "python")


def test_a_very_long_sum_is_taken_literally_rather_than_for_ever() -> None:
    long = b"x = " + b" + ".join([b"a"] * 2000) + b"\n"
    assert file_hash(long, "python") == file_hash(long + b"# end\n", "python")
    assert file_hash(long, "python") != file_hash(long.replace(b"a + a", b"(a + a)", 1), "python")


def test_control_characters_in_strings_count() -> None:
    assert file_hash(b"x = '\x01'\n", "python") != file_hash(b"x = '\x02'\n", "python")


def test_broken_code_is_taken_literally_but_for_comments() -> None:
    broken = b"def f(:\n  if a:\n    b  # c\n"
    assert file_hash(broken, "python") == file_hash(broken.replace(b"  # c", b""), "python")
    assert file_hash(broken, "python") != file_hash(broken.replace(b"    b", b"  b"), "python")
