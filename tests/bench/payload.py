"""The payload: time and real tokens over the files of an indexed project, and the round trip over MCP.

    python tests/bench/payload.py DIR [FILES]

DIR is a project with an index (`ctx init`); FILES is how many of its files are asked (default 200, 0: all).
Target: p95 <= 20 ms on a million lines; no document above 10,000 tokens by a real tokenizer.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import bpe_openai

from mcp import ClientSession, StdioServerParameters, stdio_client

from sctx_tui.graph import store_records
from sctx_tui.graph.store import Store
from sctx_tui.payload.build import build


def percentiles(times: list[float]) -> str:
    """p50 and p95 in milliseconds."""
    cuts = statistics.quantiles(times, n=20)
    return f"p50 {cuts[9] * 1000:.1f} ms, p95 {cuts[18] * 1000:.1f} ms, max {max(times) * 1000:.1f} ms"


def measure(root: str, count: int) -> list[str]:
    """Build payloads in process; the files that were asked."""
    vocabulary = bpe_openai.get_encoding("o200k_base")
    with Store.open(root) as store:
        paths = [
            path
            for path in store_records.paths(store)
            if (store_records.file(store, path) or _none()).language
        ]
        choose = random.Random(7)
        asked = paths if not count or count >= len(paths) else choose.sample(paths, count)
        wall: list[float] = []
        cpu: list[float] = []
        tokens: list[tuple[int, int, str]] = []
        for path in asked:
            record = store_records.file(store, path)
            line = choose.randrange(1, max(2, record.lines)) if record else 1
            start, used = time.perf_counter(), time.process_time()
            document = build(path, root=root, line=line, store=store)
            text = document.markdown()
            wall.append(time.perf_counter() - start)
            cpu.append(time.process_time() - used)
            tokens.append((len(vocabulary.encode(text)), document.tokens, path))
    print(f"{len(asked)} of {len(paths)} files: wall {percentiles(wall)}; CPU {percentiles(cpu)}")
    real = sorted(tokens)
    print(f"tokens: median {real[len(real) // 2][0]:,}, max {real[-1][0]:,} ({real[-1][2]}), cap 10,000")
    low = [each for each in tokens if each[0] > each[1]]
    print(
        f"estimate below the real count: {len(low)} of {len(tokens)}; estimate over real: "
        f"{statistics.median(each[1] / each[0] for each in tokens):.2f} (median)"
    )
    return asked


def _none() -> store_records.FileRecord:
    raise LookupError("the index changed meanwhile")


async def round_trips(root: str, paths: list[str]) -> None:
    """The same questions through a server of their own."""
    code = "from sctx_tui.__main__ import ctx; ctx()"
    parameters = StdioServerParameters(command=sys.executable, args=["-c", code, "serve", "--root", root])
    start = time.perf_counter()
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        print(f"server: first answer after {time.perf_counter() - start:.2f} s")
        times = []
        for path in paths[:100]:
            start = time.perf_counter()
            await session.call_tool("get_context", {"file": path})
            times.append(time.perf_counter() - start)
    print(f"round trip: {percentiles(times)}")


def main() -> int:
    """Measure the project that is named."""
    if len(sys.argv) < 2:
        print("skipped: name an indexed project: python tests/bench/payload.py DIR [FILES]")
        return 0
    asked = measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200)
    asyncio.run(round_trips(sys.argv[1], asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
