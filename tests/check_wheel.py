"""Build the wheel, install it alone in an empty environment, and run what a user would run from there.

By pip; by others when they are named and on the PATH: `python tests/check_wheel.py pip pipx uv`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA_SUFFIXES = {".scm", ".tcss", ".yaml", ".ts", ".md", ".typed"}


def run(*command: str | Path, cwd: Path, stdin: str = "", path: str | None = None) -> str:
    """Run a command and return what it printed; a failure ends the check. `path` is another PATH."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path} if path else None,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} exited {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + (done.stderr if path else "")


def main() -> None:
    """Exit non-zero with a reason when the wheel lacks a file or a command doesn't work from it."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch).resolve()
        run(sys.executable, "-m", "build", "--wheel", "--outdir", place, ROOT, cwd=place)
        (wheel,) = place.glob("*.whl")
        packed = set(zipfile.ZipFile(wheel).namelist())
        package = ROOT / "sctx_tui"
        wanted = {
            path.relative_to(ROOT).as_posix()
            for path in package.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix in DATA_SUFFIXES | {".py"}
        }
        if missing := sorted(wanted - packed):
            sys.exit("the wheel lacks: " + ", ".join(missing))

        for installer in sys.argv[1:] or ["pip"]:
            (place / installer).mkdir()
            scripts = INSTALLERS[installer](wheel, place / installer)
            check_commands(scripts, place / installer / "project")
            for is_on_path in (True, False):
                check_settings(scripts, place / installer / f"settings-{is_on_path}", is_on_path)
    print(f"{wheel.name}: {len(wanted)} files, all commands answer from a clean environment")  # noqa: T201


def by_pip(wheel: Path, place: Path) -> Path:
    """Install into an environment of its own; returns where the programs are."""
    venv.create(place / "env", with_pip=True)
    scripts = place / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = (scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, wheel, cwd=place)
    return scripts


def by_pipx(wheel: Path, place: Path) -> Path:
    os.environ.update(PIPX_HOME=str(place / "home"), PIPX_BIN_DIR=str(place / "bin"))
    run("pipx", "install", "--quiet", "--python", sys.executable, wheel, cwd=place)
    return place / "bin"


def by_uv(wheel: Path, place: Path) -> Path:
    os.environ.update(UV_TOOL_DIR=str(place / "tools"), UV_TOOL_BIN_DIR=str(place / "bin"))
    run("uv", "tool", "install", "--quiet", "--python", sys.executable, wheel, cwd=place)
    return place / "bin"


INSTALLERS = {"pip": by_pip, "pipx": by_pipx, "uv": by_uv}


def check_commands(scripts: Path, project: Path) -> None:
    """Use the installed commands on a new project: guidance, the hook, the graph, the app's screenshot."""
    project.mkdir()
    run("git", "init", "--quiet", cwd=project)
    run(scripts / "sctx", "init", cwd=project)
    (project / "shop.py").write_text("def total(cart):\n    return sum(cart)\n\n\nprint(total([1]))\n")
    entries = json.loads(run(scripts / "sctx", "context", "shop.py", "--json", cwd=project))
    assert entries, "the starter file delivers nothing"
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Read",
        "tool_use_id": "1",
        "cwd": str(project),
        "tool_input": {"file_path": str(project / "shop.py")},
    }
    reply = json.loads(run(scripts / "sctx", "hook", cwd=project, stdin=json.dumps(event)))
    assert entries[0]["Content"].split()[0] in reply["hookSpecificOutput"]["additionalContext"]
    run(scripts / "ctx", "init", "--no-hooks", cwd=project)
    found = json.loads(run(scripts / "ctx", "neighbours", "shop.py::total", "--json", cwd=project))
    assert "shop.py::<module>" in json.dumps(found), "the graph misses the module-level caller"
    run(scripts / "sctx", "tui", "shop.py", "--screenshot", project / "app.svg", cwd=project)
    assert "total" in (project / "app.svg").read_text() or "shop.py" in (project / "app.svg").read_text()
    for command in ("sctx", "ctx"):
        for option in ("--version", "--help"):
            run(scripts / command, option, cwd=project)


def check_settings(scripts: Path, project: Path, is_on_path: bool) -> None:
    """What is written into other programs' settings: our name if it finds this installation, else a path."""
    for folder in (".claude", ".pi"):
        (project / folder).mkdir(parents=True)
    run("git", "init", "--quiet", cwd=project)
    usual = os.pathsep.join(
        part for part in os.environ["PATH"].split(os.pathsep) if not (Path(part) / "sctx").exists()
    )
    path = f"{scripts}{os.pathsep}{usual}" if is_on_path else usual
    said = [
        run(scripts / program, *arguments.split(), cwd=project, path=path)
        for program, arguments in (
            ("sctx", "claude enable"),
            ("sctx", "pi enable"),
            ("ctx", "install-hooks"),
            ("ctx", "mcp-config --client claude"),
        )
    ]
    # pipx and uv link their programs into a folder of the PATH; a path is that of the program itself.
    paths = (os.path.realpath(scripts / "sctx"), os.path.realpath(scripts / "ctx"))
    sctx, ctx = ("sctx", "ctx") if is_on_path else paths
    hooks = json.loads((project / ".claude/settings.local.json").read_text())["hooks"]
    assert {group["hooks"][0]["command"] for groups in hooks.values() for group in groups} == {f"{sctx} hook"}
    assert json.dumps([sctx, "hook"]) in (project / ".pi/extensions/sctx.ts").read_text()
    server = json.loads((project / ".mcp.json").read_text())["mcpServers"]["sctx"]
    assert [server["command"], *server["args"]] == [ctx, "serve"]
    script = (project / ".git/hooks/pre-commit").read_text()
    assert ("if ! command -v ctx" in script) == is_on_path, "a git hook looks for another ctx"
    assert str(scripts / "ctx") in script or paths[1] in script
    assert all(("not on your PATH" in text) != is_on_path for text in said), said


if __name__ == "__main__":
    main()
