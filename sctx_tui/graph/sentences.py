"""Short descriptions out of docstrings."""

from __future__ import annotations

import re

SUMMARY_WORDS = 15

# A full stop ends a sentence where something follows that can begin one; not after "e.g." and its like.
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\betc)[.!?](?=\s+[^a-z\s]|\s*$)")
_RULE = re.compile(r"\s*[-=~^*#]{3,}\s*$")


def paragraph(text: str) -> str:
    """The first paragraph of a docstring as one line, without the rule below a title."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        if _RULE.match(line):
            continue
        if not line.strip() and lines:
            break
        lines.append(line.strip())
    return " ".join(" ".join(lines).split())


def first_sentences(text: str, count: int) -> str:
    """The first `count` sentences of a docstring's first paragraph."""
    line = paragraph(text)
    ends = [match.end() for match in _END.finditer(line)]
    return line[: ends[count - 1]] if len(ends) >= count else line


def summary(text: str) -> str:
    """The first sentence, cut after 15 words."""
    words = first_sentences(text, 1).split()
    return " ".join(words[:SUMMARY_WORDS]) + ("…" if len(words) > SUMMARY_WORDS else "")
