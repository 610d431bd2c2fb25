"""What an edit that was followed without a link of everything leaves behind for the next one."""

from __future__ import annotations

import pytest

from sctx_tui.graph.indexer import sync

BASE = (
    "def plain():\n    pass\n\n\nclass Kept:\n    size = 1\n\n    def check(self, visit):\n"
    "        visit(self.size)\n\n\ndef make():\n    return Kept()\n\n\ndef use(x):\n    x()\n"
)
MANY = 70


def _test(first: int, body: str, count: int) -> str:
    """So many classes with a test."""
    return "".join(
        f"class K{n}(Kept):\n    def test(self):\n        {body}\n\n\n" for n in range(first, first + count)
    )


FILES = {
    "base.py": BASE,
    "app.py": "from base import plain, Kept\n\n\ndef main():\n    plain()\n",
    "calls.py": "from base import use, plain\n\n\ndef go():\n" + "    use(plain)\n" * MANY,
    "crowd.py": "from base import Kept, plain\n\n\n" + _test(0, "self.check(plain)", MANY),
    "zoo.py": "from base import Kept, use\n\n\ndef other():\n    pass\n\n\ndef end():\n    len([])\n",
}
FOO = ("app.py", "def main", "def more():\n    d = Kept()\n    d.foo = plain\n    len(d)\n\n\ndef main")
ITEMS = ("app.py", "def main", "def more():\n    d = {}\n    d['a'] = plain\n    len(d)\n\n\ndef main")
SEQUENCES = {
    "attribute stored, then read": [FOO, ("app.py", "    len(d)\n", "    d.foo()\n")],
    "attribute stored, then read elsewhere": [
        FOO,
        ("base.py", "def use", "def uses():\n    Kept().foo()\n\n\ndef use"),
    ],
    "attribute stored and read": [(*FOO[:2], FOO[2].replace("len(d)", "d.foo()"))],
    "item stored, then read": [ITEMS, ("app.py", "    len(d)\n", "    d['a']()\n")],
    "item stored and read": [(*ITEMS[:2], ITEMS[2].replace("len(d)", "d['a']()"))],
    "call behind those that are looked at": [("zoo.py", "    len([])\n", "    use(other)\n")],
    "call behind, then fewer before": [
        ("zoo.py", "    len([])\n", "    use(other)\n"),
        ("calls.py", "    use(plain)\n" * MANY, "    use(plain)\n" * 9),
    ],
    "fewer and fewer receivers of a crowd": [
        ("crowd.py", _test(first, "self.check(plain)", 6), _test(first, "pass", 6))
        for first in range(0, 60, 6)
    ],
    "one more receiver of a crowd": [
        ("zoo.py", "def end", "class Z(Kept):\n    def test(self):\n        self.check(other)\n\n\ndef end")
    ],
}


@pytest.mark.parametrize("edits", SEQUENCES.values(), ids=SEQUENCES)
def test_edits_one_after_another_give_what_a_fresh_index_has(project, fresh, edits):
    project.write(FILES)
    project.sync()
    now = dict(FILES)
    for path, old, new in edits:
        assert old in now[path]
        now[path] = now[path].replace(old, new)
        project.write({path: now[path]})
        project.sync()
    assert project.dump() == fresh(project).dump()


FOLLOWED = {
    "call behind those that are looked at": ("zoo.py", "    len([])\n", "    use(other)\n"),
    "attribute of another object": (
        "zoo.py",
        "    len([])\n",
        "    kept = Kept()\n    kept.other = other\n",
    ),
    "local variable of Rust": ("src/lib.rs", "made", "other"),
}
RUST = (
    "mod inner;\n\npub struct T { n: u32 }\n\nimpl T {\n    pub fn get(&self) -> u32 {\n"
    "        let made = 1;\n        let f = |x| x + made;\n        f(2)\n    }\n}\n"
)


@pytest.mark.parametrize(("path", "old", "new"), FOLLOWED.values(), ids=FOLLOWED)
def test_what_tells_nobody_anything_is_followed(project, fresh, monkeypatch, path, old, new):
    def fail(*_: object) -> None:
        raise AssertionError("linked again")

    files = {**FILES, "Cargo.toml": "[package]\nname = 'm'\n", "src/lib.rs": RUST}
    project.write(files)
    project.sync()
    project.write({path: files[path].replace(old, new)})
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_project", fail)
        project.events(sync)
    assert project.dump() == fresh(project).dump()
