"""What hangs on functions and files when they change: taint, staleness, and what people and agents wrote."""

from __future__ import annotations

import pytest

from sctx_tui.graph import store_notes, store_taint

LIB = "def f(a):\n    return a\n\n\ndef g(b):\n    return b\n"
USE = "from lib import f, g\n\n\ndef calls_f(): return f(1)\n\n\ndef calls_both(): return f(1) + g(2)\n"
FILES = {"lib.py": LIB, "use.py": USE}


@pytest.fixture
def shop(project):
    project.write(FILES)
    project.commit()
    project.sync()
    return project


def queue(project) -> set[tuple[str, str, str]]:
    with project.store() as store:
        return {(entry.function, entry.source, entry.reason) for entry in store_taint.queue(store)}


def describe(project, kind: str, target: str, source: str = "agent", **fields: str) -> None:
    with project.store() as store:
        assert store_notes.describe(store, kind, target, fields, source=source)


def summary(project, function: str) -> str | None:
    return project.rows("SELECT summary FROM functions WHERE id = ?", function)[0]


def standing(project, function: str) -> tuple[float, int]:
    return project.rows("SELECT round(confidence, 4), is_stale FROM functions WHERE id = ?", function)[0]


def test_a_changed_signature_flags_direct_callers(shop):
    shop.write({"lib.py": LIB.replace("def f(a)", "def f(a, c)")})
    shop.sync()
    assert shop.tainted() == {"use.py::calls_f", "use.py::calls_both"}
    assert queue(shop) == {
        ("use.py::calls_f", "lib.py::f", "signature"),
        ("use.py::calls_both", "lib.py::f", "signature"),
    }
    assert shop.rows("SELECT DISTINCT taint_source FROM functions WHERE is_tainted") == ["lib.py::f"]


def test_a_changed_body_flags_nobody_and_ages_itself(shop):
    shop.write({"lib.py": LIB.replace("return a", "return a + 1")})
    shop.sync()
    assert shop.tainted() == set()
    assert standing(shop, "lib.py::f") == (0.85, 1)
    assert standing(shop, "lib.py::g") == (1.0, 0)
    assert shop.rows("SELECT path, round(confidence, 4), is_stale FROM files ORDER BY path") == [
        ("lib.py", 0.85, 1),
        ("use.py", 1.0, 0),
    ]


def test_layout_and_comments_age_nothing(shop):
    shop.write({"lib.py": LIB.replace("return a", "return   a  # as it came") + "\n\n# the end\n"})
    assert shop.sync().changed == ("lib.py",)
    assert standing(shop, "lib.py::f") == (1.0, 0)
    assert shop.rows("SELECT count(*) FROM files WHERE is_stale") == [0]


def test_confidence_decays_with_every_change_and_comes_back(shop):
    for number in range(3):
        shop.write({"lib.py": LIB.replace("return a", f"return a + {number + 1}")})
        shop.sync()
    assert standing(shop, "lib.py::f") == (round(0.85**3, 4), 1)
    shop.write({"lib.py": LIB})
    shop.sync()
    assert standing(shop, "lib.py::f") == (1.0, 0)


def test_a_write_back_clears_its_own_row(shop):
    shop.write({"lib.py": LIB.replace("def f(a):\n    return a", "def f(a, c):\n    return c")})
    shop.sync()
    describe(shop, "function", "use.py::calls_f", summary="Calls f")
    describe(shop, "function", "lib.py::f", summary="Gives c")
    assert shop.tainted() == {"use.py::calls_both"}
    assert standing(shop, "lib.py::f") == (1.0, 0)
    assert shop.rows("SELECT is_stale FROM files WHERE path = 'lib.py'") == [1]
    describe(shop, "file", "lib.py", purpose="Two functions")
    assert shop.rows("SELECT is_stale, confidence FROM files WHERE path = 'lib.py'") == [(0, 1.0)]


