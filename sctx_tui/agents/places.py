"""Check the folders and files of an agent before anything is written into them."""

from __future__ import annotations

import os
import stat

from sctx_tui.agents.outcome import SettingsError
from sctx_tui.regular import open_regular

LARGEST = 32 << 20
"""Bytes that a file of an agent may have."""


def require_folder(path: str, shown: str, hint: str) -> None:
    """Raise SettingsError unless `path` is a directory; `hint` says what the user should do."""
    if not os.path.isdir(path):
        raise SettingsError(f"{shown} directory not found: {hint}")


def require_inside(path: str, root: str, shown: str) -> None:
    """Raise SettingsError when a symbolic link takes `path` out of the project."""
    real = os.path.realpath(path)
    if not real.startswith(os.path.join(os.path.realpath(root), "")):
        raise SettingsError(
            f"{shown} is a link that leads out of the project, to {real}: edit that file yourself"
        )


def read_text(path: str, shown: str) -> str | None:
    """The text of a regular UTF-8 file with its line ends and byte order mark, None when it is not there."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise SettingsError(f"{shown} is not a regular file")
        with open_regular(path) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise SettingsError(f"{shown} is larger than {LARGEST >> 20} MiB: edit it yourself")
        return data.decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{shown} is not UTF-8 text") from error
    except OSError as error:
        raise SettingsError(f"cannot read {shown}: {error.strerror or error}") from error
