"""One module per coding agent: its event becomes a query, the resolution its reply."""