def test_several_sources_are_all_kept(shop):
    shop.write({"lib.py": LIB.replace("(a)", "(a, x)").replace("(b)", "(b, y)")})
    shop.sync()
    assert queue(shop) == {
        ("use.py::calls_f", "lib.py::f", "signature"),
        ("use.py::calls_both", "lib.py::f", "signature"),
        ("use.py::calls_both", "lib.py::g", "signature"),
    }
    shop.write({"lib.py": LIB.replace("(b)", "(b, y)")})
    shop.sync()
    assert queue(shop) == {("use.py::calls_both", "lib.py::g", "signature")}


def test_a_signature_changed_back_clears_its_taint(shop):
    for text in (LIB.replace("(a)", "(a, x)"), LIB.replace("(a)", "(a, x, y)"), LIB):
        shop.write({"lib.py": text})
        shop.sync()
    assert queue(shop) == set()
    assert shop.tainted() == set()


def test_what_was_reviewed_is_not_flagged_by_going_back_half_way(shop):
    shop.write({"lib.py": LIB.replace("(a)", "(a, x)")})
    shop.sync()
    describe(shop, "function", "use.py::calls_f", summary="Calls f")
    shop.write({"lib.py": LIB})
    shop.sync()
    assert shop.tainted() == {"use.py::calls_f"}  # it was written for the signature that is gone


def test_removal_flags_callers_until_it_is_back(shop):
    shop.write({"lib.py": LIB.partition("\n\n\n")[2]})
    shop.sync()
    assert queue(shop) == {
        ("use.py::calls_f", "lib.py::f", "removed"),
        ("use.py::calls_both", "lib.py::f", "removed"),
    }
    shop.write({"lib.py": LIB})
    shop.sync()
    assert queue(shop) == set()


def test_a_renamed_function_flags_callers_and_keeps_its_texts(shop):
    describe(shop, "function", "lib.py::f", summary="Gives back what it gets", danger="Never None")
    shop.write({"lib.py": LIB.replace("def f", "def renamed")})
    shop.sync()
    assert queue(shop) == {
        ("use.py::calls_f", "lib.py::f", "renamed"),
        ("use.py::calls_both", "lib.py::f", "renamed"),
    }
    found = shop.rows("SELECT summary, danger FROM functions WHERE id = 'lib.py::renamed'")
    assert found == [("Gives back what it gets", "Never None")]
    shop.write({"lib.py": LIB})
    shop.sync()
    assert queue(shop) == set()
    assert summary(shop, "lib.py::f") == "Gives back what it gets"


def test_a_deleted_file_flags_callers(shop):
    shop.write({"lib.py": None})
    shop.sync()
    assert {(f, r) for f, _, r in queue(shop)} == {
        ("use.py::calls_f", "removed"),
        ("use.py::calls_both", "removed"),
    }


def test_taints_of_functions_that_go_go_with_them(shop):
    shop.write({"lib.py": LIB.replace("(a)", "(a, x)")})
    shop.sync()
    shop.write({"use.py": None})
    shop.sync()
    assert queue(shop) == set()


def test_a_recursive_function_does_not_flag_itself(project):
    project.write({"a.py": "def f(n):\n    return f(n - 1)\n"})
    project.sync()
    project.write({"a.py": "def f(n, m):\n    return f(n - 1)\n"})
    project.sync()
    assert queue(project) == set()


def test_priority_is_by_fan_in(project):
    users = "".join(f"def user{n}():\n    return busy()\n" for n in range(3))
    project.write(
        {
            "a.py": "def low(): return 1\n\n\ndef busy(): return low()\n\n\ndef lonely(): return low()\n"
            + users
        }
    )
    project.sync()
    project.write({"a.py": (project.root / "a.py").read_text().replace("def low()", "def low(x)")})
    project.sync()
    with project.store() as store:
        assert [(e.function, e.priority) for e in store_taint.queue(store)] == [
            ("a.py::busy", 4.0),
            ("a.py::lonely", 1.0),
        ]


