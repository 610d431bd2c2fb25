"""One module and one query file per language."""
