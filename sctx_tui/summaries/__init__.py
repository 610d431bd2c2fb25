"""Where one-sentence descriptions come from: docstrings first, a language model when configured."""