def test_candidates_come_after_every_certain_caller(project):
    project.write(
        {
            "a.py": "class A:\n    def run(self): pass\n\n\nclass B:\n    def run(self): pass\n",
            "b.py": "from a import A\n\n\ndef perhaps(x):\n    x.run()\n\n\ndef surely():\n    A().run()\n",
        }
    )
    project.sync()
    with project.store() as store, store.transaction():
        # As the linker would say of a call that it can't decide.
        store.execute("DELETE FROM call_graph WHERE caller_id = 'b.py::perhaps'")
        store.execute(
            "INSERT INTO call_graph VALUES"
            " (900, 'b.py::perhaps', NULL, 5, 1, '[\"a.py::A.run\",\"a.py::B.run\"]')"
        )
        store.execute("INSERT INTO call_candidates VALUES ('a.py::A.run', 900), ('a.py::B.run', 900)")
    project.write(
        {"a.py": (project.root / "a.py").read_text().replace("def run(self)", "def run(self, now)", 1)}
    )
    project.sync()
    with project.store() as store:
        found = [(e.function, e.is_candidate) for e in store_taint.queue(store)]
    assert found == [("b.py::surely", False), ("b.py::perhaps", True)]
    with project.store() as store:
        certain, candidate = store_taint.queue(store)
    assert candidate.priority < 1 <= certain.priority


@pytest.mark.parametrize("commit", [True, False], ids=["committed", "moved on disk"])
def test_a_moved_file_keeps_what_was_written(project, fresh, commit):
    shop = project
    shop.write({"app/lib.py": LIB, "use.py": USE.replace("from lib", "from app.lib")})
    shop.commit()
    shop.sync()
    describe(shop, "file", "app/lib.py", purpose="Two functions", danger="Handle with care")
    describe(shop, "function", "app/lib.py::f", summary="Gives back")
    with shop.store() as store:
        store_notes.add_danger(store, "app/lib.py", "Do not touch", source="person")
        store_notes.add_decision(store, "app/lib.py::g", "Stays", source="person")
        store_notes.log_changes(store, [("app/lib.py", "made")], source="agent")
    (shop.root / "pkg").mkdir()
    (shop.root / "app/lib.py").rename(shop.root / "pkg/lib.py")
    if commit:
        shop.write({"pkg/lib.py": LIB + "\n\ndef h():\n    return 1\n"})
        shop.commit()
    assert shop.sync().renamed == (("app/lib.py", "pkg/lib.py"),)
    assert shop.rows("SELECT purpose, danger, is_stale FROM files WHERE path = 'pkg/lib.py'") == [
        ("Two functions", "Handle with care", int(commit))
    ]
    assert summary(shop, "pkg/lib.py::f") == "Gives back"
    with shop.store() as store:
        assert [danger.scope for danger in store_notes.dangers(store)] == ["pkg/lib.py"]
        assert [decision.scope for decision in store_notes.decisions(store)] == ["pkg/lib.py::g"]
        assert [change.summary for change in store_notes.changes(store, "pkg/lib.py")] == ["made"]
    # Nobody reaches the functions any more: use.py still imports from the old place.
    assert queue(shop) == {
        ("use.py::calls_f", "pkg/lib.py::f", "moved"),
        ("use.py::calls_both", "pkg/lib.py::f", "moved"),
        ("use.py::calls_both", "pkg/lib.py::g", "moved"),
    }
    shop.write({"use.py": USE.replace("from lib", "from pkg.lib")})
    shop.sync()
    assert queue(shop) == set() == shop.tainted()
    without_texts = {
        table: rows for table, rows in shop.dump().items() if table not in ("files", "functions")
    }
    expected = fresh(shop).dump()
    assert without_texts == {table: expected[table] for table in without_texts}


def test_texts_wait_for_a_file_that_goes_and_comes_back(shop):
    describe(shop, "function", "lib.py::f", summary="Gives back")
    describe(shop, "file", "lib.py", purpose="Two functions")
    shop.git("checkout", "-qb", "without")
    shop.write({"lib.py": None})
    shop.commit()
    shop.sync()
    shop.git("checkout", "-q", "main")
    shop.sync()
    assert summary(shop, "lib.py::f") == "Gives back"
    assert shop.rows("SELECT purpose, is_stale FROM files WHERE path = 'lib.py'") == [("Two functions", 0)]


