"""Install `sctx hook` into an agent, and take it out again."""

from __future__ import annotations

from sctx_tui.agents import claude_settings, pi_extension
from sctx_tui.agents.outcome import Outcome, Scope, SettingsError

__all__ = ["AGENTS", "Outcome", "Scope", "SettingsError", "disable", "enable"]

AGENTS = {
    "claude": (claude_settings.enable, claude_settings.disable),
    "pi": (pi_extension.enable, pi_extension.disable),
}
"""Every agent that can be enabled: how to, and how to undo it."""


def enable(agent: str, root: str, *, scope: Scope = "local") -> Outcome:
    """Install the hook of `agent` (a name of AGENTS) for the project at `root`.

    An older or half-finished installation is brought up to date. Raises SettingsError when the agent's folder
    is missing, cannot be written, or holds settings of a shape that cannot be edited safely.
    """
    return AGENTS[agent][0](root, scope)


def disable(agent: str, root: str, *, scope: Scope = "local") -> Outcome:
    """Take the hook of `agent` out again and leave everything that others wrote. Raises SettingsError."""
    return AGENTS[agent][1](root, scope)
