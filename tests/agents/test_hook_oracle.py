"""The hook against what the Go tool answers: entries and exit codes; the layout of the text is ours.

Each case lists the answers that are right: the Go tool's, or for what it gets wrong the corrected one or two.
Where our rules go further, a row of OVERRIDES says why and what is right instead.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.agents import hook
from sctx_tui.agents.wire import read_object
from sctx_tui.guidance import render
from sctx_tui.guidance.model import ContextEntry, Decision, Resolution
from sctx_tui.guidance.render import agent_text

from .conftest import DATA, SHARED, lines, plant

Answer = tuple[int, str]
"""Exit code and the entries that were delivered, in the Go tool's layout without blank lines."""


@dataclass(frozen=True)
class Case:
    """One payload: `raw` and `cwd` are relative to the tree; `accept` are the right answers."""

    id: str
    tree: str
    cwd: str
    raw: str | bytes
    accept: tuple[Answer, ...]
    reads: str | None = None

    @property
    def payload(self) -> dict[str, Any]:
        """The payload as an object, empty when it is none."""
        try:
            value = json.loads(self.raw)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def changed(self, **fields: Any) -> Case:
        """The same case with other fields in its payload."""
        return Case(self.id, self.tree, self.cwd, json.dumps({**self.payload, **fields}), self.accept)


def compact(text: str) -> str:
    """Entries without the blank lines between them."""
    return re.sub("\n+", "\n", text).strip("\n")


def kept_cases() -> Iterator[Case]:
    for row in lines(DATA / "hook_cases.jsonl"):
        accept = tuple((code, compact(text)) for code, text in row["accept"])
        yield Case(row["id"], row["tree"], row.get("cwd", "."), raw_of(row), accept, row.get("reads"))


def shared_cases() -> Iterator[Case]:
    path = SHARED / "oracle" / "hook.jsonl"
    for row in lines(path) if path.exists() else ():
        found = [row[key] for key in ("proposed", "proposed_strict") if key in row]
        if not row.get("disputed"):
            found.append({"stdout": row["expect_stdout"], "exit_code": row["exit_code"]})
        accept = tuple((each["exit_code"], delivered(each["stdout"])) for each in found)
        yield Case(row["id"], row["tree_id"], row["proc_cwd"], raw_of(row), accept, row.get("intended_read"))


def raw_of(row: dict[str, Any]) -> str | bytes:
    if "stdin_b64" in row:
        return base64.b64decode(row["stdin_b64"])
    return row["stdin_raw"] if "stdin_raw" in row else json.dumps(row["stdin"])


def delivered(output: Any) -> str:
    return compact(output.get("hookSpecificOutput", output)["additionalContext"]) if output else ""


KEPT = list(kept_cases())
OTHERS = [case for case in shared_cases() if case.id not in {kept.id for kept in KEPT}]


# What is right where our rules go further than the corrections

Run = Callable[[Case], Answer]


@dataclass(frozen=True)
class Override:
    """A rule of ours, the cases that it decides, and the right answer for one of them."""

    rule: str
    applies: Callable[[Case], bool]
    expected: Callable[[Case, Run], Answer]


def tool_of(case: Case) -> object:
    return case.payload.get("tool_name")


def path_of(case: Case) -> object:
    tool_input = case.payload.get("tool_input") or case.payload.get("input") or {}
    return tool_input.get("file_path") or tool_input.get("path") if isinstance(tool_input, dict) else None


def has_wrong_type(case: Case) -> bool:
    payload = case.payload
    texts = [payload.get(name) for name in ("tool_name", "hook_event_name", "cwd", "permission_mode")]
    flag = payload.get("include_decisions")
    return not all(isinstance(each, str | None) for each in [*texts, path_of(case)]) or isinstance(flag, str)


def is_other_tool(case: Case) -> bool:
    known = ("read", "edit", "write", "create", "bash")
    if case.payload.get("source") != "pi":
        known = ("Read", "Edit", "MultiEdit", "Write", "NotebookEdit")
    return path_of(case) is not None and tool_of(case) not in known


