"""A call: what it passes to whom it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sctx_tui.graph.facts import Expr
    from sctx_tui.graph.program import File
    from sctx_tui.graph.values import Value


class Call:
    """A call to evaluate: the Expr and where it stands. ``receiver`` is set for bound calls."""

    __slots__ = ("before", "env", "expr", "file", "receiver", "scope")

    def __init__(self, expr: Any, file: File, scope: int, env: int, receiver: Value | None = None) -> None:
        self.expr, self.file, self.scope, self.env, self.receiver = expr, file, scope, env, receiver
        self.before: Call | None = None  # whose arguments come first (``functools.partial``)

    def on(self, receiver: Value | None) -> Call:
        """The same call of what is bound to ``receiver``."""
        made = Call(self.expr, self.file, self.scope, self.env, receiver)
        made.before = self.before
        return made

    def after(self, before: Call) -> Call:
        """The same call with the arguments of ``before`` ahead of its own."""
        made = self.on(self.receiver)
        made.before = before
        return made

    def is_same(self, other: Call) -> bool:
        """Whether it is the same call of what is bound to the same receiver."""
        return self.expr is other.expr and self.receiver == other.receiver and self.before is other.before

    def of(self, expr: Any) -> Call:
        """Another call, made where this one is."""
        return Call(expr, self.file, self.scope, self.env)

    def args(self) -> tuple[Expr, ...]:
        """The positional arguments."""
        args: tuple[Expr, ...] = self.expr[2]
        return args
