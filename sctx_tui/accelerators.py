"""CPython's accelerator modules, used directly where importing their package would cost more than the work.

`json` brings `re` and `enum` along (some 4 ms), `hashlib` brings OpenSSL (2 ms); `sctx hook` starts on every
tool call. Each function falls back to the package on other Python implementations.
"""

from __future__ import annotations

_WHITE_SPACE = " \t\n\r"


def digest(data: bytes) -> str:
    """A 128-bit digest in hexadecimal, to name files and to notice damage."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=16).hexdigest()


def checksum(data: bytes) -> str:
    """A checksum in hexadecimal, the same in every process: it shows accidents, not intent.

    Cheaper than `digest`, for which a module has to be loaded: CPython has a SipHash built in.
    """
    try:
        from _imp import source_hash
    except ImportError:
        from zlib import crc32

        return f"{crc32(data):08x}"
    return source_hash(0, data).hex()


class _Options:
    """What the scanner wants to know: plain JSON, numbers as Python has them unless `parse_int` says else."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float

    def __init__(self, parse_int: type[int] | type[float]) -> None:
        self.parse_int = parse_int

    @staticmethod
    def parse_constant(name: str) -> None:
        raise ValueError(f"{name} is not JSON")


def read_json(text: str, *, parse_int: type[int] | type[float] = int) -> object:
    """The value that a JSON text holds. Raises ValueError for anything else, RecursionError on deep nesting.

    Python refuses to make an `int` of thousands of digits; `parse_int=float` takes any number.
    """
    text = text.strip(_WHITE_SPACE)
    try:
        from _json import make_scanner

        scan = make_scanner(_Options(parse_int))  # type: ignore[arg-type,unused-ignore]
    except (ImportError, AttributeError):  # another implementation, or one that wants to know more
        import json

        return json.loads(text, parse_int=parse_int, parse_constant=_Options.parse_constant)
    try:
        value, end = scan(text, 0)
    except (StopIteration, SystemError):
        # Some versions of CPython find no exception class for a syntax error unless `json` is imported.
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("not JSON: something follows the value")
    return value  # type: ignore[no-any-return,unused-ignore]
