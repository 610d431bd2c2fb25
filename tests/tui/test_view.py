"""From questions to plain data, without the framework."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.agents.hook import answer
from sctx_tui.tui.desk import ACTIONS, TIMINGS, Desk, History, Question
from sctx_tui.tui.project import Project
from sctx_tui.tui.view import MATRIX, Difference

CHECKOUT = Question("src/payments/checkout.ts", is_folder=False)
TODAY = "2026-12-01"


@pytest.fixture
def project(shop: Path) -> Project:
    made = Project(os.path.realpath(shop), TODAY, builds_index=False)
    made.list_files()
    return made


def test_cards_are_in_merge_order_with_the_pattern_that_decided(project: Project) -> None:
    view = project.guidance(CHECKOUT._replace(action="edit", timing="before"))
    assert [(card.file, card.line, card.level) for card in view.cards if card.applies] == [
        ("AGENTS.yaml", 2, 0), ("AGENTS.yaml", 7, 0), ("src/payments/AGENTS.yaml", 2, 2),
    ]  # fmt: skip
    first = view.cards[0]
    assert [(each.text, each.decided) for each in first.match] == [("**/*.ts", True)]
    assert [(each.text, each.decided) for each in first.exclude] == [("scripts/**", False)]


def test_what_does_not_apply_has_its_reason(project: Project) -> None:
    view = project.guidance(CHECKOUT._replace(action="read"))
    reasons = {
        card.line: card.reason for card in view.cards if not card.applies and card.file == "AGENTS.yaml"
    }
    assert reasons == {2: "other action: on edit, create, asked read"}
    vault = next(card for card in view.cards if "vault" in card.text)
    assert [(each.text, each.decided) for each in vault.exclude] == [("checkout.ts", True)]
    assert vault.reason == "excluded by checkout.ts"


def test_counts_add_up(project: Project) -> None:
    for action in ACTIONS:
        for timing in TIMINGS:
            view = project.guidance(CHECKOUT._replace(action=action, timing=timing))
            total = len(view.cards) + len(view.decisions)
            assert view.applying + view.deciding + view.excluded == total


def test_decisions_have_their_age(project: Project) -> None:
    view = project.guidance(CHECKOUT)
    assert [(card.date, card.age) for card in view.decisions] == [
        ("2025-06-01", "1 year ago"), ("2026-03-14", "8 months ago"),
    ]  # fmt: skip


def test_rows_of_the_tree(project: Project) -> None:
    facts = project.row_facts([("src/payments", True), ("src/catalog/AGENTS.yaml", False)], "all", "all")
    assert facts["src/payments"].applying == project.guidance(Question("src/payments", True)).applying
    broken = facts["src/catalog/AGENTS.yaml"]
    assert (broken.is_guidance, broken.errors) == (True, 2)


def test_compare_tells_sides_apart(project: Project) -> None:
    left, right = CHECKOUT._replace(action="read"), CHECKOUT._replace(action="edit")
    view = project.compare(left, right)
    sides = {(each.file, each.line): (each.left, each.right) for each in view.differences}
    assert sides[("AGENTS.yaml", 2)] == (False, True)
    assert sides[("AGENTS.yaml", 14)] == (True, False)
    assert sides[("AGENTS.yaml", 7)] == (True, True)
    assert all(each.reason for each in view.differences if each.left != each.right)
    mirrored = project.compare(right, left)
    assert {(each.file, each.line): (each.right, each.left) for each in mirrored.differences} == sides


def test_compare_of_places_without_a_common_file_says_so(project: Project) -> None:
    other = Question("docs/adr.md", is_folder=False)
    only: list[Difference] = [
        each for each in project.compare(CHECKOUT, other).differences if each.file.startswith("src/payments")
    ]
    assert only
    assert {each.reason for each in only} == {"another guidance file"}


def test_the_matrix_agrees_with_each_question(project: Project) -> None:
    view = project.matrix(CHECKOUT)
    for column, (action, timing) in enumerate(MATRIX):
        asked = project.guidance(CHECKOUT._replace(action=action, timing=timing))
        assert {(row.file, row.line) for row in view.rows if row.cells[column]} == {
            (card.file, card.line) for card in asked.cards if card.applies
        }


@pytest.mark.parametrize("timing", ["before", "after"])
@pytest.mark.parametrize("action", ["read", "edit"])
def test_delivered_is_what_the_hooks_print(project: Project, action: str, timing: str) -> None:
    view = project.delivered(CHECKOUT._replace(action=action, timing=timing))
    texts = {receipt.agent: delivery.text for delivery in view.deliveries for receipt in delivery.receipts}
    texts |= {receipt.agent: "" for receipt in view.silent}
    for agent, plans in (("Claude Code", False), ("Claude Code, plan mode", True)):
        payload = {
            "hook_event_name": "PreToolUse" if timing == "before" else "PostToolUse",
            "tool_name": action.capitalize(),
            "tool_input": {"file_path": os.path.join(project.root, CHECKOUT.path)},
            "cwd": project.root,
            "permission_mode": "plan" if plans else "default",
        }
        printed = answer(payload, {})
        got = json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""
        if agent in texts:
            assert texts[agent] == got, agent
    for agent, plans in (("pi", False), ("pi, plan mode", True)):
        payload = {
            "source": "pi",
            "event": "tool_call" if timing == "before" else "tool_result",
            "tool_name": action,
            "input": {"path": CHECKOUT.path},
            "cwd": project.root,
            "include_decisions": plans,
        }
        printed = answer(payload, {})
        if agent in texts:
            assert texts[agent] in (printed and next(iter(_texts(json.loads(printed))))), agent
    assert texts


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    found = [each for part in value.values() for each in _texts(part)] if isinstance(value, dict) else []
    return sorted(found, key=len, reverse=True)


def test_a_folder_is_only_read(project: Project) -> None:
    view = project.delivered(Question("src/payments", True, "edit"))
    assert view.deliveries == view.silent == ()


def test_search_finds_guidance_by_all_words(project: Project) -> None:
    found = project.search("cents INTEGERS").guidance
    assert [(each.file, each.line) for each in found] == [("src/payments/AGENTS.yaml", 2)]
    assert project.search("cents nowhere").guidance == ()
    assert project.search("  ").guidance == ()


def test_history_goes_both_ways() -> None:
    history = History()
    first, second, third = (Desk(Question(name, is_folder=False)) for name in "abc")
    history.leave(first)
    history.leave(second)
    assert history.back(third) == second
    assert history.back(second) == first
    assert history.back(first) is None
    assert history.forward(first) == second
    assert history.forward(second) == third
    assert history.forward(third) is None
    history.back(third)
    history.leave(first)
    assert history.forward(first) is None


def test_actions_and_timings_go_round() -> None:
    desk = Desk()
    seen = []
    for _ in ACTIONS:
        seen.append(desk.question.action)
        desk = desk.with_action(1)
    assert tuple(seen) == ACTIONS
    assert desk.with_action(-1).question.action == ACTIONS[-1]
    assert Desk().with_timing(1).with_timing(1).with_timing(1) == Desk()


@pytest.mark.parametrize(
    "module", ["view", "desk", "project", "survey", "deliveries", "panes", "draw.reports"]
)
def test_needs_no_framework(module: str) -> None:
    loaded = "[name for name in sys.modules if name.startswith('textual')]"
    code = f"import sys, sctx_tui.tui.{module}; print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_heavy_is_loaded_before_the_first_paint() -> None:
    heavy = (
        "yaml", "wcmatch", "tree_sitter", "sqlite3", "click", "mcp", "sctx_tui.guidance",
        "sctx_tui.graph", "sctx_tui.payload", "sctx_tui.agents", "sctx_tui.tui.panes", "sctx_tui.tui.view",
    )  # fmt: skip
    code = (
        "import sys, sctx_tui.tui.app, sctx_tui.tui.project, sctx_tui.tui.state\n"
        f"print(*[name for name in {heavy!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_functions_are_those_on_disk_though_the_index_is_behind(indexed: Path) -> None:
    project = Project(os.path.realpath(indexed), TODAY)

    def names(path: str) -> set[str]:
        *_, view = project.neighbours(Question(path, is_folder=False), ())
        assert view.neighbourhood is not None
        return {each.name for each in view.neighbourhood.functions}

    file = indexed / "src" / "payments" / "refund.ts"
    with closing(project.code):
        before = names("src/payments/refund.ts")
        file.write_text(file.read_text() + "\nexport function written_now(): void {}\n")
        assert names("src/payments/refund.ts") == {*before, "written_now"}
        (indexed / "src" / "new.ts").write_text("export function quite_new(): void {}\n")
        assert "quite_new" in names("src/new.ts")
