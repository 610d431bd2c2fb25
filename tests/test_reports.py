"""Each reproduced fault of the Go tool, and each report about its neighbours, has a test or a reason.

tests/data/reports.json says which: `file: words that stand in it`, or why there is none. The numbers
are those of two lists that lie beside some checkouts; there no row may be missing.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEDGER = json.loads((ROOT / "tests/data/reports.json").read_text(encoding="utf-8"))
LISTS = {
    "faults": (ROOT / "../shared/faults.md", "## 1.", r"^\| (\d+)"),
    "reports": (ROOT / "../shared/peers.md", "## C. ", r"^(\d+)\. "),
}
"""File, the heading where the rows begin, how a row begins."""


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
    path, heading, number = LISTS[kind]
    if not path.exists():
        pytest.skip("the list isn't here")
    text = path.read_text(encoding="utf-8").split(heading, 1)[1]
    rows = set(re.findall(number, text, flags=re.MULTILINE))
    assert rows and rows == set(LEDGER[kind])
