"""What is one step away from a file or symbol, from the index and on the fly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sctx_tui.graph.neighbours import Neighbour, neighbourhood, read_ahead
from sctx_tui.graph.on_the_fly import neighbourhood_now

LIB = """def helper(n):
    return n


class Box:
    def get(self):
        return helper(1)

    def put(self, n):
        return helper(n)
"""
USER = """from lib import Box, helper


def use():
    box = Box()
    box.put(1)
    return box.get()
"""
FILES = {
    "lib.py": LIB,
    "user.py": USER,
    "other.py": "import lib\n\nlib.helper(2)\nlib.helper(3)\n",
    "far.py": "import user\n\n\ndef far():\n    user.use()\n",
}


@pytest.fixture
def indexed(project):
    project.write(FILES)
    project.sync()
    return project


def around(project, target: str):
    with project.store() as store:
        return neighbourhood(store, target)


def names(ends: tuple[Neighbour, ...]) -> list[tuple[str, str, int]]:
    return sorted((end.id, end.via, end.at_line) for end in ends)


def test_of_a_file(indexed):
    found = around(indexed, "lib.py")
    assert [f.id for f in found.functions] == [
        "lib.py::<module>",
        "lib.py::helper",
        "lib.py::Box",
        "lib.py::Box.get",
        "lib.py::Box.put",
    ]
    assert names(found.callers) == [
        ("other.py::<module>", "lib.py::helper", 3),
        ("user.py::use", "lib.py::Box", 5),
        ("user.py::use", "lib.py::Box.get", 7),
        ("user.py::use", "lib.py::Box.put", 6),
    ]
    assert found.callees == ()  # its own calls of helper stay inside
    assert names(found.imports) == []
    assert names(found.dependents) == [("other.py", "", 1), ("user.py", "", 1)]
    assert (found.source, found.partial) == ("index", False)


def test_of_a_function(indexed):
    found = around(indexed, "lib.py::helper")
    assert names(found.callers) == [
        ("lib.py::Box.get", "lib.py::helper", 7),
        ("lib.py::Box.put", "lib.py::helper", 10),
        ("other.py::<module>", "lib.py::helper", 3),
    ]
    assert found.callers[0].signature.startswith("def ")


def test_of_a_class_with_its_methods(indexed):
    found = around(indexed, "lib.py::Box")
    assert {end.via for end in found.callers} == {"lib.py::Box", "lib.py::Box.get", "lib.py::Box.put"}
    assert {end.id for end in found.callees} == {"lib.py::helper"}


def test_of_what_is_unknown(indexed):
    for target in ("nothing.py", "lib.py::nothing", "lib.py::Bo"):
        with pytest.raises(KeyError):
            around(indexed, target)


def test_nearer_files_come_first(project):
    project.write(
        {"hub.py": "def f(): pass\n", "close.py": "import hub\nhub.f()\nhub.f()\nhub.f()\nhub.f()\n"}
        | {f"user{n}.py": "import hub\nimport other\nimport third\n" for n in range(3)}
        | {"other.py": "", "third.py": ""}
    )
    project.sync()
    found = around(project, "hub.py")
    assert found.dependents[0].id == "close.py"
    ranks = [end.rank for end in found.dependents]
    assert ranks == sorted(ranks, reverse=True) and ranks[-1] > 0


def test_ambiguous_calls_keep_their_candidates(indexed):
    with indexed.store() as store, store.transaction():
        store.execute(
            "INSERT INTO call_graph VALUES"
            " (900, 'far.py::far', NULL, 9, 1, '[\"lib.py::Box.get\",\"lib.py::helper\"]')"
        )
        store.execute("INSERT INTO call_candidates VALUES ('lib.py::Box.get', 900), ('lib.py::helper', 900)")
    (far,) = [end for end in around(indexed, "lib.py::helper").callers if end.id == "far.py::far"]
    assert far.ambiguous and far.candidates == ("lib.py::Box.get", "lib.py::helper")
    found = around(indexed, "far.py::far")
    assert {(end.id, end.ambiguous) for end in found.callees} == {
        ("user.py::use", False),
        ("lib.py::Box.get", True),
        ("lib.py::helper", True),
    }


def test_tainted_neighbours_are_marked(indexed):
    indexed.write({"lib.py": FILES["lib.py"].replace("def put(self, n)", "def put(self, n, m)")})
    indexed.sync()
    assert {end.id for end in around(indexed, "lib.py").callers if end.tainted} == {"user.py::use"}


def test_on_the_fly_is_the_same(indexed):
    root = str(indexed.root)
    for target in ("lib.py", "lib.py::helper", "user.py", "far.py::far"):
        found = neighbourhood_now(root, target, seconds=60)
        assert replace(found, source="index") == around(indexed, target)
        assert (found.source, found.partial) == ("parsed", False)


def test_on_the_fly_says_when_it_ran_out_of_time(indexed):
    found = neighbourhood_now(str(indexed.root), "lib.py", seconds=0)
    assert found.partial
    assert [f.id for f in found.functions][1] == "lib.py::helper"


def test_on_the_fly_leaves_nothing_behind(project):
    project.write(FILES)
    neighbourhood_now(str(project.root), "lib.py")
    assert not (project.root / ".ctx").exists()
    with pytest.raises(KeyError):
        neighbourhood_now(str(project.root), "nothing.py")


def test_an_open_index_follows_every_change(indexed):
    """Links are kept in memory, but never beyond a change by whomever."""
    with indexed.store() as store:
        assert [n.rank > 0 for n in neighbourhood(store, "far.py").imports] == [True]
        indexed.write({"far.py": "import other\nimport lib\n"})
        indexed.sync()
        found = {n.id: n.rank for n in neighbourhood(store, "far.py").imports}
        assert set(found) == {"other.py", "lib.py"}
        assert found["lib.py"] > found["other.py"] > 0
        with store.transaction():
            store.execute("DELETE FROM file_links WHERE source = 'far.py' AND target = 'other.py'")
        assert [n.id for n in neighbourhood(store, "far.py").imports] == ["lib.py"]
        assert store.kept("links along", dict)["far.py"] == [("lib.py", 1.0)]


HUB = {
    "hub.py": "def first(): pass\n\n\ndef second(): pass\n\n\ndef quiet(): first()\n",
    "near.py": "import hub\n\n\ndef near_one():\n    hub.first()\n    hub.second()\n    hub.first()\n",
} | {
    f"user{n}.py": f"import hub\n\n\ndef use_{n}():\n    hub.second()\n\n\ndef also_{n}():\n    hub.first()\n"
    for n in range(9)
}


@pytest.mark.parametrize("most", [1, 2, 7, 18, 19, 20])
@pytest.mark.parametrize("target", ["hub.py", "hub.py::first", "near.py"])
def test_the_nearest_of_many(project, target, most):
    """Of a hub only what is shown is read: the same as the first of all, and all are counted."""
    project.write(HUB)
    project.sync()
    with project.store() as store:
        whole, part = neighbourhood(store, target), neighbourhood(store, target, most=most)
    for name in ("callers", "callees"):
        listed, shown = getattr(whole, name), getattr(part, name)
        ids = list(dict.fromkeys(end.id for end in listed))
        assert shown == tuple(end for end in listed if end.id in ids[:most])
        assert shown[:most] == listed[:most]  # so that a list of pairs can be gone on with at any place
        count = getattr(part, f"all_{name}")
        assert (count.functions, count.pairs) == (len(ids), len(listed))
    assert replace(part, callers=whole.callers, callees=whole.callees) == whole


def test_the_first_call_counts_and_a_certain_one_before_candidates(project):
    project.write(HUB)
    project.sync()
    with project.store() as store, store.transaction():
        for number, line, callee in ((900, 1, "hub.py::first"), (901, 2, "hub.py::quiet")):
            listed = f'["{callee}","hub.py::second"]'
            store.execute(
                "INSERT INTO call_graph VALUES (?, 'near.py::near_one', NULL, ?, 1, ?)",
                (number, line, listed),
            )
            store.execute("INSERT INTO call_candidates VALUES (?, ?)", (callee, number))
    near = [end for end in around(project, "hub.py").callers if end.file == "near.py"]
    assert [(end.via, end.at_line, end.ambiguous) for end in near] == [
        ("hub.py::first", 5, False),
        ("hub.py::second", 6, False),
        ("hub.py::quiet", 2, True),
    ]


def test_links_read_ahead_are_those_that_are_asked_for(indexed):
    with indexed.store() as store:
        expected = {path: neighbourhood(store, path) for path in FILES}
    with indexed.store() as store:
        steps = read_ahead(store)
        next(steps)
        list(steps)
        kept = {name: dict(store.kept(f"links {name}", dict)) for name in ("along", "against")}
        assert set(kept["along"]) == set(FILES) and any(kept["along"].values())
        assert list(read_ahead(store)) == []
        assert {path: neighbourhood(store, path) for path in FILES} == expected
        assert {name: store.kept(f"links {name}", dict) for name in kept} == kept
        indexed.write({"far.py": "import other\n"})
        indexed.sync()
        assert list(read_ahead(store))  # again, after a change
        assert [path for path, _ in store.kept("links along", dict)["far.py"]] == ["other.py"]
