"""Changing the user's settings file: one value at a time; comments, order and everything else stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sctx_tui.atomic import write_atomically
from sctx_tui.summaries.settings import (
    SECTION,
    SettingsError,
    Value,
    known_key,
    parse,
    read_file,
    read_value,
    settings_path,
)

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tomlkit import TOMLDocument


def set_value(name: str, typed: str) -> Value:
    """Write a setting; its value. SettingsError: no such setting, an unusable value, an unusable file."""
    value = read_value(name, typed)
    document = _document()
    section = _section(document)
    if section is None:
        import tomlkit

        section = document[SECTION] = tomlkit.table()
    section[name.partition(".")[2]] = value
    _write(document)
    return value


def unset_value(name: str) -> bool:
    """Remove a setting from the file; whether it was there. SettingsError as above."""
    known_key(name)
    document = _document()
    section = _section(document)
    key = name.partition(".")[2]
    if section is None or key not in section:
        return False
    del section[key]
    _write(document)
    return True


def _document() -> TOMLDocument:
    import tomlkit

    path = settings_path()
    text = read_file(path) or ""
    parse(path, text)  # for its messages
    return tomlkit.parse(text)


def _section(document: TOMLDocument) -> MutableMapping[str, Any] | None:
    section = document.get(SECTION)
    if section is not None and not hasattr(section, "keys"):
        raise SettingsError(f"{settings_path()}: [{SECTION}] has to be a table")
    return section


def _write(document: TOMLDocument) -> None:
    path = settings_path()
    text = document.as_string()
    parse(path, text)  # nothing is written that could not be read back
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_atomically(path, text.encode(), mode=0o600)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from error
