"""Characters that a reviewer doesn't see but an agent reads: invisible, bidirectional, control characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Zero width space, word joiner and invisible operators, soft hyphen, fillers, byte order mark,
# bidirectional marks, embeddings, overrides and isolates, tags, supplementary variation selectors.
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# The joiners belong to emoji and to several scripts; between ASCII characters they only hide.
_JOINERS = "\u200c\u200d"
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff"

_IN_TEXT = re.compile(f"[{_HIDDEN}{_CONTROLS}]|(?<![^\x00-\x7f])[{_JOINERS}]|[{_JOINERS}](?![^\x00-\x7f])")
# In a pattern no blank but the plain one, no line break and no joiner has a place.
_IN_PATTERN = re.compile(
    f"[{_HIDDEN}{_CONTROLS}{_JOINERS}\n\r\t\x85\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufe00-\ufe0f]"
)


def hidden_in_text(text: str) -> Iterator[tuple[int, str]]:
    """(offset, name) of every hidden character in prose; line breaks and tabs are fine there."""
    return _named(_IN_TEXT, text)


def hidden_in_pattern(text: str) -> Iterator[tuple[int, str]]:
    """(offset, name) of every hidden character in a glob pattern."""
    return _named(_IN_PATTERN, text)


def _named(characters: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    for found in characters.finditer(text):
        character = found[0]
        name = unicodedata.name(character, "") or _CONTROL_NAMES.get(character, "CONTROL CHARACTER")
        yield found.start(), f"U+{ord(character):04X} {name}"


_CONTROL_NAMES = {"\n": "LINE FEED", "\r": "CARRIAGE RETURN", "\t": "TAB", "\x1b": "ESCAPE", "\x07": "BELL"}
