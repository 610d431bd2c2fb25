"""An edit of one file is followed without a link of everything where that gives the same; else with one."""

from __future__ import annotations

import random

import pytest

from sctx_tui.graph.indexer import Problem, sync

FILES = {
    "shop/__init__.py": "",
    "shop/base.py": (
        "class Base:\n"
        "    def __init__(self, owner):\n"
        "        self.owner = owner\n\n"
        "    def run(self):\n"
        "        return self.step()\n\n"
        "    def step(self):\n"
        "        return None\n\n\n"
        "def helper(value):\n"
        "    return value\n\n\n"
        "def plain():\n"
        "    return 1\n\n\n"
        "def each(items, visit):\n"
        "    for item in items:\n"
        "        visit(item)\n"
    ),
    "shop/cart.py": (
        "from shop.base import Base, each, helper, plain\n\n\n"
        "class Cart(Base):\n"
        "    def step(self):\n"
        "        plain()\n"
        "        return self.total([1])\n\n"
        "    def total(self, prices):\n"
        "        found = 0\n"
        "        for price in prices:\n"
        "            found += price\n"
        "        return found\n\n\n"
        "def make(owner):\n"
        "    cart = Cart(owner)\n"
        "    cart.run()\n"
        "    each([1, 2], print)\n"
        "    return helper(cart)\n"
    ),
    "app.py": (
        "from shop import cart\n"
        "from shop.base import plain\n\n\n"
        "def main():\n"
        "    made = cart.make(None)\n"
        "    made.total([])\n"
        "    plain()\n\n\n"
        "main()\n"
    ),
    "twice.py": ("from shop.base import plain\n\n\ndef g():\n    plain(), plain()\n\n\ndef h():\n    pass\n"),
    "web/util.ts": "export function twice(n: number) { return n * 2 }\nexport const one = () => twice(1)\n",
    "web/main.ts": "import { one, twice } from './util'\n\nfunction go() { one(); return twice(3) }\ngo()\n",
}

FOLLOWED = {
    "call of a function that nothing depends on": ("app.py", "    plain()\n", "    plain()\n    plain()\n"),
    "call beside two equal ones": ("twice.py", "    pass\n", "    plain()\n"),
    "call that is gone": ("app.py", "    plain()\n", "    pass\n"),
    "local variable renamed": ("app.py", "made", "thing"),
    "outside call": ("shop/cart.py", "    found = 0\n", "    found = 0\n        len(str(found))\n"),
    "function that nobody asked for": (
        "app.py",
        "def main():",
        "def unheard_of(x):\n    y = plain()\n    return y\n\n\ndef main():",
    ),
    "call of a new function": (
        "app.py",
        "    plain()\n\n\n",
        "    plain()\n    unheard_of()\n\n\ndef unheard_of():\n    plain()\n\n\n",
    ),
    "parameter with a default": ("shop/base.py", "def plain():", "def plain(extra=None):"),
    "import": ("app.py", "import plain\n", "import plain, Base as Unused\nfrom shop import base as moved\n"),
    "result that nobody uses": ("app.py", "    plain()\n", "    plain()\n    return made\n"),
    "comment": ("shop/base.py", "class Base", "# more\nclass Base"),
}

LINKED = {
    "argument that tells something": ("app.py", "made.total([])", "each([cart.Cart(1)], cart.make)"),
    "method that others override": ("shop/base.py", "    def step(self):", "    def step2(self):"),
    "result that others use": ("shop/base.py", "    return value\n", "    return Base(value)\n"),
    "attribute that others read": ("shop/base.py", "self.owner = owner", "self.owner = plain"),
    "name that others ask for": ("shop/base.py", "def plain():", "def plain():\n    pass\n\n\ndef plain():"),
    "a base class": ("shop/cart.py", "class Cart(Base)", "class Cart"),
}


