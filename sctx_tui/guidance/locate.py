"""Where in a guidance file something stands: the YAML is composed once more, for files with findings only.

The parsed entries know their line; a finding about one pattern wants the pattern's own line and column, and
the index of its entry in the list as written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sctx_tui.guidance.document import Document, Fault, position

if TYPE_CHECKING:
    from yaml.nodes import Node

    from sctx_tui.guidance.model import ContextEntry, Decision

    Entry = ContextEntry | Decision


class Source:
    """The nodes of a guidance file's entries, found again by the line they begin at."""

    def __init__(self, data: bytes) -> None:
        self._entries: dict[tuple[str, int], tuple[int, Node]] = {}
        self._values: dict[tuple[str, int, str], dict[str | None, tuple[int, int]]] = {}
        try:
            self._document = Document(data)
            root = self._document.root
            sections = self._document.fields(root) if root is not None else {}
            for section, (_, entries) in sections.items():
                for index, entry in enumerate(self._document.items(entries)):
                    self._entries.setdefault((section, position(entry)[0]), (index, entry))
        except (Fault, RecursionError):
            return  # what can't be read was reported by the parser, and gives no entries to look for

    def where(self, section: str, entry: Entry) -> str:
        """The entry's place in its list: `context[2]`; without an index when it can't be told."""
        found = self._entries.get((section, entry.line))
        return f"{section}[{found[0]}]" if found else section

    def of_entry(self, section: str, entry: Entry) -> tuple[int, int]:
        """1-based line and column of the entry."""
        found = self._entries.get((section, entry.line))
        return position(found[1]) if found else (entry.line, 1)

    def of_value(self, section: str, entry: Entry, field: str, value: str = "") -> tuple[int, int]:
        """1-based line and column of a field's value; for a list, of the item that reads `value`."""
        values = self._values.get((section, entry.line, field))
        if values is None:
            values = self._values[section, entry.line, field] = self._places(section, entry, field)
        return values.get(value) or values[None]

    def _places(self, section: str, entry: Entry, field: str) -> dict[str | None, tuple[int, int]]:
        """Where each item of a field stands, the first of those that are the same; under None the field."""
        found = self._entries.get((section, entry.line))
        try:
            node = self._document.fields(found[1])[field][1] if found else None
            items = self._document.items(node) if node is not None else []
        except (Fault, KeyError):
            return {None: self.of_entry(section, entry)}
        places: dict[str | None, tuple[int, int]] = {}
        for item in items:
            if isinstance(item.value, str):
                places.setdefault(item.value, position(item))
        return {**places, None: self.of_entry(section, entry) if node is None else position(node)}
