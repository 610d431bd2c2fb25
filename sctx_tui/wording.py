"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its word: "1 file", "2,000 files"; `many` where an s doesn't make it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
