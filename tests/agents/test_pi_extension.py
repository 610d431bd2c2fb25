"""Our extension in pi's folder: written, updated and removed, and nobody else's touched."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from sctx_tui.agents import pi_extension
from sctx_tui.agents.command import Command
from sctx_tui.agents.install import SettingsError, disable, enable
from sctx_tui.agents.pi_extension import extension_text, is_ours

BARE = Command(("sctx",))


@pytest.fixture(autouse=True)
def command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_extension, "installed_command", lambda name: BARE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".pi").mkdir(parents=True)
    return tmp_path / "project"


def file(root: Path) -> Path:
    return root / ".pi" / "extensions" / "sctx.ts"


def planted(root: Path, text: str) -> str:
    file(root).parent.mkdir(exist_ok=True)
    file(root).write_bytes(text.encode())
    return text


def test_it_is_written_and_removed(root: Path) -> None:
    outcome = enable("pi", str(root))
    assert outcome.message == "sctx extension enabled at .pi/extensions/sctx.ts" and outcome.changed
    assert any("trusted" in note for note in outcome.notes)
    assert file(root).read_text() == extension_text(BARE)
    assert stat.S_IMODE(file(root).stat().st_mode) == 0o644
    assert not enable("pi", str(root)).changed
    assert disable("pi", str(root)).changed
    assert os.listdir(root / ".pi") == []
    assert disable("pi", str(root)).message == "sctx extension is not enabled in .pi/extensions/sctx.ts"


def test_extensions_of_others_keep_their_folder(root: Path) -> None:
    enable("pi", str(root))
    (file(root).parent / "other.ts").touch()
    disable("pi", str(root))
    assert os.listdir(file(root).parent) == ["other.ts"]


def test_it_calls_the_command_that_finds_us(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    command = Command(('/a "b"/sctx', "-x"), "why")
    monkeypatch.setattr(pi_extension, "installed_command", lambda name: command)
    assert "why" in enable("pi", str(root)).notes
    assert 'const COMMAND = ["/a \\"b\\"/sctx", "-x", "hook"];\n' in file(root).read_text()
    monkeypatch.undo()


def older(text: str = "export default () => {};\n") -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"// sctx extension for pi, version 0, sha256 {digest}\n{text}"


def test_an_older_one_of_ours_is_updated(root: Path) -> None:
    planted(root, older())
    assert enable("pi", str(root)).message == "sctx extension updated at .pi/extensions/sctx.ts"
    assert file(root).read_text() == extension_text(BARE)


def test_the_one_of_the_go_tool_is_updated_and_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "// what the Go tool wrote\n"
    published = frozenset({hashlib.sha256(text.encode()).hexdigest()})
    monkeypatch.setattr(pi_extension, "GO_TOOL_TEXTS", published)
    planted(root, text)
    assert enable("pi", str(root)).changed
    planted(root, text)
    assert disable("pi", str(root)).changed
    assert not file(root).exists()


def test_line_ends_of_version_control_make_no_difference(root: Path) -> None:
    planted(root, extension_text(BARE).replace("\n", "\r\n"))
    assert not enable("pi", str(root)).changed
    assert disable("pi", str(root)).changed


@pytest.mark.parametrize(
    "text", ["old", "", older() + "// mine\n", older().replace("sha256 ", "sha256 0"), "\ufeff"]
)
def test_any_other_file_is_left_alone(root: Path, text: str) -> None:
    planted(root, text)
    outcome = enable("pi", str(root))
    assert not outcome.changed and "left as it is" in outcome.message and outcome.notes
    with pytest.raises(SettingsError, match="left as it is"):
        disable("pi", str(root))
    assert file(root).read_text() == text
    assert not is_ours(text)


def test_the_folder_must_be_there(tmp_path: Path) -> None:
    for action in (enable, disable):
        with pytest.raises(SettingsError, match=r"^\.pi/ directory not found"):
            action("pi", str(tmp_path))


def test_scopes(root: Path, home: Path) -> None:
    with pytest.raises(SettingsError, match="without --shared"):
        enable("pi", str(root), scope="shared")
    with pytest.raises(SettingsError, match=r"~/\.pi/agent/ directory not found"):
        enable("pi", str(root), scope="user")
    (home / ".pi" / "agent").mkdir(parents=True)
    assert enable("pi", str(root), scope="user").notes == ()
    assert (home / ".pi/agent/extensions/sctx.ts").read_text() == extension_text(BARE)
    assert disable("pi", str(root), scope="user").changed
    assert not file(root).exists()


def test_a_link_that_leads_out_of_the_project(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / ".pi" / "extensions").symlink_to(tmp_path / "elsewhere")
    for action in (enable, disable):
        with pytest.raises(SettingsError, match="leads out of the project"):
            action("pi", str(root))
    assert os.listdir(tmp_path / "elsewhere") == []


def test_the_marker_tells_the_text() -> None:
    assert is_ours(extension_text(BARE))
    assert not is_ours(extension_text(BARE).replace("5000", "50"))
