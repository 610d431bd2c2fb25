"""Real vocabularies to hold the estimate against."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package reads its own data in an old way
    import bpe_openai

    _VOCABULARIES = [bpe_openai.get_encoding(name) for name in ("o200k_base", "cl100k_base")]


@pytest.fixture(scope="session")
def real() -> Callable[[str], int]:
    """Tokens of a text: the larger count of o200k and cl100k."""
    return lambda text: max(len(vocabulary.encode(text)) for vocabulary in _VOCABULARIES)