def test_duplicates_keep_their_texts_when_they_change_places(project):
    one, two = "def f():\n    return 1\n", "def f():\n    return 2\n"
    project.write({"a.py": one + two})
    project.sync()
    describe(project, "function", "a.py::f", summary="Gives one")
    describe(project, "function", "a.py::f#2", summary="Gives two")
    project.write({"a.py": two + one})
    project.sync()
    assert summary(project, "a.py::f") == "Gives two"
    assert summary(project, "a.py::f#2") == "Gives one"
    project.write({"a.py": one})
    project.sync()
    assert summary(project, "a.py::f") == "Gives one"


def test_texts_survive_other_rules_of_extraction(shop, monkeypatch):
    describe(shop, "function", "lib.py::f", summary="Gives back")
    shop.write({"lib.py": LIB.replace("return b", "return b + 1")})
    shop.sync()
    monkeypatch.setattr("sctx_tui.graph.indexer.FACTS_VERSION", 1_000_000)
    shop.sync()
    assert summary(shop, "lib.py::f") == "Gives back"
    assert standing(shop, "lib.py::f") == (1.0, 0)
    assert standing(shop, "lib.py::g") == (0.85, 1)


def test_an_agents_summary_stands_over_the_docstring_until_it_is_taken_back(project):
    project.write({"a.py": 'def f():\n    """Does it."""\n    return 1\n'})
    project.sync()
    assert summary(project, "a.py::f") == "Does it."
    describe(project, "function", "a.py::f", summary="Does it well")
    project.write({"a.py": 'def f():\n    """Does it now."""\n    return 1\n'})
    project.sync()
    assert summary(project, "a.py::f") == "Does it well"
    describe(project, "function", "a.py::f", summary="")
    project.write({"a.py": 'def f():\n    """Does it soon."""\n    return 1\n'})
    project.sync()
    assert summary(project, "a.py::f") == "Does it soon."


def test_an_agents_system_stands_over_the_folder(project):
    project.write({"auth/a.py": "x = 1\n"})
    project.sync()
    describe(project, "file", "auth/a.py", system="identity")
    project.write({"auth/a.py": "x = 2\n", "pyproject.toml": '[project]\nname = "auth"\n'})
    project.sync()
    assert project.rows("SELECT system FROM files WHERE path = 'auth/a.py'") == ["identity"]


def test_following_edits_is_not_describing(shop):
    def accepted() -> list:
        return shop.rows("SELECT accepted_hash = semantic_hash FROM files WHERE path = 'lib.py'")

    shop.write({"lib.py": LIB.replace("return a", "return a + 1")})
    shop.sync(describes=False)
    assert accepted() == [0]
    shop.sync()
    assert accepted() == [1]
    shop.write({"lib.py": LIB})
    shop.update("lib.py", describes=False)
    assert accepted() == [0]
    shop.update("lib.py")
    assert accepted() == [1]


def test_describing_every_function_of_a_file_accepts_it(shop):
    shop.write({"lib.py": LIB.replace("return a", "return 5").replace("return b", "return 6")})
    shop.sync(describes=False)
    stale = shop.rows("SELECT id FROM functions WHERE is_stale ORDER BY id")
    for function in stale:
        assert shop.rows("SELECT accepted_hash = semantic_hash FROM files WHERE path = 'lib.py'") == [0]
        describe(shop, "function", function, summary="Gives a number")
    assert shop.rows("SELECT accepted_hash = semantic_hash FROM files WHERE path = 'lib.py'") == [1]


def test_marking_by_hand_is_not_undone_by_code(shop):
    with shop.store() as store, store.transaction():
        mark = store_taint.Taint("use.py::calls_f", "lib.py::f", "marked", False, None)
        store_taint.add(store, [mark], store_notes.now())
    for text in (LIB.replace("(a)", "(a, x)"), LIB):
        shop.write({"lib.py": text})
        shop.sync()
        assert ("use.py::calls_f", "lib.py::f", "marked") in queue(shop)
    assert shop.tainted() == {"use.py::calls_f"}
    with shop.store() as store:
        assert store_taint.clear(store, "use.py::calls_f")
    assert shop.tainted() == set()
