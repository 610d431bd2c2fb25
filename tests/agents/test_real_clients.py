"""Real clients, a scripted model, our hook installed by `enable`: what reaches the model, what is approved.

The clients and the scripted model are not part of this repository; without them these tests are skipped.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sctx_tui.agents.install import enable

from .conftest import SHARED

GUIDANCE = """\
context:
  - {content: GUIDE-READ, on: read}
  - {content: GUIDE-READ-AFTER, on: read, when: after}
  - {content: GUIDE-EDIT, on: edit}
  - {content: GUIDE-EDIT-AFTER, on: edit, when: after}
  - {content: GUIDE-CREATE, on: create}
  - {content: GUIDE-CREATE-AFTER, on: create, when: after}
  - {content: GUIDE-ELSEWHERE, match: ["other/**"]}
decisions:
  - {decision: GUIDE-DECISION, rationale: because}
"""
DELIVERED = {"READ", "READ-AFTER", "EDIT", "EDIT-AFTER", "CREATE", "CREATE-AFTER"}

pytestmark = [  # of the programs that run the clients
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def clients() -> ModuleType | None:
    """The programs that run real clients, where they are at hand."""
    folder = SHARED / "clients"
    if not (folder / "clients.py").exists():
        return None
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("clients")
    finally:
        sys.path.remove(str(folder))


def has(client: str) -> bool:
    found = clients()
    return found is not None and os.path.exists(found.BIN[client])


def needs(client: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not has(client), reason=f"needs {client}")


VERSIONS = [pytest.param(name, marks=needs(name)) for name in ("claude", "claude_new")]


@pytest.fixture
def start() -> Iterator[Any]:
    """Starts a client in a project of its own, with our guidance in it."""
    runs = []
    module = clients()
    assert module is not None

    def run(client: str) -> Any:
        made = module.Run(client)
        runs.append(made)
        made.write("AGENTS.yaml", GUIDANCE)
        return made

    yield run
    for made in runs:
        made.done()


def told(run: Any) -> set[str]:
    """The guidance that was in the last request to the model."""
    return set(re.findall(r"GUIDE-([A-Z-]*[A-Z])", json.dumps(run.main[-1]["body"])))


def install(run: Any, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user would, where the client does not find `sctx` on its PATH."""
    (Path(run.proj) / f".{agent}").mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert enable(agent, run.proj).changed


@pytest.mark.parametrize("version", VERSIONS)
def test_claude_code_delivers(version: str, start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = clients()
    run = start("claude")
    run.script = module.edit_script(run, "claude")
    install(run, "claude", monkeypatch)
    module.claude(run, binary=version)
    assert told(run) == DELIVERED
    assert "return 2" in run.read("src/a.py") and run.read("src/new.py") == "x = 1\n"
    assert "hook error" not in json.dumps([each["out"] for each in run.results]).lower()


@pytest.mark.parametrize("version", VERSIONS)
def test_claude_code_still_asks(version: str, start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a permission nothing is changed, whatever we say."""
    module: Any = clients()
    run = start("claude")
    run.script = module.edit_script(run, "claude")
    install(run, "claude", monkeypatch)
    module.claude(run, binary=version, mode="default")
    assert "READ" in told(run)
    assert "return 1" in run.read("src/a.py") and run.read("src/new.py") is None


@pytest.mark.parametrize("version", VERSIONS)
def test_claude_code_plans_with_decisions(version: str, start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = clients()
    run = start("claude")
    run.script = [*module.edit_script(run, "claude")[:1], {"text": "done"}]
    install(run, "claude", monkeypatch)
    module.claude(run, binary=version, mode="plan")
    assert "DECISION" in told(run)


@needs("pi")
def test_pi_holds_each_change_once(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = clients()
    run = start("pi")
    read, edit, write, done = module.edit_script(run, "pi")
    run.script = [read, edit, edit, write, write, done]
    module.pi_setup(run)
    (Path(run.proj) / ".pi/extensions/sctx.ts").unlink()
    install(run, "pi", monkeypatch)
    module.pi(run)
    assert told(run) == DELIVERED
    assert "return 2" in run.read("src/a.py") and run.read("src/new.py") == "x = 1\n"
    before_the_change = json.dumps(run.main[2]["body"])
    assert "GUIDE-EDIT" in before_the_change and "held once" in before_the_change
