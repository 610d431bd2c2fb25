"""Rust: crates are found through Cargo.toml, modules through their files."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from sctx_tui.graph.rules import Resolved, Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program

_NAME = re.compile(r"^\s*name\s*=\s*[\"']([^\"']+)[\"']", re.M)
_PATH = re.compile(r"^\s*path\s*=\s*[\"']([^\"']+)[\"']", re.M)
_SECTION = re.compile(r"^\s*\[+([^\]]+)\]+\s*$", re.M)
_RENAMED = re.compile(r"^\s*([\w-]+)\s*=\s*\{[^}\n]*\bpackage\s*=\s*[\"']([^\"']+)[\"']", re.M)
STANDARD = ("std", "core", "alloc")
ROOTS = ("lib.rs", "main.rs", "mod.rs")


def resolve(spec: str, path: str, program: Program) -> Resolved:
    """The file of a module that a path begins with: `crate`, `super`, `self`, a crate of the workspace."""
    first, _, rest = spec.partition("::")
    if first == "crate":
        base: Resolved = (crate_root(path, program),)
    elif first == "self":
        base = (path,)
    elif first == "super":
        base = parent_of(path, program)
    else:
        base = crate_named(first, path, program)
        if base is None and first not in STANDARD:
            base = submodule(path, first, program)
    for name in rest.split("::") if rest else ():
        if base:
            base = parent_of(base[0], program) if name == "super" else submodule(base[0], name, program)
    return base


def submodule(path: str, name: str, program: Program) -> Resolved:
    """The file of ``mod name;`` in the file at ``path``."""
    known: dict[tuple[str, str], Resolved] = program.cache.setdefault("rust submodules", {})
    key = (path, name)
    if key not in known:
        known[key] = _submodule(path, name, program)
    return known[key]


def _submodule(path: str, name: str, program: Program) -> Resolved:
    folder, _, file = path.rpartition("/")
    inside = (
        folder
        if file in ROOTS or path == crate_root(path, program)
        else join(folder, file.removesuffix(".rs"))
    )
    for candidate in (join(inside, name + ".rs"), join(inside, name, "mod.rs")):
        if candidate in program.path_set:
            return (candidate,)
    # Inside `mod a { mod b; }` the file lies in a folder of its own.
    inline: dict[str, list[str]] = program.cache.setdefault("rust inline", {})
    if not inline:
        for each in program.paths:
            if each.endswith(".rs"):
                key = each.removesuffix("/mod.rs").removesuffix(".rs").rpartition("/")[2]
                inline.setdefault(key, []).append(each)
    found = [
        each
        for each in inline.get(name, ())
        if each.startswith(inside + "/" if inside else "") and each != path
    ]
    return (found[0],) if len(found) == 1 else None


def parent_of(path: str, program: Program) -> Resolved:
    """The file of the module around the one at ``path``."""
    folder, _, file = path.rpartition("/")
    if path == crate_root(path, program):
        return None
    if file == "mod.rs":
        folder, _, _ = folder.rpartition("/")
    for candidate in (
        *(join(folder, root) for root in ("mod.rs", "lib.rs", "main.rs")),
        folder + ".rs",
    ):
        if candidate in program.path_set and candidate != path:
            return (candidate,)
    return (crate_root(path, program),)


def crate_root(path: str, program: Program) -> str:
    """The file at which the crate that holds ``path`` begins."""
    known: dict[str, str] = program.cache.setdefault("rust roots", {})
    if path not in known:
        known[path] = _crate_root(path, program)
    return known[path]


def _crate_root(path: str, program: Program) -> str:
    manifests = _manifests(program)
    folder = dirname(path)
    while True:
        if folder in manifests:
            break
        if not folder:
            return path
        folder = dirname(folder)
    inside = path[len(folder) + 1 :] if folder else path
    top = inside.split("/")
    if top[0] in ("tests", "examples", "benches") or top[:2] == ["src", "bin"]:
        depth = 2 if top[0] != "src" else 3
        if len(top) == depth:
            return path
        candidate = join(folder, *top[:depth], "main.rs")
        if candidate in program.path_set:
            return candidate
    library = manifests[folder][1]
    for name in (library, "src/lib.rs", "src/main.rs"):
        candidate = normpath(join(folder, name)) if name else ""
        if candidate in program.path_set:
            return candidate
    return path


def crate_named(name: str, path: str, program: Program) -> Resolved:
    """The library of the workspace that is called so in the code of ``path``."""
    table: dict[str, str] | None = program.cache.get("rust crates")
    if table is None:
        table = {}
        for folder, (package, library, library_name) in _manifests(program).items():
            root = normpath(join(folder, library or "src/lib.rs"))
            if root in program.path_set:
                table[(library_name or package).replace("-", "_")] = root
        for text in (text for file, text in program.texts.items() if file.endswith("Cargo.toml")):
            for alias, package in _RENAMED.findall(text):
                root = table.get(package.replace("-", "_"), "")
                if root:
                    table.setdefault(alias.replace("-", "_"), root)
        program.cache["rust crates"] = table
    found = table.get(name)
    return (found,) if found is not None else None


def _manifests(program: Program) -> dict[str, tuple[str, str, str]]:
    """Folder of each Cargo.toml with a package -> (its name, path and name of its library; "" by default)."""
    known: dict[str, tuple[str, str, str]] | None = program.cache.get("rust manifests")
    if known is None:
        known = program.cache["rust manifests"] = {}
        for path, text in program.texts.items():
            if path.rpartition("/")[2] != "Cargo.toml":
                continue
            parts = _SECTION.split(text)
            sections = {name.strip(): body for name, body in zip(parts[1::2], parts[2::2], strict=False)}
            if "package" in sections:
                package, library = sections["package"], sections.get("lib", "")
                known[dirname(path)] = (
                    _first(_NAME, package),
                    _first(_PATH, library),
                    _first(_NAME, library),
                )
    return known


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


RULES = Rules(
    resolve=resolve,
    submodule=submodule,
    c3=False,
    class_scope_visible=True,
    construction_is_a_call=False,
    dispatch="explicit",
    type_arguments=True,
    iterator_method="into_iter",
    next_method="next",
    item_method="index",
    deref_method="deref",
)
