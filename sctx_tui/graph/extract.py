"""Bytes of one file -> its facts. Pure; runs in worker processes."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sctx_tui.graph import parsing
from sctx_tui.graph.facts import FileFacts
from sctx_tui.graph.languages import BY_NAME

if TYPE_CHECKING:
    from tree_sitter import Tree


def parse(source: bytes, language: str) -> Tree:
    """The syntax tree of ``source``; never raises on content (a tree with ERROR nodes instead)."""
    return parsing.parse(source, BY_NAME[language].grammar)


@cache
def _extractor(module: str) -> Any:
    return import_module(f"sctx_tui.graph.languages.{module}").extract


def extract(path: str, source: bytes, language: str, tree: Tree | None = None) -> FileFacts:
    """The facts of the file at ``path`` (posix, relative to the root; only ids and messages use it).

    ``tree`` saves a parse when the caller has it already. Raises nothing on content: the unreadable is left
    out, and ``errors`` is 1 where the parser met a syntax error. KeyError: unknown language.
    """
    if tree is None:
        tree = parse(source, language)
    facts: FileFacts = _extractor(BY_NAME[language].module)(path, source, tree, language)
    facts["errors"] = int(tree.root_node.has_error)
    return facts
