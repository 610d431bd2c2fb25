"""Short descriptions out of docstrings and comments."""

from __future__ import annotations

import re
from itertools import islice

SUMMARY_WORDS = 15
LONGEST = 500  # characters of a description in whole sentences

# A full stop ends a sentence where something follows that can begin one; not after "e.g." and its like. The
# stop comes first: the engine skips to it at once.
_END = re.compile(r"[.!?](?=\s+[^a-z\s]|\s*$)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bcf.)(?<!\bvs.)(?<!\betc.)")
_RULE = re.compile(r"\s*[-=~^*#]{3,}\s*$")

# Where a description ends and parameters, results, examples begin: Javadoc and its like, Sphinx, Google,
# Swift, Rust, C#. Extractors may have joined the lines of a comment.
_TAGS = re.compile(
    r"(?:^|\s)(?:[@\\](?:params?|arg|returns?|throws?|exception|author|since|version|see|examples?|deprecated"
    r"|type|template|property|private|public|protected|internal|override|inheritDoc|tparam|todo|ts-\w+)\b"
    r"|:(?:param|type|returns?|rtype|raises)\b"
    r"|- (?:Parameters?|Returns|Throws)\b|#+ (?:Examples?|Panics|Errors|Safety|Arguments|Returns|Notes?)\b"
    r"|(?:Args|Arguments|Parameters|Returns|Raises|Yields|Examples?):(?:\s|$)"
    r"|(?:go|nolint):\w|</?(?:param|typeparam|returns|exception|remarks|example|value)\b)"
)
_LEAD = re.compile(r"[@\\](?:brief|summary|desc|description|file(?:[Oo]verview)?|overview)\b:?\s*")
_LINK = re.compile(
    r"\{@\w+\s+([^{}\s]+)[^{}]*\}|<(?:see|seealso)\s+\w+=\"([^\"]*)\"\s*/?>|:[\w:]+:`~?([^`<]*)[^`]*`"
)
_MARKUP = re.compile(r"</?(?:summary|para|p|b|i|c|em|strong|code|br|ul|ol|li|pre|see|tt)\b[^<>]*>")


def paragraph(text: str) -> str:
    """The first paragraph of a docstring as one line, without the rule below a title, tags and markup."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        if _RULE.match(line):
            continue
        if not line.strip() and lines:
            break
        lines.append(line.strip())
    return _plain(" ".join(" ".join(lines).split()))


def _plain(line: str) -> str:
    if "@" in line or "\\" in line or ":" in line or "<" in line or "# " in line or "- " in line:
        line = _LEAD.sub("", line)
        line = _LINK.sub(lambda found: found[1] or found[2] or found[3] or "", line)
        tags = _TAGS.search(line)
        line = " ".join(_MARKUP.sub(" ", line[: tags.start()] if tags else line).split())
    return line


def first_sentences(text: str, count: int) -> str:
    """The first `count` sentences of a docstring's first paragraph."""
    return _cut(paragraph(text), count)


def summary(text: str) -> str:
    """The first sentence, cut after 15 words."""
    return _brief(_cut(paragraph(text), 1))


def descriptions(text: str) -> tuple[str, str]:
    """`summary` and the first two sentences."""
    line = paragraph(text)
    return _brief(_cut(line, 1)), _cut(line, 2)


def _cut(line: str, count: int) -> str:
    end = next(islice(_END.finditer(line), count - 1, None), None)
    chosen = line if end is None else line[: end.end()]
    return chosen if len(chosen) <= LONGEST else chosen[: LONGEST - 1].rstrip() + "…"


def _brief(sentence: str) -> str:
    words = sentence.split()
    return " ".join(words[:SUMMARY_WORDS]) + ("…" if len(words) > SUMMARY_WORDS else "")
