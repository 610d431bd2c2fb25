"""After any sequence of edits, moves, deletions and branch switches: the index is as if made from nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import hypothesis
from hypothesis import strategies as st

from .conftest import Project

NAMES = ("alpha", "beta", "gamma")
PYTHON = [f"{folder}{name}.py" for folder in ("", "pkg/", "pkg/sub/") for name in (*NAMES, "__init__")]
SCRIPT = [f"web/{name}.ts" for name in NAMES]
PATHS = [*PYTHON, *SCRIPT, "README.md", "tsconfig.json"]

python_lines = st.one_of(
    st.sampled_from(
        [
            "from pkg import {a}\n",
            "from pkg.{a} import {b}\n",
            "from .{a} import {b} as {c}\n",
            "from . import {a}\n",
            "from pkg.sub.{a} import *\n",
            "import {a}\n",
            "import pkg.{a}\n",
            "def {a}({b}):\n    return {c}({b})\n",
            "def {a}({b}=1):\n    return {b}.{c}()\n",
            "class {a}({b}):\n    def {c}(self): return self.{a}()\n",
            "class {a}:\n    def {b}(self): return {c}()\n    def __init__(self): self.{c} = {b}\n",
            "{a}({b})\n",
            "{a} = {b}()\n{a}.{c}()\n",
            "@{a}\ndef {b}(): pass\n",
            "{a} = {{'k': {b}}}\n{a}['k']()\n",
        ]
    )
)
script_lines = st.sampled_from(
    [
        "import {{ {a} }} from './{b}';\n",
        "import {a} from '@/{b}';\n",
        "export * from './{a}';\n",
        "export function {a}({b}) {{ return {c}({b}); }}\n",
        "export default function {a}() {{ return {b}(); }}\n",
        "export class {a} {{ {b}() {{ return this.{c}(); }} }}\n",
        "{a}({b});\n",
    ]
)
TSCONFIGS = [
    "{}",
    '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/*"]}}}',
    '{"compilerOptions": {"baseUrl": "./web", "paths": {"@/*": ["./*"],},}} // comment',
]


@st.composite
def content(draw: st.DrawFn, path: str) -> str:
    if path.endswith(".json"):
        return draw(st.sampled_from(TSCONFIGS))
    if path.endswith(".md"):
        return draw(st.sampled_from(["# A\n", "# B\n"]))
    lines = draw(st.lists(python_lines if path.endswith(".py") else script_lines, max_size=6))
    names = st.sampled_from(NAMES)
    return "".join(line.format(a=draw(names), b=draw(names), c=draw(names)) for line in lines)


@st.composite
def writes(draw: st.DrawFn) -> tuple[str, str, str]:
    path = draw(st.sampled_from(PATHS))
    return "write", path, draw(content(path))


steps = st.one_of(
    writes(),
    writes(),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(PYTHON), st.sampled_from(PYTHON)),
    st.tuples(st.just("commit"), st.just(""), st.just("")),
    st.tuples(st.just("switch"), st.sampled_from(["main", "other"]), st.just("")),
    st.tuples(st.just("sync"), st.sampled_from(["", "one"]), st.sampled_from(PATHS)),
)


def take(project: Project, step: tuple[str, str, str]) -> None:
    kind, first, second = step
    path = project.root / first
    if kind == "write":
        project.write({first: second})
    elif kind == "delete" and path.is_file():
        path.unlink()
    elif kind == "move" and path.is_file():
        (project.root / second).parent.mkdir(parents=True, exist_ok=True)
        path.replace(project.root / second)
    elif kind == "commit":
        project.commit()
    elif kind == "switch":
        project.commit()
        branches = project.git("branch", "--format=%(refname:short)").split()
        project.git("checkout", "-q", *(() if first in branches else ("-b",)), first)
    elif kind == "sync" and first:
        project.update(second)
    elif kind == "sync":
        project.sync()


@hypothesis.settings(
    max_examples=12,
    deadline=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],  # an example takes seconds: no shrinking
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
@hypothesis.given(
    start=st.lists(writes(), min_size=3, max_size=10), sequence=st.lists(steps, min_size=1, max_size=8)
)
def test_incremental_equals_fresh(tmp_path: Path, fresh, start, sequence) -> None:
    root = tmp_path / "project"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    project = Project(root)
    project.git("init", "-q", "-b", "main")
    for step in start:
        take(project, step)
    project.sync(workers=1)
    for step in sequence:
        take(project, step)
    project.sync(workers=1)
    assert project.dump() == fresh(project).dump()
