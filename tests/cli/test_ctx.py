"""The `ctx` commands: what they print, what they leave behind, how they end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from sctx_tui.cli.ctx import COMMANDS, ctx
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_notes import describe

from .conftest import SHOP, Shop


def test_init_says_what_it_found(bare: Shop) -> None:
    result = bare.ok("init")
    assert result.out == "4 files (3 parsed), 5 functions, 1 call (0 ambiguous), 1 import\n"
    assert result.err == ""


def test_init_again_keeps_what_is_written(shop: Shop) -> None:
    shop.ok("danger", "*", "Never floats")
    shop.ok("init")
    assert "Never floats" in shop.ok("danger", "list").out


def test_commands_need_an_index_and_say_so(bare: Shop) -> None:
    for arguments in (
        ["sync"],
        ["status"],
        ["search", "x"],
        ["graph", "shop/money.py"],
        ["update", "README.md"],
    ):
        result = bare.ctx(*arguments)
        assert (result.code, result.out) == (1, "")
        assert "run `ctx init`" in result.err
    assert not (bare.root / ".ctx").exists()


def test_sync_lists_what_has_changed(shop: Shop) -> None:
    assert shop.ok("sync").out == "Up to date: 4 files.\n"
    shop.write({"shop/money.py": SHOP["shop/money.py"].replace("(a, b)", "(a, b, c)")})
    shop.write({"new.py": "x = 1\n"})
    (shop.root / "README.md").unlink()
    dry = shop.ok("sync", "--dry-run")
    assert dry.out == "new      new.py\nchanged  shop/money.py\ndeleted  README.md\n"
    assert dry.err == ""
    wet = shop.ok("sync")
    assert wet.out == dry.out
    assert "1 caller of something that has changed" in wet.err
    assert shop.ok("sync").out == "Up to date: 4 files.\n"


def test_sync_as_json(shop: Shop) -> None:
    shop.write({"new.py": "x = 1\n"})
    (shop.root / "shop/cart.py").rename(shop.root / "shop/basket.py")
    assert shop.ok("sync", "--json").json == {
        "added": ["new.py"],
        "changed": [],
        "deleted": [],
        "renamed": [{"from": "shop/cart.py", "to": "shop/basket.py"}],
        "files": 5,
        "dry_run": False,
    }


def test_update_takes_paths_as_the_shell_completes_them(shop: Shop) -> None:
    shop.write({"shop/money.py": "def add(a, b): return b\n"})
    assert shop.ok("update", "money.py", cwd=shop.root / "shop").out == "changed  shop/money.py\n"
    shop.write({"shop/money.py": "def add(a, b): return a\n"})
    assert shop.ok("update", "shop").out == "changed  shop/money.py\n"
    (shop.root / "shop/money.py").unlink()
    assert shop.ok("update", "shop/money.py").out == "deleted  shop/money.py\n"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nothing.py", "git doesn't list it"),
        ("../elsewhere.py", "outside the project"),
        ("secret.log", "git doesn't list it"),
    ],
)
def test_update_refuses_what_is_not_listed(shop: Shop, path: str, message: str) -> None:
    shop.write({".gitignore": "*.log\n"})
    shop.write({"secret.log": "x\n"})
    result = shop.ctx("update", path)
    assert result.code == 1 and message in result.err


def test_status(shop: Shop) -> None:
    shop.write({"shop/money.py": SHOP["shop/money.py"].replace("(a, b)", "(a, b, c)")})
    shop.write({"data.py": "x = '\0'\n"})
    shop.ok("sync")
    out = shop.ok("status").out
    assert "5, 3 parsed" in out
    assert "shop/cart.py::total: shop/money.py::add the signature changed" in out
    assert "data.py: binary" in shop.ok("status", "--problems").out
    facts = shop.ok("status", "--json").json
    assert facts["files"] == 5 and facts["calls"] == {"resolved": 1, "ambiguous": 0}
    assert facts["stale"]["files"] == 1
    assert facts["confidence"] == {"1.0": 4, ">= 0.75": 1, ">= 0.5": 0, ">= 0.25": 0, "below": 0}
    assert [entry["function"] for entry in facts["taint_queue"]] == ["shop/cart.py::total"]
    assert facts["problems"] == [{"file": "data.py", "problem": "binary"}]
    assert facts["hooks"] == {"pre-commit": "none", "post-commit": "none", "post-merge": "none"}


def test_status_says_when_another_commit_is_checked_out(shop: Shop) -> None:
    shop.git("add", "-A")
    shop.git("commit", "-qm", "one")
    assert "run `ctx sync`" in shop.ok("status").out
    shop.ok("sync")
    assert "run `ctx sync`" not in shop.ok("status").out


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("add", ["shop/money.py::add"]),
        ("ad", ["shop/money.py::add"]),
        ("two amounts", ["shop/money.py::add"]),
        ("cents", ["shop/money.py"]),
        ("shop/money.py", ["shop/money.py"]),
        ("ota", ["shop/cart.py::total"]),
        # None of these characters may cost a hit.
        ("shop-cart", ["shop/cart.py"]),
        ("shop/cart", ["shop/cart.py"]),
        ("shop::cart", ["shop/cart.py"]),
        ("@total", ["shop/cart.py::total"]),
        ("total(", ["shop/cart.py::total"]),
        ('"total"', ["shop/cart.py::total"]),
        ("total.", ["shop/cart.py::total"]),
        ("cart.py::total", ["shop/cart.py::total"]),
    ],
)
def test_search(shop: Shop, query: str, found: list[str]) -> None:
    assert [hit["id"] for hit in shop.ok("search", *query.split(), "--json").json] == found


@pytest.mark.parametrize(
    "query", ['"', "add)", "a-b", "@x.y", "NEAR(a b)", "AND", "name:add", "*", "^add", "\\", "'; --", "é"]
)
def test_no_character_is_special_to_search(shop: Shop, query: str) -> None:
    result = shop.ctx("search", "--", query)
    assert result.code in (0, 1)
    assert "error" not in result.err


def test_search_finds_what_an_agent_wrote(shop: Shop) -> None:
    with Store.open(str(shop.root)) as store:
        describe(store, "function", "shop/cart.py::total", {"summary": "Sums the zloty"}, source="agent")
    assert "shop/cart.py:4" in shop.ok("search", "zlot").out


def test_search_without_a_hit(shop: Shop) -> None:
    result = shop.ctx("search", "unheardof")
    assert (result.code, result.out) == (1, "")
    assert "nothing found" in result.err


def test_dangers_are_added_listed_and_removed(shop: Shop) -> None:
    assert shop.ok("danger", "*", "Never floats", "--reason", "cents").out == "danger 1 for *\n"
    assert shop.ok("danger", "add", "./shop/money.py", "Rounds down").out == "danger 2 for shop/money.py\n"
    assert (
        shop.ok("danger", "money.py::add", "Is hot", cwd=shop.root / "shop").out
        == "danger 3 for shop/money.py::add\n"
    )
    assert shop.ok("danger", "src/**/*.py", "Typed").out == "danger 4 for src/**/*.py\n"
    assert shop.ok("danger", "*", "Never floats").out == "danger 1 for *\n"
    listed = shop.ok("danger", "list", "--json").json
    assert [(d["scope"], d["description"], d["source"]) for d in listed] == [
        ("*", "Never floats", "person"),
        ("shop/money.py", "Rounds down", "person"),
        ("shop/money.py::add", "Is hot", "person"),
        ("src/**/*.py", "Typed", "person"),
    ]
    assert "because: cents" in shop.ok("danger", "list").out
    shop.ok("danger", "remove", "1")
    assert len(shop.ok("danger", "list", "--json").json) == 3
    result = shop.ctx("danger", "remove", "1")
    assert result.code == 1 and "no danger 1" in result.err


def test_decisions_are_added_listed_and_removed(shop: Shop) -> None:
    shop.ok(
        "decision",
        "shop",
        "Integers only",
        "--alternatives",
        "floats",
        "--alternatives",
        "Decimal",
        "--reason",
        "exact",
    )
    (found,) = shop.ok("decision", "list", "--json").json
    assert found["alternatives"] == ["floats", "Decimal"]
    assert (found["scope"], found["decision"], found["reason"]) == ("shop", "Integers only", "exact")
    assert "rejected: Decimal" in shop.ok("decision", "list").out
    shop.ok("decision", "remove", str(found["id"]))
    assert shop.ok("decision", "list").out == ""


def test_a_scope_outside_the_project_is_refused(shop: Shop) -> None:
    result = shop.ctx("danger", "../x.py", "no")
    assert result.code == 1 and "outside the project" in result.err


def test_notes_before_the_first_init_do_not_block_commits(bare: Shop) -> None:
    bare.ok("danger", "*", "Never floats")
    bare.git("add", "-A")
    assert bare.ok("validate").err.startswith("no index")
    bare.ok("init")
    assert "Never floats" in bare.ok("danger", "list").out


def test_the_root_is_where_the_index_is(shop: Shop, tmp_path: Path) -> None:
    inside = shop.root / "shop"
    assert shop.ok("status", "--json", cwd=inside).json["root"] == str(shop.root)
    assert shop.ok("status", "--json", "--root", str(shop.root), cwd=tmp_path).json["root"] == str(shop.root)
    result = shop.ctx("status", "--root", "nowhere")
    assert result.code == 1 and "no such directory" in result.err


def test_a_worktree_below_an_indexed_project_is_its_own(shop: Shop) -> None:
    shop.git("add", "-A")
    shop.git("commit", "-qm", "one")
    shop.git("worktree", "add", "-q", "trees/one")
    result = shop.ctx("status", cwd=shop.root / "trees/one/shop")
    assert result.code == 1 and "trees/one/.ctx" in result.err


def test_hostile_names_are_shown_not_obeyed(bare: Shop) -> None:
    bare.write({"evil\x1b[31m\u202e.py": "def f(): pass\n"})
    bare.write({"b[red].py": "def g(): pass\n"})
    bare.ok("init")
    for arguments in (
        ["search", "f"],
        ["search", "evil"],
        ["status", "--problems"],
        ["graph", "evil\x1b[31m\u202e.py"],
        ["neighbours", "evil\x1b[31m\u202e.py"],
        ["graph", "b[red].py", "--calls"],
        ["sync"],
    ):
        result = bare.ctx(*arguments)
        assert "\x1b" not in result.out + result.err and "\u202e" not in result.out + result.err


def test_a_damaged_index_is_replaced_and_said(shop: Shop) -> None:
    shop.ok("danger", "*", "Never floats")
    (shop.root / ".ctx/index.db").write_bytes(b"no database at all" * 1000)
    result = shop.ok("sync")
    assert "moved to" in result.err and "new      shop/money.py" in result.out


def test_unknown_words_get_advice(shop: Shop) -> None:
    assert "did you mean status?" in shop.ctx("statsu").err
    assert "did you mean --dry-run?" in shop.ctx("sync", "--dryrun").err
    assert "did you mean --json?" in shop.ctx("status", "json").err


def test_every_command_has_help_and_ends_well(shop: Shop) -> None:
    for name in COMMANDS:
        assert shop.ok(name, "--help").out.startswith("Usage:"), name
    assert "Commands:" in shop.ok("--help").out
    assert shop.ok("--version").out.startswith("ctx ")
    assert list(ctx.list_commands(None)) == list(COMMANDS)  # type: ignore[arg-type]


def test_validate_imports_nothing_heavy(shop: Shop) -> None:
    code = (
        "import sys\nfrom sctx_tui.cli.ctx import main\n"
        "try:\n    main(['validate'])\nexcept SystemExit: pass\n"
        "heavy = {'rich', 'textual', 'mcp', 'watchfiles', 'yaml', 'wcmatch', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    import sys

    shop.git("add", "-A")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=shop.root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_output_is_json_and_nothing_else(shop: Shop) -> None:
    for arguments in (
        ["status"],
        ["sync"],
        ["search", "add"],
        ["danger", "list"],
        ["decision", "list"],
        ["validate"],
        ["graph", "shop/money.py"],
        ["neighbours", "shop/money.py"],
        ["update", "README.md"],
    ):
        json.loads(shop.ok(*arguments, "--json").out)
