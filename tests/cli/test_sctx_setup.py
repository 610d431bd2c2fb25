"""`sctx init`, `sctx claude` and `sctx pi`. Numbers in names are rows of the list of reproduced faults."""

from __future__ import annotations

import json
import os
import stat

import pytest


class TestInit:
    def test_the_starter_proves_delivery(self, sctx, plant):
        root = plant({"README.md": ""})
        result = sctx("init", cwd=root)
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith("Created AGENTS.yaml")
        (entry,) = sctx("context", "README.md", "--on", "read", "--json", cwd=root).json
        assert "sctx" in entry["Content"]
        assert sctx("decisions", "--all", "--json", cwd=root).json == []
        assert sctx("validate", "--strict", cwd=root).code == 0

    def test_the_examples_are_valid_once_the_comment_signs_are_gone(self, sctx, plant):
        root = plant({"src/api/a.ts": "", "a.py": "", "tests/x": "", "src/storage/x": "", "vendor/x.py": ""})
        sctx("init", cwd=root)
        path = root / "AGENTS.yaml"
        head, _, examples = path.read_text(encoding="utf-8").partition("on: read\n")
        lines = [
            line.replace("# ", "", 1) for line in examples.splitlines() if not line.startswith("# Decisions")
        ]
        path.write_text(
            head + "on: read\n" + "\n".join(line if line.strip() != "#" else "" for line in lines)
        )
        assert sctx("validate", "--json", cwd=root).json == []
        assert len(sctx("context", "--all", "--json", cwd=root).json) == 4
        assert len(sctx("decisions", "--all", "--json", cwd=root).json) == 1

    def test_111_mode_0644_whatever_the_umask(self, sctx, plant):
        root = plant({})
        before = os.umask(0o077)
        try:
            sctx("init", cwd=root)
        finally:
            os.umask(before)
        assert stat.S_IMODE((root / "AGENTS.yaml").stat().st_mode) == 0o644

    @pytest.mark.parametrize("name", ["AGENTS.yaml", "AGENTS.yml"])
    @pytest.mark.parametrize("value", ["context: []", None, {"symlink": "nowhere"}])
    def test_111_it_refuses_where_either_name_exists(self, name, value, sctx, plant):
        root = plant({name: value})
        result = sctx("init", cwd=root)
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"error: {name} exists already")
        assert os.listdir(root) == [name]

    def test_root(self, sctx, plant):
        root = plant({"sub/x": ""})
        assert sctx("init", "--root", "sub", cwd=root).code == 0
        assert (root / "sub/AGENTS.yaml").exists()
        assert not (root / "AGENTS.yaml").exists()

    def test_a_directory_that_cannot_be_written_is_an_error(self, sctx, plant, monkeypatch):
        root, real = plant({}), os.open

        def refuse(path, *arguments, **options):
            if str(path).endswith("AGENTS.yaml"):
                raise PermissionError(13, "Permission denied", path)
            return real(path, *arguments, **options)

        monkeypatch.setattr("sctx_tui.cli.setup.os.open", refuse)
        result = sctx("init", cwd=root)
        assert (result.code, result.out) == (1, "")
        assert result.err == f"error: {root}/AGENTS.yaml: Permission denied\n"


class TestAgents:
    """The commands reach the installer; what that writes is tested with the agents."""

    @pytest.mark.parametrize(("agent", "folder"), [("claude", ".claude"), ("pi", ".pi")])
    @pytest.mark.parametrize("action", ["enable", "disable"])
    def test_the_folder_has_to_be_there(self, agent, folder, action, sctx, plant):
        result = sctx(agent, action, cwd=plant({}))
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"error: {folder}/")

    @pytest.mark.parametrize(
        ("arguments", "file"), [([], "settings.local.json"), (["--shared"], "settings.json")]
    )
    def test_claude(self, arguments, file, sctx, plant):
        root = plant({".claude": None})
        assert sctx("claude", "enable", *arguments, cwd=root).code == 0
        settings = json.loads((root / ".claude" / file).read_text())
        assert set(settings["hooks"]) == {"PreToolUse", "PostToolUse"}
        assert sctx("claude", "disable", *arguments, cwd=root).code == 0
        assert "hook" not in (root / ".claude" / file).read_text()

    def test_for_the_user(self, sctx, plant, tmp_path):
        root = plant({})
        (tmp_path / "home" / ".claude").mkdir()
        (tmp_path / "home" / ".pi" / "agent").mkdir(parents=True)
        assert sctx("claude", "enable", "--user", cwd=root).code == 0
        assert sctx("pi", "enable", "--user", cwd=root).code == 0
        assert (tmp_path / "home/.claude/settings.json").exists()
        assert (tmp_path / "home/.pi/agent/extensions/sctx.ts").exists()
        assert os.listdir(root) == []

    def test_pi_with_another_root(self, sctx, plant, tmp_path):
        root = plant({".pi": None})
        assert sctx("pi", "enable", "--root", str(root), cwd=tmp_path).code == 0
        assert (root / ".pi/extensions/sctx.ts").exists()
        assert sctx("pi", "disable", "--root", str(root), cwd=tmp_path).code == 0
        assert not (root / ".pi/extensions").exists()

    def test_11_settings_that_are_no_object_are_refused(self, sctx, plant):
        result = sctx("claude", "enable", cwd=plant({".claude/settings.local.json": "null"}))
        assert (result.code, result.out) == (1, "")
        assert "not a JSON object" in result.err
