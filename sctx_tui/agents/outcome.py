"""What enabling or disabling an agent's hook answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal["local", "shared", "user"]
"""The project's personal settings, its committed ones, or those in the home directory."""


class SettingsError(Exception):
    """An agent's settings could not be changed; the message says which file and what to do."""


@dataclass(frozen=True)
class Outcome:
    """`message` is one line for the person who asked, `changed` whether a file was written or removed.

    `notes` are further lines that they should read.
    """

    message: str
    changed: bool
    notes: tuple[str, ...] = ()
