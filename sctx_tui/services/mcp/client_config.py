"""The entry for `ctx serve` in the settings of MCP clients, merged into what is there."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from sctx_tui.agents import json_edits
from sctx_tui.agents.command import installed_command
from sctx_tui.agents.json_spans import JsonSyntaxError, Node, parse
from sctx_tui.agents.outcome import Outcome, SettingsError
from sctx_tui.agents.places import read_text, require_inside
from sctx_tui.atomic import write_atomically

NAME = "sctx"


@dataclass(frozen=True)
class Client:
    """Where an MCP client keeps its servers. `path` is below the project's root unless `is_of_user`."""

    path: str
    key: str = "mcpServers"
    is_of_user: bool = False
    has_type: bool = False


CLIENTS = {
    "claude": Client(".mcp.json"),
    "claude-desktop": Client("claude_desktop_config.json", is_of_user=True),
    "cursor": Client(".cursor/mcp.json"),
    "vscode": Client(".vscode/mcp.json", key="servers", has_type=True),
}


def configure(name: str, root: str) -> Outcome:
    """Write our entry into the settings of the client `name`. SettingsError; KeyError: no such client."""
    client = CLIENTS[name]
    path, shown = _place(client, root)
    command = installed_command("ctx")
    entry: dict[str, Any] = {"type": "stdio"} if client.has_type else {}
    # A client of the whole machine starts servers anywhere: it has to be told which project is meant.
    arguments = ["serve", "--root", root] if client.is_of_user else ["serve"]
    entry |= {"command": command.words[0], "args": [*command.words[1:], *arguments]}
    server = _server_name(client, root)
    text = read_text(path, shown)
    updated = merged(text if text is not None and text.strip() else "{}\n", client.key, server, entry, shown)
    if updated == text:
        return Outcome(f"{shown} already starts `ctx serve`", False)
    _write(path, updated, shown)
    notes = (command.note,) if command.note else ()
    return Outcome(f"{shown} starts `ctx serve` as the MCP server {server}", True, notes)


def remove(name: str, root: str) -> Outcome:
    """Take our entry out again, and the place for servers that was made for it. SettingsError."""
    client = CLIENTS[name]
    path, shown = _place(client, root)
    text = read_text(path, shown)
    updated = without(text, client.key, _server_name(client, root), shown) if text and text.strip() else text
    if text is None or updated is None or updated == text:
        return Outcome(f"{shown} does not start `ctx serve`", False)
    _write(path, updated, shown)
    return Outcome(f"{shown} no longer starts `ctx serve`", True)


def without(text: str, key: str, server: str, shown: str) -> str:
    """The settings without that server, every other byte as it was. Raises SettingsError."""
    root = _parsed(text, shown)
    place = next((child for child in root.children if child.key == key), None)
    if place is None:
        return text
    ours = next((child for child in place.value.children if child.key == server), None)
    if ours is None:
        return text
    stays = json_edits.was_into_empty(ours.value, "command", "args")
    if stays or not json_edits.holds_only(text, place.value, ours):
        return json_edits.remove(text, place.value, ours)
    return json_edits.remove(text, root, place)


def _server_name(client: Client, root: str) -> str:
    """A client of the whole machine has a server for each project."""
    return f"{NAME}-{os.path.basename(root)}" if client.is_of_user else NAME


def _write(path: str, text: str, shown: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomically(path, text.encode())
    except OSError as error:
        raise SettingsError(f"cannot write {shown}: {error.strerror or error}") from error


def merged(text: str, key: str, server: str, entry: dict[str, Any], shown: str) -> str:
    """The settings with `entry` as the server `server`, every other byte as it was. Raises SettingsError."""
    root = _parsed(text, shown)
    servers = root.get(key)
    if servers is None:
        return json_edits.append_member(text, root, root, key, {server: entry})
    if servers.kind != "object":
        raise SettingsError(f"{shown}: {key} is not an object; mend it by hand")
    ours = servers.get(server)
    if ours is None:
        entry = json_edits.ordered(entry, into_empty=not servers.children)
        return json_edits.append_member(text, root, servers, server, entry)
    if ours.kind != "object":
        raise SettingsError(f"{shown}: {key}.{server} is not an object; mend it by hand")
    for name, value in entry.items():
        root = _parsed(text, shown)
        ours = _need(root.get(key)).get(server)
        held = _need(ours).get(name)
        if held is None:
            text = json_edits.append_member(text, root, _need(ours), name, value)
        elif _value(text, held) != value:
            text = json_edits.replace(text, held, value)
    return text


def _parsed(text: str, shown: str) -> Node:
    try:
        root = parse(text)
    except JsonSyntaxError as error:
        raise SettingsError(f"{shown} is not JSON ({error}); mend it by hand") from error
    if root.kind != "object":
        raise SettingsError(f"{shown} does not hold a JSON object; mend it by hand")
    return root


def _need(node: Node | None) -> Node:
    assert node is not None
    return node


def _value(text: str, node: Node) -> object:
    try:
        return json.loads(text[node.start : node.end])
    except ValueError:  # comments inside
        return None


def _place(client: Client, root: str) -> tuple[str, str]:
    """The settings file, and how messages call it."""
    if client.is_of_user:
        path = os.path.join(_desktop_folder(), client.path)
        return path, path
    path = os.path.join(root, *client.path.split("/"))
    if os.path.lexists(path) or os.path.lexists(os.path.dirname(path)):
        require_inside(path, root, client.path)
    return path, client.path


def _desktop_folder() -> str:
    """Where the desktop app keeps its configuration, by system."""
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "Claude")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA", os.path.join(home, "AppData", "Roaming")), "Claude")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "Claude")
