"""The linker's rules, one small Python program each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CallsOf = Callable[[dict[str, str]], set[str]]

ONE_FILE = {
    "the last of two assignments": (
        "def red(): pass\ndef blue(): pass\npaint = red\npaint = blue\npaint()",
        {"<module> -> blue"},
    ),
    "either branch": (
        "def up(): pass\ndef down(): pass\nif day:\n    go = up\nelse:\n    go = down\ngo()",
        {"<module> -> up", "<module> -> down"},
    ),
    "an arm that returns": (
        "def a(): pass\ndef b(): pass\ndef f(x):\n    g = a\n    if x:\n        g = b\n"
        "        return\n    g()",
        {"f -> a"},
    ),
    "a loop comes round": (
        "def a(): pass\ndef b(): pass\ng = a\nfor _ in 'xy':\n    g()\n    g = b",
        {"<module> -> a", "<module> -> b"},
    ),
    "a handler sees the body": (
        "class Pipe:\n    def shut(self): pass\n"
        "def f():\n    p = None\n    try:\n        p = Pipe()\n        risky()\n"
        "    except OSError:\n        p.shut()",
        {"f -> Pipe", "f -> Pipe.shut"},
    ),
    "a function as argument": (
        "def ring(): pass\ndef call(f): f()\ncall(ring)",
        {"<module> -> call", "call -> ring"},
    ),
    "a function given on": (
        "def ring(): pass\ndef inner(f): f()\ndef outer(f): inner(f)\nouter(f=ring)",
        {"<module> -> outer", "outer -> inner", "inner -> ring"},
    ),
    "what it was given here": (
        "def same(f): return f\ndef a(): pass\ndef b(): pass\nsame(a)\nsame(b)()",
        {"<module> -> same", "<module> -> b"},
    ),
    "objects remember what made them": (
        "class Bell:\n    def __init__(self, f): self.f = f\n"
        "def a(): pass\ndef b(): pass\none = Bell(a)\ntwo = Bell(b)\ntwo.f()",
        {"<module> -> Bell.__init__", "<module> -> b"},
    ),
    "a returned closure": (
        "def make():\n    def inner(): pass\n    return inner\nmake()()",
        {"<module> -> make", "<module> -> make.inner"},
    ),
    "a dictionary by key": (
        "def a(): pass\ndef b(): pass\ntable = {'a': a, 'b': b}\ntable['b']()",
        {"<module> -> b"},
    ),
    "a list that grew": (
        "def a(): pass\nhooks = []\nhooks.append(a)\nfor h in hooks: h()",
        {"<module> -> a"},
    ),
    "a decorator that wraps": (
        "def loud(f):\n    def inner(): f()\n    return inner\n@loud\ndef speak(): pass\nspeak()",
        {"<module> -> loud", "<module> -> loud.inner", "loud.inner -> speak"},
    ),
    "a decorator from outside": (
        "import functools\n@functools.cache\ndef f(): pass\nf()",
        {"<module> -> f"},
    ),
    "method of a base class": (
        "class A:\n    def run(self): self.step()\n    def step(self): pass\nclass B(A): pass\nB().run()",
        {"<module> -> B", "<module> -> A.run", "A.run -> A.step"},
    ),
    "a base class of very many": (
        "class A:\n    def run(self): self.step()\n    def step(self): pass\n"
        + "".join(f"class B{n}(A): pass\nB{n}().run()\n" for n in range(20))
        + "".join(f"class C{n}:\n    def step(self): pass\n" for n in range(4)),
        {"A.run -> A.step", "<module> -> A.run", *(f"<module> -> B{n}" for n in range(20))},
    ),
    "the diamond": (
        "class A:\n    def f(self): pass\nclass B(A): pass\nclass C(A):\n    def f(self): pass\n"
        "class D(B, C): pass\nd = D()\nd.f()",
        {"<module> -> D", "<module> -> C.f"},
    ),
    "super": (
        "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): super().f()",
        {"B.f -> A.f"},
    ),
    "an abstract method means its implementation": (
        "class A:\n    def run(self): self.step()\n    def step(self): raise NotImplementedError\n"
        "class B(A):\n    def step(self): pass",
        {"A.run -> B.step"},
    ),
    "an attribute that subclasses bring": (
        "class Tool:\n    def use(self): pass\nclass A:\n    def run(self): self.tool.use()\n"
        "class B(A):\n    tool = Tool()",
        {"B -> Tool", "A.run -> Tool.use"},
    ),
    "a property is called by reading": (
        "class A:\n    @property\n    def size(self): pass\ndef f(a: A): return a.size",
        {"f -> A.size"},
    ),
    "a setter is called by writing": (
        "class A:\n    @property\n    def size(self): pass\n    @size.setter\n    def size(self, n): note()\n"
        "def note(): pass\ndef f(a: A): a.size = 1",
        {"f -> A.size", "A.size -> note"},
    ),
    "with": (
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): pass\n"
        "    def f(self): pass\n"
        "with A() as a: a.f()",
        {"<module> -> A", "<module> -> A.__enter__", "<module> -> A.__exit__", "<module> -> A.f"},
    ),
    "iteration": (
        "class A:\n    def __iter__(self): return self\n    def __next__(self): return f\n"
        "def f(): pass\nfor g in A(): g()",
        {"<module> -> A", "<module> -> A.__iter__", "<module> -> A.__next__", "<module> -> f"},
    ),
    "generators": (
        "def f(): pass\ndef gen(): yield f\nfor g in gen(): g()",
        {"<module> -> gen", "<module> -> f"},
    ),
    "operators": (
        "class A:\n    def __add__(self, o): return self\n    def f(self): pass\n(A() + A()).f()",
        {"<module> -> A", "<module> -> A.__add__", "<module> -> A.f"},
    ),
    "isinstance": (
        "class A:\n    def f(self): pass\ndef g(x):\n    if isinstance(x, A): x.f()",
        {"g -> A.f"},
    ),
    "map and sorted": (
        "def f(x): pass\ndef k(x): pass\nlist(map(f, [1]))\nsorted([1], key=k)",
        {"<module> -> f", "<module> -> k"},
    ),
    "getattr by name": (
        "class A:\n    def f(self): pass\ngetattr(A(), 'f')()",
        {"<module> -> A", "<module> -> A.f"},
    ),
    "code in a string": ("def f(): pass\nexec('f()')", {"<module> -> f"}),
    "raise": (
        "class E(Exception):\n    def __init__(self): pass\ndef f(): raise E",
        {"f -> E.__init__"},
    ),
    "nested functions of one name": (
        "def a():\n    def f(): pass\n    f()\ndef b():\n    def f(): pass\n    f()",
        {"a -> a.f", "b -> b.f"},
    ),
    "global": (
        "class A:\n    def f(self): pass\nit = None\ndef init():\n    global it\n    it = A()\n"
        "def use(): it.f()",
        {"init -> A", "use -> A.f"},
    ),
    "a unique name, nothing known of the receiver": (
        "class A:\n    def unusual(self): pass\ndef f(x): x.unusual()",
        {"f -> A.unusual"},
    ),
    # none of these is a call of the repository's method
    "list.append": ("class A:\n    def append(self, x): pass\nxs = []\nxs.append(1)", set()),
    "dict.get": ("class A:\n    def get(self, x): pass\ndef f(d: dict): d.get(1)", set()),
    "a module from outside": (
        "import requests\nclass A:\n    def fetch(self): pass\nrequests.fetch()",
        set(),
    ),
    "what an outside call gives": (
        "import lib\nclass A:\n    def run(self): pass\nlib.make().run()",
        set(),
    ),
    "a base class from outside": (
        "from lib import Base\nclass A(Base):\n    def f(self): self.help()\nclass B:\n"
        "    def help(self): pass",
        set(),
    ),
}


@pytest.mark.parametrize("case", ONE_FILE)
def test_one_file(calls_of: CallsOf, case: str) -> None:
    text, expected = ONE_FILE[case]
    found = calls_of({"main.py": text})
    assert found == expected


FILES = {
    "module alias": (
        {"a.py": "def f(): pass", "m.py": "import a as x\nx.f()"},
        {"m.py::<module> -> a.py::f"},
    ),
    "name alias": (
        {"a.py": "def f(): pass", "m.py": "from a import f as g\ng()"},
        {"m.py::<module> -> a.py::f"},
    ),
    "re-export": (
        {"p/__init__.py": "from .b import f", "p/b.py": "def f(): pass", "m.py": "import p\np.f()"},
        {"m.py::<module> -> p/b.py::f"},
    ),
    "star": (
        {"a.py": "def f(): pass\ndef _g(): pass", "m.py": "from a import *\nf()\n_g()"},
        {"m.py::<module> -> a.py::f"},
    ),
    "star and __all__": (
        {"a.py": "__all__ = ['f']\ndef f(): pass\ndef g(): pass", "m.py": "from a import *\nf()\ng()"},
        {"m.py::<module> -> a.py::f"},
    ),
    "parent package": (
        {
            "r/__init__.py": "",
            "r/p/__init__.py": "",
            "r/p/a.py": "from ..q import f\nf()",
            "r/q.py": "def f(): pass",
        },
        {"r/p/a.py::<module> -> r/q.py::f"},
    ),
    "submodule": (
        {"p/__init__.py": "from . import a", "p/a.py": "def f(): pass", "m.py": "import p\np.a.f()"},
        {"m.py::<module> -> p/a.py::f"},
    ),
    "src layout": (
        {"src/p/__init__.py": "def f(): pass", "tests/t.py": "from p import f\nf()"},
        {"tests/t.py::<module> -> src/p/__init__.py::f"},
    ),
    "inside a function": (
        {"a.py": "def f(): pass", "m.py": "def g():\n    from a import f\n    f()"},
        {"m.py::g -> a.py::f"},
    ),
    "a stand-in for a failed import": (
        {
            "a.py": "def f(): pass",
            "m.py": "try:\n    from a import f\nexcept ImportError:\n    def f(): pass\nf()",
        },
        {"m.py::<module> -> a.py::f"},
    ),
    "an attribute set elsewhere": (
        {
            "a.py": "def f(): pass\ndef install(c): c.hook = f",
            "m.py": "from a import install\nclass C: pass\nc = C()\ninstall(c)\nc.hook()",
        },
        {"m.py::<module> -> m.py::C", "m.py::<module> -> a.py::install", "m.py::<module> -> a.py::f"},
    ),
    "the same class name twice": (
        {
            "a.py": "class Log:\n    def write_line(self): pass",
            "b.py": "class Log:\n    def write_line(self): pass",
            "m.py": "from b import Log\nLog().write_line()",
        },
        {"m.py::<module> -> b.py::Log", "m.py::<module> -> b.py::Log.write_line"},
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_several_files(calls_of: CallsOf, case: str) -> None:
    files, expected = FILES[case]
    assert calls_of(files) == expected


@pytest.mark.parametrize(
    "text",
    [
        "class W(W):\n    def f(self): self.gone()",
        "class A(B):\n    def f(self): self.gone()\nclass B(A): pass",
        "def f(): return f()\nf()()",
        "x = x\nx()",
        "def f(g): return f(lambda: g())\nf(f)",
        "xs = []\nxs.append(xs)\nxs[0][0][0]()",
        "def f(*a, **k): return f(*a, **k)\nf(f, f=f)",
        "import importlib\nimportlib.import_module('').f()",
    ],
)
def test_cycles_end(calls_of: CallsOf, text: str) -> None:
    calls_of({"main.py": text})


def test_long_chains_of_definitions(calls_of: CallsOf) -> None:
    steps = "\n".join(f"def f{i}(): return f{i + 1}()" for i in range(400))
    found = calls_of({"main.py": steps + "\ndef f400(): return g\ndef g(): pass\nf0()()"})
    assert "<module> -> g" in found


def test_the_order_of_files_does_not_matter(calls_of: CallsOf) -> None:
    files = FILES["an attribute set elsewhere"][0]
    assert calls_of(files) == calls_of(dict(reversed(files.items())))
