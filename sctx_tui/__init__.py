"""Scoped guidance and a local code graph for coding agents."""

__version__ = "0.1.0"
