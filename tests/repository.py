"""A small git repository that a test works on."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from sctx_tui.graph.store import index_path


class Repository:
    """Files in a folder, git, and what is in the index."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def new(cls, root: Path) -> Self:
        """An empty repository at `root`."""
        root.mkdir()
        made = cls(root)
        made.git("init", "-q", "-b", "main")
        return made

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Create or replace files; None deletes one."""
        for path, content in files.items():
            target = self.root / path
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def git(self, *arguments: str) -> str:
        """Run git in the root; what it prints."""
        return self.try_git(*arguments, check=True).stdout

    def try_git(self, *arguments: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        """The same, whether it succeeds or not."""
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ("git", *identity, *arguments), cwd=self.root, check=check, capture_output=True, text=True
        )

    def commit(self, message: str = "commit") -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """Rows of the index; single columns as plain values."""
        with closing(sqlite3.connect(index_path(str(self.root)))) as connection:
            rows = connection.execute(sql, parameters).fetchall()
        return [row[0] if len(row) == 1 else row for row in rows]
