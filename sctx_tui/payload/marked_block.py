"""A block of a text file that a program owns, between two marker lines; all around it is a person's."""

from __future__ import annotations

BEGIN = "<!-- ctx:export:begin -->"
END = "<!-- ctx:export:end -->"


class BlockError(Exception):
    """The markers in a file can't be made sense of; the message has the line and what to do."""


def with_block(text: str, block: str) -> str:
    """`text` with `block` (ends with a newline) between the markers, at the end where there are none.

    Line ends follow the text's. Raises BlockError, and ValueError when the block itself holds a marker line.
    """
    if any(line.strip() in (BEGIN, END) for line in block.split("\n")):
        raise ValueError("the block holds a marker of its own")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    begins = _lines_with(BEGIN, lines)
    ends = _lines_with(END, lines)
    fresh = [BEGIN, *block.removesuffix("\n").split("\n"), END]
    if newline == "\r\n":
        fresh = [f"{line}\r" for line in fresh]
    if not begins and not ends:
        return _appended(text, "\n".join(fresh), newline)
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise BlockError(_fault(begins, ends))
    if ends[0] == len(lines) - 1:  # the last line has no line end of its own
        fresh[-1] = fresh[-1].removesuffix("\r")
    return "\n".join([*lines[: begins[0]], *fresh, *lines[ends[0] + 1 :]])


def _lines_with(marker: str, lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if line.strip() == marker]


def _appended(text: str, block: str, newline: str) -> str:
    block = block.removesuffix("\r")
    if not text.strip():
        return block + newline
    return text.rstrip("\r\n") + newline * 2 + block + newline


def _fault(begins: list[int], ends: list[int]) -> str:
    if not ends:
        return f"line {begins[0] + 1}: {BEGIN} has no {END} after it; add that line, or remove this one"
    if not begins:
        return f"line {ends[0] + 1}: {END} has no {BEGIN} before it; add that line, or remove this one"
    if len(begins) > 1:
        return f"line {begins[1] + 1}: {BEGIN} stands there a second time; keep one block"
    if len(ends) > 1:
        return f"line {ends[1] + 1}: {END} stands there a second time; keep one block"
    return f"line {ends[0] + 1}: {END} stands before {BEGIN}; put them in order"
