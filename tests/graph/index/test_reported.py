"""Faults that users of programs like this one reported, each as it was reported, from files to the index.

The numbers are those of tests/data/reports.json.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from sctx_tui.graph import store_notes
from sctx_tui.graph.neighbours import neighbourhood
from sctx_tui.graph.store_recovery import set_aside

GO_MOD = "module example.com/m\n\ngo 1.22\n"

# Files, calls that have to be there, calls that must not.
CASES: dict[str, tuple[dict[str, str], set[str], set[str]]] = {
    "2-static-method-of-another-file": (
        {
            "foo.ts": "export class Foo { static bar() {} constructor() {} }\n",
            "use.ts": "import { Foo } from './foo';\nexport function go() { Foo.bar(); }\n",
            "foo.py": "class Foo:\n    def __init__(self): pass\n    @staticmethod\n    def bar(): pass\n",
            "use.py": "from foo import Foo\n\n\ndef go():\n    Foo.bar()\n",
        },
        {"use.ts::go -> foo.ts::Foo.bar", "use.py::go -> foo.py::Foo.bar"},
        {
            "use.ts::go -> foo.ts::Foo",
            "use.ts::go -> foo.ts::Foo.constructor",
            "use.py::go -> foo.py::Foo",
            "use.py::go -> foo.py::Foo.__init__",
        },
    ),
    "3-one-class-name-in-two-files": (
        {
            "a.ts": "export class Logger { log() {} }\n",
            "b.ts": "export class Logger { log() {} }\n",
            "ua.ts": "import { Logger } from './a';\nexport function ua() { new Logger().log(); }\n",
            "ub.ts": "import { Logger } from './b';\nexport function ub() { new Logger().log(); }\n",
        },
        {"ua.ts::ua -> a.ts::Logger.log", "ub.ts::ub -> b.ts::Logger.log"},
        {"ua.ts::ua -> b.ts::Logger.log", "ub.ts::ub -> a.ts::Logger.log"},
    ),
    "9-default-export-of-a-page": (
        {
            "page.tsx": "export default function Page() { return <p>{text()}</p>; }\nfunction text() {}\n",
            "app.tsx": "import Anything from './page';\nexport const App = () => <Anything />;\n",
        },
        {"page.tsx::Page -> page.tsx::text", "app.tsx::App -> page.tsx::Page"},
        set(),
    ),
    "11-calls-in-anonymous-callbacks": (
        {
            "f.ts": "export function f() {}\n",
            "f.test.ts": "import { f } from './f';\ndescribe('f', () => { it('x', () => f()); });\n",
        },
        {"f.test.ts::<module> -> f.ts::f"},
        set(),
    ),
    "17-the-helper-that-is-imported": (
        {
            "one.py": "def _make_id(): return 1\n",
            "two.py": "def _make_id(): return 2\n",
            "m.py": "from two import _make_id\n\n\ndef go():\n    return _make_id()\n",
        },
        {"m.py::go -> two.py::_make_id"},
        {"m.py::go -> one.py::_make_id"},
    ),
    "18-nested-calls-at-module-level": (
        {
            "lib.py": "def f1(x): return x\n\n\ndef f2(x): return x\n\n\ndef f3(): return 3\n",
            "m.py": "from lib import f1, f2, f3\n\nf1(f2(f3()))\n",
        },
        {f"m.py::<module> -> lib.py::f{n}" for n in (1, 2, 3)},
        {"lib.py::f1 -> lib.py::f2", "lib.py::f2 -> lib.py::f3"},
    ),
    "19-value-and-pointer-receivers-and-fields": (
        {
            "go.mod": GO_MOD,
            "host.go": "package m\n\ntype Link struct{}\n\nfunc (l Link) V() {}\nfunc (l *Link) P() {}\n\n"
            "type Host struct {\n\tv Link\n\tp *Link\n}\n\n"
            "func (h Host) VV() { h.v.V() }\nfunc (h Host) VP() { h.p.P() }\n"
            "func (h *Host) PV() { h.v.V() }\nfunc (h *Host) PP() { h.p.P() }\n",
        },
        {
            "host.go::Host.VV -> host.go::Link.V",
            "host.go::Host.VP -> host.go::Link.P",
            "host.go::Host.PV -> host.go::Link.V",
            "host.go::Host.PP -> host.go::Link.P",
        },
        set(),
    ),
    "23-a-method-of-what-a-method-gives": (
        {
            "go.mod": GO_MOD,
            "gin.go": "package m\n\ntype node struct{}\n\nfunc (n *node) addRoute(path string) {}\n\n"
            "type tree struct {\n\tmethod string\n\troot   *node\n}\n\ntype trees []tree\n\n"
            "func (ts trees) get(method string) *node {\n\tfor _, t := range ts {\n"
            "\t\tif t.method == method {\n\t\t\treturn t.root\n\t\t}\n\t}\n\treturn nil\n}\n\n"
            "type Engine struct{ trees trees }\n\nfunc (engine *Engine) addRoute(method, path string) {\n"
            "\troot := engine.trees.get(method)\n\troot.addRoute(path)\n}\n",
        },
        {"gin.go::Engine.addRoute -> gin.go::node.addRoute", "gin.go::Engine.addRoute -> gin.go::trees.get"},
        {"gin.go::Engine.addRoute -> gin.go::Engine.addRoute"},
    ),
    "27-a-bound-and-a-decoy": (
        {
            "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\n',
            "src/lib.rs": "pub trait Step { fn step(&self); }\npub struct A;\n"
            "impl Step for A { fn step(&self) {} }\npub struct Decoy;\nimpl Decoy { pub fn step(&self) {} }\n"
            "pub fn run<T: Step>(t: &T) { t.step() }\n",
        },
        {"src/lib.rs::run -> src/lib.rs::A.step"},
        {"src/lib.rs::run -> src/lib.rs::Decoy.step"},
    ),
    "51-a-class-that-is-called-like-what-it-uses": (
        {
            "Test.php": "<?php\nnamespace Foo;\nuse \\Bar\\Test;\nclass Test extends Test {\n"
            "  use Test;\n  function go() { $this->go(); parent::go(); Test::go(); }\n}\n",
        },
        {"Test.php::Test.go -> Test.php::Test.go"},
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_calls(project, name: str) -> None:
    files, there, absent = CASES[name]
    project.write(files)
    project.sync()
    found = project.edges()
    assert there <= found
    assert not absent & found


def test_15_a_call_of_either_method_is_said_of_both(project) -> None:
    project.write(
        {
            "shapes.py": "class A:\n    def area_of(self): pass\n\n\nclass B:\n    def area_of(self): pass\n",
            "use.py": "def total(shape):\n    return shape.area_of()\n",
        }
    )
    project.sync()
    with project.store() as store:
        for method in ("shapes.py::A.area_of", "shapes.py::B.area_of"):
            (caller,) = neighbourhood(store, method).callers
            assert caller.id == "use.py::total" and caller.ambiguous
            assert set(caller.candidates) == {"shapes.py::A.area_of", "shapes.py::B.area_of"}


def test_45_three_processes_leave_a_healthy_index_where_it_is(project) -> None:
    """Each finds fault with the index and edits, syncs and writes at the same time as the others."""
    project.write({f"m{n}.py": f"def f{n}(): pass\n" for n in range(9)})
    project.sync()
    code = (
        "import sys\n"
        "from sctx_tui.graph import store_notes\n"
        "from sctx_tui.graph.indexer import sync\n"
        "from sctx_tui.graph.store import Store\n"
        "from sctx_tui.graph.store_recovery import open_or_recover, set_aside\n"
        "root, number = sys.argv[1:]\n"
        "store, rescue = open_or_recover(root)\n"
        "assert rescue is None\n"
        "for turn in range(5):\n"
        "    open(f'{root}/m{number}.py', 'a').write(f'\\n\\ndef g{turn}(): pass\\n')\n"
        "    list(sync(store, root, workers=1))\n"
        "    store_notes.add_danger(store, '*', f'{number}.{turn}', source='agent')\n"
        "    assert set_aside(root, 'somebody thought so') is None\n"
    )
    started = [
        subprocess.Popen((sys.executable, "-c", code, str(project.root), str(n)), stderr=subprocess.PIPE)
        for n in range(3)
    ]
    for process in started:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, b"")
    assert not list((project.root / ".ctx").glob("*unusable*"))
    assert project.rows("PRAGMA integrity_check") == ["ok"]
    with project.store() as store:
        assert len(store_notes.dangers(store)) == 15
    project.sync()
    assert project.rows("SELECT count(*) FROM functions WHERE name LIKE 'g%'") == [15]
    assert set_aside(str(project.root), "nor now") is None
