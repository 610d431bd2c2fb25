"""Texts that are put together: names that code makes of parts."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from sctx_tui.graph.literals import ELIDED
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.resolve_classes import linearized
from sctx_tui.graph.values import MANY, Value, Values

#: Shortest known part of a name that says which attributes are meant.
SHORTEST = 2
#: What a class is asked for when any of its names may be meant.
ANY_NAME = "*"


def concatenated(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of a ``concat`` Expr: constants where all of its parts are."""
    known = [texts_of(ev, part, file, scope, env) for part in expr[1]]
    texts = [found for found in known if found is not None]
    made = dict.fromkeys(map("".join, product(*texts))) if len(texts) == len(known) else {}
    return tuple(("c", text) for text in made) if 0 < len(made) <= MANY else (("L", "str"),)


def texts_of(ev: Evaluator, part: Any, file: File, scope: int, env: int) -> list[str] | None:
    """What a part may be; None: nobody knows."""
    found = ev.ev(part, file, scope, env)
    texts = [str(value[1]) for value in found if value[0] == "c"]
    is_known = texts and len(texts) == len(found) and not any(text.startswith(ELIDED) for text in texts)
    return texts if is_known else None


def names_like(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> re.Pattern[str] | None:
    """The names that a ``concat`` Expr may be, as a pattern; None where too little of them is known."""
    while expr is not None and expr[0] == "var":
        expr = file.binds[expr[1]][2]
    if expr is None or expr[0] != "concat":
        return None
    known = [texts_of(ev, part, file, scope, env) for part in expr[1]]
    if max((len(texts[0]) for texts in known if texts), default=0) < SHORTEST:
        return None
    pieces = [f"(?:{'|'.join(map(re.escape, texts))})" if texts else r"\w+" for texts in known]
    return re.compile("".join(pieces))


def attributes_like(ev: Evaluator, value: Value, pattern: re.Pattern[str] | None) -> list[str]:
    """The names of that pattern that the classes of an object define."""
    if pattern is None or value[0] not in ("I", "C"):
        return []
    names: dict[str, None] = {}
    for cls in linearized(ev, value[1]):
        file, index = ev.program.where(cls)
        ev.binds_in(file, index, ANY_NAME)
        names.update(dict.fromkeys(filter(pattern.fullmatch, file.facts["exits"].get(index, {}))))
    return list(names)
