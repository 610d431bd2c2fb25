"""Init, sync and update: what is in the index after it, and what is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.graph import worker
from sctx_tui.graph.indexer import Problem, Progress, Report, pending, sync
from sctx_tui.graph.store import Store

MONEY = '''"""Money in cents. Never floats."""

RATE = 3


def add(a: int, b: int) -> int:
    """Add two amounts. Both in cents."""
    return a + b


class Purse:
    """A purse."""

    def put(self, amount):
        self.amount = add(self.amount, amount)
'''
CART = """from shop.money import Purse, add


def total(amounts):
    result = 0
    for amount in amounts:
        result = add(result, amount)
    return result


Purse().put(total([1, 2]))
"""
SHOP = {"src/shop/__init__.py": "", "src/shop/money.py": MONEY, "src/shop/cart.py": CART}


def test_files_functions_calls_and_imports(project):
    project.write(SHOP | {"README.md": "# Shop\n"})
    report = project.sync()
    assert report.added == ("README.md", *sorted(SHOP))
    assert report.files == 4
    assert project.rows("SELECT path, language, system, purpose FROM files ORDER BY path") == [
        ("README.md", "", "", None),
        ("src/shop/__init__.py", "python", "shop", None),
        ("src/shop/cart.py", "python", "shop", None),
        ("src/shop/money.py", "python", "shop", "Money in cents."),
    ]
    money = project.rows(
        "SELECT id, class_name, kind, start_line, end_line, summary FROM functions"
        " WHERE file LIKE '%money.py'"
    )
    assert money == [
        ("src/shop/money.py::<module>", None, "module", 1, 15, "Money in cents."),
        ("src/shop/money.py::add", None, "function", 6, 8, "Add two amounts."),
        ("src/shop/money.py::Purse", None, "class", 11, 15, "A purse."),
        ("src/shop/money.py::Purse.put", "Purse", "method", 14, 15, None),
    ]
    assert "a: int, b: int" in project.rows("SELECT signature FROM functions WHERE name = 'add'")[0]
    assert project.rows("SELECT summary_long FROM functions WHERE name = 'add'") == [
        "Add two amounts. Both in cents."
    ]
    assert project.edges() == {
        "src/shop/cart.py::total -> src/shop/money.py::add",
        "src/shop/cart.py::<module> -> src/shop/cart.py::total",
        "src/shop/cart.py::<module> -> src/shop/money.py::Purse",
        "src/shop/cart.py::<module> -> src/shop/money.py::Purse.put",
        "src/shop/money.py::Purse.put -> src/shop/money.py::add",
    }
    imports, used_by, count = project.rows(
        "SELECT c.imports, m.used_by, m.used_by_count FROM files c, files m"
        " WHERE c.path LIKE '%cart.py' AND m.path LIKE '%money.py'"
    )[0]
    assert json.loads(imports) == ["src/shop/money.py"]
    assert (json.loads(used_by), count) == (["src/shop/cart.py"], 1)
    assert project.rows("SELECT path, parent, file_count FROM directories ORDER BY path") == [
        ("", None, 4),
        ("src", "", 3),
        ("src/shop", "src", 3),
    ]


def test_a_first_init_taints_nothing_and_describes_everything(project):
    project.write(SHOP)
    project.sync()
    assert project.tainted() == set()
    assert project.rows("SELECT DISTINCT confidence, is_stale FROM files") == [(1.0, 0)]
    assert project.rows("SELECT count(*) FROM files WHERE accepted_hash IS NOT semantic_hash") == [0]


def test_nothing_changed_is_nothing_done(project):
    project.write(SHOP)
    project.sync()
    before = project.dump()
    assert project.sync() == Report((), (), (), (), 3)
    assert project.dump() == before


def test_only_content_counts_not_times(project):
    project.write(SHOP)
    project.sync()
    for path in SHOP:
        os.utime(project.root / path, (1, 1))
    assert project.sync().is_nothing


def test_a_change_with_the_same_size_and_time_is_seen(project):
    project.write({"a.py": "def f(): return 1\n"})
    times = (1_000_000_000, 1_000_000_000)
    os.utime(project.root / "a.py", times)
    project.sync()
    project.write({"a.py": "def g(): return 1\n"})
    os.utime(project.root / "a.py", times)
    assert project.sync().changed == ("a.py",)


def test_an_edit_keeps_the_edges_of_its_neighbours(project, fresh):
    project.write(SHOP)
    project.sync()
    project.write({"src/shop/money.py": MONEY.replace("return a + b", "return b + a")})
    before = project.edges()
    assert project.sync().changed == ("src/shop/money.py",)
    assert project.edges() == before
    assert project.dump() == fresh(project).dump()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "# a comment\n\n\n"),
        ('"""Add two amounts. Both in cents."""', '"""Add.\n\n    More.\n    """'),
        ("    return a + b", "\n    # now\n    return  a+b"),
        ("import Purse, add", "import (\n    Purse,\n    add,\n)"),
    ],
    ids=["comment", "docstring", "layout", "import"],
)
def test_an_edit_that_moves_calls_is_not_linked_again(project, fresh, monkeypatch, old, new):
    def fail(*_: object) -> None:
        raise AssertionError("linked again")

    project.write(SHOP)
    project.sync()
    path = "src/shop/cart.py" if old.startswith("import") else "src/shop/money.py"
    project.write({path: SHOP[path].replace(old, new, 1)})
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_project", fail)
        events = project.events(sync)
    assert [event for event in events if isinstance(event, Problem)] == []
    assert project.dump() == fresh(project).dump()


def test_deleted_files_leave_nothing_behind(project, fresh):
    project.write(SHOP)
    project.sync()
    project.write({"src/shop/cart.py": None})
    assert project.sync().deleted == ("src/shop/cart.py",)
    assert project.dump() == fresh(project).dump()
    assert project.rows("SELECT used_by_count FROM files WHERE path LIKE '%money.py'") == [0]


def test_new_files_are_found(project, fresh):
    project.write(SHOP)
    project.sync()
    project.write({"src/shop/gift.py": "from .money import add\n\n\ndef gift():\n    return add(1, 2)\n"})
    assert project.sync().added == ("src/shop/gift.py",)
    assert "src/shop/gift.py::gift -> src/shop/money.py::add" in project.edges()
    assert project.dump() == fresh(project).dump()


def test_an_edit_and_its_revert_leave_no_ghosts(project):
    project.write(SHOP)
    project.sync()
    before = project.dump()
    project.write({"src/shop/money.py": MONEY + "\n\ndef extra():\n    add(1, 2)\n"})
    project.sync()
    project.write({"src/shop/money.py": MONEY})
    project.sync()
    assert project.dump() == before


def test_branch_switches_there_and_back(project, fresh):
    project.write(SHOP)
    project.commit()
    project.sync()
    before = project.dump()
    project.git("checkout", "-qb", "other")
    project.write(
        {"src/shop/money.py": MONEY.replace("add", "plus"), "src/shop/cart.py": None, "new.py": "x = 1\n"}
    )
    project.commit()
    assert len(project.sync().changed) == 1
    assert project.dump() == fresh(project).dump()
    project.git("checkout", "-q", "main")
    report = project.sync()
    assert (report.changed, report.added, report.deleted) == (
        ("src/shop/money.py",),
        ("src/shop/cart.py",),
        ("new.py",),
    )
    assert project.dump() == before
    assert project.tainted() == set()


def test_pending_says_what_sync_would_do_and_does_nothing(project):
    project.write(SHOP)
    project.sync()
    project.write({"src/shop/money.py": "x = 1\n", "src/shop/cart.py": None, "new.py": "y = 2\n"})
    before = project.dump()
    with project.store() as store:
        found = pending(store, str(project.root))
    assert (found.changed, found.deleted, found.added) == (
        ("src/shop/money.py",),
        ("src/shop/cart.py",),
        ("new.py",),
    )
    assert project.dump() == before


def test_update_looks_at_the_given_paths_only(project):
    project.write({"a.py": "x = 1\n", "b/c.py": "y = 1\n", "b/d.py": "z = 1\n"})
    project.sync()
    project.write({"a.py": "x = 2\n", "b/c.py": "y = 2\n", "b/d.py": None})
    report = project.update("b")
    assert (report.changed, report.deleted) == (("b/c.py",), ("b/d.py",))
    assert project.sync().changed == ("a.py",)


def test_events_are_plain_and_end_with_a_report(project):
    project.write(SHOP)
    events = project.events(sync)
    assert isinstance(events[-1], Report)
    phases = [event.phase for event in events if isinstance(event, Progress)]
    assert phases == sorted(phases, key=["list", "parse", "link"].index)
    parsed = [event for event in events if isinstance(event, Progress) and event.phase == "parse"]
    assert parsed[-1] == Progress("parse", 3, 3)


@pytest.mark.parametrize("stop_after", [1, 2, 3, 5])
def test_a_run_may_be_stopped_and_taken_up_again(project, fresh, stop_after):
    project.write(SHOP)
    with project.store(create=True) as store:
        run = sync(store, str(project.root))
        for _ in range(stop_after):
            next(run)
        run.close()
    project.sync()
    assert project.dump() == fresh(project).dump()


def test_two_inits_at_once(project, fresh):
    project.write(SHOP)
    code = "from sctx_tui.cli.ctx import main; main(['init', '--no-hooks'])"
    both = [
        subprocess.Popen([sys.executable, "-P", "-c", code], cwd=project.root, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, b"")
    assert project.dump() == fresh(project).dump()


def test_a_file_that_is_gone_for_a_moment_stays_as_it_was(project, monkeypatch):
    """An editor that saves by renaming can do so between the list and the read."""
    project.write(SHOP)
    project.sync()
    before = project.dump()
    project.write({"src/shop/money.py": MONEY + "# more\n"})
    with monkeypatch.context() as patch:
        gone = lambda root, tasks, **_: iter([worker.Parsed(task[0], is_gone=True) for task in tasks])  # noqa: E731
        patch.setattr("sctx_tui.graph.indexer.parse_all", gone)
        assert project.sync().is_nothing
    assert project.dump() == before
    assert project.sync().changed == ("src/shop/money.py",)


def test_raw_source_is_not_stored(project):
    secret = "hunter2-tr0ub4dor"
    project.write(
        {
            "a.py": f"def f():\n    # {secret}\n    key = '{secret}'\n    return call('{secret}', [1])\n",
            ".env": f"KEY={secret}\n",
        }
    )
    project.sync()
    data = b"".join(path.read_bytes() for path in (project.root / ".ctx").iterdir())
    assert secret.encode() not in data


def test_submodules_and_worktrees(project, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=t", "-c", "user.email=t@e.org", "commit", "-qm", "i"],
    ):
        (inner / "lib.py").write_text("def f(): pass\n")
        subprocess.run(["git", *command], cwd=inner, check=True)
    project.write({"a.py": "def g(): pass\n"})
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    project.commit()
    project.git("worktree", "add", "-q", ".claude/worktrees/one")
    project.sync()
    assert project.rows("SELECT id FROM functions WHERE kind = 'function' ORDER BY id") == [
        "a.py::g",
        "inner/lib.py::f",
    ]


def test_without_git(tmp_path: Path):
    (tmp_path / "a.py").write_text("def f(): pass\n")
    (tmp_path / "node_modules/x").mkdir(parents=True)
    (tmp_path / "node_modules/x/index.js").write_text("function g() {}\n")
    with Store.open(str(tmp_path), create=True) as store:
        *_, report = sync(store, str(tmp_path))
    assert isinstance(report, Report) and report.added == ("a.py",)


def test_other_rules_of_extraction_read_everything_again(project, monkeypatch):
    project.write(SHOP)
    project.sync()
    with project.store() as store, store.transaction():
        store.execute("UPDATE functions SET signature = signature || ' ', id = replace(id, '::', '::was_')")
        store.execute("UPDATE call_graph SET callee_id = replace(callee_id, '::', '::was_')")
    monkeypatch.setattr("sctx_tui.graph.indexer.FACTS_VERSION", 1_000_000)
    assert project.sync().changed == tuple(sorted(SHOP))
    assert project.rows("SELECT DISTINCT is_stale, confidence FROM files") == [(0, 1.0)]
    assert project.tainted() == set()
    assert project.sync().is_nothing


def test_the_project_is_renamed(project, fresh: Callable):
    project.write({"shop/auth/a.py": "x = 1\n", "shop/b.py": "y = 1\n"})
    project.sync()
    assert project.rows("SELECT system FROM files ORDER BY path") == ["shop", "shop"]
    project.write({"pyproject.toml": '[project]\nname = "Shop"\n'})
    project.sync()
    assert project.rows("SELECT system FROM files ORDER BY path") == ["", "auth", "shop"]
    assert project.dump() == fresh(project).dump()
