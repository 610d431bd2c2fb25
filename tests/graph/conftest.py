"""What tests of the graph share: source text -> facts, symbols and calls."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sctx_tui.graph.extract import extract
from sctx_tui.graph.facts import QUALNAME, FileFacts, Symbol, public_symbol
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.link import link

Files = dict[str, str]


def facts_of(files: Files) -> dict[str, FileFacts]:
    """The facts of every file whose name belongs to a language."""
    found = {}
    for path, text in files.items():
        language = language_of(path)
        if language is not None:
            found[path] = extract(path, text.encode(), language)
    return found


def js(text: str) -> FileFacts:
    """The facts of a file of JavaScript."""
    return facts_of({"a.js": text})["a.js"]


def calls(files: Files) -> set[tuple[str, str]]:
    """(caller, callee) of every certain call, by qualname."""
    facts = facts_of(files)
    texts = {path: text for path, text in files.items() if path not in facts}

    def name(path: str, index: int) -> str:
        return facts[path]["symbols"][public_symbol(facts[path], index)][QUALNAME]

    return {
        (name(path, edge.caller), name(*edge.callee))
        for path, edges in link(facts, texts).items()
        for edge in edges
        if edge.callee is not None
    }


@pytest.fixture(scope="module")
def bench() -> Any:
    """The measurement of call edges, tests/bench/callgraph.py."""
    path = Path(__file__).resolve().parents[1] / "bench/callgraph.py"
    spec = importlib.util.spec_from_file_location("bench_callgraph", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def symbols_of() -> Callable[[str, str], dict[str, Symbol]]:
    """(text, path) -> symbols by qualname; of several with one name the last."""

    def make(text: str, path: str) -> dict[str, Symbol]:
        return {row[QUALNAME]: Symbol(*row) for row in facts_of({path: text})[path]["symbols"]}

    return make


@pytest.fixture
def calls_of() -> Callable[[Files], set[str]]:
    """Files by path -> ``caller -> callee`` of every certain call, as ``path::qualname`` (one file: no path).

    What happens inside an anonymous function counts for the named one around it; a call of an anonymous
    function that stands in the caller itself is left out.
    """

    def make(files: Files) -> set[str]:
        facts = facts_of(files)
        texts = {path: text for path, text in files.items() if path not in facts}

        def name(path: str, index: int) -> str:
            qualname = facts[path]["symbols"][public_symbol(facts[path], index)][QUALNAME]
            return qualname if len(facts) == 1 else f"{path}::{qualname}"

        found = set()
        for path, edges in link(facts, texts).items():
            for edge in edges:
                if edge.callee is None:
                    continue
                caller, callee = name(path, edge.caller), name(*edge.callee)
                if caller != callee or (path, edge.caller) == edge.callee:
                    found.add(f"{caller} -> {callee}")
        return found

    return make
