"""Which field an unknown one was meant to be: a lost filter widens what an entry applies to."""

from __future__ import annotations

# Other tools' words for `match`, and what YAML 1.1 tools make of `on`.
SYNONYMS = {"paths": "match", "globs": "match", "applyto": "match", "matches": "match", "true": "on"}


def intended_field(name: str, filters: tuple[str, ...]) -> str | None:
    """The one of `filters` that `name` misspells: other case, one edit away, or a synonym; else None."""
    lowered = name.lower()
    if SYNONYMS.get(lowered) in filters:
        return SYNONYMS[lowered]
    return next((field for field in filters if within_one_edit(lowered, field)), None)


def within_one_edit(left: str, right: str) -> bool:
    """Whether one inserted, deleted, replaced or swapped character, or none, makes the two words equal."""
    if abs(len(left) - len(right)) > 1:
        return False
    shorter, longer = sorted((left, right), key=len)
    start = next((i for i, each in enumerate(shorter) if each != longer[i]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[start:] == longer[start + 1 :]
    swapped = longer[:start] + longer[start + 1 : start + 2] + longer[start : start + 1] + longer[start + 2 :]
    return shorter[start + 1 :] == longer[start + 1 :] or shorter == swapped
