"""The engine against what the Go tool answers.

`globs.json` and `resolve.json` hold generated cases with the right answers. The full list is read where it
lies beside the project: there each case agrees with the Go tool's answer or a corrected one, unless
`design_overrides.json` names it under the rule of meaning that decides otherwise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.model import Decision, Resolution
from sctx_tui.guidance.resolve import NO_FILES, OutsideRoot, make_query, resolve

from .conftest import DATA, SHARED, plant

ORACLE = SHARED / "oracle"
OVERRIDES = json.loads((DATA / "design_overrides.json").read_text("utf-8"))
needs_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="the cases are not beside the project")


def overridden(kind: str) -> dict[str, set[str]]:
    """Case -> the rules that decide it otherwise."""
    found: dict[str, set[str]] = {}
    for rule, row in OVERRIDES.items():
        for case in row.get(kind, ()):
            found.setdefault(case, set()).add(rule)
    return found


def glob_answer(pattern: str, path: str) -> tuple[bool, bool]:
    """Whether the pattern is valid, and whether it fits the file."""
    glob = compile_glob(pattern)
    return glob.problem is None, glob.matches_file(normalize("NFC", path))


def test_globs_kept_cases() -> None:
    rows = json.loads((DATA / "globs.json").read_text("utf-8"))["rows"]
    wrong = [row for row in rows if glob_answer(row[0], row[1]) != (bool(row[2]), bool(row[3]))]
    assert len(rows) > 2_500
    assert wrong == []


@needs_oracle
def test_globs_oracle() -> None:
    rules = overridden("globs")
    wrong = []
    for case in json.loads((ORACLE / "globs.json").read_text("utf-8")):
        agrees = glob_answer(case["pattern"], case["path"]) == (case["valid"], case["match"])
        if case.get("disputed"):
            continue
        if agrees == (case["id"] in rules):
            wrong.append((case, rules.get(case["id"])))
    assert wrong == []


class Trees:
    """Trees of the cases, written to disk when a case asks for them."""

    def __init__(self, trees: dict[str, Any], place: Path) -> None:
        self._trees = trees
        self._place = place
        self.root = cache(self._root)

    def _root(self, tree: str) -> Path:
        root = self._place / tree
        root.mkdir(parents=True)
        return plant(root, self._trees[tree])

    def ask(self, tree: str, cwd: str, path: str, action: str, timing: str) -> Resolution | None:
        """The engine's answer; None for a path outside the root, which is the working directory."""
        root = self.root(tree)
        top = os.path.normpath(root / cwd)
        target = path.replace("{ROOT}", str(root))
        try:
            return resolve(make_query(target, root=top, base=top, action=action, timing=timing))
        except OutsideRoot:
            return None

    def delivered(self, tree: str, resolution: Resolution | None) -> dict[str, list[dict[str, Any]]]:
        """An answer in the words of the cases."""
        if resolution is None:
            return {"context": [], "decisions": []}
        root = self.root(tree)
        above = Path(resolution.query.root).relative_to(root.resolve())

        def directory(file: str) -> str:
            return str((above / file).parent)

        return {
            "context": [
                {"content": each.entry.content, "source_dir": directory(each.file)}  # type: ignore[union-attr]
                for each in resolution.context
            ],
            "decisions": [
                {
                    "decision": entry.decision,
                    "rationale": entry.rationale,
                    "alternatives": [
                        {"option": other.option, "reason_rejected": other.reason_rejected}
                        for other in entry.alternatives
                    ],
                    "revisit_when": entry.revisit_when,
                    "date": entry.date,
                    "match": list(entry.match),
                }
                for each in resolution.decisions
                if isinstance(entry := each.entry, Decision)
            ],
        }


@pytest.fixture
def trees(tmp_path: Path) -> Callable[[dict[str, Any]], Trees]:
    return lambda described: Trees(described, tmp_path.resolve())


def test_resolve_kept_cases(trees: Callable[[dict[str, Any]], Trees]) -> None:
    kept = json.loads((DATA / "resolve.json").read_text("utf-8"))
    planted = trees(kept["trees"])
    wrong = []
    for row in kept["cases"]:
        _, tree, cwd, path, action, timing, is_directory, context, decisions = row
        resolution = planted.ask(tree, cwd, path, action, timing)
        answer = planted.delivered(tree, resolution)
        found = (
            [[each["source_dir"], each["content"]] for each in answer["context"]],
            [[each["decision"], each["date"], len(each["alternatives"])] for each in answer["decisions"]],
        )
        right_kind = resolution is None or resolution.query.is_directory == bool(is_directory)
        if found != (context, decisions) or not right_kind:
            wrong.append((row, found))
    assert len(kept["cases"]) > 900
    assert wrong == []


def shared_cases(file: str) -> Iterator[dict[str, Any]]:
    for line in (ORACLE / file).read_text("utf-8").split("\n"):
        if line:
            yield json.loads(line)


def accepted(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers that are right: the corrected ones for a disputed case, else the Go tool's."""
    corrected = [case[key] for key in ("proposed", "proposed_strict") if case.get(key)]
    return corrected if case.get("disputed") and corrected else [case]


@needs_oracle
@pytest.mark.parametrize("file", ["resolve.jsonl", "docs_resolve.jsonl"])
def test_resolve_oracle(file: str, trees: Callable[[dict[str, Any]], Trees]) -> None:
    planted = trees(json.loads((ORACLE / "trees.json").read_text("utf-8")))
    rules = overridden("resolve")
    wrong = []
    for case in shared_cases(file):
        query = case["query"]
        resolution = planted.ask(case["tree_id"], case["cwd"], query["path"], query["on"], query["when"])
        answer = planted.delivered(case["tree_id"], resolution)
        agrees = answer in [each["expect"] for each in accepted(case)]
        right_kind = resolution is None or resolution.query.is_directory == (query["kind"] == "dir")
        if agrees == (case["id"] in rules) or not right_kind or not warned(case, resolution):
            wrong.append((case, answer, rules.get(case["id"])))
    assert wrong == []


def warned(case: dict[str, Any], resolution: Resolution | None) -> bool:
    """Whether the warnings agree: no files at all, and every file that the Go tool can't parse at all.

    A file that we parse but for one entry has an error; one with a scalar for a list is fine.
    """
    if resolution is None:
        return True
    expected = accepted(case)[-1]["warnings"]
    unparsed = [each for each in expected if each.startswith("parse_error:")]
    faulty = any(problem.code == "invalid_yaml" for problem in resolution.problems)
    return (NO_FILES in resolution.notes) == ("no_files" in expected) and (bool(unparsed) or not faulty)


def test_every_override_names_a_rule() -> None:
    for rule, row in OVERRIDES.items():
        assert row["design_rule"] in {"1", "3", "6", "7", "8"}, rule
        assert row["what"].endswith("."), rule
        assert row.get("globs") or row.get("resolve"), rule
