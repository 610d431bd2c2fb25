"""Each reproduced fault of the programs before ours, and each report about their like: test or reason.

tests/data/reports.json says which: `file: words that stand in it`, or why there is none. The numbers
are those of lists that lie beside some checkouts; there no row may be missing.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEDGER = json.loads((ROOT / "tests/data/reports.json").read_text(encoding="utf-8"))
LISTS = {
    "faults": (ROOT / "../shared/faults.md", "## 1.", "\0", r"^\| (\d+)"),
    "reports": (ROOT / "../shared/peers.md", "## C. ", "\0", r"^(\d+)\. "),
    "graph faults": (ROOT / "../shared/graph-peers.md", "### 2.3 ", "\n## ", r"^(\d+)\. "),
    "graph reports": (ROOT / "../shared/graph-peers.md", "## 6. ", "\0", r"^(\d+)\. "),
}
"""File, the heading where the rows begin, what comes behind them, how a row begins."""


@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind, rows in LEDGER.items() for number in rows]
)
def test_the_test_is_there(kind: str, number: str) -> None:
    row = LEDGER[kind][number]
    if "reason" not in row:
        file, _, words = row["test"].partition(": ")
        assert words and words in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", LISTS)
def test_no_row_is_missing(kind: str) -> None:
    path, heading, end, number = LISTS[kind]
    if not path.exists():
        pytest.skip("the list isn't here")
    text = path.read_text(encoding="utf-8").split(heading, 1)[1].split(end, 1)[0]
    rows = set(re.findall(number, text, flags=re.MULTILINE))
    assert rows and rows == set(LEDGER[kind])
