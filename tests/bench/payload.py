"""The payload: time and real tokens over the files of an indexed project, and the round trip over MCP.

    python tests/bench/payload.py DIR [FILES]

DIR is a project with an index (`ctx init`); FILES is how many of its files are asked (default 200, 0: all).
Target: p95 <= 20 ms CPU on a million lines; no document above 10,000 tokens by a real tokenizer.
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

    VOCABULARIES = [bpe_openai.get_encoding(name) for name in ("o200k_base", "cl100k_base")]

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
    with Store.open(root) as store:
        records = list(store_records.files(store, store_records.paths(store)).values())
        records = sorted((each for each in records if each.language), key=lambda each: each.path)
        lines = sum(each.lines for each in records)
        choose = random.Random(7)
        asked = records if not count or count >= len(records) else choose.sample(records, count)
        wall: list[float] = []
        cpu: list[float] = []
        tokens: list[tuple[int, int, str]] = []
        for record in asked:
            line = choose.randrange(1, max(2, record.lines))
            start, used = time.perf_counter(), time.process_time()
            document = build(record.path, root=root, line=line, store=store)
            text = document.markdown()
            cpu.append(time.process_time() - used)
            wall.append(time.perf_counter() - start)
            tokens.append((real(text), document.tokens, record.path))
        print(
            f"{len(asked)} of {len(records)} files, {lines:,} lines:"
            f" CPU {percentiles(cpu)}; wall {percentiles(wall)}"
        )
        show("tokens", tokens, 10_000)
        for budget in (1000, 100_000):
            some = [build(each.path, root=root, budget=budget, store=store) for each in asked[:200]]
            show(
                f"tokens with --budget {budget}",
                [(real(each.markdown()), each.tokens, each.path) for each in some],
                budget,
            )
    return [each.path for each in asked]


def real(text: str) -> int:
    """Tokens of a text: the larger count of o200k and cl100k."""
    return max(len(vocabulary.encode(text)) for vocabulary in VOCABULARIES)


def show(title: str, tokens: list[tuple[int, int, str]], cap: int) -> None:
    """How many real tokens there were, and how far the estimate lay above."""
    ordered = sorted(tokens)
    low = sum(count > estimated for count, estimated, _ in tokens)
    ratio = statistics.median(estimated / count for count, estimated, _ in tokens)
    print(
        f"{title}: median {ordered[len(ordered) // 2][0]:,}, max {ordered[-1][0]:,} ({ordered[-1][2]}),"
        f" above {cap:,}: {sum(count > cap for count, _, _ in tokens)} of {len(tokens)};"
        f" estimate {ratio:.2f} x real (median), below it: {low}"
    )


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
