"""A line to type in."""

from __future__ import annotations

from textual.widgets import Input


class Prompt(Input):
    """An input with a still cursor, so that pictures of the app are all the same."""

    def on_mount(self) -> None:
        """No blinking."""
        self.cursor_blink = False
