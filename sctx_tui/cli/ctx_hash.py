"""`ctx hash`: semantic hashes of files and functions."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from sctx_tui.cli.command_line import Command, os_error_text, say, write, write_json
from sctx_tui.cli.options import json_option
from sctx_tui.regular import open_regular
from sctx_tui.sanitize import clean


class _Hashed(NamedTuple):
    """What is known of one path; `functions` are (id, line, hash)."""

    path: str
    hash: str | None = None
    functions: tuple[tuple[str, int, str], ...] = ()


@click.command("hash", cls=Command)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--functions", is_flag=True, help="One hash for each function instead of one for each file.")
@json_option
@click.pass_context
def hash_command(ctx: click.Context, paths: tuple[str, ...], functions: bool, as_json: bool) -> None:
    """Print semantic hashes of files or functions.

    A change of meaning changes them; formatting, comments and docstrings don't.

    One line for each PATH, in their order; empty for a file that can't be read or isn't code, which makes the
    exit code 1. `-` reads paths from standard input, one on a line or each ended by a NUL.
    """
    complete = True
    rows = []
    for path in _all(paths):
        found = _hashed(path, functions)
        complete = complete and found.hash is not None
        if as_json:
            rows.append(_as_json(found, functions))
        elif not functions:
            write(found.hash or "\n")
        else:
            for identifier, _, value in found.functions:
                write(f"{value}  {clean(identifier)}")
    if as_json:
        write_json(rows)
    if not complete:
        ctx.exit(1)


def _all(paths: tuple[str, ...]) -> Iterator[str]:
    """The paths as given, those on standard input in place of `-`."""
    for path in paths:
        if path != "-":
            yield path
            continue
        text = os.fsdecode(sys.stdin.buffer.read())
        names = text.split("\0") if "\0" in text else (line.removesuffix("\r") for line in text.split("\n"))
        yield from filter(None, names)


def _hashed(path: str, functions: bool) -> _Hashed:
    from sctx_tui.graph.extract import parse
    from sctx_tui.graph.fingerprint import file_hash
    from sctx_tui.graph.languages import language_of

    language = language_of(path)
    if language is None:
        say(f"{path}: not code that can be hashed by meaning (known by its suffix)")
        return _Hashed(path)
    try:
        with open_regular(path) as file:
            source = file.read()
    except (OSError, ValueError) as error:
        say(os_error_text(error) if isinstance(error, OSError) else f"{path}: {error}")
        return _Hashed(path)
    if not functions:
        return _Hashed(path, file_hash(source, language))
    tree = parse(source, language)
    return _Hashed(path, *_with_functions(path, source, language, tree))


def _with_functions(
    path: str, source: bytes, language: str, tree: Any
) -> tuple[str, tuple[tuple[str, int, str], ...]]:
    from sctx_tui.graph import facts as f
    from sctx_tui.graph.extract import extract
    from sctx_tui.graph.ids import public_ids
    from sctx_tui.graph.symbol_hashes import symbol_hashes

    facts = extract(path, source, language, tree)
    whole, hashes = symbol_hashes(source, language, tree, facts)
    found = tuple(
        (identifier, row[f.START], value)
        for identifier, row, (value, _) in zip(public_ids(path, facts), facts["symbols"], hashes, strict=True)
        if value is not None and row[f.KIND] in ("function", "method")
    )
    return whole, found


def _as_json(found: _Hashed, functions: bool) -> dict[str, object]:
    row: dict[str, object] = {"path": found.path, "hash": found.hash}
    if functions:
        row["functions"] = [
            {"id": identifier, "line": line, "hash": value} for identifier, line, value in found.functions
        ]
    return row
