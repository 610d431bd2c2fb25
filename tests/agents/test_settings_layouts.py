"""Settings in any layout: disabling gives back, to the byte, what enabling found."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sctx_tui.agents import places
from sctx_tui.agents.claude_settings import EVENTS, _disable_step, _enable_step, _handlers, _repeat
from sctx_tui.agents.install import disable, enable
from sctx_tui.agents.json_spans import Node, parse
from sctx_tui.agents.outcome import SettingsError

SCALARS = (
    "1e400",
    "1.0",
    "-0",
    "12345678901234567890",
    "null",
    '"x"',
    '"\\u0041\\/"',
    '"//"',
    '"/*"',
    '"\\""',
)
BLANKS = ("", "", "", " ", "\t", "\n", "\n  ", "\n\n\t")
LARGEST = 4 << 20
COMMENTS = (" // c\n", "/* x */", "/* a\n b */", '\n// {"hooks": 1}\n', "//\n")


class Writer:
    """Writes settings as no program would."""

    def __init__(self, chance: random.Random, comments: bool) -> None:
        self.chance = chance
        self.comments = comments

    def gap(self) -> str:
        """What stands between two tokens."""
        return self.chance.choice(BLANKS + COMMENTS if self.comments else BLANKS)

    def listed(self, opening: str, items: list[str]) -> str:
        """Items in brackets, with a trailing comma where comments are allowed, now and then."""
        text = ",".join(self.gap() + item + self.gap() for item in items) or self.gap()
        trailing = "," + self.gap() if items and self.comments and self.chance.random() < 0.3 else ""
        return opening + text + trailing + ("}" if opening == "{" else "]")

    def mapping(self, members: list[tuple[str, str]]) -> str:
        """An object."""
        return self.listed("{", [f'"{key}"{self.gap()}:{self.gap()}{value}' for key, value in members])

    def handler(self) -> str:
        """Somebody's handler."""
        command = self.chance.choice(["other", "sctx", "echo sctx hook"])
        return self.mapping([("type", '"command"'), ("command", json.dumps(command))])

    def group(self) -> str:
        """Somebody's group, of any shape."""
        if self.chance.random() < 0.2:
            return self.chance.choice(SCALARS)
        handlers = self.listed("[", [self.handler() for _ in range(self.chance.randrange(3))])
        return self.mapping([("matcher", '"Bash"'), ("hooks", handlers)])

    def settings(self) -> str:
        """A settings file; what is in it is never empty where hooks are kept."""
        members = [(name, self.chance.choice(SCALARS)) for name in "xy"[: self.chance.randrange(1, 3)]]
        events = self.chance.sample([*EVENTS, "Stop"], self.chance.randrange(4))
        if events:
            groups = {event: [self.group() for _ in range(self.chance.randrange(1, 3))] for event in events}
            hooks = self.mapping([(event, self.listed("[", items)) for event, items in groups.items()])
            members.insert(self.chance.randrange(len(members) + 1), ("hooks", hooks))
        mark = self.chance.choice(["", "\ufeff"])
        return mark + self.gap() + self.mapping(members) + self.gap()


def enabled(text: str) -> str:
    return _repeat(lambda current: _enable_step(current, "sctx hook", "settings.json"), text)


def handlers(text: str) -> list[int]:
    """How many handlers of ours each event has."""
    hooks = parse(text).get("hooks")
    groups = [hooks.get(event) if hooks else None for event in EVENTS]
    return [len(_handlers(each or Node("array", 0))) for each in groups]


@given(st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_disabling_undoes_enabling(chance: random.Random, comments: bool, newline: str) -> None:
    text = Writer(chance, comments).settings().replace("\n", newline)
    after = enabled(text)
    assert handlers(after) == [1, 1]
    assert enabled(after) == after
    kept = iter(after)
    assert all(character in kept for character in text), "nothing was taken away"
    assert _repeat(_disable_step, after) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("{}", "{}"),
        ("{\n}\n", "{}\n"),
        ('{"hooks": {}}', '{"hooks": {}}'),
        ('{"hooks": {"PreToolUse": []}}', '{"hooks": {"PreToolUse": []}}'),
        (
            '{"hooks": {"PostToolUse": [], "PreToolUse": []}}',
            '{"hooks": {"PostToolUse": [], "PreToolUse": []}}',
        ),
        (
            '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n',
            '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n',
        ),
        ('{"x": 1, "hooks": {"Stop": []}}', '{"x": 1, "hooks": {"Stop": []}}'),
        ('{"hooks": {"PreToolUse": [ ]}}', '{"hooks": {"PreToolUse": [ ]}}'),
        ('{"hooks": {"PreToolUse": [\n// mine\n]}}', '{"hooks": {"PreToolUse": [\n// mine\n]}}'),
        ('{"hooks": {/* mine */}, "x": 1}', '{"hooks": {/* mine */}, "x": 1}'),
    ],
)
def test_what_was_empty_before(text: str, left: str) -> None:
    """It stays, also when an agent has written the file anew meanwhile; line ends within it go."""
    after = enabled(text)
    assert _repeat(_disable_step, after) == left
    if "/" not in text:
        again = json.dumps(json.loads(after), indent=4)
        assert json.loads(_repeat(_disable_step, again)) == json.loads(text)


def test_a_file_of_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LARGEST", LARGEST)
    (tmp_path / ".claude").mkdir()
    file = tmp_path / ".claude/settings.local.json"
    text = " " * (LARGEST - 10_000) + '{"x": 1}\n'
    file.write_text(text)
    enable("claude", str(tmp_path))
    assert handlers(file.read_text()) == [1, 1]
    disable("claude", str(tmp_path))
    assert file.read_text() == text
    file.write_text(" " * LARGEST + "{}")
    for action in (enable, disable):
        with pytest.raises(SettingsError, match="larger than 4 MiB"):
            action("claude", str(tmp_path))


@pytest.mark.parametrize(
    "command",
    ["/old/sctx hook --root sub", "sctx hook | tee -a log", "sctx hook && notify", "sctx hook 2>log"],
)
def test_what_the_user_added_to_our_command_stays(command: str) -> None:
    text = json.dumps(
        {"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}] for event in EVENTS}}
    )
    assert enabled(text) == text
    assert _repeat(_disable_step, text) == "{}"
