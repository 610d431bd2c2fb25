"""Semantic hashes: their cost beside the parser's, and how often they are right.

Arguments: folders of source (default: this project and the standard library), measured file by file, parse
and hash in turn (the file alone; the file and all its functions), the least CPU time of several runs each. A
folder with a `manifest.jsonl` (made by the yardstick `hashbench.py make`) is scored instead: twins that mean
the same must hash equal, mutants must not.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import sysconfig
import time
from collections import Counter
from pathlib import Path

from sctx_tui.graph.extract import extract, parse
from sctx_tui.graph.fingerprint import file_hash
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.symbol_hashes import symbol_hashes

ROUNDS = 3
SKIPPED = {".git", ".venv", "node_modules", "site-packages", "__pycache__"}


def sources(folder: Path) -> dict[str, list[bytes]]:
    """The source files below the folder, by language."""
    found: dict[str, list[bytes]] = {}
    for directory, names, files in os.walk(folder):
        names[:] = [name for name in names if name not in SKIPPED]
        for name in files:
            language = language_of(name)
            if language and ".min." not in name:
                found.setdefault(language, []).append(Path(directory, name).read_bytes())
    return found


def least(action: object, *arguments: object) -> int:
    """CPU nanoseconds of the fastest of several calls."""
    best = 1 << 62
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        action(*arguments)  # type: ignore[operator]
        best = min(best, time.process_time_ns() - start)
    return best


def cost(folder: Path) -> None:
    """Print lines a second and the ratio of hashing to parsing."""
    print(f"{folder}")
    for language, files in sorted(sources(folder).items()):
        lines = sum(source.count(b"\n") for source in files)
        if lines < 1_000:
            continue
        parsing = hashing = both = 0
        for source in files:
            tree = parse(source, language)
            file_hash(source, language, tree)
            parsing += least(parse, source, language)
            hashing += least(file_hash, source, language, tree)
            both += least(symbol_hashes, source, language, tree, extract("a", source, language, tree))
        rate = lines / max(1, parsing) * 1e6
        print(
            f"  {language:11} {lines:8,} lines  parse {rate:4.0f} k/s  hash / parse {hashing / parsing:.2f}"
            f"  with functions {both / parsing:.2f}"
        )
        gc.collect()


def score(folder: Path) -> None:
    """Print the shares of same pairs with equal and of mutants with different hashes."""
    known: dict[str, str] = {}
    right: Counter[tuple[str, str, str]] = Counter()
    total: Counter[tuple[str, str, str]] = Counter()
    for line in (folder / "manifest.jsonl").read_text().splitlines():
        pair = json.loads(line)
        for side in ("a", "b"):
            path = pair[side]
            if path not in known:
                known[path] = file_hash((folder / path).read_bytes(), pair["lang"])
        is_right = (known[pair["a"]] == known[pair["b"]]) == (pair["rel"] == "same")
        for kind in (pair["kind"], "all"):
            key = (pair["rel"], pair["lang"], kind)
            right[key] += is_right
            total[key] += 1
    for key in sorted(total):
        if key[2] == "all" or right[key] != total[key]:
            share = 100 * right[key] / total[key]
            print(f"  {key[0]:4} {key[1]:11} {key[2]:26} {right[key]:5} of {total[key]:5}  {share:5.1f} %")


def main() -> None:
    """Measure the folders that were given."""
    here = Path(__file__).resolve().parents[2]
    given = [Path(name) for name in sys.argv[1:]]
    for folder in given or [here, Path(sysconfig.get_paths()["stdlib"])]:
        (score if (folder / "manifest.jsonl").exists() else cost)(folder)


if __name__ == "__main__":
    main()
