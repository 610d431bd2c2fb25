"""What a comment says at the top of a file, or right above a definition, in words that describe it.

Reads lines, not a syntax tree: the same few rules for every language. Licences, tool directives, rulers,
tasks and code that was commented out describe nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

TOP = 8_192  # bytes of a file in which its leading comment is looked for
MOST_LINES = 60  # of a comment above a definition
FEWEST_WORDS = 3  # "optional", "dev only" and "helpers" are no descriptions


class Syntax(NamedTuple):
    """How a language writes comments."""

    line: tuple[bytes, ...]
    block: tuple[tuple[bytes, bytes], ...]


_C = Syntax((b"//",), ((b"/*", b"*/"),))
_HASH = Syntax((b"#",), ())
_SYNTAXES = {
    "bash": _HASH,
    "lua": Syntax((b"--",), ((b"--[[", b"]]"),)),
    "php": Syntax((b"//", b"#"), ((b"/*", b"*/"),)),
    "python": _HASH,
    "ruby": _HASH,
}

_MARKS = re.compile(r"^\s*(?:/\*+!?|//[/!]*|\*+(?!/)|#+|--+(?:\[\[)?)?\s?|\s*(?:\*+/|\]\])\s*$")
_RULER = re.compile(r"[\W_]{3,}$")
_LEGAL = re.compile(
    r"copyright|\(c\) \d{4}|©|licen[cs]ed? (?:under|to)|all rights reserved|spdx-|permission (?:is|to)\b"
    r"|redistribution|this (?:program|software|library|source code|file) is (?:free|provided|distributed|part"
    r"|subject|licen)|unless required by|see the license|you should have received|above copyright"
    r"|without warrant|warranties|liabilit|neither the name|/licenses?\b|public domain"
    r"|^the [\w ]+ licen[cs]e\b"
    r"|\blicense\b.*\b(?:found|file|details|version)\b",
    re.IGNORECASE,
)
# One of these is in whatever the expression above finds; looking for them costs a fortieth of it.
_LEGAL_HINTS = (
    "copyright",
    "licen",
    "(c) ",
    "©",
    "rights reserved",
    "spdx-",
    "permission is",
    "permission to",
    "redistribution",
    "this program",
    "this software",
    "this library",
    "this source code",
    "this file",
    "unless required by",
    "you should have received",
    "warrant",
    "liabilit",
    "neither the name",
    "public domain",
)
_DIRECTIVE = re.compile(
    r"globals?\s|(?:eslint|prettier|tslint|jshint|jslint|istanbul|c8|v8|biome|stylelint|deno-|go|\+build|nolint"
    r"|lint|noqa|type: ignore|pylint|mypy|ruff|flake8|isort|fmt|yapf|pyright|pragma|rubocop"
    r"|frozen_string_literal|encoding|typed|shellcheck|clang-format|noinspection|region|endregion|swiftlint"
    r"|swift-tools-version|ktlint|scalafmt|scalastyle|phpcs|phpstan|psalm|cspell|sourceMappingURL|vim?|ex"
    r"|warn_indent)(?:[-:=]|\s*$|\s[a-z-]+[=/])|-\*-|.*coding[:=]\s*[\w.-]+\s*(?:-\*-)?$|!|<reference"
    r"|@(?:ts-|flow|format|jest|vitest|license|preserve|jsx|noflow|prettier|phpstan|psalm)"
)
_TASK = re.compile(r"(?:TODO|FIXME|XXX|HACK)\b")
_REMARK = re.compile(
    r"(?:Note|NOTE|NB|See|Optional|Deprecated|Workaround|Fixes|Ref|Author|Important|Support|Copied|Internal)\b"
)
_URL = re.compile(r"\w+://\S+")
_CODE = re.compile(
    r".*[;{}]$|(?:def|class|return|import|from|const|let|var|func|fn|if|for|while|elif|else)\b.*[:({;]$|[(\[]"
)
_TITLE = re.compile(r"@(?:file(?:[Oo]verview)?|overview|module|description|desc|brief|summary)\b:?\s*")
_FILE_NAME = re.compile(r"[\w./-]+\.\w{1,5}\s*(?:--?|[:—–])\s+")

# A comment right above one of these is about the file, not about what is declared there.
_PREAMBLE = re.compile(
    rb"\s*(?:import|from|package|use|using|require|include|#include|#import|#ifndef|#pragma|namespace|module\s"
    rb"|extern|mod\s|source|set -|\"use |'use |export \*|(?:const|var|let)\s.*\brequire\(|declare\()"
)
# What may stand between a definition and the comment about it.
_BETWEEN = re.compile(rb"\s*(?:@|#\[|\[\w|template\s*<)")


def syntax_of(language: str) -> Syntax:
    """How a language of ours writes comments."""
    return _SYNTAXES.get(language, _C)


def leading_comment(source: bytes, language: str) -> str:
    """The first paragraph at the top of a file that says what the file is for; "" without one."""
    syntax = syntax_of(language)
    lines = source[:TOP].removeprefix(b"\xef\xbb\xbf").split(b"\n")
    row = 0
    groups: list[list[bytes]] = []
    while row < len(lines):
        end = _comment_end(lines, row, syntax)
        if end > row:
            groups.append(lines[row:end])
            row = end
        elif lines[row].strip() in (b"", b"<?php", b"\r"):
            row += 1
        else:
            break
    is_about_code = row < len(lines) and row and lines[row - 1].strip() and not _PREAMBLE.match(lines[row])
    if groups and is_about_code:
        groups.pop()
    for group in groups:
        # By an old custom of minifiers, what stands behind `/*!` is a licence.
        found = "" if group[0].lstrip().startswith(b"/*!") else _said(group)
        if found:
            return _FILE_NAME.sub("", found, count=1)
    return ""


def comment_above(lines: Sequence[bytes], row: int, name: str, language: str) -> str:
    """What the comment right above line `row` (1-based) says of what is defined there as `name`.

    "" without one, and where it reads like a remark rather than a description: such a thing begins with a
    capital letter, or with the name.
    """
    if name.startswith("<"):
        return ""  # anonymous: what stands above is about the statement
    syntax = syntax_of(language)
    last = row - 2
    while last >= 0 and _BETWEEN.match(lines[last]):
        last -= 1
    first = _comment_start(lines, last, syntax)
    found = _said(lines[first : last + 1]) if first <= last else ""
    begins_well = found[:1].isupper() or found.partition(" ")[0] == name
    return found if begins_well and not _REMARK.match(found) else ""


def _comment_end(lines: Sequence[bytes], row: int, syntax: Syntax) -> int:
    """The row after the comment that begins on `row`; `row` itself where none does."""
    text = lines[row].lstrip()
    for opening, closing in syntax.block:
        if text.startswith(opening):
            after = text[len(opening) :]
            while closing not in after:
                row += 1
                if row == len(lines):
                    return row
                after = lines[row]
            return row + 1
    while row < len(lines) and _is_line_comment(lines[row], syntax):
        row += 1
    return row


def _comment_start(lines: Sequence[bytes], row: int, syntax: Syntax) -> int:
    """The first row of the comment whose last row is `row`; `row + 1` where none ends there."""
    lowest = max(0, row - MOST_LINES)
    if row < 0:
        return 0
    for opening, closing in syntax.block:
        if lines[row].rstrip().endswith(closing):
            start = row
            while start > lowest and opening not in lines[start]:
                start -= 1
            return start if lines[start].lstrip().startswith(opening) else row + 1
    start = row + 1
    while start > lowest and _is_line_comment(lines[start - 1], syntax):
        start -= 1
    return start


def _is_line_comment(line: bytes, syntax: Syntax) -> bool:
    text = line.lstrip()
    return text.startswith(syntax.line) and not any(text.startswith(opening) for opening, _ in syntax.block)


def _said(group: Iterable[bytes]) -> str:
    """The first paragraph of a comment that describes something; "" for a banner."""
    lines = [_MARKS.sub("", line.decode("utf-8", "replace").rstrip("\r")).strip() for line in group]
    if sum(bool(line and _RULER.match(line)) for line in lines) > 1:
        return ""
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if not line or _DIRECTIVE.match(line) or _RULER.match(line):
            paragraphs.append([])
        elif line.startswith("@") and not _TITLE.match(line):
            break  # tags: what follows is about parameters, authors and so on
        else:
            paragraphs[-1].append(_TITLE.sub("", line, count=1).removeprefix("- "))
    for text in map(" ".join, paragraphs):
        if len(_URL.sub("", text).split()) >= FEWEST_WORDS and describes(text):
            return text
    return ""


def describes(text: str) -> bool:
    """Whether a text describes what it stands at, and isn't a licence, a task, a directive or code."""
    return bool(
        any(map(str.isalpha, text))
        and not _is_legal(text[:400])
        and not _TASK.match(text)
        and not _DIRECTIVE.match(text)
        and not _CODE.match(text)
    )


def _is_legal(text: str) -> bool:
    lower = text.lower()
    return any(hint in lower for hint in _LEGAL_HINTS) and bool(_LEGAL.search(text))
