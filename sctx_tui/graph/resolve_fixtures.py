"""pytest's fixtures: which function makes what a test's parameter is given."""

from __future__ import annotations

from posixpath import dirname, join
from typing import Any

from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File
from sctx_tui.graph.values import Values


def fixture(ev: Evaluator, expr: Any, file: File, scope: int, env: int) -> Values:
    """The values of a ``fixture`` Expr: what the module calls so, else the nearest ``conftest.py``.

    pytest's documentation, "Fixture availability"; those of plugins and of test classes are not looked for.
    """
    found = ev.own_name(expr[1], file)
    folder = file.path
    while found is None and folder:
        folder = dirname(folder)
        conftest = ev.program.file(join(folder, "conftest.py"))
        if conftest is not None and conftest is not file:
            found = ev.exported(expr[1], conftest)
    return tuple(value for value in found or () if value[0] == "F")