def as_read(case: Case, run: Run) -> Answer:
    return run(case.changed(tool_name="read" if case.payload.get("source") == "pi" else "Read"))


def as_edit(case: Case, run: Run) -> Answer:
    path = case.payload["tool_input"].get("notebook_path") or path_of(case)
    return run(case.changed(tool_name="Edit", tool_input={"file_path": path}))


def command_of(case: Case) -> str:
    if case.payload.get("source") != "pi" or tool_of(case) != "bash":
        return ""
    return str((case.payload.get("input") or {}).get("command", ""))


def reading(path: Callable[[Case], str]) -> Callable[[Case, Run], Answer]:
    return lambda case, run: run(case.changed(tool_name="read", input={"path": path(case)}))


def without_bad_decisions(case: Case, run: Run) -> Answer:
    code, text = case.accept[-1]
    text = re.sub(r"\n  Considered (?:, rejected: .*|.*, rejected: $)", "", text, flags=re.MULTILINE)
    text = re.sub(r"^- .*\n  Rationale: $", "", text, flags=re.MULTILINE)
    return code, compact(re.sub(r"\n## Architectural Decisions\n*\Z", "", text))


def nothing(case: Case, run: Run) -> Answer:
    return 0, ""


OVERRIDES = (
    Override(
        "10: only input that is no object exits 1; a field of a wrong type is silent", has_wrong_type, nothing
    ),
    Override(
        "issue 4: a byte order mark is skipped",
        lambda case: isinstance(case.raw, str) and case.raw.startswith("\ufeff"),
        lambda case, run: run(Case(case.id, case.tree, case.cwd, str(case.raw)[1:], ())),
    ),
    Override("4: NotebookEdit edits", lambda case: tool_of(case) == "NotebookEdit", as_edit),
    Override("4: any other tool that names a path reads it", is_other_tool, as_read),
    Override(
        "4: any other tool that names a path reads it, in a payload that is not UTF-8",
        lambda case: isinstance(case.raw, bytes) and b"\xff.py" in case.raw,
        lambda case, run: (0, "## Structured Context\n- root all before\n- root read before\n- root always"),
    ),
    Override("issue 4: ~ is the home directory", lambda case: str(path_of(case)).startswith("~/"), nothing),
    Override(
        "issue 4: pi drops a leading @",
        lambda case: case.payload.get("source") == "pi" and str(path_of(case)).startswith("@"),
        lambda case, run: run(case.changed(input={"path": str(path_of(case))[1:]})),
    ),
    Override(
        "issue 4: shell words that depend on run time read nothing",
        lambda case: bool(re.search(r"[`*{]|\$\(", command_of(case).replace("{ROOT}", ""))),
        nothing,
    ),
    Override(
        "issue 4: quoted and escaped shell words are read",
        lambda case: case.reads is not None,
        reading(lambda case: str(case.reads)),
    ),
    Override("issue 4: ~ in the shell", lambda case: "~/" in command_of(case), nothing),
    Override(
        "issue 4: tail +N counts lines",
        lambda case: command_of(case).startswith("tail +"),
        reading(lambda case: command_of(case).split()[-1]),
    ),
    Override("D20: names are exact", lambda case: case.payload.get("source") in ("PI", "Pi"), nothing),
    Override(
        "D20: names are exact",
        lambda case: "PERMISSION_MODE" in case.payload,
        lambda case, run: run(case.changed(PERMISSION_MODE=None)),
    ),
    Override(
        "8: a bad alternative is left out, an entry without rationale gives nothing",
        lambda case: any(
            "rejected: \n" in f"{text}\n" or "Rationale: \n" in f"{text}\n" for _, text in case.accept
        ),
        without_bad_decisions,
    ),
    Override(
        "7: `*` excludes the directory that holds the file",
        lambda case: case.tree == "HR22",
        lambda case, run: (0, compact(case.accept[-1][1].replace("- L0.c0 prefer money", ""))),
    ),
    Override(
        "1: vendored directories contribute nothing",
        lambda case: case.tree == "HR23" and "/node_modules/" in str(case.raw),
        nothing,
    ),
)


