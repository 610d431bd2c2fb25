"""The user's directories for what we keep, as platformdirs names them.

Said once more here, for `sctx hook` asks on every tool call. A relative `XDG_*` doesn't count: it would lead
into whatever project is at hand.
"""

from __future__ import annotations

import os
import sys


def user_cache() -> str:
    """What may be deleted at any time: `~/.cache/sctx` on Linux."""
    return _directory("XDG_CACHE_HOME", ".cache", os.path.join("Library", "Caches"))


def user_state() -> str:
    """What is kept from one run to the next: `~/.local/state/sctx` on Linux."""
    mac = os.path.join("Library", "Application Support")
    return _directory("XDG_STATE_HOME", os.path.join(".local", "state"), mac)


def _directory(variable: str, elsewhere: str, mac: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, mac)
    else:
        base = os.environ.get(variable, "").strip()
        if not os.path.isabs(base):
            base = os.path.join(home, elsewhere)
    return os.path.join(base, "sctx")
