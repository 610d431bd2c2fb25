"""Files that are no ordinary code: binary, generated, broken, deep, hostile. None costs the others."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sctx_tui.graph import worker
from sctx_tui.graph.indexer import Problem, sync
from sctx_tui.graph.store import StoreError
from sctx_tui.graph.targets import calls_at
from sctx_tui.services.index_status import status_facts

from .test_indexer import SHOP


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
        pytest.param("x = " + "(" * 50_000 + ")" * 50_000 + "\n", id="parentheses"),
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
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no")

    project.write(SHOP)
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.linking.link_all", fail)
        events = project.events(sync)
    assert Problem(".", "calls can't be linked: RuntimeError: no; those of the last link stay") in events
    assert "src/shop/money.py::add" in project.rows("SELECT id FROM functions")
    project.sync()  # what is left to do is done next time
    assert project.dump() == fresh(project).dump()


def test_a_fault_of_ours_in_linking_keeps_the_calls_of_the_last_link(project, monkeypatch, fresh):
    def fail(ev, site):
        file = site.file
        if file.path == "src/shop/cart.py":
            raise RuntimeError("no")
        return calls_at(ev, site)

    project.write(SHOP)
    project.sync()
    before = project.dump()["call_graph"]
    with monkeypatch.context() as patch:
        patch.setattr("sctx_tui.graph.targets.calls_at", fail)
        project.write({"src/shop/more.py": "from shop.money import add\n\n\ndef more():\n    add(1, 2)\n"})
        events = project.events(sync)
        problems = [event for event in events if isinstance(event, Problem)]
        assert project.dump()["call_graph"] == before
        with project.store() as store:
            assert not status_facts(store, str(project.root))["is_complete"]
    assert [problem.path for problem in problems] == ["src/shop/cart.py"]
    assert "those of the last link stay" in problems[0].message
    project.sync()
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


def test_an_index_that_came_with_the_repository_is_refused(project):
    project.write({"a.py": "def f(): pass\n"})
    project.sync()
    project.git("add", "-f", ".ctx/index.db")
    with pytest.raises(StoreError, match=r"git rm --cached \.ctx/index\.db"):
        project.sync()
    project.git("rm", "-q", "--cached", ".ctx/index.db")
    assert project.sync().is_nothing


def test_a_checkout_of_another_user_is_listed_without_git_and_said_so(project, monkeypatch):
    project.write({"a.py": "def f(): pass\n", ".gitignore": "*.log\n", "x.log": ""})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)  # where a user may have said that it is safe
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own way to test this
    events = project.events(sync)
    (problem,) = [event for event in events if isinstance(event, Problem)]
    assert "another user owns it" in problem.message and str(project.root) in problem.message
    assert project.rows("SELECT path FROM files ORDER BY path") == [".gitignore", "a.py"]
    monkeypatch.delenv("GIT_TEST_ASSUME_DIFFERENT_OWNER")
    assert project.events(sync)[-1].is_nothing


def test_workers_run_this_package_whatever_else_has_its_name(project, monkeypatch):
    marker = project.root.parent / "ran"
    other = project.root.parent / "elsewhere"
    (other / "sctx_tui" / "graph").mkdir(parents=True)
    for name in ("sctx_tui/__init__.py", "sctx_tui/graph/__init__.py", "sctx_tui/graph/worker.py"):
        (other / name).write_text(f"open({str(marker)!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(other)
    project.write({"a.py": "def f(): pass\n"})
    project.sync()
    assert not marker.exists()
    assert project.rows("SELECT id FROM functions WHERE name = 'f'") == ["a.py::f"]
