"""How names and imports are found in the languages that are linked by name alone."""

from __future__ import annotations

from functools import partial
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import OWNER, PARENT
from sctx_tui.graph.languages import LANGUAGES
from sctx_tui.graph.rules import Resolved, Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program

# Languages that call each other's functions.
_FAMILIES = {"c": ("c", "cpp"), "cpp": ("c", "cpp")}
# Between the parts of a module's name; None: imports name files.
_SEPARATORS = {"java": ".", "kotlin": ".", "scala": ".", "php": "\\", "lua": "."}


def resolve(spec: str, path: str, program: Program, *, language: str, suffixes: tuple[str, ...]) -> Resolved:
    """The file that an import names: beside the importing file, from the root, or the only one so named."""
    separator = _SEPARATORS.get(language)
    name = spec.replace(separator, "/") if separator and not spec.endswith(suffixes) else spec
    name = name.removeprefix("import ").strip()
    for base in (dirname(path), ""):
        for suffix in ("", *suffixes):
            candidate = normpath(join(base, name + suffix))
            if candidate in program.path_set:
                return (candidate,)
    ending = normpath(name)
    found = [
        each
        for suffix in ("", *suffixes)
        for each in _by_file_name(program).get((ending + suffix).rpartition("/")[2], ())
        if each.endswith("/" + ending + suffix)
    ]
    return (found[0],) if len(found) == 1 else None


def _by_file_name(program: Program) -> dict[str, list[str]]:
    table: dict[str, list[str]] | None = program.cache.get("by_name files")
    if table is None:
        table = program.cache["by_name files"] = {}
        for path in program.paths:
            table.setdefault(path.rpartition("/")[2], []).append(path)
    return table


def siblings(path: str, name: str, program: Program, *, language: str) -> tuple[str, ...]:
    """The file that defines a top-level name: imported, in the same folder, or the only one of all."""
    defining = [each for each in _definitions(program, language).get(name, ()) if each != path]
    if len(defining) <= 1:
        return tuple(defining)
    near = [each for each in defining if dirname(each) == dirname(path)]
    imported = [each for each in defining if each in _imported(path, program)]
    return next((tuple(found) for found in (imported, near) if len(found) == 1), ())


def _definitions(program: Program, language: str) -> dict[str, list[str]]:
    """Top-level names of all files of the language's family -> the files that define them."""
    family = _FAMILIES.get(language, (language,))
    key = ("by_name definitions", family)
    table: dict[str, list[str]] | None = program.cache.get(key)
    if table is None:
        table = program.cache[key] = {}
        for path in program.paths:
            file = program.file(path)
            if file is None or file.facts["language"] not in family:
                continue
            names = {row[0] for row in file.symbols[1:] if row[PARENT] == 0 and row[OWNER] is None}
            for name in names:
                table.setdefault(name, []).append(path)
    return table


def _imported(path: str, program: Program) -> set[str]:
    """The files that a file imports, and for a header the source file beside it."""
    file = program.file(path)
    if file is None:
        return set()
    found = {
        each for spec, _, _ in file.facts["imports"] for each in file.rules.resolve(spec, path, program) or ()
    }
    return found | {other for each in found for other in _by_stem(program).get(_stem(each), ())}


def _by_stem(program: Program) -> dict[str, list[str]]:
    table: dict[str, list[str]] | None = program.cache.get("by_name stems")
    if table is None:
        table = program.cache["by_name stems"] = {}
        for path in program.paths:
            table.setdefault(_stem(path), []).append(path)
    return table


def _stem(path: str) -> str:
    return path.rpartition(".")[0] or path


def _rules(language: str, suffixes: tuple[str, ...]) -> Rules:
    return Rules(
        resolve=partial(resolve, language=language, suffixes=suffixes),
        siblings=partial(siblings, language=language),
        constructors=_CONSTRUCTORS.get(language, ()),
        class_scope_visible=language not in ("php", "lua", "bash"),
        c3=False,
    )


_CONSTRUCTORS = {"ruby": ("initialize",), "php": ("__construct",), "swift": ("init",)}

RULES_BY_LANGUAGE = {row.name: _rules(row.name, row.suffixes) for row in LANGUAGES if row.module == "by_name"}
