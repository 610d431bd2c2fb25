"""The hook in the settings of Claude Code: what is added, what is corrected, what is left alone."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sctx_tui.agents import claude_settings
from sctx_tui.agents.claude_settings import EVENTS, MATCHER
from sctx_tui.agents.command import Command
from sctx_tui.agents.install import Outcome, Scope, SettingsError, disable, enable

OURS = {"type": "command", "command": "sctx hook"}
OTHER = {"type": "command", "command": "other", "timeout": 5}
GROUP = {"matcher": MATCHER, "hooks": [OURS]}
BOTH = {event: [GROUP] for event in EVENTS}
OLD = "Read|Write|Edit|MultiEdit"


@pytest.fixture(autouse=True)
def bare_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_settings, "installed_command", lambda name: Command((name,)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    return tmp_path / "project"


def file(root: Path) -> Path:
    return root / ".claude" / "settings.local.json"


def enabled(root: Path, text: str | None, scope: Scope = "local") -> str:
    """The settings after enabling, which a second time changes nothing."""
    if text is not None:
        file(root).write_bytes(text.encode())
    outcome = enable("claude", str(root), scope=scope)
    after = file(root).read_bytes().decode()
    assert outcome.changed == (after != text)
    again = enable("claude", str(root), scope=scope)
    assert not again.changed and "already enabled" in again.message
    assert file(root).read_bytes().decode() == after
    return after


def disabled(root: Path, text: str) -> str:
    file(root).write_bytes(text.encode())
    outcome = disable("claude", str(root))
    after = file(root).read_bytes().decode()
    assert outcome.changed == (after != text)
    assert not disable("claude", str(root)).changed
    return after


def settings_with(pre: list[Any], post: list[Any]) -> str:
    return json.dumps({"hooks": {"PreToolUse": pre, "PostToolUse": post}}, indent=2)


# Installing


def test_a_new_file(root: Path) -> None:
    text = enabled(root, None)
    assert json.loads(text) == {"hooks": BOTH}
    assert text.startswith('{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": ')
    assert text.endswith("\n}\n")
    assert stat.S_IMODE(file(root).stat().st_mode) == 0o600


def test_the_files_of_the_scopes(root: Path, home: Path) -> None:
    enable("claude", str(root), scope="shared")
    assert json.loads((root / ".claude/settings.json").read_text()) == {"hooks": BOTH}
    with pytest.raises(SettingsError, match=r"~/\.claude/ directory not found"):
        enable("claude", str(root), scope="user")
    (home / ".claude").mkdir()
    assert (
        enable("claude", str(root), scope="user").message == "sctx hooks enabled in ~/.claude/settings.json"
    )
    assert json.loads((home / ".claude/settings.json").read_text()) == {"hooks": BOTH}
    assert not file(root).exists()


def test_the_folder_must_be_there(tmp_path: Path) -> None:
    for action in (enable, disable):
        with pytest.raises(SettingsError, match=r"^\.claude/ directory not found"):
            action("claude", str(tmp_path))
    (tmp_path / ".claude").write_text("a file")
    with pytest.raises(SettingsError, match=r"^\.claude/ directory not found"):
        enable("claude", str(tmp_path))


def test_everything_else_keeps_its_bytes(root: Path) -> None:
    text = (
        '{\r\n\t"z": 12345678901234567890, // a long number\r\n\t"a": "<a>&b",\r\n\t"hooks": {\r\n'
        '\t\t"Stop": [],\r\n\t\t"PreToolUse": [\r\n\t\t\t{"matcher": "Bash", "hooks": [{"type": "command", '
        '"command": "other"}]} // theirs\r\n\t\t]\r\n\t},\r\n\t"f": 1.10\r\n}'
    )
    after = enabled(root, text)
    assert "\n" not in after.replace("\r\n", "")
    kept = iter(after)
    assert all(character in kept for character in text), "every byte is still there, in its order"
    for part in (
        "12345678901234567890, // a long number",
        '"<a>&b"',
        "// theirs",
        '"f": 1.10\r\n}',
        '"Stop": []',
    ):
        assert part in after
    assert disabled(root, after) == text


@pytest.mark.parametrize(
    "text",
    [
        "{}\n",
        '{"model": "x"}',
        '{\n  "model": "x"\n}\n',
        '{\n    "hooks": {\n        "Stop": []\n    }\n}\n',
        '{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": []\n'
        "      }\n    ]\n  }\n}\n",
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "o"}]}]}}',
        '\ufeff{\n  "model": "x"\n}\n',
    ],
)
def test_disabling_undoes_enabling(root: Path, text: str) -> None:
    assert disabled(root, enabled(root, text)) == text


# Correcting


@pytest.mark.parametrize(
    ("pre", "post"),
    [
        ([GROUP], []),
        ([], [GROUP]),
        ([{**GROUP, "matcher": OLD}], [{**GROUP, "matcher": OLD}]),
        ([{**GROUP, "matcher": "Read"}], [GROUP]),
        ([{"matcher": OLD, "hooks": [{"type": "command", "command": "/usr/local/bin/sctx hook"}]}], [GROUP]),
        ([GROUP, GROUP], [GROUP]),
        ([GROUP, {"matcher": OLD, "hooks": [{"type": "command", "command": "/old/sctx hook"}]}], [GROUP]),
        ([{"matcher": MATCHER, "hooks": [OURS, OURS]}], [GROUP]),
    ],
)
def test_older_and_unfinished_installations(root: Path, pre: list[Any], post: list[Any]) -> None:
    assert json.loads(enabled(root, settings_with(pre, post)))["hooks"] == BOTH


def test_an_upgrade_says_so(root: Path) -> None:
    file(root).write_text(settings_with([{**GROUP, "matcher": OLD}], [GROUP]))
    assert enable("claude", str(root)).message == "sctx hooks updated in .claude/settings.local.json"


@pytest.mark.parametrize(
    "matcher", [f"{MATCHER}|Bash", "Bash, Read, Edit, Write, MultiEdit, NotebookEdit", "*", "", ".*"]
)
def test_a_matcher_that_lets_more_through_stays(root: Path, matcher: str) -> None:
    text = settings_with([{**GROUP, "matcher": matcher}], [{"hooks": [OURS]}])
    assert enabled(root, text) == text


@pytest.mark.parametrize("matcher", ["^Read$", "Read|Edit.*", "[", 7, ["Read"]])
def test_any_other_matcher_is_replaced(root: Path, matcher: object) -> None:
    text = settings_with([{**GROUP, "matcher": matcher}], [GROUP])
    assert json.loads(enabled(root, text))["hooks"] == BOTH


def test_others_keep_their_group_and_its_matcher(root: Path) -> None:
    text = settings_with(
        [{"matcher": "Read", "hooks": [OURS, OTHER]}], [{"matcher": "*", "hooks": [OTHER, OURS]}]
    )
    hooks = json.loads(enabled(root, text))["hooks"]
    assert hooks["PreToolUse"] == [{"matcher": "Read", "hooks": [OTHER]}, GROUP]
    assert hooks["PostToolUse"] == [{"matcher": "*", "hooks": [OTHER, OURS]}]


def test_what_the_user_added_to_our_handler_stays(root: Path) -> None:
    handler = {"type": "command", "command": "/old/sctx hook", "timeout": 7}
    hooks = json.loads(enabled(root, settings_with([{"matcher": OLD, "hooks": [handler]}], [])))["hooks"]
    assert hooks["PreToolUse"] == [{"matcher": MATCHER, "hooks": [{**OURS, "timeout": 7}]}]


def test_a_command_with_arguments_is_ours_too(root: Path) -> None:
    handler = {"type": "command", "command": "sctx", "args": ["hook"]}
    text = settings_with([{"matcher": MATCHER, "hooks": [handler]}], [GROUP])
    assert enabled(root, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "7",
        '"x"',
        "[]",
        "",
        "{bad",
        '{"hooks": []}',
        '{"hooks": null}',
        '{"hooks": "weird"}',
        '{"hooks": {"PreToolUse": {}}}',
        '{"hooks": {"PostToolUse": null}}',
    ],
)
def test_odd_shapes_are_refused(root: Path, text: str) -> None:
    file(root).write_text(text)
    with pytest.raises(SettingsError, match=r"\.claude/settings\.local\.json"):
        enable("claude", str(root))
    assert file(root).read_text() == text


@pytest.mark.parametrize("text", ["null", "7", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "{}"])
def test_disabling_finds_nothing_in_odd_shapes(root: Path, text: str) -> None:
    assert disabled(root, text) == text


def test_odd_groups_of_others_are_left_alone(root: Path) -> None:
    odd = ["str", 7, None, [], {}, {"hooks": 7}, {"hooks": [None, "x", {"command": 7}, {"type": "command"}]}]
    assert json.loads(enabled(root, settings_with(odd, odd)))["hooks"]["PreToolUse"] == [*odd, GROUP]


def test_files_that_are_no_text(root: Path) -> None:
    file(root).write_bytes(b"\xff{}")
    with pytest.raises(SettingsError, match="not UTF-8"):
        enable("claude", str(root))
    file(root).unlink()
    os.mkfifo(file(root))
    with pytest.raises(SettingsError, match="not a regular file"):
        enable("claude", str(root))


def test_a_link_that_leads_out_of_the_project(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}")
    file(root).symlink_to(elsewhere)
    for action in (enable, disable):
        with pytest.raises(SettingsError, match="leads out of the project"):
            action("claude", str(root))
    assert elsewhere.read_text() == "{}"


def test_a_link_within_the_project(root: Path) -> None:
    (root / "shared.json").write_text("{}")
    file(root).symlink_to(root / "shared.json")
    enable("claude", str(root))
    assert file(root).is_symlink()
    assert json.loads((root / "shared.json").read_text()) == {"hooks": BOTH}


# Removing


def test_only_ours_goes(root: Path) -> None:
    text = json.dumps(
        {
            "hooks": {
                "PreToolUse": [{"matcher": "Read", "hooks": [OURS, OTHER]}, "str", GROUP],
                "PostToolUse": [GROUP],
                "SessionStart": [{"hooks": [OURS]}],
                "Stop": [],
            },
            "model": "x",
        }
    )
    assert json.loads(disabled(root, text)) == {
        "hooks": {"PreToolUse": [{"matcher": "Read", "hooks": [OTHER]}, "str"], "Stop": []},
        "model": "x",
    }


def test_what_it_leaves_empty_goes_too(root: Path) -> None:
    assert disabled(root, json.dumps({"hooks": BOTH}, indent=2) + "\n") == "{}\n"


def test_nothing_to_disable(root: Path) -> None:
    outcome = disable("claude", str(root))
    assert outcome == Outcome("sctx hooks are not enabled in .claude/settings.local.json", False)
    assert not file(root).exists()


# Notes


def test_notes_on_the_command(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_settings, "installed_command", lambda name: Command(("/a b/sctx",), "why"))
    outcome = enable("claude", str(root))
    assert outcome.notes == ("why",)
    command = json.loads(file(root).read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert command == "'/a b/sctx' hook"
    assert enable("claude", str(root)).notes == ()


def test_a_note_on_a_path_in_shared_settings(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_settings, "installed_command", lambda name: Command(("/a/sctx",), "why"))
    [note] = enable("claude", str(root), scope="shared").notes
    assert note == "why; everybody who uses these settings needs it there"


def test_another_configuration_directory(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "elsewhere"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place))
    with pytest.raises(SettingsError, match=f"^{place}/ directory not found"):
        enable("claude", str(root), scope="user")
    place.mkdir()
    assert str(place) in enable("claude", str(root), scope="user").message
    assert (place / "settings.json").exists()


def test_a_note_when_two_files_would_run_it_twice(root: Path) -> None:
    (root / ".claude/settings.json").write_text(
        json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/old/sctx hook"}]}]}})
    )
    [note] = enable("claude", str(root)).notes
    assert ".claude/settings.json" in note and "sctx claude disable --shared" in note
    enable("claude", str(root), scope="shared")
    assert enable("claude", str(root)).notes == (), "Claude Code runs identical commands once"


# Any settings at all

NAMES = st.sampled_from(
    ["hooks", "PreToolUse", "PostToolUse", "Stop", "matcher", "type", "command", "args", "x"]
)
WORDS = st.sampled_from(
    ["sctx hook", "/b/sctx hook", "command", "Read", OLD, MATCHER, "other", "", "hook", "sctx"]
)
ANY = st.recursive(
    WORDS | st.none() | st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=15,
)
HANDLERS = st.lists(st.fixed_dictionaries({"type": st.just("command"), "command": WORDS}) | ANY, max_size=3)
GROUPS = st.lists(st.fixed_dictionaries({"matcher": WORDS, "hooks": HANDLERS}) | ANY, max_size=3)
SETTINGS = st.fixed_dictionaries(
    {"hooks": st.dictionaries(st.sampled_from([*EVENTS, "Stop"]), GROUPS | ANY)}, optional={"x": ANY}
)


def is_ours(value: dict[str, Any]) -> bool:
    command, arguments = value.get("command"), value.get("args")
    if value.get("type") != "command" or not isinstance(command, str):
        return False
    words = [*command.split(), *(arguments if isinstance(arguments, list) else [])]
    return words[:2] in (["sctx", "hook"], ["/b/sctx", "hook"])


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[Any]:
    """Every value of others, with the keys that lead to it; a matcher may be ours to change."""
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item, path)]
    if isinstance(value, dict):
        others = {} if is_ours(value) else {key: item for key, item in value.items() if key != "matcher"}
        return [leaf for key, item in others.items() for leaf in leaves(item, (*path, key))]
    return [(path, value)]


def ours_in(groups: Any) -> list[Any]:
    """Our handlers in the groups of one event."""
    lists = (
        [group.get("hooks") for group in groups if isinstance(group, dict)]
        if isinstance(groups, list)
        else []
    )
    handlers = [handler for each in lists if isinstance(each, list) for handler in each]
    return [handler for handler in handlers if isinstance(handler, dict) and is_ours(handler)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(SETTINGS | ANY, st.sampled_from([None, 2]))
def test_any_settings(root: Path, value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    file(root).write_text(text)
    try:
        enable("claude", str(root))
    except SettingsError:
        assert file(root).read_text() == text
        return
    after = json.loads(file(root).read_text())
    assert [len(ours_in(after["hooks"][event])) for event in EVENTS] == [1, 1]
    assert leaves(after) == leaves(value)
    disable("claude", str(root))
    end = json.loads(file(root).read_text())
    hooks = end.get("hooks")
    assert not any(ours_in(groups) for groups in (hooks.values() if isinstance(hooks, dict) else ()))
    assert leaves(end) == leaves(value)
