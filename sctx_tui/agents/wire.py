"""The JSON of hook payloads, without the `json` package: importing it and `re` costs more than all our work.

CPython's accelerator module, which `json` itself wraps, does the reading and the quoting.
"""

from __future__ import annotations

_WHITE_SPACE = " \t\n\r"


class _Options:
    """What the scanner wants to know. Numbers are never needed as exact integers of unbounded length."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = float

    @staticmethod
    def parse_constant(name: str) -> None:
        raise ValueError(f"{name} is not JSON")


def read_object(raw: bytes) -> dict[str, object] | None:
    """The JSON object that `raw` holds, None when it holds anything else.

    A byte order mark is skipped; bytes that are not UTF-8 become lone surrogates, as in file names. Raises
    RecursionError on absurd nesting.
    """
    text = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip(_WHITE_SPACE)
    if not text.startswith("{"):
        return None
    try:
        value, end = _scan(text)
    except (ValueError, StopIteration, SystemError):
        # Some versions of CPython find no exception class for a syntax error unless `json` is imported.
        return None
    return value if end == len(text) else None


def _scan(text: str) -> tuple[dict[str, object], int]:
    try:
        from _json import make_scanner
    except ImportError:  # another Python implementation
        import json

        return json.loads(text, parse_int=float, parse_constant=_Options.parse_constant), len(text)
    found: tuple[dict[str, object], int] = make_scanner(_Options)(text, 0)  # type: ignore[arg-type]
    return found


def quoted(text: str) -> str:
    """`text` as a JSON string of ASCII characters only."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import encode_basestring_ascii  # type: ignore[no-redef,unused-ignore]
    return encode_basestring_ascii(text)
