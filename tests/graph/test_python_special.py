"""What Python's data model runs by itself: one small program each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CallsOf = Callable[[dict[str, str]], set[str]]

CLASSES = {
    "a subclass is made": (
        "class A:\n    def __init_subclass__(cls, hook): hook()\ndef h(): pass\nclass B(A, hook=h): pass",
        {"A.__init_subclass__", "A.__init_subclass__: h"},
    ),
    "a class with a metaclass is made": (
        "class M(type):\n    def __init__(cls, n, b, d): cls.reg()\n"
        "class A(metaclass=M):\n    @classmethod\n    def reg(cls): pass",
        {"M.__init__", "M.__init__: A.reg"},
    ),
    "the metaclass makes objects": (
        "class M(type):\n    def __call__(cls, *a): return super().__call__(*a)\n"
        "class A(metaclass=M):\n    def __init__(self): pass\n    def m(self): pass\nA().m()",
        {"M.__call__", "M.__call__: A.__init__", "A.m"},
    ),
    "methods of the metaclass": (
        "class M(type):\n    def go(cls): pass\nclass A(metaclass=M): pass\nA.go()",
        {"M.go"},
    ),
    "an object hears its name": (
        "class D:\n    def __set_name__(self, o, n): pass\nclass A:\n    d = D()",
        {"A: D", "A: D.__set_name__"},
    ),
    "classmethod by assignment": (
        "class A:\n    def f(cls): return cls()\n    c = classmethod(f)\n    def m(self): pass\nA.c().m()",
        {"A.f", "A.f: A", "A.m"},
    ),
}
ATTRIBUTES = {
    "a descriptor": (
        "class D:\n    def __get__(self, i, o): return f\n    def __set__(self, i, v): v()\n"
        "def f(): pass\ndef g(): pass\nclass A:\n    d = D()\na = A()\na.d()\na.d = g",
        {"A", "A: D", "D.__get__", "f", "D.__set__", "D.__set__: g"},
    ),
    "a property with a setter by assignment": (
        "class A:\n    def g(self): pass\n    def s(self, v): pass\n    x = property(g, s)\n"
        "a = A()\na.x\na.x = 1",
        {"A", "A.g", "A.s"},
    ),
    "an attribute that isn't there": (
        "class A:\n    def __getattr__(self, n): return f\ndef f(): pass\nA().other()",
        {"A", "A.__getattr__", "f"},
    ),
    "one that is": (
        "class A:\n    def __getattr__(self, n): return f\n    def m(self): pass\ndef f(): pass\nA().m()",
        {"A", "A.m"},
    ),
    "any attribute that is written": (
        "class A:\n    def __init__(self): self.x = 1\n    def __setattr__(self, n, v): pass\nA()",
        {"A.__init__", "A.__init__: A.__setattr__"},
    ),
    "one that is deleted": (
        "class A:\n    def __delattr__(self, n): pass\na = A()\ndel a.x",
        {"A", "A.__delattr__"},
    ),
}
FIELDS = {
    "of a dataclass": (
        "from dataclasses import dataclass\ndef f(): pass\n@dataclass\nclass A:\n    n: int\n    cb: object\n"
        "    def go(self): self.cb()\n    def __post_init__(self): pass\nA(1, f).go()",
        {"A", "A.__post_init__", "A.go", "A.go: f"},
    ),
    "of a base that is one": (
        "from dataclasses import dataclass\ndef f(): pass\ndef g(): pass\n@dataclass\nclass A:\n"
        "    a: object\n@dataclass\nclass B(A):\n    b: object\nx = B(f, b=g)\nx.a()\nx.b()",
        {"B", "f", "g"},
    ),
    "of a named tuple's class": (
        "from typing import NamedTuple, Any\ndef f(): pass\nclass A(NamedTuple):\n    cb: Any\n"
        "    n: int = 0\nx = A(f)\nx.cb()\nx[0]()",
        {"A", "f"},
    ),
    "of a named tuple": (
        "from collections import namedtuple\ndef f(): pass\nA = namedtuple('A', 'n cb')\nx = A(1, cb=f)\n"
        "x.cb()\nx[1]()",
        {"f"},
    ),
}
TRUTH = {
    "an object in a condition": ("class A:\n    def __bool__(self): pass\nif A(): pass", {"A", "A.__bool__"}),
    "its length stands in": ("class A:\n    def __len__(self): pass\na = A()\nx = not a", {"A", "A.__len__"}),
    "a key": ("class A:\n    def __hash__(self): pass\nd = {A(): 1}", {"A", "A.__hash__"}),
    "in a list": ("class A:\n    def __eq__(self, o): pass\nA() in [1]", {"A", "A.__eq__"}),
    "the other operand's method": (
        "class A: pass\nclass B:\n    def __radd__(self, o): pass\na = A()\na + B()",
        {"A", "B", "B.__radd__"},
    ),
    "what a generator returns": (
        "def f(): pass\ndef g():\n    yield 1\n    return f\ndef h():\n    r = yield from g()\n    r()\nh()",
        {"h", "h: g", "h: f"},
    ),
}


def named(cases: dict[str, tuple[str, set[str]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("source", "expected"), list(cases.values()), ids=list(cases))


@named({**CLASSES, **ATTRIBUTES, **FIELDS, **TRUTH})
def test_what_runs(calls_of: CallsOf, source: str, expected: set[str]) -> None:
    calls = {call if ": " in call else f"<module>: {call}" for call in expected}
    assert calls_of({"m.py": source}) == {call.replace(": ", " -> ") for call in calls}


def test_a_module_gives_names_that_it_lacks(calls_of: CallsOf) -> None:
    files = {
        "lib.py": "def __getattr__(name): return f\ndef f(): pass\n",
        "m.py": "import lib\nlib.other()\n",
    }
    found = {call.partition(" -> ")[2] for call in calls_of(files)}
    assert found == {"lib.py::__getattr__", "lib.py::f"}
