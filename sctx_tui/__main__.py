"""Entry points of the two commands; `sctx hook` takes a path that imports nothing it doesn't need."""

import atexit
import gc
import os
import sys


def sctx() -> None:
    """Run `sctx` with the process's arguments."""
    if sys.argv[1:2] == ["hook"]:
        from sctx_tui.agents.hook import main as hook

        # All is written and closed; taking the interpreter apart would cost a fifth of `python -c pass`.
        os._exit(hook(sys.argv[2:]))
    if sys.argv[1:2] == ["tui"]:
        from sctx_tui.tui.app import quick

        code = quick(sys.argv[2:])
        if code is not None:
            sys.exit(code)
    from sctx_tui.cli.sctx import main

    main()


def ctx() -> None:
    """Run `ctx` with the process's arguments; `ctx validate`, which commits wait for, by a short cut."""
    if sys.argv[1:2] == ["validate"]:
        from sctx_tui.cli.staged import quick

        code = quick(sys.argv[2:])
        if code is not None:
            sys.exit(code)
    elif sys.argv[1:2] in (["init"], ["sync"], ["update"]):
        # The process ends with its run, and the system takes the memory back: looking for garbage in what the
        # linker leaves, after the run and once more at the end, would take seconds.
        gc.disable()
        atexit.register(gc.freeze)
    from sctx_tui.cli.ctx import main

    main()


if __name__ == "__main__":
    sctx()
