"""Call edges against the outside yardsticks beside the project (`../shared/callgraph`), and what linking
costs.

    python tests/bench/callgraph.py [SET ...] [--show TEXT] [--corpus FOLDER] [--runtime]

Prints precision, recall and F1 per set (by the yardstick's own scorer), the patterns, the runtime oracle
over the
interpreter's standard library, and the CPU seconds of extraction and linking over the Python files of FOLDER.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import io
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sctx_tui.graph.extract import extract, parse
from sctx_tui.graph.facts import KIND, NAME, START, FileFacts, public_symbol, symbol_ids
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.link import link

SHARED = Path(__file__).resolve().parents[2] / "../shared/callgraph"
SETS = "pycg pyextra jcgpy pymacro swarmjs jcgjs jscg jelly jsreal tsreal goxt goreal rustcg optave".split()


def facts_of(files: Mapping[str, str | bytes]) -> dict[str, FileFacts]:
    """The facts of all files that we parse."""
    made = {}
    for path, source in files.items():
        language = language_of(path)
        if language is not None:
            data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
            made[path] = extract(path, data, language)
    return made


def public_ids(path: str, facts: FileFacts, spans: Mapping[str, Any]) -> list[str]:
    """The id of every symbol as the yardstick writes it: found by where it stands, since everybody counts
    anonymous
    functions in his own way; an anonymous function is the named one around it."""
    by_place = {
        (path, place[1], name.partition("::")[2].rpartition(".")[2]): name
        for name, place in spans.items()
        if name.startswith(path + "::")
    }
    ids = [name.partition("#")[0] for name in symbol_ids(path, facts)]
    public = [public_symbol(facts, index) for index in range(len(ids))]
    return [
        by_place.get((path, facts["symbols"][index][START], facts["symbols"][index][NAME]), ids[index])
        for index in public
    ]


def edges(files: Mapping[str, str | bytes], spans: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The scorer's form: resolved edges and candidate lists, by id."""
    facts = facts_of(files)
    ids = {path: public_ids(path, of_file, spans or {}) for path, of_file in facts.items()}
    resolved, candidates = [], []
    texts = {p: t if isinstance(t, str) else t.decode("utf-8", "replace") for p, t in files.items()}
    for path, of_file in link(facts, texts).items():
        for edge in of_file:
            caller = ids[path][edge.caller]
            if edge.callee is not None:
                callee = ids[edge.callee[0]][edge.callee[1]]
                if (
                    caller != callee or (path, edge.caller) == edge.callee
                ):  # else of its own anonymous function
                    resolved.append([caller, callee])
            else:
                candidates.append([caller, [ids[p][i] for p, i in edge.candidates]])
    return {"edges": resolved, "candidates": candidates}


