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


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("data.py", b"x = '\0'\n", "binary"),
        (
            "lib.min.js",
            b"a" * 600 + b";\n" + b"function f(){}" * 1000,
            "generated or minified: very long lines",
        ),
        ("big.py", b"x = 1\n" * 800_000, "larger than 4 MiB"),
    ],
)
def test_what_is_not_written_by_hand_is_listed_but_not_parsed(project, name, content, problem):
    project.write({name: content, "a.py": "x = 1\n"})
    project.sync()
    assert project.rows("SELECT language, problem FROM files WHERE path = ?", name) == [("", problem)]
    assert project.rows("SELECT count(*) FROM functions WHERE file = ?", name) == [0]
    assert project.rows("SELECT language FROM files WHERE path = 'a.py'") == ["python"]


def test_a_long_line_alone_is_no_reason(project):
    project.write({"a.py": "x = '" + "a" * 5000 + "'\n" + "def f():\n    return 1\n" * 200})
    project.sync()
    assert project.rows("SELECT problem FROM files") == [None]


def test_symbolic_links_are_not_followed(project, tmp_path):
    (tmp_path / "secret.py").write_text("def secret(): pass\n")
    project.write({"a.py": "def f(): pass\n"})
    (project.root / "link.py").symlink_to("a.py")
    (project.root / "out.py").symlink_to(tmp_path / "secret.py")
    (project.root / "loop").symlink_to(".")
    project.sync()
    assert project.rows("SELECT path FROM files WHERE problem LIKE 'symbolic link%' ORDER BY path") == [
        "link.py",
        "loop",
        "out.py",
    ]
    assert project.rows("SELECT id FROM functions ORDER BY id") == ["a.py::<module>", "a.py::f"]
    assert project.sync().is_nothing


def test_text_that_is_not_utf8_is_parsed_as_bytes(project):
    project.write(
        {
            "latin.py": "def caf\xe9(): pass\n\n\ndef plain(): return 'ü'\n".encode("latin-1"),
            "a.py": "x = 1\n",
        }
    )
    project.sync()
    assert "plain" in project.rows("SELECT name FROM functions WHERE file = 'latin.py'")
    assert project.rows("SELECT count(*) FROM files") == [2]


def test_a_name_beyond_ascii(project):
    project.write({"café.py": "def f(): pass\n"})
    project.sync()
    assert "café.py::f" in project.rows("SELECT id FROM functions")


def test_a_name_that_is_not_utf8_is_one_warning(project):
    try:
        with open(os.fsencode(project.root) + b"/caf\xe9.py", "wb") as file:
            file.write(b"x = 1\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    project.write({"a.py": "x = 1\n"})
    events = project.events(sync)
    assert [e.message for e in events if isinstance(e, Problem)] == ["its name isn't UTF-8: not indexed"]
    assert project.rows("SELECT path FROM files") == ["a.py"]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "(" * 450_000 + ")" * 450_000 + "\n", id="parentheses"),
        pytest.param("x = " + " + ".join(["a"] * 5_000) + "\n", id="sum"),
        pytest.param("x = " + "[" * 2_000 + "]" * 2_000 + "\n", id="lists"),
        pytest.param("x = a" + ".b()" * 5_000 + "\n", id="chain"),
        pytest.param("".join(f"{' ' * n}if x:\n" for n in range(200)) + " " * 200 + "pass\n", id="blocks"),
    ],
)
def test_deep_nesting_costs_no_other_file(project, source):
    source = (
        "\n".join(source[i : i + 900] for i in range(0, len(source), 900)) if "if x" not in source else source
    )
    project.write({"deep.py": source, "a.py": "def f(): pass\n"})
    project.sync()
    assert "a.py::f" in project.rows("SELECT id FROM functions")
    assert project.rows("SELECT count(*) FROM files") == [2]


def test_javascript_with_three_thousand_terms(project):
    project.write({"a.js": "var x =\n" + " +\n".join(["a"] * 3_000) + ";\nfunction f() {}\n"})
    project.sync()
    assert "a.js::f" in project.rows("SELECT id FROM functions")


def test_two_functions_of_one_name_on_one_line(project):
    project.write({"a.js": "function f() { return 1 } function f() { return 2 }\n"})
    project.sync()
    assert project.rows("SELECT id FROM functions WHERE kind = 'function' ORDER BY id") == [
        "a.js::f",
        "a.js::f#2",
    ]


