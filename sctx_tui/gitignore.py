"""The rules of a .gitignore file where there is no git to ask.

pathspec reads the lines. Its expressions backtrack, polynomially in the length of a path with the number of
stars for exponent, and ignore files are hostile input; so its stars, and `**`, are made to take as little as
they can, for good. That finds the same: what follows a star may as well be found as early as possible.
"""

from __future__ import annotations

import re
import warnings
from typing import AnyStr

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from sctx_tui.regular import open_regular

LARGEST = 1 << 20
"""Bytes of an ignore file that are read."""

_STAR = r"\[\^/\]\*"
_CHARACTER = r"(?:\[\^/\](?![*+])|\[(?:\\.|[^\]\\])*\]|\\.|[^\[\]()/*+?$^|\\])"
_STAR_AND_MORE = re.compile(rf"{_STAR}({_CHARACTER}+)(?={_STAR})")
_LEADING, _WITHIN = "^(?:.+/)?", "(?:/.+)?"
"""What pathspec makes of `**/` and of `/**`."""


class _Pattern(GitIgnoreSpecPattern):
    """One line; a line that means nothing, such as `!`, is left out, as git does."""

    @classmethod
    def pattern_to_regex(cls, pattern: AnyStr) -> tuple[AnyStr | None, bool | None]:
        """As in pathspec, without its faults."""
        try:
            expression, include = super().pattern_to_regex(pattern)
            if isinstance(expression, str):
                expression = bounded(expression)
                re.compile(expression)
        except (ValueError, re.error):
            return None, None
        return expression, include


def bounded(expression: str) -> str:
    """pathspec's expression with atomic groups."""
    expression = _STAR_AND_MORE.sub(r"(?>[^/]*?\1)", expression)
    *runs, last = expression.split(_WITHIN)
    if not runs:
        return expression
    found = []
    for number, run in enumerate(runs):
        if number:
            found.append(f"(?>(?:/.+?)??{run}(?=/))")
        elif run.startswith(_LEADING):
            found.append(f"^(?>(?:.+?/)??{run.removeprefix(_LEADING)}(?=/))")
        else:
            found.append(run)
    return "".join([*found, _WITHIN, last])


def read_rules(path: str) -> GitIgnoreSpec | None:
    """The rules in an ignore file; None where there are none, or none that can be read."""
    try:
        with open_regular(path) as file:
            lines = file.read(LARGEST).decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about `[[:alpha:]]`, which isn't ours to correct
        return GitIgnoreSpec.from_lines(lines, _Pattern) if lines else None
