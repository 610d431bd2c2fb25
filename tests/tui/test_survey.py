"""Coverage: counts agree with asking about every single file."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from sctx_tui.guidance.resolve import make_query, resolve
from sctx_tui.listing import listed_files
from sctx_tui.tui.survey import BareFolder, Coverage, survey

GLOBS = [
    "**",
    "*.py",
    "**/*.py",
    "src/**",
    "src/",
    "**/api/",
    "a/b/*.ts",
    "{a,src}/**/*.ts",
    "README.md",
    "nope/**",
]


def _random_project(root: Path, seed: int) -> None:
    rng = random.Random(seed)
    folders = ["", "a", "a/b", "src", "src/api", "src/api/deep", "docs", "é"]
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
        for number in range(rng.randint(0, 4)):
            (root / folder / f"f{number}.{rng.choice(['py', 'ts', 'md'])}").write_text("")
        if rng.random() < 0.5:
            entries = [
                f"  - content: e{number}\n    match: {rng.sample(GLOBS, rng.randint(1, 2))}\n"
                f"    exclude: {rng.sample(GLOBS, rng.randint(0, 1))}\n"
                for number in range(rng.randint(1, 4))
            ]
            (root / folder / "AGENTS.yaml").write_text("context:\n" + "".join(entries))
    (root / "README.md").write_text("")


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_every_single_question(tmp_path: Path, seed: int) -> None:
    root = os.path.realpath(tmp_path)
    _random_project(tmp_path, seed)
    listed = listed_files(root)
    *progress, whole = survey(root, listed)
    assert not any(step.is_complete for step in progress)
    applies: dict[tuple[str, int], int] = {}
    bare: set[str] = set()
    for path in listed:
        found = resolve(make_query(path, root=root)).context
        if not found:
            bare.add(path)
        for each in found:
            applies[(each.file, each.line)] = applies.get((each.file, each.line), 0) + 1
    assert {(use.file, use.line): use.applies_to for use in whole.uses if use.applies_to} == applies
    assert whole.bare_files == len(bare)
    assert whole.files == len(listed)


def test_bare_folders_are_the_outermost(tmp_path: Path) -> None:
    for path in ("x/a.py", "x/y/b.py", "z/c.py", "z/d.ts", "e.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "AGENTS.yaml").write_text("context:\n  - {content: c, match: ['z/*.ts']}\n")
    root = os.path.realpath(tmp_path)
    whole = list(survey(root, listed_files(root)))[-1]
    assert whole.bare == (
        BareFolder("", 2, 6),  # AGENTS.yaml and e.py
        BareFolder("x", 2, 2),
        BareFolder("z", 1, 2),
    )


def test_dead_and_invalid_entries(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "AGENTS.yaml").write_text(
        "context:\n  - {content: dead, match: ['*.rs']}\n  - {content: bad, on: sometimes}\n"
        "  - {content: fine}\n  - {content: directory, match: ['./']}\n"
    )
    root = os.path.realpath(tmp_path)
    uses = {use.text: use for use in list(survey(root, listed_files(root)))[-1].uses}
    assert uses["dead"].is_dead
    assert not uses["dead"].problem
    assert uses["bad"].is_dead
    assert uses["bad"].problem
    assert not uses["fine"].is_dead
    assert uses["directory"].directories == 1


def test_without_guidance_everything_is_bare(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    root = os.path.realpath(tmp_path)
    assert list(survey(root, listed_files(root)))[-1] == Coverage(0, 0, (), 1, (BareFolder("", 1, 1),), True)


def test_a_survey_is_not_made_again_for_each_selection(ui: Any, shop: Path) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        main = ui.main(pilot.app)
        runs: list[int] = []
        survey = main.project.coverage
        main.project.coverage = lambda: runs.append(1) or survey()
        await ui.press(pilot, "7", "0", "j", "j", "k", "a", "t")
        assert len(runs) == 1
        assert "files have context" in ui.text(pilot.app)
        await ui.press(pilot, "r")
        assert len(runs) == 2

    ui.run(ui.app(shop), steps)
