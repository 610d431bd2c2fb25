"""What the last link of the whole project says of symbols and names (`link_notes.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sctx_tui.graph.store import Store


def put_all(store: Store, files: Iterable[tuple[str, bytes, bytes]], names: Mapping[str, int]) -> None:
    """Make the notes of all files (path, symbols, names) and of all names (roles) these."""
    store.execute("DELETE FROM link_notes")
    store.execute("DELETE FROM link_names")
    store.execute_many("INSERT INTO link_notes VALUES (?, ?, ?)", files)
    store.execute_many(
        "INSERT INTO link_names VALUES (?, ?)", ((_key(name), names[name]) for name in sorted(names))
    )


def put_notes(store: Store, path: str, symbols: bytes, names: bytes) -> None:
    """Make the notes of one file these."""
    store.execute("INSERT OR REPLACE INTO link_notes VALUES (?, ?, ?)", (path, symbols, names))


def notes(store: Store, path: str) -> tuple[bytes, bytes] | None:
    """The notes of a file: its symbols, names it was asked for; None where it was never linked."""
    rows = store.rows("SELECT symbols, names FROM link_notes WHERE path = ?", (path,))
    return rows[0] if rows else None


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


def _key(name: str) -> bytes:
    return name.encode(errors="surrogatepass")  # half a character is a name in JavaScript