@pytest.mark.parametrize(("path", "old", "new"), FOLLOWED.values(), ids=FOLLOWED)
def test_an_edit_that_nothing_else_notices_is_followed(project, fresh, monkeypatch, path, old, new):
    def fail(*_: object) -> None:
        raise AssertionError("linked again")

    project.write(FILES)
    project.sync()
    project.write({path: FILES[path].replace(old, new)})
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_project", fail)
        events = project.events(sync)
    assert [event for event in events if isinstance(event, Problem)] == []
    assert project.dump() == fresh(project).dump()


@pytest.mark.parametrize(("path", "old", "new"), LINKED.values(), ids=LINKED)
def test_an_edit_that_others_may_notice_is_linked(project, fresh, path, old, new):
    project.write(FILES)
    project.sync()
    project.write({path: FILES[path].replace(old, new)})
    project.sync()
    assert project.dump() == fresh(project).dump()


GO = (
    "package main\n\ntype T struct {\n\tn int\n}\n\nfunc (t *T) Get() int { return t.n }\n\n"
    "func use(t *T) int { return t.Get() }\n\nfunc main() { use(&T{}) }\n"
)
RUST = (
    "pub struct T { n: u32 }\n\nimpl T {\n    pub fn get(&self) -> u32 { self.n }\n}\n\n"
    "pub fn used(t: &T) -> u32 { t.get() }\n"
)
TESTS = (
    "import { one } from './util'\n\ndescribe('all', () => {\n  it('one', () => { one() })\n"
    "  it('two', () => { twice(2) })\n})\n"
)
OTHERS = {
    "go.mod": "module example.org/m\n",
    "main.go": GO,
    "Cargo.toml": "[package]\nname = 'm'\n",
    "src/lib.rs": RUST,
    "web/util.ts": FILES["web/util.ts"],
    "web/util.test.ts": TESTS,
    "spare.py": "def plain():\n    pass\n\n\ndef spare():\n    plain()\n\n\nclass Kept:\n    size = 1\n",
}
ALSO_FOLLOWED = {
    "method": ("main.go", "func use(", "func (t *T) More() int { return t.Get() }\n\nfunc use("),
    "method that is called": (
        "main.go",
        "t.Get() }\n\nfunc main",
        "t.More() }\n\nfunc (t *T) More() {}\n\nfunc main",
    ),
    "parameter in front": ("main.go", "use(t *T)", "use(more bool, t *T)"),
    "field": ("main.go", "\tn int", "\tn int\n\tother string"),
    "method of an impl": (
        "src/lib.rs",
        "    pub fn get",
        "    pub fn more(&self) { self.get(); }\n    pub fn get",
    ),
    "function between functions": (
        "web/util.test.ts",
        "  it('two'",
        "  it('more', () => { one(); one() })\n  it('two'",
    ),
    "function that is gone": ("web/util.test.ts", "  it('one', () => { one() })\n", ""),
    "import that was missing": ("web/util.test.ts", "{ one }", "{ one, twice }"),
    "export": ("web/util.ts", "export const one", "export function three() { twice(3) }\nexport const one"),
    "function that nobody calls": ("spare.py", "def spare():\n    plain()\n\n\n", ""),
    "syntax error": ("spare.py", "    plain()\n", "    plain()\n    (\n"),
}


@pytest.mark.parametrize(("path", "old", "new"), ALSO_FOLLOWED.values(), ids=ALSO_FOLLOWED)
def test_more_that_nothing_else_notices_is_followed(project, fresh, monkeypatch, path, old, new):
    def fail(*_: object) -> None:
        raise AssertionError("linked again")

    project.write(OTHERS)
    project.sync()
    assert old in OTHERS[path]
    project.write({path: OTHERS[path].replace(old, new)})
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_project", fail)
        events = project.events(sync)
    assert not [event for event in events if isinstance(event, Problem) and "calls" in event.message]
    assert project.dump() == fresh(project).dump()


ALSO_LINKED = {
    "method that another type has": ("main.go", "func use(", "func (t *T) Close() {}\n\nfunc use("),
    "name that is no longer there": ("web/util.ts", "export const one", "const one"),
    "field of another type": ("main.go", "\tn int", "\tn *T"),
    "method of a trait": (
        "src/lib.rs",
        "pub fn used",
        "impl Clone for T { fn clone(&self) -> T { T { n: 1 } } }\npub fn used",
    ),
}


