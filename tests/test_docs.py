"""What the documentation shows is what the program shows; its links lead somewhere; its tour can be taken."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_screenshot_is_the_tested_one() -> None:
    """Copy the snapshot over it when the app has changed."""
    shown, tested = ROOT / "docs/images/app.svg", ROOT / "snapshots/exclusions-dark.svg"
    assert shown.read_bytes() == tested.read_bytes()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def run(command: str, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """A line of the documentation, run by this Python, with settings of its own."""
    program, *words = shlex.split(command, comments=True)
    start = [sys.executable, "-c", f"from sctx_tui.__main__ import {program}; {program}()", *words]
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CACHE", "STATE", "CONFIG")}
    environment = {**os.environ, **folders, "HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.run(start, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_tour_of_the_readme(tmp_path: Path) -> None:
    """Every command of it, in order, in a project that has the one file it speaks of."""
    tour = (ROOT / "README.md").read_text(encoding="utf-8").split("## Five-minute tour")[1].split("\n## ")[0]
    blocks = re.findall(r"^```(sh|yaml)\n(.*?)^```", tour, flags=re.DOTALL | re.MULTILINE)
    commands = [line for kind, text in blocks if kind == "sh" for line in text.splitlines()]
    guidance = next(text for kind, text in blocks if kind == "yaml")
    project = tmp_path / "project"
    for folder in (".claude", ".pi", "src/payments"):
        (project / folder).mkdir(parents=True)
    (project / "src/app.py").write_text("def main():\n    pass\n")
    (project / "src/payments/pay.ts").write_text("export const cents = 1;\n")
    (project / "src/payments/AGENTS.yaml").write_text(guidance)
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)

    assert len(commands) > 10
    shown = {}
    for command in commands:
        if command.split()[:2] != ["sctx", "tui"]:
            done = run(command, project, tmp_path)
            assert done.returncode == 0, f"{command}: {done.stderr}"
            shown[command.split("#")[0].strip()] = done.stdout
    assert "sctx works" in shown["sctx context src/app.py"]
    assert "other-action" in shown["sctx explain src/app.py --on edit"]
    assert "Stripe over Braintree" in shown["sctx decisions --all"]
    assert shown["sctx validate"] == "2 guidance files checked: all valid.\n"
    assert (project / ".mcp.json").exists()


def test_our_own_guidance_is_valid(tmp_path: Path) -> None:
    done = run("sctx validate --strict", ROOT, tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
