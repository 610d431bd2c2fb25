"""Who calls, is called by, imports and is imported by a file or a symbol."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One end of an edge: a function, class or module (`path::qualname`), or a file (`id` is its path)."""

    id: str
    file: str  # posix, relative to the root
    name: str
    signature: str  # "" for files
    line: int  # where it is defined, 1-based
    at_line: int  # where the call or import stands, in the file that makes it; 0 for a file's own functions
    rank: float  # personalized PageRank from the focus file, >= 0; files add up to 1
    ambiguous: bool = False  # one of several candidates of a call that could not be decided
    candidates: tuple[str, ...] = ()  # all of them, ids; empty when not ambiguous
    tainted: bool = False
    via: str = ""  # id of the focus's symbol at the other end of the call; "" for files


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Everything one step away from `path`; each tuple is sorted by rank, highest first, then by id."""

    path: str  # the file, or `path::qualname` when a symbol was asked for
    functions: tuple[Neighbour, ...]  # of the file, in source order
    callers: tuple[Neighbour, ...]
    callees: tuple[Neighbour, ...]
    imports: tuple[Neighbour, ...]
    dependents: tuple[Neighbour, ...]
    source: str  # "index" or "parsed" (on the fly, without an index)
    partial: bool = False  # the on-the-fly parse ran out of time: what is listed is true, more may exist
