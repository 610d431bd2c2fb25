"""What Python itself does for a program, one small program each: containers, texts, operators, builtins."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import QUALNAME
from sctx_tui.graph.link import link

CallsOf = Callable[[dict[str, str]], set[str]]

TWO = "def a(): pass\ndef b(): pass\n"
CONTAINERS = {
    "a slice begins later": ("xs = [a, b]\nxs[1:][0]()", {"b"}),
    "a slice ends earlier": ("xs = [a, b]\nfor f in xs[:1]: f()", {"a"}),
    "from the end": ("xs = [a, b]\nxs[-1]()", {"b"}),
    "what a star leaves": ("*xs, f = a, a, b\nf()", {"b"}),
    "what a star takes": ("f, *xs = a, b\nxs[0]()", {"b"}),
    "update by key": ("d = {'k': a}\nd.update({'k': b})\nd['k']()", {"b"}),
    "update by keyword": ("d = {}\nd.update(k=b)\nd['k']()", {"b"}),
    "update with another": ("d, e = {}, {'k': b}\nd.update(e)\nd['k']()", {"b"}),
    "a later key wins": ("d = {'k': a, **{'k': b}}\nd['k']()", {"b"}),
    "a spread that may lack the key": ("def f(o): return {'k': a, **o}['k']\nf({'l': b})()", {"f", "a"}),
    "joined dictionaries": ("d = {'k': a} | {'l': b}\nd['l']()", {"b"}),
    "overwritten": ("d = {'k': a}\nd['k'] = b\nd['k']()", {"b"}),
    "one value for all keys": ("dict.fromkeys('xy', a)['x']()", {"a"}),
    "an iterator by calls": ("def make(): return a\nfor f in iter(make, None): f()", {"make", "a"}),
}
SPECIAL = {
    "the other operand's": ("class A:\n    def __radd__(self, o): pass\n1 + A()", {"A.__radd__"}),
    "in a text": ("class A:\n    def __str__(self): pass\nf'{A()}'", {"A.__str__"}),
    "as it is in code": ("class A:\n    def __repr__(self): pass\nf'{A()!r}'", {"A.__repr__"}),
    "by percent": ("class A:\n    def __str__(self): pass\nx = A()\n'%s %s' % (1, x)", {"A.__str__"}),
    "by a slice": ("class A:\n    def __getitem__(self, k): pass\nA()[1:]", {"A.__getitem__"}),
    "unpacked": ("class A:\n    def __iter__(self): yield a\nx, y = A()\nx()", {"A.__iter__", "a"}),
    "sorted": ("class A:\n    def __lt__(self, o): pass\nsorted([A()])", {"A.__lt__"}),
    "added up": ("class A:\n    def __radd__(self, o): pass\nsum([A()])", {"A.__radd__"}),
    "operator": (
        "import operator\nclass A:\n    def __mul__(self, o): pass\noperator.mul(A(), 2)",
        {"A.__mul__"},
    ),
    "the base's property": (
        "class A:\n    @property\n    def p(self): pass\nclass B(A):\n    def m(self): super().p\nB().m()",
        {"B.m", "B.m: A.p"},
    ),
}
GOES = "".join(f"class {one}:\n    def go(self): pass\n" for one in ("A", "B(A)", "C"))
OTHERS = {
    "a cast to a class": ("import typing as t\ndef f(v): t.cast(A, v).go()\n" + GOES, {"f: A.go"}),
    "a cast to a quoted class": (
        "from typing import cast\ndef f(v): cast('A', v).go()\n" + GOES,
        {"f: A.go"},
    ),
    "a cast to elements": (
        "from typing import cast\ndef f(v):\n    for x in cast(list[A], v): x.go()\n" + GOES,
        {"f: A.go"},
    ),
    "a cast of what is known": (
        "from typing import cast\n" + GOES + "cast('A', B()).go()\ncast('t.Any', A()).go()",
        {"B.go", "A.go"},
    ),
    "a type variable's bound": (
        "import typing as t\n" + GOES + "T = t.TypeVar('T', bound=A)\nU = t.TypeVar('U', bound='A')\n"
        "def f(v: T): v.go()\ndef g(v: U): v.go()\ndef h(v: type[T]): v().go()",
        {"f: A.go", "g: A.go", "h: A.go"},
    ),
    "a cast of a class": (
        "import typing as t\n" + GOES + "def f(cls=None):\n    if cls is None: cls = t.cast('type[T]', A)\n"
        "    return cls()\nf().go()",
        {"f", "A.go"},
    ),
    "arguments that were given before": (
        "from functools import partial\ndef f(x, g): g()\npartial(f, 1)(b)\npartial(f, g=a)(1)",
        {"f", "f: a", "f: b"},
    ),
    "a method at hand that only subclasses have objects of": (
        "class A:\n    def run(self): self.step()\n    def step(self): pass\n"
        "class B(A):\n    def step(self): pass\nB().run()",
        {"A.run", "A.run: B.step"},
    ),
    "a default that is used": ("def f(g=a): g()\nf()\nf(b)", {"f", "f: a", "f: b"}),
    "a default that nobody uses": ("def f(g=a): g()\nf(b)", {"f", "f: b"}),
    "a default of what nobody calls": ("def f(g=a): g()", {"f: a"}),
    "replaced by a function": ("import re\nre.sub('x', a, 'y')", {"a"}),
    "groups by key": ("import itertools\nitertools.groupby([1], key=a)", {"a"}),
    "submitted": (
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as e:\n    e.submit(a)",
        {"a"},
    ),
    "keywords of a pattern": (
        "class P:\n    def __init__(self): self.f = a\nmatch P():\n    case P(f=g): g()",
        {"P.__init__", "a"},
    ),
    "code that gives a function": ("eval('a')()", {"a"}),
}


@pytest.mark.parametrize(
    ("source", "expected"),
    [pytest.param(*case, id=name) for table in (CONTAINERS, SPECIAL, OTHERS) for name, case in table.items()],
)
def test_what_runs(calls_of: CallsOf, source: str, expected: set[str]) -> None:
    """``callee`` of the module, ``caller: callee`` of others; classes without a constructor aside."""
    found = calls_of({"m.py": TWO + source})
    pairs = {tuple(edge.split(" -> ")) for edge in found}
    shown = {callee if caller == "<module>" else f"{caller}: {callee}" for caller, callee in pairs}
    assert {one for one in shown if not one.rpartition(" ")[2].isupper()} == expected


NAMED = "class T:\n    def on_x(self): pass\n    def on_y(self): pass\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("getattr(T(), 'on_' + 'x')()", {"<module> -> T", "<module> -> T.on_x"}),
        ("getattr(T(), 'on_%s' % 'x')()", {"<module> -> T", "<module> -> T.on_x"}),
        ("getattr(T(), 'on_{}'.format('y'))()", {"<module> -> T", "<module> -> T.on_y"}),
        (
            "def go(k): getattr(T(), f'on_{k}')()\ngo('x')",
            {"<module> -> go", "go -> T", "go -> T.on_x"},
        ),
    ],
)
def test_names_that_are_put_together(calls_of: CallsOf, source: str, expected: set[str]) -> None:
    assert calls_of({"m.py": NAMED + source}) == expected


def test_a_name_of_which_only_the_beginning_is_known() -> None:
    """Each method that begins so is a candidate, and none is said to be called."""
    source = NAMED + "    def off(self): pass\nimport sys\ngetattr(T(), 'on_' + sys.argv[1])()"
    facts = extract("m.py", source.encode(), "python")
    found = [edge for edge in link({"m.py": facts})["m.py"] if edge.candidates]
    names = [facts["symbols"][index][QUALNAME] for edge in found for _, index in edge.candidates]
    assert names == ["T.on_x", "T.on_y"]


def test_names_that_a_module_adds_to_its_public_ones(calls_of: CallsOf) -> None:
    files = {
        "a.py": "__all__ = ['f']\n__all__ += ['_g']\ndef f(): pass\ndef _g(): pass\n",
        "b.py": "from a import *\nf()\n_g()\n",
    }
    assert calls_of(files) == {"b.py::<module> -> a.py::f", "b.py::<module> -> a.py::_g"}


def test_a_folder_is_not_taken_for_a_module_of_python(calls_of: CallsOf) -> None:
    files = {
        "src/m.py": "import typing as t\nfrom shelf import x\nclass A:\n    def go(self): pass\n"
        "def f(v): t.cast(A, v).go()\nx.y()",
        "src/n.py": "class B:\n    def go(self): pass",
        "tests/typing/some.py": "def cast(a, b): pass",
        "shelf/x.py": "def y(): pass",
    }
    assert calls_of(files) == {"src/m.py::f -> src/m.py::A.go", "src/m.py::<module> -> shelf/x.py::y"}
