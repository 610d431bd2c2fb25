"""Grammars of tree-sitter, without importing the package that brings them.

That import costs some 30 ms for things that we don't need, and every commit waits for `ctx validate`.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Language, Parser

_PACKAGE = "tree_sitter_language_pack"


@cache
def language(name: str) -> Language:
    """The grammar ``name``, loaded once per process. LookupError: there is none."""
    path = _library(name)
    if path is None:  # a grammar from another package, or an installation of another shape
        from tree_sitter_language_pack import get_language

        return get_language(name)  # type: ignore[arg-type]
    from tree_sitter import Language

    qualified = f"{_PACKAGE}.bindings.{name}"
    loader = ExtensionFileLoader(qualified, path)
    module = loader.create_module(ModuleSpec(qualified, loader, origin=path))
    loader.exec_module(module)
    return Language(module.language())


@cache
def fields(name: str, *others: str) -> Any:
    """The numbers of a grammar's fields as attributes, for ``child_by_field_id``; those that only ``others``
    have are 0, which no node has.

    A field that is asked for by its name is looked for among all names, each time.
    """
    from types import SimpleNamespace

    known: dict[str, int] = {}
    for grammar in (*others, name):
        found = language(grammar)
        known = dict.fromkeys(known, 0)
        known |= {found.field_name_for_id(n) or "": n for n in range(1, found.field_count + 1)}
    return SimpleNamespace(**known)


@cache
def parser(name: str) -> Parser:
    """A parser for the grammar ``name``, made once per process."""
    from tree_sitter import Parser

    return Parser(language(name))


def _library(name: str) -> str | None:
    """The file that holds a grammar, None when it isn't where we look."""
    package = PathFinder.find_spec(_PACKAGE)
    for folder in (package.submodule_search_locations if package else None) or ():
        for suffix in EXTENSION_SUFFIXES:
            path = os.path.join(folder, "bindings", name + suffix)
            if os.path.isfile(path):
                return path
    return None