def scorer() -> Any:
    """The yardstick's own program."""
    spec = importlib.util.spec_from_file_location("callgraph_score", SHARED / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def score(name: str, show: str | None = None, language: str | None = None) -> tuple[int, int, int]:
    """(right, wrong, missing) edges of a set; prints the wrong and missing ones of cases that contain
    ``show``."""
    module = scorer()
    options = argparse.Namespace(
        keep_anon=False, fold_nested=False, functions_only=False, verbatim=False, candidates="expand"
    )
    totals = [0, 0, 0]
    for line in (SHARED / f"{name}.jsonl").read_text().splitlines():
        case = json.loads(line)
        if language is not None and case["language"] != language:
            continue
        right, wrong, missing = module.Case(case, options).score(edges(case["files"], case.get("spans")))
        if show is not None and show in case["id"] and (wrong or missing):
            print(case["id"])
            for mark, found in (("wrong", wrong), ("missing", missing)):
                for edge in sorted(found):
                    print(f"   {mark:8}", *edge)
        totals = [total + len(found) for total, found in zip(totals, (right, wrong, missing), strict=True)]
    return totals[0], totals[1], totals[2]


def f1(right: int, wrong: int, missing: int) -> float:
    """F1 in percent."""
    return 200 * right / (2 * right + wrong + missing) if right + wrong + missing else 0.0


def read_tree(root: Path, suffixes: Iterable[str]) -> dict[str, bytes]:
    """Files below ``root`` by posix path relative to it."""
    wanted = tuple(suffixes)
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(wanted):
                path = Path(folder, name)
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return dict(sorted(found.items()))


def patterns(language: str | None = None) -> list[tuple[str, str, set[str], set[str]]]:
    """(language, pattern, expected callees, found callees) of each pattern; what is not among the
    yardstick's files is left out."""
    rows = []
    expected = json.loads((SHARED / "patterns/expected.json").read_text())
    for name in sorted({row["language"] for row in expected}):
        if language not in (None, name):
            continue
        root = SHARED / "patterns" / name
        files = {
            path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
        }
        found = edges(files)
        classes = {
            symbol_id
            for path, facts in facts_of(files).items()
            for symbol_id, row in zip(symbol_ids(path, facts), facts["symbols"], strict=True)
            if row[KIND] == "class"
        }
        for row in expected:
            if row["language"] == name:
                mine = {callee for caller, callee in found["edges"] if caller == row["caller"]}
                mine |= {c for caller, many in found["candidates"] if caller == row["caller"] for c in many}
                # a class as callee is its constructor: one without is neither right nor wrong
                rows.append((name, row["pattern"], set(row["callees"]), mine - classes))
    return rows


def verdict(expected: set[str], found: set[str]) -> str:
    """ "right", "missed" or "wrong" as the yardstick counts."""
    if found - expected:
        return "wrong"
    return "right" if found == expected else "missed"


def runtime() -> dict[str, float] | None:
    """Recall and agreement on the runtime oracle, per kind of pair; None where the interpreter isn't the
    oracle's."""
    oracle = json.loads((SHARED / "cpython311_runtime.json").read_text())
    library = Path(os.__file__).parent
    files = {p: (library / p).read_bytes() for p in oracle["files"] if (library / p).exists()}
    if len(files) < len(oracle["files"]):
        return None
    found = edges(files)
    mine = {(caller, callee) for caller, callee in found["edges"]}
    pairs = {(caller, callee) for caller, callee in oracle["pairs"]}
    names: dict[str, set[str]] = {}
    for caller, callee in pairs:
        names.setdefault(caller, set()).add(callee.rpartition("::")[2].rpartition(".")[2])
    judged = {
        (caller, callee)
        for caller, callee in mine
        if callee.rpartition("::")[2].rpartition(".")[2] in names.get(caller, ())
    }

    def recall(wanted: set[tuple[str, str]]) -> float:
        return len(wanted & mine) / len(wanted) if wanted else 0.0

    def kind(pair: tuple[str, str]) -> str:
        where = "same" if pair[0].partition("::")[0] == pair[1].partition("::")[0] else "across"
        return f"{'method' if '.' in pair[1].partition('::')[2] else 'function'} {where}"

    kinds = {name: {pair for pair in pairs if kind(pair) == name} for name in {kind(pair) for pair in pairs}}
    runtime.missing = sorted(pairs - mine)  # type: ignore[attr-defined]
    runtime.wrong = sorted(judged - pairs)  # type: ignore[attr-defined]
    return {
        "recall": recall(pairs),
        "agreement": len(judged & pairs) / len(judged),
        **{name: recall(of_kind) for name, of_kind in sorted(kinds.items())},
    }


def cost(root: Path) -> None:
    """CPU seconds of parsing, extracting and linking the Python files below ``root``."""
    import resource

    sources = read_tree(root, (".py",))
    gc.disable()
    start = time.process_time()
    for source in sources.values():
        parse(source, "python")
    parsed = time.process_time()
    facts = {path: extract(path, source, "python") for path, source in sources.items()}
    extracted = time.process_time()
    linked = link(facts)
    end = time.process_time()
    lines = sum(source.count(b"\n") for source in sources.values())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{len(sources)} files, {lines} lines: parse {parsed - start:.2f} s,"
        f" parse and extract {extracted - parsed:.2f} s,"
    )
    print(f"  link {end - extracted:.2f} s CPU; {sum(map(len, linked.values()))} edges; peak {peak} MB")


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("sets", nargs="*")
    options.add_argument("--show")
    options.add_argument("--corpus", type=Path)
    options.add_argument("--runtime", action="store_true")
    options.add_argument("--patterns", nargs="?", const="all", help="py, ts, go, rs or all")
    chosen = options.parse_args()
    everything = not (chosen.sets or chosen.corpus or chosen.runtime or chosen.patterns)
    for name in chosen.sets or (SETS if everything else ()):
        name, _, language = name.partition(":")
        right, wrong, missing = score(name, chosen.show, language or None)
        print(
            f"{name:10} F1 {f1(right, wrong, missing):5.1f}   right {right}, wrong {wrong}, missing {missing}"
        )
    if chosen.patterns or everything:
        only = None if chosen.patterns in (None, "all") else chosen.patterns
        for language, pattern, wanted, found in patterns(only):
            if verdict(wanted, found) != "right":
                print(
                    f"  {verdict(wanted, found):7} {language} {pattern}: {sorted(found)} for {sorted(wanted)}"
                )
    if chosen.runtime or everything:
        for name, value in (runtime() or {}).items():
            print(f"runtime {name}: {value:.3f}")
        if chosen.show is not None:
            with contextlib.suppress(BrokenPipeError, io.UnsupportedOperation):
                for mark in ("missing", "wrong"):
                    for pair in getattr(runtime, mark):
                        if chosen.show in pair[0] or chosen.show in pair[1]:
                            print(f"   {mark}", *pair)
    if chosen.corpus:
        cost(chosen.corpus)


if __name__ == "__main__":
    sys.exit(main())
