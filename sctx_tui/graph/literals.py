"""What of a literal in the source may stand in the index: what can be a name, and nothing else.

The linker compares strings (keys of dicts, what ``getattr`` is given); of a string that can't be a name the
comparison is all that it needs, so that such a one is replaced by a short digest. A secret that looks like a
name can't be told from one.
"""

from __future__ import annotations

import re
from hashlib import blake2b

LONGEST = 64  # characters of a name
LONGEST_SPECIFIER = 200
ELIDED = "…"

_NAME = re.compile(r"[#~]?[\w$\-./*@]*")
_PART_OF_NAME = re.compile(r"[\w$.]*")
_SPECIFIER = re.compile(r"[\w$\-./*@~#:?=&+\[\]]*")
# Keys and tokens: digits among letters again and again, or capitals and digits alone.
_RANDOM = re.compile(r"(?:.*?\d[^\W\d_]){3}|(?=.*\d)[A-Z\d]+$")
_SHORTEST_RANDOM = 16

_QUOTED = r'"(?:[^"\\]|\\.)*(?:"|\Z)|`(?:[^`\\]|\\.)*(?:`|\Z)'
_SINGLE = r"|'(?:[^'\\]|\\.)*(?:'|\Z)"
_TRIPLE = r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|' + r"'''(?:[^\\]|\\.)*?(?:'''|\Z)|"
_LITERAL = re.compile(_TRIPLE + _QUOTED + _SINGLE, re.DOTALL)
_LITERAL_WITHOUT_SINGLE = re.compile(_TRIPLE.split("|'''")[0] + "|" + _QUOTED, re.DOTALL)
_LETTER = re.compile(r"[^\W_]")


def is_name(text: str) -> bool:
    """Whether a text can be a name, a path or a dotted name."""
    if len(text) > LONGEST or not _NAME.fullmatch(text):
        return False
    return not _is_random(text)


def is_part_of_name(text: str) -> bool:
    """Whether a text can be put together with others to a name."""
    return len(text) <= LONGEST and bool(_PART_OF_NAME.fullmatch(text)) and not _is_random(text)


def _is_random(text: str) -> bool:
    return len(text) >= _SHORTEST_RANDOM and bool(_RANDOM.match(text))


def kept(text: str) -> str:
    """What facts say instead of a literal: itself where it can be a name, else a digest of it."""
    return text if is_name(text) else digest(text)


def specifier(text: str) -> str:
    """The same for what an import names; a URL, which may hold a password, is no file of the project."""
    good = len(text) <= LONGEST_SPECIFIER and _SPECIFIER.fullmatch(text) and "://" not in text
    return text if good and not any(map(_is_random, text.split("/"))) else digest(text)


def digest(text: str) -> str:
    """Short, the same for the same text, and never a name."""
    return ELIDED + blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()


def elide(code: str, *, single: bool = True) -> str:
    """Code without the literals that facts don't keep; punctuation may stay.

    ``single``: single quotes surround strings. (In Rust they begin lifetimes, elsewhere characters.)
    """
    if '"' not in code and "`" not in code and not (single and "'" in code):
        return code
    return (_LITERAL if single else _LITERAL_WITHOUT_SINGLE).sub(_shown, code)


def _shown(found: re.Match[str]) -> str:
    literal = found[0]
    inside = literal.strip("\"'`")
    return literal if is_name(inside) or not _LETTER.search(inside) else ELIDED
