"""How names and imports are found in the languages that are linked by name alone."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import partial
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from sctx_tui.graph.facts import EXPORTED, FLAGS, NAME, OWNER, PARENT
from sctx_tui.graph.languages import LANGUAGES
from sctx_tui.graph.rules import Resolved, Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program

# Languages that call each other's functions.
_FAMILIES = {"c": ("c", "cpp"), "cpp": ("c", "cpp")}
_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_TEST = re.compile(r"(?:^|/)(?:tests?|specs?|examples?)/|[_.-](?:test|spec)s?\.|Tests?\.", re.I)
# Between the parts of a module's name; None: imports name files.
_SEPARATORS = {"java": ".", "kotlin": ".", "scala": ".", "php": "\\", "lua": ".", "csharp": "."}
# Where an import may name a package or namespace as a whole.
_PACKAGES = frozenset(("java", "kotlin", "scala", "csharp"))


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
    endings = [normpath(name)]
    if separator == ".":  # of a class in the file, or a member of it
        endings += [endings[0].rpartition("/")[0], endings[0].rpartition("/")[0].rpartition("/")[0]]
    for ending in filter(None, endings):
        found = [
            each
            for suffix in ("", *suffixes)
            for each in _by_file_name(program).get((ending + suffix).rpartition("/")[2], ())
            if each.endswith("/" + ending + suffix)
        ]
        if found:
            return (found[0],) if len(found) == 1 else None
    if language not in _PACKAGES:
        return None
    return _member(spec, path, program, language) or _package(spec, path, program, suffixes)


def _member(spec: str, path: str, program: Program, language: str) -> Resolved:
    """The files of a package that define one of its members: `import a.b.function`."""
    package, _, name = spec.rpartition(".")
    if not package:
        return None
    found = []
    for each in _definitions(program, language).get(name, ()):
        folder = dirname(each).replace("/", ".")
        if each != path and (folder == package or folder.endswith("." + package)):
            found.append(each)
    if not _TEST.search(path):
        found = [each for each in found if not _TEST.search(each)] or found
    return tuple(found) or None


def _package(spec: str, path: str, program: Program, suffixes: tuple[str, ...]) -> Resolved:
    """The files of a package or namespace, which lie in a folder of its name: `import a.b.*`,
    `using Shop.Models` (also of a project's folder, `Shop.Core/Models`)."""
    folders = _by_last_part(program).get(spec.rpartition(".")[2], ())
    found = [folder for dotted, folder in folders if dotted == spec or dotted.endswith("." + spec)]
    if not _TEST.search(path):
        found = [folder for folder in found if not _TEST.search(folder + "/")] or found
    files = [each for folder in found for each in _by_folder(program)[folder] if each.endswith(suffixes)]
    return tuple(each for each in files if each != path) or None


def _by_last_part(program: Program) -> dict[str, list[tuple[str, str]]]:
    """(folder with dots, folder) by the last part of its name."""
    table: dict[str, list[tuple[str, str]]] | None = program.cache.get("by_name packages")
    if table is None:
        table = program.cache["by_name packages"] = {}
        for folder in _by_folder(program):
            dotted = folder.replace("/", ".")
            table.setdefault(dotted.rpartition(".")[2], []).append((dotted, folder))
    return table


def _by_file_name(program: Program) -> dict[str, list[str]]:
    table: dict[str, list[str]] | None = program.cache.get("by_name files")
    if table is None:
        table = program.cache["by_name files"] = {}
        for path in program.paths:
            table.setdefault(path.rpartition("/")[2], []).append(path)
    return table


def siblings(path: str, name: str, program: Program, *, language: str) -> tuple[str, ...]:
    """The file that defines a top-level name: imported, in the same folder, or the only one of all that
    isn't a test's."""
    defining = [each for each in _definitions(program, language).get(name, ()) if each != path]
    if not defining:
        return ()
    near = [each for each in defining if dirname(each) == dirname(path)]
    imported = [each for each in defining if each in _imported(path, program)]
    for found in (imported, near, [each for each in defining if not _TEST.search(each)]):
        if len(found) == 1:
            return tuple(found)
    return ()


def near(path: str, program: Program) -> Container[str]:
    """The files whose methods a call by name means first: itself, what it imports, its folder."""
    known: dict[str, frozenset[str]] = program.cache.setdefault("by_name near", {})
    if path not in known:
        folder = _by_folder(program).get(dirname(path), ())
        known[path] = frozenset((*_imported(path, program), *folder))
    return known[path]


def _by_folder(program: Program) -> dict[str, list[str]]:
    table: dict[str, list[str]] | None = program.cache.get("by_name folders")
    if table is None:
        table = program.cache["by_name folders"] = {}
        for path in program.paths:
            table.setdefault(dirname(path), []).append(path)
    return table


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
            header = path.endswith(_HEADERS)
            names = {
                row[NAME]
                for row in file.symbols[1:]
                if row[PARENT] == 0 and row[OWNER] is None and (header or row[FLAGS] & EXPORTED)
            }
            for name in names:
                table.setdefault(name, []).append(path)
    return table


def _imported(path: str, program: Program) -> set[str]:
    """The files that a file imports, and for a header the source file beside it."""
    known: dict[str, set[str]] = program.cache.setdefault("by_name imported", {})
    if path not in known:
        file = program.file(path)
        specs = [spec for spec, _, _ in file.facts["imports"]] if file is not None else []
        found = {each for spec in specs if file for each in file.rules.resolve(spec, path, program) or ()}
        beside = {other for each in found for other in _by_stem(program).get(_stem(each), ())}
        known[path] = found | beside
    return known[path]


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
        by_name=language != "c",
        near=near,
        common_methods=COMMON,
        class_scope_visible=language not in ("php", "lua", "bash"),
        c3=False,
    )


# Methods that so many outside types have that their name says nothing; in any spelling.
_COMMON = (
    "add addAll all any append apply as assertEquals at await begin build by call cancel capacity"
    " charAt clear clone close collect compare compareTo concat connect contains containsKey"
    " containsValue copy count create data delete description dispose each emit empty end endsWith"
    " entries entrySet equals error exec execute exists extend fill filter find first flatMap flush"
    " fold forEach format get getBytes getClass getName getValue has hasNext hash hashCode head id"
    " include index indexOf info init inject insert inspect invoke is isEmpty iterator join key keys"
    " last lastIndexOf length let limit line list load lock log lower lowercase main map match max"
    " message min name new next none nil not notify of on open or orElse parse path peek pop pos"
    " position print printf println process push pushBack put putAll raise read readLine reduce"
    " register release remove removeAll removeIf render replace request require reserve reset resize"
    " respond rest result reverse rewind run save scan second seek select send set setName setValue"
    " setup show shuffle shutdown size skip slice sort sorted split start startsWith status stop"
    " stream string strip submit subscribe substr substring sum swap symbol tail take tap tell test"
    " then thenReturn throw times toArray toByteArray toInt toJson toList toLowerCase toS toString"
    " toUpperCase token top trim truncate type union unlock unwrap update upper uppercase use value"
    " valueOf values verify wait warn when where with withIndex write yield zip"
).split()


def _spellings(name: str) -> tuple[str, str, str]:
    """camelCase, PascalCase, snake_case."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return name, name[:1].upper() + name[1:], snake


COMMON = frozenset(spelt for name in _COMMON for spelt in _spellings(name))
_CONSTRUCTORS = {"ruby": ("initialize",), "php": ("__construct",), "swift": ("init",)}

RULES_BY_LANGUAGE = {row.name: _rules(row.name, row.suffixes) for row in LANGUAGES if row.module == "by_name"}
