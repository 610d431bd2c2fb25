"""The JSON of hook payloads, read and written without the `json` package."""

from __future__ import annotations

from sctx_tui.accelerators import read_json


def read_object(raw: bytes) -> dict[str, object] | None:
    """The JSON object that `raw` holds, None when it holds anything else.

    A byte order mark is skipped; bytes that are not UTF-8 become lone surrogates, as in file names. Raises
    RecursionError on absurd nesting.
    """
    text = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = read_json(text, parse_int=float)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def quoted(text: str) -> str:
    """`text` as a JSON string of ASCII characters only."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:  # another Python implementation
        from json.encoder import encode_basestring_ascii  # type: ignore[no-redef,unused-ignore]
    return encode_basestring_ascii(text)
