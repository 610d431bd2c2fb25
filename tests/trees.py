"""Trees of files that a test describes as data."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path

Tree = Mapping[str, str | bytes | Mapping[str, str] | None]


def plant(root: Path, tree: Tree) -> Path:
    """Write a tree: text, bytes, None for a directory, {"symlink": target} or {"base64": bytes}; the root."""
    for path, value in tree.items():
        # Joined as text: a path that pathlib would tidy up is a case of its own.
        target = Path(os.path.join(root, path))
        if value is None:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, Mapping) and "symlink" in value:
            os.symlink(value["symlink"].replace("{ROOT}", str(root)), target)
        elif isinstance(value, Mapping):
            target.write_bytes(base64.b64decode(value["base64"]))
        else:
            target.write_bytes(value if isinstance(value, bytes) else value.encode())
    return root
