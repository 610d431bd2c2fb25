"""Text from files, names and programs, made safe to show: nothing in it moves a cursor or hides."""

from __future__ import annotations

# Ranges of characters that act on a terminal, on the reading order, or can't be seen.
_UNSAFE = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),  # soft hyphen
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x180E, 0x180E),
    (0x200B, 0x200F),  # zero width, direction marks
    (0x2028, 0x202E),  # line and paragraph separators, direction embeddings
    (0x2060, 0x206F),  # invisible operators, direction isolates
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),  # lone surrogates, as in names that aren't UTF-8
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0xE0000, 0xE0FFF),  # tags and variation selectors supplement
)
TAB_WIDTH = 4


class _Escapes(dict[int, str]):
    """A table for str.translate that is filled as characters turn up."""

    def __init__(self, keep: frozenset[int]) -> None:
        super().__init__()
        self._keep = keep

    def __missing__(self, code: int) -> str:
        if code == 0x09 and code not in self._keep:
            shown = " " * TAB_WIDTH
        elif code not in self._keep and any(low <= code <= high for low, high in _UNSAFE):
            shown = _escape(code)
        else:
            shown = chr(code)
        self[code] = shown
        return shown


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00  # the byte that os.fsdecode could not read
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_ONE_LINE = _Escapes(frozenset())
_LINES = _Escapes(frozenset((0x0A,)))
# An agent reads tabs, line and paragraph separators, and the joiners that belong to emoji and to several
# scripts, as they are: they hide nothing.
_FOR_AGENT = _Escapes(frozenset((0x09, 0x0A, 0x200C, 0x200D, 0x2028, 0x2029)))


def clean(text: str, *, multiline: bool = False) -> str:
    """The text with control, direction and invisible characters as visible escapes such as `\\x1b`.

    Tabs become spaces; newlines stay if `multiline`, and CRLF becomes one.
    """
    if text.isascii() and text.isprintable():
        return text
    if multiline:
        return text.replace("\r\n", "\n").translate(_LINES)
    return text.translate(_ONE_LINE)


def clean_for_agent(text: str) -> str:
    """The text as an agent may read it: what a person would see, so nothing hidden, and its layout kept."""
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_FOR_AGENT)
