"""Go: packages are folders, found through go.mod; interfaces are satisfied without saying so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import FLAGS, LEFT_OUT, NAME
from sctx_tui.graph.rules import Resolved, Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program

_MODULE = re.compile(r"^\s*module\s+[\"`]?([^\s\"`]+)", re.M)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?([^\s/][^\s]*)(?:\s+v\S+)?\s+=>\s+(\.[^\s]*)", re.M)


def resolve(spec: str, path: str, program: Program) -> Resolved:
    """The files of a package; None where no module of the repository holds it."""
    for module, folder in _modules(program):
        if spec == module or spec.startswith(module + "/"):
            inside = normpath(join(folder, spec[len(module) + 1 :])) if spec != module else folder
            files = _packages(program).get("" if inside == "." else inside)
            if files:
                return _built([each for each in files if not each.endswith("_test.go")], program) or None
    return None


def _modules(program: Program) -> list[tuple[str, str]]:
    """(module path, its folder), longest path first."""
    known: list[tuple[str, str]] | None = program.cache.get("go modules")
    if known is None:
        known = []
        for path, text in program.texts.items():
            if path.rpartition("/")[2] != "go.mod":
                continue
            folder = dirname(path)
            found = _MODULE.search(text)
            if found:
                known.append((found[1], folder))
            known += [(name, normpath(join(folder, target))) for name, target in _REPLACE.findall(text)]
        known.sort(key=lambda pair: -len(pair[0]))
        program.cache["go modules"] = known
    return known


def _packages(program: Program) -> dict[str, list[str]]:
    """Go files by folder."""
    known: dict[str, list[str]] | None = program.cache.get("go packages")
    if known is None:
        known = program.cache["go packages"] = {}
        for path in program.paths:
            if path.endswith(".go"):
                known.setdefault(dirname(path), []).append(path)
    return known


def siblings(path: str, name: str, program: Program) -> tuple[str, ...]:
    """The other files of the package (the same folder and package name) that define a name."""
    file = program.file(path)
    package = (dirname(path), file.symbols[0][NAME] if file is not None else "")
    tables: dict[tuple[str, str], dict[str, list[str]]] = program.cache.setdefault("go names", {})
    if package not in tables:
        table: dict[str, list[str]] = {}
        tables[package] = table
        for each in _packages(program).get(package[0], ()):
            there = program.file(each)
            if there is not None and there.symbols[0][NAME] == package[1]:
                for known in there.facts["exits"].get(0, {}):
                    table.setdefault(known, []).append(each)
    found = [each for each in tables[package].get(name, ()) if each != path]
    is_left_out = file is not None and file.symbols[0][FLAGS] & LEFT_OUT
    return tuple(found) if len(found) < 2 or is_left_out else _built(found, program)


def _built(paths: Sequence[str], program: Program) -> tuple[str, ...]:
    """Those files of a package that are built without any tag set; all where none is."""
    flags = {each: file.symbols[0][FLAGS] for each in paths if (file := program.file(each)) is not None}
    return tuple([each for each in paths if not flags.get(each, 0) & LEFT_OUT]) or tuple(paths)


RULES = Rules(
    resolve=resolve,
    siblings=siblings,
    c3=False,
    dispatch="implicit",
    type_arguments=True,
    construction_is_a_call=False,
)
