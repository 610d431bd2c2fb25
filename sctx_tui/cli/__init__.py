"""The `sctx` and `ctx` command lines."""
