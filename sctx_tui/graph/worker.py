"""One file after another: read, hash, parse, boil down to rows. Runs in processes of its own (`workers.py`).

A worker reads frames from standard input, each a list of tasks, and answers every file with a
frame of its own as soon as it is done: a `Parsed` as a plain tuple. A frame is a length (4 bytes) and
marshalled data.
"""

from __future__ import annotations

import gc
import hashlib
import json
import marshal
import os
import signal
import stat
import sys
import time
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

from sctx_tui.graph import facts as f
from sctx_tui.graph.comments import comment_above, describes, leading_comment
from sctx_tui.graph.sentences import descriptions, first_sentences, summary
from sctx_tui.graph.shape import LARGEST_HASHED, too_large, unparsable

DOCSTRING_KEPT = 2_000  # characters
# A file that was written so shortly before it was read may change again without a trace in its times.
RACY_NANOSECONDS = 2_000_000_000

PARSED_COLUMNS = (
    "id",
    "class_name",
    "name",
    "kind",
    "signature",
    "start_line",
    "end_line",
    "docstring",
    "decorators",
    "is_exported",
    "mutates",
    "summary",
    "summary_long",
    "semantic_hash",
    "body_hash",
)

_json = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` makes one for every call


class Parsed(NamedTuple):
    """What the index keeps of one file."""

    path: str
    is_same: bool = False  # its content is what the index knows: only `stat` counts
    is_gone: bool = False  # it wasn't there any more: an atomic save, perhaps
    language: str = ""  # "" when it wasn't parsed
    problem: str | None = None
    content_hash: str | None = None
    stat: str | None = None  # None: look into the file again next time
    size: int = 0
    lines: int = 0
    semantic_hash: str | None = None
    purpose: str | None = None  # the docstring's first sentence
    summary: str | None = None  # the same in 15 words
    exports: str = "[]"  # JSON array
    functions: tuple[tuple[Any, ...], ...] = ()  # in the order of PARSED_COLUMNS
    facts: bytes | None = None  # marshalled and compressed


def stat_text(found: os.stat_result) -> str:
    """What tells whether a file is still the one that was read: writing moves the ctime, whatever is set."""
    return f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}"


def read(root: str, path: str, language: str, known_hash: str | None = None) -> Parsed:
    """Read and parse one file, unless its content has the known hash. Raises nothing.

    `language` is "" where only the content counts.
    """
    try:
        return _read(root, path, language, known_hash)
    except FileNotFoundError:
        return Parsed(path, is_gone=True)
    except OSError as error:
        return Parsed(path, problem=f"can't be read: {error.strerror or error}")
    except Exception as error:  # a fault of ours in one file must not cost the others
        return Parsed(path, problem=f"can't be parsed: {type(error).__name__}: {error}")


def _read(root: str, path: str, language: str, known_hash: str | None) -> Parsed:
    full = os.path.join(root, path)
    # O_NOFOLLOW and O_NONBLOCK: what was a file a moment ago may be a link or a pipe now.
    descriptor = os.open(full, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as opened:
        before = time.time_ns()
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return Parsed(path, problem="not a regular file")
        if found.st_size > LARGEST_HASHED:
            return Parsed(path, problem=too_large(LARGEST_HASHED), stat=stat_text(found), size=found.st_size)
        source = opened.read()
        after = os.fstat(descriptor)
    settled = stat_text(after) == stat_text(found) and before - found.st_ctime_ns > RACY_NANOSECONDS
    plain = Parsed(
        path,
        content_hash=hashlib.sha256(source).hexdigest(),
        stat=stat_text(found) if settled else None,
        size=len(source),
        lines=source.count(b"\n") + (not source.endswith(b"\n") and bool(source)),
    )
    if plain.content_hash == known_hash:
        return plain._replace(is_same=True)
    problem = unparsable(source) if language else None
    if problem or not language:
        return plain._replace(problem=problem)
    try:
        return _parse(plain, source, language)
    except RecursionError:
        return plain._replace(problem="nested too deeply to be parsed")
    except Exception as error:
        return plain._replace(problem=f"can't be parsed: {type(error).__name__}: {error}")


def _parse(plain: Parsed, source: bytes, language: str) -> Parsed:
    from sctx_tui.graph.extract import extract, parse
    from sctx_tui.graph.symbol_hashes import symbol_hashes

    tree = parse(source, language)
    facts = extract(plain.path, source, language, tree)
    whole, hashes = symbol_hashes(source, language, tree, facts)
    doc = facts["symbols"][0][f.DOC]
    if not describes(doc):
        doc = leading_comment(source, language)
    return plain._replace(
        language=language,
        problem="syntax errors: what could be read is indexed" if facts["errors"] else None,
        semantic_hash=whole,
        purpose=first_sentences(doc, 1) or None,
        summary=summary(doc) or None,
        exports=_json(exports_of(facts)),
        functions=function_rows(plain, facts, hashes, source.split(b"\n")),
        facts=packed(facts),
    )


def packed(facts: f.FileFacts) -> bytes:
    """What the linker needs of a file: the texts for people stand in its rows alone."""
    symbols = [
        (*row[: f.SIGNATURE], "", "", (), *row[f.BASES : f.MUTATES], (), row[f.OWNER])
        for row in facts["symbols"]
    ]
    return zlib.compress(marshal.dumps({**facts, "symbols": symbols}), 1)


def exports_of(facts: f.FileFacts) -> list[str]:
    """What a file offers to others, by name: what it says itself, else its visible top-level symbols."""
    if facts["public"] is not None:
        return list(facts["public"])
    if facts["exports"]:
        return list(dict.fromkeys(name for name, _ in facts["exports"]))
    symbols = facts["symbols"]
    return list(
        dict.fromkeys(
            row[f.NAME]
            for row in symbols[1:]
            if row[f.PARENT] == 0 and row[f.FLAGS] & f.EXPORTED and row[f.KIND] != "lambda"
        )
    )


def function_rows(
    plain: Parsed, facts: f.FileFacts, hashes: Sequence[tuple[str | None, str | None]], lines: Sequence[bytes]
) -> tuple[tuple[Any, ...], ...]:
    """A row for each symbol that stands for itself, as PARSED_COLUMNS; `hashes`: (whole, body) of each."""
    ids = f.symbol_ids(plain.path, facts)
    rows = []
    for index, row in enumerate(facts["symbols"]):
        kind, doc = row[f.KIND], row[f.DOC]
        if f.public_symbol(facts, index) != index:
            continue
        said = doc if doc and describes(doc) else ""
        if not said and kind != "module":
            said = comment_above(lines, row[f.START], row[f.NAME], facts["language"])
        brief, long = descriptions(said) if said else ("", "")
        rows.append(
            (
                ids[index],
                _class_name(row),
                row[f.NAME],
                kind,
                row[f.SIGNATURE],
                row[f.START],
                min(row[f.END], max(plain.lines, 1)),
                doc[:DOCSTRING_KEPT] or None,
                _array(row[f.DECORATORS]),
                int(bool(row[f.FLAGS] & f.EXPORTED)),
                _array(row[f.MUTATES]),
                brief or None,
                long or None,
                *hashes[index],
            )
        )
    return tuple(rows)


def _class_name(row: f.Row) -> str | None:
    return row[f.QUALNAME].rpartition(".")[0] or None if row[f.KIND] == "method" else None


def _array(names: tuple[str, ...]) -> str:
    return _json(names) if names else "[]"


def send(stream: BinaryIO, data: Any) -> None:
    """Write one frame."""
    body = marshal.dumps(data)
    stream.write(len(body).to_bytes(4, "big"))
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """The next frame's data. EOFError at the end of the stream."""
    return marshal.loads(_exactly(stream, int.from_bytes(_exactly(stream, 4), "big")))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    """A pipe gives what it has; go on until that is enough."""
    parts = []
    while size:
        part = stream.read(size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def main(root: str) -> None:
    """Serve frames until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when an interrupted run ends
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between frames
    gc.set_threshold(200_000)  # facts are tuples by the million, and hardly any of them is in a cycle
    try:
        while True:
            for path, language, known_hash in receive(requests):
                send(answers, tuple(read(root, path, language, known_hash)))
    except (EOFError, BrokenPipeError):
        return
