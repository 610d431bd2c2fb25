"""Which files are worth parsing, by their looks."""

from __future__ import annotations

# Limits; docs/commands/ctx-init.md names them.
LARGEST_PARSED = 4 << 20  # bytes
LARGEST_HASHED = 64 << 20
LONG_LINE = 1_000  # bytes; a file with such a line and MEAN_LINE on average was not written by hand
MEAN_LINE = 200
SMALL = 4_096  # bytes; below it any shape is parsed
BINARY_LOOK = 8_192  # bytes in which a NUL means that this is no text


def unparsable(source: bytes) -> str | None:
    """Why text of this shape is not parsed, or None."""
    if b"\0" in source[:BINARY_LOOK]:
        return "binary"
    if len(source) > LARGEST_PARSED:
        return too_large(LARGEST_PARSED)
    if len(source) > SMALL:
        lines = source.split(b"\n")
        if len(source) > MEAN_LINE * len(lines) and max(map(len, lines)) > LONG_LINE:
            return "generated or minified: very long lines"
    return None


def too_large(limit: int) -> str:
    """What to say of a file beyond a limit in bytes."""
    return f"larger than {limit >> 20} MiB"
