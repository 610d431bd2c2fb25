"""The key of a provider: from an environment variable or the system's keyring, at the moment of use."""

from __future__ import annotations

import os
import re

from sctx_tui.summaries.settings import Model, SettingsError


def find_key(model: Model) -> str:
    """The key for `model`, "" when it needs none. SettingsError names the place, never the key."""
    if model.keyring:
        key, place = _from_keyring(model.keyring), f"the keyring's entry {model.keyring}"
    elif model.key_variable:
        key, place = os.environ.get(model.key_variable, ""), f"the environment variable {model.key_variable}"
        if not key:
            raise SettingsError(f"{place} is not set; provider {model.provider} takes its key from there")
    else:
        return ""
    key = key.strip()
    if not re.fullmatch(r"[!-~]{1,4096}", key):
        raise SettingsError(f"{place} holds no usable key: it is empty, or has blanks or odd characters")
    return key


def _from_keyring(entry: str) -> str:
    service, _, user = entry.partition("/")
    try:
        import keyring
    except ImportError:
        raise SettingsError(
            'summaries.keyring is set, but the package keyring is missing: pip install "sctx-tui[keyring]"'
        ) from None
    try:
        found = keyring.get_password(service, user)
    except Exception as error:  # each system's back-end raises errors of its own
        raise SettingsError(f"the keyring can't be read: {type(error).__name__}") from None
    if not found:
        raise SettingsError(f"the keyring has no entry {entry}: keyring set {service} {user}")
    return str(found)
