"""What React's functions give, and which functions they call (https://react.dev/reference/react)."""

from __future__ import annotations

from sctx_tui.graph.effects import Args, Effect
from sctx_tui.graph.facts import Expr
from sctx_tui.graph.languages.javascript_effects import Plain, either, made, run


def given(base: Expr, args: Args) -> Effect:
    """``useCallback(f, deps)``, ``memo(C)``: the function itself."""
    return Effect(args[0] if args else None)


def computed(base: Expr, args: Args) -> Effect:
    """``useMemo(f, deps)``: what the function gives."""
    call = run(args, 0)
    return made(call, result=call)


def effect(base: Expr, args: Args) -> Effect:
    return made(run(args, 0))


def state(base: Expr, args: Args) -> Effect:
    """``useState(first)``: a function is called for the first state."""
    call = run(args, 0)
    return made(call, result=("list", (either(call, args[0] if args else None), None)))


def loaded(base: Expr, args: Args) -> Effect:
    """``lazy(() => import("./x"))``: the module's default."""
    call = run(args, 0)
    return made(call, result=("attr", call, "default") if call is not None else None)


_FUNCTIONS: dict[str, Plain] = {
    **dict.fromkeys(("useCallback", "useEffectEvent", "useDeferredValue", "memo", "forwardRef"), given),
    **dict.fromkeys(("useEffect", "useLayoutEffect", "useInsertionEffect", "startTransition"), effect),
    "useMemo": computed,
    "useState": state,
    "lazy": loaded,
}
#: By every path under which they are had.
REACT_FUNCTIONS: dict[str, Plain] = {
    f"{module}.{name}": plain for module in ("react", "react.default") for name, plain in _FUNCTIONS.items()
}
