"""An index from elsewhere may hold any text in any column: none of it acts on a terminal or a document."""

from __future__ import annotations

import sqlite3
import unicodedata
from contextlib import closing
from typing import Any

import pytest

from sctx_tui.graph import store_notes, store_taint
from sctx_tui.graph.store import Store, index_path
from sctx_tui.services.mcp.server import run_tool
from sctx_tui.services.mcp.session import Session

from .conftest import Repository

STRANGE = "\x1b]0;title\x07\u202e\n## Injected\n"
FOUND_BY = {"id", "path", "file", "target", "field", "scope", "source_id", "function_id"}
TABLES = ("written", "dangers", "decisions", "session_log", "changes", "taints", "files", "functions")
READ = (
    ("context", "b.py"), ("context", "b.py:5"), ("status", "--tainted", "--problems"), ("search", "a"),
    ("graph", "a.py"), ("graph", "--calls", "a.py"), ("neighbours", "a.py"), ("danger", "list"),
    ("decision", "list"),
)  # fmt: skip
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_context", {"file": "b.py"}), ("get_function", {"id": "a.py::a"}), ("search", {"query": "a"}),
    ("get_dangers", {}), ("get_decisions", {}), ("get_callers", {"function_id": "a.py::a"}),
    ("get_neighbours", {"file": "a.py"}), ("get_tainted", {}), ("ctx_status", {}),
)  # fmt: skip


@pytest.fixture
def strange(repository: Repository) -> Repository:
    """Two files, something of everything that is written down, and then a strange text in every column."""
    repository.write(
        {"a.py": "def a():\n    '''Says a.'''\n", "b.py": "from a import a\n\n\ndef b():\n    a()\n"}
    )
    repository.commit()
    repository.sync()
    with Store.open(str(repository.root)) as store:
        for scope in ("*", "a.py", "b.py"):
            store_notes.add_danger(store, scope, "a danger", reason="because", source="agent")
            store_notes.add_decision(
                store, scope, "a decision", alternatives=["x"], reason="r", source="agent"
            )
        for kind in ("log", "plan"):
            store_notes.log_session(store, "an entry", kind=kind, files_touched=["a.py"], source="agent")
        store_notes.log_changes(store, [("a.py", "a change")], source="agent")
        store_notes.describe(store, "function", "a.py::a", {"summary": "s", "danger": "d"}, source="agent")
        taint = store_taint.Taint("b.py::b", "a.py::a", "signature", False, None)
        store_taint.add(store, [taint], store_notes.now())
    with closing(sqlite3.connect(index_path(str(repository.root)))) as connection:
        for table in TABLES:
            for _, column, type_, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                if type_ == "TEXT" and column not in FOUND_BY:
                    quoted = f"{column} NOT LIKE '[%'"  # else a list in JSON
                    connection.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {quoted}", (f"{STRANGE}{column}",)
                    )
        connection.commit()
    return repository


def harmless(text: str) -> bool:
    """Whether nothing in a text acts on a terminal, and none of it is a heading that nobody wrote."""
    is_control = any(unicodedata.category(letter) in ("Cc", "Cf") for letter in text.replace("\n", ""))
    return not is_control and "\n## Injected" not in text


@pytest.mark.parametrize("arguments", READ)
def test_commands(strange: Repository, arguments: tuple[str, ...]) -> None:
    done = strange.ctx(*arguments)
    assert "unexpected" not in done.stderr
    assert harmless(done.stdout + done.stderr), ascii(done.stdout)


@pytest.mark.parametrize(("name", "arguments"), TOOLS)
def test_tools(strange: Repository, name: str, arguments: dict[str, Any]) -> None:
    session = Session(str(strange.root))
    try:
        result = run_tool(session, name, arguments)
    finally:
        session.close()
    assert harmless(result.content[0].text), ascii(result.content[0].text)


def test_export(strange: Repository) -> None:
    assert strange.ctx("export").returncode == 0
    assert harmless((strange.root / "CLAUDE.md").read_text())
