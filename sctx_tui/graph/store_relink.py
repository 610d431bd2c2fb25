"""What the last link of the whole project says of symbols and names (`link_notes.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sctx_tui.graph import seal
from sctx_tui.graph.store import Store

_NOTES = b"notes 3"  # another number for other notes


def put_all(store: Store, files: Iterable[tuple[str, bytes, bytes]], names: Mapping[str, int]) -> None:
    """Make the notes of all files (path, symbols, names) and of all names (roles) these."""
    store.execute("DELETE FROM link_notes")
    store.execute("DELETE FROM link_names")
    key = seal.key()
    store.execute_many("INSERT INTO link_notes VALUES (?, ?, ?)", (_sealed(*row, key) for row in files))
    store.execute_many(
        "INSERT INTO link_names VALUES (?, ?)", ((_key(name), names[name]) for name in sorted(names))
    )


def put_notes(store: Store, path: str, symbols: bytes, names: bytes) -> None:
    """Make the notes of one file these."""
    store.execute(
        "INSERT OR REPLACE INTO link_notes VALUES (?, ?, ?)", _sealed(path, symbols, names, seal.key())
    )


def notes(store: Store, path: str) -> tuple[bytes, bytes] | None:
    """The notes of a file: its symbols, names it was asked for; None where no run of this user linked it."""
    row = store.row("SELECT symbols, names FROM link_notes WHERE path = ?", (path,))
    if row is None:
        return None
    key = seal.key()
    symbols, names = (seal.opened(data, key, _NOTES) for data in row)
    return None if symbols is None or names is None else (symbols, names)


def roles(store: Store, name: str) -> int:
    """What is known of a name, 0 for one that was never seen."""
    found: int | None = store.value("SELECT roles FROM link_names WHERE name = ?", (_key(name),))
    return found or 0


def add_roles(store: Store, names: Mapping[str, int]) -> None:
    """Names that have these roles as well."""
    store.execute_many(
        "INSERT INTO link_names VALUES (?, ?) ON CONFLICT DO UPDATE SET roles = roles | excluded.roles",
        ((_key(name), roles) for name, roles in names.items()),
    )


def methods(store: Store, name: str) -> list[str]:
    """The files with methods of that name, one for each method."""
    return [
        path
        for (path,) in store.rows("SELECT file FROM functions WHERE name = ? AND kind = 'method'", (name,))
    ]


def linked_paths(store: Store) -> list[str]:
    """The files that the linker looks at."""
    return [path for (path,) in store.rows("SELECT path FROM facts ORDER BY path")]


def _sealed(path: str, symbols: bytes, names: bytes, key: bytes) -> tuple[str, bytes, bytes]:
    return path, seal.sealed(symbols, key, _NOTES), seal.sealed(names, key, _NOTES)


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")  # half a character is a name in JavaScript