@pytest.mark.parametrize(("path", "old", "new"), ALSO_LINKED.values(), ids=ALSO_LINKED)
def test_more_that_others_may_notice(project, fresh, path, old, new):
    closer = "package main\n\ntype Closer interface{ Close() }\n\nfunc end(c Closer) { c.Close() }\n"
    project.write({**OTHERS, "closer.go": closer})
    project.sync()
    assert old in OTHERS[path]
    project.write({path: OTHERS[path].replace(old, new)})
    project.sync()
    assert project.dump() == fresh(project).dump()


LINES = [
    "plain()",
    "helper(self)",
    "helper(1)",
    "thing = Cart(None)",
    "thing.total([])",
    "self.step()",
    "self.extra = plain",
    "self.extra()",
    "made = helper(Base)",
    "return helper(plain)",
    "each([plain], helper)",
    "print(len('a'))",
    "def inner(a): return plain()",
    "inner(2)",
    "value = [plain]",
    "value.append(helper)",
    "import shop.base",
]


@pytest.mark.parametrize("seed", range(5))
def test_any_edits_one_after_the_other(project, fresh, seed):
    chance = random.Random(seed)
    files = dict(FILES)
    project.write(files)
    project.sync(workers=1)
    for _ in range(10):
        path = chance.choice([path for path in files if path.endswith(".py") and files[path]])
        lines = files[path].splitlines(keepends=True)
        bodies = [at for at, line in enumerate(lines) if line.startswith("    ") and "def " not in line]
        at = chance.choice(bodies)
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        line = f"{indent}{chance.choice(LINES)}\n"
        if chance.random() < 0.3 and "for" not in lines[at]:
            lines[at] = line
        else:
            lines.insert(at, line)
        files[path] = "".join(lines)
        project.write({path: files[path]})
        project.sync(workers=1)
    assert project.dump() == fresh(project).dump()


@pytest.mark.parametrize("line", ["later()", "f := later\n\tf()", "run(later)"])
def test_a_name_that_another_file_of_the_package_waits_for(project, fresh, line):
    main = f"package main\n\nfunc run(f func()) {{ f() }}\n\nfunc main() {{\n\t{line}\n}}\n"
    project.write({"go.mod": "module example.org/m\n", "main.go": main, "other.go": "package main\n"})
    project.sync()
    project.write({"other.go": "package main\n\nfunc later() {}\n"})
    project.sync()
    assert project.dump() == fresh(project).dump()


TWICE = (
    "from shop.base import helper, plain\n\n\ndef f():\n    plain()\n\n\ndef f():\n    helper(1)\n\n\nf()\n"
)


@pytest.mark.parametrize(
    "text",
    [
        TWICE.replace("    plain()\n", "    plain()\n    plain()\n"),
        TWICE.replace("plain()", "none()").replace("helper(1)", "plain()").replace("none()", "helper(1)"),
        TWICE.replace("def f():\n    helper", "def g():\n    plain()\n\n\ndef f():\n    helper"),
        TWICE.replace("def f():\n    plain", "def f():\n    pass\n\n\ndef f():\n    plain"),
    ],
    ids=["a call more", "swapped", "a function between", "a third one"],
)
def test_functions_of_one_name(project, fresh, text):
    project.write({**FILES, "named.py": TWICE})
    project.sync()
    project.write({"named.py": text})
    project.sync()
    assert project.dump() == fresh(project).dump()


def test_thousands_of_equal_calls_end(project, fresh):
    text = "from shop.base import plain\n\n\ndef f():\n" + "    plain()\n" * 5_000
    project.write({**FILES, "many.py": text})
    project.sync()
    lines = text.splitlines(keepends=True)
    project.write(
        {"many.py": "".join([*lines[:4], "    helper()\n", *lines[9:-20], "    f()\n", *lines[-9:]])}
    )
    project.sync()
    assert project.dump() == fresh(project).dump()


