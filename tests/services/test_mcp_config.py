"""The entry for `ctx serve` in other programs' settings: merged, never over what is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sctx_tui.agents.outcome import SettingsError
from sctx_tui.services.mcp.client_config import CLIENTS, configure, remove

PLACES = {"claude": ".mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json"}


@pytest.mark.parametrize("client", PLACES)
def test_a_new_file(tmp_path: Path, client: str) -> None:
    outcome = configure(client, str(tmp_path))
    written = json.loads((tmp_path / PLACES[client]).read_text())
    entry = written[CLIENTS[client].key]["sctx"]
    assert entry["args"][-1] == "serve"
    assert outcome.changed
    assert not configure(client, str(tmp_path)).changed


@pytest.mark.parametrize(
    "before",
    [
        '{"mcpServers": {"other": {"command": "x"}}}',
        '{\n  "z": 1,\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n',
        '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {"command": "x"}, // first\n\t},\n}\n',
        '{\r\n  "z": 1.50\r\n}\r\n',
        '{"mcpServers": {}}',
        '{\n  "mcpServers": {}\n}\n',
    ],
)
def test_removing_undoes_it_to_the_byte(tmp_path: Path, before: str) -> None:
    path = tmp_path / ".mcp.json"
    path.write_bytes(before.encode())
    assert not remove("claude", str(tmp_path)).changed
    configure("claude", str(tmp_path))
    assert path.read_bytes() != before.encode()
    assert remove("claude", str(tmp_path)).changed
    assert path.read_bytes() == before.encode()


def test_removing_what_stands_alone_leaves_an_empty_object(tmp_path: Path) -> None:
    assert not remove("cursor", str(tmp_path)).changed
    configure("cursor", str(tmp_path))
    assert remove("cursor", str(tmp_path)).changed
    assert json.loads((tmp_path / ".cursor/mcp.json").read_text()) == {}


def test_the_desktop_app_is_told_which_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.platform", "linux")
    root = tmp_path / "shop"
    root.mkdir()
    configure("claude-desktop", str(root))
    written = json.loads((tmp_path / "config/Claude/claude_desktop_config.json").read_text())
    assert written["mcpServers"]["sctx-shop"]["args"][-3:] == ["serve", "--root", str(root)]


def test_other_servers_comments_and_order_stay(tmp_path: Path) -> None:
    before = '{\n  // mine\n  "mcpServers": {\n    "other": {"command": "x", "n": 1.50}\n  },\n  "z": 1\n}\n'
    (tmp_path / ".mcp.json").write_text(before)
    configure("claude", str(tmp_path))
    after = (tmp_path / ".mcp.json").read_text()
    for line in before.splitlines():
        assert line.rstrip(",") in after
    assert '"sctx"' in after


def test_a_file_with_comments_and_trailing_commas(tmp_path: Path) -> None:
    """As editors write it; a second run changes nothing, and without our lines it is as it was."""
    before = """{
  // servers of this project
  "servers": {
    /* the other one */
    "other": { "type": "stdio", "command": "x", }, // keep
  },
  "inputs": [],
}
"""
    path = tmp_path / ".vscode/mcp.json"
    path.parent.mkdir()
    path.write_text(before)
    assert configure("vscode", str(tmp_path)).changed
    after = path.read_text()
    assert not configure("vscode", str(tmp_path)).changed
    assert path.read_text() == after
    for line in before.splitlines():
        assert line in after
    added = "".join(line for line in after.splitlines(keepends=True) if line not in before)
    assert added.count('"sctx"') == 1


def test_an_older_entry_is_updated_and_keeps_its_own_keys(tmp_path: Path) -> None:
    before = '{"mcpServers": {"sctx": {"command": "/old/ctx", "args": ["serve"], "env": {"A": "1"}}}}'
    (tmp_path / ".mcp.json").write_text(before)
    configure("claude", str(tmp_path))
    entry = json.loads((tmp_path / ".mcp.json").read_text())["mcpServers"]["sctx"]
    assert entry["env"] == {"A": "1"}
    assert entry["command"] != "/old/ctx"


@pytest.mark.parametrize(
    "text", ["null", "[]", "{", '{"mcpServers": 7}', '{"mcpServers": {"sctx": []}}', "\xff"]
)
def test_odd_files_are_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".mcp.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match=r"\.mcp\.json"):
        configure("claude", str(tmp_path))
    assert path.read_bytes() == text.encode("latin-1")


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "elsewhere.json").write_text("{}")
    (root / ".mcp.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(SettingsError, match="out of the project"):
        configure("claude", str(root))
    assert (tmp_path / "elsewhere.json").read_text() == "{}"