def test_ids_do_not_move_with_lines(project):
    project.write({"a.py": "def f(): return 1\n\n\ndef f(): return 2\n"})
    project.sync()
    before = project.rows("SELECT id FROM functions ORDER BY id")
    project.write({"a.py": "\n\n# moved\n\ndef f(): return 1\n\n\ndef f(): return 2\n"})
    project.sync()
    assert project.rows("SELECT id FROM functions ORDER BY id") == before


def test_cycles_in_inheritance_end(project):
    project.write(
        {
            "a.py": "from b import Y\nclass X(X):\n    def m(self): self.missing()\nclass Z(Y): pass\n",
            "b.py": "from a import Z\n\n\nclass Y(Z):\n    def n(self):\n        self.missing()\n",
        }
    )
    project.sync()
    assert "a.py::X.m" in project.rows("SELECT id FROM functions")


def test_a_file_that_takes_too_long_is_one_problem(project, monkeypatch):
    project.write({"slow.py": "x = 1\n", "a.py": "def f(): pass\n", "b.py": "def g(): pass\n"})
    slow_worker(monkeypatch, "if path == 'slow.py': time.sleep(60)")
    monkeypatch.setattr("sctx_tui.graph.indexer.parse_all", with_options(seconds_per_file=1.5))
    events = project.events(sync)
    assert [e for e in events if isinstance(e, Problem)] == [
        Problem("slow.py", "took longer than 2 seconds to parse")
    ]
    assert {"a.py::f", "b.py::g"} <= set(project.rows("SELECT id FROM functions"))


def test_a_parser_that_crashes_is_one_problem(project, monkeypatch):
    project.write({"bad.py": "x = 1\n", "a.py": "def f(): pass\n", "b.py": "def g(): pass\n"})
    slow_worker(monkeypatch, "if path == 'bad.py': os.kill(os.getpid(), 11)")
    events = project.events(sync)
    assert [e for e in events if isinstance(e, Problem)] == [Problem("bad.py", "its parser crashed")]
    assert {"a.py::f", "b.py::g"} <= set(project.rows("SELECT id FROM functions"))


def slow_worker(monkeypatch: pytest.MonkeyPatch, statement: str) -> None:
    """Have workers run a statement before they read a file."""
    real = subprocess.Popen

    def popen(command, *args, **kwargs):
        if "sctx_tui.graph.worker" in command[-1]:
            prelude = (
                "import os, time\nimport sctx_tui.graph.worker as w\nreal = w.read\n"
                f"def read(root, path, *rest):\n    {statement}\n    return real(root, path, *rest)\n"
                "w.read = read\n"
            )
            path, _, rest = command[-1].partition("\n")
            command = (*command[:-1], f"{path}\n{prelude}{rest}")
        return real(command, *args, **kwargs)

    monkeypatch.setattr(subprocess, "Popen", popen)


def with_options(**options):
    from sctx_tui.graph.workers import parse_all

    return lambda *args, **kwargs: parse_all(*args, **{**kwargs, **options})


def test_a_fault_of_ours_in_one_file_is_one_problem(project, monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("sctx_tui.graph.extract.extract", fail)
    project.write({"a.py": "x = 1\n"})
    assert worker.read(str(project.root), "a.py", "python").problem == "can't be parsed: RuntimeError: no"


def test_a_fault_of_ours_in_linking_costs_the_calls_only(project, monkeypatch, fresh):
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    project.write(SHOP)
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_all", fail)
        events = project.events(sync)
    assert Problem(".", "calls can't be linked: RuntimeError: no") in events
    assert "src/shop/money.py::add" in project.rows("SELECT id FROM functions")
    project.sync()  # what is left to do is done next time
    assert project.dump() == fresh(project).dump()


def test_a_file_that_vanishes_meanwhile_is_left_as_it_was(project):
    project.write({"a.py": "def f(): pass\n"})
    assert worker.read(str(project.root), "gone.py", "python").is_gone


def test_modules_of_the_repository_are_not_run(project):
    marker = project.root.parent / "ran"
    project.write(
        {
            name: f"open({str(marker)!r}, 'w').close()\n"
            for name in (
                "json.py",
                "marshal.py",
                "zlib.py",
                "logging/__init__.py",
                "tree_sitter/__init__.py",
                "sctx_tui.py",
            )
        }
    )
    code = "from sctx_tui.cli.ctx import main; main(['init', '--no-hooks'])"
    subprocess.run([sys.executable, "-P", "-c", code], cwd=project.root, check=True, capture_output=True)
    assert not marker.exists()
    assert project.rows("SELECT count(*) FROM files") == [6]


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