class Runner:
    """Answers cases in planted trees, with the entries in the Go tool's layout."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        trees = SHARED / "oracle" / "trees.json"
        self.trees = json.loads((DATA / "hook_trees.json").read_text(encoding="utf-8"))
        self.more = trees if trees.exists() else None
        self.place = place
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(render, "agent_text", self.entries)

    def __call__(self, case: Case) -> Answer:
        root = self.root(case.tree)
        self.monkeypatch.chdir(root / case.cwd)
        raw = case.raw if isinstance(case.raw, bytes) else case.raw.replace("{ROOT}", str(root)).encode()
        payload = read_object(raw)
        if payload is None:
            return 1, ""
        output = hook.answer(payload, {})
        return 0, delivered(json.loads(output)) if output else ""

    def root(self, tree: str) -> Path:
        if tree not in self.trees and self.more is not None:
            self.trees = json.loads(self.more.read_text(encoding="utf-8"))
        root = self.place / tree
        if not root.exists():
            root.mkdir()
            plant(root, self.trees[tree])
        return root

    @staticmethod
    def entries(resolution: Resolution, *, decisions: bool) -> str:
        context = [each.entry.content for each in resolution.context if isinstance(each.entry, ContextEntry)]
        made = [each.entry for each in resolution.decisions if isinstance(each.entry, Decision)]
        parts = [["## Structured Context", *(f"- {content}" for content in context)]] if context else []
        if decisions and made:
            parts.append(["## Architectural Decisions", *map(Runner.decision, made)])
        return "\n".join(line for part in parts for line in part)

    @staticmethod
    def decision(made: Decision) -> str:
        rows = [f"- {made.decision}", f"  Rationale: {made.rationale}"]
        rows += [
            f"  Considered {each.option}, rejected: {each.reason_rejected}" for each in made.alternatives
        ]
        return "\n".join(rows + ([f"  Revisit when: {made.revisit_when}"] if made.revisit_when else []))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return Runner(tmp_path.resolve(), monkeypatch)


def check(cases: list[Case], run: Run) -> set[str]:
    """Assert that every case is answered rightly; the rules that were needed."""
    wrong = []
    used = set()
    for case in cases:
        answer = run(case)
        if answer in case.accept:
            continue
        override = next((each for each in OVERRIDES if each.applies(case)), None)
        if override is None or answer != override.expected(case, run):
            wrong.append((case.id, override and override.rule, answer, case.accept))
        else:
            used.add(override.rule)
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong[:3]}"
    return used


def bare_lines(text: str) -> list[str]:
    """The lines of a text without indentation, blank lines, dates and broken files."""
    lines = [re.sub(r" \(\d{4}-\d\d-\d\d\)$", "", line.strip()) for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith("Faulty guidance: ")]


def test_the_text_holds_the_entries_unchanged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def both(resolution: Resolution, *, decisions: bool) -> str:
        text = agent_text(resolution, decisions=decisions)
        compared.append((bare_lines(text), bare_lines(Runner.entries(resolution, decisions=decisions))))
        return text

    monkeypatch.setattr(render, "agent_text", both)
    for case in KEPT:
        run(case)
    assert len(compared) > 300
    assert [texts for texts in compared if texts[0] != texts[1]] == []


def test_kept_cases(run: Run) -> None:
    used = check(KEPT, run)
    assert used == {override.rule for override in OVERRIDES}, "a rule that decides nothing"


@pytest.mark.skipif(not OTHERS, reason="the cases from the documentation are not kept here")
def test_cases_from_the_documentation(run: Run) -> None:
    check(OTHERS, run)
