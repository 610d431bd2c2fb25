"""Go: build constraints, which leave files out of a program.

A constraint is looked at as for any platform, with no tag set that isn't about one: https://pkg.go.dev/cmd/go,
"Build constraints".
"""

from __future__ import annotations

import re

#: What says something of a platform or toolchain: it may hold.
_OPEN = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix"
    " wasip1 windows zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x"
    " sparc64 wasm cgo gc gccgo".split()
)
_TOKEN = re.compile(r"&&|\|\||[!()]|[\w.]+")
MARK = b"//go:build "


def is_left_out(constraint: str) -> bool:
    """Whether a file with this constraint is built only where somebody sets a tag."""
    tokens = _TOKEN.findall(constraint)
    value, rest = _either(tokens, 0)
    return value is False and rest == len(tokens)


def _either(tokens: list[str], at: int) -> tuple[bool | None, int]:
    """The value of ``a || b`` (None: that depends) and where it ends."""
    value, at = _both(tokens, at)
    while tokens[at : at + 1] == ["||"]:
        other, at = _both(tokens, at + 1)
        value = True if value or other else None if value is None or other is None else False
    return value, at


def _both(tokens: list[str], at: int) -> tuple[bool | None, int]:
    value, at = _one(tokens, at)
    while tokens[at : at + 1] == ["&&"]:
        other, at = _one(tokens, at + 1)
        value = (
            False if value is False or other is False else None if value is None or other is None else True
        )
    return value, at


def _one(tokens: list[str], at: int) -> tuple[bool | None, int]:
    negated = False
    while tokens[at : at + 1] == ["!"]:
        negated, at = not negated, at + 1
    if at >= len(tokens):
        return None, at
    if tokens[at] == "(":
        value, at = _either(tokens, at + 1)
    else:
        value = None if tokens[at] in _OPEN or tokens[at].startswith("go1") else False
    return (not value if negated and value is not None else value), at + 1