def test_several_files_at_once(project, fresh):
    project.write(FILES)
    project.sync()
    project.write(
        {
            "app.py": FILES["app.py"].replace("    plain()\n", "    plain()\n    plain()\n"),
            "shop/cart.py": FILES["shop/cart.py"].replace("        plain()\n", ""),
            "web/main.ts": FILES["web/main.ts"].replace("one()\n", "one(); one()\n"),
        }
    )
    project.sync()
    assert project.dump() == fresh(project).dump()


FIXTURE = "import pytest\nfrom app import App, Other\n\n\n@pytest.fixture\ndef app():\n    return App()\n"
FIXTURES = {
    "app.py": (
        "class App:\n    def get(self):\n        return 1\n\n\n"
        "class Other(App):\n    def get(self):\n        return 2\n"
    ),
    "conftest.py": FIXTURE,
    "tests/conftest.py": "import pytest\nfrom app import App, Other\n",
    "tests/test_app.py": "def test_app(app):\n    app.get()\n",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("conftest.py", FIXTURE.replace("return App", "return Other")),
        ("tests/conftest.py", FIXTURE.replace("return App", "yield Other")),
        ("tests/test_app.py", FIXTURES["tests/test_app.py"] + "\n\ndef app():\n    pass\n"),
        ("conftest.py", ""),
    ],
)
def test_fixtures_that_change(project, fresh, path, text):
    project.write(FIXTURES)
    project.sync()
    project.write({path: text})
    project.sync()
    assert project.dump() == fresh(project).dump()


PROXY = {
    "proxy.py": (
        "class Item:\n    def show(self):\n        return 1\n\n\n"
        "class Other:\n    def show(self):\n        return 2\n\n\n"
        "class Proxy:\n    def __getattr__(self, name):\n        return Item()\n"
    ),
    "settings.py": "from proxy import Item\n\n\ndef __getattr__(name):\n    return Item()\n",
    "app.py": (
        "import settings\nfrom proxy import Proxy\n\n\n"
        "def main():\n    Proxy().fresh.show()\n    settings.fresh.show()\n"
    ),
    "other.py": "def old():\n    return None\n",
}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def old():\n    return None\n", "def old():\n    return None\n\n\ndef fresh():\n    pass\n"),
        ("def fresh():\n    pass\n", ""),
        ("class A:\n    pass\n", "class A:\n    fresh = 1\n"),
        (
            "class A:\n    def go(self):\n        pass\n",
            "class A:\n    def go(self):\n        self.fresh = 1\n",
        ),
        (
            "def fresh(a):\n    a.fresh = 1\n",
            "def fresh(a):\n    pass\n",
        ),
    ],
)
def test_names_that_a_function_stands_in_for(project, fresh, before, after):
    project.write({**PROXY, "other.py": before})
    project.sync()
    project.write({"other.py": after})
    project.sync()
    assert project.dump() == fresh(project).dump()


STACK = (
    "package a\n\ntype I interface {\n\tM()\n}\n\ntype A struct{}\n\nfunc (A) M() {}\n\ntype B struct{}\n\n"
    "func (B) M() {}\n\ntype Stack[T I] struct {\n\tx T\n}\n\nfunc (s Stack[T]) Do() {\n\ts.x.M()\n}\n\n"
    "func (s Stack[T]) Get() T {\n\treturn s.x\n}\n"
)
USES = 'package a\n\nfunc use() {\n\tlen("")\n}\n'


@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize(
    "use", ["Stack[A]{}.Get().M()", "v := Stack[A]{}\n\tv.Do()", "var v Stack[B]\n\tlen(v)"]
)
def test_instances_that_say_what_type_parameters_are(project, fresh, use, goes):
    texts = [USES, USES.replace('len("")', use)]
    project.write({"go.mod": "module a\n", "stack.go": STACK, "use.go": texts[goes]})
    project.sync()
    project.write({"use.go": texts[not goes]})
    project.sync()
    assert project.dump() == fresh(project).dump()
