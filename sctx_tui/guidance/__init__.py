"""Guidance people wrote: AGENTS.yaml entries and decisions, and which of them apply where."""
