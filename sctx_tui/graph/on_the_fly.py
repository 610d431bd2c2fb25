"""Neighbours without an index: parse what is likely to matter, as far as the time goes, in memory."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from sctx_tui.graph import apply, linking, store_index, store_links
from sctx_tui.graph.facts import FileFacts
from sctx_tui.graph.ids import file_of
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.neighbours import Neighbourhood, neighbourhood
from sctx_tui.graph.shape import LARGEST_PARSED
from sctx_tui.graph.store import Store
from sctx_tui.graph.systems import own_names
from sctx_tui.graph.worker import Parsed
from sctx_tui.graph.workers import parse_all
from sctx_tui.listing import listed_files
from sctx_tui.regular import open_regular

SECONDS = 2.0
# Share of the time for parsing; linking takes the rest.
PARSING = 0.6
LOOKED_INTO = 20_000  # files that are searched for the focus's name


def neighbourhood_now(
    root: str, path_or_symbol: str, *, most: int | None = None, seconds: float = SECONDS
) -> Neighbourhood:
    """As `neighbours.neighbourhood`, from the files as they are on disk. KeyError: no such file or symbol."""
    focus = file_of(path_or_symbol)
    start = time.monotonic()
    listed = [path for path in listed_files(root) if language_of(path)]
    if focus not in listed:
        raise KeyError(focus)
    parsed, partial = _parse(root, _by_nearness(root, focus, listed), start + PARSING * seconds)
    with Store.in_memory() as store:
        apply.apply(store, parsed, apply.Terms(own_names(root), is_first=True, rehashed=False))
        _link(store, root, parsed, listed)
        store_index.finish_load(store)
        return neighbourhood(store, path_or_symbol, most=most, source="parsed", partial=partial)


def file_now(root: str, path: str, known_hash: str | None = None) -> Neighbourhood | None:
    """What a file says of itself as it is on disk, without the rest of the project.

    None where that is what it said when it had the content hash `known_hash`. KeyError: no such file, or not
    code.
    """
    parsed = list(parse_all(root, [(path, language_of(path) or "", known_hash)]))
    if not language_of(path) or any(each.is_gone for each in parsed):
        raise KeyError(path)
    if any(each.is_same for each in parsed):
        return None
    with Store.in_memory() as store:
        apply.apply(store, parsed, apply.Terms(frozenset(), is_first=True, rehashed=False))
        store_index.finish_load(store)
        return neighbourhood(store, path, source="parsed", partial=True)


def _by_nearness(root: str, focus: str, listed: Sequence[str]) -> list[str]:
    """The focus, files that mention its name, files of its folder, then the rest."""
    folder, _, name = focus.rpartition("/")
    stem = name.partition(".")[0]
    if stem in ("__init__", "index", "mod", "lib", "main"):
        stem = folder.rpartition("/")[2] or stem

    def distance(path: str) -> tuple[int, str]:
        if path == focus:
            return 0, path
        if _mentions(os.path.join(root, path), stem.encode()):
            return 1, path
        return (2 if path.rpartition("/")[0] == folder else 3), path

    return sorted(listed, key=distance) if len(listed) <= LOOKED_INTO else [focus, *listed]


def _mentions(path: str, word: bytes) -> bool:
    try:
        with open_regular(path) as file:
            return word in file.read(LARGEST_PARSED)
    except OSError:
        return False


def _parse(root: str, paths: Sequence[str], deadline: float) -> tuple[list[Parsed], bool]:
    """What could be parsed until the deadline, the first file in any case, and whether that is not all."""
    parsed: list[Parsed] = []
    results = parse_all(root, [(path, language_of(path) or "", None) for path in dict.fromkeys(paths)])
    try:
        for result in results:
            parsed.append(result)
            if time.monotonic() > deadline and any(p.path == paths[0] for p in parsed):
                break
    finally:
        results.close()
    return [p for p in parsed if not p.is_gone], len(parsed) < len(set(paths))


def _link(store: Store, root: str, parsed: Sequence[Parsed], listed: Sequence[str]) -> None:
    facts: dict[str, FileFacts] = {p.path: linking.unpack(p.facts) for p in parsed if p.facts}
    linked = linking.link_project(facts, linking.project_texts(root, listed))
    with store.transaction():
        store_links.put_calls(store, linked.calls)
        store_links.put_links(store, linked.imports, linked.calls)
