"""Enabling and disabling against what the Go tool does: exit codes, and which files hold what afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.agents import claude_settings, pi_extension
from sctx_tui.agents.claude_settings import MATCHER
from sctx_tui.agents.command import Command
from sctx_tui.agents.install import SettingsError, disable, enable
from sctx_tui.agents.pi_extension import extension_text

from .conftest import DATA, SHARED, lines, plant

SETTINGS = ".claude/settings.local.json"
EXTENSION = ".pi/extensions/sctx.ts"
OLD_MATCHER = "Read|Write|Edit|MultiEdit"
BARE = Command(("sctx",))

OUR_GROUP = {"matcher": MATCHER, "hooks": [{"type": "command", "command": "sctx hook"}]}
THEIR_GROUP = {"matcher": "Read", "hooks": [{"type": "command", "command": "mine"}]}

OVERRIDES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "S_settings_hooks_odd enable": ("issue 4: odd shapes are refused", 1, {}),
    "S_settings_hooks_odd enable enable": ("issue 4: odd shapes are refused", 1, {}),
    "S_settings_hooks_odd enable disable": ("issue 4: odd shapes are refused", 1, {}),
    "S_settings_partial enable": (
        "issue 4: a half-installed state is completed, others keep their group",
        0,
        {"PreToolUse": [THEIR_GROUP, "str", OUR_GROUP], "Stop": [], "PostToolUse": [OUR_GROUP]},
    ),
    "S_settings_partial enable enable": (
        "issue 4: a half-installed state is completed, others keep their group",
        0,
        {"PreToolUse": [THEIR_GROUP, "str", OUR_GROUP], "Stop": [], "PostToolUse": [OUR_GROUP]},
    ),
    "S_settings_partial disable": (
        "issue 4: others keep their hooks in the same group",
        0,
        {"PreToolUse": [THEIR_GROUP, "str"], "Stop": []},
    ),
    "S_settings_partial enable disable": (
        "issue 4: others keep their hooks in the same group",
        0,
        {"PreToolUse": [THEIR_GROUP, "str"], "Stop": []},
    ),
    "S_pi_ext_only disable": ("issue 4: only what we wrote is deleted", 1, {}),
    "S_pi_ext_only enable disable": ("issue 4: only what we wrote is deleted", 1, {}),
}
"""Case: the rule, the exit code, and the hooks that the settings hold ({} = no file changes)."""


def commands(case: dict[str, Any]) -> list[tuple[str, str]]:
    words = " ".join(case["argv"]).split(" && ")
    return [(agent, action) for agent, action in map(str.split, words)]


def name_of(case: dict[str, Any]) -> str:
    return " ".join([case["id"].rpartition("-")[0], *(action for _, action in commands(case))])


def shared_cases() -> list[dict[str, Any]]:
    path = SHARED / "oracle" / "cli.jsonl"
    trees = (
        json.loads((SHARED / "oracle" / "trees.json").read_text(encoding="utf-8")) if path.exists() else {}
    )
    return [
        {
            **row,
            "tree": trees[row["tree_id"]],
            "exit": row["exit_code"],
            "changed": row.get("files_changed", {}),
        }
        for row in (lines(path) if path.exists() else ())
        if row["argv"]
        and row["argv"][0] in ("claude", "pi")
        and row["argv"][1:2] in (["enable"], ["disable"])
    ]


KEPT = list(lines(DATA / "install_cases.jsonl"))
OTHERS = [case for case in shared_cases() if case["id"] not in {kept["id"] for kept in KEPT}]


def contents(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def expected_files(case: dict[str, Any], before: dict[str, str]) -> dict[str, Any]:
    """The files afterwards, settings as values; the Go tool's matcher is older and its extension another."""
    files: dict[str, Any] = dict(before)
    for path, text in case["changed"].items():
        if text == "<deleted>":
            files.pop(path, None)
        elif path == EXTENSION:
            files[path] = extension_text(BARE)
        elif text is not None:
            files[path] = json.loads(text.replace(f'"{OLD_MATCHER}"', f'"{MATCHER}"'))
    return files


@pytest.mark.parametrize("case", [*KEPT, *OTHERS], ids=lambda case: case["id"])
def test_case(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (claude_settings, pi_extension):
        monkeypatch.setattr(module, "installed_command", lambda name: BARE)
    root = plant(tmp_path, case["tree"])
    before = contents(root)
    code = 0
    for agent, action in commands(case):
        try:
            (enable if action == "enable" else disable)(agent, str(root))
        except SettingsError:
            code = 1
            break
    after: dict[str, Any] = contents(root)
    files = expected_files(case, before)
    exit_code = case["exit"]
    if name_of(case) in OVERRIDES and case["argv"][0] == (
        "pi" if ".pi/extensions/sctx.ts" in before else "claude"
    ):
        _, exit_code, hooks = OVERRIDES[name_of(case)]
        files = {**before, SETTINGS: {"hooks": hooks}} if hooks else before
    assert code == exit_code
    assert after.keys() == files.keys()
    for path, value in files.items():
        assert after[path] == value if isinstance(value, str) else json.loads(after[path]) == value


def test_every_override_is_needed() -> None:
    assert OVERRIDES.keys() <= {name_of(case) for case in KEPT}
