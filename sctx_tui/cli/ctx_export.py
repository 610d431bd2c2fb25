"""`ctx export`: the index as markdown in a file, in a block of its own."""

from __future__ import annotations

import os

import click

from sctx_tui.cli.command_line import Command, os_error_text, say, write
from sctx_tui.cli.ctx_common import graph_root, open_index, root_option

FORMAT_NAMES = ("claude", "agents", "markdown")
LARGEST = 4 << 20  # bytes of a file that is written into


@click.command(cls=Command)
@click.option("--to", metavar="DIR", help="Folder to write into. Default: the project's root.")
@click.option(
    "--format",
    "name",
    type=click.Choice(FORMAT_NAMES),
    default="claude",
    help="Which file: claude (CLAUDE.md, the default), agents (AGENTS.md), markdown (CODEBASE.md).",
)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 when the file is out of date.")
@root_option
def export(to: str | None, name: str, check: bool, root: str | None) -> None:
    """Compile the index into a markdown file.

    Dangers, decisions, folders, and the files and functions that most depends on, in a block between two
    markers; what stands around the block is yours and stays.
    """
    from sctx_tui.payload.export import FORMATS, compile_markdown
    from sctx_tui.payload.marked_block import BlockError, with_block

    top = graph_root(root)
    format_ = FORMATS[name]
    target = _target(top, to, format_.file)
    before = _read(target)
    with open_index(top) as store:
        if store.meta("indexed_at") is None:
            say("warning: the index was never brought up to date; run `ctx sync`")
        block = compile_markdown(store, format_)
    try:
        after = with_block(before or "", block)
    except BlockError as error:
        raise click.ClickException(f"{target}: {error}") from error
    if after == before:
        write(f"{_shown(target)} is up to date")
    elif check:
        state = "is out of date" if before is not None else "does not exist"
        raise click.ClickException(f"{_shown(target)} {state}; run `ctx export{_options(to, name)}`")
    else:
        _write(target, after)
        write(f"{_shown(target)} written")


def _target(root: str, to: str | None, file: str) -> str:
    """The file to write. A link, the folder's or the file's own, must not lead out of where it stands.

    A folder outside the project is taken only when it was named as such: a repository may bring links.
    """
    folder = os.path.abspath(to) if to is not None else root
    real = os.path.realpath(folder)
    if not os.path.isdir(real):
        raise click.ClickException(f"--to {to}: there is no such directory")
    is_inside = _is_in(folder, root) or _is_in(folder, os.path.abspath(root))
    if is_inside and not _is_in(real, root):
        raise click.ClickException(f"--to {to}: leads out of the project, to {real}; name that folder itself")
    target = os.path.join(folder, file)
    allowed = root if _is_in(real, root) else real
    if not _is_in(os.path.realpath(target), allowed):
        raise click.ClickException(f"{target} is a link to {os.path.realpath(target)}, outside; remove it")
    return target


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _read(target: str) -> str | None:
    """The file's text, None when there is none."""
    try:
        if not os.path.lexists(target):
            return None
        if os.path.exists(target) and not os.path.isfile(target):
            raise click.ClickException(f"{target} is not a regular file")
        with open(target, "rb") as opened:
            data = opened.read(LARGEST + 1)
    except FileNotFoundError:
        return None  # a link to what isn't there yet
    except OSError as error:
        raise click.ClickException(os_error_text(error)) from error
    if len(data) > LARGEST:
        raise click.ClickException(f"{target} is larger than {LARGEST >> 20} MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise click.ClickException(f"{target}:{line}: not UTF-8; nothing was changed") from error


def _write(target: str, text: str) -> None:
    from sctx_tui.atomic import write_atomically

    try:
        write_atomically(target, text.encode())
    except OSError as error:
        raise click.ClickException(os_error_text(error)) from error


def _shown(target: str) -> str:
    from sctx_tui.sanitize import clean

    return clean(os.path.relpath(target))


def _options(to: str | None, name: str) -> str:
    given = f" --to {to}" if to is not None else ""
    return given + (f" --format {name}" if name != "claude" else "")
