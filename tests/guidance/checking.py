"""Guidance files, validated."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from sctx_tui.guidance.model import Problem
from sctx_tui.guidance.validate import validate

TODAY = date(2026, 6, 15)


def checked(tmp_path: Path, files: dict[str, str], within: str = "") -> list[Problem]:
    """The problems of these files, on TODAY."""
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return validate(str(tmp_path), within=within, today=TODAY)


def one(field: str, pattern: str) -> str:
    """A guidance file with one pattern, in single quotes."""
    match = "" if field == "match" else ", match: ['**']"
    return f"context:\n  - {{content: c{match}, {field}: ['{pattern}']}}\n"
