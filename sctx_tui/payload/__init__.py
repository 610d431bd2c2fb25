"""The token-budgeted document built from both engines."""
